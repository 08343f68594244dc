// SPDX-License-Identifier: Apache-2.0
// What one function writes, by access paths, given the summaries of its callees. A
// summary speaks of the function's parameters and of globals; at a call the caller puts
// its own paths in the parameters' place, offsets composed. Order within a body does not
// matter: what a pointer holds at any time, it holds.
#include "facts/facts_internal.h"

#include "base/tunables.h"
#include "program/libc.h"
#include <string.h>

struct content { // of memory: a pointer that was stored there
    struct aim at, value;
    uint32_t next;
};

struct state {
    struct facts *facts;
    struct body *body;
    struct summary *out;
    aims *sets; // per node
    VEC(struct content) contents;
    struct map by_base; // base -> index of the newest content, plus one
    bool final;         // sets are complete: enter the effects
    unsigned nested;    // calls in this round that callees have left to this body
};

static const struct base *base_of(const struct state *s, uint32_t base)
{
    return &s->facts->bases.items.items[base];
}

static enum base_kind root_kind(const struct state *s, uint32_t base)
{
    return base_of(s, base_of(s, base)->root)->kind;
}

static struct aim unknown_aim(struct state *s)
{
    return (struct aim){base_get(s->facts, BASE_UNKNOWN, 0), 0, SPAN_ANY};
}

// ---- memory ----

static bool overlap(struct aim a, struct aim b)
{
    if (a.span == SPAN_ANY || b.span == SPAN_ANY)
        return true;
    return a.offset < b.offset + b.span + 8 && b.offset < a.offset + a.span + 8;
}

static bool put_content(struct state *s, struct aim at, struct aim value)
{
    uint64_t first = 0;
    unsigned count = 0;
    map_get(&s->by_base, at.base, &first);
    for (uint64_t i = first; i; i = s->contents.items[i - 1].next, count++) {
        const struct content *c = &s->contents.items[i - 1];
        if (count >= FACTS_CONTENTS)
            return false;
        if (c->at.offset == at.offset && c->at.span == at.span && c->value.base == value.base &&
            ((c->value.offset == value.offset && c->value.span == value.span) ||
             c->value.span == SPAN_ANY))
            return false;
    }
    if (count + 1 == FACTS_CONTENTS) {
        at = (struct aim){at.base, 0, SPAN_ANY};
        value = unknown_aim(s);
    }
    *VEC_PUSH(&s->contents) = (struct content){at, value, (uint32_t)first};
    map_put(&s->by_base, at.base, s->contents.count);
    return true;
}

static bool load(struct state *s, struct aim from, aims *out, unsigned level);

// A local record that was copied as a whole has the pointers of the other one.
static bool load_copied(struct state *s, struct aim from, aims *out, unsigned level)
{
    bool changed = false;
    for (size_t i = 0; level < FACTS_COPY_LEVELS && i < s->body->copies.count; i++) {
        const aims *to = &s->sets[s->body->copies.items[i].to];
        const aims *source = &s->sets[s->body->copies.items[i].from];
        for (size_t t = 0; t < to->count; t++) {
            if (to->items[t].base != from.base)
                continue;
            bool anywhere = from.span == SPAN_ANY || to->items[t].span == SPAN_ANY;
            for (size_t k = 0; k < source->count; k++)
                changed |= load(s,
                                aim_shift(source->items[k], from.offset - to->items[t].offset,
                                          anywhere ? SPAN_ANY : from.span),
                                out, level + 1);
        }
    }
    return changed;
}

static bool load(struct state *s, struct aim from, aims *out, unsigned level)
{
    bool changed = false;
    uint64_t first = 0;
    switch (base_of(s, from.base)->kind) {
    case BASE_PARAMETER:
    case BASE_GLOBAL:
    case BASE_LOADED:
        changed = aims_add(out, (struct aim){base_loaded(s->facts, from), 0, 0}, s->facts);
        break;
    case BASE_UNKNOWN:
    case BASE_DEEP: changed = aims_add(out, (struct aim){from.base, 0, SPAN_ANY}, s->facts); break;
    default: break;
    }
    map_get(&s->by_base, from.base, &first);
    for (uint64_t i = first; i; i = s->contents.items[i - 1].next)
        if (overlap(s->contents.items[i - 1].at, from))
            changed |= aims_add(out, s->contents.items[i - 1].value, s->facts);
    if (base_of(s, from.base)->kind == BASE_LOCAL)
        changed |= load_copied(s, from, out, level);
    return changed;
}

