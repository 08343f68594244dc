# SPDX-License-Identifier: Apache-2.0
# Stubs and pointers to functions in projects of several files: branches that need what a
# function of another file writes, or a function that another file puts into a pointer.
. "$(dirname "$0")/lib.sh"

# covered DIR FILE TASK: "covered/total" branches
covered() {
    sqlite3 "$1/files/$2/cadenza.db" \
        "select branches_covered || '/' || branches from tasks where function = '$3'"
}
# verdict DIR FILE TEXT OUTCOME
verdict() {
    sed -n "s/^  \([a-z]*\) .* $3: $4  -- .*/\1/p" "$1/files/$2/goals.txt" | head -n 1
}
assumes() { check "assumption: $4" grep -qF "assumption of $3: $4" "$1/files/$2/goals.txt"; }

# ---- MAESTRO, section 3.3.3: what stubs write ----
mkdir precise
cat >precise/api.h <<'C'
struct pt { int x, y; unsigned a : 3, b : 5; float f; union { int i; short s[2]; } u; };
struct cfg { int level, other; };
struct node { int v; struct node *next; };
extern int g_mode, g_seen;
extern struct cfg g_cfg;
extern struct node *g_list;
void update(void);
int get(int *out);
void move(struct pt *p);
int read_block(char *buf, unsigned n);
void far(void);
void walk(struct node *);
void each(void (*f)(int, void *), void *context);
int add(int, int);
void fatal(int code);
void insert(void);
int hash(void *data);
int log_it(int level);
C
cat >precise/unit.c <<'C'
#include "api.h"
int by_global(void) { g_mode = 0; update(); if (g_mode == 7) return 1; return 0; }
int by_parameter(void) { int v = 0; get(&v); if (v == 99) return 1; get(0); return 0; }
int twice(void) { int a = 0, b = 0; get(&a); get(&b); if (a == 1 && b == 2) return 1; return 0; }
int by_field(void) { struct pt p = {0}; move(&p); if (p.y == 5) return 1; return 0; }
int by_bits(void) { struct pt p = {0}; move(&p); if (p.b == 3) return 1; return 0; }
int by_float(void) { struct pt p = {0}; move(&p); if (p.f > 2.5f && p.f < 3) return 1; return 0; }
int by_union(void) { struct pt p = {0}; move(&p); if (p.u.i == 70000) return 1; return 0; }
int not_written(void) { struct pt p = {0}; move(&p); if (p.x == 5) return 1; if (p.a) return 2; return 0; }
int by_buffer(void) { char b[8] = {0}; read_block(b, sizeof b); if (b[3] == 'q' && b[7] == 'r') return 1; return 0; }
int by_short_buffer(unsigned n) { char b[8] = {0}; if (n > 8) return 0; read_block(b, n); if (b[2] == 'q') return 1; return 0; }
int by_callee(void) { g_cfg.level = g_cfg.other = 0; far(); if (g_cfg.level == 3) return 1; return 0; }
int not_by_callee(void) { g_cfg.level = g_cfg.other = 0; far(); if (g_cfg.other == 3) return 1; return 0; }
int behind(void) { struct node b = {0, 0}, a = {1, &b}; walk(&a); if (b.v == 77) return 1; a.next = 0; walk(&a); return 0; }
static int seen;
static void mark(int v, void *context) { if (v == 12 && context == &seen) seen = 1; }
int by_callback(void) { seen = 0; each(mark, &seen); if (seen == 1) return 1; return 0; }
int by_result(int a) { if (add(a, 1) == 4) return 1; return 0; }
int ends(int x) { if (x == 3) fatal(1); if (x == 3) return 1; return 0; }
int by_list(void) { g_list = 0; insert(); if (g_list && g_list->v == 4) return 1; return 0; }
int kept(void) { struct node n = {1, 0}; g_list = &n; insert(); if (g_list == &n) return 1; return 0; }
int untyped(void) { int x[2] = {0, 0}; hash(x); if (x[1] == 0x01020304) return 1; return 0; }
int unknown(void) { if (log_it(1) == 2) return 1; return 0; }
C
cat >precise/a.c <<'C'
#include "api.h"
#include <stdlib.h>
int g_mode, g_seen;
struct cfg g_cfg;
struct node *g_list;
static struct node pool[4];
void deep(void);
int elsewhere(int level);
void update(void) { g_mode = 7; }
int get(int *out) { if (out) *out = 99; return 1; }
void move(struct pt *p) { p->y = 3; p->b = 1; p->f = 1; p->u.s[1] = 2; }
int read_block(char *buf, unsigned n) { for (unsigned i = 0; i < n; i++) buf[i] = 1; return n; }
void far(void) { deep(); }
void walk(struct node *n) { if (n->next) n->next->v = 77; }
void each(void (*f)(int, void *), void *context) { for (int i = 0; i < 20; i++) f(i, context); }
int add(int a, int b) { return a + b; }
void fatal(int code) { exit(code); }
void insert(void) { pool[0].next = g_list; g_list = &pool[0]; }
int hash(void *data) { int *p = data; p[0]++; p[1]--; return p[0]; }
int log_it(int level) { return elsewhere(level); }
C
printf '#include "api.h"\nstatic void deeper(struct cfg *c) { c->level = 3; }\nvoid deep(void) { deeper(&g_cfg); }\n' >precise/b.c

