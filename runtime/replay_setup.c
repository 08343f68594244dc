// SPDX-License-Identifier: Apache-2.0
// What the call of a task finds, for exported tests: all arguments, the variables that are not as
// they were when the program started, and the objects that pointers lead to. Decisions of the
// driver (which object, how long, which member of a union) need not be taken apart again: this is
// memory as it was.
//
// Each row is "path<tab>member<tab>type<tab>value". The path is that of an object: of the pointer
// for which the driver made it, or & and a variable. Zero is left out in new objects, and what has
// not changed since the start, or since the call before, in others. A row without a member says
// how many elements a new object has; a value there is that of a variable which is a scalar.
#define _GNU_SOURCE 1
#include "replay_observe.h"
#include <stdio.h>
#include <string.h>

enum { MAX_OLD = 4096, MAX_TYPED = 4096, ROW_VALUES = 16, MAX_DEPTH = 64 };

// An object as it was at the start, or behind the last call.
static struct old {
    const char *base, *copy;
    unsigned long size;
} olds[MAX_OLD];
static unsigned old_count;

static struct typed {
    const void *object;
    const struct cz_forms *forms;
    unsigned shape;
} typed[MAX_TYPED];
static unsigned typed_count;
static unsigned call_count;

static void tell(const char *path, const char *member, const char *type, const char *value)
{
    char line[1024];
    int length =
        snprintf(line, sizeof line, "%.300s\t%.250s\t%.120s\t%.300s\n", path, member, type, value);
    unsigned at = replay_seen->setup_length;
    if (length < 0 || at > sizeof replay_seen->setup ||
        (unsigned)length > sizeof replay_seen->setup - at) {
        replay_seen->is_setup_cut = true;
        return;
    }
    memcpy(replay_seen->setup + at, line, (unsigned)length);
    replay_seen->setup_length = at + (unsigned)length;
}

void setup_begin(void)
{
    old_count = typed_count = call_count = 0;
}

// ---- what was there before ----

static void remember(const void *object, unsigned long size)
{
    unsigned i = 0;
    while (i < old_count && olds[i].base != object)
        i++;
    if (i == MAX_OLD) {
        replay_seen->is_setup_cut = true;
        return;
    }
    char *copy = observe_allocate(size);
    if (!copy) {
        replay_seen->is_setup_cut = true;
        return;
    }
    memcpy(copy, object, size);
    old_count += i == old_count;
    olds[i] = (struct old){object, copy, size};
}

void cz_remember(const void *object, unsigned long size)
{
    if (observe_is_on() && object) // a weak variable may not be there
        remember(object, size);
}

static const struct old *old_of(const struct region *region)
{
    for (unsigned i = 0; i < old_count; i++)
        if (olds[i].base == region->base && olds[i].size == region->size)
            return &olds[i];
    return NULL;
}

// Arguments are new in each call.
static bool is_argument(const struct region *region)
{
    const char *path = region->path;
    if (!strncmp(path, "&call", 5) && strchr(path, ':'))
        path = strchr(path, ':');
    return (*path == '&' || *path == ':') && !strncmp(path + 1, "arg:", 4);
}

static void remember_region(struct region *region)
{
    if (region->size && !is_argument(region))
        remember(region->base, region->size);
}

void cz_made_as(const struct cz_forms *forms, const void *object, unsigned shape)
{
    if (observe_is_on() && object && typed_count < MAX_TYPED)
        typed[typed_count++] = (struct typed){object, forms, shape};
}

unsigned setup_shape(const struct region *region, const struct cz_forms **forms)
{
    for (unsigned i = typed_count; i-- > 0;)
        if (typed[i].object == region->base) {
            *forms = typed[i].forms;
            return typed[i].shape;
        }
    return 0;
}

// ---- the walk ----

struct search {
    const struct cz_forms *forms;
    const struct region *region;
    const char *old; // NULL: zero
    unsigned depth;
};

static void find(const struct search *s, const char *member, const char *at, unsigned number);

