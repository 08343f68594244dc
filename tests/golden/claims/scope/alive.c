// Correct programs: nothing here is used when it is gone.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf here;
static int sink;

static void look(int *p)
{
    sink += *p;
}

// Back over a declaration, and into a scope past one.
int jumps(int x)
{
    int turns = 0, *kept = &turns;
again:;
    int local = x + turns;
    look(&local);
    kept = &local;
    if (turns++ < 2)
        goto again;
    if (x == 3)
        goto inside;
    {
        int passed;
        passed = 1;
        look(&passed);
    inside:
        passed = 4;
        kept = &passed;
        if (*kept != 4)
            return 9;
    }
    return local;
}

int switches(int x)
{
    int *kept = 0;
    switch (x) {
        int shared;
    case 1:
        shared = 1;
        look(&shared);
        break;
    case 2:
        shared = 2;
        kept = &shared;
        if (*kept == 2)
            return 3;
        break;
    default: {
        int own = x;
        look(&own);
    }
    }
    return 0;
}

int loops(int n)
{
    int sum = 0;
    for (int i = 0; i < n && i < 5; i++) {
        int here = i, *p = &here, table[4] = {i};
        look(p);
        if (here == 3)
            continue;
        for (int k = 0; k < 2; k++) {
            int inner;
            inner = k + *p;
            look(&inner);
            if (inner == 3)
                break;
            sum += inner + table[k];
        }
        if (sum > 20)
            return sum;
    }
    return sum;
}

static void far(int n)
{
    char room[40];
    int kept = n;
    {
        int gone = n;
        look(&gone);
    }
    memset(room, n, sizeof room);
    look(&kept);
    if (n > 0)
        far(n - 1);
    longjmp(here, 1 + room[3]);
}

int long_jump(int x)
{
    volatile int turns = 0;
    int value = setjmp(here);
    {
        int local = value;
        look(&local);
    }
    if (turns++ < 2)
        far(x > 3 ? 3 : 1);
    char after[64];
    snprintf(after, sizeof after, "%d", sink);
    return after[0] == '7' ? 1 : 2;
}

int variable(int n)
{
    int sum = 0;
    for (int i = 1; i < n && i < 5; i++) {
        int room[i];
        for (int k = 0; k < i; k++)
            room[k] = k;
        look(room);
        sum += room[i - 1];
    }
    return sum > 4;
}

static int total(int count, ...)
{
    va_list list;
    int sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}

// The frames of calls lie where those of earlier calls were.
int arguments(int x)
{
    far_away:
    loops(3);
    switches(x);
    int sum = total(9, 1, 2, 3, 4, 5, 6, 7, 8, x);
    if (sum == 40)
        return 1;
    if (sum == 41 && sink < 0)
        goto far_away;
    return 0;
}

struct large {
    int at[12];
};

static struct large make(int x)
{
    struct large l = {{x}};
    look(l.at);
    return l;
}

static int first(struct large l)
{
    look(l.at);
    return l.at[0];
}

int values(int x)
{
    struct large l = make(x);
    if (first(make(x + 1)) == 8)
        return make(3).at[0];
    return first(l) == 9;
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

int sorts(int x)
{
    int table[5] = {3, x, 1, 4, 2};
    qsort(table, 5, sizeof *table, compare);
    int key = 4, *found = bsearch(&key, table, 5, sizeof *table, compare);
    return found && *found == 4 && table[0] == x;
}

int nested(int x)
{
    int sum = 0;
    while (sum < 10) {
        int a = x;
        look(&a);
        do {
            int b = sum;
            look(&b);
            if (x == 1)
                goto out;
            if (x == 2)
                break;
            {
                int c = 1;
                look(&c);
                if (x == 3)
                    return c;
                if (x == 4)
                    continue;
                sum += c;
            }
            sum++;
        } while (sum < 3);
        sum += 4;
        if (x == 7) {
            int d = 2;
            look(&d);
            goto out;
        }
    }
out:
    return sum;
}
