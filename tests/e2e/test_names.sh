# SPDX-License-Identifier: Apache-2.0
# Names of the C library for something else: a project's own strlen(), log(), send() and time
# are the project's, those of the tested file are tested as themselves, and the executable in
# which they stand, whose runtime calls the C library, works all the same.
. "$(dirname "$0")/lib.sh"

# branches SUMMARY: covered, infeasible and all
branches() {
    echo "$(json "$1" '$.totals.branches_covered') $(json "$1" '$.totals.branches_infeasible') $(json "$1" '$.totals.branches')"
}
# verdict GOALS TEXT OUTCOME
verdict() { sed -n "s/^  \([a-z]*\) .* $2: $3  -- .*/\1/p" "$1" | head -n 1; }
quiet() { equals "$1: nothing disagrees" "[]" "$(json "$2" '$.disagreements')"; }

# ---- functions of another file: every branch can be reached ----
mkdir project
cat >project/own.h <<'C'
int time(int *slot, int mode);
unsigned char getchar(void);
void *fopen(int id);
int rand(int lo, int hi, int *out);
int select(int a);
int index(int a, int *out);
int send(int *a);
int printf(int *a);
int strlen(int *x);
int log(int *level);
int recv(int *b);
int clock(void);
int sleep(int *x);
int abs(int x);
int daemon(int x);
void *memcpy(void *to, const void *from, unsigned long n);
C
cat >project/unit.c <<'C'
#include "own.h"
#define TASK(name, call) \
    int name(void) { int z = 0; int r = call; if (z == 41) return 1; if (r == -77) return 2; return 0; }
TASK(o_time, time(&z, 3))
TASK(o_rand, rand(1, 2, &z))
TASK(o_index, index(3, &z))
TASK(o_send, send(&z))
TASK(o_printf, printf(&z))
TASK(o_strlen, strlen(&z))
TASK(o_log, log(&z))
TASK(o_recv, recv(&z))
TASK(o_sleep, sleep(&z))
int o_getchar(void) { if (getchar() == 200) return 1; return 0; }
int o_fopen(void) { if (fopen(3)) return 1; return 0; }
int o_select(void) { if (select(3) == 99) return 1; return 0; }
int o_clock(void) { if (clock() == -4) return 1; return 0; }
int o_abs(void) { if (abs(-3) == -7) return 1; return 0; }
int o_daemon(void) { if (daemon(3) == -7) return 1; return 0; }
C
cat >project/copy.c <<'C'
#include "own.h"
int copies(void) { char to[2] = {0, 0}, from[2] = {4, 5}; memcpy(to, from, 2); if (to[1] != 5) return 1; return 0; }
C
cat >project/system.c <<'C'
#include <string.h>
#include <stdlib.h>
int measures(void) { if (strlen("abc") == 40) return 1; return 0; }
int counts(int x) { if (x > -100 && abs(x) == -5) return 1; return 0; }
C
cat >project/other.c <<'C'
#include "own.h"
int time(int *slot, int mode) { *slot = mode; return 4; }
unsigned char getchar(void) { return 3; }
void *fopen(int id) { return id ? (void *)0 : (void *)4; }
int rand(int lo, int hi, int *out) { *out = lo; return hi; }
int select(int a) { return a; }
int index(int a, int *out) { *out = a; return 3; }
int send(int *a) { *a = 3; return 4; }
int printf(int *a) { *a = 3; return 2; }
int strlen(int *x) { *x = 4; return 3; }
int log(int *level) { *level = 3; return 4; }
int recv(int *b) { *b = 4; return 3; }
int clock(void) { return 3; }
int sleep(int *x) { *x = 3; return 9; }
int abs(int x) { return x - 1; }
int daemon(int x) { return x; }
void *memcpy(void *to, const void *from, unsigned long n)
{
    for (char *t = to; n--; ) *t++ = *(const char *)from++;
    return to;
}
C
entries=
for file in unit copy system other; do
    entries="$entries${entries:+,}{\"directory\": \"$work/project\", \"file\": \"$file.c\", \"command\": \"cc -w -c $file.c\"}"