static bool differs(const struct search *s, const char *at, unsigned long size)
{
    if (s->old)
        return memcmp(s->old + (at - s->region->base), at, size) != 0;
    for (unsigned long i = 0; i < size; i++)
        if (at[i])
            return true;
    return false;
}

static void find_scalars(const struct search *s, const char *member, const char *at,
                         const struct cz_shape *element, unsigned long count)
{
    char name[250], values[300], one[64];
    for (unsigned long i = 0; i < count; i += ROW_VALUES) {
        unsigned long n = count - i < ROW_VALUES ? count - i : ROW_VALUES;
        size_t length = 0;
        if (!differs(s, at + i * element->size, n * element->size))
            continue;
        for (unsigned long k = 0; k < n; k++) {
            observe_put_scalar(element, at + (i + k) * element->size, one, sizeof one);
            if (length + strlen(one) + 2 > sizeof values) { // the rest in a row of its own
                n = k;
                break;
            }
            length +=
                (size_t)snprintf(values + length, sizeof values - length, k ? " %s" : "%s", one);
        }
        snprintf(name, sizeof name, "%.200s[%lu]", member, i);
        tell(s->region->path, name, element->name, values);
        i -= ROW_VALUES - n;
    }
}

static void find_row(const struct search *s, const char *member, const char *at, unsigned target,
                     unsigned long count)
{
    const struct cz_shape *element = &s->forms->shapes[target];
    char name[250];
    if (element->form == CZ_NUMBER || element->form == CZ_REAL) {
        find_scalars(s, member, at, element, count);
        return;
    }
    for (unsigned long i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%.200s[%lu]", member, i);
        find(s, name, at + i * element->size, target);
    }
}

static void find_members(const struct search *s, const char *member, const char *at,
                         const struct cz_shape *record)
{
    char name[250], value[64];
    for (unsigned long i = 0; i < record->count; i++) {
        const struct cz_member *of = &s->forms->members[record->first_member + i];
        const struct cz_shape *shape = &s->forms->shapes[of->shape];
        if (of->name[0])
            snprintf(name, sizeof name, "%.150s.%.90s", member, of->name);
        else
            snprintf(name, sizeof name, "%.200s", member);
        if (of->bits <= 0) {
            find(s, name, at + of->offset / 8, of->shape);
            continue;
        }
        uint64_t raw = observe_bits(of, at);
        uint64_t old = s->old ? observe_bits(of, s->old + (at - s->region->base)) : 0;
        if (raw == old)
            continue;
        observe_put_number(shape, raw, (unsigned)of->bits, value, sizeof value);
        tell(s->region->path, name, shape->name, value);
    }
}

// ---- unions ----

// Which bits a value of this shape has, padding left out.
static void mark(const struct cz_forms *forms, unsigned number, unsigned char *mask,
                 unsigned long room)
{
    const struct cz_shape *shape = &forms->shapes[number];
    if (shape->size > room)
        return;
    switch (shape->form) {
    case CZ_ROW:
        for (unsigned long i = 0; i < shape->count; i++) {
            unsigned long at = i * forms->shapes[shape->target].size;
            mark(forms, shape->target, mask + at, room - at);
        }
        break;
    case CZ_RECORD:
        for (unsigned long i = 0; i < shape->count; i++) {
            const struct cz_member *member = &forms->members[shape->first_member + i];
            unsigned long at = member->offset / 8;
            for (int k = 0; k < member->bits; k++)
                mask[(member->offset + (unsigned long)k) / 8] |=
                    (unsigned char)(1u << (member->offset + (unsigned long)k) % 8);
            if (member->bits <= 0 && at < room)
                mark(forms, member->shape, mask + at, room - at);
        }
        break;
    case CZ_NOTHING: break;
    default: memset(mask, 0xff, shape->size);
    }
}