// A pointer variable also holds what the project is seen to put there.
static bool add_addresses(struct state *s, uint32_t node)
{
    bool changed = false;
    uint32_t slot = slot_top(s->facts, slot_of_value(s->body, node));
    size_t count = s->facts->slots.items[slot].holds.count;
    for (size_t i = 0; count <= FACTS_ADDRESSES && i < count; i++) {
        const struct address *address = slot_address(s->facts, slot, i);
        if (!s->facts->symbols.items[address->symbol].is_function)
            changed |= aims_add(
                &s->sets[node],
                (struct aim){base_get(s->facts, BASE_GLOBAL, address->symbol), address->offset, 0},
                s->facts);
    }
    return changed;
}

static bool solve_def(struct state *s, const struct def *def)
{
    aims *set = &s->sets[def->node];
    bool changed = false, global = false;
    if (def->kind == DEF_BASE)
        return aims_add(set, (struct aim){def->from, def->offset, def->span}, s->facts);
    for (size_t i = 0; i < s->sets[def->from].count; i++) {
        struct aim from = s->sets[def->from].items[i];
        if (def->kind == DEF_LOAD) {
            global |= root_kind(s, from.base) == BASE_GLOBAL;
            changed |= load(s, from, set, 0);
        } else {
            changed |= aims_add(
                set, def->kind == DEF_COPY ? from : aim_shift(from, def->offset, def->span),
                s->facts);
        }
    }
    return (global && add_addresses(s, def->node)) || changed;
}

// ---- effects ----

static void say(struct state *s, uint32_t phrase)
{
    struct summary *out = s->out;
    for (size_t i = 0; i < out->unknown.count; i++)
        if (out->unknown.items[i] == phrase)
            return;
    *VEC_PUSH(&out->unknown) = phrase;
    out->changed = true;
}

static void enter_write(struct state *s, struct aim at, struct write write)
{
    const struct base *base = base_of(s, at.base);
    switch (base->kind) {
    case BASE_PARAMETER:
    case BASE_LOADED:
    case BASE_DEEP: break;
    case BASE_GLOBAL:
        if (s->facts->symbols.items[base->id].is_constant)
            return;
        break;
    case BASE_UNKNOWN:
        say(s, phrase_get(s->facts, "writes through a pointer that could not be followed"));
        return;
    case BASE_FIXED: say(s, phrase_get(s->facts, "writes memory at a constant address")); return;
    default: return;
    }
    uint64_t known;
    if (base->kind == BASE_LOADED && root_kind(s, at.base) == BASE_PARAMETER &&
        !map_get(&s->out->writes.by_base, at.base, &known) && s->out->ways++ >= FACTS_WAYS)
        at = (struct aim){base_deep(s->facts, at.base), 0, SPAN_ANY};
    write.base = at.base;
    write.all |= at.span == SPAN_ANY;
    write.from = write.all ? 0 : write.from + at.offset * 8;
    write.to = write.all ? 0 : write.to + (at.offset + at.span) * 8;
    s->out->changed |= writes_add(&s->out->writes, write, s->facts->widen);
}

static void enter_writes(struct state *s, const aims *at, struct write write)
{
    for (size_t i = 0; i < at->count; i++)
        enter_write(s, at->items[i], write);
}

