# SPDX-License-Identifier: Apache-2.0
# Code for machines with 32-bit pointers: sizes and layouts are those of i386 in every build,
# the engine's process is a 32-bit one, verdicts are llvm-cov's, alarms replay, and runs repeat.
. "$(dirname "$0")/lib.sh"

# ---- without what it needs ----
mkdir lib
for part in "$root"/build/*.a "$root"/build/*.bc "$root/build/include" "$root/build/cadenza-jail"; do ln -s "$part" lib/; done
echo 'int f(int x) { return x > 3; }' >small.c
exits "without the 32-bit parts a file is refused, and the package named" 3 'libc6-dev-i386' \
    env CADENZA_LIB="$work/lib" "$cadenza" run small.c -o small -- -m32
# As where the 32-bit C library is missing: clang does not find its files.
mkdir bin
printf '#!/bin/sh\ncase "$*" in *-print-file-name=*) echo crt1.o ;; *) exec "%s" "$@" ;; esac\n' \
    "$(command -v clang-19)" >bin/clang-19
chmod +x bin/clang-19
exits "without the 32-bit C library, too" 3 'install the package libc6-dev-i386' \
    env PATH="$work/bin:$PATH" "$cadenza" run small.c -o small --data-model ilp32
exits "without them 64-bit code is tested" 0 '' env CADENZA_LIB="$work/lib" "$cadenza" run small.c -o small
if [ ! -f "$root/build/ilp32/libczrt.a" ]; then
    echo "ok skipped: the rest needs the package libc6-dev-i386, which could not be installed"
    finish
    exit
fi

# passes NAME SOURCE OPEN INFEASIBLE [OPTIONS]: runs, with so many goals open and infeasible
passes() {
    name=$1 source=$2 open=$3 infeasible=$4
    shift 4
    "$cadenza" run "$source" -o "$name" -q --iterations 600 "$@" >log 2>&1 || not_ok "$name runs" "$(cat log)"
    equals "$name: open" "$open" "$(json "$name/summary.json" '$.totals.branches_undetermined')"
    equals "$name: infeasible" "$infeasible" "$(json "$name/summary.json" '$.totals.branches_infeasible')"
    equals "$name: engine and llvm-cov agree" '[]' "$(json "$name/summary.json" '$.disagreements')"
    equals "$name: reproducible" 1 "$(json "$name/summary.json" '$.reproducible')"
    check "$name: tests replay" "$cadenza" replay "$name" -q
}

# ---- sizes ----
cat >sizes.c <<'C'
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
struct mixed { char c; void *p; short s; long l; uint64_t u; };
union word { void *p; uint32_t n; unsigned char b[4]; };
struct packed { unsigned a : 5, b : 11, c : 16; unsigned long long d : 40, e : 24; };
int lengths(unsigned n)
{
    char field[sizeof(long)];
    (void)field;
    if (n == sizeof field) return 1;
    if (n == sizeof(void *) + 8) return 2;
    if (n == sizeof(struct mixed)) return 3;
    if (n == offsetof(struct mixed, u) + 100) return 4;
    if (n == sizeof(size_t) + sizeof(ptrdiff_t) + sizeof(long double)) return 5;
    return n == sizeof(long long) * 10;
}
int wraps(long x, unsigned long u)
{
    if (x > 0 && x + 1 < 0) return 1;       /* 2^31 - 1 */
    if (x == LONG_MIN) return 2;
    if (u * 65536ul == 0 && u != 0) return 3;
    if ((u << 3) >> 3 != u) return 4;
    return 0;
}
int fixed(long x)
{
    if (sizeof(long) == 4 && x > 2147483646) return 1;
    if ((unsigned long)x > 0xffffffffu) return 2; /* never */
    return 0;
}
int overlay(union word *w, struct mixed *m)
{
    if (!w || !m) return 0;
    if (w->n == 0x12345678 && w->b[3] == 0x12) return 1;
    if (m->p && m->s == 300 && m->u == 0x100000002ull) return 2;
    return 0;
}
int bits(struct packed p)
{
    if (p.a == 17 && p.b == 2000) return 1;
    if (p.d == 0xfedcba9876ull) return 2;
    if (p.e == 0x800000 && p.c == 0xffff) return 3;
    return 0;
}
C
# fixed(): x > 0xffffffff cannot be; overlay(): the number tells its highest byte
passes sizes sizes.c 0 2 -- -m32
check "the target is a 32-bit process" sh -c "file sizes/harness/sizes.c/target | grep -q 'ELF 32-bit' || \
    od -An -tx1 -j4 -N1 sizes/harness/sizes.c/target | grep -q 01"
