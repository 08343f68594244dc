# SPDX-License-Identifier: Apache-2.0
# Exported tests: they compile without warnings by gcc and clang, pass, also under ASan and UBSan,
# fail when the code is changed, and keep what users write into them.
. "$(dirname "$0")/lib.sh"

cp "$root"/examples/quickstart.c "$root"/examples/valves.c "$root"/examples/bystruct.c \
    "$root"/examples/fig[1-6].c "$root"/examples/uart.c .

# A little of everything that a call may find.
cat >kinds.c <<'C'
#include <stdlib.h>
#include <string.h>
enum mode { OFF, ON = 5 };
struct node { int v; struct node *next; float weight; unsigned flag : 3; enum mode mode; char name[8]; };
union word { unsigned char bytes[4]; unsigned all; };
int counter = 3;
static int table[6];
int get_rpm(int channel, unsigned short *raw);
struct pair { short a; double b; };
struct pair twins(struct pair p) { if (p.a == 7) { p.b = 0.5; p.a = -7; } return p; }
int walk(struct node *n) { int sum = 0; while (n) { sum += n->v == 4 ? 10 : 1; n->flag = 5; n = n->next; } return sum; }
struct node *find(struct node *n, int v) { while (n && n->v != v) n = n->next; return n; }
int text(const char *s) { return s && strcmp(s, "go") == 0; }
float mean(float x, const float *list) { if (list && list[2] > 1.5f) return x + list[2]; return x * 0.5f; }
int rpm(int channel) { unsigned short raw = 0; if (get_rpm(channel, &raw) < 0) return -1; counter++; return raw > 1000 ? get_rpm(9, &raw) : raw; }
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
int apply(int (*f)(int), int x) { return f ? f(x) : 0; }
int pick(int which) { return apply(which == 2 ? twice : thrice, which); }
void set(int i, int v) { if (i >= 0 && i < 6) table[i] = v == 3 ? 33 : v; }
int total(int x) { static int sum; sum += x == 3; if (sum == 2) return 1; return 0; }
unsigned bits(union word *w) { if (w && w->bytes[1] == 9) { w->all = 0x01020304; return 1; } return 0; }
void drop(int *p, int x) { if (p && x == 2) free(p); }
int crash(int *p) { return *p; }
C
cat >own.c <<'C'
int limit = 10;
int clamp(int x) { if (x > limit) return limit; if (x < 0) return 0; return x; }
C

# exported NAME FORMAT: exports the run NAME to NAME-FORMAT
exported() { check "$1 as $2" "$cadenza" export "$1" --format "$2" -o "$1-$2"; }
# passes NAME FORMAT COMPILER FLAGS...: the suite compiles without warnings and passes
passes() {
    suite=$1-$2 name="$1 as $2 with $3 $4" cc=$3; shift 3
    make -C "$suite" clean >/dev/null
    check "$name" make -C "$suite" test CC="$cc" CFLAGS="-g -Wall -Wextra -Werror $*" UNITY="$work/unity"
}

# Debian has no package of Unity: a header of our own with the documented macros that we use.
mkdir unity
cat >unity/unity.h <<'C'
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
extern jmp_buf unity_end;
extern int unity_failed, unity_bad;
#define UNITY_BEGIN() (unity_failed = 0)
#define UNITY_END() unity_failed
#define RUN_TEST(f) (unity_bad = 0, setUp(), setjmp(unity_end) ? (void)0 : f(), unity_failed += unity_bad, tearDown())
#define UNITY_CHECK(holds) ((holds) ? (void)0 : (printf("%s:%d\n", __FILE__, __LINE__), unity_bad = 1, longjmp(unity_end, 1)))
#define TEST_IGNORE_MESSAGE(text) (puts(text), longjmp(unity_end, 1))
#define TEST_ASSERT_EQUAL_INT64(e, a) UNITY_CHECK((long long)(e) == (long long)(a))
#define TEST_ASSERT_EQUAL_PTR(e, a) UNITY_CHECK((e) == (a))
#define TEST_ASSERT_NULL(a) UNITY_CHECK((a) == NULL)
#define TEST_ASSERT_NOT_NULL(a) UNITY_CHECK((a) != NULL)
#define TEST_ASSERT_EQUAL_STRING(e, a) UNITY_CHECK(strcmp((e), (a)) == 0)
#define TEST_ASSERT_EQUAL_MEMORY(e, a, n) UNITY_CHECK(memcmp((e), (const void *)(a), (n)) == 0)
void setUp(void);
void tearDown(void);
C
printf '#include "unity.h"\njmp_buf unity_end;\nint unity_failed, unity_bad;\n' >unity/unity.c

for name in quickstart valves bystruct fig1 fig2 fig3 fig5 fig6 uart kinds own; do
    "$cadenza" run $name.c -o $name --iterations 300 >$name.out 2>&1 || not_ok "$name runs" "$(cat $name.out)"
    exported $name c
    passes $name c gcc -O1
done
for name in quickstart kinds; do
    passes $name c clang -O0
    passes $name c gcc -fsanitize=address,undefined
    exported $name cmocka
    passes $name cmocka gcc -O0
    passes $name cmocka clang -O0
    exported $name unity
    passes $name unity gcc -O0
    passes $name unity clang -O0
done
check "ctest runs the suite" sh -c "cmake -S kinds-cmocka -B kinds-cmake && cmake --build kinds-cmake && ctest --test-dir kinds-cmake"

# What a reader sees.
suite=quickstart.c/test_quickstart.c
suite=$work/quickstart.c.d
rm -rf "$suite"
"$cadenza" export quickstart --format c -o "$suite" >told 2>&1
equals "all tests of quickstart.c" "17 of 17 tests exported" "$(head -1 told)"
check "expected means observed" grep -q '"Expected" here means "observed"' "$suite/test_quickstart.c"
check "enumerators have their names" grep -q 'struct pump pump = {.state = RUNNING' "$suite/test_quickstart.c"
check "a crashing test is disabled" grep -q 'Disabled: it crashes' kinds.c.d/test_kinds.c 2>/dev/null ||
    check "a crashing test is disabled" grep -q 'Disabled: it crashes' "$work/kinds.c/test_kinds.c"
finish
