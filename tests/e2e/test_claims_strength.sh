#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two strengths of "infeasible", never added up, and coverage by crashing tests.
. "$(dirname "$0")/lib.sh"

"$cadenza" run "$root/tests/golden/claims/strength/strength.c" -o out -q --iterations 3000 --no-inference >/dev/null
goal() { # TASK'S CONDITION OUTCOME: its line
    grep -F "$1: $2" out/goals.txt
}
total() {
    json out/summary.json "\$.totals.$1"
}

equals "no pointers, no state: strong" "infeasible" "$(goal 'x * x == 3' true | awk '{print $1}')"
equals "any memory: strong" "infeasible" "$(goal 'q == p' true | awk '{print $1}')"
check "within a bound: weak, and the bound has its name" \
    grep -q 'infeasible_assuming .*n == 40: true .*objects are as the driver builds them; within bound --depth 16' out/goals.txt
check "behind an alarm: weak, and the alarm has its name" \
    grep -q 'infeasible_assuming .*a == 0: true .*no undefined behaviour before it as in alarm-[0-9]' out/goals.txt
equals "in front of one: strong" "infeasible" "$(goal 'a < 3' true | awk '{print $1}')"
check "an execution that crashes early no longer vetoes the claim" \
    sh -c "! grep 'a == 0: true' out/goals.txt | grep -q undetermined"
check "the rounding mode is presumed, by name" \
    grep -q 'infeasible_assuming .*third != .*: true .*floating-point arithmetic rounds to nearest' out/goals.txt
check "bytes of a _Bool are presumed, by name" \
    grep -q 'infeasible_assuming .*answered == 94: true .*the byte of a _Bool is 0 or 1' out/goals.txt
check "more calls might reach it: open" \
    grep -q 'undetermined .*n == 41: true .*more calls might reach it' out/goals.txt

check "a test that runs through is found after one that crashed" \
    sh -c "! grep -F 'k == 5' out/goals.txt | grep -q 'only by tests that crash'"
check "what only crashing tests reach says so" \
    grep -q 'covered .*k == 7: true .*only by tests that crash' out/goals.txt
equals "... and is counted among the covered ones" 1 "$(total branches_covered_by_crash)"
equals "... in the database too" 1 \
    "$(sqlite3 out/cadenza.db "select count(*) from goals where verdict = 'covered' and by_crash")"

equals "the verdicts add up" "$(total branches)" \
    "$(($(total branches_covered) + $(total branches_infeasible) + $(total branches_infeasible_assuming) + $(total branches_undetermined) + $(total branches_justified)))"
equals "strong claims are counted apart" 3 "$(total branches_infeasible)"
equals "from weak ones" 4 "$(total branches_infeasible_assuming)"
equals "the database knows what is assumed" "bounds objects" \
    "$(sqlite3 out/cadenza.db "select assumes from goals where text = 'n == 40' and outcome = 1" | tr ' ' '\n' | sort | tr '\n' ' ' | sed 's/ $//')"
equals "kinds of assumptions are counted" "1 0" \
    "$(json out/summary.json '$.assuming.bounds') $(json out/summary.json '$.assuming.preconditions')"
"$cadenza" show out >shown
check "show tells both strengths" grep -q 'n == 40 true: infeasible_assuming' shown
check "show tells what only crashes reach" grep -q 'k == 7 true: covered by .*, only by tests that crash' shown
"$cadenza" run "$root/tests/golden/claims/strength/strength.c" -o out2 --iterations 3000 --no-inference >table
check "the table has a column for weak claims" grep -q 'infeas. assum. open' table
check "and says how many goals only crashing tests cover" grep -q 'Only tests that crash cover 1 of the branches' table

# A goal that several files have: covered by one beats a claim of the other; counted once.
cat >helper.c <<'C'
int helper(int a)
{
    if (a > 100)
        return 1;
    if (a == 7 && a == 8)
        return 3;
    return 0;
}
C
cat >user.c <<'C'
extern int helper(int a);
int user(int x) { return helper(x & 7) == 3; }
C
"$cadenza" run helper.c user.c -o both --unit extended --iterations 50 -q
equals "files: a goal of two of them counts once" "6 5 1 0" "$(json both/summary.json '$.totals.branches') \
$(json both/summary.json '$.totals.branches_covered') $(json both/summary.json '$.totals.branches_infeasible') \
$(json both/summary.json '$.totals.branches_undetermined')"
check "files: one says that it is infeasible" grep -q 'infeasible .*a > 100: true' both/files/user.c/goals.txt
check "files: the other covers it, which holds for the project" \
    grep -q 'covered .*helper(): a > 100: true .*in 2 files' both/goals.txt
equals "files: show counts the same" "5 of 6 branches covered, 1 infeasible" \
    "$("$cadenza" show both | sed -n 's/.*total: .* tests, \(.*\), 0 assuming.*/\1/p')"
finish