equals "summary.json tells the data model" ilp32 "$(json sizes/summary.json '$.data_model')"
equals "so does the database" ilp32 "$(sqlite3 sizes/cadenza.db 'select data_model from runs')"
equals "the size of a long" 4 "$(sed -n 's/^input arg:n . unsigned . //p' sizes/tests/lengths/*.test | grep -x 4)"
equals "a record with pointers: 24 bytes" 24 "$(sed -n 's/^input arg:n . unsigned . //p' sizes/tests/lengths/*.test | grep -x 24)"
check "a long is as wide as an int" grep -rq '^input arg:x | int | 2147483647' sizes/tests/wraps
passes wide small.c 0 0 --data-model lp64 -- -m32
equals "--data-model lp64 overrules the flag" lp64 "$(json wide/summary.json '$.data_model')"

# llvm-cov, asked by hand: the kept tests on the clean executable cover what is reported.
(cd sizes && LLVM_PROFILE_FILE=$work/%p.profraw harness/sizes.c/clean/replay "$PWD"/tests/*/*.test >/dev/null 2>&1)
check "profiles of 32-bit code merge" sh -c "llvm-profdata-19 merge *.profraw -o all.profdata"
llvm-cov-19 export -summary-only -instr-profile all.profdata sizes/harness/sizes.c/clean/replay >cov.json 2>/dev/null
equals "llvm-cov counts the same branches" "$(json sizes/summary.json '$.totals.branches_covered')" \
    "$(sqlite3 :memory: "select json_extract(f.value, '\$.summary.branches.covered')
        from json_each(json_extract(cast(readfile('cov.json') as text), '\$.data[0].files')) f
        where json_extract(f.value, '\$.filename') like '%unit.i'")"

# ---- arithmetic that takes two registers, and floating point ----
cat >arith.c <<'C'
#include <stdint.h>
int longs(uint64_t a, int64_t b, unsigned n)
{
    if (n < 64 && a >> n == 0x155 && a << (63 - n) == 0x8000000000000000ull) return 1;
    if (b / 1000003 == -7654321 && b % 1000003 == -42) return 2;
    if (a * 0x100000001ull == 0x1234567800000000ull + 0x12345678) return 3;
    if ((int32_t)(b >> 32) == -2 && (uint32_t)b == 7) return 4;
    return 0;
}
int reals(double d, float f, int64_t i)
{
    if (d > 1e10 && d < 1e10 + 1) return 1;
    if (f * 3 == 1.5f) return 2;
    if ((double)i == 9007199254740994.0) return 3;
    if (d + 1 == d && d > 0) return 4;      /* no more precision than a double has */
    if ((float)d == f && d != f && f > 1) return 5;
    return 0;
}
C
passes arith arith.c 0 0 --data-model ilp32

# ---- memory, strings, calls ----
cat >memory.c <<'C'
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int key; struct node *left, *right; };
int find(const struct node *n, int key)
{
    if (!n) return 0;
    if (n->key == key) return 1;
    return find(key < n->key ? n->left : n->right, key) ? 2 : 3;
}
int copies(const char *text)
{
    size_t n;
    if (!text || (n = strlen(text)) > 6) return -1;
    char *copy = malloc(n + 1);
    if (!copy) return -2;
    memcpy(copy, text, n + 1);
    int result = strcmp(copy, "halt") == 0 ? 1 : strchr(copy, '@') ? 2 : 0;
    free(copy);
    return result;
}
int number(const char *text)
{
    char *end;
    if (!text) return -1;
    errno = 0;
    long value = strtol(text, &end, 0);
    if (errno == ERANGE) return 1; /* beyond 32 bits */
    if (*end) return 3;
    if (value == 0x7ffffff) return 4;
    return 0;
}
int number64(const char *text)
{
    long long value = 0;
    if (text && sscanf(text, "%lld", &value) == 1 && value == 5000000000ll) return 1;
    return 0;
}
static int sum(int n, ...)
{
    va_list list;
    va_start(list, n);
    int i = va_arg(list, int);
    double d = va_arg(list, double);
    long long l = va_arg(list, long long);
    const struct node *p = va_arg(list, const struct node *);
    va_end(list);
    if (i == 12 && d > 2.5) return 1;
    if (l == -0x123456789ll) return 2;
    return p && p->key == n;
}
int variadic(int i, double d, long long l, struct node *p) { return sum(99, i, d, l, p); }
int listed(int n, va_list list)
{
    if (n == 1 && va_arg(list, int) == 77) return 1;
    if (n == 2 && va_arg(list, long long) == 0x700000001ll) return 2;
    return 0;
}
static jmp_buf home;
static void leave(int x) { if (x > 40) longjmp(home, x); }
static int judge(int came, int x) /* llvm-cov does not count what returns twice */
{
    if (came == 0) { leave(x); return 1; }
    return came == 42 ? 2 : 3;
}
int jumps(int x) { return judge(setjmp(home), x); }
static int twice(int x) { return 2 * x; }
static int less(int x) { return x - 3; }
int chosen(unsigned which, int x, int (*given)(int))
{
    int (*const table[])(int) = {twice, less};
    if (which < 2 && table[which](x) == 10) return 1;
    if (given == less && given(x) == 7) return 2;
    return 0;
}
static const short table[8] = {3, 1, 4, 1, 5, 9, 2, 600};
int indexed(unsigned i) { return i < 8 && table[i] == 600; }
int sorted(int a, int b, int c)
{
    int all[] = {a, b, c};
    if (all[0] > all[1]) { int t = all[0]; all[0] = all[1]; all[1] = t; }
    return all[0] == 5 && all[1] == 8 && all[2] > all[1];
}
int address(const int *p, const int *q) { return p && q && p != q && p[3] == q[3] + 100; }
C
passes memory memory.c 0 0 -- -m32

