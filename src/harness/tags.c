// SPDX-License-Identifier: Apache-2.0
// Tagged unions. Where the code shows which member belongs to which value of the tag, the
// driver fills that one, so that an execution that changes the tag finds the member there.
// Without it the tag and the choice of the member would have to change together.
#include "harness/emit.h"

static const struct type *facts_of(const struct type *record)
{
    return record->canonical ? record->canonical : record;
}

// Without pointers all members show the same bits: one filling serves them all.
static bool is_used(const struct type *record, const struct member_tag *tag)
{
    const struct field *tag_field = &record->fields[tag->tag];
    const struct type *of_union = record->fields[tag->of_union].type;
    return plan_has_pointer(of_union) && *tag_field->name && !plan_is_record(tag_field->type) &&
           tag_field->type->kind != TYPE_ARRAY && tag_field->type->kind != TYPE_POINTER;
}

bool tags_is_tag(const struct type *record, size_t field)
{
    const struct type *facts = facts_of(record);
    for (size_t i = 0; i < facts->tag_count; i++)
        if (facts->tags[i].tag == field && is_used(record, &facts->tags[i]))
            return true;
    return false;
}

const struct member_tag *tags_of_union(const struct type *record, size_t field)
{
    const struct type *facts = facts_of(record);
    for (size_t i = 0; i < facts->tag_count; i++)
        if (facts->tags[i].of_union == field && is_used(record, &facts->tags[i]))
            return &facts->tags[i];
    return NULL;
}

// The cases with the members of one value: equal ends with the next value.
static size_t same_value(const struct member_tag *tag, size_t first)
{
    size_t end = first;
    while (end < tag->case_count && tag->cases[end].value == tag->cases[first].value)
        end++;
    return end;
}

static bool goes_with_next(const struct member_tag *tag, size_t first, size_t end)
{
    return end - first == 1 && end < tag->case_count && same_value(tag, end) - end == 1 &&
           tag->cases[end].member == tag->cases[first].member;
}

static void fill_value(struct scope *s, const struct inside *in, const struct type *of,
                       const struct member_tag *tag, size_t first, size_t end)
{
    if (end - first == 1) {
        fill_member(s, in, of, tag->cases[first].member);
        return;
    }
    emit_line(s, "switch (cz_choice(%s, %zu)) {", in->path, end - first);
    for (size_t i = first; i < end; i++) {
        emit_line(s, "case %zu:", i - first);
        s->level++;
        fill_member(s, in, of, tag->cases[i].member);
        emit_line(s, "break;");
        s->level--;
    }
    emit_line(s, "}");
}

static struct inside inside_of_union(struct scope *s, const struct inside *in,
                                     const struct field *field, size_t index)
{
    struct arena *arena = s->emitter->arena;
    struct inside inner = *in;
    inner.is_const |= field->type->is_const;
    inner.allocated = false;
    if (field->anonymous_record) {
        inner.offset += field->offset_bits / 8;
        inner.path =
            emit_hoist(s, arena_printf(arena, "cz_part(%s, \"union%zu\")", in->path, index));
        return inner;
    }
    inner.prefix = arena_printf(arena, "%s%s.", in->prefix, field->name);
    inner.link = "cz_field";
    inner.path =
        emit_hoist(s, arena_printf(arena, "%s(%s, \"%s\")", in->link, in->path, field->name));
    inner.base = arena_printf(arena, "(&%s%s)", in->prefix, field->name);
    inner.offset = 0;
    return inner;
}

void fill_tagged(struct scope *s, const struct inside *in, const struct type *record,
                 const struct member_tag *tag)
{
    const struct field *field = &record->fields[tag->of_union], *by = &record->fields[tag->tag];
    emit_line(s, "{");
    s->level++;
    struct inside inner = inside_of_union(s, in, field, tag->of_union);
    // Members of an anonymous union are reached as if they were the record's own.
    struct inside at = inner;
    if (field->anonymous_record)
        at.path = in->path;
    emit_line(s, "switch ((long long)%s%s) {", in->prefix, by->name);
    for (size_t i = 0, end; i < tag->case_count; i = end) {
        end = same_value(tag, i);
        emit_line(s, "case %lldLL:", (long long)tag->cases[i].value);
        if (goes_with_next(tag, i, end))
            continue;
        s->level++;
        fill_value(s, &at, field->type, tag, i, end);
        emit_line(s, "break;");
        s->level--;
    }
    emit_line(s, "default:");
    s->level++;
    fill_choice(s, &at, field->type, inner.path);
    s->level--;
    emit_line(s, "}");
    s->level--;
    emit_line(s, "}");
    emit_note(s, NOTE_OBJECTS,
              "%s%s: the member in use is the one that the code uses for the value of %s",
              emit_spoken(s, in->prefix), *field->name ? field->name : "the union", by->name);
}
