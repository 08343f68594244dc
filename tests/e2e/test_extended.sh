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
    if (level == 4) return level = o.c;
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
check "... the second with its file" grep -q '^input global:b.c::level | ' $dir/tests/run/*.test
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

# Pointers to functions: what the project puts there, functions of the unit's other files as
# they are, static ones too; who calls or tests a pointer may be in another file.
mkdir pointers
cat >pointers/ops.h <<'C'
typedef int (*op_t)(int);
struct driver { int id; op_t run; };
extern op_t hook;
int use(struct driver *d, int x);
int by_hook(int x);
extern int seen;
C
cat >pointers/a.c <<'C'
#include "ops.h"
int entry(struct driver *d, int x) { if (!d) return -1; if (use(d, x) == 42) return 1; return 0; }
int hooked(int x) { if (by_hook(x) == 60) return 1; return 0; }
int direct(struct driver *d, int x) { if (!d) return 0; seen = 0; if (d->run(x) == 8 && seen == 8) return 1; return 0; }
C
cat >pointers/b.c <<'C'
#include "ops.h"
op_t hook;
int seen;
static int local_b(int x) { if (x == 1234) return 42; return 0; }
int use(struct driver *d, int x) { if (!d->run) return -2; return d->run(x); }
int by_hook(int x) { if (!hook) return -1; return hook(x); }
struct driver own = {3, local_b};
C
cat >pointers/c.c <<'C'
#include "ops.h"
static int local_c(int x) { seen = x; return x; }
static int sixty(int x) { return 60; }
struct driver other = {4, local_c};
int main(void) { hook = sixty; return use(&other, 1); }
C
(cd pointers && "$cadenza" run a.c b.c c.c -o ../fp -q --unit extended --iterations 300) || not_ok "pointers run"
dir=fp/files/a.c
for task in entry:8/8 hooked:4/4 direct:8/8; do
    equals "pointers: ${task%:*}" "${task#*:}" "$(sqlite3 $dir/cadenza.db "select branches_covered || '/' || branches from tasks where function = '${task%:*}'")"
done
equals "a static function of another file is itself" 2 "$(reached $dir 'x == 1234')"
check "one that is not in the unit is a stub" grep -q "assumption of direct: local_c() is a stub that returns a value and writes seen" $dir/goals.txt
check "NULL where another file tests for it" grep -q "assumption of hooked: hook: function pointer, one of NULL, sixty" $dir/goals.txt
equals "pointers: engine and llvm-cov agree" '[]' "$(json $dir/summary.json '$.disagreements')"
check "pointers: tests replay" "$cadenza" replay $dir

# A type that is incomplete in the file is made by the function of the other file that makes it.
mkdir opaque
printf 'typedef struct queue queue;\nqueue *queue_new(int room);\nint queue_push(queue *q, int v);\nint queue_pop(queue *q);\n' >opaque/q.h
cat >opaque/q.c <<'C'
#include "q.h"
#include <stdlib.h>
struct queue { int room, n; int *values; };
queue *queue_new(int room) { if (room <= 0 || room > 100) return 0; queue *q = malloc(sizeof *q); if (!q) return 0; q->values = calloc(room, sizeof(int)); if (!q->values) { free(q); return 0; } q->room = room; q->n = 0; return q; }
int queue_push(queue *q, int v) { if (q->n == q->room) return 0; q->values[q->n++] = v; return 1; }
int queue_pop(queue *q) { if (!q->n) return -1; return q->values[--q->n]; }
C
cat >opaque/use.c <<'C'
#include "q.h"
int use(queue *q, int v) { if (!q) return -1; if (!queue_push(q, v)) return -2; if (queue_pop(q) == 55) return 1; return 0; }
C
(cd opaque && "$cadenza" run use.c q.c -o ../op -q --unit extended --iterations 300) || not_ok "opaque run"
equals "opaque: what the constructor of another file makes" "1 0" \
    "$(grep -c 'covered .*queue_pop(q) == 55: true' op/files/use.c/goals.txt) $(json op/files/use.c/summary.json '$.totals.alarms')"

exits "no project to look into" 2 'give -p or several files' "$cadenza" run a.c --unit extended
exits "unknown kind of unit" 2 'not .galaxy' "$cadenza" run a.c --unit galaxy
finish
