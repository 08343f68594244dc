/* SPDX-License-Identifier: Apache-2.0 */
/* Values and objects for a call; see attack.h. */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DRIVER_ELEMENTS = 10,
    DRIVER_DEPTH = 4,
    BIG_ELEMENTS = 40,
    BIG_DEPTH = 7,
    CANDIDATES = 512,
    BLOCKS = 4096
};

static unsigned long long state;
static const struct attack_function *function;
static struct {
    enum kind kind;
    void *object;
} candidates[CANDIDATES];
static unsigned candidate_count;
static void *blocks[BLOCKS];
static unsigned block_count, nesting;

void values_begin(unsigned long long seed, const struct attack_function *of)
{
    state = seed;
    function = of;
    candidate_count = nesting = 0;
}

void values_end(void)
{
    while (block_count > 0)
        free(blocks[--block_count]);
}

unsigned long long rnd(void)
{
    unsigned long long z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

unsigned below(unsigned limit)
{
    return (unsigned)(rnd() >> 32) % limit;
}

long long any(void)
{
    static const long long ends[] = {0,
                                     1,
                                     -1,
                                     127,
                                     128,
                                     255,
                                     256,
                                     -128,
                                     32767,
                                     -32768,
                                     65535,
                                     2147483647,
                                     -2147483648LL,
                                     4294967295LL,
                                     0x7fffffffffffffffLL,
                                     -0x7fffffffffffffffLL - 1};
    unsigned how = below(16);
    if (how < 8 && function->constant_count) {
        long long constant = function->constants[below(function->constant_count)];
        return how == 0   ? (long long)((unsigned long long)constant + 1)
               : how == 1 ? (long long)((unsigned long long)constant - 1)
                          : constant;
    }
    if (how < 10)
        return ends[below(sizeof ends / sizeof *ends)];
    if (how < 14)
        return (long long)below(24) - 4;
    return (long long)(rnd() >> below(63));
}

double any_float(void)
{
    static const double ends[] = {
        0.0,    -0.0,       1.0,        -1.0, 0.5,     1e30,         -1e30,
        1e-310, 16777216.0, 16777217.0, 0.1,  1.0 / 3, 2147483648.0, 4503599627370496.5};
    switch (below(6)) {
    case 0: return ends[below(sizeof ends / sizeof *ends)];
    case 1: return (double)INFINITY;
    case 2: return (double)NAN;
    case 3: return (double)any() / 8;
    default: return (double)any();
    }
}

void init_char(void *at)
{
    *(char *)at = (char)any();
}

void init_short(void *at)
{
    *(short *)at = (short)any();
}

void init_int(void *at)
{
    *(int *)at = (int)any();
}

void init_long(void *at)
{
    *(long *)at = (long)any();
}

void init_float(void *at)
{
    *(float *)at = (float)any_float();
}

void init_double(void *at)
{
    *(double *)at = any_float();
}

void init_to_char(void *at)
{
    *(char **)at = below(5) ? any_text() : NULL;
}

void init_to_int(void *at)
{
    *(int **)at = any_pointer(KIND_INT, sizeof(int), init_int);
}

void init_bytes(void *at)
{
    *(unsigned char *)at = (unsigned char)rnd();
}

void fill(void *at, size_t size)
{
    if (!feature(FEATURE_PADDING)) {
        memset(at, 0, size);
        return;
    }
    unsigned how = below(4);
    unsigned char same = (unsigned char)any();
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)at)[i] = how == 0   ? same
                                   : how == 1 ? (unsigned char)any()
                                              : (unsigned char)rnd();
}

void candidate(enum kind kind, void *object)
{
    if (candidate_count < CANDIDATES) {
        candidates[candidate_count].kind = kind;
        candidates[candidate_count++].object = object;
    }
}

static void *block(size_t size)
{
    void *at = malloc(size ? size : 1);
    if (!at)
        abort();
    if (block_count < BLOCKS)
        blocks[block_count++] = at;
    fill(at, size);
    return at;
}

void *fresh(enum kind kind, size_t size, unsigned count, object_init *init)
{
    if (!count)
        count = feature(FEATURE_BIG) ? DRIVER_ELEMENTS + below(BIG_ELEMENTS) : DRIVER_ELEMENTS;
    if (feature(FEATURE_ADDRESSES))
        block(below(200));
    char *at = block(count * size);
    unsigned whole = nesting == 0 ? count : nesting == 1 ? 2 : 1; /* the rest is zero */
    nesting++;
    for (unsigned i = 0; i < count && i < whole; i++) {
        init(at + i * size);
        if (i < 3)
            candidate(kind, at + i * size);
    }
    nesting--;
    if (count > whole)
        memset(at + whole * size, 0, (count - whole) * size);
    return at;
}

static void *existing(enum kind kind)
{
    unsigned start = candidate_count ? below(candidate_count) : 0;
    for (unsigned i = 0; i < candidate_count; i++) {
        unsigned at = (start + i) % candidate_count;
        if (candidates[at].kind == kind || kind == KIND_CHAR)
            return candidates[at].object;
    }
    return NULL;
}

void *any_object(enum kind kind, size_t size, object_init *init)
{
    void *there = feature(FEATURE_ALIAS) && below(2) ? existing(kind) : NULL;
    return there ? there : fresh(kind, size, 0, init);
}

static void *sentinel(void)
{
    switch (below(5)) {
    case 0: return (void *)-1;
    case 1: return (void *)1;
    case 2: return (void *)(unsigned long)any();
    default: return (void *)(unsigned long)below(16);
    }
}

void *any_pointer(enum kind kind, size_t size, object_init *init)
{
    unsigned how = below(16);
    if (how < 3 || nesting >= (feature(FEATURE_BIG) ? BIG_DEPTH : DRIVER_DEPTH))
        return NULL;
    if (how < 6 && feature(FEATURE_SENTINEL)) {
        if (below(2))
            return sentinel();
        return (char *)fresh(kind, size, 0, init) + 1 + below(3); /* a tag in the low bits */
    }
    return any_object(kind, size, init);
}

/* Text of any length, made of letters, digits and characters that the function mentions. */
char *any_text(void)
{
    unsigned most = feature(FEATURE_BIG) ? 60 : DRIVER_ELEMENTS;
    unsigned length = below(4) ? below(5) : below(most);
    char *text = block(most + 2);
    for (unsigned i = 0; i < length; i++) {
        text[i] = (char)(below(3) ? "0123456789abcxyz +-.%,"[below(22)] : any());
        if (!text[i])
            text[i] = 'a';
    }
    memset(text + length, 0, most + 2 - length);
    candidate(KIND_CHAR, text);
    return text;
}
