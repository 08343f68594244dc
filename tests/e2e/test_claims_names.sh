# SPDX-License-Identifier: Apache-2.0
# Names never take values away: what a parameter, member or function is called says what is tried
# first. What belongs together is told by the code.
. "$(dirname "$0")/lib.sh"
golden=$root/tests/golden/claims/names

covers unit "$golden/unit.c" --no-inference
driver=$(ls unit/harness/*/driver.c)
equals "what the name suggests is a choice" 1 "$(grep -c 'cz_choice(.*arg:size.*the length of owner, or any number' "$driver")"
"$cadenza" run "$golden/unit.c" -o short -q --no-inference --iterations 1 --task shoe
equals "and so the first test has a length" 1 "$(grep -l '^input choice:arg:size | [^|]* | 0' short/tests/shoe/*.test | wc -l)"

# ---- interrupts ----
"$cadenza" run "$golden/interrupts.c" -o interrupts -q --interleave --iterations 300 --no-inference
outcome() { sqlite3 "$1/cadenza.db" "select verdict from goals g join functions f on f.id = g.function
    where f.name = '$2' and outcome = $3"; }
equals "a function with the name of a handler is interrupted" covered "$(outcome interrupts timer_isr 1)"
equals "and interrupts others" covered "$(outcome interrupts work 1)"

# ---- stubs ----
(cd "$golden/project" && "$cadenza" run use.c put.c -o "$work/project" -q --no-inference --iterations 100)
equals "a stub writes what its name does not say" "2 2" \
    "$(json project/summary.json '$.totals.branches_covered') $(json project/summary.json '$.totals.branches')"

# ---- told by the code ----
"$cadenza" run "$golden/told.c" -o told -q --no-inference --iterations 400
equals "the code says which number is a length" 0 "$(sqlite3 told/cadenza.db "select count(*) from alarms where cause <> 'null' and cause <> 'overflow'")"
equals "all of it is covered" "$(json told/summary.json '$.totals.branches')" "$(json told/summary.json '$.totals.branches_covered')"
finish
