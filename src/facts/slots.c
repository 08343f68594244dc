// SPDX-License-Identifier: Apache-2.0
// Which functions (and addresses of variables) each pointer of the project may hold. A
// value has a slot, and the memory behind it has one: variables are the memory behind
// their addresses, fields of records are one slot for all objects of the record. Values
// flow in one direction; memory that two pointers share is one slot (after Steensgaard),
// so loads and stores through either meet. Calls through pointers add flows from
// arguments to parameters while the fixpoint runs.
#include "facts/facts_internal.h"

#include "program/libc.h"
#include <assert.h>

uint32_t slot_new(struct facts *facts, uint32_t count)
{
    uint32_t first = (uint32_t)facts->slots.count;
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&facts->slots)->up = first + i;
    return first;
}

uint32_t slot_field(struct facts *facts, const char *record, int64_t offset)
{
    struct buf key = BUF_INIT;
    uint64_t slot;
    buf_printf(&key, "%s+%lld", record, (long long)offset);
    if (!map_get_text(&facts->fields, key.data, &slot)) {
        slot = slot_new(facts, 1);
        map_put_text(&facts->fields, key.data, slot);
        *VEC_PUSH(&facts->field_names) = arena_strdup(&facts->arena, key.data);
        *VEC_PUSH(&facts->field_slots) = (uint32_t)slot;
    }
    buf_release(&key);
    return (uint32_t)slot;
}

uint32_t slot_top(struct facts *facts, uint32_t slot)
{
    assert(slot < facts->slots.count);
    struct slot_node *nodes = facts->slots.items;
    while (nodes[slot].up != slot) {
        nodes[slot].up = nodes[nodes[slot].up].up;
        slot = nodes[slot].up;
    }
    return slot;
}

static bool hold(struct facts *facts, uint32_t slot, uint32_t address)
{
    slot = slot_top(facts, slot);
    uint64_t key = (uint64_t)slot << 32 | address, known;
    if (map_get(&facts->held, key, &known))
        return false;
    map_put(&facts->held, key, 1);
    *VEC_PUSH(&facts->slots.items[slot].holds) = address;
    return true;
}

// Addresses of constants are not followed: nobody writes there, and there are many.
bool slot_hold(struct facts *facts, uint32_t slot, uint32_t symbol, int64_t offset)
{
    uint64_t key = (uint64_t)symbol << 32 | (uint32_t)offset, known = facts->addresses.count;
    if (facts->symbols.items[symbol].is_constant)
        return false;
    if (!map_get(&facts->address_ids, key, &known)) {
        map_put(&facts->address_ids, key, known);
        *VEC_PUSH(&facts->addresses) = (struct address){symbol, (int32_t)offset};
    }
    return hold(facts, slot, (uint32_t)known);
}

const struct address *slot_address(const struct facts *facts, uint32_t top, size_t index)
{
    return &facts->addresses.items[facts->slots.items[top].holds.items[index]];
}

uint32_t slot_of_value(const struct body *body, uint32_t node)
{
    return body->first_value + node;
}

uint32_t slot_of_memory(const struct body *body, uint32_t node)
{
    return body->first_value + body->node_count + node;
}

static bool flow(struct facts *facts, uint32_t from, uint32_t to)
{
    from = slot_top(facts, from);
    uint64_t key = (uint64_t)from << 32 | to, known;
    if (map_get(&facts->flows, key, &known))
        return false;
    map_put(&facts->flows, key, 1);
    *VEC_PUSH(&facts->slots.items[from].to) = to;
    return true;
}

// The earlier slot stays the top one, so that the order does not depend on sizes. Returns
// the pointees to unite next.
static bool unite_two(struct facts *facts, uint32_t a, uint32_t b, uint32_t next[2])
{
    a = slot_top(facts, a);
    b = slot_top(facts, b);
    next[0] = next[1] = 0;
    if (a == b)
        return false;
    uint32_t top = a < b ? a : b, other = a < b ? b : a;
    struct slot_node *nodes = facts->slots.items;
    nodes[other].up = top;
    nodes[top].open |= nodes[other].open;
    for (size_t i = 0; i < nodes[other].holds.count; i++)
        hold(facts, top, nodes[other].holds.items[i]);
    for (size_t i = 0; i < nodes[other].to.count; i++)
        flow(facts, top, nodes[other].to.items[i]);
    VEC_RELEASE(&nodes[other].holds);
    VEC_RELEASE(&nodes[other].to);
    next[0] = nodes[top].pointee;
    next[1] = nodes[other].pointee;
    if (!nodes[top].pointee)
        nodes[top].pointee = nodes[other].pointee;
    return true;
}

