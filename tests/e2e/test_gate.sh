# SPDX-License-Identifier: Apache-2.0
# --require of `cadenza run` and `cadenza report`: what passes, what fails with exit code 5, what
# counts as done, and what is no requirement.
. "$(dirname "$0")/lib.sh"

# Of 8 branches 7 are covered and one is infeasible; of 2 conditions none is infeasible.
cat >gate.c <<'C'
int often(unsigned x)
{
    if (x % 4 > 3)
        return 9;
    if (x > 3 && x < 20)
        return 1;
    return x == 77 ? 2 : 3;
}
int reads(int *p) { return *p; }
C
"$cadenza" run gate.c -o out --iterations 200 >/dev/null 2>&1
equals "the subject" "8 7 1 0 1" "$(sqlite3 out/cadenza.db 'select branches, branches_covered, branches_infeasible, bugs, alarms from runs' | tr '|' ' ')"
gate() { "$cadenza" report out "$@"; }

exits "what is reached passes" 0 'gate passed: branch: 87.5 % required\|gate passed: branch: 87.500 % required, 87.50 %' gate --require branch=87.5
exits "a bit more fails" 5 'gate failed: branch: 87.501 % required, 87.50 % (7 of 8 branches covered, 1 infeasible, 0 infeasible assuming something, 0 justified, 0 open) reached' \
    gate --require branch=87.501
exits "an infeasible goal counts if the user says so" 0 'branch: 100 % required, 100.00 % (7 of 8 branches covered, 1 infeasible (done)' \
    gate --require branch=100 --count infeasible
exits "one that is another kind does not" 5 '87.50 %' gate --require branch=100 --count assuming,justified
exits "conditions" 0 'mcdc: 100 % required, 100.00 %' gate --require mcdc=100
exits "statements are lines" 5 'statement: 100 % required, .* lines covered' gate --require statement=100
exits "whatever counts as done" 5 'gate failed: statement' gate --require statement=100 --count infeasible,assuming,justified
exits "bugs" 0 'bugs: at most 0 required, 0 found' gate --require bugs=0
exits "alarms" 5 'gate failed: alarms: at most 0 required, 1 found' gate --require alarms=0
exits "as many as allowed" 0 'gate passed: alarms: at most 1' gate --require=alarms=1
exits "all of a list must hold" 5 'gate failed: alarms' gate --require mcdc=100,alarms=0,bugs=0
exits "and what holds is told, too" 5 'gate passed: mcdc' gate --require mcdc=100,alarms=0,bugs=0
exits "a format and a gate" 5 '^SF:' gate --format lcov --require alarms=0
check "the report is written all the same" sh -c "'$cadenza' report out --format junit -o r.xml --require alarms=0 2>/dev/null; xmllint --noout r.xml"

# The same at the end of a run, which keeps the exit code.
exits "a run" 5 'gate failed: branch: 90 % required' "$cadenza" run gate.c -o run --iterations 200 --require branch=90
equals "summary.json has the exit code" '[5]' "$(json run/summary.json '$.exit_codes')"
check "and so does the store" sh -c "'$cadenza' show run --as summary | cmp - run/summary.json"
exits "a quiet one tells failures only" 5 '^cadenza: gate failed: branch' "$cadenza" run gate.c -o run -q --iterations 200 --require branch=90,mcdc=1
equals "nothing else" 1 "$("$cadenza" run gate.c -o run -q --iterations 200 --require branch=90,mcdc=1 2>&1 | wc -l | tr -d ' ')"
exits "a run that passes" 0 'gate passed: branch' "$cadenza" run gate.c -o run --iterations 200 --require branch=90 --count infeasible
printf '#include <cz/cadenza.h>\ncz_public int crash(int b) { return 10 / b; }\n' >bug.c
exits "bugs have their own exit code" 1 'gate failed: bugs: at most 0 required, 1 found' "$cadenza" run bug.c -o bug --iterations 50 --require bugs=0
equals "both are in summary.json" '[1,5]' "$(json bug/summary.json '$.exit_codes')"
exits "a report ends with the gate's" 5 'gate failed: bugs' "$cadenza" report bug --require bugs=0

# A project is judged as a whole: b.c alone would fail.
printf 'int f(int x) { return x > 3 ? 1 : x > 2 ? 4 : x == 9; }\n' >a.c
printf 'int g(unsigned x) { return x %% 4 > 3; }\nint h(unsigned x) { return x %% 4 > 3 ? 1 : 2; }\n' >b.c
exits "a project that passes" 0 'gate passed: branch' "$cadenza" run a.c b.c -o p --iterations 100 --require branch=80
exits "one that does not" 5 'gate failed: branch' "$cadenza" run a.c b.c -o p --iterations 100 --require branch=99
equals "its exit code is its own" '[5] [0]' "$(json p/summary.json '$.exit_codes') $(json p/files/b.c/summary.json '$.exit_codes')"
check "and is in its store" sh -c "'$cadenza' show p --as summary | cmp - p/summary.json"
"$cadenza" run a.c b.c -o p --iterations 100 --resume --require branch=80 >resumed 2>&1
equals "another gate needs no new search" 2 "$(grep -c 'taken over' resumed)"
equals "and passes" '[0]' "$(json p/summary.json '$.exit_codes')"

# A run that is incomplete passes nothing.
printf '#include "none.h"\n' >c.c
"$cadenza" run a.c c.c -o half --iterations 100 >/dev/null 2>&1
exits "an incomplete run" 6 'the run in half is incomplete' "$cadenza" report half --require branch=1

# What is no requirement.
for bad in branches=9 branch branch= branch=101 branch=9x branch=-1 branch=9. bugs=1.5 bugs=x branch=9,branch=8 =; do
    exits "--require $bad" 2 '--require' gate --require "$bad"
done
exits "a run looks at it before it begins" 2 "a percentage from 0 to 100, not '101'" "$cadenza" run gate.c -o never --require branch=101
check "and leaves nothing" test ! -e never
exits "--count of something else" 2 "--count is infeasible, assuming or justified, not 'open'" gate --require branch=9 --count open
exits "no value" 2 '--require needs a value' gate --require
finish
