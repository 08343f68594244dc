# SPDX-License-Identifier: Apache-2.0
# What drivers build: each task below has a branch that needs one kind of pointer, state
# or length; it is reached, llvm-cov agrees, and the tests replay.
. "$(dirname "$0")/lib.sh"

# assumes NAME TASK TEXT: the report names this assumption
assumes() {
    check "$2 assumes: $3" grep -qF "assumption of $2: $3" "$1/goals.txt"
}

cat >functions.c <<'C'
typedef int (*op)(int);
struct ops { int id; op run; };
static int twice(int x) { return 2 * x; }
static int minus(int x) { return -x; }
static int seven(int x) { return x == 3 ? 7 : 0; }
static op current;
static struct ops table[2] = {{1, twice}, {.id = 2, .run = minus}};
static op list[] = {[1] = seven, [0] = twice};
int apply(op f, int x) { int r = f(x); if (r == 7) return 1; return 0; }
int known(int x) { return apply(seven, x) + apply(minus, x); }
void choose(int on) { current = on ? twice : minus; }
int variable(int x) { if (!current) return -1; if (current(x) == -5) return 1; return 0; }
int field(struct ops *o, int x) { if (!o) return -1; if (o->run(x) == -12) return 1; return 0; }
int in_table(unsigned i, int x) { if (i > 1) return -1; if (list[i](x) == 7) return 1; return table[i].id; }
int nobody(short (*g)(char), char c) { if (!g) return -1; if (g(c) == 1234) return 1; return 0; }
struct device { long (*poll)(struct device *, int); };
int opaque_call(struct device *d) { if (!d) return -1; if (d->poll(d, 1) == 5 && d->poll(d, 2) == 6) return 1; return 0; }
int is_seven(op f) { if (f == seven) return 1; return 0; }
C
covers functions functions.c
assumes functions apply "parameter f: function pointer, one of seven, minus"
assumes functions nobody "parameter g: function pointer without a function in this file: a stub"
check "a test names the chosen function" sh -c "cat functions/tests/*/*.test | grep -q 'choice:arg:f.*seven'"

# A static pointer that can only hold one function: what that never returns is infeasible.
cat >single.c <<'C'
static int ninety(void) { return 90; }
static int (*only)(void) = ninety;
int single(void) { if (only() == 90) return 1; return 0; }
C
"$cadenza" run single.c -o single -q
equals "all candidates are known: proven infeasible" 1 "$(json single/summary.json '$.totals.branches_infeasible')"

# A union is filled with the member that the code uses for the tag: nothing wild is read.
cat >tagged.c <<'C'
enum kind { NUMBER, TEXT, PAIR, LEAF = 7 };
struct leaf { int n; };
struct item {
    union { unsigned long number; struct { const char *text; } s; struct { struct item *a; } pair; } u;
    enum kind kind;
    union { struct leaf *leaf; unsigned long bits; };
};
int weigh(const struct item *it)
{
    if (!it) return -1;
    switch (it->kind) {
    case NUMBER: return it->u.number > 1000;
    case TEXT: return it->u.s.text && it->u.s.text[1] == 'b' ? 2 : 3;
    case PAIR:
        if (it->u.pair.a && it->u.pair.a->kind == TEXT && it->u.pair.a->u.s.text && it->u.pair.a->u.s.text[0] == 'x')
            return 4;
        return 5;
    default: break;
    }
    if (it->kind == LEAF && it->leaf && it->leaf->n == 12345) return 6;
    return 7;
}
C
covers tagged tagged.c
equals "a tagged union has no wild pointers" 0 "$(json tagged/summary.json '$.totals.alarms')"
assumes tagged weigh "struct item.u: the member in use is the one that the code uses for the value of kind"

cat >states.c <<'C'
static int mode, limit = 5;
static struct { int armed; } alarm_state;
void set_mode(int m) { if (m > 100) mode = m; else mode = 1; }
void set_limit(int l) { limit = l; }
int check(int x) { if (mode > 100 && x == limit && limit > 70) return 1; return 0; }
void arm(int code) { if (code == 4711) alarm_state.armed = 1; }
int siren(int shock) { if (alarm_state.armed && shock) return 1; return 0; }
int debounce(int on) { static int n; n = on ? n + 1 : 0; if (n == 2) return 1; return 0; }
C
covers states states.c
assumes states check "mode: set by other functions of the file"
assumes states debounce "debounce() keeps state in static locals: it is called twice"
check "a setter is called first" sh -c "grep -h 'before1:arg:' states/tests/*/*.test | grep -q ."
"$cadenza" run states.c --task siren -o siren -q
equals "siren() is armed by a function that is no task now" 4 "$(json siren/summary.json '$.tasks[0].branches_covered')"

