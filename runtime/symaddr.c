// SPDX-License-Identifier: Apache-2.0
// Loads and stores whose address depends on inputs. The object that the address
// computation starts from decides: an in-bounds check is recorded for it, and a
// load from a small object becomes one READ node over a snapshot of the object's
// bytes and labels. A snapshot is shared as long as the object has not changed. Large
// or unknown objects, and all stores, pin the address: the engine may ask for others.
#include "../include/cz/driver.h"
#include "target_process.h"
#include <string.h>

#define READ_LIMIT 4096 // bytes of an object that a READ node may cover
#define CACHE      256  // last snapshots, by object

static struct cached {
    uint64_t base, size;
    uint32_t snapshot, serial;
    uint32_t unset; // a snapshot with ones for uninitialised bytes, plus one; 0: there are none
} cache[CACHE];
static uint32_t serial = 1; // of the current node area; older cache entries are void

#define CHOSEN 64 // more are not pinned, which only costs time
static struct {
    wire_label distance;
    uintptr_t base;
} chosen[CHOSEN];
static unsigned chosen_count;

void czrt_symaddr_reset(void)
{
    serial++;
    chosen_count = 0;
}

static bool all_concrete(const wire_label *shadow, uint64_t n)
{
    wire_label any = 0;
    for (uint64_t i = 0; i < n; i++)
        any |= shadow[i];
    return any == 0;
}

static struct wire_snapshot *snapshot_at(uint32_t index)
{
    return (struct wire_snapshot *)((char *)czrt_wire + czrt_wire->snapshots.offset) + index;
}

static uint8_t *bytes_at(uint32_t index)
{
    return (uint8_t *)czrt_wire + czrt_wire->bytes.offset + index;
}

static wire_label *labels_at(uint32_t index)
{
    return (wire_label *)((char *)czrt_wire + czrt_wire->labels.offset) + index;
}

static bool is_unchanged(const struct wire_snapshot *s, const struct czrt_object *object)
{
    if (object->is_const)
        return true;
    if (memcmp(bytes_at(s->first_byte), (const void *)object->base, object->size) != 0)
        return false;
    const wire_label *shadow = CZRT_SHADOW(object->base);
    if (s->first_label == WIRE_NO_LABELS)
        return all_concrete(shadow, object->size);
    return memcmp(labels_at(s->first_label), shadow, object->size * sizeof *shadow) == 0;
}

static bool has_room(uint64_t bytes, bool labels)
{
    return czrt_wire->snapshot_count < czrt_wire->snapshots.room &&
           czrt_wire->byte_count + bytes <= czrt_wire->bytes.room &&
           (!labels || czrt_wire->label_count + bytes <= czrt_wire->labels.room);
}

static uint32_t take_snapshot(const struct czrt_object *object)
{
    uint32_t index = czrt_wire->snapshot_count++;
    struct wire_snapshot *s = snapshot_at(index);
    const wire_label *shadow = CZRT_SHADOW(object->base);
    *s = (struct wire_snapshot){.base = object->base,
                                .size = (uint32_t)object->size,
                                .first_byte = czrt_wire->byte_count,
                                .first_label = WIRE_NO_LABELS,
                                .object = object->id};
    memcpy(bytes_at(s->first_byte), (const void *)object->base, object->size);
    czrt_wire->byte_count += (uint32_t)object->size;
    if (!all_concrete(shadow, object->size)) {
        s->first_label = czrt_wire->label_count;
        memcpy(labels_at(s->first_label), shadow, object->size * sizeof *shadow);
        czrt_wire->label_count += (uint32_t)object->size;
    }
    return index;
}

static bool any_uninitialised(const wire_label *shadow, uint64_t n)
{
    bool any = false;
    for (uint64_t i = 0; i < n && !any; i++)
        any = czrt_is_uninitialised(shadow[i]);
    return any;
}

