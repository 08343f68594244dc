// SPDX-License-Identifier: Apache-2.0
// Sorting, searching and small arithmetic of <stdlib.h>. qsort is a merge sort that
// calls the comparison in glibc's order, so ties and strange comparison functions
// give the same result as in the clean build.
#include "../../wire/wire.h"
#include "models.h"
#include <inttypes.h>
#include <stdlib.h>

void czrt_loss(unsigned loss);

struct sort {
    size_t size;
    int (*compare)(const void *, const void *, void *);
    void *argument;
    char *spare;
};

static void merge(const struct sort *sort, char *base, size_t n1, size_t n2)
{
    char *left = base, *right = base + n1 * sort->size, *out = sort->spare;
    const size_t size = sort->size, total = n1 + n2;
    while (n1 > 0 && n2 > 0) {
        if (sort->compare(left, right, sort->argument) <= 0) {
            __builtin_memcpy(out, left, size);
            left += size;
            n1--;
        } else {
            __builtin_memcpy(out, right, size);
            right += size;
            n2--;
        }
        out += size;
    }
    if (n1 > 0)
        __builtin_memcpy(out, left, n1 * size);
    __builtin_memcpy(base, sort->spare, (total - n2) * size);
}

static void merge_sort(const struct sort *sort, char *base, size_t n)
{
    if (n <= 1)
        return;
    size_t n1 = n / 2;
    merge_sort(sort, base, n1);
    merge_sort(sort, base + n1 * sort->size, n - n1);
    merge(sort, base, n1, n - n1);
}

void czm_qsort_r(void *base, size_t n, size_t size,
                 int (*compare)(const void *, const void *, void *), void *argument)
{
    if (n <= 1 || size == 0)
        return;
    czrt_loss(WIRE_LOSS_SORTING); // C leaves open what is compared and where equal elements go
    struct sort sort = {size, compare, argument, czrt_allocate(n * size)};
    merge_sort(&sort, base, n);
    free(sort.spare);
}

static int call_plain(const void *left, const void *right, void *compare)
{
    return (*(int (**)(const void *, const void *))compare)(left, right);
}

void czm_qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    czm_qsort_r(base, n, size, call_plain, &compare);
}

void *czm_bsearch(const void *key, const void *base, size_t n, size_t size,
                  int (*compare)(const void *, const void *))
{
    size_t low = 0, high = n;
    if (n > 1)
        czrt_loss(WIRE_LOSS_SORTING);
    while (low < high) {
        size_t middle = (low + high) / 2;
        const void *at = (const char *)base + middle * size;
        int order = compare(key, at);
        if (order == 0)
            return (void *)at;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

void *czm_lfind(const void *key, const void *base, size_t *n, size_t size,
                int (*compare)(const void *, const void *))
{
    for (size_t i = 0; i < *n; i++)
        if (compare(key, (const char *)base + i * size) == 0)
            return (void *)((const char *)base + i * size);
    return NULL;
}

int czm_abs(int value)
{
    return value < 0 ? (int)-(unsigned)value : value;
}

long czm_labs(long value)
{
    return value < 0 ? (long)-(unsigned long)value : value;
}

long long czm_llabs(long long value)
{
    return value < 0 ? (long long)-(unsigned long long)value : value;
}

intmax_t czm_imaxabs(intmax_t value)
{
    return czm_llabs(value);
}

div_t czm_div(int value, int by)
{
    return (div_t){value / by, value % by};
}

ldiv_t czm_ldiv(long value, long by)
{
    return (ldiv_t){value / by, value % by};
}

lldiv_t czm_lldiv(long long value, long long by)
{
    return (lldiv_t){value / by, value % by};
}

int czm_ffs(int value)
{
    return __builtin_ffs(value);
}

int czm_ffsl(long value)
{
    return __builtin_ffsl(value);
}

int czm_ffsll(long long value)
{
    return __builtin_ffsll(value);
}
