// SPDX-License-Identifier: Apache-2.0
// Collecting the nodes below some roots. The collected ids serve as the work list:
// each is expanded once, in the order of discovery, and sorted at the end.
#include "expr/cone.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include <stdlib.h>

static void cone_add(struct cone *cone, expr_id id)
{
    uint64_t known;
    if (map_get(&cone->positions, id, &known))
        return;
    map_put(&cone->positions, id, 0);
    vec_reserve((void **)&cone->ids, &cone->room, cone->count + 1, sizeof *cone->ids);
    cone->ids[cone->count++] = id;
}

static void cone_expand(struct cone *cone, const struct expr_pool *pool, expr_id id, bool tables)
{
    const struct expr *e = expr_get(pool, id);
    expr_id operands[3];
    unsigned count = expr_operands(e, operands);
    for (unsigned i = 0; i < count; i++)
        cone_add(cone, operands[i]);
    if (e->op != EXPR_READ || !tables)
        return;
    const struct expr_snapshot *s = expr_get_snapshot(pool, e->x);
    for (uint32_t i = 0; s->exprs && i < s->size; i++)
        if (s->exprs[i])
            cone_add(cone, s->exprs[i]);
}

static int compare_ids(const void *p, const void *q)
{
    expr_id a = *(const expr_id *)p, b = *(const expr_id *)q;
    return a < b ? -1 : a > b;
}

static void cone_count_uses(struct cone *cone, const struct expr_pool *pool)
{
    cone->uses = xcalloc(cone->count + 1, sizeof *cone->uses);
    for (size_t i = 0; i < cone->count; i++) {
        expr_id operands[3];
        unsigned count = expr_operands(expr_get(pool, cone->ids[i]), operands);
        for (unsigned k = 0; k < count; k++)
            cone->uses[cone_position(cone, operands[k])]++;
    }
}

void cone_find(struct cone *cone, const struct expr_pool *pool, const expr_id *roots, size_t count,
               bool tables)
{
    *cone = (struct cone){0};
    map_init(&cone->positions);
    for (size_t i = 0; i < count; i++)
        cone_add(cone, roots[i]);
    for (size_t i = 0; i < cone->count; i++)
        cone_expand(cone, pool, cone->ids[i], tables);
    if (cone->count)
        qsort(cone->ids, cone->count, sizeof *cone->ids, compare_ids);
    for (size_t i = 0; i < cone->count; i++)
        map_put(&cone->positions, cone->ids[i], i);
    cone_count_uses(cone, pool);
}

void cone_release(struct cone *cone)
{
    free(cone->ids);
    free(cone->uses);
    map_release(&cone->positions);
    *cone = (struct cone){0};
}

size_t cone_position(const struct cone *cone, expr_id id)
{
    uint64_t position;
    if (!map_get(&cone->positions, id, &position))
        BUG("expression %u is not in the cone", id);
    return position;
}
