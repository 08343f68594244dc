// SPDX-License-Identifier: Apache-2.0
// Building decision.next from a walk over a tree of && || !. A target is a label
// (>= 0) or DECISION_TRUE / DECISION_FALSE.
#ifndef CZ_FRONTEND_DECISIONS_H
#define CZ_FRONTEND_DECISIONS_H

#include "base/vec.h"
#include "program/program.h"

struct decision_leaf {
    size_t branch;
    int next[2];
};

struct decision_builder {
    size_t decision; // its index
    VEC(struct decision_leaf) leaves;
    VEC(int) labels; // label -> leaf index
};

int decision_label(struct decision_builder *b);
void decision_place(struct decision_builder *b, int label); // the next leaf is here
void decision_leaf(struct decision_builder *b, size_t branch, int on_true, int on_false);
// Fills *out and releases the builder; leaves are indices in `branches`.
void decision_finish(struct decision_builder *b, struct arena *arena, const struct branch *branches,
                     struct decision *out);

#endif