cat >pointers.c <<'C'
#include <stdlib.h>
#include <string.h>
struct node { struct node *next, *prev; int value; };
struct point { int x, y; };
struct box { char tag; double side; };
struct holder { int kind; void *data; };
struct packet { unsigned char length; unsigned short words[]; };
static struct node *head;
int same(struct node *a, struct node *b) { if (a && a == b) return 1; return 0; }
int write_read(int *a, int *b) { if (!a || !b) return -1; *b = 0; *a = 1; if (*b == 1) return 1; return 0; }
int self_loop(struct node *n) { if (n && n->next == n) return 1; return 0; }
int back_link(struct node *n) { if (n && n->next && n->next != n && n->next->prev == n) return 1; return 0; }
int shared(struct node *n) { if (n && n->next && n->next == n->prev && n->next != n) return 1; return 0; }
int is_head(struct node *n) { if (n && n == head) return 1; return 0; }
int cycle(struct node *n) { struct node *f = n; while (f && f->next) { n = n->next; f = f->next->next; if (n == f) return 1; } return 0; }
int typed(void *p) { struct point *q = p; if (!q) return -1; if (q->x == 3 && q->y == 4) return 1; return 0; }
int typed_cast(const void *p) { if (!p) return -1; if (((const struct box *)p)->side > 2.5) return 1; return 0; }
int two_types(void *p, int which) {
    if (!p) return -1;
    if (which == 1) { if (((struct point *)p)->y == 77) return 1; return 0; }
    if (which == 2) { if (((struct box *)p)->tag == 'b') return 2; return 0; }
    return 3;
}
int in_field(struct holder *h) { if (!h || !h->data) return -1; if (((struct point *)h->data)->x == 5) return 1; return 0; }
int sum(const int *v, int n) { int s = 0; if (!v) return -1; for (int i = 0; i < n; i++) s += v[i]; if (s == 1000) return 1; return 0; }
int checked(const unsigned char *buf, int len) { if (!buf || len < 0) return -1; if (len > 20) return -2; unsigned s = 0; for (int i = 0; i < len; i++) s += buf[i]; if (s == 50) return 1; return 0; }
int copied(unsigned char *to, const unsigned char *from, unsigned count) { if (!to || !from) return -1; memcpy(to, from, count); if (count && to[0] == 9) return 1; return 0; }
int walk(const char *p, const char *end) { int n = 0; if (!p) return -1; while (p < end) { if (*p++ == ';') n++; } if (n == 3) return 1; return 0; }
struct leaf { int v; struct leaf *more; };
struct twins { struct leaf *one, *two; };
int twins(struct twins *t) { if (t && t->one && t->one == t->two) return 1; return 0; }
int distance(const int *first, const int *last) { if (last - first == 3) return 1; return 0; }
struct bag { struct leaf *items[4]; };
struct list { struct leaf **items; int count; };
struct span { const char *begin, *end; };
int bag(struct bag *b) { if (b && b->items[1] && b->items[1] == b->items[3]) return 1; return 0; }
int row(struct leaf *v[3]) { if (v && v[0] && v[0] == v[2]) return 1; return 0; }
int list(struct list *l) { if (!l || l->count < 3) return 0; struct leaf *a = l->items[0], *b = l->items[2]; if (a && a == b) return 1; return 0; }
int around(struct node *head) { int n = 0; if (!head) return -1; for (struct node *l = head->next; l && l != head; l = l->next) n++; if (n == 2) return 1; return 0; }
int ring(struct leaf *p) { if (p && p->more && p->more->more && p->more->more->more == p && p->more->more != p) return 1; return 0; }
int span(struct span s) { int n = 0; if (s.begin == s.end) return -1; for (const char *p = s.begin; p != s.end; p++) n += *p == ','; if (n == 2) return 1; return 0; }
int both(const int *a, const int *end) { if (!a || !end) return -1; if (end - a == 3 && a[2] == 4) return 1; return 0; }
int moved(const unsigned char *m, const unsigned char *m_end) { if (!m || m + 4 > m_end) return -1; if (m[3] == 0xee) return 1; return 0; }
int flexible(struct packet *p) { if (!p || p->length > 9) return -1; if (p->words[p->length] == 0xbeef) return 1; return 0; }
int out(struct point **to) { if (!to || !*to) return -1; if ((*to)->x == 12) return 1; return 0; }
C
covers pointers pointers.c
assumes pointers sum "parameter n: the length of v, 0 to 10"
assumes pointers checked "parameter len: the length of buf, -1 or 0 to 21"
assumes pointers walk "parameter end: points into p"
assumes pointers row "the elements of an array of struct leaf * may share"
assumes pointers distance "parameter last: points into first"
assumes pointers same "parameter b: may share an earlier object"
for task in sum copied walk span moved; do
    equals "$task() is not called beyond its buffer" 0 "$(sqlite3 pointers/cadenza.db \
        "select count(*) from alarms a join tasks t on a.task = t.id where t.function = '$task'")"
