// SPDX-License-Identifier: Apache-2.0
// Decision vectors and the pairs among them that show a condition. Conditions are
// numbered in source order and short-circuit evaluation only goes forward, so what can
// follow a value is found by one pass backwards over the conditions.
#include "coverage/coverage.h"

#include <stdlib.h>

enum { MAX_CONDITIONS = 64 };

bool mcdc_outcome(const struct decision *decision, uint64_t evaluated, uint64_t values,
                  bool *outcome)
{
    int at = decision->first;
    for (unsigned steps = 0; steps <= decision->condition_count; steps++) {
        if (at < 0) {
            *outcome = at == DECISION_TRUE;
            return true;
        }
        if ((unsigned)at >= decision->condition_count || at >= MAX_CONDITIONS ||
            !(evaluated >> at & 1))
            return false;
        at = decision->next[at][values >> at & 1];
    }
    return false;
}

size_t coverage_find_vector(const struct coverage *c, const struct wire_vector *vector)
{
    if (vector->decision >= c->program->decision_count)
        return SIZE_MAX;
    size_t *items = c->by_decision[vector->decision].items;
    for (size_t i = 0; i < c->by_decision[vector->decision].count; i++) {
        const struct decision_vector *known = &c->vectors.items[items[i]];
        if (known->evaluated == vector->evaluated && known->values == vector->values)
            return items[i];
    }
    return SIZE_MAX;
}

// Which values condition j may take in a search for vectors: bit v for value v.
struct choice {
    uint8_t allowed[MAX_CONDITIONS];
};

// Can the decision end with `outcome`? ok[j]: from condition j on.
static bool reachable(const struct decision *d, const struct choice *choice, bool outcome, bool *ok)
{
    for (unsigned j = d->condition_count; j-- > 0;) {
        ok[j] = false;
        for (unsigned v = 0; v < 2 && !ok[j]; v++) {
            int next = d->next[j][v];
            ok[j] = (choice->allowed[j] >> v & 1) &&
                    (next < 0 ? outcome == (next == DECISION_TRUE) : ok[next]);
        }
    }
    return d->first >= 0 && ok[d->first];
}

// Does condition `index` decide the outcome of the vector: with its value turned, and
// any values for what was not evaluated, can the decision end the other way?
static bool decides(const struct decision *d, const struct decision_vector *v, unsigned index)
{
    struct choice choice;
    bool ok[MAX_CONDITIONS];
    for (unsigned j = 0; j < d->condition_count; j++)
        choice.allowed[j] = v->evaluated >> j & 1 ? (uint8_t)(1u << (v->values >> j & 1)) : 3;
    choice.allowed[index] ^= 3;
    return reachable(d, &choice, !v->outcome, ok);
}

bool mcdc_shows(const struct coverage *c, const struct decision_vector *a,
                const struct decision_vector *b, unsigned index)
{
    uint64_t bit = 1ull << index, both = a->evaluated & b->evaluated;
    uint64_t differ = (a->values ^ b->values) & both;
    if (a->outcome == b->outcome || !(differ & bit))
        return false;
    if (c->rule != MCDC_MASKING)
        return differ == bit;
    const struct decision *d = &c->program->decisions[a->decision];
    return decides(d, a, index) && decides(d, b, index);
}

bool coverage_pair(const struct coverage *c, size_t branch, const bool *prefer, size_t pair[2])
{
    const struct branch *condition = &c->program->branches[branch];
    size_t *items = c->by_decision[condition->decision].items;
    size_t count = c->by_decision[condition->decision].count;
    int best = -1;
    if (condition->index >= MAX_CONDITIONS)
        return false;
    for (size_t i = 0; i < count && best < 2; i++) {
        for (size_t k = i + 1; k < count && best < 2; k++) {
            if (!mcdc_shows(c, &c->vectors.items[items[i]], &c->vectors.items[items[k]],
                            condition->index))
                continue;
            int score = prefer ? prefer[items[i]] + prefer[items[k]] : 2;
            if (score <= best)
                continue;
            best = score;
            pair[0] = items[i];
            pair[1] = items[k];
        }
    }
    return best >= 0;
}

static size_t show(struct coverage *c, size_t branch)
{
    if (c->pair_shown[branch])
        return 0;
    c->pair_shown[branch] = true;
    c->pair_count++;
    return 1;
}

