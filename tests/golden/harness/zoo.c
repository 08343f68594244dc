// SPDX-License-Identifier: Apache-2.0
// Types that are hard on a driver generator. test_harness.c generates a driver for
// every task here, compiles it behind this file, and runs it against an
// implementation of cz/driver.h that gives every input a value made from its path.
// Each task checks with WANT that the values have arrived in the right member.
//
// WANT(path, value): `value` is what the input `path` was given.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stddef.h>

unsigned long __cz_zoo_value(const char *path, unsigned bits); // of the test
void __cz_zoo_check(const char *path, int equal);
#define WANT(path, value)                                                                          \
    __cz_zoo_check(path, __cz_zoo_value(path, 8 * sizeof(value)) ==                                          \
                        ((unsigned long)(value) & (~0ul >> (64 - 8 * sizeof(value)))))
#define WANT_BITS(path, value, bits)                                                               \
    __cz_zoo_check(path, __cz_zoo_value(path, bits) == ((unsigned long)(value) & (~0ul >> (64 - (bits)))))
#define CHOSEN(path, count) (__cz_zoo_value("choice:" path, 8) % (count))
#define WANT_TRUE(name, value) __cz_zoo_check(name, (value) ? 1 : 0)

// ---- scalars ----
typedef unsigned char U8;
enum mode { MODE_OFF, MODE_ON = 7 };
typedef enum { LOW = -1, HIGH } level_t;

void scalars(char c, signed char sc, unsigned char uc, short s, unsigned short us, int i,
             unsigned u, long l, unsigned long ul, long long ll, unsigned long long ull, U8 u8,
             enum mode mode, level_t level, const int ci, wchar_t wide)
{
    WANT("arg:c", c);
    WANT("arg:sc", sc);
    WANT("arg:uc", uc);
    WANT("arg:s", s);
    WANT("arg:us", us);
    WANT("arg:i", i);
    WANT("arg:u", u);
    WANT("arg:l", l);
    WANT("arg:ul", ul);
    WANT("arg:ll", ll);
    WANT("arg:ull", ull);
    WANT("arg:u8", u8);
    WANT("arg:mode", mode);
    WANT("arg:level", level);
    WANT("arg:ci", ci);
    WANT("arg:wide", wide);
}

void reals(float f, double d, long double ld, _Bool b, __int128 wide, unsigned __int128 uwide,
           _Float16 half)
{
    WANT_TRUE("arg:f", f == (float)__cz_zoo_value("arg:f", 20));
    WANT_TRUE("arg:d", d == (double)__cz_zoo_value("arg:d", 20));
    WANT_TRUE("arg:ld", ld == (long double)__cz_zoo_value("arg:ld", 20));
    WANT_TRUE("arg:b", b == (__cz_zoo_value("arg:b", 1) != 0));
    WANT_TRUE("arg:wide", (unsigned long)wide == __cz_zoo_value("arg:wide", 64));
    WANT_TRUE("arg:uwide", (unsigned long)(uwide >> 64) == ~__cz_zoo_value("arg:uwide", 64));
    WANT_TRUE("arg:half", half == half);
}

struct zoo_nowhere;
void unnamed(int, char *, struct zoo_nowhere *);
void unnamed(int first, char *second, struct zoo_nowhere *third)
{
    WANT("arg:first", first);
    WANT_TRUE("arg:second", second != NULL);
    WANT_TRUE("arg:third", third != NULL);
}

int no_names(int, U8 *p)
{
    WANT("arg:p[0..9]#3", p[3]);
    return 0;
}

// ---- records ----
struct inner {
    short a;
    struct {
        int deep;
    } nameless;
    union {
        int either;
        float other;
    };
    struct {
        U8 left, right;
    };
};

struct flags {
    unsigned ready : 1;
    int level : 5;
    unsigned : 3;
    unsigned long wide : 40;
    _Bool on : 1;
    enum mode mode : 4;
    unsigned : 0;
    const unsigned fixed : 6;
};