(cd precise && "$cadenza" run unit.c a.c b.c -o ../with -q --iterations 400)
for task in by_global by_parameter by_field by_bits by_union by_callee behind by_result by_list untyped unknown kept; do
    equals "precise: all branches of $task" 2/2 "$(covered with unit.c $task | sed 's,^4/4$,2/2,')"
done
equals "precise: each call has its own inputs" 4/4 "$(covered with unit.c twice)"
equals "precise: floats" 4/4 "$(covered with unit.c by_float)"
equals "precise: a buffer and its length" 4/4 "$(covered with unit.c by_buffer)"
equals "precise: a buffer with a length that is an input" 4/4 "$(covered with unit.c by_short_buffer)"
equals "precise: a callback is called" covered "$(verdict with unit.c 'seen == 1' true)"
equals "precise: members that are not written keep their value" 2/4 "$(covered with unit.c not_written)"
equals "precise: other members of a global, too" 1/2 "$(covered with unit.c not_by_callee)"
equals "precise: a function that never returns ends the run" 3/4 "$(covered with unit.c ends)"
equals "precise: engine and llvm-cov agree" '[]' "$(json with/summary.json '$.disagreements')"
check "precise: tests replay as recorded" "$cadenza" replay with/files/unit.c
check "a test names the global" grep -rqF "stub:update#1:g_mode | int | 7" with/files/unit.c/tests/by_global
check "a test names the parameter" grep -rqF "stub:get#1:*out | int | 99" with/files/unit.c/tests/by_parameter
check "a test names the member" grep -rqF "stub:move#1:p->y | int | 5" with/files/unit.c/tests/by_field
assumes with unit.c by_global "update() is a stub that writes g_mode"
assumes with unit.c by_parameter "get() is a stub that returns a value and writes *out"
assumes with unit.c by_callback "each() is a stub that calls f at most once"
assumes with unit.c unknown "log_it() is a stub: the real one also calls elsewhere(), which is not in the project; that part is missing"
equals "nothing about stubs is proven" 0 "$(json with/files/unit.c/summary.json '$.totals.branches_infeasible')"

(cd precise && "$cadenza" run unit.c a.c b.c -o ../without -q --stubs baseline --iterations 400)
for task in by_global by_parameter by_field by_bits by_union by_callee behind untyped; do
    equals "baseline: not all branches of $task" 1/2 "$(covered without unit.c $task | sed 's,^2/4$,1/2,')"
done
equals "baseline: the result is an input all the same" 2/2 "$(covered without unit.c by_result)"
exits "another kind of stubs" 2 "precise or baseline" "$cadenza" run precise/unit.c --stubs exact

