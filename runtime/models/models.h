// SPDX-License-Identifier: Apache-2.0
// libc functions written in plain C and instrumented like the user's code, so that
// labels flow through them and every character they look at is a branch, as it is in
// the functions they stand for. czm_<name> has the behaviour of glibc's <name> in
// the C locale, corner cases included; tests/unit/test_models.c compares them.
//
// Compiled with the same flags as the unit. Blocks are moved with the compiler's
// __builtin_mem*, which the instrumenter knows; everything else is loops.
#ifndef CZM_MODELS_H
#define CZM_MODELS_H

#include <stddef.h>

void *czrt_allocate(size_t size); // of the runtime: memory that free() takes back

void *czm_memcpy(void *to, const void *from, size_t n);
void *czm_memmove(void *to, const void *from, size_t n);
void *czm_memset(void *to, int value, size_t n);
int czm_memcmp(const void *left, const void *right, size_t n);
void *czm_memchr(const void *in, int value, size_t n);

size_t czm_strlen(const char *text);
size_t czm_strnlen(const char *text, size_t n);
char *czm_stpcpy(char *to, const char *from);
char *czm_strchrnul(const char *text, int c);
char *czm_strchr(const char *text, int c);
int czm_strcmp(const char *left, const char *right);
int czm_strncmp(const char *left, const char *right, size_t n);
size_t czm_strspn(const char *text, const char *accept);
size_t czm_strcspn(const char *text, const char *reject);
int czm_tolower(int c);
int czm_toupper(int c);

long czm_strtol(const char *text, char **end, int base);
unsigned long czm_strtoul(const char *text, char **end, int base);
double czm_strtod(const char *text, char **end);

#endif
