// SPDX-License-Identifier: Apache-2.0
// Writing gates as clauses. Gates are written operands first, with an explicit
// stack. An AND of ANDs that nobody else uses becomes one gate of many operands.
//
// What must be true is taken apart before it is written: the operands of an AND one
// by one, a negated AND as one clause. So the comparison of a byte with a constant
// costs eight units and no variable for the comparison.
#include "solver/cnf.h"

void cnf_init(struct cnf *cnf, struct gates *gates)
{
    *cnf = (struct cnf){.gates = gates};
}

void cnf_release(struct cnf *cnf)
{
    VEC_RELEASE(&cnf->stack);
    VEC_RELEASE(&cnf->leaves);
    VEC_RELEASE(&cnf->walk);
    VEC_RELEASE(&cnf->claims);
    VEC_RELEASE(&cnf->side_done);
    VEC_RELEASE(&cnf->clause);
}

void cnf_begin(struct cnf *cnf, struct sat *sat)
{
    cnf->sat = sat;
    cnf->variables = 0;
    cnf->claims.count = 0;
    cnf->side_done.count = 0;
}

static struct gate *cnf_gate(struct cnf *cnf, lit a)
{
    return &cnf->gates->all.items[a >> 1];
}

// Of a gate that is written.
static int cnf_name(struct cnf *cnf, lit a)
{
    const struct gate *x = cnf_gate(cnf, a);
    return x->value ^ (a & 1) ? x->variable : -x->variable;
}

static void clause2(struct cnf *cnf, int a, int b)
{
    sat_clause(cnf->sat, (int[]){a, b}, 2);
}

static void clause3(struct cnf *cnf, int a, int b, int c)
{
    sat_clause(cnf->sat, (int[]){a, b, c}, 3);
}

// The operands of the AND `root`, those of operands that are unshared ANDs included.
static void cnf_leaves(struct cnf *cnf, lit root)
{
    cnf->leaves.count = cnf->walk.count = 0;
    *VEC_PUSH(&cnf->walk) = root;
    while (cnf->walk.count) {
        lit a = cnf->walk.items[--cnf->walk.count];
        const struct gate *x = cnf_gate(cnf, a);
        bool open = !(a & 1) && x->kind == GATE_AND && !x->shared && !x->variable;
        if (a != root && !open) {
            *VEC_PUSH(&cnf->leaves) = a;
            continue;
        }
        *VEC_PUSH(&cnf->walk) = x->b;
        *VEC_PUSH(&cnf->walk) = x->a;
    }
}

static void cnf_operands(struct cnf *cnf, uint32_t gate)
{
    const struct gate *x = &cnf->gates->all.items[gate];
    if (x->kind == GATE_AND) {
        cnf_leaves(cnf, (lit)gate << 1);
        return;
    }
    cnf->leaves.count = 0;
    if (x->kind == GATE_INPUT)
        return;
    *VEC_PUSH(&cnf->leaves) = x->a;
    *VEC_PUSH(&cnf->leaves) = x->b;
    if (x->kind != GATE_XOR)
        *VEC_PUSH(&cnf->leaves) = x->c;
}

static void cnf_write_and(struct cnf *cnf, int out)
{
    cnf->clause.count = 0;
    *VEC_PUSH(&cnf->clause) = out;
    for (size_t i = 0; i < cnf->leaves.count; i++) {
        int a = cnf_name(cnf, cnf->leaves.items[i]);
        clause2(cnf, -out, a);
        *VEC_PUSH(&cnf->clause) = -a;
    }
    sat_clause(cnf->sat, cnf->clause.items, cnf->clause.count);
}

static void cnf_write_xor(struct cnf *cnf, int out, int a, int b)
{
    clause3(cnf, -out, a, b);
    clause3(cnf, -out, -a, -b);
    clause3(cnf, out, -a, b);
    clause3(cnf, out, a, -b);
}

// The last two clauses follow from the others; they let the output be known when
// both branches agree.
static void cnf_write_ite(struct cnf *cnf, int out, int a, int b, int c)
{
    clause3(cnf, -a, -b, out);
    clause3(cnf, -a, b, -out);
    clause3(cnf, a, -c, out);
    clause3(cnf, a, c, -out);
    clause3(cnf, -b, -c, out);
    clause3(cnf, b, c, -out);
}

static void cnf_write_maj(struct cnf *cnf, int out, int a, int b, int c)
{
    clause3(cnf, -a, -b, out);
    clause3(cnf, -a, -c, out);
    clause3(cnf, -b, -c, out);
    clause3(cnf, a, b, -out);
    clause3(cnf, a, c, -out);
    clause3(cnf, b, c, -out);
}