# ---- buffers whose length the code does not tell: by name, by the object ----
mkdir buffers
cat >buffers/unit.c <<'C'
struct box { int tag; char text[12]; };
void count_down(char *, unsigned);
void fixed(char *b);
void copy(char *out);
int clamped(char *, int, int *);
void somewhere(char *p);
int by_name(void) { char b[6] = {0}; count_down(b, 6); if (b[0] == 'a' && b[5] == 'q') return 1; return 0; }
int by_size(void) { char b[6] = {0}, c[20]; fixed(b); fixed(c); if (b[5] == 'q') return 1; return 0; }
int by_member(struct box *x) { if (!x) return -1; copy(x->text); if (x->text[0] == 'h' && x->text[4] == 'o') return 1; return 0; }
int by_capacity(void) { char b[5] = {0}; int got = 0; clamped(b, sizeof b, &got); if (b[4] == 7 && got == 5) return 1; return 0; }
int not_known(char *p) { if (!p) return 0; somewhere(p); if (p[0] == 'x') return 1; return 0; }
C
cat >buffers/other.c <<'C'
#include <string.h>
extern const char source[];
void count_down(char *b, unsigned n) { while (n--) *b++ = source[n]; }
void fixed(char *b) { for (int i = 0; i < 6; i++) b[i] = 3; }
void copy(char *out) { strcpy(out, source); }
int clamped(char *out, int cap, int *got) { int n = source[0]; if (n > cap) n = cap; for (int i = 0; i < n; i++) out[i] = 1; *got = n; return n; }
void somewhere(char *p) { while (*p) *p++ = 'x'; }
C
(cd buffers && "$cadenza" run unit.c other.c -o ../buf -q --iterations 300)
for task in by_name:4/4 by_size:2/2 by_member:6/6 by_capacity:4/4 not_known:4/4; do
    equals "buffers: ${task%:*}" "${task#*:}" "$(covered buf unit.c "${task%:*}")"
done
equals "buffers: nothing is written beyond them" 0 "$(json buf/files/unit.c/summary.json '$.totals.alarms')"
assumes buf unit.c by_name "count_down() writes to b: up to 10 elements, as n may say"
assumes buf unit.c by_size "fixed() writes to b at offsets that vary: 6 elements are inputs"
assumes buf unit.c not_known "somewhere() writes to p at offsets that vary: 1 element is an input"
check "buffers: tests replay as recorded" "$cadenza" replay buf/files/unit.c

# ---- MAESTRO, section 3.3.4: pointers in the whole project ----
mkdir pointers
cat >pointers/ops.h <<'C'
typedef int (*op_t)(int);
struct driver { int id; op_t run; };
extern struct driver drivers[2];
extern op_t hook, unset;
C
cat >pointers/unit.c <<'C'
#include "ops.h"
int state;
static int local_op(int x) { return x == 6 ? 60 : 0; }
op_t get_local(void) { return local_op; }
int use(struct driver *d, int x) { if (!d) return -1; if (d->run(x) == 42) return 1; if (state == 5) return 2; return 0; }
int by_table(unsigned i, int x) { if (i > 1) return -1; state = 0; drivers[i].run(x); if (state == 9) return 1; return 0; }
int by_hook(int x) { if (!hook) return 0; if (hook(x) == 60) return 1; return 2; }
int by_type(int x) { if (unset(x) == 8) return 1; return 0; }
C
cat >pointers/drv.c <<'C'
#include "ops.h"
extern int state;
op_t get_local(void), hook, unset;
static int local_op(int x) { state = x; return 1; }
int run_b(int x) { return 42; }
struct driver drivers[2] = {{1, local_op}, {2, run_b}};
int main(void) { hook = get_local(); return 0; }
C
cat >pointers/compile_commands.json <<'J'
[{"directory": ".", "file": "unit.c", "arguments": ["cc", "-c", "unit.c"]},
 {"directory": ".", "file": "drv.c", "arguments": ["cc", "-c", "drv.c"]}]
