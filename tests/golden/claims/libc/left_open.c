// SPDX-License-Identifier: Apache-2.0
// What C leaves to the library: which of equal elements comes first, and is found.
#include <math.h>
#include <stdlib.h>

struct entry {
    int key, number;
};

static int compare(const void *a, const void *b)
{
    return ((const struct entry *)a)->key - ((const struct entry *)b)->key;
}

int sorted(unsigned char key)
{
    struct entry table[3] = {{key, 0}, {5, 1}, {5, 2}};
    qsort(table, 3, sizeof *table, compare);
    if (table[0].number == 2)
        return 1;
    return 0;
}

int found(int x)
{
    struct entry table[3] = {{1, 0}, {5, 1}, {5, 2}}, key = {5, x};
    if (bsearch(&key, table, 3, sizeof *table, compare) == &table[2])
        return 1;
    return 0;
}

// A signalling NaN is no missing number. Only the library's own function knows (-fno-builtin).
int smaller(double a, double b)
{
    if (a != a)
        return 1;
    double c = fmin(a, b);
    if (c != c)
        return 2;
    return 0;
}

// A register of the processor has no address and is no input.
register unsigned long stack_pointer __asm__("rsp");

int aligned(void)
{
    if (stack_pointer & 8)
        return 1;
    return 0;
}
