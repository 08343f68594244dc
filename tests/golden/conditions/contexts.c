// SPDX-License-Identifier: Apache-2.0
// Places where C wants a constant or does not evaluate: nothing may be wrapped
// there, and the text must still compile and mean the same.
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define ARRAY_CHECK(x) sizeof(char[(x) ? 1 : -1])
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define IS_CONSTANT(x) (sizeof(int) == sizeof(*(8 ? ((void *)((long)(x) * 0l)) : (int *)8)))

static int file_scope = 1 && 2, other = 3 > 2 ? 4 : 5;
enum { ENUM_VALUE = 1 && 0, ANOTHER = 2 ? 7 : 8 };
char file_array[(3 > 2) ? 4 : 2];
_Static_assert(1 && 1, "both");
struct widths { unsigned a : (1 || 0) + 2; unsigned b : sizeof(int) == 4 ? 5 : 6; };
struct offsets { int v[4]; };
static const int table[] = {[1 && 1] = 3, [3 ? 2 : 1] = 4};
static int (*const handlers[])(const char *) = {puts, 0 ? 0 : puts};
typedef int aligned_int __attribute__((aligned(1 ? 16 : 8)));

int unevaluated(int a, int b)
{
    __typeof__(a ? 1 : 2) t = 1;
    _Alignas(1 && 1 ? 16 : 8) char c = 2;
    return (int)(sizeof(a && b) && a) + (int)sizeof(a ? 1 : 2) + t + c +
           (int)ARRAY_CHECK(sizeof(int) == 4 && 1) + (int)_Alignof(aligned_int);
}
int local_constants(int a)
{
    static int k = 3 > 2 && 1;
    static const char *const names[2] = {[0 || 1] = "one", [0] = (1 ? "zero" : "none")};
    enum { LOCAL = 1 && 1 };
    struct local { int bits : (1 && 1) + 3; int x[(2 > 1) ? 2 : 1]; } s = {.bits = a && k};
    _Static_assert(LOCAL && 1, "local");
    char fixed[1 ? 3 : 2] = {0};
    k += a;
    return k + names[a != 0][0] + LOCAL + s.bits + (int)sizeof fixed;
}
int generic(int a, int b)
{
    return _Generic(a ? 1 : 2, int: a && b, default: a || b) + _Generic((char)1, int: 1, char: b ? 2 : 3);
}
int builtins(int a, int b)
{
    int r = __builtin_choose_expr(1 && 1, a && b, a || b);
    r += __builtin_choose_expr(0, a ? 1 : 2, b ? 3 : 4);
    if (__builtin_choose_expr(1, a && b, 0)) r += 100;
    r += __builtin_constant_p(a && b) ? 10 : 20;
    r += __builtin_constant_p(3) ? 30 : 40;
    r += (int)__builtin_offsetof(struct offsets, v[1 && 1 ? 2 : 0]);
    return r + (int)__builtin_object_size(a ? &a : &b, 0) * 0;
}
int macros(int a, int b) { assert(a >= 0 && b >= 0); return MAX(a && b, MAX(a, b)) + (int)IS_CONSTANT(1 && 2); }
int range_designator(int a) { int v[4] = {[0 ... 2] = a && 1, [3] = a ? 2 : 3}; return v[1] + 10 * v[3]; }
int literals(int a, int b)
{
    struct pair { int x, y; } p = (struct pair){.x = a && b, .y = a ? b : 1};
    int *q = (int[]){a || b, a && !b};
    static const struct { int deep[2][2]; } d = {.deep = {[1] = {[0] = 1 && 1}}};
    return p.x + 2 * p.y + 4 * q[0] + 8 * q[1] + d.deep[1][0];
}
static inline int helper(int a) { return a && file_scope; }
static int unused_helper(int a) { return a ? 1 : 2; }

int main(int argc, char **argv)
{
    (void)argv, (void)sizeof(unused_helper(1));
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            printf("%d %d %d %d %d %d %d %d\n", unevaluated(a, b), local_constants(a), generic(a, b),
                   builtins(a, b), macros(a, b), range_designator(a), literals(a, b), helper(a));
    printf("%d %d %d %zu %d\n", file_scope, other, ENUM_VALUE + ANOTHER, sizeof file_array, table[2]);
    handlers[1](strlen("x") == 1 && argc ? "done" : "never");
}