typedef struct {
    const int id;
    struct inner inner[3];
    double matrix[2][3];
    struct flags flags;
    volatile U8 bytes[4];
    enum mode modes[2];
    char *const name;
} outer_t;

void by_value(outer_t o, const struct inner *list)
{
    WANT("arg:o.id", o.id);
    WANT("arg:o.inner[0].a", o.inner[0].a);
    WANT("arg:o.inner[2].nameless.deep", o.inner[2].nameless.deep);
    WANT("arg:o.inner[1].either", o.inner[1].either);
    WANT("arg:o.inner[1].right", o.inner[1].right);
    WANT_TRUE("arg:o.matrix", o.matrix[1][2] == (double)__cz_zoo_value("arg:o.matrix[0..5]#5", 20));
    WANT_BITS("arg:o.flags.ready", o.flags.ready, 1);
    WANT_BITS("arg:o.flags.level", o.flags.level, 5);
    WANT_BITS("arg:o.flags.wide", o.flags.wide, 40);
    WANT_BITS("arg:o.flags.on", o.flags.on, 1);
    WANT_BITS("arg:o.flags.mode", o.flags.mode, 4);
    WANT_BITS("arg:o.flags.fixed", o.flags.fixed, 6);
    WANT("arg:o.bytes[0..3]#2", o.bytes[2]);
    WANT("arg:o.modes[0..1]#1", o.modes[1]);
    WANT("arg:o.name[0..9]#9", o.name[9]);
    WANT_TRUE("arg:o.name ends", o.name[10] == 0);
    WANT("arg:list[9].a", list[9].a);
    WANT("arg:list[9].nameless.deep", list[9].nameless.deep);
}

// ---- unions ----
union word {
    unsigned long whole;
    struct {
        unsigned long low : 20, high : 44;
    } part;
};
union partial { // no member shows everything
    struct {
        char c;
        int i;
    } first;
    short s[3];
};
union tagged {
    int number;
    char *text;
    struct {
        int x;
        union tagged *next;
    } pair;
};

void unions(union word w, union partial p, union tagged t, union tagged *q)
{
    WANT_BITS("arg:w.part.low", w.part.low, 20);
    WANT_BITS("arg:w.part.high", w.part.high, 44);
    WANT("arg:p[0..7]#0", p.first.c);
    WANT("arg:p[0..7]#5", ((unsigned char *)&p)[5]);
    switch (__cz_zoo_value("choice:arg:t", 8) % 3) {
    case 0:
        WANT("arg:t.number", t.number);
        break;
    case 1:
        WANT("arg:t.text[0..9]#0", t.text[0]);
        break;
    default:
        WANT("arg:t.pair.x", t.pair.x);
    }
    WANT_TRUE("arg:q", q != NULL);
}

// ---- pointers ----
struct node {
    char c;
    struct node *next;
};
struct tree {
    int key;
    struct tree *kids[2];
    struct node *list;
    char *name;
};
struct packet {
    U8 length;
    unsigned short words[];
};
typedef int (*callback)(struct node *, int);
struct ops {
    callback run;
    void *context;
};