static bool unite(struct facts *facts, uint32_t a, uint32_t b)
{
    uint32_t next[2];
    bool changed = unite_two(facts, a, b, next);
    while (next[0] && next[1] && unite_two(facts, next[0] - 1, next[1] - 1, next))
        continue;
    return changed;
}

// The memory behind the pointers that a slot holds.
static uint32_t pointee(struct facts *facts, uint32_t slot)
{
    slot = slot_top(facts, slot);
    if (!facts->slots.items[slot].pointee) {
        uint32_t fresh = slot_new(facts, 1);
        facts->slots.items[slot].pointee = fresh + 1;
    }
    return facts->slots.items[slot].pointee - 1;
}

// ---- the graph ----

static void add_base(struct facts *facts, struct body *body, const struct def *def)
{
    const struct base *base = &facts->bases.items.items[def->from];
    uint32_t value = slot_of_value(body, def->node), memory = slot_of_memory(body, def->node);
    const struct symbol *function = &facts->symbols.items[body->symbol];
    switch (base->kind) {
    case BASE_FUNCTION: slot_hold(facts, value, base->id, 0); break;
    case BASE_GLOBAL:
        slot_hold(facts, value, base->id, def->offset);
        unite(facts, memory, def->field != NONE ? def->field : facts->symbols.items[base->id].slot);
        break;
    case BASE_PARAMETER:
        if (2 + 2 * base->id + 1 < function->slot_count) {
            flow(facts, function->slot + 2 + 2 * base->id, value);
            unite(facts, function->slot + 3 + 2 * base->id, memory);
        }
        break;
    case BASE_UNKNOWN: facts->slots.items[slot_top(facts, value)].open = true; break;
    default: break;
    }
}

static void add_def(struct facts *facts, struct body *body, const struct def *def)
{
    if (def->kind == DEF_BASE) {
        add_base(facts, body, def);
        return;
    }
    uint32_t value = slot_of_value(body, def->node), memory = slot_of_memory(body, def->node);
    uint32_t from = slot_of_value(body, def->from), behind = slot_of_memory(body, def->from);
    switch (def->kind) {
    case DEF_COPY:
        flow(facts, from, value);
        unite(facts, memory, behind);
        break;
    case DEF_OFFSET: unite(facts, memory, def->field != NONE ? def->field : behind); break;
    default:
        flow(facts, behind, value);
        unite(facts, memory, pointee(facts, behind));
        break;
    }
}

static bool pass(struct facts *facts, struct body *body, const struct body_call *call,
                 const struct symbol *callee)
{
    bool changed = false;
    for (uint32_t i = 0; i < call->count && 2 * i + 3 < callee->slot_count; i++) {
        uint32_t node = body->arguments.items[call->first + i];
        if (node == NONE)
            continue;
        changed |= flow(facts, slot_of_value(body, node), callee->slot + 2 + 2 * i);
        changed |= unite(facts, slot_of_memory(body, node), callee->slot + 3 + 2 * i);
    }
    if (call->result != NONE && callee->slot_count) {
        changed |= flow(facts, callee->slot, slot_of_value(body, call->result));
        changed |= unite(facts, slot_of_memory(body, call->result), callee->slot + 1);
    }
    return changed;
}

static void add_direct_call(struct facts *facts, struct body *body, const struct body_call *call)
{
    const struct symbol *callee = &facts->symbols.items[call->callee];
    pass(facts, body, call, callee);
    if (callee->defined || call->result == NONE)
        return;
    unsigned returned = libc_returns(callee->name);
    uint32_t node = returned < call->count ? body->arguments.items[call->first + returned] : NONE;
    if (node != NONE) {
        flow(facts, slot_of_value(body, node), slot_of_value(body, call->result));
        unite(facts, slot_of_memory(body, node), slot_of_memory(body, call->result));
    } else if (!libc_tells_effects(callee->name)) {
        facts->slots.items[slot_top(facts, slot_of_value(body, call->result))].open = true;
    }
}

