// SPDX-License-Identifier: Apache-2.0
// The driver's vocabulary (include/cz/driver.h) for the engine: places are entered
// into the shared place table when a driver first asks for them, leaves get their
// bytes of the input vector, and values come from there, symbolic in a concolic run.
//
// Asking must be cheap, since drivers ask for everything in every run. A place is
// found through a hash table keyed by its parent, link and the *address* of its name
// (names are literals); only a new address compares text. What one run has asked
// for is told by stamps, so nothing has to be cleared between runs.
#define _GNU_SOURCE 1
#include "../include/cz/driver.h"
#include "../wire/input_names.h"
#include "target_process.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LINK_STUB  100 // key of a stub's root by function name; never in the table of places
#define LINK_TWIN  101 // key of a second leaf at the same path with another type
#define FIRST_ROOM 4096

struct slot {
    uint64_t key;
    uint32_t parent, link;
    uint32_t place, pad; // 0: empty
};

struct table {
    struct slot *slots;
    uint32_t room, count; // room is a power of two
};

static struct table by_pointer, by_text;
static struct wire_place *places;
static char *strings;
static uint32_t known_places; // entered into by_text
static uint32_t *seen;        // per place: run number of the last use
static uint32_t *calls;       // per place of a stub: calls in the run `call_run`
static uint32_t *call_run;
static uint32_t run_number;
static uint32_t asked, stub_calls; // places asked for and stubs called in this run
static const uint8_t *input;
static uint32_t input_size, input_used;

static void *reserve(uint64_t size)
{
    void *got = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED)
        abort();
    return got;
}

// ---- Hash tables ----

