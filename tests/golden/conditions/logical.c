// SPDX-License-Identifier: Apache-2.0
// Logical operators wherever an expression may stand: conditions, values,
// arguments, indices, initialisers; with negations, casts, commas, constants.
#include <stdbool.h>
#include <stdio.h>

#define IN(x, lo, hi) ((x) >= (lo) && (x) <= (hi))
#define LIKELY(x) __builtin_expect(!!(x), 1)

struct node {
    int value;
    int table[4];
    struct node *next;
    unsigned field : 3;
    signed narrow : 2;
    _Bool flag;
    double real;
};

static int calls;
static int id(int x) { calls++; return x; }
static int pair(int a, int b) { return 10 * a + b; }

int nested(int a, int b, int c) { if (a && (b || !c)) return 1; return 0; }
int negated(int a, int b)
{
    if (!(a && b)) return 1;
    if (!!(a || b) && !(a && !(b || a))) return 2;
    if (!a) return 3;
    if (!!b) return 4;
    return !a + !(a || b);
}
int macros(int a, int b) { if (IN(a, 0, 1) || IN(b, 1, 2)) return 1; return IN(a, b, 2); }
int commas(int a, int b) { if ((calls++, a) && b) return 1; if ((id(a), 1)) return 2; return 0; }
int casts(long a, char b)
{
    if ((int)a && (bool)b) return 1;
    if ((char)(a || b)) return 2;
    return (unsigned char)(a && b) + (a ? (char)b : (short)a);
}
int values(int a, int b) { int x = a && b; x += a || b; x = x * 2 + (a < b); return x; }
int arguments(int a, int b, int c) { return pair(a && b, b || c) + pair(!a, a > b && c); }
int initialisers(int a, int b)
{
    int v[3] = {a && b, !a, [2] = a || b};
    struct node n = {.table = {[1] = a && b}, .value = a || b, .flag = a && b};
    return v[0] + 2 * v[1] + 4 * v[2] + 8 * n.table[1] + 16 * n.value + 32 * n.flag;
}
int expected(int a, int b) { if (LIKELY(a && b)) return 1; if (LIKELY(a)) return 2; return 0; }
int constants(int a)
{
    const int zero = 0;
    if (1 && a) return 1;
    if (a || 0) return 2;
    if (0 && a) return 3;
    if (a || 1) calls++;
    if ((a || 1) == 1) calls++;
    if (zero) return 4;
    if (sizeof(int) == 4 && a) return 5;
    if (1.0 && !a) return 6;
    return 0;
}
int kinds(struct node *n, char *p, double d, float f)
{
    int r = 0;
    if (p && *p && d && f > 1.0f) r |= 1;
    if (n && n->value > 0 && n->next->table[n->value & 3] == 2) r |= 2;
    if (n->field == 2 || n->flag || n->narrow) r |= 4;
    if (n->field && n->real) r |= 8;
    if (id && "text" && n->table) r |= 16;
    return r;
}
int assignments(int a, int b)
{
    int r;
    if ((r = id(a)) && (r = b)) return r;
    while ((r = id(b)) != 0 && b--) ;
    return r = a && b;
}
int bitwise(int a, int b) { if ((a > 1) & (b > 0)) return 1; if ((a > 1) ^ (b && a)) return 2; return 0; }
int compared(int a, int b) { if ((a && b) == 0) return 1; if ((a || b) != 0) return 2; return 0; }
int indexed(int *v, int a, int b) { return v[a && b] && v[a || b]; }
int several_lines(int a, int b)
{
    if (a &&
        (b
         ||
         !a) &&
        id(a &&
           b))
        return 1;
    return 0;
}
int extension(int a, int b) { if (__extension__(a && b)) return 1; return __extension__(a || b); }
int old_style(a, b) int a; char b; { if (a && b) return 1; return a || b; }
int deep(int a, int b, int c, int d)
{
    return ((a && b) || (c && !d) || !(a || (b && c && (d || !a)))) && (a ? b || c : c && d);
}

int main(void)
{
    struct node second = {.table = {1, 2, 2, 2}}, n = {.next = &second};
    int v[2] = {0, 3};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int c = 0; c < 2; c++) {
                n.value = a, n.field = (unsigned)b, n.flag = c, n.narrow = -c, n.real = a - 1;
                printf("%d %d %d %d %d %d %d %d ", nested(a, b, c), negated(a, b), macros(a, b),
                       commas(a, b), casts(a, (char)b), values(a, b), arguments(a, b, c),
                       initialisers(a, b));
                printf("%d %d %d %d %d %d %d %d ", expected(a, b), constants(a),
                       kinds(&n, c ? "x" : "", b, (float)a), assignments(a, b), bitwise(a, b),
                       compared(a, b), indexed(v, a, b), several_lines(a, b));
                printf("%d %d %d %d\n", extension(a, b), old_style(a, b), deep(a, b, c, a > b),
                       calls);
            }
}
