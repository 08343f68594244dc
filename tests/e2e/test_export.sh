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
    made=$1-$2 title="$1 as $2 with $3 $4" cc=$3; shift 3
    make -C "$made" clean >/dev/null
    check "$title" make -C "$made" test CC="$cc" CFLAGS="-g -Wall -Wextra -Werror $*" UNITY="$work/unity"
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
equals "all tests of quickstart.c" "17 of 17 tests exported" "$("$cadenza" export quickstart --format c -o quickstart-c | head -1)"
suite=quickstart-c/test_quickstart.c
check "expected means observed" grep -q '"Expected" here means "observed"' $suite
check "plain initialisers, enumerators by name" grep -q 'struct pump pump = {.state = RUNNING' $suite
check "a crashing test is disabled, with the reason" grep -q 'Disabled: it crashes' kinds-c/test_kinds.c
check "floats by bits, with the decimal beside them" grep -q 'REAL_BITS_AS(result, 0x1.*/\* [0-9.e+]* \*/' kinds-c/test_kinds.c
check "no address" sh -c "! grep -E '0x[0-9a-f]{9,}' kinds-c/test_kinds.c"

# Hand edits and requirements survive, also when the tests get other numbers.
key=$(sed -n 's/.*requirement \[\(pump_step-[0-9a-f]*\)\].*/\1/p' $suite | sed -n 3p)
sed -i "s,requirement \[$key\]: ,requirement [$key]: REQ-12 ,
    s,^/\* own code \[file\] \*/,&\nstatic int mine(void) { return 1; }," $suite
sed -i "/own code \[$key\]/a\\    CHECK_EQUAL(mine(), 1);" $suite
check "a second export" "$cadenza" export quickstart --format c -o quickstart-c
check "keeps a requirement" grep -q "requirement \[$key\]: REQ-12 " $suite
equals "keeps own code" 2 "$(grep -c 'mine()\|mine(void)' $suite)"
passes quickstart c gcc -O0
sed -i "s,$key,pump_step-00000000,g" $suite
"$cadenza" export quickstart --format c -o quickstart-c >/dev/null
check "and does not lose what belongs to no test" sh -c "sed -n '/^#if 0/,\$p' $suite | grep -q REQ-12"

# Planted changes of behaviour make tests fail: a result, a variable, a call of a stub.
planted() { # NAME FILE SED-SCRIPT RUN
    cp "$2" "$2.kept"
    sed -i "$3" "$2"
    make -C "$4-c" clean >/dev/null
    exits "$1" 2 "" make -C "$4-c" test
    cp "$2.kept" "$2"
}
planted "a result" quickstart.c 's/return 30;/return 31;/' quickstart
planted "an object behind a pointer" quickstart.c 's/pump->state = RUNNING;/pump->state = OFF;/' quickstart
planted "an argument of a stub" kinds.c 's/get_rpm(channel, /get_rpm(channel + 1, /' kinds
planted "a variable" kinds.c 's/counter++;/counter += 2;/' kinds

# gcov of gcc sees the branches that the run reports.
cp -r quickstart-c gcov
make -C gcov clean >/dev/null
make -C gcov test CC=gcc CFLAGS="-O0 --coverage" >/dev/null 2>&1
(cd gcov && gcov -b -c test_quickstart-test_quickstart.gcda 2>/dev/null || gcov -b -c ./*.gcda) >gcov.out 2>&1
# gcc counts the cases of a switch in its own way: 30 of 31 instead of 35 of 36
equals "gcov sees the branches, within 2 %" 1 "$(awk -v ours="$(sqlite3 quickstart/cadenza.db \
    'select 100.0 * branches_covered / branches from tasks')" '
    /^File/ { on = /quickstart\.c/ && !/test_quickstart/ }
    on && /^Taken at least once:/ { sub(/.*:/, ""); print ($0 + 0 >= ours - 2 && $0 + 0 <= ours + 2) }' gcov.out)"

# Other formats.
for format in json csv testcomp ktest; do
    check "quickstart as $format" "$cadenza" export quickstart --format $format -o data/$format
done
equals "json has all tests" 17 "$(json data/json/suite.json '$.tests[#-1].number')"
equals "csv has a row for each input" "$(sqlite3 quickstart/cadenza.db 'select count(*) from test_inputs')" "$(grep -c ',input,' data/csv/suite.csv)"
equals "a testcase per test" 17 "$(ls data/testcomp/quickstart.c/pump_step/testcase-*.xml | wc -l)"
equals "a .ktest begins as one" KTEST "$(head -c 5 data/ktest/quickstart.c/pump_step/test000001.ktest)"

# Errors: clear, and nothing is destroyed.
exits "no such format" 2 "there is no format 'tap'" "$cadenza" export quickstart --format tap
exits "no format" 2 "format are needed" "$cadenza" export quickstart
exits "a place that cannot be written" 3 "cannot" "$cadenza" export quickstart --format c -o /proc/none
cp -r quickstart broken
head -c 3000 quickstart/cadenza.db >broken/cadenza.db
cp -r quickstart-c before
exits "a truncated database" 3 "cadenza.db" "$cadenza" export broken --format c -o quickstart-c
echo '/* changed */' >>quickstart.c
exits "sources that have changed" 3 "quickstart.c has changed since the run" "$cadenza" export quickstart --format c -o quickstart-c
check "leave the old export alone" diff -r before quickstart-c
finish
