// SPDX-License-Identifier: Apache-2.0
// Making gates. Every constructor first applies rules that need no new gate, then
// brings the operands into one order and polarity, and looks the gate up.
#include "solver/gates.h"

#include "base/arena.h"
#include "base/tunables.h"
#include <string.h>

void gates_init(struct gates *g, size_t limit)
{
    *g = (struct gates){.limit = limit, .bucket_count = SOLVER_GATE_BUCKETS};
    g->buckets = xcalloc(g->bucket_count, sizeof *g->buckets);
    *VEC_PUSH(&g->all) = (struct gate){0};
    *VEC_PUSH(&g->sides) = LIT_TRUE;
}

void gates_release(struct gates *g)
{
    VEC_RELEASE(&g->all);
    VEC_RELEASE(&g->sides);
    free(g->buckets);
    g->buckets = NULL;
}

static size_t gates_bucket(const struct gates *g, enum gate_kind kind, lit a, lit b, lit c)
{
    uint64_t h = ((uint64_t)a << 32 | b) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 29 ^ ((uint64_t)c << 3 | kind)) * UINT64_C(0xC4CEB9FE1A85EC53);
    return (h >> 32) & (g->bucket_count - 1);
}

static size_t gates_home(const struct gates *g, const struct gate *x)
{
    return gates_bucket(g, x->kind, x->a, x->b, x->c);
}

// After a small query only the buckets in use are cleared, so that one large query
// does not make all later ones slow.
void gates_clear(struct gates *g)
{
    if (g->all.count < g->bucket_count / 16)
        for (size_t i = 1; i < g->all.count; i++)
            g->buckets[gates_home(g, &g->all.items[i])] = 0;
    else
        memset(g->buckets, 0, g->bucket_count * sizeof *g->buckets);
    g->all.count = g->sides.count = 1;
    g->full = false;
}

static void gates_grow(struct gates *g)
{
    free(g->buckets);
    g->bucket_count *= 4;
    g->buckets = xcalloc(g->bucket_count, sizeof *g->buckets);
    for (uint32_t i = 1; i < g->all.count; i++) {
        struct gate *x = &g->all.items[i];
        if (x->kind == GATE_INPUT)
            continue;
        uint32_t *bucket = &g->buckets[gates_home(g, x)];
        x->next = *bucket;
        *bucket = i;
    }
}

static void gates_use(struct gates *g, lit a)
{
    struct gate *x = &g->all.items[a >> 1];
    x->shared |= x->used;
    x->used = true;
}

static lit gates_push(struct gates *g, struct gate x)
{
    if (g->limit && g->all.count >= g->limit) {
        g->full = true;
        return LIT_FALSE;
    }
    *VEC_PUSH(&g->all) = x;
    return (lit)(g->all.count - 1) << 1;
}

// The gate with these operands, which are in normal form.
static lit gates_intern(struct gates *g, enum gate_kind kind, lit a, lit b, lit c, bool value)
{
    if (g->all.count > g->bucket_count)
        gates_grow(g);
    uint32_t *bucket = &g->buckets[gates_bucket(g, kind, a, b, c)];
    for (uint32_t i = *bucket; i; i = g->all.items[i].next) {
        const struct gate *x = &g->all.items[i];
        if (x->a == a && x->b == b && x->c == c && x->kind == kind)
            return (lit)i << 1;
    }
    struct gate x = {.a = a, .b = b, .c = c, .next = *bucket, .kind = kind, .value = value};
    lit made = gates_push(g, x);
    if (g->full)
        return made;
    *bucket = made >> 1;
    gates_use(g, a);
    gates_use(g, b);
    if (kind == GATE_ITE || kind == GATE_MAJ)
        gates_use(g, c);
    return made;
}

lit gates_input(struct gates *g, bool value, uint32_t side)
{
    return gates_push(g, (struct gate){.kind = GATE_INPUT, .a = side, .value = value});
}

uint32_t gates_side(struct gates *g)
{
    *VEC_PUSH(&g->sides) = LIT_TRUE;
    return (uint32_t)g->sides.count - 1;
}

