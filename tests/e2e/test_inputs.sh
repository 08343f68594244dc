# SPDX-License-Identifier: Apache-2.0
# Every kind of input reaches the branch that needs it, and what cannot be known is
# undetermined, with its reason, and never called infeasible.
. "$(dirname "$0")/lib.sh"

cat >kinds.c <<'C'
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
enum mode { OFF, ON = 7, AUTO };
union word { unsigned char raw; struct { unsigned char low : 3, high : 5; } bits; };
struct pair { short a; unsigned long long b; };
struct node { struct node *next; int value; };
static const unsigned char table[256] = {[77] = 9, [200] = 5};
static int hidden;
extern int missing;
extern int samples[];
int sensor(void);
int k_bool(_Bool b) { if (b) return 1; return 0; }
int k_char(char c, signed char s, unsigned char u) { if (c == 'x' && s == -5 && u == 250) return 1; return 0; }
int k_short(short s, unsigned short u) { if (s == -1234 && u == 60000) return 1; return 0; }
int k_long(long l, unsigned long long u) { if (l == -5000000000 && u == 0xfedcba9876543210u) return 1; return 0; }
int k_wide(__int128 x) { if (x > ((__int128)1 << 100)) return 1; return 0; }
int k_enum(enum mode m) { switch (m) { case OFF: return 1; case ON: return 2; default: return 3; } }
int k_float(float f) { if (f > 11.75f && f < 11.875f) return 1; return 0; }
int k_double(double d) { if (d * 3.0 == 7.5) return 1; if ((int)d == 1234) return 2; return 0; }
int k_class(float f, double d) { if (isnan(f)) return 1; if (isinf(d)) return 2; if (!isnormal(f) && f != 0) return 3; if (sqrt(d) == 3.0) return 4; return floor(d) == -2.0; }
int k_bits(union word w) { if (w.bits.low == 5 && w.raw == 0x85) return 1; return 0; }
int k_struct(struct pair p) { if (p.a == 3 && p.b == 1ull << 40) return 1; return 0; }
int k_pointer(struct pair *p) { if (p && p->b == 77 && p[2].a == -9) return 1; return 0; }
int k_array(int a[4]) { if (a && a[3] == 1000) return 1; return 0; }
int k_list(struct node *n) { if (n && n->next && n->next->value == 5) return 1; return 0; }
int k_global(void) { if (hidden == 3) return 1; if (missing == 4) return 2; if (samples[7] == 1) return 3; return 0; }
int k_stub(void) { if (sensor() == 1 && sensor() == 2) return 1; return 0; }
int k_table(unsigned char c) { if (table[c] == 5) return 1; if (table[c] == 9) return 2; return 0; }
int k_string(const char *s) { if (!s) return -1; if (strcmp(s, "magic!") == 0) return 1; if (strstr(s, "xy")) return 2; return 0; }
int k_number(const char *s) { if (s && atoi(s) == 1234) return 1; return 0; }
int k_ctype(int c) { if (c < 0 || c > 255) return -1; if (isdigit(c)) return 1; if (isupper(c)) return 2; return 0; }
int k_malloc(void) { char *p = malloc(8); if (!p) return -1; free(p); return 0; }
int k_overflow(int a, int b) { int r; if (__builtin_add_overflow(a, b, &r)) return 1; if (r == 77) return 2; return 0; }
int k_elvis(int a, int b) { if ((a ?: b) == 5) return 1; return 0; }
int k_range(int x) { switch (x) { case 1 ... 5: return 1; case -3: return 2; } return 0; }
C
"$cadenza" run kinds.c -o kinds -q --iterations 400 || not_ok "kinds.c runs"
sqlite3 kinds/cadenza.db "select t.function || ' ' || branches_covered || '/' || branches from tasks t" >got
while read -r task covered; do
    [ "${covered%/*}" = "${covered#*/}" ] && ok "$task $covered" || not_ok "$task $covered"
done <got
equals "tasks" 24 "$(wc -l <got)"
equals "engine and llvm-cov agree" '[]' "$(json kinds/summary.json '$.disagreements')"

cat >open.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
struct node { struct node *next; };
int *volatile port;
int o_library(const wchar_t *s) { if (!s) return 0; if (wcscmp(s, L"b") == 0) return 1; return 2; }
int sensor(int *out);
int o_print(int x) { if (printf("%d", x) < 0) return 1; return 0; }
int o_text(const char *s) { if (s && strlen(s) > 12) return 1; return 0; }
int o_port(void) { if (port) if (!port) return 1; return 0; }
int o_calls(int on) { static int n; if (on) n++; else n = 0; if (n > 20) return 1; return 0; }
int o_depth(struct node *r) { int n = 0; while (r) { n++; r = r->next; } if (n > 6) return 1; return 0; }
int o_stub(void) { int v = 0; sensor(&v); if (v > 3) return 1; return 0; }
static int same(int x) { return x; }
int o_pointer(int (*f)(int), int x) { if (f) return f(x) == 7; return 0; }
int o_known(int x) { return o_pointer(same, x); }
int o_wide(long double x) { if (x > 2.0L) return 1; return 0; }
int o_elements(const unsigned char *p, int n) { int s = 0; if (!p) return 0; for (int i = 0; i < n; i++) s += p[i]; if (s > 2600) return 1; return 0; }
C
"$cadenza" run open.c -o open -q --iterations 300 --no-growth || not_ok "open.c runs"
equals "nothing that is feasible is called infeasible" 0 "$(json open/summary.json '$.totals.branches_infeasible')"
for task in o_library o_print o_text o_port o_calls o_depth o_stub o_wide o_elements; do
    check "$task has a goal that is open, or excluded under assumptions, with a reason" sh -c \
        "sqlite3 open/cadenza.db \"select reason from verdicts v join tasks t on v.task = t.id where t.function = '$task' and (v.verdict = 'undetermined' or v.assumes <> '')\" | grep ."
done
equals "engine and llvm-cov agree on these too" '[]' "$(json open/summary.json '$.disagreements')"

printf '#include <assert.h>\nint f(int x) { assert(x != 13); return x == 14; }\n' >asserts.c
"$cadenza" run asserts.c -o asserts -q
equals "the operand of sizeof in assert() is no disagreement" '[]' "$(json asserts/summary.json '$.disagreements')"

# A NULL that only code without labels looks at, and a list of arguments that is an input.
cat >format.c <<'C'
#include <stdarg.h>
#include <stdio.h>
int say(char *to, const char *format, va_list list)
{
    int n = vsnprintf(to, 4, format, list);
    if (n < 0) return 1;
    return 0;
}
C
"$cadenza" run format.c -o format -q
equals "the format is there in some test" 2 "$(json format/summary.json '$.totals.branches_covered')"
equals "... and the engine agrees with the clean build" '[]' "$(json format/summary.json '$.disagreements')"
finish
