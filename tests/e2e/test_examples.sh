# SPDX-License-Identifier: Apache-2.0
# The papers' examples reach full coverage of what is feasible, the rest is proven.
. "$(dirname "$0")/lib.sh"

# complete NAME FILE BRANCHES [options]: all branches covered or infeasible, no disagreement
complete() {
    name=$1 file=$2 branches=$3; shift 3
    if ! out=$("$cadenza" run "$root/examples/$file" -o "$name" "$@" 2>&1); then
        not_ok "$name runs" "$out"; return
    fi
    ok "$name runs"
    [ "$branches" = - ] || equals "$name: branches" "$branches" "$(json "$name/summary.json" '$.totals.branches')"
    equals "$name: nothing open" 0 "$(json "$name/summary.json" '$.totals.branches_undetermined')"
    equals "$name: engine and llvm-cov agree" '[]' "$(json "$name/summary.json" '$.disagreements')"
    check "$name: tests replay identically" "$cadenza" replay "$name"
}

complete fig1 fig1.c 50
equals "fig1: 50 of 50 covered" 50 "$(json fig1/summary.json '$.totals.branches_covered')"
complete fig3 fig3.c -
complete fig5 fig5.c -
complete bystruct bystruct.c -
complete valves valves.c - --task checkValves --time 30
equals "valves: two branches proven infeasible" 2 "$(json valves/summary.json '$.totals.branches_infeasible')"
finish