J
"$cadenza" run -p pointers unit.c -o fp -q --iterations 400
equals "a field that another file fills" 6/6 "$(covered fp unit.c use)"
equals "a table in another file" 4/4 "$(covered fp unit.c by_table)"
equals "a pointer that another file sets to a function of this one" 6/6 "$(covered fp unit.c by_hook)"
equals "a pointer that nobody sets: functions of its type" 4/4 "$(covered fp unit.c by_type)"
equals "engine and llvm-cov agree" '[]' "$(json fp/summary.json '$.disagreements')"
check "tests replay as recorded" "$cadenza" replay fp/files/unit.c
assumes fp unit.c use "struct driver.run: function pointer, one of other1_local_op, run_b"
assumes fp unit.c use "local_op() is a stub that returns a value and writes state"
assumes fp unit.c by_hook "hook: function pointer, one of NULL, local_op"
check "a test names the chosen function" sh -c "cat fp/files/unit.c/tests/*/*.test | grep -q 'choice:arg:d->run .*# other1_local_op'"

# ---- constants of other files have their real values, tables of functions included ----
mkdir constants
cat >constants/api.h <<'C'
typedef int (*op_t)(int);
struct cal { int low, high; float gain; const char *name; };
struct command { unsigned char id; op_t run; const struct cal *limits; };
extern const struct cal cal_main;
extern const struct command commands[3];
extern const unsigned short curve[5];
extern int shared_state;
extern int *const state_pointer;
int ext_op(int);
C
cat >constants/unit.c <<'C'
#include "api.h"
int limits(int x) { if (x == cal_main.low) return 1; if (x == cal_main.high) return 2; return 0; }
int named(void) { if (cal_main.name[0] == 'm') return 1; return 0; }
int dispatch(unsigned char id, int x)
{
    for (int i = 0; i < 3; i++)
        if (commands[i].id == id) {
            if (!commands[i].run) return -1;
            int r = commands[i].run(x);
            if (commands[i].limits->high == 6 && r == 99) return 2;
            return r == 77;
        }
    return -2;
}
int lookup(unsigned i) { if (i > 4) return -1; if (curve[i] == 80) return 1; return 0; }
int through(void) { if (*state_pointer == 41) return 1; return 0; }
C
cat >constants/data.c <<'C'
#include "api.h"
static int local_op(int x) { shared_state = x; return x + 1; }
int ext_op(int x) { return x * 2; }
static const struct cal hidden = {5, 6, 0.5f, "hidden"};
const struct cal cal_main = {1234, 5678, 2.5f, "main"};
const struct command commands[3] = {{7, local_op, &cal_main}, {9, ext_op, &hidden}, {11, 0, 0}};
const unsigned short curve[5] = {10, 20, 40, 80, 160};
int shared_state;
int *const state_pointer = &shared_state;
C
(cd constants && "$cadenza" run unit.c data.c -o ../const -q --iterations 300)
for task in limits:4/4 named:1/2 dispatch:10/10 lookup:4/4; do
    equals "constants: ${task%:*}" "${task#*:}" "$(covered const unit.c "${task%:*}")"
done
equals "constants: what they exclude is infeasible" infeasible "$(verdict const unit.c "cal_main.name\[0\] == 'm'" false)"
equals "constants: what they point to is not" undetermined "$(verdict const unit.c '\*state_pointer == 41' true)"
assumes const unit.c through "state_pointer: a constant of another file; variables that it points to are as they start"
check "constants: tests replay as recorded" "$cadenza" replay const/files/unit.c
(cd constants && "$cadenza" run unit.c -o ../zero -q --iterations 300)
check "constants: without the project they are zero" grep -q "assumption of limits: cal_main: a constant of another file, zero here" zero/goals.txt

