# SPDX-License-Identifier: Apache-2.0
# The store is the result: reports made from cadenza.db are those that the run itself made, of one
# file, a project, or a run that was interrupted.
. "$(dirname "$0")/lib.sh"

# same DIR: the texts of a run directory are views of its store
same() {
    "$cadenza" show "$1" --as summary >summary.view
    "$cadenza" show "$1" --as goals >goals.view
    "$cadenza" show "$1" --as preconditions >preconditions.view
    check "$1: the same summary.json" cmp summary.view "$1/summary.json"
    check "$1: the same goals.txt" cmp goals.view "$1/goals.txt"
    check "$1: the same preconditions.txt" cmp preconditions.view "$1/preconditions.txt"
}

for name in quickstart fig3 uart bystruct; do
    "$cadenza" run "$root/examples/$name.c" -o $name --iterations 60 --no-report >table.run 2>/dev/null
    same $name
    "$cadenza" show $name --as table >table.view
    check "$name: the same table" cmp table.view table.run
done

# What reports need beyond that. The tests of every line, input and vector are those of the run.
cat >all.c <<'C'
#include "all.h"
enum mode { IDLE, BUSY };
int decide(int a, int b, int c) { return (a > 3 && b == 7) || c < 0; }
int reads(enum mode m, int *p)
{
    if (m == BUSY)
        return *p;
    return twice(m);
}
C
printf 'static inline int twice(int x)\n{\n    return x > 5 ? 1 : 2 * x;\n}\n' >all.h
"$cadenza" run all.c -o all --iterations 200 >/dev/null 2>&1
db() { sqlite3 all/cadenza.db "$1"; }
equals "lines of the totals" "$(json all/summary.json '$.totals.lines') $(json all/summary.json '$.totals.lines_covered')" \
    "$(db "select count(*) || ' ' || sum(hits > 0) from source_lines where in_totals")"
equals "lines of a header are kept, too" "0 3" "$(db "select sum(in_totals) || ' ' || count(*) from source_lines l
    join sources s on s.id = l.source where s.path like '%/all.h' and line between 2 and 4")"
db "select text from sources where path like '%/all.c'" | sed '$d' >all.text
check "the source itself" cmp all.text all.c
equals "its hash is that of sources.txt" 1 "$(grep -c "^$(db "select hash || ' ' || path from sources where path like '%/all.c'")$" all/sources.txt)"
db "select 'input ' || path || ' | ' || type || ' | ' || value || iif(meaning <> '', ' # ' || meaning, '')
    from test_inputs i join tasks t on t.id = i.task where function = 'reads' and test = 1 order by position" >inputs.got
grep '^input' all/tests/reads/0001.test >inputs.file
check "inputs of a test" cmp inputs.got inputs.file
check "with what they mean" grep -q BUSY all/tests/reads/*.test
equals "every condition that is covered has its pair" 3 "$(db "select count(*) from pairs p join goals g on g.id = p.goal
    join vectors a on a.task = p.task and a.number = p.first join vectors b on b.task = p.task and b.number = p.second
    where g.verdict = 'covered' and a.outcome <> b.outcome and a.decision = g.decision and b.decision = g.decision
    and substr(a.conditions, g.position + 1, 1) || substr(b.conditions, g.position + 1, 1) in ('TF', 'FT')")"
equals "of vectors that tests show" 0 "$(db "select count(*) from vectors v where not exists
    (select 1 from test_vectors t where t.task = v.task and t.vector = v.number)")"
equals "a claim's assumptions, one by one" 0 "$(db "select count(*) from verdicts v where assumes <> '' and not exists
    (select 1 from verdict_assumptions a where a.task = v.task and a.goal = v.goal and instr(v.reason, a.text))")"
equals "the stack of an alarm" "reads all.c:7" "$(db "select f.function || ' ' || replace(f.file, rtrim(f.file, replace(f.file, '/', '')), '') || ':' || f.line
    from alarm_frames f join alarms a on a.id = f.alarm where a.function = 'reads' and position = 0")"

# A project whose files share a header, with one that fails.
mkdir -p p
printf 'static inline int clamp(int x) { if (x > 9 && x < 99) return 9; return x; }\n' >p/h.h
printf '#include "h.h"\nint a(int *p) { return *p > 3 ? clamp(*p) : 2; }\n' >p/a.c
printf '#include "h.h"\nint b(int x) { return clamp(x & 7); }\n' >p/b.c
printf 'int c(int x) { return undeclared; }\n' >p/c.c
cat >p/compile_commands.json <<'J'
[{"directory": ".", "file": "b.c", "command": "cc -c b.c"},
 {"directory": ".", "file": "c.c", "command": "cc -c c.c"},
 {"directory": ".", "file": "a.c", "command": "cc -c a.c"}]
J
"$cadenza" run -p p -o project --iterations 60 >/dev/null 2>&1
same project
for part in a.c b.c; do same "project/files/$part"; done
check "files disagree about a goal of the header" grep -q "goals of several files" project/goals.txt
equals "files are sorted" "a b" "$(json project/summary.json '$.tasks[0].function') $(json project/summary.json '$.tasks[1].function')"
equals "the view of goals counts as the summary does" "$(json project/summary.json '$.totals.branches_covered')" \
    "$(sqlite3 project/cadenza.db "select count(*) from project_goals where kind = 'branch' and in_totals and verdict = 'covered'")"
exits "an alarm of a file" 0 "^alarm-1 .*a.c:2: NULL or wild pointer in a()" "$cadenza" show project/files/a.c alarm-1
exits "one of a project" 2 "pass the directory of the alarm's file" "$cadenza" show project alarm-1
exits "a view that there is not" 2 "summary, goals" "$cadenza" show project --as poem

# Merging does not depend on the order of files.
cat >p/compile_commands.json <<'J'
[{"directory": ".", "file": "a.c", "command": "cc -c a.c"},
 {"directory": ".", "file": "b.c", "command": "cc -c b.c"},
 {"directory": ".", "file": "c.c", "command": "cc -c c.c"}]
J
"$cadenza" run -p p -o other --iterations 60 >/dev/null 2>&1
check "files in another order: the same goals.txt" cmp project/goals.txt other/goals.txt

# Interrupted.
printf 'int slow(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * n; if (s == 123456789) return 1; return n == 5; }\nint quick(int x) { return x > 3; }\n' >slow.c
"$cadenza" run slow.c -o cut -q --time 30 -j 1 2>/dev/null & pid=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    [ -e cut/tests/slow/0001.test ] && break
    sleep 0.2
done
kill -TERM $pid
wait $pid
same cut
equals "an interrupted run says so" 7 "$(json cut/summary.json '$.exit_codes[0]')"

# Stores that cannot be read.
cp -r project old
sqlite3 old/cadenza.db 'pragma user_version = 8'
exits "a store of an older version" 3 "older cadenza (schema version 8.*run cadenza again" "$cadenza" show old
exits "the same for stats" 3 "older cadenza" "$cadenza" stats old
exits "the same for replay" 3 "older cadenza" "$cadenza" replay old
sqlite3 old/cadenza.db 'pragma user_version = 4711'
exits "a store of a newer version" 3 "newer cadenza (schema version 4711" "$cadenza" show old
cp -r project lying
sqlite3 lying/cadenza.db "update verdicts set verdict = 'infeasible', proof = 'all paths explored' where verdict = 'covered'"
exits "a store that was tampered with" 3 "do not add up" "$cadenza" show lying
finish
