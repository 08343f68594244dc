# SPDX-License-Identifier: Apache-2.0
# What real C code has taught: each case is a symptom that was seen on a library's
# source, as a snippet. bench/real.sh runs the libraries themselves.
. "$(dirname "$0")/lib.sh"

# agree NAME FILE [ARGUMENT...]: it runs, engine and clean build agree, tests replay as recorded
agree() {
    agree_name=$1 agree_file=$2; shift 2
    rm -rf "run_$agree_file"
    if ! agree_out=$("$cadenza" run "$agree_file" -o "run_$agree_file" --iterations 100 -q "$@" 2>&1); then
        not_ok "$agree_name" "$agree_out"
        return
    fi
    equals "$agree_name" '[]' "$(json "run_$agree_file/summary.json" '$.disagreements')"
    check "$agree_name: replay" "$cadenza" replay "run_$agree_file"
}
total() { json "run_$1/summary.json" "\$.totals.$2"; }

# zlib's compress(): a loop that lives on what a stub returns made a test of 47,000 inputs.
cat >endless.c <<'C'
int more(void);
int last(void);
int count(int *p) { int n = 0; while (more() == 0) n++; return p ? n : last() == 5; }
int again(void) { do { if (last() == 7) return 1; } while (more() == 0); return 0; }
C
agree "a loop over a stub's results ends" endless.c
equals "and is covered" "$(total endless.c branches)" "$(total endless.c branches_covered)"
longest=$(wc -l run_endless.c/tests/*/*.test | awk '$2 != "total" && $1 > m { m = $1 } END { print (m < 2100) }')
equals "and its test stays readable" 1 "$longest"

# A run that was cut off proves nothing about what comes after it.
cat >cut.c <<'C'
int more(void);
int behind(int n) { while (more() != 77) n++; if (n == 3) return 1; return 0; }
C
agree "a run that was cut off" cut.c
equals "proves nothing" 0 "$(total cut.c branches_infeasible)"

# What a system header declares need not be in the C library.
mkdir sys
cat >sys/other.h <<'C'
struct other { int level; };
extern int other_level;
extern struct other *other_open(const char *name);
extern int other_read(struct other *o, void *to, unsigned long n);
C
cat >library.c <<'C'
#include <other.h>
#include <math.h>
#include <stdlib.h>
int use(double d)
{
    struct other *o = other_open("x");
    if (!o) return 1;
    if (o->level > 3 && other_level == 9) return other_read(o, 0, 0) < 0;
    atexit(abort);
    return floor(d) != d && d > 2 ? abs(other_level) : 3;
}
C
agree "functions of another library become stubs" library.c -- -isystem sys -Wno-unused-result
equals "and their results and variables are inputs" 'covered|covered' \
    "$(sqlite3 -separator '|' run_library.c/cadenza.db "select group_concat(verdict, '|') from goals
       where kind = 'branch' and text like 'other_level%'")"

# A typedef of an array: its const belongs to the elements.
cat >rows.c <<'C'
typedef int row_t[4];
int first(const row_t row, volatile int flags[3], int m[restrict 2][3], const char *const *names);
extern const row_t limits;
int look(row_t row, int n) { if (first(row, 0, 0, 0) == n) return 1; return n > limits[1]; }
C
agree "a stub with a const array parameter compiles" rows.c

# jansson's hashtable_init(): an allocator stub gives ten bytes, the code writes more,
# and the ruined heap kept the clean build from writing its profile.
cat >ruin.c <<'C'
void *get_memory(unsigned long size);
struct table { long used; long *slots; long items[60]; };
int start(int n)
{
    struct table *t = get_memory(sizeof *t);
    if (!t) return -1;
    t->used = n;
    for (int i = 0; i < 60; i++)
        t->items[i] = -1;
    t->slots = get_memory(800);
    return t->slots ? 1 : 2;
}
C
agree "a ruined heap does not hide coverage" ruin.c

# lauxlib.c: a stub does not write its out parameter; what is on the stack must not decide.
cat >outparam.c <<'C'
double to_number(void *state, int index, int *is_number);
int fail(const char *text);
static int dirty(int n) { int a[64]; for (int i = 0; i < 64; i++) a[i] = n | 1; return a[n & 63]; }
int check_number(void *state, int index)
{
    if (dirty(index) == 12) return 4;
    int is_number;
    double d = to_number(state, index, &is_number);
    if (!is_number) return fail("number expected");
    return d > 3;
}
C
agree "an out parameter that a stub does not set" outparam.c

# jansson's json_pack(): variable arguments that are not there were different in each build.
cat >variadic.c <<'C'
#include <stdarg.h>
int pack(const char *format, ...)
{
    va_list list;
    int sum = 0;
    va_start(list, format);
    for (int i = 0; format && i < 9 && format[i]; i++)
        switch (format[i]) {
        case 'i': sum += va_arg(list, int); break;
        case 's': { const char *s = va_arg(list, const char *); sum += s ? s[0] : 1; break; }
        case 'f': sum += va_arg(list, double) > 1.5; break;
        }
    va_end(list);
    return sum > 2;
}
C
agree "variable arguments" variadic.c

# One task's inputs lengthened those of the next, so that a test depended on its neighbours.
cat >two.c <<'C'
int next(void);
int greedy(int *p) { int n = 0; while (next() < 3 && n < 50) n++; return p && p[1] == 4 ? n : 0; }
int modest(int a, const char *s) { if (a == 99) return 1; return s && s[0] == 'x'; }
C
agree "two tasks" two.c
"$cadenza" run two.c -o alone --iterations 100 -q --task modest
check "a task's tests do not depend on other tasks" diff -r run_two.c/tests/modest alone/tests/modest

# jansson's strbuffer.c: a size of SIZE_MAX made a run "not reproducible".
cat >pin.c <<'C'
#include <stdlib.h>
#include <string.h>
int grow(char *text, unsigned long size)
{
    char *p = malloc(size + 1 > 100 ? size : 100);
    if (!p) return -1;
    memcpy(p, text, size);
    return p[0] == 'x';
}
C
agree "the largest size" pin.c
equals "is reproducible" 1 "$(json run_pin.c/summary.json '$.reproducible')"

# jansson's hashtable_seed.c: the clock and a spin on sched_yield() took a minute.
cat >clock.c <<'C'
#include <sched.h>
#include <sys/time.h>
static volatile int ready;
int seed(void)
{
    struct timeval now;
    gettimeofday(&now, 0);
    while (!ready) sched_yield();
    return now.tv_sec > 1000 ? 1 : 2;
}
C
agree "a clock and a spin" clock.c
equals "are reproducible" 1 "$(json run_clock.c/summary.json '$.reproducible')"

# gzip's bi_reverse(): without a use of its result, clang leaves the call out.
cat >pure.c <<'C'
extern unsigned reverse(unsigned value, int length) __attribute__((__const__));
unsigned reverse(unsigned code, int len)
{
    unsigned res = 0;
    do { res |= code & 1; code >>= 1, res <<= 1; } while (--len > 0);
    return res >> 1;
}
C
agree "a function with __attribute__((const))" pure.c
equals "is called" 2 "$(total pure.c branches_covered)"

# gzip's stat-time.h: inline functions that another file of the project emits.
cat >inline.c <<'C'
inline int double_of(int x) { if (x > 1000) return 0; return 2 * x; }
static inline int half_of(int x) { return x / 2; }
int use_both(int x) { return double_of(x) == 14 ? half_of(x) : 1; }
C
agree "an inline function that is not emitted" inline.c

# lua's ltable.c: what a test does may depend on addresses. (The engine has others.)
cat >hash.c <<'C'
int bucket(int *p, int *q)
{
    if (!p || !q) return 0;
    unsigned long h = ((unsigned long)p >> 4) ^ ((unsigned long)p >> 20);
    return h % 7 == 3 ? *q : h % 5 == 1 ? 2 : p < q;
}
C
"$cadenza" run hash.c -o run_hash.c --iterations 100 -q
for i in 1 2 3 4; do check "tests that hash pointers replay alike" "$cadenza" replay run_hash.c; done

# gzip's main(): getopt_long() went on with the state that our own program had left.
cat >options.c <<'C'
#include <getopt.h>
#include <stddef.h>
int main(int argc, char **argv)
{
    static const struct option names[] = {{"level", required_argument, NULL, 'l'}, {0}};
    int c, level = 0;
    while ((c = getopt_long(argc, argv, "ab:", names, NULL)) != -1)
        if (c == 'b') level = optarg[0];
    return optind < argc ? level : 3;
}
C
agree "a main that parses options" options.c --task main

# Old-style definitions, packed bit-fields, flexible arrays, computed goto, statement expressions.
cat >old.c <<'C'
struct flex { int n; char name[]; };
struct __attribute__((packed)) bits { char c; long l; unsigned b : 3, : 0, d : 7; };
union mixed { struct bits p; double d; void (*f)(int); };
int old_style(a, b, f) int a; char *b; int (*f)(); { return f ? a : b ? b[0] == 'x' : 3; }
float old_float(f, c) float f; char c; { return f > 3 ? c : 1; }
int flexible(struct flex *p) { return p && p->n > 3 && p->name[2] == 'q'; }
int packed(union mixed *v) { if (v->p.d == 5) return 1; if (v->d > 3.0) return 2; return 0; }
int jump(int n) { static void *t[] = {&&a, &&b}; if (n < 0 || n > 1) return -1; goto *t[n]; a: return 1; b: return 2; }
int statement(int n) { int m = ({ int k = n * 2; k > 10 ? k : 3; }); return m == 14 ? 1 : 0; }
int variable(int n, int a[n]) { if (n > 2 && a[1] == 5) return 1; return 0; }
__attribute__((weak)) int weakly(int x) { return x > 2 ? 1 : 0; }
int strongly(int x) __attribute__((alias("weakly")));
int asserted(int x) { (void)sizeof((x > 3) ? 1 : 0); return x == 7 ? 1 : 2; }
C
agree "rarer parts of C" old.c -- -w

# Tables of labels in functions without loops; C of 1990.
cat >labels.c <<'C'
int jump(int x) { static void *t[] = {&&a, &&b}; goto *t[x == 77]; a: return 0; b: if (x == 77) return 2; return 1; }
int fixed(int x) { static void *const t[] = {&&a, &&b}; goto *t[x & 1]; a: return 0; b: if (x == 77) return 2; return 1; }
int offsets(int x) { static const int t[] = {&&a - &&a, &&b - &&a}; goto *(&&a + t[x & 1]); a: return 0; b: if (x == 77) return 2; return 1; }
C
agree "labels as values" labels.c
equals "labels as values: all that can be reached" 5 "$(total labels.c branches_covered)"
printf 'int f(int x) { if (x == 1) return 1; return 0; }\n' >ansi.c
for standard in -std=c89 -ansi -std=iso9899:199409; do
    agree "$standard" ansi.c -- $standard -pedantic-errors
done
finish