void pointers(int *p, const char *text, void *raw, int **pp, struct node *list, struct tree *tree,
              struct packet *packet, callback cb, struct ops *ops, int (*rows)[3], FILE *stream,
              int plain(int), const struct node *const *const table)
{
    WANT("arg:p[0..9]#9", p[9]);
    WANT("arg:text[0..9]#0", text[0]);
    WANT_TRUE("text ends", text[10] == 0);
    WANT("arg:raw[0..9]#1", ((U8 *)raw)[1]);
    WANT("arg:pp[3][0..9]#2", pp[3][2]);
    WANT("arg:list->c", list->c);
    WANT("arg:list->next->next->next->next->c", list->next->next->next->next->c);
    WANT_TRUE("depth ends", list->next->next->next->next->next == NULL);
    WANT("arg:tree->kids[1]->kids[0]->key", tree->kids[1]->kids[0]->key);
    WANT("arg:tree->kids[1]->list->next->c", tree->kids[1]->list->next->c);
    WANT("arg:tree->name[0..9]#3", tree->name[3]);
    WANT("arg:packet->length", packet->length);
    WANT("arg:packet->words[0..9]#9", packet->words[9]);
    WANT_TRUE("callback", cb == NULL ? CHOSEN("arg:cb", 2) == 0
                                     : cb(list, 1) == (int)__cz_zoo_value("stub:cb#1:return", 32));
    WANT_TRUE("callback member", (ops[2].run == NULL) == (CHOSEN("arg:ops[2].run", 2) == 0));
    WANT_TRUE("function parameter", plain != NULL); // by its type: plus, minus or times below
    WANT("arg:ops[2].context[0..9]#9", ((U8 *)ops[2].context)[9]);
    WANT("arg:rows[0..29]#7", rows[2][1]);
    WANT_TRUE("stream", stream == NULL || stream == stdout);
    WANT("arg:table[1]->next->c", table[1]->next->c);
}

void arrays(int a[4], char text[], int n, int vla[n][n], double (*fixed)[2][2])
{
    WANT("arg:a[0..3]#3", a[3]);
    WANT("arg:text[0..9]#1", text[1]);
    WANT("arg:vla[0..9]#9", ((int *)vla)[9]);
    WANT_TRUE("fixed", fixed[1][1][1] == (double)__cz_zoo_value("arg:fixed[0..39]#7", 20));
}

// ---- globals ----
static int hidden; // without an initialiser somebody may set it
extern int borrowed;
extern int borrowed_array[];
extern struct { int x, y; } borrowed_nameless;
extern const int borrowed_constant;
extern struct zoo_opaque borrowed_opaque;
struct { U8 a; struct node *list; } nameless_global;
struct { short s; } nameless_array[2];
static struct node *head;
_Thread_local int mine;
int big[100000];
callback hook = NULL;
const int constant = 5;
static struct { int v; } *nameless_pointer;

int globals(int depth, int it, int at)
{
    extern short block_scope;
    WANT("hidden", hidden);
    WANT("borrowed", borrowed);
    WANT("borrowed_array[0..9]#9", borrowed_array[9]);
    WANT("borrowed_nameless.y", borrowed_nameless.y);
    WANT_TRUE("borrowed_opaque", &borrowed_opaque != NULL);
    WANT("nameless_global.a", nameless_global.a);
    WANT("nameless_global.list->next->c", nameless_global.list->next->c);
    WANT("nameless_array[1].s", nameless_array[1].s);
    WANT("head->c", head->c);
    WANT("mine", mine);
    WANT("big[0..4095]#4095", big[4095]);
    WANT("block_scope", block_scope);
    WANT("nameless_pointer[9].v", nameless_pointer[9].v);
    WANT("arg:depth", depth);
    WANT("arg:it", it);
    WANT("arg:at", at);
    return constant + borrowed_constant + (hook != NULL);
}

// ---- stubs ----
struct pair { int first; struct node *second; };
int get_rpm(int wheel);
struct pair get_pair(void);
const char *get_text(const struct node *list, int (*compare)(const void *, const void *));
void note(const char *format, ...);
int old_style();
U8 small(U8 x, float y, struct pair by_value);
enum mode get_mode(void);
double get_real(void);
static int forgotten(int x);
_Bool is_on(int v[static 3], int w[2][3]);
void *get_memory(void);
callback get_callback(void);

