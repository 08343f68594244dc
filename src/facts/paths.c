// SPDX-License-Identifier: Apache-2.0
// Access paths: where a pointer may point, told by how one gets there. Bases are
// interned, so that equal paths of different functions are equal numbers; sets are
// small, and what would make them large is given up for something wider.
#include "facts/facts_internal.h"

#include "base/tunables.h"

static uint64_t hash_base(const struct base *b)
{
    uint64_t words[] = {b->kind, b->id, b->parent, (uint64_t)b->offset, (uint64_t)b->span};
    return hash_bytes(words, sizeof words, 7);
}

static bool same_base(const struct base *a, const struct base *b)
{
    return a->kind == b->kind && a->id == b->id && a->parent == b->parent &&
           a->offset == b->offset && a->span == b->span;
}

static uint32_t intern(struct facts *facts, struct base wanted)
{
    struct bases *bases = &facts->bases;
    uint64_t hash = hash_base(&wanted), first = 0;
    map_get(&bases->by_hash, hash, &first);
    for (uint64_t i = first; i; i = bases->items.items[i - 1].next)
        if (same_base(&bases->items.items[i - 1], &wanted))
            return (uint32_t)i - 1;
    wanted.next = (uint32_t)first;
    uint32_t index = (uint32_t)bases->items.count;
    if (wanted.root == NONE)
        wanted.root = index;
    *VEC_PUSH(&bases->items) = wanted;
    map_put(&bases->by_hash, hash, index + 1);
    return index;
}

uint32_t base_get(struct facts *facts, enum base_kind kind, uint32_t id)
{
    return intern(facts, (struct base){.kind = kind, .id = id, .parent = NONE, .root = NONE});
}

uint32_t base_deep(struct facts *facts, uint32_t base)
{
    uint32_t root = facts->bases.items.items[base].root;
    return intern(facts, (struct base){.kind = BASE_DEEP, .parent = root, .root = root});
}

// Recursion that does not end soon is not worth its depth.
uint32_t base_loaded(struct facts *facts, struct aim from)
{
    struct base parent = facts->bases.items.items[from.base];
    if (parent.depth >= (facts->widen ? 1 : FACTS_DEPTH))
        return base_deep(facts, from.base);
    return intern(facts, (struct base){.kind = BASE_LOADED,
                                       .parent = from.base,
                                       .root = parent.root,
                                       .offset = from.offset,
                                       .span = from.span,
                                       .depth = parent.depth + 1});
}

struct aim aim_shift(struct aim aim, int64_t offset, int64_t span)
{
    if (aim.span == SPAN_ANY || span == SPAN_ANY)
        return (struct aim){aim.base, 0, SPAN_ANY};
    return (struct aim){aim.base, aim.offset + offset, aim.span + span};
}

static void widen(aims *set, uint32_t base)
{
    size_t kept = 0;
    bool done = false;
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].base != base)
            set->items[kept++] = set->items[i];
        else if (!done)
            set->items[kept++] = (struct aim){base, 0, SPAN_ANY};
        done |= set->items[kept ? kept - 1 : 0].base == base;
    }
    set->count = kept;
}

bool aims_add(aims *set, struct aim aim, struct facts *facts)
{
    size_t same = 0;
    for (size_t i = 0; i < set->count; i++) {
        const struct aim *old = &set->items[i];
        if (old->base != aim.base)
            continue;
        if (old->span == SPAN_ANY || (old->offset == aim.offset && old->span == aim.span))
            return false;
        same++;
    }
    if (same >= FACTS_OFFSETS || (same && aim.span == SPAN_ANY)) {
        widen(set, aim.base);
        return true;
    }
    if (set->count >= FACTS_AIMS) {
        uint32_t unknown = base_get(facts, BASE_UNKNOWN, 0);
        if (set->count > FACTS_AIMS || aim.base == unknown)
            return false;
        aim = (struct aim){unknown, 0, SPAN_ANY};
        for (size_t i = 0; i < set->count; i++)
            if (set->items[i].base == unknown)
                return false;
    }
    *VEC_PUSH(set) = aim;
    return true;
}

// ---- ranges that are written ----

static bool merge_into(struct write *old, const struct write *add, bool widen)
{
    bool inside = !add->all && add->from >= old->from && add->to <= old->to;
    if (old->all || inside)
        return false;
    if (add->all || widen) {
        old->all = true;
        old->from = old->to = 0;
        old->extent = add->extent;
        return true;
    }
    if (add->from < old->from)
        old->from = add->from;
    if (add->to > old->to)
        old->to = add->to;
    return true;
}

bool writes_add(struct writes *writes, struct write add, bool widen)
{
    uint64_t newest = 0;
    size_t ranges = 0;
    struct write *last = NULL;
    map_get(&writes->by_base, add.base, &newest);
    for (uint64_t i = newest; i; i = writes->items.items[i - 1].next) {
        struct write *old = &writes->items.items[i - 1];
        if (old->all || add.all || (add.from <= old->to && old->from <= add.to))
            return merge_into(old, &add, widen);
        last = old;
        ranges++;
    }
    if (ranges >= FACTS_RANGES || (ranges && widen))
        return merge_into(last, &add, widen);
    add.next = (uint32_t)newest;
    *VEC_PUSH(&writes->items) = add;
    map_put(&writes->by_base, add.base, writes->items.count);
    return true;
}
