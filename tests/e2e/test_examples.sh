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

# alarms DIR TASK: how many alarms the task raises
alarms() { sqlite3 "$1/cadenza.db" "select count(*) from alarms where function = '$2'"; }
# verdict DIR TEXT OUTCOME
verdict() { sed -n "s/^  \([a-z]*\) .* $2: $3  -- .*/\1/p" "$1/goals.txt" | head -n 1; }

# Figure 2: f() protects g(), so the task raises no alarm. The function-oriented driver of
# g() alone reads beyond model[], which no caller can make it do.
complete fig2 fig2.c -
equals "fig2: the task raises no alarm" 0 "$(sqlite3 fig2/cadenza.db 'select count(*) from alarms')"
check "fig2: as units, functions run" "$cadenza" run "$root/examples/fig2.c" -o fig2f -q --unit function --iterations 100
check "fig2: g() alone raises a false alarm" test "$(alarms fig2f g)" -gt 0
equals "fig2: at the line of the figure" "model[i] == TM9" "$(sed -n "$(sqlite3 fig2f/cadenza.db \
    "select line from alarms where function = 'g' limit 1")s/.*if (\(.*\)) .*/\1/p" "$root/examples/fig2.c")"
equals "fig2: f() does not" 0 "$(alarms fig2f f)"

# Figure 3: a branch that needs one bit. Without bit-fields as inputs it is out of reach.
"$cadenza" run "$root/examples/fig3.c" -o fig3w -q --iterations 300 --without bit-fields
equals "fig3: with bit-fields" covered "$(verdict fig3 'u->s.b0' true)"
equals "fig3: without them" undetermined "$(verdict fig3w 'u->s.b0' true)"

# Figure 5, k = 1: the inputs are head->c, head->next->c and v; the list ends there. Both
# nodes are needed to walk; with a list of one node only the loop is never entered.
complete fig5k fig5.c - --depth 1
check "fig5: the list of the figure" sh -c "grep -h '^input' fig5k/tests/add_last/*.test | \
    sed 's/^input \([^ ]*\) .*/\1/' | sort -u | tr '\n' ' ' | \
    grep -q '^arg:v head->c head->next->c shape:head shape:head->next'"
check "fig5: and no longer" sh -c "! grep -q 'head->next->next' fig5k/tests/add_last/*.test"
equals "fig5: walking the list" covered "$(verdict fig5k 'last->next' true)"
check "fig5: lists of no, one and two nodes" sh -c "
    grep -q 'shape:head | shape | NULL' fig5k/tests/add_last/*.test &&
    grep -q 'shape:head->next | shape | NULL' fig5k/tests/add_last/*.test &&
    grep -q 'shape:head->next | shape | present' fig5k/tests/add_last/*.test"

# Figure 6: what do_chk() sees depends on which function pChk holds. Without the choice
# only the NULL test is reached.
complete fig6 fig6.c 10
check "fig6: chk_A and chk_B are chosen" sh -c "
    grep -q 'choice:pChk .*# chk_A' fig6/tests/do_chk/*.test && grep -q 'choice:pChk .*# chk_B' fig6/tests/do_chk/*.test"
equals "fig6: only chk_B returns so much" covered "$(verdict fig6 'ret > 100' true)"
equals "fig6: only chk_A returns 1" covered "$(verdict fig6 'ret == 1' true)"
"$cadenza" run "$root/examples/fig6.c" -o fig6w -q --iterations 300 --without function-pointers
equals "fig6: without the choice" undetermined "$(verdict fig6w 'ret > 100' true)"
equals "fig6: ... only NULL is seen" covered "$(verdict fig6w '!pChk' true)"
complete valves valves.c - --task checkValves --time 30
equals "valves: two branches proven infeasible" 2 \
    "$(($(json valves/summary.json '$.totals.branches_infeasible') + $(json valves/summary.json '$.totals.branches_infeasible_assuming')))"
finish