done
echo "[$entries]" >project/compile_commands.json
check "a project" "$cadenza" run -p project project/unit.c project/copy.c project/system.c -o p -q --iterations 60
unit=p/files/unit.c copy=p/files/copy.c system=p/files/system.c
equals "a project: every branch is covered" "48 0 48" "$(branches $unit/summary.json)"
quiet "a project" $unit/summary.json
check "a project: what they write is said" \
    grep -q "assumption of o_send: send() is a stub that returns a value and writes \*a" $unit/goals.txt
check "a project: also of what the library prints with" \
    grep -q "assumption of o_printf: printf() is a stub that returns a value and writes \*a" $unit/goals.txt
equals "memcpy does what compilers presume, whoever defines it" infeasible \
    "$(verdict $copy/goals.txt 'to\[1\] != 5' true)"
equals "what a system header declares is the C library's" infeasible \
    "$(verdict $system/goals.txt 'abs(x) == -5' true)"

cd project || exit 1
check "files without a project" "$cadenza" run unit.c other.c -o ../f -q --iterations 60
check "stubs that only return" "$cadenza" run unit.c other.c -o ../b -q --stubs baseline --iterations 60
cd ..
equals "files without a project: every branch is covered" "48 0 48" "$(branches f/files/unit.c/summary.json)"
equals "stubs that only return: the rest is not reached" "39" \
    "$(json b/files/unit.c/summary.json '$.totals.branches_covered')"

# ---- functions and variables of the tested file ----
cat >defines.c <<'C'
int time, signal, environ;
unsigned char write[4];
unsigned long strlen(const char *s) { unsigned long n = 0; while (s[n]) n += 2; return n; }
int abs(int x) { if (x == -7) return -1; return x < 0 ? x : -x; }
static int labs(int x) { return x == 5 ? -5 : 1; }
int printf(const char *text, int level) { if (level == 12) return 99; return *text == 'q' ? 3 : 0; }
void *memcpy(void *to, const void *from, unsigned long n) { char *t = to; const char *f = from; while (n--) t[n] = f[n] ^ 1; return 0; }
int read(int a) { return a + 1; }
void _exit(int code) { time = code; }
int open(int a) { if (a == 1234) { _exit(3); if (time == 3) return 1; } return 0; }
int positive(int x) { if (abs(x) > 0) return 1; return 0; }
int negative(int x) { if (labs(x) == -5) return 1; return 0; }
int folded(void) { if (strlen("abcd") == 4) return 1; return 0; }
int folded_wrong(void) { if (abs(-3) == -3) return 1; return 0; }
int reads(int x) { if (read(x) == 44) return 1; return 0; }
int variables(void) { if (time == 5 && signal == 7) return 1; if (environ == 99 && write[1] == 8) return 2; return 0; }
int copies(void) { char a[1] = {0}, b[1] = {2}; if (memcpy(a, b, 1)) return 1; if (a[0] == 3) return 2; return 0; }
C
check "defined in the file" "$cadenza" run defines.c -o d -q --iterations 100
quiet "defined in the file" d/summary.json
equals "defined in the file: nothing is open" 0 "$(json d/summary.json '$.totals.branches_undetermined')"
equals "its abs() is never positive" infeasible "$(verdict d/goals.txt 'abs(x) > 0' true)"
equals "its static labs() is negative" covered "$(verdict d/goals.txt 'labs(x) == -5' true)"
equals "nobody else's abs() is folded" covered "$(verdict d/goals.txt 'abs(-3) == -3' true)"
equals "its memcpy() returns NULL" infeasible "$(verdict d/goals.txt 'memcpy(a, b, 1)' true)"
equals "its memcpy() changes what it copies" covered "$(verdict d/goals.txt 'a\[0\] == 3' true)"
equals "its variables are inputs" covered "$(verdict d/goals.txt 'write\[1\] == 8' true)"
check "an alarm in its strlen() is put down to it" sh -c "'$cadenza' show d | grep -q 'wild pointer in strlen()'"
check "its tests replay" "$cadenza" replay d

