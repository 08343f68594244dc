// SPDX-License-Identifier: Apache-2.0
// Expressions as readable text. A node that is used more than once, or would nest
// too deep, gets a line of its own; so lines stay short, nothing is written twice,
// and the recursion below is bounded by EXPR_PRINT_NESTING.
#include "expr/print.h"

#include "base/arena.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "expr/cone.h"
#include "expr/expr_internal.h"
#include <inttypes.h>
#include <stdlib.h>

struct printer {
    const struct expr_pool *pool;
    struct cone cone;
    struct buf *out;
    uint8_t *nesting; // by position in the cone; 0: has a line of its own
};

static void print_number(struct buf *out, const struct expr *e)
{
    if (e->y)
        buf_printf(out, "0x%" PRIx64 "%016" PRIx64, e->y, e->x);
    else if (e->x < 10)
        buf_printf(out, "%" PRIu64, e->x);
    else
        buf_printf(out, "0x%" PRIx64, e->x);
}

static bool is_leaf(const struct expr *e)
{
    return e->op == EXPR_CONST || e->op == EXPR_INPUT;
}

static void print_node(struct printer *p, expr_id id);

static void print_operand(struct printer *p, expr_id id)
{
    const struct expr *e = expr_get(p->pool, id);
    if (is_leaf(e) || p->nesting[cone_position(&p->cone, id)])
        print_node(p, id);
    else
        buf_printf(p->out, "%%%u", id);
}

static void print_node(struct printer *p, expr_id id)
{
    const struct expr *e = expr_get(p->pool, id);
    if (e->op == EXPR_CONST) {
        print_number(p->out, e);
        return;
    }
    if (e->op == EXPR_INPUT) {
        buf_printf(p->out, "in%u[%" PRIu64 "]", e->width, e->x);
        return;
    }
    buf_printf(p->out, "(%s", expr_op_text(e->op));
    if (e->op == EXPR_EXTRACT)
        buf_printf(p->out, " %" PRIu64 "+%u", e->x, e->width);
    else if (e->op == EXPR_READ)
        buf_printf(p->out, "%u table%" PRIu64, e->width, e->x);
    else if (expr_op_kind(e->op) == 'X')
        buf_printf(p->out, "%u", e->width);
    expr_id operands[3];
    unsigned count = expr_operands(e, operands);
    for (unsigned i = 0; i < count; i++) {
        buf_putc(p->out, ' ');
        print_operand(p, operands[i]);
    }
    buf_putc(p->out, ')');
}

// How deep a node nests below the next line of its own.
static void find_nesting(struct printer *p)
{
    for (size_t i = 0; i < p->cone.count; i++) {
        const struct expr *e = expr_get(p->pool, p->cone.ids[i]);
        expr_id operands[3];
        unsigned count = expr_operands(e, operands), deepest = 0;
        for (unsigned k = 0; k < count; k++) {
            unsigned below = p->nesting[cone_position(&p->cone, operands[k])];
            deepest = below > deepest ? below : deepest;
        }
        bool own_line = !is_leaf(e) && (p->cone.uses[i] > 1 || deepest + 1 > EXPR_PRINT_NESTING);
        p->nesting[i] = own_line ? 0 : (uint8_t)(deepest + 1);
    }
}

void expr_print(const struct expr_pool *pool, expr_id id, struct buf *out)
{
    struct printer p = {.pool = pool, .out = out};
    cone_find(&p.cone, pool, &id, 1, false);
    p.nesting = xcalloc(p.cone.count, 1);
    find_nesting(&p);
    for (size_t i = 0; i < p.cone.count; i++)
        if (!p.nesting[i] && p.cone.ids[i] != id) {
            buf_printf(out, "%%%u = ", p.cone.ids[i]);
            print_node(&p, p.cone.ids[i]);
            buf_putc(out, '\n');
        }
    print_node(&p, id);
    free(p.nesting);
    cone_release(&p.cone);
}
