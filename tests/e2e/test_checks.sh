# SPDX-License-Identifier: Apache-2.0
# Every kind of check: a function that violates it under a condition is found at the right
# line and replays on the clean build, and its safe counterpart raises nothing. And alarms:
# grouped, with the simplest input, what matters in it, and the way.
. "$(dirname "$0")/lib.sh"

cat >checks.c <<'EOF'
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct box { int items[4]; int guard; };
static int table[8];
static unsigned char ring[4];

int null_bad(int *p, int k) { if (k == 7) return *p; /* null */ return 0; }
int null_safe(int *p, int k) { if (k == 7 && p) return *p; return 0; }

int global_bad(int i) { if (i >= 0 && i <= 8) return table[i]; /* bounds */ return 0; }
int global_safe(int i) { if (i >= 0 && i < 8) return table[i]; return 0; }

int heap_bad(unsigned n)
{
    char *p = malloc(16);
    if (!p)
        return 0;
    memset(p, 1, 16);
    int r = n <= 16 ? p[n] /* bounds */ : 0;
    free(p);
    return r;
}
int heap_safe(unsigned n)
{
    char *p = malloc(16);
    if (!p)
        return 0;
    memset(p, 1, 16);
    int r = n < 16 ? p[n] : 0;
    free(p);
    return r;
}

int stack_bad(unsigned i) { int a[5] = {1, 2, 3}; if (i < 6) return a[i]; /* bounds */ return 0; }
int stack_safe(unsigned i) { int a[5] = {1, 2, 3}; if (i < 5) return a[i]; return 0; }

int member_bad(struct box *b, unsigned i) { if (b && i < 5) return b->items[i]; /* member */ return 0; }
int member_safe(struct box *b, unsigned i) { if (b && i < 4) return b->items[i]; return 0; }
int *end_safe(struct box *b, unsigned i) { return b && i <= 4 ? &b->items[i] : 0; }

int freed_bad(int n)
{
    int *p = malloc(sizeof *p), r = 0;
    if (!p)
        return 0;
    *p = n;
    if (n == 1234)
        free(p);
    r = *p; /* freed */
    if (n != 1234)
        free(p);
    return r;
}
int freed_safe(int n)
{
    int *p = malloc(sizeof *p), r = 0;
    if (!p)
        return 0;
    *p = n;
    r = *p;
    free(p);
    return r;
}

void free_bad(int n)
{
    char *p = malloc(3);
    free(p);
    if (n == 77 && p)
        free(p); /* free */
}
void free_safe(int n)
{
    char *p = malloc(3);
    free(p);
    p = NULL;
    if (n == 77)
        free(p);
}

int division_bad(int a, int b) { if (a > 100) return a / (b - 5); /* division */ return 0; }
int division_safe(int a, int b) { if (a > 100 && b > 5) return a % (b - 5); return 0; }

int quotient_bad(int a, int b) { if (b < 0) return a / b; /* quotient */ return 0; }
int quotient_safe(int a, int b) { if (b < -1) return a / b; return 0; }

unsigned shift_bad(unsigned x, unsigned n) { if (x & 4) return x >> n; /* shift */ return 0; }
unsigned shift_safe(unsigned x, unsigned n) { if (n < 32) return x << n; return 0; }
int shift_top_safe(int n) { if (n == 31) return (int)(1u << n); return 0; }

int overflow_bad(int a, int b) { if (a > 1000) return a * b; /* overflow */ return 0; }
int overflow_safe(int a, int b) { return a > 0 && a < 1000 && b > 0 && b < 1000 ? a * b : 0; }
unsigned wrap_safe(unsigned a, unsigned b) { return a * b + 1u - b; }

int conversion_bad(double d) { if (d < -1) return (signed char)d; /* conversion */ return 0; }
int conversion_safe(double d) { if (d > -129 && d < 128) return (signed char)d; return 0; }

void assert_bad(int a) { if (a > 3) assert(a != 4711); /* assert */ }
void assert_safe(int a) { if (a > 3) assert(a > 2); }

void abort_bad(int a) { if (a == 815) abort(); /* abort */ }

int unreachable_bad(unsigned a)
{
    switch (a % 3) {
    case 0: return 4;
    case 1: return 5;
    }
    __builtin_unreachable(); /* unreachable */
}
int unreachable_safe(unsigned a)
{
    switch (a % 2) {
    case 0: return 4;
    case 1: return 5;
    }
    __builtin_unreachable();
}

void endless_bad(unsigned n)
{
    if (n < 400)
        for (uint8_t i = 0; i < n; i++) /* endless */
            ring[i % 4] = 1;
}
void endless_safe(unsigned n)
{
    if (n < 256)
        for (uint8_t i = 0; i < n; i++)
            ring[i % 4] = 1;
}
unsigned long_safe(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s ^= i; return s; }