# ---- several files in one executable ----
cat >main.c <<'C'
#include <stdio.h>
#include <string.h>
int log(int level);
int main(void)
{
    char b[8];
    if (!fgets(b, sizeof b, stdin)) return 1;
    if (strlen(b) == 40) return 2;
    if (log(b[0]) == 'x') return 3;
    return 0;
}
C
cat >rest.c <<'C'
int environ = 3, time;
unsigned long strlen(const char *s) { return *s == 'z' ? 40 : 3; }
int log(int level) { time++; return level + 1; }
void *calloc(unsigned long n, unsigned long m) { return 0; }
void stop(void) __attribute__((alias("labs")));
void labs(void) { time = 9; }
C
check "a whole program" "$cadenza" run --program main.c rest.c --stdin 6 -o w -q --iterations 60
equals "a whole program: every branch is covered" "8 0 8" "$(branches w/summary.json)"
quiet "a whole program" w/summary.json
cat >caller.c <<'C'
int log(int level);
extern int time;
int f(int x) { time = 0; if (log(x) == 7) return 1; if (time == 1) return 2; return 3; }
C
check "an extended unit" "$cadenza" run caller.c rest.c --unit extended -o e -q --iterations 60
equals "an extended unit: log() is what it is" infeasible \
    "$(verdict e/files/caller.c/goals.txt 'time == 1' false)"
quiet "an extended unit" e/files/caller.c/summary.json
# ---- functions on text that are the project's own run as they are ----
mkdir text
cat >text/str.h <<'C'
unsigned long strlen(const char *s);
int strcmp(const char *a, const char *b);
int isdigit(int c);
C
cat >text/str.c <<'C'
#include "str.h"
unsigned long strlen(const char *s) { unsigned long n = 0; while (s[n]) n++; return n; }
int strcmp(const char *a, const char *b) { while (*a && *a == *b) a++, b++; return *a - *b; }
int isdigit(int c) { return c >= '0' && c <= '7' ? 1 : 0; }
C
cat >text/unit.c <<'C'
#include "str.h"
int ends(char *s) { if (!s) return -1; unsigned long n = strlen(s); if (n > 4 && s[n - 1] == 'z') return 1; if (strcmp(s, "on") == 0) return 2; return 0; }
int octal(int c) { if (isdigit(c)) { if (c == '7') return 1; if (c == '9') return 2; } return 0; }
C
(cd text && "$cadenza" run unit.c str.c -o out -q --iterations 300 -- -ffreestanding)
summary=text/out/files/unit.c/summary.json
equals "own text functions: all that can be reached, and the rest is proven" "13 1 14" "$(branches $summary)"
equals "of this isdigit() 9 is none" infeasible "$(verdict text/out/files/unit.c/goals.txt "c == '9'" true)"
equals "and nothing is read behind the text" 0 "$(json $summary '$.totals.alarms')"
# ---- what the compiler knows of a name is not true of the project's function ----
mkdir known
printf 'void abort(void);\nextern int aborted;\n' >known/own.h
printf '#include "own.h"\nint aborted;\nvoid abort(void) { aborted = 1; }\n' >known/own.c
printf '#include "own.h"\nint t(int x) { aborted = 0; if (x == 3) abort(); if (aborted == 1) return 1; return 0; }\n' >known/unit.c
(cd known && "$cadenza" run unit.c own.c -o out -q --iterations 50)
equals "an abort() that returns" "4 0 4" "$(branches known/out/files/unit.c/summary.json)"
printf '#include <string.h>\nsize_t strlen(const char *s) { size_t n = 0; while (s[n]) n++; return n; }\n' >strlen.c
"$cadenza" run strlen.c -o strlen -q --iterations 50
equals "a definition of what a system header declares is called" "2 0 2" "$(branches strlen/summary.json)"
finish
