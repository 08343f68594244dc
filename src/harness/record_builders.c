// SPDX-License-Identifier: Apache-2.0
// Structs and unions. A record with a name gets a builder function, written the
// first time somebody asks for it. It is told by CZ_BEHIND whether the record is behind a
// pointer, so that paths in tests read as the user would write them. A record without a
// name is filled where it stands.
#include "harness/emit.h"

#include <string.h>

struct piece *piece_new(struct emitter *e, const char *name, size_t *index)
{
    struct piece *piece = arena_new(e->arena, struct piece);
    piece->name = name;
    *index = e->pieces.count;
    *VEC_PUSH(&e->pieces) = piece;
    return piece;
}

void piece_use(struct piece *piece, size_t other)
{
    for (size_t i = 0; i < piece->uses.count; i++) {
        if (piece->uses.items[i] == other)
            return;
    }
    *VEC_PUSH(&piece->uses) = other;
}

// A constant bit-field has no address to write through, so a record that has some
// is first copied from one that is initialised with them.
static bool is_constant_bits(const struct inside *in, const struct field *field)
{
    return field->bits > 0 && *field->name && (in->is_const || field->type->is_const);
}

static const char *bits_value(struct scope *s, const struct inside *in, const struct field *field)
{
    const char *path =
        arena_printf(s->emitter->arena, "%s(%s, \"%s\")", in->link, in->path, field->name);
    return arena_printf(s->emitter->arena, "%s(%s, %d)",
                        field->type->is_signed ? "cz_sbits" : "cz_ubits",
                        scalar_path(s, field->type, path), field->bits);
}

static void list_constant_bits(struct scope *s, const struct inside *in, const struct type *record,
                               struct buf *list)
{
    for (size_t i = 0; i < record->field_count; i++) {
        const struct field *field = &record->fields[i];
        if (field->anonymous_record && record->kind == TYPE_STRUCT)
            list_constant_bits(s, in, field->type, list);
        else if (is_constant_bits(in, field))
            buf_printf(list, "%s.%s = %s", list->length ? ", " : "", field->name,
                       bits_value(s, in, field));
    }
}

static void fill_constant_bits(struct scope *s, const struct inside *in, const struct type *record)
{
    struct buf list = BUF_INIT;
    list_constant_bits(s, in, record, &list);
    if (list.length) {
        emit_line(s, "{ /* constant bit-fields */");
        s->level++;
        emit_line(s, "__typeof__(*%s) cz_bits = {%s};", in->base, buf_text(&list));
        emit_line(s, "__builtin_memcpy((void *)%s, &cz_bits, sizeof cz_bits);", in->base);
        s->level--;
        emit_line(s, "}");
    }
    buf_release(&list);
}

static void fill_flexible(struct scope *s, const struct inside *in, const struct field *field,
                          uint64_t slot)
{
    struct arena *arena = s->emitter->arena;
    if (!in->allocated)
        return;
    struct spot spot = {arena_printf(arena, "%s%s", in->prefix, field->name),
                        arena_printf(arena, "%s(%s, \"%s\")", in->link, in->path, field->name),
                        in->is_const, slot};
    fill_elements(s, spot, field->type->target,
                  plan_flexible_count(s->emitter, field->type->target));
}

// Tags come first, as unions are filled by them. Members that belong together are filled
// where the first of them stands, lengths last, when what they count is there.
static void fill_members(struct scope *s, const struct inside *in, const struct type *record)
{
    for (size_t i = 0; i < record->field_count; i++)
        if (tags_is_tag(record, i))
            fill_member(s, in, record, i);
    for (size_t i = 0; i < record->field_count; i++) {
        const struct member_group *group = members_group(record, i);
        if (tags_is_tag(record, i))
            continue;
        if (tags_of_union(record, i)) {
            fill_tagged(s, in, record, tags_of_union(record, i));
            continue;
        }
        if (!group || !members_can_fill(record, group)) {
            if (!members_is_length(s, record, i))
                fill_member(s, in, record, i);
        } else if (group->fields[0] == i) {
            fill_group(s, in, record, group);
        }
    }
    for (size_t i = 0; i < record->field_count; i++)
        if (members_is_length(s, record, i))
            fill_length(s, in, record, i);
    fill_inner(s, in, record);
}

