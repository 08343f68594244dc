// SPDX-License-Identifier: Apache-2.0
// Places as access paths, their types, and the way back from a path's text. The
// values of leaves are in place_values.c, how paths are written in input_path.c.
//
// The table is written by a target that runs hostile code, so offsets into the
// string area are checked and parents must have smaller numbers.
#include "program/places.h"

#include <inttypes.h>
#include <string.h>

void places_view(struct places *places, const struct wire_header *header)
{
    const char *start = (const char *)header;
    places->table = (const struct wire_place *)(start + header->places.offset);
    places->strings = start + header->strings.offset;
    places->count = header->place_count;
    places->string_count = header->string_count;
    places->narrow = header->notes & WIRE_NOTE_NARROW;
    if (places->count > header->places.room)
        places->count = (uint32_t)header->places.room;
    if (places->string_count > header->strings.room)
        places->string_count = (uint32_t)header->strings.room;
}

bool places_is_leaf(const struct wire_place *place)
{
    return place->type != WIRE_T_NONE;
}

uint32_t places_elements(const struct wire_place *place)
{
    return place->type == WIRE_T_CHOICE || place->count == 0 ? 1 : place->count;
}

uint32_t places_element_size(const struct wire_place *place)
{
    uint32_t bytes = (place->bits + 7u) / 8, size = 1;
    while (size < bytes)
        size *= 2;
    return size;
}

uint32_t places_size(const struct wire_place *place)
{
    return places_is_leaf(place) ? places_elements(place) * places_element_size(place) : 0;
}

static const char *text_at(const struct places *places, uint32_t offset)
{
    if (offset >= places->string_count ||
        !memchr(places->strings + offset, 0, places->string_count - offset))
        return "?";
    return places->strings + offset;
}

static struct input_link link_of(const struct places *places, const struct wire_place *place)
{
    switch (place->link) {
    case WIRE_L_FIELD: return (struct input_link){INPUT_FIELD, text_at(places, place->name), 0};
    case WIRE_L_ARROW: return (struct input_link){INPUT_ARROW, text_at(places, place->name), 0};
    case WIRE_L_INDEX: return (struct input_link){INPUT_INDEX, NULL, place->index};
    case WIRE_L_DEREF: return (struct input_link){.kind = INPUT_DEREF};
    case WIRE_L_PART: return (struct input_link){INPUT_PART, text_at(places, place->name), 0};
    default: return (struct input_link){INPUT_PART, "?", 0};
    }
}

bool places_is_bound(const struct places *places, uint32_t id)
{
    if (id == 0 || id >= places->count || places->table[id].link != WIRE_L_ROOT)
        return false;
    const char *name = text_at(places, places->table[id].name);
    return strcmp(name, WIRE_BOUND_ELEMENTS) == 0 || strcmp(name, WIRE_BOUND_DEPTH) == 0;
}

// Parents come first. Their chain is walked by recursion; it is as long as the
// deepest access path, which --depth bounds.
static void add_place(const struct places *places, uint32_t id, struct arena *arena,
                      struct input_path *out)
{
    const struct wire_place *place = &places->table[id];
    if (place->link == WIRE_L_ROOT) {
        *out = input_path_begin(text_at(places, place->name), arena);
        return;
    }
    if (place->parent && place->parent < id)
        add_place(places, place->parent, arena, out);
    else
        *out = input_path_begin("", arena); // of a table that is not as it should be
    if (place->link == WIRE_L_CALL)
        input_path_set_number(out, place->index);
    else
        input_path_add(out, link_of(places, place), arena);
}

void places_input(const struct places *places, uint32_t id, struct arena *arena,
                  struct input_path *out)
{
    if (id == 0 || id >= places->count) {
        *out = input_path_begin("?", arena);
        return;
    }
    const struct wire_place *place = &places->table[id];
    add_place(places, id, arena, out);
    if (place->type == WIRE_T_SHAPE)
        out->says = INPUT_SHAPE;
    else if (place->type == WIRE_T_CHOICE)
        out->says = INPUT_CHOICE;
    if (places_is_leaf(place))
        out->elements = places_elements(place);
}

static void add_path(const struct places *places, uint32_t id, struct arena *arena, struct buf *out)
{
    struct input_path path;
    places_input(places, id, arena, &path);
    input_path_print(&path, out);
}

void places_path(const struct places *places, uint32_t id, struct buf *out)
{
    struct arena arena;
    arena_init(&arena);
    add_path(places, id, &arena, out);
    arena_release(&arena);
}

static void add_integer_type(const struct wire_place *place, bool narrow, struct buf *out)
{
    bool is_signed = place->type == WIRE_T_SIGNED;
    switch (place->bits) {
    case 8: buf_puts(out, is_signed ? "char" : "unsigned char"); break;
    case 16: buf_puts(out, is_signed ? "short" : "unsigned short"); break;
    case 32: buf_puts(out, is_signed ? "int" : "unsigned"); break;
    case 64:
        buf_printf(out, "%s%s", is_signed ? "long" : "unsigned long", narrow ? " long" : "");
        break;
    case 128: buf_puts(out, is_signed ? "__int128" : "unsigned __int128"); break;
    default: buf_printf(out, "%s:%u", is_signed ? "int" : "unsigned", place->bits);
    }
}

void places_type(const struct places *places, uint32_t id, struct buf *out)
{
    const struct wire_place *place = &places->table[id];
    if (place->type == WIRE_T_SHAPE)
        buf_puts(out, "shape");
    else if (place->type == WIRE_T_CHOICE)
        buf_puts(out, "choice");
    else if (place->type_name)
        buf_puts(out, text_at(places, place->type_name));
    else if (place->type == WIRE_T_BOOL)
        buf_puts(out, "_Bool");
    else if (place->type == WIRE_T_FLOAT)
        buf_puts(out, place->bits == 32 ? "float" : "double");
    else if (places_is_leaf(place))
        add_integer_type(place, places->narrow, out);
}

void places_index_init(struct places_index *index)
{
    *index = (struct places_index){0};
    map_init(&index->by_path);
}

void places_index_release(struct places_index *index)
{
    map_release(&index->by_path);
    VEC_RELEASE(&index->entered);
    VEC_RELEASE(&index->older);
}

// A place may become a leaf long after it was made (its children were asked for
// first), so every place that is not entered is looked at again.
void places_index_update(struct places_index *index, const struct places *places)
{
    struct buf path = BUF_INIT;
    struct arena arena;
    arena_init(&arena);
    VEC_RESERVE(&index->entered, places->count);
    VEC_RESERVE(&index->older, places->count);
    for (uint32_t id = 1; id < places->count; id++) {
        if (index->entered.items[id] || !places_is_leaf(&places->table[id]))
            continue;
        index->entered.items[id] = true;
        buf_clear(&path);
        add_path(places, id, &arena, &path);
        index->older.items[id] = places_find(index, buf_text(&path));
        map_put_text(&index->by_path, buf_text(&path), id);
    }
    arena_release(&arena);
    buf_release(&path);
}

uint32_t places_find(const struct places_index *index, const char *path)
{
    uint64_t id = 0;
    map_get_text(&index->by_path, path, &id);
    return (uint32_t)id;
}

uint32_t places_find_older(const struct places_index *index, uint32_t id)
{
    return id < index->older.room ? index->older.items[id] : 0;
}