static void enter_frees(struct state *s, const aims *at)
{
    for (size_t i = 0; i < at->count; i++) {
        uint32_t base = at->items[i].base;
        enum base_kind root = root_kind(s, base);
        if (s->out->frees.items.count >= FACTS_FREES)
            base = base_deep(s->facts, base);
        if (root == BASE_PARAMETER || root == BASE_GLOBAL)
            s->out->changed |=
                writes_add(&s->out->frees, (struct write){.base = base, .all = true}, false);
    }
}

// What callers must not see of this body.
static struct aim outside(struct state *s, struct aim aim)
{
    if (base_of(s, aim.base)->kind != BASE_LOCAL)
        return aim;
    return (struct aim){base_get(s->facts, BASE_FRESH, 0), 0, SPAN_ANY};
}

static void enter_stored(struct state *s, struct aim at, struct aim value)
{
    enum base_kind kind = base_of(s, at.base)->kind;
    struct summary *out = s->out;
    value = outside(s, value);
    if (kind != BASE_PARAMETER && kind != BASE_LOADED)
        return; // of globals slots.c knows
    for (size_t i = 0; i < out->stores.count; i++)
        if (memcmp(&out->stores.items[i].at, &at, sizeof at) == 0 &&
            memcmp(&out->stores.items[i].value, &value, sizeof value) == 0)
            return;
    if (out->stores.count == FACTS_STORES)
        return;
    *VEC_PUSH(&out->stores) = (struct stored){at, value};
    out->changed = true;
}

// ---- calls ----

struct arguments {
    const aims **sets;            // NULL: points nowhere
    const struct extent *extents; // or NULL
    uint32_t count;
    struct map *memo; // base of the callee -> index in `memos`, plus one; or NULL
    struct memos *memos;
};
struct memos {
    VEC(aims) items;
};

static void translate(struct state *s, struct aim aim, const struct arguments *a, aims *out);

// Somewhere behind an object: behind its root, or behind what a local one points to.
static void translate_deep(struct state *s, uint32_t base, aims *out)
{
    enum base_kind kind = root_kind(s, base);
    uint64_t first = 0;
    if (kind == BASE_PARAMETER || kind == BASE_GLOBAL) {
        aims_add(out, (struct aim){base_deep(s->facts, base), 0, SPAN_ANY}, s->facts);
        return;
    }
    map_get(&s->by_base, base, &first);
    for (uint64_t i = first; i; i = s->contents.items[i - 1].next) {
        uint32_t value = s->contents.items[i - 1].value.base;
        kind = root_kind(s, value);
        if (kind == BASE_PARAMETER || kind == BASE_GLOBAL)
            aims_add(out, (struct aim){base_deep(s->facts, value), 0, SPAN_ANY}, s->facts);
    }
}

// What the callee's pointer at the end of a path points to, seen from the caller. Many
// paths have their beginnings in common.
static void translate_loaded(struct state *s, uint32_t base, const struct arguments *a, aims *out)
{
    const struct base b = *base_of(s, base);
    aims parents = {0}, loaded = {0};
    uint64_t known;
    if (a->memo && map_get(a->memo, base, &known)) {
        const aims *old = &a->memos->items.items[known - 1];
        for (size_t i = 0; i < old->count; i++)
            aims_add(out, old->items[i], s->facts);
        return;
    }
    translate(s, (struct aim){b.parent, b.offset, b.span}, a, &parents);
    for (size_t i = 0; i < parents.count; i++)
        load(s, parents.items[i], &loaded, 0);
    for (size_t i = 0; i < loaded.count; i++)
        aims_add(out, loaded.items[i], s->facts);
    VEC_RELEASE(&parents);
    if (a->memo) {
        memcpy(VEC_PUSH(&a->memos->items), &loaded, sizeof loaded);
        map_put(a->memo, base, a->memos->items.count);
    } else {
        VEC_RELEASE(&loaded);
    }
}