int stubs(void)
{
    int v[3] = {0}, w[2][3] = {{0}};
    int one = get_rpm(1), two = get_rpm(2);
    struct pair pair = get_pair();
    WANT("stub:get_rpm#1:return", one);
    WANT("stub:get_rpm#2:return", two);
    WANT("stub:get_pair#1:return.first", pair.first);
    WANT("stub:get_pair#1:return.second->next->c", pair.second->next->c);
    WANT("stub:get_text#1:return[0..9]#4", get_text(NULL, NULL)[4]);
    note("%d", 1);
    WANT("stub:old_style#1:return", old_style(1, 2, 3));
    WANT("stub:small#1:return", small(1, 2.0f, pair));
    WANT("stub:get_mode#1:return", get_mode());
    WANT_TRUE("get_real", get_real() == (double)__cz_zoo_value("stub:get_real#1:return", 20));
    WANT("stub:forgotten#1:return", forgotten(1));
    WANT_TRUE("is_on", is_on(v, w) == (__cz_zoo_value("stub:is_on#1:return", 1) != 0));
    WANT("stub:get_memory#1:return[0..9]#1", ((U8 *)get_memory())[1]);
    WANT_TRUE("get_callback", (get_callback() == NULL) == (CHOSEN("stub:get_callback#1:return", 2) == 0));
    return 0;
}

_Noreturn void fatal(int code);
int never_returns(int x)
{
    WANT("arg:x", x);
    fatal(1);
    WANT_TRUE("after fatal", 0);
    return 1;
}

// ---- functions ----
struct huge { char bytes[300]; };
struct huge returns_huge(struct huge h)
{
    WANT("arg:h.bytes[0..299]#299", h.bytes[299]);
    return h;
}

int variadic(int count, ...)
{
    WANT("arg:count", count);
    return count;
}

int old(a, b)
    char a;
    float b;
{
    WANT("arg:a", a);
    WANT_TRUE("arg:b", b == (float)__cz_zoo_value("arg:b", 20));
    return 0;
}

int stateful(int x)
{
    static int calls;
    if (calls++ == 0)
        WANT("arg:x", x);
    else
        WANT("call2:arg:x", x);
    return calls;
}

// Between two calls: what others set changes, its own state does not; a pointer stays.
static int watched, counted;
int repeated(struct node *list)
{
    static int calls;
    static struct node *first;
    if (calls++ == 0) {
        first = list;
        WANT("watched", watched);
        WANT("counted", counted);
        counted = 5;
        return 0;
    }
    WANT_TRUE("changes", watched == (int)__cz_zoo_value(CHOSEN("call2:changes", 2) ? "call2:watched" : "watched", 32));
    WANT_TRUE("its own state", counted == 5);
    WANT_TRUE("pointer", (list == first) == !CHOSEN("call2:arg:list:new", 2));
    return 1;
}

// Names that the driver would like to use itself.
typedef struct { int v; } arg_x;
typedef int make_struct_pair; // nobody uses it
int make_struct_node, drive_clash, at2, i3, result;
int clash(arg_x x, struct node *arg_arg_x)
{
    WANT("arg:x.v", x.v);
    WANT("arg:arg_arg_x->c", arg_arg_x->c);
    return make_struct_node + drive_clash + at2 + i3 + result;
}

// Ten elements at three levels would be many thousands of inputs.
struct leaf { int values[8]; short more[3]; char *name; };
struct branch { struct leaf *a, *b, *c; struct leaf inside[4]; };
struct trunk { struct branch *left, *right; struct branch body[2]; };
int wide(struct trunk *trunk)
{
    WANT("arg:trunk[9].left->a->values[0..7]#7", trunk[9].left->a->values[7]);
    WANT("arg:trunk[0].body[1].inside[3].more[0..2]#2", trunk[0].body[1].inside[3].more[2]);
    return 0;
}

typedef const struct node frozen_node;
typedef const int frozen_int;
typedef int *const frozen_pointer;
struct frozen { frozen_int i; frozen_node n; frozen_pointer p; const struct flags f; frozen_int a[2];
    const struct { int x; unsigned b : 3; } nameless; };