// Which conditions does a new vector show together with those that were there?
static size_t update_pairs(struct coverage *c, size_t added)
{
    const struct decision_vector *vector = &c->vectors.items[added];
    const struct decision *decision = &c->program->decisions[vector->decision];
    size_t shown = 0;
    for (size_t i = 0; i < c->by_decision[vector->decision].count; i++) {
        const struct decision_vector *other =
            &c->vectors.items[c->by_decision[vector->decision].items[i]];
        uint64_t differ = (vector->values ^ other->values) & vector->evaluated & other->evaluated;
        for (; differ; differ &= differ - 1) {
            unsigned index = (unsigned)__builtin_ctzll(differ);
            size_t branch = decision->conditions[index];
            bool runs = vector->ran && other->ran;
            if ((c->pair_shown[branch] && (c->pair_ran[branch] || !runs)) ||
                !mcdc_shows(c, vector, other, index))
                continue;
            shown += show(c, branch);
            c->pair_ran[branch] |= runs;
        }
    }
    return shown;
}

void mcdc_add(struct coverage *c, const struct wire_vector *vector, bool crashed,
              struct coverage_gain *gain)
{
    if (vector->decision >= c->program->decision_count)
        return;
    size_t known = coverage_find_vector(c, vector);
    if (known != SIZE_MAX) {
        if (!crashed && !c->vectors.items[known].ran) {
            c->vectors.items[known].ran = true;
            update_pairs(c, known);
            gain->ran++;
        }
        return;
    }
    const struct decision *decision = &c->program->decisions[vector->decision];
    bool outcome;
    if (!c->in_task[decision->function] ||
        !mcdc_outcome(decision, vector->evaluated, vector->values, &outcome))
        return;
    size_t index = c->vectors.count;
    *VEC_PUSH(&c->vectors) = (struct decision_vector){vector->decision, outcome, !crashed,
                                                      vector->evaluated, vector->values};
    gain->pairs += update_pairs(c, index);
    *VEC_PUSH(&c->by_decision[vector->decision]) = index;
    gain->vectors++;
}

// ---- missing vectors ----

// A partner of `known` that shows condition `index` and begins with `begun`.
static bool partner(const struct decision *d, const struct decision_vector *known, unsigned index,
                    const struct wire_vector *begun, struct wire_vector *target)
{
    struct choice choice;
    bool ok[MAX_CONDITIONS];
    for (unsigned j = 0; j < d->condition_count; j++) {
        uint8_t wanted = known->evaluated >> j & 1 ? (uint8_t)(1u << (known->values >> j & 1)) : 3;
        if (j == index)
            wanted ^= 3;
        if (begun->evaluated >> j & 1)
            wanted &= (uint8_t)(1u << (begun->values >> j & 1));
        choice.allowed[j] = wanted;
    }
    if (!reachable(d, &choice, !known->outcome, ok))
        return false;
    *target = (struct wire_vector){.decision = begun->decision};
    for (int at = d->first; at >= 0;) {
        unsigned v = 0;
        while (v < 2) {
            int next = d->next[at][v];
            if ((choice.allowed[at] >> v & 1) &&
                (next < 0 ? known->outcome != (next == DECISION_TRUE) : ok[next]))
                break;
            v++;
        }
        target->evaluated |= 1ull << at;
        target->values |= (uint64_t)v << at;
        at = d->next[at][v & 1];
    }
    return target->evaluated >> index & 1;
}

bool coverage_vector_helps(struct coverage *c, const struct wire_vector *begun,
                           struct wire_vector *target)
{
    const struct decision *d = &c->program->decisions[begun->decision];
    if (d->condition_count > MAX_CONDITIONS)
        return false;
    for (unsigned i = 0; i < d->condition_count; i++) {
        if (!coverage_wants_pair(c, d->conditions[i]))
            continue;
        for (size_t k = 0; k < c->by_decision[begun->decision].count; k++) {
            const struct decision_vector *known =
                &c->vectors.items[c->by_decision[begun->decision].items[k]];
            if ((known->evaluated >> i & 1) && partner(d, known, i, begun, target))
                return true;
        }
    }
    return false;
}