done

cat >opaque.c <<'C'
struct port;
struct port *port_find(int number);
int port_ready(struct port *p);
struct port *port_open(int number) { if (number < 0) return 0; return port_find(number); }
int use(struct port *p) { if (!p) return -1; if (port_ready(p)) return 1; return 0; }
C
covers opaque opaque.c
assumes opaque use "parameter p: made by port_open()"

# What a narrowing leaves out is never called infeasible.
cat >narrow.c <<'C'
int longer(const int *v, int n) { int c = 0; if (!v) return 0; for (int i = 0; i < n; i++) c++; if (c > 20) return 1; return 0; }
int deeper(int (*f)(int), int x) { if (f(x) != f(x)) return 1; return 0; }
struct ring { struct ring *next; };
int fourth(struct ring *r) { if (r && r->next && r->next != r && r->next->next && r->next->next != r && r->next->next->next && r->next->next->next != r && r->next->next->next != r->next && r->next->next->next->next == r) return 1; return 0; }
C
"$cadenza" run narrow.c -o narrow -q --iterations 200 || not_ok "narrow.c runs"
equals "nothing is called infeasible" 0 "$(json narrow/summary.json '$.totals.branches_infeasible')"

# Members of a record that belong together: pointers into one array, a length.
cat >members.c <<'C'
struct stack { int *start, *end, *top; };
struct queue { struct item { int kind; long value; } *start, *head, *tail, *end; };
struct text { char *bytes; unsigned length; int flags; };
struct table { int *cells; int used; };
struct reader { const unsigned char *next; unsigned have; };
struct file { int fd; unsigned char *in; struct reader stream; };
int pending(struct file *f)
{
    struct reader *r = &f->stream;
    if (!f || !f->in) return -1;
    if (r->next - f->in == 7) return *r->next == 3 ? 2 : 1;
    return 0;
}
int pop(struct stack *s, int *out)
{
    if (!s || !s->start || !out) return -1;
    if (s->top == s->start) return 0;
    *out = *--s->top;
    if (*out == 77) return 2;
    return 1;
}
int push(struct stack *s, int x)
{
    if (!s || !s->start) return -1;
    if (s->top == s->end) return 0;
    *s->top++ = x;
    return s->top - s->start == 3 ? 3 : 1;
}
long take(struct queue *q)
{
    if (!q || !q->start) return -1;
    if (q->head >= q->tail) return 0;
    if (q->head->kind == 3 && q->head != q->start) return q->head->value;
    return 1;
}
int last(const struct text *t)
{
    if (!t || !t->bytes) return -1;
    if (t->length == 0) return 0;
    if (t->bytes[t->length - 1] == 'z') return 2;
    return 1;
}
int sum(const struct table *t)
{
    int s = 0;
    if (!t || !t->cells) return -1;
    for (int i = 0; i < t->used; i++) s += t->cells[i] & 15;
    if (s == 40) return 1;
    return 0;
}
C
covers members members.c
equals "no alarm where members belong together" 0 "$(json members/summary.json '$.totals.alarms')"
assumes members pending "struct file.stream.next: points into struct file.in"
assumes members last "struct text.length: the length of bytes, 0 to 10"