// Do pointers in it lead somewhere that is known?
static bool is_sound(const struct cz_forms *forms, unsigned number, const char *at)
{
    const struct cz_shape *shape = &forms->shapes[number];
    char value[400];
    const void *pointer;
    switch (shape->form) {
    case CZ_POINTER:
        memcpy(&pointer, at, sizeof pointer);
        observe_put_pointer(forms, pointer, value, sizeof value);
        return strcmp(value, "non-NULL") != 0;
    case CZ_ROW:
        for (unsigned long i = 0; i < shape->count; i++)
            if (!is_sound(forms, shape->target, at + i * forms->shapes[shape->target].size))
                return false;
        return true;
    case CZ_RECORD:
        for (unsigned long i = 0; i < shape->count; i++) {
            const struct cz_member *member = &forms->members[shape->first_member + i];
            if (member->bits <= 0 && !is_sound(forms, member->shape, at + member->offset / 8))
                return false;
        }
        return true;
    default: return true;
    }
}

static bool has_address(const char *at, unsigned long size)
{
    const void *pointer;
    for (unsigned long i = 0; i + sizeof pointer <= size; i += sizeof pointer) {
        memcpy(&pointer, at + i, sizeof pointer);
        if (pointer && observe_region(pointer))
            return true;
    }
    return false;
}

static bool has_pointer(const struct cz_forms *forms, unsigned number)
{
    const struct cz_shape *shape = &forms->shapes[number];
    if (shape->form == CZ_POINTER || shape->form == CZ_UNION)
        return true;
    if (shape->form == CZ_ROW)
        return has_pointer(forms, shape->target);
    for (unsigned long i = 0; shape->form == CZ_RECORD && i < shape->count; i++)
        if (has_pointer(forms, forms->members[shape->first_member + i].shape))
            return true;
    return false;
}

// The first member that holds all that is there: what it does not reach is zero.
static const struct cz_member *choose_member(const struct cz_forms *forms,
                                             const struct cz_shape *shape, const char *at)
{
    enum { MOST = 4096 };
    static unsigned char mask[MOST];
    bool address = has_address(at, shape->size);
    for (unsigned long i = 0; i < shape->count && shape->size <= MOST; i++) {
        const struct cz_member *member = &forms->members[shape->first_member + i];
        bool fits = member->bits <= 0 && (!address || has_pointer(forms, member->shape)) &&
                    is_sound(forms, member->shape, at);
        memset(mask, 0, shape->size);
        if (fits)
            mark(forms, member->shape, mask, shape->size);
        for (unsigned long k = 0; fits && k < shape->size; k++)
            fits = !((unsigned char)at[k] & ~mask[k]);
        if (fits)
            return member;
    }
    return NULL;
}

static void find_bytes(const struct search *s, const char *member, const char *at,
                       unsigned long size, const char *type)
{
    char value[300], name[250];
    for (unsigned long i = 0; i < size; i += 64) {
        size_t length = 0;
        unsigned long n = size - i < 64 ? size - i : 64;
        for (unsigned long k = 0; k < n; k++)
            length += (size_t)snprintf(value + length, sizeof value - length, " %02x",
                                       (unsigned)(unsigned char)at[i + k]);
        snprintf(name, sizeof name, "%.200s+%lu", member, i);
        tell(s->region->path, name, type, value + 1);
    }
}

static void find_union(const struct search *s, const char *member, const char *at,
                       const struct cz_shape *shape)
{
    char name[250];
    if (!differs(s, at, shape->size))
        return;
    const struct cz_member *of = choose_member(s->forms, shape, at);
    struct search all = *s;
    all.old = NULL;
    if (of && s->old) // what the member does not have must become zero
        tell(s->region->path, member, shape->name, "zero");
    if (of) {
        snprintf(name, sizeof name, "%.150s%s%.90s", member, of->name[0] ? "." : "", of->name);
        find(&all, name, at, of->shape);
    } else if (!has_address(at, shape->size) && shape->form == CZ_BYTES) {
        find_bytes(s, member, at, shape->size, shape->name);
    } else {
        tell(s->region->path, member, shape->name, "non-NULL");
    }
}

// ---- pointers ----

static void find_untyped(const struct search *s, const struct region *region)
{
    char value[64];
    snprintf(value, sizeof value, "%lu bytes", region->size);
    tell(region->path, "", "void", value);
    if (has_address(region->base, region->size))
        tell(region->path, "", "void", "non-NULL");
    else if (differs(s, region->base, region->size))
        find_bytes(s, "", region->base, region->size, "void");
}

