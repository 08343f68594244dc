# SPDX-License-Identifier: Apache-2.0
# limits_cases.sh DIR: writes programs that try the limits of a run, for bench/limits.sh and
# tests/e2e/test_limits.sh.
cd "$1" || exit 1
head='#include <sys/syscall.h>
#include <unistd.h>'

cat >stops.c <<C
$head
int stops(int x) { if (x > 5) syscall(SYS_kill, syscall(SYS_getpid), 19); return x < 0 ? 1 : 2; }
C
cat >blocks.c <<C
$head
int blocks(int x) { if (x > 5) syscall(SYS_pause); return x < 0 ? 1 : 2; }
C
cat >constructor.c <<C
$head
__attribute__((constructor)) static void begin(void) { syscall(SYS_pause); }
int constructor(int x) { return x < 0 ? 1 : 2; }
C
cat >destructor.c <<C
$head
__attribute__((destructor)) static void end(void) { for (;;) ; }
int destructor(int x) { return x < 0 ? 1 : 2; }
C
cat >touches.c <<C
#include <stdlib.h>
int touches(int x)
{
    if (x > 5)
        for (int i = 0; i < 50; i++) {
            char *p = malloc(100 << 20);
            for (long k = 0; p && k < 100 << 20; k += 4096)
                p[k] = 1;
        }
    return x < 0 ? 1 : 2;
}
C
cat >writes.c <<C
#include <stdio.h>
int writes(int x)
{
    static char block[1 << 20];
    FILE *f = x > 5 ? fopen("big", "w") : NULL;
    for (int i = 0; f && i < 5000; i++)
        fwrite(block, sizeof block, 1, f);
    return x < 0 ? 1 : 2;
}
C
cat >threads.c <<C
#include <pthread.h>
static volatile int go = 1;
static void *spin(void *argument)
{
    while (go)
        ;
    return argument;
}
int threads(int x)
{
    pthread_t thread;
    for (int i = 0; x > 5 && i < 8; i++)
        pthread_create(&thread, NULL, spin, NULL);
    return x < 0 ? 1 : 2;
}
C

# switch_of N: a switch of N cases, and a branch that is unreachable
switch_of() {
    awk -v n="$1" 'BEGIN {
        printf "int cases%d(int x, int y)\n{\n    switch (x) {\n", n
        for (i = 0; i < n; i++) printf "    case %d: return y + %d;\n", i * 7, i
        print "    default: break;\n    }\n    if (y > 3 && y < 2)\n        return 9;\n    return 0;\n}"
    }' >"cases$1.c"
}
switch_of 1000
switch_of 3000

awk 'BEGIN {
    print "int lines(int x, int y, int *p)\n{\n    int s = 0;"
    for (i = 0; i < 5000; i++) printf "    if (x == %d && y > %d)\n        s += p[%d] * %d;\n", i * 3, i, i % 10, i
    print "    return s;\n}"
}' >lines.c
awk 'BEGIN { for (i = 0; i < 10000; i++) printf "int f%d(int x) { return x > %d ? %d : x; }\n", i, i, i }' >functions.c
cat >interpreter.c <<'C'
int interpreter(const unsigned char *code, int n, int *mem)
{
    int pc = 0, acc = 0, steps = 0;
    while (pc >= 0 && pc < n && steps++ < 400) {
        switch (code[pc] % 8) {
        case 0: acc += mem[code[pc] & 63]; break;
        case 1: acc ^= acc * 31 + code[pc]; break;
        case 2: mem[acc & 63] = acc; break;
        case 3: if (acc > mem[pc & 63]) pc++; break;
        case 4: acc = acc * mem[1] + 7; break;
        case 5: if (acc % 7 == 3) pc += 2; break;
        case 6: if ((acc ^ mem[2]) == 12345678) return 77; break;
        default: acc = mem[acc & 31] / (1 + (mem[3] & 15));
        }
        pc++;
    }
    return acc;
}
C
