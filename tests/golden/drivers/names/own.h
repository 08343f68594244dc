// SPDX-License-Identifier: Apache-2.0
// Functions and variables of a freestanding project that have names of the C library.
extern int lost, time;
int log(int level);
int send(int *to);
int printf(int *line);
unsigned long strlen(const char *text);
int rand(int low, int high, int *out);
unsigned char getchar(void);
void *fopen(int id);
int index(int of, int *out);
int recv(int *slot);
void *malloc(unsigned long size);
void *memcpy(void *to, const void *from, unsigned long size);
struct command { int (*run)(int); };
extern const struct command commands[2];
