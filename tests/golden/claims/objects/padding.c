// SPDX-License-Identifier: Apache-2.0
// Bytes of objects that belong to no member: code that looks at bytes sees them.
#include <string.h>

struct padded { char c; int x; };
struct bits { unsigned a : 3; unsigned b : 2; };
struct outer { short s; struct padded in; };
extern struct padded global;

int by_memcmp(struct padded *a, struct padded *b)
{
    if (!a || !b || a->c != b->c || a->x != b->x)
        return 0;
    if (memcmp(a, b, sizeof *a) != 0)
        return 1;
    return 2;
}

static unsigned sum(const void *data, unsigned n)
{
    const unsigned char *p = data;
    unsigned h = 0, i;
    for (i = 0; i < n; i++)
        h += p[i];
    return h;
}

int by_hash(struct outer o)
{
    if (o.s || o.in.c || o.in.x)
        return 0;
    if (sum(&o, sizeof o) == 7)
        return 1;
    return 2;
}

int by_global(void)
{
    const unsigned char *p = (const unsigned char *)&global;
    if (p[2] == 9)
        return 1;
    return 0;
}

int by_bits(struct bits *b)
{
    if (!b)
        return 0;
    if (*(unsigned char *)b >> 5)
        return 1;
    return 2;
}

int by_copy(struct padded *a)
{
    unsigned char raw[sizeof *a];
    if (!a)
        return 0;
    memcpy(raw, a, sizeof *a);
    if (raw[3] == 5)
        return 1;
    return 2;
}

// The padding of one record is a member of the other.
struct narrow { char c; int i; };
struct wide { char c, d; short s; int i; };
int as_other(struct narrow *n)
{
    if (!n)
        return 0;
    const struct wide *w = (const struct wide *)n;
    if (w->d == 5 && w->s == 77)
        return 1;
    return 2;
}
