// SPDX-License-Identifier: Apache-2.0
// The functions that unit.c has stubs of.
#include "own.h"
int lost, time;
static char pool[64];
int log(int level) { lost += level; return level; }
int send(int *to) { *to = 3; return 4; }
int printf(int *line) { *line = 3; return 2; }
unsigned long strlen(const char *text) { return *text ? 1 : 0; }
int rand(int low, int high, int *out) { *out = low; return high; }
unsigned char getchar(void) { return 3; }
void *fopen(int id) { return id ? pool : 0; }
int index(int of, int *out) { *out = of; return 3; }
int recv(int *slot) { *slot = 4; return 3; }
void *malloc(unsigned long size) { lost++; return size < sizeof pool ? pool : 0; }
void *memcpy(void *to, const void *from, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        ((char *)to)[i] = ((const char *)from)[i];
    return to;
}
static int none(int x) { return x; }
const struct command commands[2] = {{log}, {none}};