static void fill_anonymous(struct scope *s, const struct inside *in, const struct field *field,
                           size_t index)
{
    struct inside inner = *in;
    inner.offset += field->offset_bits / 8;
    inner.is_const |= field->type->is_const;
    if (field->type->kind == TYPE_STRUCT)
        fill_members(s, &inner, field->type);
    else
        fill_union(s, &inner, field->type,
                   arena_printf(s->emitter->arena, "cz_part(%s, \"union%zu\")", in->path, index));
}

void fill_member(struct scope *s, const struct inside *in, const struct type *record, size_t index)
{
    struct arena *arena = s->emitter->arena;
    const struct field *field = &record->fields[index];
    if (field->anonymous_record) {
        fill_anonymous(s, in, field, index);
        return;
    }
    if (!*field->name)
        return; // an unnamed bit-field
    if (field->bits >= 0) {
        if (s->emitter->options->no_bit_fields)
            emit_note(s, true, "%s.%s: zero (--without bit-fields)", record->spelling, field->name);
        else if (field->bits > 64)
            emit_note(s, true, "%s.%s: a bit-field of %d bits is not an input", record->spelling,
                      field->name, field->bits);
        else if (!is_constant_bits(in, field))
            emit_line(s, "%s%s = %s;", in->prefix, field->name, bits_value(s, in, field));
        return;
    }
    struct slot slot = {.kind = SLOT_FIELD,
                        .record = record->canonical ? record->canonical : record,
                        .index = index};
    if (field->type->kind == TYPE_ARRAY && field->type->count == 0) {
        fill_flexible(s, in, field, program_slot_key(&slot));
        return;
    }
    struct spot spot = {arena_printf(arena, "%s%s", in->prefix, field->name),
                        arena_printf(arena, "%s(%s, \"%s\")", in->link, in->path, field->name),
                        in->is_const, program_slot_key(&slot)};
    fill(s, spot, field->type);
}

static void fill_inside(struct scope *s, const struct inside *in, const struct type *record)
{
    fill_padding(s, in, record);
    fill_constant_bits(s, in, record);
    if (record->kind == TYPE_UNION)
        fill_union(s, in, record, in->path);
    else
        fill_members(s, in, record);
}

// The record itself, without the typedefs and qualifiers it was reached through.
static const struct type *core_of(const struct type *record)
{
    const struct type *core = record->canonical;
    return core && names_sayable(core) ? core : record;
}

static const char *record_name(struct emitter *e, const struct type *record)
{
    return names_plain(e, core_of(record));
}

static void write_builder(struct emitter *e, struct piece *piece, const struct type *record,
                          bool allocated)
{
    struct arena *arena = e->arena;
    struct buf body = BUF_INIT;
    struct scope s = {.emitter = e, .out = &body, .piece = piece, .level = 1, .counting = true};
    s.hidden = arena_printf(arena, "%s->", e->it);
    s.spoken = arena_printf(arena, "%s.", record_name(e, record));
    struct inside in = {s.hidden, "cz_field", e->at, e->it, 0, false, allocated};
    const char *head =
        arena_printf(arena, "static void %s(%s, cz_path %s, unsigned %s)", piece->name,
                     arena_printf(arena, "%s *%s", record_name(e, record), e->it), e->at, e->depth);
    buf_printf(&e->prototypes, "%s;\n", head);
    s.record = core_of(record);
    aliases_begin_builder(&s, record);
    fill_inside(&s, &in, record);
    aliases_end_builder(&s, record);
    if (plan_is_linked(e, record))
        buf_puts(&e->bodies,
                 "/* A linked structure: one element behind each pointer, or the number "
                 "of\n   objects would grow with a power of --depth. */\n");
    buf_printf(&e->bodies, "%s\n{\n%s}\n\n", head, buf_text(&body));
    buf_release(&body);
}

// The name of the builder; notes that the current piece depends on it. One for all, but
// where a flexible array comes last, which is there only in memory that was made for it.
static const char *builder(struct scope *s, const struct type *record, bool behind)
{
    struct emitter *e = s->emitter;
    const char *plain = record_name(e, record);
    bool allocated = behind && plan_flexible(record);
    uint64_t key = ((uint64_t)(uintptr_t)core_of(record) << 1) | allocated, index;
    if (!map_get(&e->builders, key, &index)) {
        size_t at;
        const char *name = arena_printf(e->arena, "make_%s%s", names_identifier(e, plain),
                                        allocated ? "_behind" : "");
        struct piece *piece = piece_new(e, names_pick(e, name), &at);
        index = at;
        map_put(&e->builders, key, index);
        write_builder(e, piece, record, allocated);
    }
    piece_use(s->piece, index);
    return e->pieces.items[index]->name;
}

