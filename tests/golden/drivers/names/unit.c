// SPDX-License-Identifier: Apache-2.0
// Golden drivers by behaviour (see memory.c): functions of the project that have names of the
// C library have stubs like any others, those on text and the file's own are called as they
// are, and neither takes the place of what the replay library itself calls.
#include "own.h"
void exit(int status); // the C library's: nobody here defines it
#define ANSWER(value) exit((int)(value) & 255)

// TEST by_log: exit 77
// input stub:log#1:lost | int | 70
// input stub:log#1:return | int | 7
void by_log(void) { lost = 1; int got = log(3); ANSWER(lost + got); }

// TEST by_send: exit 30
// input stub:send#1:*to | int | 10
// input stub:send#1:return | int | 20
void by_send(void) { int v = 0; int got = send(&v); ANSWER(v + got); }

// TEST by_printf: exit 9
// input stub:printf#1:*line | int | 4
// input stub:printf#1:return | int | 5
void by_printf(void) { int v = 0; int got = printf(&v); ANSWER(v + got); }

// TEST by_strlen: exit 1
void by_strlen(void) { ANSWER(strlen("ab")); }

// TEST by_rand: exit 60
// input stub:rand#1:*out | int | 40
// input stub:rand#1:return | int | 20
void by_rand(void) { int v = 0; int got = rand(1, 2, &v); ANSWER(v + got); }

// TEST by_getchar: exit 200
// input stub:getchar#1:return | unsigned char | 200
void by_getchar(void) { ANSWER(getchar()); }

// TEST by_fopen: exit 1
// TEST by_fopen: exit 2
// input shape:stub:fopen#1:return | shape | present
void by_fopen(void) { ANSWER(fopen(3) ? 2 : 1); }

// TEST by_index: exit 15
// input stub:index#1:*out | int | 8
// input stub:index#1:return | int | 7
void by_index(void) { int v = 0; int got = index(3, &v); ANSWER(v + got); }

// TEST by_recv: exit 13
// input stub:recv#1:*slot | int | 6
// input stub:recv#1:return | int | 7
void by_recv(void) { int v = 0; int got = recv(&v); ANSWER(v + got); }

// TEST by_malloc: exit 55
// input stub:malloc#1:lost | int | 50
void by_malloc(void) { lost = 0; char *p = malloc(4); p[3] = 5; ANSWER(lost + p[3]); }

// TEST by_memcpy: exit 6
void by_memcpy(void) { char to[2], from[2] = {4, 2}; memcpy(to, from, 2); ANSWER(to[0] + to[1]); }

// TEST by_variable: exit 46
// input time | int | 46
void by_variable(void) { ANSWER(time); }

// TEST by_table: exit 21
// input stub:log#1:return | int | 21
void by_table(void) { ANSWER(commands[0].run(2)); }

int signal, environ;
int abs(int x) { return x + 1; }
static int labs(int x) { return x < 0 ? 3 : 4; }
unsigned long strnlen(const char *text, unsigned long most) { return *text == 'q' ? most : 70; }
int write(int x) { signal += x; return 2; }
void _exit(int status) { environ = status; }

// TEST by_itself: exit 13
// input global:signal | int | 3
// input environ | int | 900
void by_itself(void)
{
    int got = write(1);
    _exit(2);
    ANSWER(got + signal + environ + abs(-2) + labs(-9) + 3 * (strnlen("ab", 1) == 70));
}