static uint32_t hash(uint64_t key, uint32_t parent, uint32_t link)
{
    uint64_t h = (key ^ ((uint64_t)parent << 32) ^ link) * 0x9E3779B97F4A7C15ull;
    return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

static uint64_t hash_text(uint64_t h, const char *text)
{
    for (; *text; text++)
        h = (h ^ (uint8_t)*text) * 1099511628211ull;
    return h;
}

static struct slot *find_slot(const struct table *table, uint64_t key, uint32_t parent,
                              uint32_t link)
{
    uint32_t mask = table->room - 1;
    for (uint32_t i = hash(key, parent, link) & mask;; i = (i + 1) & mask) {
        struct slot *slot = &table->slots[i];
        if (!slot->place || (slot->key == key && slot->parent == parent && slot->link == link))
            return slot;
    }
}

static void table_add(struct table *table, uint64_t key, uint32_t parent, uint32_t link,
                      uint32_t place)
{
    if (2 * (table->count + 1) > table->room) {
        struct table old = *table;
        table->room = old.room ? 2 * old.room : FIRST_ROOM;
        table->slots = reserve(table->room * sizeof *table->slots);
        for (uint32_t i = 0; i < old.room; i++)
            if (old.slots[i].place)
                *find_slot(table, old.slots[i].key, old.slots[i].parent, old.slots[i].link) =
                    old.slots[i];
        if (old.room)
            munmap(old.slots, old.room * sizeof *old.slots);
    }
    struct slot *slot = find_slot(table, key, parent, link);
    table->count += slot->place == 0;
    *slot = (struct slot){key, parent, link, place, 0};
}

// ---- Places ----

void czrt_inputs_init(void)
{
    places = (struct wire_place *)((char *)czrt_wire + czrt_wire->places.offset);
    strings = (char *)czrt_wire + czrt_wire->strings.offset;
    uint64_t room = czrt_wire->places.room + 1;
    seen = reserve(room * sizeof *seen);
    calls = reserve(room * sizeof *calls);
    call_run = reserve(room * sizeof *call_run);
    if (czrt_wire->place_count == 0)
        czrt_wire->place_count = 1; // place 0 is not used
    if (czrt_wire->string_count == 0)
        czrt_wire->string_count = 1; // offset 0 means: no string
    known_places = 1;
    table_add(&by_pointer, 1, UINT32_MAX, UINT32_MAX, 1); // so that find_slot has slots
    table_add(&by_text, 1, UINT32_MAX, UINT32_MAX, 1);
    czrt_inputs_adopt();
}

static _Noreturn void give_up(void)
{
    if (!czrt_running)
        abort();
    czrt_outcome = (struct czrt_outcome){.status = WIRE_UNDONE};
    czrt_leave();
}

static uint32_t add_string(const char *prefix, const char *text)
{
    size_t first = strlen(prefix), second = strlen(text);
    uint32_t at = czrt_wire->string_count;
    if (at + first + second + 1 > czrt_wire->strings.room)
        give_up();
    memcpy(strings + at, prefix, first);
    memcpy(strings + at + first, text, second + 1);
    czrt_wire->string_count = at + (uint32_t)(first + second + 1);
    return at;
}

static uint32_t append(struct wire_place place)
{
    uint32_t id = czrt_wire->place_count;
    if (id >= czrt_wire->places.room)
        give_up();
    places[id] = place;
    czrt_wire->place_count = id + 1;
    known_places = id + 1;
    return id;
}

// Two texts with the same 64-bit hash under one parent: not in this universe, but
// a wrong place would be a wrong test, so the text decides and the key moves on.
static uint32_t find_text(uint32_t parent, uint32_t link, const char *prefix, const char *text,
                          uint64_t *key)
{
    size_t first = strlen(prefix);
    *key = hash_text(hash_text(14695981039346656037ull, prefix), text);
    for (;; ++*key) {
        uint32_t place = find_slot(&by_text, *key, parent, link)->place;
        if (!place)
            return 0;
        const char *name = strings + places[place].name;
        if (strncmp(name, prefix, first) == 0 && strcmp(name + first, text) == 0)
            return place;
    }
}

static uint32_t named(uint32_t parent, uint32_t link, uint32_t key_link, const char *prefix,
                      const char *name)
{
    uint64_t key;
    uint32_t place = find_text(parent, link, prefix, name, &key);
    if (!place) {
        place = append((struct wire_place){
            .parent = parent, .link = (uint8_t)link, .name = add_string(prefix, name)});
        table_add(&by_text, key, parent, link, place);
    }
    table_add(&by_pointer, (uintptr_t)name, parent, key_link, place);
    return place;
}

static inline cz_path lookup(uint32_t parent, uint32_t link, const char *name)
{
    czrt_ret = 0;
    asked++;
    uint32_t place = find_slot(&by_pointer, (uintptr_t)name, parent, link)->place;
    return place ? place : named(parent, link, link, "", name);
}

static cz_path numbered(uint32_t parent, uint32_t link, uint64_t index)
{
    czrt_ret = 0;
    asked++;
    uint32_t place = find_slot(&by_pointer, index, parent, link)->place;
    if (!place) {
        place = append(
            (struct wire_place){.parent = parent, .link = (uint8_t)link, .index = (uint32_t)index});
        table_add(&by_pointer, index, parent, link, place);
    }
    return place;
}

cz_path cz_root(const char *name)
{
    return lookup(0, WIRE_L_ROOT, name);
}

// The places of a later call hang from one that says which. Names are told by address.
cz_path cz_turn(unsigned call, const char *name)
{
    static char names[CZ_MOST_CALLS + 1][8];
    if (call <= 1 || call > CZ_MOST_CALLS)
        return cz_root(name);
    if (!*names[call])
        snprintf(names[call], sizeof *names, "call%u", call);
    return cz_part(cz_root(names[call]), name);
}

cz_path cz_field(cz_path of, const char *name)
{
    return lookup(of & ~CZ_BEHIND, of & CZ_BEHIND ? WIRE_L_ARROW : WIRE_L_FIELD, name);
}

cz_path cz_arrow(cz_path of, const char *name)
{
    return lookup(of, WIRE_L_ARROW, name);
}

cz_path cz_part(cz_path of, const char *name)
{
    return lookup(of & ~CZ_BEHIND, WIRE_L_PART, name);
}

cz_path cz_index(cz_path of, unsigned long index)
{
    return numbered(of, WIRE_L_INDEX, index);
}

cz_path cz_deref(cz_path of)
{
    return numbered(of, WIRE_L_DEREF, 0);
}

static cz_path next_call(const char *function)
{
    uint32_t stub = find_slot(&by_pointer, (uintptr_t)function, 0, LINK_STUB)->place;
    if (!stub)
        stub = named(0, WIRE_L_ROOT, LINK_STUB, "stub:", function);
    if (call_run[stub] != run_number) {
        call_run[stub] = run_number;
        calls[stub] = 0;
    }
    return numbered(stub, WIRE_L_CALL, ++calls[stub]);
}

cz_path cz_call(const char *function)
{
    czrt_loss(WIRE_LOSS_STUB);
    if (++stub_calls > WIRE_MAX_CALLS || asked > WIRE_MAX_ASKED)
        czrt_end_by_steps(0);
    return next_call(function);
}

// By its text, since names of registers may be made at run time.
cz_path czrt_next_read(const char *name, bool once)
{
    uint64_t key;
    uint32_t place = find_text(0, WIRE_L_ROOT, "", name, &key);
    asked++;
    if (!place) {
        place = append((struct wire_place){.link = WIRE_L_ROOT, .name = add_string("", name)});
        table_add(&by_text, key, 0, WIRE_L_ROOT, place);
    }
    czrt_ret = 0;
    if (once)
        return place;
    if (call_run[place] != run_number) {
        call_run[place] = run_number;
        calls[place] = 0;
    }
    if (asked > WIRE_MAX_ASKED)
        czrt_end_by_steps(0);
    return numbered(place, WIRE_L_CALL, ++calls[place]);
}

bool czrt_was_asked(cz_path at)
{
    return seen[at] == run_number;
}

bool czrt_allocation_fails(const char *function)
{
    uint32_t before = asked; // an allocation is no stub
    bool fails = cz_bool(cz_part(next_call(function), "fails"));
    asked = before;
    czrt_branch(CZRT_SITE_ALLOCATION, fails, czrt_ret);
    czrt_ret = 0;
    return fails;
}

// Names that come from the code under test: file names, environment variables. What is
// no usual character of a name is written %XX. Pinned, because another name is another
// place; with a number, a name that depends on inputs is `prefix#number` instead, and
// the top bit says so.
static bool name_has_labels(const char *name)
{
    for (size_t i = 0; czrt_concolic; i++) {
        wire_label label = *CZRT_SHADOW(name + i);
        if (label && !WIRE_IS_POISON(label))
            return true;
        if (!name[i])
            break;
    }
    return false;
}

static void pin_name(const char *name)
{
    for (size_t i = 0; czrt_concolic; i++) {
        wire_label label = czrt_load(name + i, 1, 0);
        if (label)
            czrt_pin(0, label, (uint8_t)name[i]);
        if (!name[i])
            break;
    }
}

cz_path czrt_root_named(const char *prefix, const char *name, unsigned number)
{
    char text[WIRE_NAME_ROOM];
    bool numbered_name = number && name_has_labels(name);
    if (!numbered_name)
        pin_name(name);
    wire_write_name(text, prefix, numbered_name ? NULL : name, number);
    uint64_t key;
    uint32_t place = find_text(0, WIRE_L_ROOT, "", text, &key);
    asked++;
    if (!place) {
        place = append((struct wire_place){.link = WIRE_L_ROOT, .name = add_string("", text)});
        table_add(&by_text, key, 0, WIRE_L_ROOT, place);
    }
    czrt_ret = 0;
    return place | (numbered_name ? 0x80000000u : 0);
}

cz_path cz_typed(cz_path at, const char *type)
{
    czrt_ret = 0;
    if (!places[at].type_name)
        places[at].type_name = add_string("", type);
    return at;
}

// Places that another process entered into the shared table, e.g. a forked child.
void czrt_inputs_adopt(void)
{
    for (; known_places < czrt_wire->place_count; known_places++) {
        const struct wire_place *place = &places[known_places];
        uint64_t key;
        if (place->link == WIRE_L_INDEX || place->link == WIRE_L_CALL ||
            place->link == WIRE_L_DEREF) {
            if (!find_slot(&by_pointer, place->index, place->parent, place->link)->place)
                table_add(&by_pointer, place->index, place->parent, place->link, known_places);
        } else if (!find_text(place->parent, place->link, "", strings + place->name, &key)) {
            table_add(&by_text, key, place->parent, place->link, known_places);
        }
    }
}

// ---- Leaves ----

static uint32_t element_bytes(uint32_t bits)
{
    uint32_t bytes = (bits + 7) / 8;
    return bytes <= 2 ? bytes : bytes <= 4 ? 4 : bytes <= 8 ? 8 : 16;
}

static void make_leaf(struct wire_place *place, uint32_t type, uint32_t bits, uint32_t count)
{
    uint32_t bytes = element_bytes(bits), elements = type == WIRE_T_CHOICE ? 1 : count;
    uint32_t offset = (czrt_wire->input_size + bytes - 1) & ~(bytes - 1);
    if ((uint64_t)offset + (uint64_t)bytes * elements > czrt_wire->inputs.room)
        give_up();
    place->type = (uint8_t)type;
    place->bits = (uint16_t)bits;
    place->count = count;
    place->offset = offset;
    czrt_wire->input_size = offset + bytes * elements;
}

static bool is_leaf(const struct wire_place *place, uint32_t type, uint32_t bits, uint32_t count)
{
    return place->type == type && place->bits == bits && place->count == count;
}

// One path can be asked for twice with different types (a pointer's shape and the
// choice of its target, arrays of different length): each gets a place of its own.
static uint32_t twin(uint32_t at, uint32_t type, uint32_t bits, uint32_t count)
{
    uint64_t key = ((uint64_t)count << 32) | (type << 16) | bits;
    uint32_t place = find_slot(&by_pointer, key, at, LINK_TWIN)->place;
    if (place)
        return place;
    for (place = at + 1; place < czrt_wire->place_count; place++) // one that a child has made
        if (is_leaf(&places[place], type, bits, count) &&
            places[place].parent == places[at].parent && places[place].link == places[at].link &&
            places[place].name == places[at].name && places[place].index == places[at].index)
            break;
    if (place == czrt_wire->place_count) {
        struct wire_place copy = places[at];
        make_leaf(&copy, type, bits, count);
        place = append(copy);
    }
    table_add(&by_pointer, key, at, LINK_TWIN, place);
    return place;
}

// The leaf that `at` stands for, noted as used.
static const struct wire_place *leaf(cz_path at, uint32_t type, uint32_t bits, uint32_t count)
{
    struct wire_place *place = &places[at];
    if (!is_leaf(place, type, bits, count)) {
        if (place->type == WIRE_T_NONE)
            make_leaf(place, type, bits, count);
        else
            place = &places[at = twin(at, type, bits, count)];
    }
    if (seen[at] != run_number) {
        seen[at] = run_number;
        if (czrt_wire->use_count < czrt_wire->uses.room) {
            uint32_t *uses = (uint32_t *)((char *)czrt_wire + czrt_wire->uses.offset);
            uses[czrt_wire->use_count++] = at;
        } else {
            czrt_loss(WIRE_LOSS_ROOM);
        }
        uint32_t elements = type == WIRE_T_CHOICE ? 1 : count;
        uint32_t end = place->offset + element_bytes(bits) * elements;
        if (end > input_used)
            input_used = end;
    }
    return place;
}

static inline uint64_t fetch(uint32_t offset, uint32_t bytes)
{
    uint64_t value = 0;
    if ((uint64_t)offset + bytes <= input_size)
        memcpy(&value, input + offset, bytes);
    else if (offset < input_size)
        memcpy(&value, input + offset, input_size - offset);
    return value;
}

// An integer of `bits` bits, as a result of `width` bits.
static uint64_t integer(cz_path at, uint32_t type, uint32_t bits, uint32_t width)
{
    const struct wire_place *place = leaf(at, type, bits, 1);
    uint64_t value = fetch(place->offset, element_bytes(bits));
    if (bits < 64) {
        value &= (1ull << bits) - 1;
        if (type == WIRE_T_SIGNED && value >> (bits - 1))
            value |= ~0ull << bits;
    }
    czrt_ret = 0;
    if (czrt_concolic) {
        wire_label label = czrt_input_label(place->offset, bits);
        czrt_ret = width == bits ? label : czrt_extend(label, width, type == WIRE_T_SIGNED);
    }
    return value;
}

_Bool cz_bool(cz_path at)
{
    return integer(at, WIRE_T_BOOL, 1, 1) != 0;
}

_Bool cz_present(cz_path at)
{
    bool present = integer(at, WIRE_T_SHAPE, 1, 1) != 0;
    czrt_shape_asked(leaf(at, WIRE_T_SHAPE, 1, 1)->offset);
    return present;
}

void *cz_absent(cz_path at)
{
    uint32_t offset = leaf(at, WIRE_T_SHAPE, 1, 1)->offset;
    czrt_ret = czrt_concolic && czrt_shape_absent(offset) ? czrt_absent_label(offset) : 0;
    return NULL;
}

// What the path has decided already, so the result needs no label.
_Bool cz_missing(cz_path at)
{
    uint32_t place = at & ~CZ_BEHIND;
    czrt_ret = 0;
    if (!is_leaf(&places[place], WIRE_T_SHAPE, 1, 1))
        place =
            find_slot(&by_pointer, 1ull << 32 | WIRE_T_SHAPE << 16 | 1, place, LINK_TWIN)->place;
    return !place || seen[place] != run_number || !(fetch(places[place].offset, 1) & 1);
}

signed char cz_i8(cz_path at)
{
    return (signed char)integer(at, WIRE_T_SIGNED, 8, 8);
}

unsigned char cz_u8(cz_path at)
{
    return (unsigned char)integer(at, WIRE_T_UNSIGNED, 8, 8);
}

short cz_i16(cz_path at)
{
    return (short)integer(at, WIRE_T_SIGNED, 16, 16);
}

unsigned short cz_u16(cz_path at)
{
    return (unsigned short)integer(at, WIRE_T_UNSIGNED, 16, 16);
}

int cz_i32(cz_path at)
{
    return (int)integer(at, WIRE_T_SIGNED, 32, 32);
}

unsigned cz_u32(cz_path at)
{
    return (unsigned)integer(at, WIRE_T_UNSIGNED, 32, 32);
}

long long cz_i64(cz_path at)
{
    return (long long)integer(at, WIRE_T_SIGNED, 64, 64);
}

unsigned long long cz_u64(cz_path at)
{
    return integer(at, WIRE_T_UNSIGNED, 64, 64);
}

unsigned long long cz_ubits(cz_path at, unsigned bits)
{
    return integer(at, WIRE_T_UNSIGNED, bits, 64);
}

long long cz_sbits(cz_path at, unsigned bits)
{
    return (long long)integer(at, WIRE_T_SIGNED, bits, 64);
}

void cz_wide(cz_path at, void *to, int is_signed)
{
    const struct wire_place *place = leaf(at, is_signed ? WIRE_T_SIGNED : WIRE_T_UNSIGNED, 128, 1);
    uint64_t halves[2] = {fetch(place->offset, 8), fetch(place->offset + 8, 8)};
    memcpy(to, halves, sizeof halves);
    if (czrt_concolic)
        czrt_store(to, sizeof halves, czrt_input_label(place->offset, 128), 0);
    else
        czrt_shadow_fill(to, 0, sizeof halves);
    czrt_ret = 0;
}

static uint64_t floating(cz_path at, uint32_t bits)
{
    const struct wire_place *place = leaf(at, WIRE_T_FLOAT, bits, 1);
    czrt_ret = czrt_concolic ? czrt_input_label(place->offset, bits) : 0;
    return fetch(place->offset, bits / 8);
}

float cz_f32(cz_path at)
{
    uint32_t raw = (uint32_t)floating(at, 32);
    float value;
    memcpy(&value, &raw, sizeof value);
    return value;
}

double cz_f64(cz_path at)
{
    uint64_t raw = floating(at, 64);
    double value;
    memcpy(&value, &raw, sizeof value);
    return value;
}

long double cz_f80(cz_path at)
{
    double value = cz_f64(at);
    if (czrt_concolic)
        czrt_loss(WIRE_LOSS_WIDE);
    czrt_ret = 0;
    return value;
}

unsigned cz_choice(cz_path at, unsigned count)
{
    czrt_ret = 0;
    if (count <= 1)
        return 0;
    uint32_t bits = count <= 256 ? 8 : count <= 65536 ? 16 : 32;
    const struct wire_place *place = leaf(at & ~CZ_BEHIND, WIRE_T_CHOICE, bits, count);
    uint64_t raw = fetch(place->offset, bits / 8);
    if (czrt_concolic) {
        wire_label label = czrt_input_label(place->offset, bits);
        if (count < 1ull << bits)
            label = czrt_binary(WIRE_UREM, bits, label, 0, raw, count);
        czrt_ret = bits == 32 ? label : czrt_extend(label, 32, false);
    }
    return (unsigned)(raw % count);
}

// The engine chooses it, so it is not symbolic.
unsigned cz_calls(unsigned least, unsigned most)
{
    unsigned more = cz_u8(cz_root("more_calls"));
    czrt_ret = 0;
    return more < most - least ? least + more : most;
}

struct bound {
    const char *name;
    uint32_t run; // that has asked for it last
    uint32_t wanted;
};

// Once per run: drivers ask for every object. The engine chooses it, so it is not symbolic.
static unsigned bound_in_force(struct bound *bound, unsigned start, unsigned most)
{
    if (bound->run != run_number) {
        const struct wire_place *place = leaf(cz_root(bound->name), WIRE_T_UNSIGNED, 32, 1);
        bound->wanted = (uint32_t)fetch(place->offset, 4);
        bound->run = run_number;
    }
    czrt_ret = 0;
    return wire_bound(bound->wanted, start, most);
}

unsigned cz_elements(unsigned start, unsigned most)
{
    static struct bound elements = {.name = WIRE_BOUND_ELEMENTS};
    return bound_in_force(&elements, start, most);
}

unsigned cz_depth(unsigned start, unsigned most)
{
    static struct bound depth = {.name = WIRE_BOUND_DEPTH};
    return bound_in_force(&depth, start, most);
}

// ---- Memory ----

static const struct {
    uint8_t type, bits, bytes;
} scalars[] = {
    [CZ_BOOL] = {WIRE_T_BOOL, 1, 1},     [CZ_I8] = {WIRE_T_SIGNED, 8, 1},
    [CZ_U8] = {WIRE_T_UNSIGNED, 8, 1},   [CZ_I16] = {WIRE_T_SIGNED, 16, 2},
    [CZ_U16] = {WIRE_T_UNSIGNED, 16, 2}, [CZ_I32] = {WIRE_T_SIGNED, 32, 4},
    [CZ_U32] = {WIRE_T_UNSIGNED, 32, 4}, [CZ_I64] = {WIRE_T_SIGNED, 64, 8},
    [CZ_U64] = {WIRE_T_UNSIGNED, 64, 8}, [CZ_F32] = {WIRE_T_FLOAT, 32, 4},
    [CZ_F64] = {WIRE_T_FLOAT, 64, 8},
};

static void copy_elements(char *to, const struct wire_place *place, uint64_t size)
{
    uint64_t given = place->offset < input_size ? input_size - place->offset : 0;
    if (given > size)
        given = size;
    memcpy(to, input + place->offset, given);
    memset(to + given, 0, size - given);
    for (uint64_t i = 0; place->type == WIRE_T_BOOL && i < given; i++)
        to[i] &= 1;
}

void cz_array(cz_path at, void *to, enum cz_scalar type, unsigned long count)
{
    czrt_ret = 0;
    if (count == 0)
        return;
    uint32_t bits = scalars[type].bits, bytes = scalars[type].bytes;
    const struct wire_place *place =
        leaf(at & ~CZ_BEHIND, scalars[type].type, bits, (uint32_t)count);
    copy_elements(to, place, bytes * count);
    czrt_extent_open(to); // a stub writes to it, as far as it knows
    if (!czrt_concolic)
        czrt_shadow_fill(to, 0, bytes * count);
    for (uint32_t i = 0; czrt_concolic && i < count; i++) {
        wire_label label = czrt_input_label(place->offset + i * bytes, bits);
        czrt_store((char *)to + i * bytes, bytes, bits == 1 ? czrt_extend(label, 8, false) : label,
                   0);
    }
    czrt_extent_close(to);
    czrt_ret = 0;
}

void *cz_new(cz_path at, unsigned long size, int bounded)
{
    void *got = czrt_heap_new(size, bounded != 0);
    czrt_made(got, size, at);
    czrt_ret = 0;
    return got;
}

void *cz_text(cz_path at, unsigned long length)
{
    char *text = cz_new(at, length + 1, 1);
    if (text && czrt_concolic)
        czrt_shadow_fill(text + length, czrt_bound_label(WIRE_LOSS_ELEMENTS, 8), 1);
    return text;
}

void *cz_deep_null(cz_path at)
{
    (void)at;
    czrt_ret = czrt_concolic ? czrt_bound_label(WIRE_LOSS_DEPTH, CZRT_POINTER_BITS) : 0;
    return NULL;
}

// ---- Runs ----

void czrt_inputs_begin_run(struct wire_run *run, const uint8_t *bytes)
{
    run_number++;
    asked = stub_calls = 0;
    input = bytes;
    input_size = run->input_size;
    input_used = 0;
    run->first_use = czrt_wire->use_count;
}

uint64_t czrt_inputs_asked(void)
{
    return (uint64_t)czrt_wire->use_count + stub_calls + asked;
}

void czrt_inputs_end_run(struct wire_run *run)
{
    run->use_count = czrt_wire->use_count - run->first_use;
    run->input_used = input_used;
}

// What it asked for is in the shared area, how far into its input that was died with it.
void czrt_inputs_end_dead_run(struct wire_run *run)
{
    run->use_count = czrt_wire->use_count - run->first_use;
    run->input_used = run->input_size;
}
