# SPDX-License-Identifier: Apache-2.0
# cadenza.just: justified goals in every view, by run and by report; and justifications that are
# stale, ambiguous, repeated, contradicted, unused, or not written as they should be.
. "$(dirname "$0")/lib.sh"

cat >just.c <<'C'
int far(int a, int b)
{
    if (a == 1234567)
        return 1;
    if (b == 7654321 && a == 99)
        return 2;
    switch (a) { case 555: return 3; default: break; }
    return a == 99 ? 4 : 5;
}
int never(unsigned x) { return x % 4 > 3 ? 1 : 2; }
C
short="--iterations 1 --afterglow 0 --no-growth"
run() { "$cadenza" run just.c $short "$@" 2>&1; }
total() { json "$1/summary.json" "\$.totals.$2"; }
says() { printf '%s // Ann Lee, 2026-11-18: %s\n' "$1" "$2"; } # GOAL REASON

run -o open >/dev/null
open=$(total open branches_undetermined)
check "there are open goals" test "$open" -ge 5
"$cadenza" just open >lines
equals "a line for each" "$(($(total open branches_undetermined) + $(total open conditions_undetermined)))" "$(grep -c '^justified' lines)"
check "which says what is to be justified" grep -qE '^justified just.c:far: true of a == 1234567 // AUTHOR, 20[0-9-]*: REASON$' lines
check "with a number where the text is not enough" grep -q '^justified just.c:far: true #2 of a == 99 //' lines
check "and a case" grep -q '^justified just.c:far: taken of case 555 //' lines
cp lines cadenza.just
exits "placeholders are no justification" 2 'cadenza.just:2: AUTHOR and REASON are to be filled in' run -o bad

# All of them, filled in: everything is justified, in all views.
sed 's/AUTHOR/Ann Lee/; s/REASON/hardware, see "HW-12": 50 % <a&b> \/ x/' lines >cadenza.just
exits "a run with justifications" 0 'Some goals are justified' run -o all
equals "no goal is open" "0 0 $open" "$(total all branches_undetermined) $(total all conditions_undetermined) $(total all branches_justified)"
check "goals.txt says who and why" grep -q 'justified .*a == 1234567: true  -- Ann Lee, 20[0-9-]*: hardware, see "HW-12"' all/goals.txt
equals "the task counts it, too" "$(total all branches_justified)" "$(sqlite3 all/cadenza.db 'select sum(branches_justified) from tasks')"
check "the store has it" sh -c "'$cadenza' show all --as summary | cmp - all/summary.json"
equals "and still knows why goals were open" "$open" "$(sqlite3 all/cadenza.db "select count(*) from verdicts v join goals g on g.id = v.goal where v.verdict = 'undetermined' and g.kind = 'branch' and v.reason <> ''")"
exits "it counts for a gate if the user says so" 0 'gate passed: branch' "$cadenza" report all --require branch=100 --count infeasible,justified
exits "and only then" 5 'gate failed: branch' "$cadenza" report all --require branch=100 --count infeasible

# The older store: a report reads the file anew, without a search.
exits "a report of a run without justifications" 0 "$open justified" "$cadenza" report open --require branch=0
exits "another file" 2 'No such file\|needs' "$cadenza" report open --format lcov --just
exits "one that is not there" 3 'none.just: No such file' "$cadenza" report open --format lcov --just none.just
exits "no file" 0 " 0 justified, $open open" "$cadenza" report open --require branch=0 --just none
exits "a run without the file" 0 'open' run -o without --just none
equals "has open goals" "$open" "$(total without branches_undetermined)"