# ---- functions alone: stubs of functions of the same file write, too ----
cat >alone.c <<'C'
static int level;
static void raise_level(int *was) { *was = level; level = 4; }
int alone(void) { int was = 0; level = 0; raise_level(&was); if (level == 9 && was == 8) return 1; return 0; }
C
"$cadenza" run alone.c --unit function --task alone -o alone -q --iterations 200
equals "a function alone: its stubs write" 4/4 \
    "$(sqlite3 alone/cadenza.db "select branches_covered || '/' || branches from tasks where function = 'alone'")"

# ---- a change in another file makes the results old ----
"$cadenza" run -p pointers -o resumed -q --iterations 50
sed 's/state = x; return 1/return 1/' pointers/drv.c >pointers/new && mv pointers/new pointers/drv.c
exits "other facts: tested again" 0 'unit.c .*/' "$cadenza" run -p pointers -o resumed --iterations 50 --resume
exits "the same facts: taken over" 0 'unit.c .*taken over' "$cadenza" run -p pointers -o resumed --iterations 50 --resume

# ---- the C library ----
cat >libc.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int by_read(int fd) { char b[4] = {0}; if (read(fd, b, 4) == 4 && b[2] == 'x') return 1; return 0; }
int by_fgets(FILE *f) { char b[8]; if (f && fgets(b, 8, f) && !strcmp(b, "hello")) return 1; return 0; }
int by_getchar(void) { if (getchar() == 'k') return 1; return 0; }
int by_fopen(void) { FILE *f = fopen("a.cfg", "r"); if (!f) return -1; int c = getc(f); fclose(f); if (c == '#') return 1; return 0; }
int by_time(void) { if (time(NULL) == 1234567) return 1; return 0; }
int by_time_out(void) { time_t t = 0; time(&t); if (t == 7654321) return 1; return 0; }
int by_clock(void) { struct timespec t = {0, 0}; clock_gettime(CLOCK_MONOTONIC, &t); if (t.tv_sec == 100 && t.tv_nsec == 5) return 1; return 0; }
int by_rand(void) { if (rand() % 1000 == 17) return 1; return 0; }
int by_getenv(void) { const char *e = getenv("MODE"); if (!e) return -1; if (!strcmp(e, "on")) return 1; return 0; }
int harmless(int x) { printf("%d\n", x); puts("x"); fprintf(stderr, "%d", x); if (x == 5) return 1; return 0; }
int for_real(const char *s) { if (!s) return 0; if (strlen(s) == 3 && atoi(s) == 421) return 1; return 0; }
C
"$cadenza" run libc.c -o libc -q --iterations 600
sqlite3 libc/cadenza.db "select function || ' ' || branches_covered || '/' || branches from tasks" >libc.got
while read -r task covered; do
    equals "libc: $task" "${covered#*/}" "${covered%/*}"
done <libc.got
equals "libc: engine and llvm-cov agree" '[]' "$(json libc/summary.json '$.disagreements')"