# ---- hardware: registers where the device has them, and elsewhere ----
cat >device.c <<'C'
#include <stdint.h>
#define RCC_CR (*(volatile uint32_t *)0x40021000)
#define SCB_ICSR (*(volatile uint32_t *)0xE000ED04)
#define BOOT (*(volatile uint16_t *)0x1FFF0000)
#define P00_OUT (*(volatile uint32_t *)0xF003A000u)
#define PORTB (*(volatile uint8_t *)0x25)
typedef struct { volatile uint32_t moder, otyper, idr, odr; } gpio;
static gpio *const ports[] = {(gpio *)0x48000000, (gpio *)0xF0050000u};
int ready(void) { return RCC_CR & 2 ? (SCB_ICSR >> 28) == 5 : BOOT == 0xBEEF; }
int other(void) { return P00_OUT == 0xCAFE0001u ? PORTB == 0x80 : 0; }
int by_pointer(unsigned port, uint32_t base)
{
    if (port < 2 && ports[port]->idr == 0x55) return 1;
    if (base == 0x40000000 && *(volatile uint32_t *)(base + 0x24) == 9) return 2;
    if ((uint32_t)(uintptr_t)&ports[0]->odr == 0x4800000C) return 3;
    return 0;
}
int kept(uint32_t value)
{
    ports[0]->odr = value;
    uint32_t *plain = (uint32_t *)&ports[0]->odr;
    return *plain == 0x1234;
}
C
passes device device.c 0 0 -- -mcpu=cortex-m4 -mthumb
equals "flags of a microcontroller mean 32-bit pointers" ilp32 "$(json device/summary.json '$.data_model')"
check "registers have their names" grep -rq '^input RCC_CR#1 ' device/tests/ready
check "beyond what is open, too" grep -rq '^input P00_OUT#1 . uint32_t . 3405643777' device/tests/other
cat >layout.c <<'C'
struct s { char c; long long l; char d; double e; };
int layout(struct s *s, unsigned n) { return n == sizeof *s && s && s->l == 0x500000006ll && s->e > 2; }
C
passes layout layout.c 0 0 -- -mcpu=cortex-m4
check "64-bit members are aligned as on ARM" grep -rq '^input arg:n | unsigned | 32$' layout/tests
echo 'int chars(char c) { if (c > 200) return 1; return 0; }' >chars.c
passes chars chars.c 0 0 -- -mcpu=cortex-m4
passes signs chars.c 0 1 -- -mcpu=cortex-m4 -fsigned-char
passes layout86 layout.c 0 0 -- -m32
check "and otherwise as on i386" grep -rq '^input arg:n | unsigned | 24$' layout86/tests
exits "a note says it" 0 'dropped flags: -mcpu=cortex-m4 -mthumb; long and pointers have 32 bits' \
    "$cadenza" run device.c -o note --iterations 5 -- -mcpu=cortex-m4 -mthumb