static uint32_t take_unset(const struct czrt_object *object)
{
    const wire_label *shadow = CZRT_SHADOW(object->base);
    if (!any_uninitialised(shadow, object->size))
        return 0;
    if (!has_room(object->size, false)) {
        czrt_loss(WIRE_LOSS_NODES);
        return 0;
    }
    uint32_t index = czrt_wire->snapshot_count++;
    struct wire_snapshot *s = snapshot_at(index);
    *s = (struct wire_snapshot){.base = object->base,
                                .size = (uint32_t)object->size,
                                .first_byte = czrt_wire->byte_count,
                                .first_label = WIRE_NO_LABELS,
                                .object = object->id};
    for (uint64_t i = 0; i < object->size; i++)
        bytes_at(s->first_byte)[i] = czrt_is_uninitialised(shadow[i]);
    czrt_wire->byte_count += (uint32_t)object->size;
    return index + 1;
}

// The snapshot of the object as it is now; NULL when the areas are full.
static const struct cached *snapshot_of(const struct czrt_object *object)
{
    struct cached *entry = &cache[(uint32_t)(object->base >> 3 ^ object->base >> 11) % CACHE];
    if (entry->serial == serial && entry->base == object->base && entry->size == object->size &&
        is_unchanged(snapshot_at(entry->snapshot), object))
        return entry;
    bool concrete = all_concrete(CZRT_SHADOW(object->base), object->size);
    if (!has_room(object->size, !concrete)) {
        czrt_loss(WIRE_LOSS_NODES);
        return NULL;
    }
    *entry = (struct cached){.base = object->base, .size = object->size, .serial = serial};
    entry->snapshot = take_snapshot(object);
    entry->unset = concrete ? 0 : take_unset(object);
    return entry;
}

// Record that the access stays inside the object and fault when it does not.
static const struct czrt_object *check_bounds(const void *base, const void *address,
                                              wire_label label, uint32_t n, uint32_t site)
{
    czrt_note_use(label);
    czrt_note_decision(label, site);
    const struct czrt_object *object = czrt_object_find(base);
    if (object) {
        uint64_t offset = (uintptr_t)address - object->base;
        bool safe = object->size >= n && offset <= object->size - n;
        wire_label safe_label = 0;
        if (object->size >= n) {
            wire_label distance =
                czrt_binary(WIRE_ADD, CZRT_POINTER_BITS, label, 0, 0, -object->base);
            safe_label = czrt_binary(WIRE_ULE, CZRT_POINTER_BITS, distance, 0, 0, object->size - n);
        }
        if (object->open)
            czrt_loss(WIRE_LOSS_ELEMENTS); // it may be longer
        czrt_check(site, WIRE_FAULT_BOUNDS, safe, safe_label);
        if (!safe)
            czrt_end_if_open(object, address);
        if (!safe)
            czrt_fault(WIRE_FAULT_BOUNDS, site, address);
        czrt_extent_use_symbolic(object, address, label, n, site);
    } else if (CZRT_IS_WILD(address)) {
        czrt_pin(site, label, (uintptr_t)address);
        czrt_fault(WIRE_FAULT_NULL, site, address);
    }
    return object;
}

// The READ stands for every byte of the object, so it looks at whatever is fixed by a bound
// or by an absent pointer in there; its own node does not show them any more.
static void note_uses(const struct wire_snapshot *s)
{
    if (s->first_label == WIRE_NO_LABELS)
        return;
    const wire_label *labels = labels_at(s->first_label);
    uint32_t last = 0;
    for (uint32_t i = 0; i < s->size; i++)
        if (labels[i] && !WIRE_IS_POISON(labels[i]) && WIRE_NODE(labels[i]) != last) {
            last = WIRE_NODE(labels[i]);
            czrt_note_use(labels[i]);
        }
}

// Another address may lead to an uninitialised part of the object. That is another way: the
// record says that this one does not go there, and the engine looks for inputs that do.
static bool reads_initialised(const struct cached *entry, const void *address, wire_label label,
                              uint32_t n, uint32_t site)
{
    if (!entry->unset)
        return true;
    bool safe = !any_uninitialised(CZRT_SHADOW(address), n);
    wire_label unset = czrt_node(WIRE_READ, 8 * n, label, 0, entry->unset - 1, n);
    czrt_check(site, WIRE_FAULT_UNINIT, safe,
               unset ? czrt_binary(WIRE_EQ, 8 * n, unset, 0, 0, 0) : 0);
    return safe;
}

