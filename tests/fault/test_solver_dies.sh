# SPDX-License-Identifier: Apache-2.0
# A solver that aborts takes its worker with it: the task is reported, and the others go on.
. "$(dirname "$0")/../e2e/lib.sh"
cp "$root/tests/fault/small.c" .

for solver in cadical:bitblast z3:z3; do
    layer=${solver#*:} out=${solver%:*}
    CZ_FAULT=$out:1 "$root/build/cadenza-faults" run small.c -o "$out" --iterations 20 \
        --layers "$layer" >"$out.txt" 2>&1
    equals "$out dies: the run is incomplete" 6 $?
    check "$out dies: the task is named" \
        grep -q 'task classify: the worker ended early (signal 6)' "$out.txt"
    check "$out dies: nothing is claimed about it" \
        sh -c "! sed -n '/^classify()/,/^[a-z]/p' $out/goals.txt | grep '^  \(infeasible\|covered\)'"
    equals "$out dies: a task without queries gets its test" 1 "$(find "$out" -path '*plain*' -name '*.test' | wc -l)"
done
finish