static void add_body(struct facts *facts, struct body *body)
{
    struct symbol *function = &facts->symbols.items[body->symbol];
    for (size_t i = 0; i < body->defs.count; i++)
        add_def(facts, body, &body->defs.items[i]);
    for (size_t i = 0; i < body->stores.count; i++) {
        const struct body_store *store = &body->stores.items[i];
        uint32_t to = slot_of_memory(body, store->node);
        flow(facts, slot_of_value(body, store->value), to);
        unite(facts, pointee(facts, to), slot_of_memory(body, store->value));
    }
    for (size_t i = 0; i < body->copies.count; i++)
        unite(facts, slot_of_memory(body, body->copies.items[i].to),
              slot_of_memory(body, body->copies.items[i].from));
    for (size_t i = 0; i < body->results.count; i++) {
        flow(facts, slot_of_value(body, body->results.items[i]), function->slot);
        unite(facts, slot_of_memory(body, body->results.items[i]), function->slot + 1);
    }
    for (size_t i = 0; i < body->calls.count; i++)
        if (body->calls.items[i].callee != NONE)
            add_direct_call(facts, body, &body->calls.items[i]);
}

static void make_slots(struct facts *facts)
{
    for (size_t i = 0; i < facts->bodies.count; i++) {
        struct body *body = facts->bodies.items[i];
        struct symbol *function = &facts->symbols.items[body->symbol];
        body->first_value = slot_new(facts, 2 * body->node_count);
        if (function->slot == NONE) {
            function->slot_count = 2 + 2 * (uint32_t)body->parameters.count;
            function->slot = slot_new(facts, function->slot_count);
        }
    }
    for (size_t i = 0; i < facts->symbols.count; i++)
        if (facts->symbols.items[i].slot == NONE && !facts->symbols.items[i].is_function)
            facts->symbols.items[i].slot = slot_new(facts, 1);
}

// ---- fixpoint ----

typedef VEC(uint32_t) work_list;

static void push_down(struct facts *facts, uint32_t from, work_list *work)
{
    for (size_t i = 0; i < facts->slots.items[from].to.count; i++) {
        uint32_t to = slot_top(facts, facts->slots.items[from].to.items[i]);
        bool changed = false;
        if (to == from)
            continue;
        if (facts->slots.items[from].open && !facts->slots.items[to].open)
            changed = facts->slots.items[to].open = true;
        for (size_t k = 0; k < facts->slots.items[from].holds.count; k++)
            changed |= hold(facts, to, facts->slots.items[from].holds.items[k]);
        if (changed)
            *VEC_PUSH(work) = to;
    }
}

static void propagate(struct facts *facts)
{
    work_list work = {0};
    for (uint32_t i = 0; i < facts->slots.count; i++)
        if (facts->slots.items[i].up == i &&
            (facts->slots.items[i].holds.count || facts->slots.items[i].open))
            *VEC_PUSH(&work) = i;
    while (work.count)
        push_down(facts, work.items[--work.count], &work);
    VEC_RELEASE(&work);
}

static bool pass_indirect(struct facts *facts, struct body *body, const struct body_call *call)
{
    bool changed = false;
    uint32_t slot = slot_top(facts, slot_of_value(body, call->target));
    for (size_t i = 0; i < facts->slots.items[slot].holds.count; i++) {
        const struct symbol *callee = &facts->symbols.items[slot_address(facts, slot, i)->symbol];
        if (callee->is_function && callee->defined)
            changed |= pass(facts, body, call, callee);
        slot = slot_top(facts, slot);
    }
    return changed;
}

void slots_solve(struct facts *facts)
{
    make_slots(facts);
    for (size_t i = 0; i < facts->bodies.count; i++)
        add_body(facts, facts->bodies.items[i]);
    bool changed = true;
    while (changed) {
        propagate(facts);
        changed = false;
        for (size_t i = 0; i < facts->bodies.count; i++) {
            struct body *body = facts->bodies.items[i];
            for (size_t k = 0; k < body->calls.count; k++)
                if (body->calls.items[k].target != NONE)
                    changed |= pass_indirect(facts, body, &body->calls.items[k]);
        }
    }
}