# A length that the code looks at for a negative value has one.
cat >negative.c <<'C'
struct text { char *bytes; int length; };
int total(struct text *t)
{
    int s = 0;
    if (!t || !t->bytes) return -1;
    if (t->length < 0) return -2;
    for (int i = 0; i < t->length; i++) s += t->bytes[i];
    return s == 17;
}
C
covers negative negative.c
assumes negative total "struct text.length: the length of bytes, -1 or 0 to 10"

# A member that indices are compared with is not yet the length: here `base` and `last` are used
# with `codes` in the same way, so both may have any value.
cat >several.c <<'C'
struct tree { int *codes; int *extra; int base, last; };
int bits(struct tree *t, int n)
{
    int more = 0;
    if (!t || !t->codes || !t->extra || n < 0 || n >= 10) return -1;
    if (n > t->last) return -2;
    if (n >= t->base && n - t->base < 10 && n - t->base >= 0) more = t->extra[n - t->base];
    if (t->base == 4711 && t->last == 4711) return 7;
    return t->codes[n] + more;
}
C
covers several several.c

# What a pointer or a length counts on is not another object, which has fewer elements.
cat >counted.c <<'C'
struct rec { int v; };
struct cur { struct rec *at; };
struct o { struct rec *one, *base; struct cur c; };
int inside(struct o *o)
{
    if (!o || !o->one || !o->base || !o->c.at) return 0;
    if (o->c.at < o->base + 3 || o->c.at > o->base + 8) return 1;
    if (o->one == o->base) return 2 + o->c.at->v;
    if (o->base[1].v == 4) return 3;
    return 0;
}
C
"$cadenza" run counted.c -o counted -q --iterations 200
equals "no alarm by a pointer behind its object" 0 "$(json counted/summary.json '$.totals.alarms')"

# A task that can do nothing without crashing first still shows a call that works.
cat >fussy.c <<'C'
void fussy(int *a, int *b) { *a = 1; *b = 2; }
C
"$cadenza" run fussy.c -o fussy -q
equals "a test that does not crash is kept" 1 \
    "$(sqlite3 fussy/cadenza.db "select count(distinct task) from tests where not crashed")"