// The callee's path as one of the caller.
static void translate(struct state *s, struct aim aim, const struct arguments *a, aims *out)
{
    struct base base = *base_of(s, aim.base);
    aims parents = {0}, loaded = {0};
    const aims *given;
    switch (base.kind) {
    case BASE_PARAMETER:
        given = base.id < a->count ? a->sets[base.id] : NULL;
        for (size_t i = 0; given && i < given->count; i++)
            aims_add(out, aim_shift(given->items[i], aim.offset, aim.span), s->facts);
        return;
    case BASE_LOADED:
        if (root_kind(s, aim.base) == BASE_GLOBAL)
            break;
        translate_loaded(s, aim.base, a, &loaded);
        for (size_t i = 0; i < loaded.count; i++)
            aims_add(out, aim_shift(loaded.items[i], aim.offset, aim.span), s->facts);
        VEC_RELEASE(&loaded);
        return;
    case BASE_DEEP:
        if (root_kind(s, aim.base) == BASE_GLOBAL)
            break;
        translate(s, (struct aim){base.root, 0, 0}, a, &parents);
        for (size_t i = 0; i < parents.count; i++)
            translate_deep(s, parents.items[i].base, out);
        VEC_RELEASE(&parents);
        return;
    default: break;
    }
    aims_add(out, aim, s->facts);
}

static struct extent compose(struct extent inner, const struct arguments *a)
{
    struct extent none = {NONE, 0};
    if (inner.parameter == NONE || !a->extents || inner.parameter >= a->count)
        return none;
    struct extent outer = a->extents[inner.parameter];
    outer.scale *= inner.scale;
    return outer;
}

// A number of bytes that is a constant here bounds the write.
static struct write bounded(struct write write, struct extent extent)
{
    write.extent = extent;
    if (write.all && extent.parameter == NONE && extent.scale > 0) {
        write.all = false;
        write.from = 0;
        write.to = extent.scale * 8;
    }
    return write;
}

static bool is_by_value(const struct state *s, const struct symbol *callee, uint32_t base)
{
    const struct base *b = base_of(s, base);
    if (b->kind != BASE_PARAMETER || !callee->bodies.count)
        return false;
    const struct body *body = s->facts->bodies.items[callee->bodies.items[0]];
    return b->id < body->parameters.count &&
           body->parameters.items[b->id].kind == PARAMETER_BY_VALUE;
}

static void enter_callee_writes(struct state *s, struct symbol *callee, const struct arguments *a)
{
    size_t count = callee->summary.writes.items.count; // the callee may be this function
    bool again = callee->merged == s->facts->solved;
    callee->merged = s->facts->solved;
    for (size_t i = 0; i < count; i++) {
        struct write write = callee->summary.writes.items.items[i];
        aims at = {0};
        if (again && root_kind(s, write.base) == BASE_GLOBAL)
            continue;
        if (is_by_value(s, callee, write.base))
            continue;
        write = bounded(write, compose(write.extent, a));
        translate(s, (struct aim){write.base, 0, 0}, a, &at);
        enter_writes(s, &at, write);
        VEC_RELEASE(&at);
    }
    count = callee->summary.frees.items.count;
    for (size_t i = 0; i < count; i++) {
        aims at = {0};
        translate(s, (struct aim){callee->summary.frees.items.items[i].base, 0, 0}, a, &at);
        enter_frees(s, &at);
        VEC_RELEASE(&at);
    }
}

static bool call_target(struct state *s, struct aim target, uint32_t slot,
                        const struct arguments *a, aims *result, unsigned level);

static bool apply_deferred(struct state *s, const struct symbol *callee, const struct arguments *a,
                           aims *result, unsigned level)
{
    bool changed = false;
    size_t count = callee->summary.calls.count;
    for (size_t i = 0; level < FACTS_DEFERRED_LEVELS && i < count; i++) {
        struct deferred call = callee->summary.calls.items[i];
        aims targets = {0}, *sets = xcalloc(call.count + 1, sizeof *sets);
        const aims **views = xcalloc(call.count + 1, sizeof *views);
        for (uint32_t k = 0; k < call.count; k++) {
            aims given = {0};
            for (size_t n = 0; n < callee->summary.arguments.items[call.first + k].count; n++)
                translate(s, callee->summary.arguments.items[call.first + k].items[n], a, &given);
            sets[k] = given;
            views[k] = &sets[k];
        }
        struct arguments inner = {views, NULL, call.count, NULL, NULL};
        translate(s, call.target, a, &targets);
        if (!targets.count)
            changed |= call_target(s, unknown_aim(s), call.slot, &inner, result, level + 1);
        for (size_t t = 0; t < targets.count; t++)
            changed |= call_target(s, targets.items[t], call.slot, &inner, result, level + 1);
        for (uint32_t k = 0; k < call.count; k++)
            VEC_RELEASE(&sets[k]);
        VEC_RELEASE(&targets);
        free(sets);
        free(views);
    }
    return changed;
}

