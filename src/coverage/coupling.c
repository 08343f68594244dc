// SPDX-License-Identifier: Apache-2.0
// Conditions that contradict each other: `x > 5 && x > 3`, `a && b || !a && c`. Where
// conditions of a decision compare the same value with constants (cfg/part.h), the
// constants cut the value's range into pieces on which every condition has one value.
// A vector that leaves no piece of some value is impossible in any state; a condition
// for which no two possible vectors make a pair can never be shown.
#include "coverage/coverage.h"

#include "base/tunables.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_CONDITIONS = 64 };

struct subject { // a value that several conditions compare
    uint32_t value;
    uint8_t width;
    uint64_t starts[COVERAGE_COUPLED_PIECES];
    unsigned count;
};

struct coupling {
    struct coverage *coverage;
    size_t decision;
    struct subject subjects[MAX_CONDITIONS];
    unsigned subject_count;
    int subject_of[MAX_CONDITIONS]; // -1: free
    uint64_t holds[MAX_CONDITIONS]; // pieces on which the condition is true
    VEC(struct decision_vector) vectors;
    bool too_many;
};

static bool compare(const struct cfg_comparison *c, uint64_t value)
{
    unsigned shift = 64u - c->width;
    int64_t s = (int64_t)(value << shift) >> shift, t = (int64_t)(c->constant << shift) >> shift;
    switch ((enum cfg_relation)c->relation) {
    case CFG_EQ: return value == c->constant;
    case CFG_NE: return value != c->constant;
    case CFG_SLT: return s < t;
    case CFG_SLE: return s <= t;
    case CFG_SGT: return s > t;
    case CFG_SGE: return s >= t;
    case CFG_ULT: return value < c->constant;
    case CFG_ULE: return value <= c->constant;
    case CFG_UGT: return value > c->constant;
    case CFG_UGE: return value >= c->constant;
    }
    return true;
}

static void add_start(struct subject *s, uint64_t at)
{
    uint64_t mask = s->width >= 64 ? UINT64_MAX : (1ull << s->width) - 1;
    at &= mask;
    for (unsigned i = 0; i < s->count; i++)
        if (s->starts[i] == at)
            return;
    if (s->count < COVERAGE_COUPLED_PIECES)
        s->starts[s->count] = at;
    s->count++; // beyond COVERAGE_COUPLED_PIECES: given up below
}

static int subject_for(struct coupling *k, const struct cfg_comparison *c)
{
    for (unsigned i = 0; i < k->subject_count; i++)
        if (k->subjects[i].value == c->value && k->subjects[i].width == c->width)
            return (int)i;
    struct subject *s = &k->subjects[k->subject_count];
    *s = (struct subject){.value = c->value, .width = c->width};
    add_start(s, 0);
    add_start(s, 1ull << (c->width - 1));
    return (int)k->subject_count++;
}

// Pieces are told apart by their first values: all relations are constant between two
// neighbouring starts, signed and unsigned.
static void cut(struct coupling *k, const struct cfg_comparison **of, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        k->subject_of[i] = of[i] ? subject_for(k, of[i]) : -1;
        if (of[i]) {
            add_start(&k->subjects[k->subject_of[i]], of[i]->constant);
            add_start(&k->subjects[k->subject_of[i]], of[i]->constant + 1);
        }
    }
    for (unsigned i = 0; i < count; i++) {
        if (k->subject_of[i] < 0)
            continue;
        const struct subject *s = &k->subjects[k->subject_of[i]];
        if (s->count > COVERAGE_COUPLED_PIECES)
            k->subject_of[i] = -1;
        for (unsigned p = 0; k->subject_of[i] >= 0 && p < s->count; p++)
            k->holds[i] |= (uint64_t)compare(of[i], s->starts[p]) << p;
    }
}

static uint64_t all_pieces(const struct subject *s)
{
    return s->count >= 64 ? UINT64_MAX : (1ull << s->count) - 1;
}

// All vectors that some state allows, by following the decision.
static void enumerate(struct coupling *k, const struct decision *d, int at, uint64_t evaluated,
                      uint64_t values, uint64_t *left)
{
    if (at < 0) {
        k->too_many |= k->vectors.count >= COVERAGE_COUPLED_VECTORS;
        if (!k->too_many)
            *VEC_PUSH(&k->vectors) = (struct decision_vector){
                (uint32_t)k->decision, at == DECISION_TRUE, true, evaluated, values};
        return;
    }
    int subject = k->subject_of[at];
    for (unsigned v = 0; v < 2 && !k->too_many; v++) {
        uint64_t before = subject >= 0 ? left[subject] : 0;
        if (subject >= 0)
            left[subject] &= v ? k->holds[at] : ~k->holds[at];
        if (subject < 0 || left[subject])
            enumerate(k, d, d->next[at][v], evaluated | 1ull << at, values | (uint64_t)v << at,
                      left);
        if (subject >= 0)
            left[subject] = before;
    }
}

static bool possible(const struct coupling *k, unsigned index)
{
    for (size_t i = 0; i < k->vectors.count; i++)
        for (size_t j = i + 1; j < k->vectors.count; j++)
            if (mcdc_shows(k->coverage, &k->vectors.items[i], &k->vectors.items[j], index))
                return true;
    return false;
}

static bool any_shared(const struct coupling *k, unsigned count)
{
    unsigned compared = 0;
    for (unsigned i = 0; i < count; i++)
        compared += k->subject_of[i] >= 0;
    return compared > k->subject_count || compared; // one alone may be constant
}

static void judge(struct coverage *c, size_t decision, const struct cfg_comparison **by_branch)
{
    const struct decision *d = &c->program->decisions[decision];
    const struct cfg_comparison *of[MAX_CONDITIONS] = {0};
    struct coupling *k = xcalloc(1, sizeof *k);
    k->coverage = c;
    k->decision = decision;
    for (unsigned i = 0; i < d->condition_count; i++)
        of[i] = by_branch[d->conditions[i]];
    cut(k, of, d->condition_count);
    uint64_t left[MAX_CONDITIONS];
    for (unsigned i = 0; i < k->subject_count; i++)
        left[i] = all_pieces(&k->subjects[i]);
    if (any_shared(k, d->condition_count))
        enumerate(k, d, d->first, 0, 0, left);
    else
        k->too_many = true;
    for (unsigned i = 0; !k->too_many && i < d->condition_count; i++)
        c->pair_coupled[d->conditions[i]] = !possible(k, i);
    VEC_RELEASE(&k->vectors);
    free(k);
}

void mcdc_find_coupled(struct coverage *c)
{
    const struct cfg *g = c->cfg;
    const struct program *program = c->program;
    const struct cfg_comparison **by_branch = xcalloc(program->branch_count + 1, sizeof *by_branch);
    for (size_t i = 0; i < g->comparison_count; i++)
        if (g->comparisons[i].branch < program->branch_count)
            by_branch[g->comparisons[i].branch] = &g->comparisons[i];
    for (size_t d = 0; d < program->decision_count; d++) {
        const struct decision *decision = &program->decisions[d];
        if (decision->condition_count > 1 && decision->condition_count <= MAX_CONDITIONS &&
            c->in_task[decision->function])
            judge(c, d, by_branch);
    }
    free(by_branch);
}
