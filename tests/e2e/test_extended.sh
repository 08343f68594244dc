# SPDX-License-Identifier: Apache-2.0
# --unit extended: callees in other files of the project are real code, to a depth; statics
# and types of the same name stay apart, symbols that clash are separated.
. "$(dirname "$0")/lib.sh"

cat >a.h <<'C'
struct pair { int x, y; };
int scale(struct pair *p, int by);
int deep(int v);
int usage(int x);
extern int mode;
static inline int sign(int v) { return v < 0 ? -1 : v > 0 ? 1 : 0; }
C
cat >a.c <<'C'
#include "a.h"
struct own { int c; };
static int level;
int set_level(int v) { level = v; return level; }
int run(struct pair *p, int by)
{
    struct own o = { by };
    if (!p) return -1;
    int r = scale(p, by);
    if (r == 77 && p->x == 770) return sign(o.c);
    if (level > 3) return 2;
    return 0;
}
int unrelated(int x) { return x > 3 ? usage(x) : 0; }
C
cat >b.c <<'C'
#include "a.h"
struct own { double d; char c; };
static int level = 9;
int mode;
int usage(int x) { return x; }
int scale(struct pair *p, int by)
{
    struct own o = { 1.5, 'c' };
    if (mode == 3) { p->x *= 10; return deep(p->y) + sign(p->x); }
    if (level == 4) return o.c;
    return p->x * by;
}
int not_called(int v) { return v > 1; }
C
cat >c.c <<'C'
#include "a.h"
static int usage_count;
int usage(int x) { usage_count++; return -x; }
int deep(int v) { if (v == 5) return 76; return usage(v); }
C

goals() { sqlite3 "$1/cadenza.db" "select count(*) from goals g join functions f on f.id = g.function where g.kind = 'branch' and f.name = '$2'"; }
reached() { # DIR TEXT: both sides of the condition are covered
    sqlite3 "$1/cadenza.db" "select count(*) from goals where kind = 'branch' and text = '$2' and verdict = 'covered'"
}

"$cadenza" run a.c b.c c.c -o task -q --iterations 1500 || not_ok "--unit task runs"
equals "in a task unit the other file is a stub" 0 "$(goals task/files/a.c scale)"
check "a stub's result in a test" grep -q 'stub:scale#1:return' task/files/a.c/tests/run/*.test

"$cadenza" run a.c b.c c.c -o one -q --unit extended --iterations 1500 || not_ok "extended runs"
dir=one/files/a.c
equals "the callee is real code" 4 "$(goals $dir scale)"
equals "and what it calls is a stub" 0 "$(goals $dir deep)"
equals "functions that no task reaches are no goals" 0 "$(sqlite3 $dir/cadenza.db "select count(*) from verdicts v join goals g on g.id = v.goal join functions f on f.id = g.function where f.name = 'not_called'")"
equals "a branch of the file that needs the callee" 2 "$(reached $dir 'p->x == 770')"
equals "a branch of the callee, in its file" "b.c" "$(basename "$(sqlite3 $dir/cadenza.db "select file from goals where text = 'mode == 3' limit 1")")"
equals "statics of one name are two inputs" 2 "$(reached $dir 'level == 4')$(reached $dir 'level > 3' | sed 's/2//')"
check "... the second with its file" grep -q '^input b.c:level | ' $dir/tests/run/*.test
equals "a header's function is listed once" 4 "$(goals $dir sign)"
equals "engine and llvm-cov agree" '[]' "$(json $dir/summary.json '$.disagreements')"
check "tests replay" "$cadenza" replay $dir
check "show works" sh -c "'$cadenza' show $dir | grep -q 'b.c:.*scale: mode == 3 true: covered'"

"$cadenza" run a.c b.c c.c -o two -q --unit extended --extend 2 --iterations 1500 || not_ok "--extend 2 runs"
dir=two/files/a.c
equals "two steps away" 2 "$(goals $dir deep)"
equals "reached through both" 2 "$(reached $dir 'v == 5')"
equals "two functions of one name: engine and llvm-cov agree" '[]' "$(json $dir/summary.json '$.disagreements')"
check "tests replay with separated symbols" "$cadenza" replay $dir

"$cadenza" run a.c b.c c.c -o again -q --unit extended --extend 2 --iterations 1500
check "the same bytes again" diff -r two/files/a.c/tests again/files/a.c/tests

exits "no project to look into" 2 'give -p or several files' "$cadenza" run a.c --unit extended
exits "unknown kind of unit" 2 'not .galaxy' "$cadenza" run a.c --unit galaxy
finish