// A pointer that was itself read at a symbolic address, such as a link of a list or what the
// driver chose from a table, or chosen by a condition. Which object it leads to decides what
// comes, so a check against one of them would be another decision in each run. And reading
// through it once more would nest READ nodes, one for each step along a list, and every query
// would carry them all. Pinned, each place that it may point to is a way of its own, and what
// is behind it is plain memory again. An index is not pinned: then an object's address, which
// is no field's distance, is added to it; cz_chosen() tells where the driver does so to choose
// a place.
static wire_label without_constants(wire_label label, uintptr_t *constants)
{
    const struct wire_node *n = &czrt_nodes[WIRE_NODE(label)];
    for (*constants = 0; n->op == WIRE_ADD && n->a && !n->b; n = &czrt_nodes[WIRE_NODE(label)]) {
        *constants += (uintptr_t)n->y;
        label = n->a;
    }
    return label;
}

// How far the address is from the pointer that it is a field of; false: it is no field.
static bool field_of_pointer(wire_label label, uintptr_t constants, uintptr_t *offset)
{
    enum { FURTHEST_FIELD = 1 << 20 };
    const struct wire_node *n = &czrt_nodes[WIRE_NODE(label)];
    *offset = constants;
    for (unsigned i = 0; i < chosen_count; i++)
        if (chosen[i].distance == label)
            *offset = constants - chosen[i].base;
    bool is_pointer = *offset != constants ||
                      ((n->op == WIRE_READ || n->op == WIRE_ITE) && n->width == CZRT_POINTER_BITS);
    return is_pointer && *offset + FURTHEST_FIELD <= 2 * FURTHEST_FIELD;
}

bool czrt_pin_pointer(wire_label label, const void *address, uint32_t site)
{
    uintptr_t constants, offset;
    wire_label start = without_constants(label, &constants);
    if (!field_of_pointer(start, constants, &offset))
        return false;
    czrt_pin(site, start, (uintptr_t)address - constants);
    if (CZRT_IS_WILD(address))
        czrt_fault(WIRE_FAULT_NULL, site, address);
    return true;
}

void *cz_chosen(void *place)
{
    wire_label label = czrt_concolic ? czrt_args[0] : 0;
    czrt_args[0] = 0;
    if (label && chosen_count < CHOSEN) {
        uintptr_t base;
        wire_label distance = without_constants(label, &base);
        chosen[chosen_count].distance = distance;
        chosen[chosen_count++].base = base;
    }
    czrt_ret = label;
    return place;
}

// False: the address is taken as it is.
static bool read_object(const struct czrt_object *object, const void *address,
                        wire_label address_label, uint32_t n, uint32_t site, wire_label *out)
{
    czrt_check_poison(address, site);
    const struct cached *entry = object && object->size <= READ_LIMIT ? snapshot_of(object) : NULL;
    wire_label wide = entry ? czrt_extend(address_label, 64, false) : 0;
    if (!entry || !reads_initialised(entry, address, wide, n, site)) {
        czrt_pin(site, address_label, (uintptr_t)address);
        return false;
    }
    note_uses(snapshot_at(entry->snapshot));
    *out = czrt_node(WIRE_READ, 8 * n, wide, 0, entry->snapshot, n);
    return true;
}

wire_label czrt_load_symbolic(const void *base, const void *address, wire_label address_label,
                              uint32_t n, uint32_t site)
{
    const struct czrt_object *object = check_bounds(base, address, address_label, n, site);
    const void *start = object ? (const void *)object->base : address;
    wire_label read = 0;
    czrt_extent_open(start);
    bool is_read = read_object(object, address, address_label, n, site, &read);
    czrt_extent_close(start);
    if (is_read)
        return read;
    return all_concrete(CZRT_SHADOW(address), n) ? 0 : czrt_load(address, n, site);
}

void czrt_store_symbolic(const void *base, void *address, wire_label address_label, uint32_t n,
                         wire_label label, uint32_t site)
{
    check_bounds(base, address, address_label, n, site);
    czrt_pin(site, address_label, (uintptr_t)address);
    czrt_store(address, n, label, site);
}