int frozen(struct frozen *f, frozen_node *n, frozen_int i, frozen_pointer p)
{
    WANT("arg:f->i", f->i);
    WANT("arg:f->n.next->c", f->n.next->c);
    WANT("arg:f->p[0..9]#1", f->p[1]);
    WANT_BITS("arg:f->f.level", f->f.level, 5);
    WANT("arg:f->a[0..1]#1", f->a[1]);
    WANT("arg:f->nameless.x", f->nameless.x);
    WANT_BITS("arg:f->nameless.b", f->nameless.b, 3);
    WANT("arg:n->next->c", n->next->c);
    WANT("arg:i", i);
    WANT("arg:p[0..9]#2", p[2]);
    return 0;
}

typedef int vec4 __attribute__((vector_size(16)));
int others(_Atomic int a, vec4 v, _Complex double z, struct node *restrict r, struct { int q; } *odd)
{
    WANT_TRUE("arg:v", v[0] == v[0]);
    WANT("arg:r->c", r->c);
    return a != 0 && __real__ z > 0 && odd != NULL;
}

void log_list(va_list list);
int lists(int n, va_list list, va_list *behind)
{
    WANT("arg:list[0][0..9]#0", va_arg(list, int));
    WANT("arg:list[0][0..9]#1", va_arg(list, long));
    WANT("arg:behind[1][0][0..9]#0", va_arg(behind[1], int));
    log_list(list);
    return n;
}

// ---- pointers to functions ----
typedef int (*unary)(int);
struct device { const char *name; unary open; struct { unary table[2]; } inner; };
static int plus(int x) { return x + 1; }
static int minus(int x) { return x - 1; }
static int times(int x) { return x * 2; }
static int nothing(void) { return 0; }
struct device devices[] = {{"a", plus, {{minus, times}}}, "b", minus, times, times, {.open = times}};
static unary selected = plus;
static int (*only)(void) = nothing;
static unary by_type;
void select_minus(void) { selected = minus; }
int indirect(unary f, struct device *d, int x)
{
    static const unary opens[] = {plus, minus, times}, inner[] = {minus, times};
    WANT_TRUE("f", f == (CHOSEN("arg:f", 2) ? times : plus));
    WANT_TRUE("d[1].open", d[1].open == opens[CHOSEN("arg:d[1].open", 3)]);
    WANT_TRUE("d[1].inner.table[1]",
              d[1].inner.table[1] == inner[CHOSEN("arg:d[1].inner.table[1]", 2)]);
    WANT_TRUE("selected", selected == plus || selected == minus);
    WANT_TRUE("only", only == (CHOSEN("only", 2) ? nothing : NULL));
    WANT_TRUE("by_type", by_type(1) == by_type(1));
    if (x == 77) // else nothing would change it, and it were no input
        only = nothing;
    return f(x) + d->open(x) + d->inner.table[0](x) + selected(x) + (only ? only() : 0);
}
static int hands_over(int x) // no task
 { return indirect(x ? plus : times, devices, x); }

// ---- state ----
static int level, gear;
void set_level(int l) { level = l; }
void set_gear(int g, short ratio) { gear = g + ratio; }
int reads_state(void)
{
    int l = (int)__cz_zoo_value("before1:arg:l", 32), g = (int)__cz_zoo_value("before2:arg:g", 32);
    int first = (int)__cz_zoo_value("before1:arg:g", 32);
    switch (CHOSEN("before", 5)) {
    case 0: WANT_TRUE("just started", 1); break; // the fake does not undo what earlier tasks did
    case 1: WANT_TRUE("one setter", level == l); break;
    case 2: WANT_TRUE("the other", gear == first + (short)__cz_zoo_value("before1:arg:ratio", 16)); break;
    case 3: WANT_TRUE("both", level == l && gear == g + (short)__cz_zoo_value("before2:arg:ratio", 16)); break;
    case 4: WANT("level", level); break;
    }
    return level + gear;
}

