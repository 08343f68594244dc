// Locals that are used when they are gone. Lines with a comment are where.
#include <string.h>

int block(int x)
{
    int *kept = 0;
    if (x > 3) {
        int inner = x;
        kept = &inner;
    }
    if (x > 3 && *kept == 7) /* scope */
        return 1;
    return 0;
}

struct pair {
    int *first, *second;
};
static int *last;

static struct pair addresses(int x)
{
    int a = x, b = x + 1;
    struct pair p = {&a, &b};
    return p;
}

int structure(int x)
{
    struct pair p = addresses(x);
    if (x == 5)
        return *p.second; /* scope */
    return 0;
}

static void keep(int x)
{
    int local = x;
    last = &local;
}

int global(int x)
{
    keep(x);
    if (x < -2)
        return *last == x; /* scope */
    return 0;
}

int loop(int n)
{
    int *before = 0, sum = 0;
    for (int i = 0; i < n && i < 4; i++) {
        int here = i;
        if (i == 2 && n == 3)
            sum += *before; /* nothing: the same place, in use again */
        before = &here;
    }
    if (n == 2)
        sum += *before; /* scope */
    return sum;
}

int leaves(int n)
{
    int *kept = 0;
    for (int i = 0; i < n; i++) {
        int here = i;
        kept = &here;
        if (i == 1)
            break;
        if (here == 9)
            return 3;
    }
    if (n > 1)
        return *kept; /* scope */
    return 0;
}

static char *name(int x)
{
    char buffer[8];
    strcpy(buffer, x > 2 ? "abc" : "d");
    return strchr(buffer, 'a');
}

int text(int x)
{
    const char *found = name(x);
    if (found)
        return strlen(found) == 3; /* scope */
    return 0;
}

static void store(int *to)
{
    *to = 1;
}

int written(int x)
{
    int *kept;
    {
        int table[3] = {x, 2, 3};
        kept = &table[1];
    }
    if (x == 4)
        *kept = 9; /* scope */
    if (x == 5)
        memset(kept, 0, sizeof *kept); /* scope */
    store(&x);
    return x;
}