static void find_object(const struct cz_forms *forms, struct region *region, unsigned target,
                        unsigned depth)
{
    const struct old *old = old_of(region);
    struct search s = {forms, region, old ? old->copy : NULL, depth};
    unsigned known = setup_shape(region, &s.forms);
    const struct cz_shape *shape = &s.forms->shapes[known ? known : target];
    char value[64];
    if (region->found)
        return;
    region->found = true;
    if (depth == MAX_DEPTH) {
        replay_seen->is_setup_cut = true;
        return;
    }
    if (!shape->size || shape->form == CZ_NOTHING) {
        find_untyped(&s, region);
        return;
    }
    unsigned long count = region->size / shape->size, rest = region->size % shape->size;
    if (rest)
        snprintf(value, sizeof value, "%lu elements and %lu bytes", count, rest);
    else
        snprintf(value, sizeof value, "%lu elements", count);
    if (!old)
        tell(region->path, "", shape->name, value);
    find_row(&s, "", region->base, known ? known : target, count);
}

static void find_pointer(const struct search *s, const char *member, const char *at,
                         const struct cz_shape *shape)
{
    const void *pointer;
    char value[400];
    memcpy(&pointer, at, sizeof pointer);
    if (differs(s, at, sizeof pointer)) {
        observe_put_pointer(s->forms, pointer, value, sizeof value);
        tell(s->region->path, member, shape->name, value);
    }
    struct region *region = pointer ? observe_region(pointer) : NULL;
    if (region && region->path[0] != '&')
        find_object(s->forms, region, shape->target, s->depth + 1);
}

static void find(const struct search *s, const char *member, const char *at, unsigned number)
{
    const struct cz_shape *shape = &s->forms->shapes[number];
    char value[64];
    switch (shape->form) {
    case CZ_NOTHING: break;
    case CZ_NUMBER:
    case CZ_REAL:
        if (differs(s, at, shape->size)) {
            observe_put_scalar(shape, at, value, sizeof value);
            tell(s->region->path, member, shape->name, value);
        }
        break;
    case CZ_POINTER: find_pointer(s, member, at, shape); break;
    case CZ_ROW: find_row(s, member, at, shape->target, shape->count); break;
    case CZ_RECORD: find_members(s, member, at, shape); break;
    case CZ_UNION: find_union(s, member, at, shape); break;
    case CZ_BYTES:
        if (shape->count)
            find_union(s, member, at, shape);
        else if (differs(s, at, shape->size))
            find_bytes(s, member, at, shape->size, shape->name);
        break;
    }
}

// ---- around the call ----

static void tell_calls(const char *function, unsigned calls)
{
    char number[16];
    snprintf(number, sizeof number, "%u", calls);
    tell(function, "", "calls before", number);
}

void setup_call(const struct watch *watches, unsigned count)
{
    char number[16];
    snprintf(number, sizeof number, "%u", ++call_count);
    tell("call", "", "call", number);
    if (call_count == 1)
        replay_each_stub(tell_calls);
    for (unsigned i = 0; i < count; i++) {
        struct region *region = observe_region(watches[i].object);
        if (!region)
            continue;
        const struct old *old = old_of(region);
        struct search s = {watches[i].forms, region, old ? old->copy : NULL, 0};
        find(&s, "", watches[i].object, watches[i].shape);
    }
}

void setup_called(void)
{
    observe_each_region(remember_region);
}

void setup_freed(const struct region *region)
{
    tell(region->path, "", "freed", "");
}

void cz_gave(const struct cz_forms *forms, cz_path at, const void *object, unsigned shape)
{
    if (!observe_is_on())
        return;
    struct region result = {.base = object, .size = forms->shapes[shape].size};
    snprintf(result.path, sizeof result.path, "&%s", replay_path(at));
    observe_refresh();
    struct search s = {forms, &result, NULL, 0};
    find(&s, "", object, shape);
}