# --calls: a state that the third call reaches first, and one that only the fifth does.
cat >third.c <<'C'
int third(int on) { static int count; if (on == 5) count++; if (count == 3) return 1; return 0; }
C
cat >fifth.c <<'C'
int limit;
static int count_held(int on, int y) { static int n; if (on && y > 10 && y < limit) n++; else n = 0; return n; }
int held(int on, int y) { if (count_held(on, y) == 5) return 1; return 0; }
C
"$cadenza" run third.c -o twice -q --iterations 300 --most-calls 2
equals "two calls do not reach the third state" 3 "$(json twice/summary.json '$.totals.branches_covered')"
covers third third.c --calls 3 --most-calls 3
check "with inputs of each call" grep -q "call3:arg:on" third/tests/third/*.test
exits "--calls 0 is refused" 2 "calls takes a whole number" "$cadenza" run third.c -o none --calls 0
covers grown third.c
check "calls grow until they do" grep -q "input more_calls | unsigned char | 1" grown/tests/third/*.test
covers held fifth.c
check "a state that is held for five calls" grep -q "input more_calls | unsigned char | 3" held/tests/held/*.test
"$cadenza" run fifth.c -o again -q --iterations 1500
check "growing is the same in each run" diff -r held/tests again/tests

# Between two calls the world goes on: variables of others change, setters are called, and
# a pointer leads to the same object as before or to another one.
cat >between.c <<'C'
#include <stdlib.h>
int sensor;
static int step_width = 3;
struct context { int phase, unused; };
void set_width(int w) { if (w != 9) step_width = w; }
int changes(void) { static int last; int was = last; last = sensor; if (was == 17 && sensor == 18) return 1; return 0; }
int setter(int x) { static int last; int was = last; last = step_width; if (was == 3 && step_width == 4711 && x) return 1; return 0; }
int same_object(struct context *c) { static int calls; if (!c) return -1; if (calls++ && c->phase == 41) return 1; c->phase++; return 0; }
int other_object(struct context *c) { static struct context *first; if (!c) return -1; if (!first) first = c; if (c != first) return 1; return 0; }
int given_back(char *text) { static int n; n++; free(text); if (n == 2) return 1; return 0; }
C
covers between between.c
check "what others set changes" grep -q "input call2:sensor | int | 18" between/tests/changes/*.test
check "a pointer stays by default" sh -c "grep -h 'choice:call2:arg:c:new' between/tests/same_object/*.test | grep -q '| 0'"
check "an object of its own is an input" sh -c "grep -h 'choice:call2:arg:c:new' between/tests/other_object/*.test | grep -q '| 1'"
equals "what the task frees is not given to it again" 0 "$(json between/summary.json '$.totals.alarms')"

# --free-lengths: without it a length fits its buffer, and reading so far is right.
cat >longer.c <<'C'
int longer(const unsigned char *data, unsigned size)
{
    int sum = 0;
    if (!data) return -1;
    for (unsigned i = 0; i < size; i++) sum += data[i];
    return sum == 500 ? 1 : 0;
}
C
"$cadenza" run longer.c -o fitting -q --iterations 300
equals "lengths fit their buffer" 0 "$(json fitting/summary.json '$.totals.alarms')"
"$cadenza" run longer.c -o free -q --iterations 300 --free-lengths
check "free lengths do not" test "$(json free/summary.json '$.totals.alarms')" -gt 0

# --unit function: every function alone, what it calls in the file is a stub.
cat >alone.c <<'C'
static int limit(int x);
static int scale(int x) { return x * 2; }
int outer(int x) { if (limit(scale(x)) == 12345) return 1; return 0; }
static int limit(int x) { if (x > 100) return 100; return x < -5 ? limit(x / 2) : x; }
C
covers alone alone.c --unit function
equals "static functions are tasks too" "limit outer scale" \
    "$(sqlite3 alone/cadenza.db "select group_concat(function,' ') from (select function from tasks order by 1)")"
check "the text is the user's" grep -q "limit(scale(x)) == 12345: true" alone/goals.txt
check "a call of the file is an input" grep -q "stub:limit#1:return | int | 12345" alone/tests/outer/*.test
"$cadenza" run alone.c -o together -q
equals "as a task that branch is not reachable" 0 \
    "$(grep -c 'covered.*limit(scale(x)) == 12345: true' together/goals.txt)"

# Two switches over one value: the default of the first leaves the second open.
cat >switches.c <<'C'
enum kind { NONE, A, B, C, D };
int twice_switched(enum kind k)
{
    switch (k) { case A: return 1; case B: return 2; default: break; }
    switch (k) { case C: return 3; case D: return 4; default: return 5; }
}
C
covers switches switches.c

# Functions of the project that manage memory run as they are: a stub could not.
cat >user.c <<'C'
#include <stddef.h>
void *get_memory(size_t n);
void give_back(void *p);
int grow(char **start, char **end);
int sensor(int channel);
int uses(unsigned n)
{
    if (n > 20) return -1;
    unsigned char *p = get_memory(n + 1);
    if (!p) return -2;
    for (unsigned i = 0; i <= n; i++) p[i] = (unsigned char)i;
    int r = p[n] == 17 ? 1 : sensor(n) == 7 ? 2 : 3;
    give_back(p);
    return r;
}
C
cat >memory.c <<'C'
#include <stdlib.h>
static void *(*allocate)(size_t) = malloc;
void set_allocator(void *(*f)(size_t)) { allocate = f; }
void *get_memory(size_t n) { return n ? allocate(n) : NULL; }
void give_back(void *p) { if (p) free(p); }
C
cat >sensor.c <<'C'
int last;
int sensor(int channel) { last = channel; return channel * 2; }
C
check "a project with an allocator" "$cadenza" run user.c memory.c sensor.c -o project -q --iterations 1500
equals "its user is covered" "10/10" "$(sqlite3 project/files/user.c/cadenza.db \
    "select branches_covered || '/' || branches from tasks")"
equals "without alarms" 0 "$(sqlite3 project/files/user.c/cadenza.db "select alarms from tasks")"
check "other functions are stubs" grep -q "int sensor(int a0)" project/files/user.c/harness/user.c/driver.c
check "the allocator is not" sh -c '! grep -q "get_memory(.*)$" project/files/user.c/harness/user.c/driver.c'
check "its tests replay" "$cadenza" replay project/files/user.c
finish