static bool apply_defined(struct state *s, uint32_t symbol, const struct arguments *a, aims *result,
                          unsigned level)
{
    struct symbol *callee = &s->facts->symbols.items[symbol];
    const struct summary *summary = &callee->summary;
    bool changed = false;
    aims at = {0}, values = {0};
    for (size_t i = 0; result && i < summary->results.count; i++)
        translate(s, summary->results.items[i], a, &values);
    for (size_t i = 0; i < values.count; i++)
        changed |= aims_add(result, values.items[i], s->facts);
    for (size_t i = 0; i < summary->stores.count; i++) {
        at.count = values.count = 0;
        translate(s, summary->stores.items[i].at, a, &at);
        translate(s, summary->stores.items[i].value, a, &values);
        for (size_t k = 0; k < at.count; k++)
            for (size_t n = 0; n < values.count; n++)
                changed |= put_content(s, at.items[k], values.items[n]);
    }
    VEC_RELEASE(&at);
    VEC_RELEASE(&values);
    changed |= apply_deferred(s, callee, a, result, level);
    if (s->final) {
        enter_callee_writes(s, callee, a);
        for (size_t i = 0; i < summary->unknown.count; i++)
            say(s, summary->unknown.items[i]);
    }
    return changed;
}

static void enter_libc_writes(struct state *s, const char *name, const struct arguments *a)
{
    const struct libc_function *known = libc_find(name);
    for (size_t i = 0; i < LIBC_MOST_WRITES && known->writes[i].used; i++) {
        const struct libc_write *effect = &known->writes[i];
        struct write write = {.all = !effect->size, .to = effect->size * 8};
        if (effect->argument >= a->count || !a->sets[effect->argument])
            continue;
        struct extent length = effect->length < a->count && a->extents ? a->extents[effect->length]
                                                                       : (struct extent){NONE, 0};
        enter_writes(s, a->sets[effect->argument], bounded(write, length));
    }
    for (unsigned i = libc_writes_from(name); i < a->count; i++)
        if (a->sets[i])
            enter_writes(s, a->sets[i], (struct write){.all = true, .extent = {NONE, 0}});
    unsigned freed = libc_frees(name);
    if (freed < a->count && a->sets[freed])
        enter_frees(s, a->sets[freed]);
}

// A function that is not here may keep anything in the variables that it is shown.
static bool spoil(struct state *s, const struct arguments *a)
{
    bool changed = false;
    for (uint32_t i = 0; i < a->count; i++)
        for (size_t k = 0; a->sets[i] && k < a->sets[i]->count; k++)
            if (base_of(s, a->sets[i]->items[k].base)->kind == BASE_LOCAL)
                changed |= put_content(s, (struct aim){a->sets[i]->items[k].base, 0, SPAN_ANY},
                                       unknown_aim(s));
    return changed;
}

