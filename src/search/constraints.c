// SPDX-License-Identifier: Apache-2.0
// From candidates to constraints: the path's, by a cursor that moves from the last
// candidate's path to the next one's, and the flipped outcome. For MC/DC also the
// conditions that follow the flipped one in its decision.
#include "search/explorer.h"

#include "base/tunables.h"

static expr_id equals(struct explorer *x, expr_id value, uint64_t constant)
{
    unsigned width = expr_get(x->pool, value)->width;
    uint64_t mask = width >= 64 ? UINT64_MAX : (1ull << width) - 1;
    return expr_binary(x->pool, EXPR_EQ, value, expr_const64(x->pool, width, constant & mask));
}

static expr_id pin_constraint(struct explorer *x, const struct tree_node *node, uint64_t outcome)
{
    if (outcome != TREE_OTHER)
        return equals(x, node->value, outcome);
    expr_id all = expr_true(x->pool);
    for (uint32_t e = node->first_edge; e; e = x->tree.edges.items[e].next)
        if (x->tree.edges.items[e].outcome != TREE_OTHER)
            all =
                expr_and(x->pool, all,
                         expr_not(x->pool, equals(x, node->value, x->tree.edges.items[e].outcome)));
    return all;
}

static expr_id constraint(struct explorer *x, uint32_t node, uint64_t outcome)
{
    const struct tree_node n = x->tree.nodes.items[node];
    if (n.kind == WIRE_SWITCH)
        return trace_switch_condition(x->pool, x->program, &x->program->switches[n.site], outcome,
                                      n.value);
    if (n.kind == WIRE_PIN)
        return pin_constraint(x, &n, outcome);
    return outcome ? n.value : expr_not(x->pool, n.value);
}

// Move the cursor to the path that ends with edge `via` of node `node`'s parent, that is,
// to all decisions above `node`. Paths share what they have in common up to the deepest
// edge with the same serial at the same depth.
static void move_cursor(struct explorer *x, uint32_t node)
{
    struct cursor *cursor = &x->cursor;
    const struct tree *tree = &x->tree;
    uint32_t depth = tree->nodes.items[node].depth, at = node;
    VEC_RESERVE(&cursor->steps, depth + 1);
    VEC_RESERVE(&cursor->constraints, depth + 1);
    size_t shared = cursor->steps.count < depth ? cursor->steps.count : depth;
    for (uint32_t i = depth; i-- > 0;) {
        uint32_t via = tree->nodes.items[at].via;
        const struct tree_edge *edge = &tree->edges.items[via];
        if (i < shared && cursor->steps.items[i].edge == via &&
            cursor->steps.items[i].serial == edge->serial)
            break;
        at = tree->nodes.items[at].parent;
        cursor->steps.items[i] = (struct cursor_step){via, edge->serial};
        cursor->constraints.items[i] = constraint(x, at, tree->edges.items[via].outcome);
    }
    cursor->steps.count = cursor->constraints.count = depth;
}

const expr_list *explorer_constraints(struct explorer *x, const struct candidate *candidate)
{
    move_cursor(x, candidate->node);
    *VEC_PUSH(&x->cursor.constraints) =
        constraint(x, candidate->node, x->tree.edges.items[candidate->edge].outcome);
    return &x->cursor.constraints;
}

// ---- the missing vector ----

// The next node of the parent run's path, or 0.
static uint32_t follow(const struct tree *tree, uint32_t node, uint32_t input, uint64_t *outcome)
{
    for (uint32_t e = tree->nodes.items[node].first_edge; e; e = tree->edges.items[e].next) {
        uint32_t child = tree->edges.items[e].child;
        if (tree->edges.items[e].state == EDGE_VISITED && child && child != TREE_DONE &&
            tree->nodes.items[child].input == input) {
            *outcome = tree->edges.items[e].outcome;
            return child;
        }
    }
    return 0;
}

// The outcome that the parent run took at a node: the visited edge on its path. A path
// that ends here leaves no child to tell it by, so the only visited edge is taken.
static bool taken_at(const struct tree *tree, uint32_t node, uint32_t input, uint64_t *outcome)
{
    if (follow(tree, node, input, outcome))
        return true;
    unsigned visited = 0;
    for (uint32_t e = tree->nodes.items[node].first_edge; e; e = tree->edges.items[e].next)
        if (tree->edges.items[e].state == EDGE_VISITED) {
            *outcome = tree->edges.items[e].outcome;
            visited++;
        }
    return visited == 1;
}

const expr_list *explorer_vector(struct explorer *x, const struct candidate *candidate)
{
    struct wire_vector begun = candidate_vector(&x->view, candidate), target;
    if (begun.decision == CFG_NONE || !coverage_wants_decision(x->coverage, begun.decision) ||
        !coverage_vector_helps(x->coverage, &begun, &target))
        return NULL;
    const struct tree *tree = &x->tree;
    uint32_t input = tree->nodes.items[candidate->node].input;
    unsigned index = x->program->branches[tree->nodes.items[candidate->node].site].index;
    move_cursor(x, candidate->node);
    expr_id flipped = constraint(x, candidate->node, tree->edges.items[candidate->edge].outcome);
    bool any = false;
    uint64_t outcome;
    uint32_t node = follow(tree, candidate->node, input, &outcome);
    for (unsigned steps = 0; node && steps < SEARCH_VECTOR_FOLLOWED; steps++) {
        const struct tree_node n = tree->nodes.items[node];
        const struct branch *b = n.kind == WIRE_COND ? &x->program->branches[n.site] : NULL;
        if (b && b->decision == begun.decision) {
            if (b->index <= index || !taken_at(tree, node, input, &outcome))
                break;
            index = b->index;
            if (target.evaluated >> index & 1) {
                uint64_t wanted = target.values >> index & 1;
                expr_id is = constraint(x, node, wanted);
                any = true;
                if (wanted == outcome) // holds on the parent input
                    *VEC_PUSH(&x->cursor.constraints) = is;
                else
                    flipped = expr_and(x->pool, flipped, is);
            }
        }
        node = follow(tree, node, input, &outcome);
    }
    *VEC_PUSH(&x->cursor.constraints) = flipped;
    return any ? &x->cursor.constraints : NULL;
}
