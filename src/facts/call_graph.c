// SPDX-License-Identifier: Apache-2.0
// The call graph: functions are solved callees first, and again while a callee's summary
// still grows (recursion), which ends because paths have a largest depth and sets a
// largest size. Also finds the functions that never return.
#include "facts/facts_internal.h"

#include "base/tunables.h"

static void add_edge(struct facts *facts, uint32_t from, uint32_t to, struct map *known)
{
    uint64_t seen, key = (uint64_t)from << 32 | to;
    if (!facts->symbols.items[to].defined || !facts->symbols.items[to].is_function ||
        map_get(known, key, &seen))
        return;
    map_put(known, key, 1);
    *VEC_PUSH(&facts->symbols.items[from].callees) = to;
    *VEC_PUSH(&facts->symbols.items[to].callers) = from;
}

static void add_edges(struct facts *facts, const struct body *body, struct map *known)
{
    for (size_t i = 0; i < body->calls.count; i++) {
        const struct body_call *call = &body->calls.items[i];
        if (call->callee != NONE)
            add_edge(facts, body->symbol, call->callee, known);
        if (call->target == NONE)
            continue;
        uint32_t slot = slot_top(facts, slot_of_value(body, call->target));
        for (size_t k = 0; k < facts->slots.items[slot].holds.count; k++)
            add_edge(facts, body->symbol, slot_address(facts, slot, k)->symbol, known);
    }
    for (size_t i = 0; i < body->defs.count; i++) {
        const struct def *def = &body->defs.items[i];
        const struct base *base = &facts->bases.items.items[def->from];
        if (def->kind == DEF_BASE && base->kind == BASE_FUNCTION)
            add_edge(facts, body->symbol, base->id, known);
    }
}

typedef VEC(uint32_t) order_list;

// Callees first. With a stack of its own: call chains may be long.
static void visit(struct facts *facts, uint32_t start, bool *seen, order_list *order)
{
    struct {
        uint32_t *items;
        size_t count, room;
    } stack = {0}, at = {0};
    *VEC_PUSH(&stack) = start;
    *VEC_PUSH(&at) = 0;
    seen[start] = true;
    while (stack.count) {
        struct symbol *symbol = &facts->symbols.items[stack.items[stack.count - 1]];
        uint32_t next = at.items[at.count - 1]++;
        if (next == symbol->callees.count) {
            *VEC_PUSH(order) = stack.items[--stack.count];
            at.count--;
        } else if (!seen[symbol->callees.items[next]]) {
            seen[symbol->callees.items[next]] = true;
            *VEC_PUSH(&stack) = symbol->callees.items[next];
            *VEC_PUSH(&at) = 0;
        }
    }
    VEC_RELEASE(&stack);
    VEC_RELEASE(&at);
}

static bool sweep(struct facts *facts, const order_list *order)
{
    bool any = false;
    for (size_t i = 0; i < order->count; i++) {
        struct symbol *symbol = &facts->symbols.items[order->items[i]];
        if (!symbol->dirty)
            continue;
        symbol->dirty = false;
        symbol->summary.changed = false;
        for (size_t k = 0; k < symbol->bodies.count; k++)
            solve_body(facts, facts->bodies.items[symbol->bodies.items[k]], &symbol->summary);
        for (size_t k = 0; symbol->summary.changed && k < symbol->callers.count; k++)
            any = facts->symbols.items[symbol->callers.items[k]].dirty = true;
    }
    return any;
}

// ---- functions that do not return ----

static bool can_return(const struct facts *facts, const struct body *body)
{
    bool *stops = xcalloc(body->blocks.count + 1, sizeof *stops);
    VEC(uint32_t) stack = {0};
    bool returns = false;
    for (size_t i = 0; i < body->calls.count; i++)
        if (body->calls.items[i].callee != NONE &&
            facts->symbols.items[body->calls.items[i].callee].never_returns)
            stops[body->calls.items[i].block] = true;
    if (body->blocks.count && !stops[0])
        *VEC_PUSH(&stack) = 0;
    while (stack.count && !returns) {
        const struct body_block *block = &body->blocks.items[stack.items[--stack.count]];
        returns = block->returns;
        for (uint32_t i = 0; i < block->count; i++) {
            uint32_t next = body->successors.items[block->first + i];
            if (!stops[next]) {
                stops[next] = true; // seen
                *VEC_PUSH(&stack) = next;
            }
        }
    }
    free(stops);
    VEC_RELEASE(&stack);
    return returns;
}

static void find_never_returning(struct facts *facts, const order_list *order)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < order->count; i++) {
            struct symbol *symbol = &facts->symbols.items[order->items[i]];
            bool returns = false;
            for (size_t k = 0; k < symbol->bodies.count; k++)
                returns |= can_return(facts, facts->bodies.items[symbol->bodies.items[k]]);
            changed |= !returns && !symbol->never_returns;
            symbol->never_returns = !returns;
        }
    }
}

void solve_all(struct facts *facts)
{
    struct map known;
    order_list order = {0};
    bool *seen = xcalloc(facts->symbols.count + 1, sizeof *seen);
    map_init(&known);
    for (size_t i = 0; i < facts->bodies.count; i++)
        add_edges(facts, facts->bodies.items[i], &known);
    for (uint32_t i = 0; i < facts->symbols.count; i++) {
        facts->symbols.items[i].dirty = facts->symbols.items[i].bodies.count > 0;
        if (facts->symbols.items[i].dirty && !seen[i])
            visit(facts, i, seen, &order);
    }
    unsigned sweeps = 0;
    while (sweeps++ < FACTS_SWEEPS && sweep(facts, &order))
        facts->widen = sweeps >= FACTS_SWEEPS_EXACT;
    for (size_t i = 0; i < order.count; i++)
        if (facts->symbols.items[order.items[i]].dirty)
            *VEC_PUSH(&facts->symbols.items[order.items[i]].summary.unknown) =
                phrase_get(facts, "is recursive in ways that were not followed to the end");
    find_never_returning(facts, &order);
    VEC_RELEASE(&order);
    map_release(&known);
    free(seen);
}