static void cnf_claim_side(struct cnf *cnf, uint32_t side)
{
    while (cnf->side_done.count <= side)
        *VEC_PUSH(&cnf->side_done) = false;
    if (cnf->side_done.items[side])
        return;
    cnf->side_done.items[side] = true;
    *VEC_PUSH(&cnf->claims) = cnf->gates->sides.items[side];
}

// Write a gate whose operands, in leaves, are written.
static void cnf_write(struct cnf *cnf, uint32_t gate)
{
    struct gate *x = &cnf->gates->all.items[gate];
    x->variable = ++cnf->variables;
    int out = x->value ? x->variable : -x->variable;
    const lit *l = cnf->leaves.items;
    switch (x->kind) {
    case GATE_INPUT:
        if (x->a)
            cnf_claim_side(cnf, x->a);
        break;
    case GATE_AND: cnf_write_and(cnf, out); break;
    case GATE_XOR: cnf_write_xor(cnf, out, cnf_name(cnf, l[0]), cnf_name(cnf, l[1])); break;
    case GATE_ITE:
        cnf_write_ite(cnf, out, cnf_name(cnf, l[0]), cnf_name(cnf, l[1]), cnf_name(cnf, l[2]));
        break;
    default:
        cnf_write_maj(cnf, out, cnf_name(cnf, l[0]), cnf_name(cnf, l[1]), cnf_name(cnf, l[2]));
        break;
    }
}

static bool cnf_push_missing(struct cnf *cnf)
{
    bool missing = false;
    for (size_t i = cnf->leaves.count; i-- > 0;) {
        lit a = cnf->leaves.items[i];
        if (cnf_gate(cnf, a)->variable)
            continue;
        *VEC_PUSH(&cnf->stack) = a >> 1;
        missing = true;
    }
    return missing;
}

static void cnf_write_stack(struct cnf *cnf)
{
    while (cnf->stack.count) {
        uint32_t gate = cnf->stack.items[cnf->stack.count - 1];
        if (!cnf->gates->all.items[gate].variable) {
            cnf_operands(cnf, gate);
            if (cnf_push_missing(cnf))
                continue;
            cnf_write(cnf, gate);
        }
        cnf->stack.count--;
    }
}

static int cnf_write_cone(struct cnf *cnf, lit root)
{
    *VEC_PUSH(&cnf->stack) = root >> 1;
    cnf_write_stack(cnf);
    return cnf_name(cnf, root);
}

// not (a and b and ...) as one clause. Writing a cone uses `leaves`, so they are
// written as a whole first.
static void cnf_claim_clause(struct cnf *cnf, lit root)
{
    cnf_leaves(cnf, root);
    while (cnf_push_missing(cnf)) {
        cnf_write_stack(cnf);
        cnf_leaves(cnf, root);
    }
    cnf->clause.count = 0;
    for (size_t i = 0; i < cnf->leaves.count; i++)
        *VEC_PUSH(&cnf->clause) = -cnf_name(cnf, cnf->leaves.items[i]);
    sat_clause(cnf->sat, cnf->clause.items, cnf->clause.count);
}

// An AND is taken apart once: ANDs that share operands have exponentially many paths.
static void cnf_claim(struct cnf *cnf, lit a)
{
    struct gate *x = cnf_gate(cnf, a);
    if (a == LIT_TRUE)
        return;
    if (a == LIT_FALSE) {
        sat_clause(cnf->sat, NULL, 0);
    } else if (x->kind == GATE_AND && !(a & 1)) {
        if (x->claimed)
            return;
        x->claimed = true;
        *VEC_PUSH(&cnf->claims) = x->b;
        *VEC_PUSH(&cnf->claims) = x->a;
    } else if (x->kind == GATE_AND && !x->variable) {
        cnf_claim_clause(cnf, a & ~(lit)1);
    } else {
        int unit = cnf_write_cone(cnf, a);
        sat_clause(cnf->sat, &unit, 1);
    }
}

static void cnf_settle(struct cnf *cnf)
{
    while (cnf->claims.count)
        cnf_claim(cnf, cnf->claims.items[--cnf->claims.count]);
}

void cnf_assert(struct cnf *cnf, lit a)
{
    *VEC_PUSH(&cnf->claims) = a;
    cnf_settle(cnf);
}

int cnf_literal(struct cnf *cnf, lit a)
{
    int name = cnf_write_cone(cnf, a);
    cnf_settle(cnf);
    return name;
}

bool cnf_value(struct cnf *cnf, lit a)
{
    if (!cnf_gate(cnf, a)->variable)
        return gates_value(cnf->gates, a);
    return sat_value(cnf->sat, cnf_name(cnf, a));
}