void gates_set_side(struct gates *g, uint32_t side, lit condition)
{
    g->sides.items[side] = condition;
}

static void order(lit *a, lit *b)
{
    if (*a > *b) {
        lit swap = *a;
        *a = *b;
        *b = swap;
    }
}

static const struct gate *gates_kind_of(const struct gates *g, lit a, enum gate_kind kind)
{
    const struct gate *x = &g->all.items[a >> 1];
    return !lit_is_const(a) && x->kind == kind ? x : NULL;
}

// a AND b where b is an AND or the negation of one that has a or its negation as an
// operand. False if there is no rule.
static bool gates_and_rule(struct gates *g, lit a, lit b, lit *out)
{
    const struct gate *x = gates_kind_of(g, b, GATE_AND);
    if (!x)
        return false;
    bool same = x->a == a || x->b == a;
    bool opposite = x->a == lit_not(a) || x->b == lit_not(a);
    if (!same && !opposite)
        return false;
    if (!(b & 1))
        *out = same ? b : LIT_FALSE;
    else if (opposite) // b is true when a is
        *out = a;
    else // a and not (a and y): a and not y
        *out = gates_and(g, a, lit_not(x->a == a ? x->b : x->a));
    return true;
}

lit gates_and(struct gates *g, lit a, lit b)
{
    lit result;
    order(&a, &b);
    if (a == LIT_FALSE || a == lit_not(b))
        return LIT_FALSE;
    if (a == LIT_TRUE || a == b)
        return b;
    if (gates_and_rule(g, a, b, &result) || gates_and_rule(g, b, a, &result))
        return result;
    return gates_intern(g, GATE_AND, a, b, 0, gates_value(g, a) && gates_value(g, b));
}

lit gates_xor(struct gates *g, lit a, lit b)
{
    lit sign = (a ^ b) & 1;
    a &= ~(lit)1;
    b &= ~(lit)1;
    order(&a, &b);
    if (a == LIT_FALSE)
        return b ^ sign;
    if (a == b)
        return sign;
    const struct gate *x = gates_kind_of(g, b, GATE_XOR);
    if (x && (x->a == a || x->b == a))
        return (x->a == a ? x->b : x->a) ^ sign;
    return gates_intern(g, GATE_XOR, a, b, 0, gates_value(g, a) != gates_value(g, b)) ^ sign;
}

lit gates_ite(struct gates *g, lit condition, lit yes, lit no)
{
    if (lit_is_const(condition))
        return condition == LIT_TRUE ? yes : no;
    if (condition & 1) {
        lit swap = yes;
        yes = no;
        no = swap;
        condition = lit_not(condition);
    }
    if (yes == no)
        return yes;
    if (yes == lit_not(no))
        return gates_xor(g, condition, no);
    if (yes == LIT_TRUE || yes == condition)
        return gates_or(g, condition, no);
    if (yes == LIT_FALSE || yes == lit_not(condition))
        return gates_and(g, lit_not(condition), no);
    if (no == LIT_FALSE || no == condition)
        return gates_and(g, condition, yes);
    if (no == LIT_TRUE || no == lit_not(condition))
        return gates_or(g, lit_not(condition), yes);
    lit sign = yes & 1;
    bool value = gates_value(g, gates_value(g, condition) ? yes : no) ^ sign;
    return gates_intern(g, GATE_ITE, condition, yes ^ sign, no ^ sign, value) ^ sign;
}

lit gates_maj(struct gates *g, lit a, lit b, lit c)
{
    order(&a, &b);
    order(&b, &c);
    order(&a, &b);
    if (a == LIT_FALSE)
        return gates_and(g, b, c);
    if (a == LIT_TRUE)
        return gates_or(g, b, c);
    if (a == b || b == lit_not(c))
        return a;
    if (b == c)
        return b;
    if (a == lit_not(b))
        return c;
    lit sign = a & 1; // majority is its own dual
    int votes = gates_value(g, a) + gates_value(g, b) + gates_value(g, c);
    return gates_intern(g, GATE_MAJ, a ^ sign, b ^ sign, c ^ sign, (votes >= 2) ^ sign) ^ sign;
}
