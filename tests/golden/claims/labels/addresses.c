// Outcomes that depend on where objects lie.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int g1, g2, table[8];
static const char word_a[] = "word";

int reused(void)
{
    char *p = malloc(16);
    free(p);
    char *q = malloc(16);
    int same = p == q;
    free(q);
    if (same)
        return 1;
    return 0;
}

int order_of_globals(void) { if (&g1 < &g2) return 1; return 0; }
int order_of_blocks(void)
{
    char *p = malloc(8), *q = malloc(8);
    int less = p < q;
    free(p);
    free(q);
    if (less)
        return 1;
    return 0;
}
int order_of_parameters(int *p, int *q) { if (!p || !q || p == q) return -1; if (p > q) return 1; return 0; }
int adjacent(void) { int *end = &g1 + 1; if (end == &g2) return 1; return 0; }
int alignment(char *p) { if (!p) return -1; if (((uintptr_t)p & 3) == 0) return 1; return 0; }
int hashed(int *p) { if (!p) return -1; if (((uintptr_t)p >> 4) % 7 == 3) return 1; return 0; }
static int bucket_of(uintptr_t key) { return (int)(key >> 5 & 7); }
int bucket(int *p) { if (!p) return -1; table[5] = 1; if (table[bucket_of((uintptr_t)p)]) return 1; return 0; }
int low_page(char *p) { if ((uintptr_t)p > 0x100000000) return 1; if (p) return 2; return 0; }
int distance(int *p, int *q) { if (!p || !q) return -1; if (p - q == 4) return 1; return 0; }
int literals(const char *p) { const char *a = "word"; if (a == word_a) return 1; return p == a; }
int stack_order(void) { int x = 0, y = 0; int *p = &x, *q = &y; if (p < q) return 1; return 0; }

// What always holds is decided, and stays provable.
int within(unsigned i)
{
    int a[10] = { 0 };
    int *p = a, *end = a + 10;
    for (; p != end; p++)
        if (p - a == 12)
            return 1;
    if (p < a)
        return 2;
    return i < 10 && &a[i] == end ? 3 : 0;
}
int different(void)
{
    int x = 0, y = 0;
    int *volatile p = &x, *volatile q = &y;
    int *a = p, *b = q;
    if (a == b)
        return 1;
    if (a == 0)
        return 2;
    return 0;
}
int round_trip(int *p)
{
    if (!p)
        return -1;
    uintptr_t n = (uintptr_t)p;
    int *q = (int *)n;
    q = (int *)(((uintptr_t)q | 1) & ~(uintptr_t)1);
    *q = 4;
    if (*p != 4)
        return 1;
    return 0;
}
int features(void) { __builtin_cpu_init(); if (__builtin_cpu_supports("avx512f")) return 1; return 0; }
int vendor(void) { if (__builtin_cpu_is("amd")) return 1; return 0; }

int order_of_numbers(void) { return (uintptr_t)&g1 < (uintptr_t)&g2 ? 1 : 2; }
