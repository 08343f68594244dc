# SPDX-License-Identifier: Apache-2.0
# Alarms: every test runs under the sanitizers, what only they see is an alarm, an alarm is one
# defect at one place, and what goes wrong from main is a bug.
. "$(dirname "$0")/lib.sh"
claims=$root/tests/golden/claims/alarms
unit=$claims/unit.c

"$cadenza" run "$unit" -o found -q --iterations 400 --no-inference
# alarms RUN FUNCTION: cause, line and what confirmed it, by line
alarms() { sqlite3 "$1/cadenza.db" "select group_concat(x, ' | ') from (select cause || ':' || line || ':' ||
    reproduced as x from alarms where function = '$2' order by line, cause)"; }
line() { awk -v f="$1" -v c="/\\\\* .*$2" '$0 ~ "^int " f "\\(" { on = 1 } on && $0 ~ c { print NR; exit }' "$unit"; }
good="reproduced under sanitizers" bad="not reproduced"
equals "what only the sanitizers see is an alarm" "overlap:$(line copies overlap):$good" "$(alarms found copies)"
equals "and says so" "memcpy-param-overlap; only the sanitizers saw it" \
    "$(sqlite3 found/cadenza.db "select detail from alarms where function = 'copies'")"
equals "its test is named" 1 "$(sqlite3 found/cadenza.db "select count(*) from alarms where function = 'copies' and test > 0")"
equals "an alarm behind another defect is not confirmed by it" \
    "overlap:$(line hidden overlap):$good | null:$(line hidden null):$bad" "$(alarms found hidden)"
equals "two defects of one line are two alarms" \
    "null:$(line mixed overlap):$bad | overlap:$(line mixed overlap):$good" "$(alarms found mixed)"
equals "what was reported instead is told" 2 "$(sqlite3 found/cadenza.db \
    "select count(*) from alarms where cause = 'null' and detail like 'not this, but memcpy-param-overlap at unit.c:%'")"
equals "misaligned addresses are not looked for" "" "$(alarms found misaligned)"
equals "what the code prints is no report" "" "$(alarms found talks)"
equals "places in expressions of several lines are the same in both builds" 5 \
    "$(sqlite3 found/cadenza.db "select count(*) from alarms where function = 'several' and reproduced = '$good'")"
equals "of each cause" "bounds division null null shift" \
    "$(sqlite3 found/cadenza.db "select cause from alarms where function = 'several' order by cause" | tr '\n' ' ' | sed 's/ $//')"
equals "they are no disagreements" '[]' "$(json found/summary.json '$.disagreements')"
equals "nothing of a unit is a bug" 0 "$(json found/summary.json '$.totals.bugs')"

"$cadenza" run "$unit" -o less --task copies --task misaligned --iterations 100 --no-sanitize >less.txt
equals "--no-sanitize runs only alarming tests" 0 "$(json less/summary.json '$.alarms' | grep -c cause)"
check "and says so" grep -q -e "--no-sanitize" less.txt
"$cadenza" run "$unit" -o more -q --task copies --task misaligned --iterations 100 --no-check overlap --check undefined
equals "causes are chosen for the sanitizers, too" "|undefined:$(line misaligned undefined):$good" \
    "$(alarms more copies)|$(alarms more misaligned)"

# Buffers that come with a length.
exact=$claims/exact.c
"$cadenza" run "$exact" -o exact -q --iterations 200 --no-inference
equals "one element too many is seen, at any length" "$(grep -n 'ALARM' "$exact" | cut -d: -f1 | tr '\n' ' ')" \
    "$(sqlite3 exact/cadenza.db "select distinct line from alarms where cause = 'length' and reproduced = '$good'
        order by line" | tr '\n' ' ')"
equals "that is all there is" "$(sqlite3 exact/cadenza.db "select count(*) from alarms where cause = 'length'")" \
    "$(sqlite3 exact/cadenza.db "select count(*) from alarms")"
equals "no code that is right, or that uses no length, has an alarm" 0 "$(sqlite3 exact/cadenza.db \
    "select count(*) from alarms where line > $(grep -n '^/\* ---- right' "$exact" | cut -d: -f1)")"
equals "builds agree" '[]' "$(json exact/summary.json '$.disagreements')"
equals "the path behind an access beyond the length is searched, too" 0 "$(sqlite3 exact/cadenza.db \
    "select count(*) from alarms where cause = 'bounds'")"
"$cadenza" run "$exact" -o loose -q --iterations 60 --no-inference --no-check length
equals "--no-check length: the driver gives no lengths" "0 0" \
    "$(json loose/summary.json '$.totals.alarms') $(grep -c cz_extent loose/harness/*/driver.c)"
"$cadenza" run "$exact" -o free -q --iterations 60 --no-inference --free-lengths --task sums
equals "--free-lengths: neither" 0 "$(grep -c cz_extent free/harness/*/driver.c)"

# The same for lengths that are members.
members=$claims/exact_members.c
"$cadenza" run "$members" -o members -q --iterations 400 --no-inference
equals "members: one element too many is seen" "$(grep -n 'ALARM' "$members" | cut -d: -f1 | tr '\n' ' ')" \
    "$(sqlite3 members/cadenza.db "select distinct line from alarms where cause = 'length' and reproduced = '$good'
        order by line" | tr '\n' ' ')"
equals "members: that is all there is" "" "$(sqlite3 members/cadenza.db \
    "select cause || ':' || line from alarms where cause <> 'length' or reproduced <> '$good'")"
equals "members: no goal is lost" "$(json members/summary.json '$.totals.branches')" \
    "$(json members/summary.json '$.totals.branches_covered')"
equals "members: builds agree" '[]' "$(json members/summary.json '$.disagreements')"
"$cadenza" run "$members" -o whole -q --iterations 60 --no-inference --no-check length
equals "members: --no-check length" 0 "$(grep -c cz_extent whole/harness/*/driver.c)"

# Whole programs.
exits "an underflow in a whole program is a bug" 1 "bug-1 underflow.c:$(grep -n 'bounds \*/' "$claims/underflow.c" | cut -d: -f1)" \
    "$cadenza" run --program "$claims/underflow.c" --stdin 4 -o underflow --iterations 300
equals "a bug is counted apart from alarms" "1 0" \
    "$(json underflow/summary.json '$.totals.bugs') $(json underflow/summary.json '$.totals.alarms')"
exits "show takes its name" 0 "^bug-1 " "$cadenza" show underflow bug-1
check "tests of a bug replay" "$cadenza" replay underflow -q
end() { "$cadenza" run --program "$claims/ends.c" --arg 1:1 -o "end$1" --iterations 200 -- "-DEND=$1"; }
exits "a failed assertion of a program is a bug" 1 "bug-1 ends.c:10: failed assertion" end 1
exits "abort() is an alarm" 0 "alarm-1 ends.c:13: abort" end 2
exits "undefined behaviour of a program is a bug" 1 "bug-1 ends.c:15: shift beyond width" end 3
exits "an exit code is neither" 0 "Results: " end 4
equals "no alarm for the code that sanitizers use" 0 "$(json end4/summary.json '$.totals.alarms')"
finish