// ---- pointers that stubs write ----

static void write_setter(struct emitter *e, struct piece *piece, const struct type *type,
                         uint64_t slot)
{
    struct arena *arena = e->arena;
    struct buf body = BUF_INIT;
    struct scope s = {.emitter = e, .out = &body, .piece = piece, .level = 1, .counting = true};
    s.hidden = arena_printf(arena, "(*%s)", e->it);
    s.spoken = "what a stub writes";
    const char *head =
        arena_printf(arena, "static void %s(%s, cz_path %s, unsigned %s)", piece->name,
                     names_declare(e, type, arena_printf(arena, "*%s", e->it)), e->at, e->depth);
    buf_printf(&e->prototypes, "%s;\n", head);
    fill_pointer(&s, (struct spot){s.hidden, e->at, false, slot}, type);
    buf_printf(&e->bodies, "%s\n{\n%s}\n\n", head, buf_text(&body));
    buf_release(&body);
}

// Many stubs may write the same member.
void fill_by_setter(struct scope *s, struct spot spot, const struct type *type)
{
    struct emitter *e = s->emitter;
    const struct type *core = type->canonical ? type->canonical : type;
    uint64_t key = hash_mix((uint64_t)(uintptr_t)core ^ hash_mix(spot.slot)), index;
    if (!map_get(&e->setters, key, &index)) {
        size_t at;
        const char *plain = names_identifier(e, names_plain(e, type->target));
        struct piece *piece =
            piece_new(e, names_pick(e, arena_printf(e->arena, "set_%s", plain)), &at);
        index = at;
        map_put(&e->setters, key, index);
        write_setter(e, piece, type, spot.slot);
    }
    piece_use(s->piece, index);
    emit_line(s, "%s(&%s, %s, %s);", e->pieces.items[index]->name, spot.access, spot.path,
              emit_depth(s));
}

static const char *address_cast(struct scope *s, const struct type *record, bool is_const)
{
    if (!is_const && !record->is_const && !record->is_volatile)
        return "";
    return arena_printf(s->emitter->arena, "(%s *)", record_name(s->emitter, record));
}

void fill_record(struct scope *s, struct spot spot, const struct type *record)
{
    struct arena *arena = s->emitter->arena;
    if (!record->complete || record->field_count == 0)
        return;
    if (names_is_va_tag(record)) {
        fill_arguments(s, arena_printf(arena, "%s.", spot.access), spot.path, record);
        return;
    }
    if (names_sayable(record)) {
        emit_line(s, "%s(%s&%s, %s, %s);", builder(s, record, false),
                  address_cast(s, record, spot.is_const), spot.access, spot.path, emit_depth(s));
        return;
    }
    bool block = emit_open(s, spot.path);
    struct inside in = {arena_printf(arena, "%s.", spot.access),
                        "cz_field",
                        emit_hoist(s, spot.path),
                        arena_printf(arena, "(&%s)", spot.access),
                        0,
                        spot.is_const || record->is_const,
                        false};
    fill_inside(s, &in, record);
    emit_close(s, block);
}

void fill_record_behind(struct scope *s, struct spot pointer, const struct type *record)
{
    struct arena *arena = s->emitter->arena;
    if (!record->complete || record->field_count == 0)
        return;
    if (names_is_va_tag(record)) {
        fill_arguments(s, arena_printf(arena, "%s->", pointer.access), pointer.path, record);
        return;
    }
    if (names_sayable(record)) {
        emit_line(s, "%s(%s%s, %s | CZ_BEHIND, %s);", builder(s, record, true),
                  address_cast(s, record, pointer.is_const), pointer.access, pointer.path,
                  emit_depth(s));
        return;
    }
    struct inside in = {
        arena_printf(arena, "%s->", pointer.access), "cz_arrow", pointer.path, pointer.access, 0,
        pointer.is_const || record->is_const,        true};
    fill_inside(s, &in, record);
}
