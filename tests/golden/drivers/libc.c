// SPDX-License-Identifier: Apache-2.0
// Golden drivers by behaviour (see memory.c): what the C library brings in from outside is
// an input, what it prints goes nowhere, the rest runs for real.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#define ANSWER(value) exit((value) & 255)

// TEST by_read: exit 120
// input descriptor[0..63] | unsigned char | 1 2 120 4 5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// input descriptor:length | unsigned | 5
// input arg:fd | int | 5
void by_read(int fd) { char b[4] = {0}; if (read(fd, b, 4) == 4) ANSWER(b[2]); }

// TEST by_getchar: exit 75
// input stdin[0..63] | unsigned char | 75 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// input stdin:length | unsigned | 1
// TEST by_getchar: exit 200
void by_getchar(void) { int c = getchar(); ANSWER(c == EOF ? 200 : c); }

// TEST by_fopen: exit 35
// input file:a.cfg[0..63] | unsigned char | 35 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// input file:a.cfg:length | unsigned | 1
// TEST by_fopen: exit 1
// input stub:fopen#1:fails | _Bool | 1
void by_fopen(void) { FILE *f = fopen("a.cfg", "r"); if (!f) ANSWER(1); ANSWER(getc(f)); }

// TEST by_fgets: exit 101
// input shape:arg:f | shape | present
// input arg:f[0..63] | unsigned char | 104 101 10 4 5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// input arg:f:length | unsigned | 5
void by_fgets(FILE *f) { char b[8]; if (f && fgets(b, 8, f) && strlen(b) == 3) ANSWER(b[1]); }

// TEST by_time: exit 46
// input stub:time#1:return | long | 46
void by_time(void) { ANSWER(time(NULL)); }

// TEST by_rand: exit 21
// input stub:rand#1:return | int | 1
// input stub:rand#2:return | int | 20
void by_rand(void) { int a = rand(); ANSWER(a + rand()); }

// TEST by_getenv: exit 110
// input shape:env:MODE | shape | present
// input env:MODE[0..15] | char | 111 110 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// TEST by_getenv: exit 4
void by_getenv(void) { const char *e = getenv("MODE"); ANSWER(e ? e[1] : 4); }

// TEST prints: exit 9
// input arg:x | int | 8
void prints(int x) { printf("exit %d\n", x); puts("exit 3"); fprintf(stderr, "%d", x); ANSWER(x + 1); }

// TEST for_real: exit 166
// input shape:arg:s | shape | present
// input arg:s[0..9] | char | 52 50 50 0 0 0 0 0 0 0
void for_real(const char *s) { if (s) ANSWER(atoi(s)); }