static bool apply_external(struct state *s, uint32_t symbol, const struct arguments *a,
                           aims *result, unsigned level)
{
    const char *name = s->facts->symbols.items[symbol].name;
    bool changed = false, known = libc_tells_effects(name);
    unsigned returned = libc_returns(name), called = libc_calls(name);
    if (!known)
        changed |= spoil(s, a);
    if (s->final && !known)
        say(s, phrase_get(s->facts,
                          libc_find(name)->name ? "calls %s(), whose effects are not followed"
                                                : "calls %s(), which is not in the project",
                          name));
    else if (s->final)
        enter_libc_writes(s, name, a);
    if (called < a->count && a->sets[called]) {
        struct arguments nothing = {NULL, NULL, 0, NULL, NULL};
        for (size_t i = 0; i < a->sets[called]->count; i++)
            changed |= call_target(s, a->sets[called]->items[i], NONE, &nothing, NULL, level + 1);
    }
    if (!result)
        return changed;
    if (returned < a->count && a->sets[returned])
        for (size_t i = 0; i < a->sets[returned]->count; i++)
            changed |= aims_add(result, (struct aim){a->sets[returned]->items[i].base, 0, SPAN_ANY},
                                s->facts);
    else
        changed |= aims_add(result,
                            known ? (struct aim){base_get(s->facts, BASE_FRESH, 0), 0, SPAN_ANY}
                                  : unknown_aim(s),
                            s->facts);
    return changed;
}

static bool apply(struct state *s, uint32_t symbol, const struct arguments *a, aims *result,
                  unsigned level)
{
    if (level && s->nested++ >= FACTS_NESTED) {
        if (s->final)
            say(s, phrase_get(s->facts, "calls through pointers in more ways than were followed"));
        return false;
    }
    return s->facts->symbols.items[symbol].defined ? apply_defined(s, symbol, a, result, level)
                                                   : apply_external(s, symbol, a, result, level);
}

static void defer(struct state *s, struct aim target, uint32_t slot, const struct arguments *a)
{
    struct summary *out = s->out;
    for (size_t i = 0; i < out->calls.count; i++)
        if (memcmp(&out->calls.items[i].target, &target, sizeof target) == 0 &&
            out->calls.items[i].count == a->count)
            return;
    if (out->calls.count == FACTS_CALLS) {
        say(s, phrase_get(s->facts, "calls through more than %d pointers", FACTS_CALLS));
        return;
    }
    *VEC_PUSH(&out->calls) =
        (struct deferred){target, (uint32_t)out->arguments.count, a->count, slot};
    for (uint32_t i = 0; i < a->count; i++) {
        aims copy = {0};
        for (size_t k = 0; a->sets[i] && k < a->sets[i]->count; k++)
            aims_add(&copy, outside(s, a->sets[i]->items[k]), s->facts);
        memcpy(VEC_PUSH(&out->arguments), &copy, sizeof copy);
    }
    out->changed = true;
}

static bool call_candidates(struct state *s, uint32_t slot, const struct arguments *a, aims *result,
                            unsigned level)
{
    bool changed = false, found = false;
    uint32_t top = slot == NONE ? NONE : slot_top(s->facts, slot);
    for (size_t i = 0; top != NONE && i < s->facts->slots.items[top].holds.count; i++) {
        uint32_t symbol = slot_address(s->facts, top, i)->symbol;
        if (!s->facts->symbols.items[symbol].is_function)
            continue;
        found = true;
        changed |= apply(s, symbol, a, result, level);
    }
    if (s->final && !found)
        say(s, phrase_get(s->facts, "calls through a pointer that no function was found for"));
    return changed;
}

static bool call_target(struct state *s, struct aim target, uint32_t slot,
                        const struct arguments *a, aims *result, unsigned level)
{
    const struct base *base = base_of(s, target.base);
    if (base->kind == BASE_FUNCTION)
        return apply(s, base->id, a, result, level);
    if (root_kind(s, target.base) == BASE_PARAMETER && base->kind != BASE_DEEP) {
        if (s->final)
            defer(s, target, slot, a);
        return result ? aims_add(result, unknown_aim(s), s->facts) : false;
    }
    return call_candidates(s, slot, a, result, level);
}

