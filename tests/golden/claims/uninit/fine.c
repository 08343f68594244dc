// Nothing here uses an uninitialised value: no alarm, and what cannot be is infeasible.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct padded {
    char c;
    int i;
    short s;
};

struct padded copies(struct padded *to, int x)
{
    struct padded p, q;
    p.c = 1;
    p.i = x; // p.s is not set
    q = p;
    memcpy(to, &q, sizeof q);
    if (q.i == 3)
        to->s = 4;
    return q;
}

int bits(unsigned x)
{
    struct {
        unsigned a : 3, b : 5, c : 24;
    } s;
    s.a = x & 7;
    s.b = 3;
    if (s.a == 5)
        return 1;
    if (s.b == 4)
        return 2; // infeasible
    return 0;
}

int wide_bits(unsigned long x)
{
    struct {
        unsigned long a : 40, b : 10;
        int : 0;
        signed d : 4;
    } s;
    s.b = x;
    s.d = -3;
    if (s.b == 700)
        return 1;
    if (s.d > 0)
        return 2; // infeasible
    return 0;
}

int unions(int x)
{
    union {
        int i;
        unsigned char bytes[16];
    } u;
    u.i = x;
    if (u.bytes[1] == 9)
        return 1;
    return 0;
}

int cleared(unsigned char i)
{
    char text[20];
    memset(text, 0, sizeof text);
    if (i < 20 && text[i] == 1)
        return 1; // infeasible
    return 0;
}

int filled(unsigned char i)
{
    int squares[8];
    for (int k = 0; k < 8; k++)
        squares[k] = k * k;
    if (i < 8 && squares[i] == 50)
        return 1; // infeasible
    return 0;
}

int filled_in_part(unsigned char i)
{
    int squares[8];
    for (int k = 0; k < 4; k++)
        squares[k] = k * k;
    if (i < 4 && squares[i] == 8)
        return 1; // infeasible
    return 0;
}

static int give(int *value, struct padded *p, int x)
{
    if (x < 0)
        return -1;
    *value = 2 * x;
    p->s = 3;
    return 0;
}

int out_parameters(int x)
{
    int value;
    struct padded p;
    if (give(&value, &p, x))
        return -1;
    if (value == 3)
        return 1; // infeasible
    return p.s == 3;
}

static int sum(int count, ...)
{
    va_list list, copy;
    va_start(list, count);
    va_copy(copy, list);
    int total = 0;
    for (int i = 0; i < count; i++)
        total += va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return total;
}

int variadic(int x)
{
    if (sum(3, x, 2, 3) == 9)
        return 1;
    return 0;
}

int jumps(int x)
{
    jmp_buf env;
    volatile int tries = 0;
    if (setjmp(env) == 0) {
        if (x == 3)
            longjmp(env, 1);
    } else
        tries++;
    return tries == 1;
}

int chosen(int x)
{
    int value, known = 0;
    if (x > 5) {
        value = x;
        known = 1;
    }
    if (known && value == 8)
        return 1;
    return 0;
}

int written_by_libc(int x)
{
    char text[40];
    struct tm broken;
    time_t when = 86400;
    snprintf(text, sizeof text, "%d", 12);
    if (text[0] != '1')
        return 2;
    gmtime_r(&when, &broken);
    if (broken.tm_mday == x)
        return 1;
    size_t end;
    double fraction = strtod("2.5", NULL);
    if (sscanf("17", "%zu", &end) == 1 && end == 17 && fraction > 2)
        return 3;
    return 0;
}

int all_ways(int x)
{
    int value;
    switch (x) {
    case 0:
        value = 1;
        break;
    case 1:
        value = 2;
        break;
    default:
        value = 3;
    }
    if (value == 4)
        return 1; // infeasible
    return 0;
}

int grows(int x)
{
    int *p = calloc(2, sizeof *p);
    if (!p)
        return -1;
    p[1] = x;
    int *q = realloc(p, 4 * sizeof *q);
    if (!q) {
        free(p);
        return -2;
    }
    int result = q[1] == 7 && q[0] == 0;
    free(q);
    return result;
}

extern int elsewhere(int *value, struct padded *p);

int from_a_stub(void)
{
    int value;
    struct padded p;
    if (elsewhere(&value, &p))
        return 2;
    if (value == 3 || p.s == 9)
        return 1;
    return 0;
}

int returns_on_all_ways(int x)
{
    if (x > 3)
        return 1;
    else
        return 2;
}

int uses_result(int x)
{
    if (returns_on_all_ways(x) == 3)
        return 1; // infeasible
    return 0;
}