# ---- what declarations do not say, several callbacks, several elements ----
mkdir odd
cat >odd/u.c <<'C'
int knr();
int old(int k) { int z = 0; knr(&z, k); if (z == 8) return 1; return 0; }
int local(short k) { struct loc { int q; } l; extern void locf(struct loc *); l.q = k; locf(&l); if (l.q == 70000) return 1; return 0; }
struct two { int (*a)(int); int (*b)(int); };
void both(struct two *t);
static int A, B;
static int set_a(int x) { A = x; return 0; }
static int set_b(int x) { B = x; return 0; }
int callbacks(void) { struct two t = {set_a, set_b}; A = B = 0; both(&t); if (A == 1 && B == 2) return 1; return 0; }
struct any { int (*cb)(); int n; };
void call_any(struct any *k);
static int S;
static int compare(int a, struct any *k) { if (k->n == a) S = 1; return 0; }
int unknown_arguments(void) { struct any x = {compare, 5}; S = 0; call_any(&x); return S; }
void pair(int out[2]);
int elements(void) { int o[2] = {0, 0}; pair(o); if (o[0] == 5) return 1; if (o[1] == 6) return 2; return 0; }
C
cat >odd/v.c <<'C'
int knr(z, k) int *z; int k; { *z = k; return 1; }
struct loc { int q; };
void locf(struct loc *l) { l->q = 70000; }
struct two { int (*a)(int); int (*b)(int); };
void both(struct two *t) { t->a(1); t->b(2); }
struct any { int (*cb)(); int n; };
void call_any(struct any *k) { k->cb(5, k); }
void pair(int out[2]) { out[0] = 5; out[1] = 6; }
C
"$cadenza" run odd/u.c odd/v.c -o odd/out -q --iterations 200 -- -w -std=gnu89
told() { grep "$1" odd/out/files/odd/u.c/goals.txt odd/out/files/u.c/goals.txt 2>/dev/null | sed 's/^[^:]*://; s/  */ /g' | cut -d ' ' -f 2; }
equals "nothing is proven of what a stub without a prototype leaves out" undetermined "$(told 'z == 8: true')"
equals "nor of one whose type cannot be written down" undetermined "$(told 'l.q == 70000: true')"
check "which is said" grep -rq "locf() is a stub: what the real one writes is left out" odd/out/files
equals "each callback has a choice and arguments of its own" covered "$(told 'B == 2: true')"
check "callbacks without a prototype are left out" grep -rq "calls of the real one through k are left out" odd/out/files
equals "elements behind the first are written" covered "$(told 'o\[1\] == 6: true')"

# ---- structs that only a typedef of a pointer or an array leads to ----
mkdir unnamed
cat >unnamed/api.h <<'C'
typedef struct { int a, b; } *pair_p;
typedef enum { RED, GREEN } *colour_p;
typedef struct { int q; } three[3];
typedef const struct { int c; } *fixed_p;
int fill(pair_p p, int n);
int paint(colour_p c);
int fill_three(three v);
int find(pair_p *pp);
pair_p make(int n);
int look(fixed_p p);
C
cat >unnamed/u.c <<'C'
#include "api.h"
static pair_p held;
int a_struct(int n) { if (held && fill(held, n) && held->b == 42) return 1; return 0; }
int an_enum(colour_p c) { if (c && paint(c) && *c == GREEN) return 1; return 0; }
int an_array(void) { three v = {0}; fill_three(v); if (v[1].q == 9) return 1; return 0; }
int a_pointer(void) { pair_p p = 0; if (find(&p) && p && p->a == 3) return 1; return 0; }
int a_result(void) { pair_p p = make(3); if (p && p->a == 5) return 1; return 0; }
int constants(fixed_p p) { if (p && look(p) && p->c == 5) return 1; return 0; }
C
cat >unnamed/v.c <<'C'
#include "api.h"
static struct { int a, b; } pool;
int fill(pair_p p, int n) { p->a = n; p->b = n * 2; return 1; }
int paint(colour_p c) { if (c) *c = GREEN; return 1; }
int fill_three(three v) { v[1].q = 9; return 0; }
int find(pair_p *pp) { *pp = (pair_p)&pool; return 1; }
pair_p make(int n) { pool.a = n; return (pair_p)&pool; }
int look(fixed_p p) { return p->c; }
C
exits "structs without a name: stubs have the real parameters" 0 "u.c *\([0-9]*\)/\1 *0 *0 " \
    "$cadenza" run unnamed/u.c unnamed/v.c -o unnamed/out --iterations 300
check "and a driver that can be read" grep -rq "^static void make_pair_p(__typeof__(\*(pair_p)0) \*it" unnamed/out/files
check "nothing is left out" test -z "$(grep -rl 'is left out' unnamed/out/files)"