# What is no justification.
problem() { # NAME TEXT LINE: exit code 5, and the errors of the run name it
    says "$3" reason >cadenza.just
    exits "$1: a run" 5 "cadenza.just:1: $2" run -q -o wrong
    equals "$1: in summary.json" '[5] 1' "$(json wrong/summary.json '$.exit_codes') $(json wrong/summary.json '$.errors[0]' | grep -c "cadenza.just:1: $2")"
    exits "$1: a report" 5 "cadenza.just:1: $2" "$cadenza" report open --format github
}
problem stale 'stale: there is no such goal' 'justified just.c:far: true of a == 1234568'
problem "stale function" 'stale' 'justified just.c:near: true of a == 1234567'
problem "stale number" 'stale' 'justified just.c:far: true #9 of a == 99'
problem contradicted 'contradicted: test far/0001 covers it' 'justified just.c:far: false of a == 1234567'
problem unused 'unused: the goal is infeasible' 'justified just.c:never: true of x % 4 > 3'
problem ambiguous 'ambiguous: 2 goals are written so' 'justified just.c:far: true of a == 99'
{ says 'justified just.c:far: true of a == 1234567' one; says 'justified just.c:far: true of a==1234567' two; } >cadenza.just
exits "repeated" 5 'cadenza.just:2: repeated: line 1 says the same' run -q -o wrong
{ says 'justified other.c:far: true of a == 1' one; printf '\n# a comment\n'; } >cadenza.just
check "a file that is not tested is none of our business" run -q -o fine
{ printf '\n\n\n\n'; cat just.c; } >moved.c && mv moved.c just.c
says 'justified just.c:far: true of a == 1234567' moved >cadenza.just
check "a goal is found where code has moved" run -q -o fine
equals "and is justified" 1 "$(total fine branches_justified)"

for line in 'justify just.c:far: true of a' 'justified just.c:far: maybe of a' 'justified far: true of a' \
    'justified just.c:far: true #0 of a' 'justified just.c:far: true of' 'justified just.c:far: true'; do
    says "$line" reason >cadenza.just
    exits "not written so: $line" 2 "cadenza.just:1: .*a line reads 'justified" run -o never
done
for end in '' ' // Ann' ' // Ann, 2026-13-01: x' ' // Ann, yesterday: x' ' // , 2026-11-18: x' ' // Ann, 2026-11-18:'; do
    printf 'justified just.c:far: true of a == 1%s\n' "$end" >cadenza.just
    exits "nor: $end" 2 'cadenza.just:1: ' run -o never
done
exits "a report says the same" 2 'cadenza.just:1: ' "$cadenza" report open --format lcov

# A project: errors are the project's, a change needs no new search.
mkdir p && cp just.c p/a.c && printf 'int b(int x) { return x == 4711 ? 1 : 2; }\n' >p/b.c
cat >p/compile_commands.json <<J
[{"directory": "$work/p", "file": "a.c", "command": "cc -c a.c"}, {"directory": "$work/p", "file": "b.c", "command": "cc -c b.c"}]
J
project() { "$cadenza" run -p p -o out $short "$@" 2>&1; }
says 'justified a.c:far: true of a == 1234567' reason >p/cadenza.just
says 'justified b.c:b: false of x == 4711' reason >>p/cadenza.just
exits "a project" 5 '' project
equals "its errors name it" 1 "$(json out/summary.json '$.errors[0]' | grep -c 'cadenza.just:2: contradicted')"
equals "those of its files do not" '[] [0]' "$(json out/files/b.c/summary.json '$.errors') $(json out/files/b.c/summary.json '$.exit_codes')"
says 'justified a.c:far: true of a == 1234567' reason >p/cadenza.just
says 'justified b.c:b: true of x == 4711' reason >>p/cadenza.just
exits "another justification" 0 'taken over' project --resume
equals "is in all results" "2 1 1" "$(total out branches_justified) $(total out/files/a.c branches_justified) $(total out/files/b.c branches_justified)"
check "and in the stores" sh -c "'$cadenza' show out --as goals | cmp - out/goals.txt && '$cadenza' show out/files/b.c --as goals | cmp - out/files/b.c/goals.txt"
finish
