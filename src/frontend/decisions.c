// SPDX-License-Identifier: Apache-2.0
// A decision is a tree of && || ! with leaf conditions. In short-circuit order,
// each leaf leads to another leaf or to the outcome; while the tree is walked
// those targets are labels ("where the right operand begins"), resolved when the
// leaf at the label is known. That keeps long chains linear.
#include "frontend/decisions.h"

#include <string.h>

int decision_label(struct decision_builder *b)
{
    size_t label = b->labels.count;
    *VEC_PUSH(&b->labels) = DECISION_FALSE;
    return (int)label;
}

void decision_place(struct decision_builder *b, int label)
{
    b->labels.items[label] = (int)b->leaves.count;
}

void decision_leaf(struct decision_builder *b, size_t branch, int on_true, int on_false)
{
    *VEC_PUSH(&b->leaves) = (struct decision_leaf){branch, {on_false, on_true}};
}

static int resolve(const struct decision_builder *b, int target)
{
    return target >= 0 ? b->labels.items[target] : target;
}

// Past a constant, to where its value leads; what follows it has been done already.
static int skip_constant(const struct decision *d, const struct branch *branches, int target)
{
    if (target < 0 || !branches[d->conditions[target]].folded)
        return target;
    return d->next[target][branches[d->conditions[target]].low != 0];
}

static void skip_constants(struct decision *d, const struct branch *branches)
{
    for (unsigned i = d->condition_count; i-- > 0;)
        for (unsigned v = 0; v < 2; v++)
            d->next[i][v] = skip_constant(d, branches, d->next[i][v]);
    d->first = d->condition_count ? skip_constant(d, branches, 0) : 0;
}

void decision_finish(struct decision_builder *b, struct arena *arena, const struct branch *branches,
                     struct decision *out)
{
    out->condition_count = (unsigned)b->leaves.count;
    out->conditions = arena_array(arena, size_t, b->leaves.count);
    out->next = arena_alloc(arena, b->leaves.count * sizeof *out->next);
    for (size_t i = 0; i < b->leaves.count; i++) {
        const struct decision_leaf *leaf = &b->leaves.items[i];
        out->conditions[i] = leaf->branch;
        out->next[i][0] = resolve(b, leaf->next[0]);
        out->next[i][1] = resolve(b, leaf->next[1]);
    }
    skip_constants(out, branches);
    VEC_RELEASE(&b->leaves);
    VEC_RELEASE(&b->labels);
}