# ---- what a function returns that the unit knows already ----
mkdir returns
cat >returns/p.h <<'C'
struct node { struct node *next; int v; };
struct dev { int id; struct cfg { int mode; } cfg; struct node *list; };
extern struct dev board; extern struct node *head;
char *trim(char *s); struct node *first(struct dev *d); struct cfg *config(struct dev *d);
struct dev *get_board(void); struct node *get_head(void); struct node *longest(struct node *a, struct node *b);
struct node *skip(struct node *n); void set_first(const struct dev *d);
C
cat >returns/s.c <<'C'
#include "p.h"
struct dev board; struct node *head;
char *trim(char *s) { s[0] = ' '; return s; }
struct node *first(struct dev *d) { return d->list; }
struct cfg *config(struct dev *d) { return &d->cfg; }
struct dev *get_board(void) { return &board; }
struct node *get_head(void) { return head; }
struct node *longest(struct node *a, struct node *b) { return a->v > b->v ? a : b; }
struct node *skip(struct node *n) { return n ? n->next : 0; }
void set_first(const struct dev *d) { d->list->v = 4; }
C
cat >returns/u.c <<'C'
#include "p.h"
int t1(char *s) { if (s && trim(s) == s) return 1; return 0; }
int t2(struct dev *d) { if (d && d->list && first(d) == d->list) return 1; return 0; }
int t3(struct dev *d) { if (!d) return 0; d->cfg.mode = 3; config(d)->mode = 4; if (d->cfg.mode == 4) return 1; return 0; }
int t4(void) { board.id = 1; struct dev *b = get_board(); if (!b) return 2; b->id = 77; if (board.id == 77) return 1; return 0; }
int t5(void) { if (head && get_head() == head) return 1; return 0; }
int t6(struct node *a, struct node *b) { if (!a || !b) return 0; struct node *l = longest(a, b); if (l == b && l != a) return 1; if (l == a) return 2; return 0; }
int t7(struct node *n) { if (n && n->next && skip(n) == n->next) return 1; return 0; }
int t9(void) { for (int i = 0; i < 30; i++) get_head()->v = i; return 1; }
int t8(struct dev *d) { if (!d || !d->list) return 0; d->list->v = 0; set_first(d); if (d->list->v == 99) return 1; return 0; }
C
(cd returns && "$cadenza" run u.c s.c -o out -q --iterations 200)
for task in t1 t2 t3 t4 t5 t6 t7 t8 t9; do
    equals "$task: what it returns, or writes behind a constant, is known here" 0 \
        "$(sqlite3 returns/out/files/u.c/cadenza.db "select branches - branches_covered from tasks where function = '$task'")"
done

# ---- what is behind a stub that never returns was not executed ----
mkdir ends
printf 'void halt(void); int t(int x, int y) { if (x == 5) { halt(); if (y == 3) return 1; } return 0; }\n' >ends/u.c
printf 'int halted; void halt(void) { halted = 1; for (;;) ; }\n' >ends/v.c
(cd ends && "$cadenza" run u.c v.c -o out -q --iterations 50)
equals "of it nothing is covered" 2 "$(sqlite3 ends/out/files/u.c/cadenza.db "select branches_covered from tasks where function = 't'")"

# ---- a stub that follows a wild pointer: the alarm is where the unit calls it ----
mkdir wild
cat >wild/u.c <<'C'
struct t { int a, limit; };
union v { double d; struct t *p; };
void grow(struct t *t);
int wild(union v *x, int k)
{
    if (!x) return 0;
    if (k == 3) grow(x->p);
    return 1;
}
C
cat >wild/v.c <<'C'
struct t { int a, limit; };
void grow(struct t *t) { t->limit = 4; }
C
(cd wild && "$cadenza" run u.c v.c -o out -q --iterations 200)
check "an alarm in a stub names the line that calls it" \
    grep -q "^alarm-1  u.c:7: NULL or wild pointer in wild()" wild/out/files/u.c/goals.txt

# ---- facts as text ----
exits "facts: what a function writes" 0 'writes \*out bytes 0..3' "$cadenza" facts precise/a.c precise/b.c
exits "facts: of a compilation database" 0 'struct.driver+8 holds' "$cadenza" facts -p pointers
exits "facts: neither files nor a database" 2 "either" "$cadenza" facts
check "a run leaves them" grep -q 'writes g_mode' with/facts.txt
finish