static bool solve_call(struct state *s, const struct body_call *call)
{
    aims *result = call->result != NONE ? &s->sets[call->result] : NULL;
    const aims **views = xcalloc(call->count + 1, sizeof *views);
    for (uint32_t i = 0; i < call->count; i++) {
        uint32_t node = s->body->arguments.items[call->first + i];
        views[i] = node != NONE ? &s->sets[node] : NULL;
    }
    struct map memo;
    struct memos memos = {0};
    map_init(&memo);
    struct arguments a = {views, call->count ? &s->body->extents.items[call->first] : NULL,
                          call->count, &memo, &memos};
    bool changed = false;
    if (call->callee != NONE) {
        changed = apply(s, call->callee, &a, result, 0);
    } else if (call->target != NONE) {
        uint32_t slot = slot_of_value(s->body, call->target);
        const aims *targets = &s->sets[call->target];
        if (!targets->count)
            changed = call_candidates(s, slot, &a, result, 0);
        bool others = false; // those that the slot answers for, once
        for (size_t i = 0; i < targets->count; i++) {
            enum base_kind root = root_kind(s, targets->items[i].base);
            if (root == BASE_FUNCTION || root == BASE_PARAMETER)
                changed |= call_target(s, targets->items[i], slot, &a, result, 0);
            else
                others = true;
        }
        if (others)
            changed |= call_candidates(s, slot, &a, result, 0);
    }
    for (size_t i = 0; i < memos.items.count; i++)
        VEC_RELEASE(&memos.items.items[i]);
    VEC_RELEASE(&memos.items);
    map_release(&memo);
    free(views);
    return changed;
}

// ---- bodies ----

static bool solve_round(struct state *s)
{
    const struct body *body = s->body;
    bool changed = false;
    for (size_t i = 0; i < body->defs.count; i++)
        changed |= solve_def(s, &body->defs.items[i]);
    for (size_t i = 0; i < body->stores.count; i++) {
        const aims *at = &s->sets[body->stores.items[i].node];
        const aims *values = &s->sets[body->stores.items[i].value];
        for (size_t k = 0; k < at->count; k++)
            for (size_t n = 0; n < values->count; n++)
                changed |= put_content(s, at->items[k], values->items[n]);
    }
    s->nested = 0;
    for (size_t i = 0; i < body->calls.count; i++)
        changed |= solve_call(s, &body->calls.items[i]);
    return changed;
}

static void enter_effects(struct state *s)
{
    const struct body *body = s->body;
    s->final = true;
    s->nested = 0;
    for (size_t i = 0; i < body->writes.count; i++) {
        const struct body_write *w = &body->writes.items[i];
        struct write write = {.from = w->from, .to = w->to, .all = w->all, .extent = w->extent};
        enter_writes(s, &s->sets[w->node], write);
    }
    for (size_t i = 0; i < body->calls.count; i++)
        solve_call(s, &body->calls.items[i]);
    for (size_t i = 0; i < s->contents.count; i++)
        enter_stored(s, s->contents.items[i].at, s->contents.items[i].value);
    for (size_t i = 0; i < body->results.count; i++)
        for (size_t k = 0; k < s->sets[body->results.items[i]].count; k++)
            s->out->changed |= aims_add(
                &s->out->results, outside(s, s->sets[body->results.items[i]].items[k]), s->facts);
    for (size_t i = 0; i < body->unknown.count; i++)
        say(s, body->unknown.items[i]);
}

void solve_body(struct facts *facts, struct body *body, struct summary *out)
{
    struct state s = {.facts = facts, .body = body, .out = out};
    facts->solved++;
    s.sets = xcalloc(body->node_count + 1, sizeof *s.sets);
    map_init(&s.by_base);
    unsigned rounds = 0;
    while (rounds++ < FACTS_ROUNDS && solve_round(&s))
        continue;
    if (rounds > FACTS_ROUNDS)
        say(&s, phrase_get(facts, "moves pointers in ways that were not followed to the end"));
    enter_effects(&s);
    for (uint32_t i = 0; i < body->node_count; i++)
        VEC_RELEASE(&s.sets[i]);
    free(s.sets);
    VEC_RELEASE(&s.contents);
    map_release(&s.by_base);
}