# ---- alarms ----
cat >wrong.c <<'C'
#include <stdlib.h>
#include <string.h>
struct s { int n; int *p; };
static int table[10];
int null(struct s *s, int x) { return x == 1234 ? s->n : 0; }
int beyond(unsigned i) { return i > 5 ? table[i] : 0; }
int freed(int x)
{
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    *p = x;
    free(p);
    return x == 77 ? *p : 0;
}
int divided(long a, long b) { return a < -5 ? (int)(a / b) : 0; }
int shifted(unsigned long u, int n) { return n > 20 ? (int)(u << n) : 0; }
int converted(double d) { return d > 100 ? (int)d : 0; }
int deep(int n) { char room[100]; memset(room, n, sizeof room); return n == 5 ? deep(5) + room[0] : 0; }
int wild(unsigned x) { return x == 0x40021000 ? *(int *)x : 0; }
int heap(unsigned n) { char *p = malloc(8); if (!p) return 0; if (n < 20) p[n] = 1; free(p); return 0; }
C
"$cadenza" run wrong.c -o wrong -q --iterations 400 --no-inference -- -m32 >log 2>&1 || not_ok "wrong.c runs" "$(cat log)"
for cause in null:null beyond:bounds freed:freed divided:division shifted:shift converted:conversion \
    deep:stack heap:bounds wild:null; do
    task=${cause%:*} kind=${cause#*:}
    equals "alarm of $task: $kind, reproduced under sanitizers" 1 "$(sqlite3 :memory: "select count(*)
        from json_each(json_extract(cast(readfile('wrong/summary.json') as text), '\$.alarms')) a
        where json_extract(a.value, '\$.function') = '$task' and json_extract(a.value, '\$.cause') = '$kind'
        and json_extract(a.value, '\$.reproduced') is not null")"
done
equals "INT_MIN / -1 of a 32-bit long, too" 1 "$(sqlite3 :memory: "select count(*)
    from json_each(json_extract(cast(readfile('wrong/summary.json') as text), '\$.alarms')) a
    where json_extract(a.value, '\$.function') = 'divided' and json_extract(a.value, '\$.cause') = 'quotient'")"
check "alarms' tests replay" "$cadenza" replay wrong -q

# An index that comes round in 32 bits is still none below the table's size.
echo 'static const int t[8]; int pick(unsigned i) { return t[i]; }' >pick.c
exits "preconditions do not wrap" 0 'precondition? pick: i < 8' "$cadenza" run pick.c -o pick --iterations 200 -- -m32

# ---- again ----
"$cadenza" run memory.c -o again -q --iterations 600 -- -m32
check "the same tests again" diff -r memory/tests again/tests

# ---- projects ----
mkdir project
cat >project/a.c <<'C'
enum kind { ONE, TWO };
unsigned long half(unsigned long x);
int user(unsigned long x, unsigned n)
{
    if (n == sizeof(enum kind) && n == 1) return 2; /* arm-none-eabi-gcc's enums are short */
    return half(x) == 0x70000000ul;
}
C
echo 'unsigned long half(unsigned long x) { if (sizeof x == 4 && x == 8) return 5; return x / 2; }' >project/b.c
cat >project/compile_commands.json <<'C'
[{"directory": ".", "file": "a.c", "command": "arm-none-eabi-gcc -mcpu=cortex-m0 -c a.c"},
 {"directory": ".", "file": "b.c", "command": "arm-none-eabi-gcc -mcpu=cortex-m0 -c b.c"}]
C
check "a project" "$cadenza" run -p project -o both -q --iterations 100 --unit extended
equals "a project: data model" ilp32 "$(json both/summary.json '$.data_model')"
equals "a project: nothing open" 0 "$(json both/summary.json '$.totals.branches_undetermined')"
equals "a project: enums of one byte" "" "$(grep 'infeasible .*n == 1: true' both/goals.txt)"
sed -i 's/arm-none-eabi-gcc -mcpu=cortex-m0 -c b.c/gcc -c b.c/' project/compile_commands.json
check "a project of both models" "$cadenza" run -p project -o mixed -q --iterations 100
equals "it says so" mixed "$(json mixed/summary.json '$.data_model')"
exits "they are not linked together" 6 'different data models' "$cadenza" run -p project -o apart --iterations 100 --unit extended

# ---- a whole program ----
cat >main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    char line[16];
    long n = argc > 1 ? atol(argv[1]) : 0;
    if (fgets(line, sizeof line, stdin) && line[0] == '#' && n == 31) { puts("both"); return 3; }
    return sizeof argv == 4 ? 0 : 1;
}
C
passes whole main.c 0 0 --program --stdin 8 --arg 1:4 --data-model ilp32
finish