int stack_overflow_bad(int n) /* stack */
{
    return n == 0 ? 0 : n > 20000 ? 1 : 1 + stack_overflow_bad(n - 1);
}
int stack_overflow_safe(int n)
{
    return n <= 0 || n > 50 ? 0 : 1 + stack_overflow_safe(n - 1);
}
EOF
run() { "$cadenza" run checks.c -o "$@" >"$1.txt" 2>&1; }
run found --iterations 400 --check overflow
alarm() { sqlite3 found/cadenza.db "select cause || ':' || a.line || ':' || reproduced from alarms a
    join tasks t on a.task = t.id where t.function = '$1' and cause <> 'null' and
    (cause <> 'overflow' or t.function like 'overflow%')"; }
# found_at FUNCTION CAUSE: one alarm (but for NULL where a pointer is passed), at the marked line
found_at() {
    at=$(awk -v f="$1" -v c="/* $2 */" '$0 ~ "[ *]" f "\\(" { on = 1 } on && index($0, c) { print NR; exit }' checks.c)
    expected="$2:$at:${3:-reproduced under sanitizers}"
    equals "$1 is found at its line" "$expected" "$(alarm "$1")"
}
equals "null_bad is found at its line" "null:$(grep -n '^int null_bad' checks.c | cut -d: -f1):reproduced under sanitizers" \
    "$(sqlite3 found/cadenza.db "select cause || ':' || a.line || ':' || reproduced from alarms a
       join tasks t on a.task = t.id where t.function = 'null_bad'")"
found_at global_bad bounds
found_at heap_bad bounds
found_at stack_bad bounds
found_at member_bad member
found_at freed_bad freed
found_at free_bad free
found_at division_bad division
found_at quotient_bad quotient
found_at shift_bad shift
found_at overflow_bad overflow
found_at conversion_bad conversion
found_at assert_bad assert
found_at abort_bad abort
found_at unreachable_bad unreachable
found_at endless_bad endless "reproduced on the clean build"
found_at stack_overflow_bad stack
equals "safe counterparts raise nothing" "" "$(sqlite3 found/cadenza.db \
    "select t.function || ' ' || a.cause || ' ' || a.line from alarms a join tasks t on a.task = t.id
     where t.function like '%_safe'")"
equals "engine and clean build agree" 0 "$(json found/summary.json '$.disagreements' | grep -c '"')"

# Verdicts of checks as goals.
verdict() { sqlite3 found/cadenza.db "select verdict from checks c join tasks t on c.task = t.id
    where t.function = '$1' and cause = '$2'"; }
equals "a violated check" violated "$(verdict shift_bad shift)"
equals "a check that holds on every path is safe" safe "$(verdict shift_safe shift)"
equals "a member's index is safe" safe "$(verdict member_safe member)"
equals "a product is safe" safe "$(verdict overflow_safe overflow)"
check "goals.txt tells it" grep -q '  safe .*shift_safe(): shift beyond width' found/goals.txt

# One alarm: simplest input, what matters, the way.
cat >story.c <<'EOF'
struct point { int x, y, unused[3]; };
int sum(const int *values, int count, struct point *p, int idle)
{
    int s = 0;
    for (int i = 0; i < 3; i++)
        s += idle > i;
    if (!p || !values || count < 20)
        return 0;
    if (p->x > 300)
        return s / (p->y - 9);
    return 1;
}
EOF
"$cadenza" run story.c -o story --iterations 400 --no-check bounds >story.txt 2>&1
equals "one alarm" 1 "$(json story/summary.json '$.totals.alarms')"
number=1
exits "show tells its story" 0 "story.c:10: division by zero in sum() if " "$cadenza" show story alarm-$number
"$cadenza" show story alarm-$number >alarm.txt
check "what matters is marked" grep -q '^  \* arg:p->y = 9 (int)' alarm.txt
check "as small as can be" grep -q '^  \* arg:p->x = 301 (int)' alarm.txt
check "what does not matter is zero" grep -q '^    arg:idle = 0 (int)' alarm.txt
check "the way there" grep -q 'story.c:9  sum(): p->x > 300: true' alarm.txt
check "with loops counted" grep -q 'i < 3: true, 3 times' alarm.txt
check "it is no bug yet" grep -q 'only if these inputs can occur' alarm.txt
check "nor worded as one" sh -c "! grep -qi 'bug' alarm.txt story.txt"
equals "the same in summary.json" "arg:p->y" \
    "$(sqlite3 :memory: "select json_extract(value, '\$.path') from
       json_each(cast(readfile('story/summary.json') as text), '\$.alarms[0].inputs')
       where json_extract(value, '\$.value') = '9'")"
exits "no such alarm" 2 "has 1 alarms, no alarm-9" "$cadenza" show story alarm-9

# Choosing.
"$cadenza" run checks.c -o fewer --iterations 60 --task shift_bad --task division_bad --task overflow_bad \
    --no-check shift,division >/dev/null 2>&1
equals "no alarms that are not wanted; no overflow by default" 0 "$(json fewer/summary.json '$.totals.alarms')"
exits "an unknown check" 2 "there is no check 'foo'; there are: null, bounds" \
    "$cadenza" run checks.c -o none --check foo
# A loop that is only long is no endless one; who asks is told.
"$cadenza" run checks.c -o long --iterations 200 --task long_safe --check steps >long.txt 2>&1
check "long executions, when asked for" grep -q "did not end within --steps in long_safe" long.txt

# What is no defect: a check that fails at once must not hide what lies behind it.
cat >behind.c <<'EOF'
int f(int a, int b) { int c = a / b; if (c == -77) return 2; return 0; }
int g(int a, int n) { int c = a << n; if (c == 48) return 2; return 0; }
EOF
"$cadenza" run behind.c -o behind --iterations 300 >/dev/null 2>&1
equals "what lies behind a division is covered" 4 "$(json behind/summary.json '$.totals.branches_covered')"
finish