// ---- sharing ----
struct link { struct link *next, *prev; struct owner *owner; int v; };
struct owner { struct link *first; };
static struct link *chain;
int sharing(struct owner *o, struct link *other, int *p, int *q)
{
    struct link *first = o->first;
    WANT_TRUE("all present: next", first->next != first && first->next->prev != first);
    WANT_TRUE("all present: others", first->owner != o && other != first && other != chain && q != p);
    if (q)
        *q = *p;
    return 0;
}
int shared_roots(struct link *a, struct link *b) // run with "null", too: absent or shared
{
    if (a == NULL || a == chain)
        WANT_TRUE("b", b == (CHOSEN("arg:b", 3) == 1 ? chain : CHOSEN("arg:b", 3) == 2 ? a : NULL));
    else
        WANT_TRUE("all present: b", b && b != a && b != chain);
    return a == b || a == chain || b == chain;
}

static struct link *row[4];
int shared_row(struct link **list) // run with row[2], row[3] absent, too
{
    if (row[0] && row[1] && row[3] && row[2] != row[3])
        WANT_TRUE("all present: row", row[0] != row[1] && row[1] != row[3]);
    else
        WANT_TRUE("row", row[2] == (CHOSEN("row[2]", 3) ? row[CHOSEN("row[2]", 3) - 1] : NULL) &&
                             row[3] == (CHOSEN("row[3]", 4) ? row[CHOSEN("row[3]", 4) - 1] : NULL));
    return list[0] == list[1];
}
struct ring { struct ring *next; };
int ring(struct ring *r) // run with the third one's link absent, too: NULL, back or closed
{
    struct ring *second = r->next, *third = second->next, *ends[] = {NULL, second, r};
    WANT_TRUE("third", (third->next && third->next != second && third->next != r) ||
                           third->next == ends[CHOSEN("arg:r->next->next->next", 3)]);
    return third->next == r;
}

struct reader { const char *next; };
struct reads { char *in; struct reader r; struct reader *other; };
int inside(struct reads *f)
{
    WANT_TRUE("inside", f->r.next == f->in + CHOSEN("arg:f->r.next:into", 11));
    return f->r.next - f->in == 3 && f->other->next != 0;
}

// ---- void *, buffers ----
struct point { int x, y; };
int typed(void *one, const void *two, struct point **out)
{
    const struct point *p = one;
    WANT("arg:one[1].y", p[1].y);
    if (CHOSEN("arg:two", 2) == 0)
        WANT("arg:two:struct_point[2].x", ((const struct point *)two)[2].x);
    else
        WANT("arg:two:struct_pair->first", ((const struct pair *)two)->first);
    WANT("arg:out[1][2].y", out[1][2].y);
    return 0;
}

int buffers(const int *v, int n, const char *p, const char *end, U8 *to, const U8 *from, size_t bytes,
            short *limited, int room)
{
    WANT_TRUE("n", n == (int)CHOSEN("arg:n", 11));
    WANT_TRUE("end", end == p + CHOSEN("arg:end", 11));
    WANT_TRUE("bytes", bytes == CHOSEN("arg:bytes", 11));
    WANT_TRUE("room", room == (CHOSEN("arg:room", 23) == 22 ? -1 : (int)CHOSEN("arg:room", 23)));
    WANT("arg:limited[0..19]#19", limited[19]);
    for (int i = 0; i < n; i++)
        n += v[i] & 0;
    while (p < end)
        n += *p++ & 0;
    __builtin_memcpy(to, from, bytes);
    if (room < 0 || room > 20)
        return 0;
    for (int i = 0; i < room; i++)
        limited[i] = 0;
    return n;
}

struct zoo_port;
struct zoo_port *zoo_find(int number);
struct zoo_port *zoo_open(int number, U8 speed)
{
    WANT_TRUE("number", number == (int)__cz_zoo_value("make1:arg:number", 32) ||
                            number == (int)__cz_zoo_value("arg:number", 32));
    WANT_TRUE("speed", speed == __cz_zoo_value("make1:arg:speed", 8) || speed == __cz_zoo_value("arg:speed", 8));
    return zoo_find(number);
}
int constructed(struct zoo_port *port)
{
    WANT_TRUE("port", port != NULL);
    return 0;
}
