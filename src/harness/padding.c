// SPDX-License-Identifier: Apache-2.0
// Padding between members, behind the last one and beside bit-fields, of records whose bytes the
// code looks at (frontend/bytes.c): inputs like any other, "arg:s:padding[4][0..3]" for the
// bytes from offset 4 on. Filled before the members, which keep what is theirs of a byte.
#include "harness/emit.h"

#include "base/tunables.h"
#include <string.h>

static void cover(unsigned char *bits, uint64_t size, uint64_t first, uint64_t count)
{
    for (uint64_t i = first; i < first + count && i < 8 * size; i++)
        bits[i / 8] |= (unsigned char)(1u << i % 8);
}

static void cover_record(unsigned char *bits, uint64_t size, uint64_t at, const struct type *record)
{
    for (size_t i = 0; i < record->field_count; i++) {
        const struct field *field = &record->fields[i];
        uint64_t first = at + field->offset_bits;
        if (field->bits == 0 || (field->bits > 0 && !*field->name))
            continue; // spare
        if (field->bits > 0)
            cover(bits, size, first, (uint64_t)field->bits);
        else if (field->anonymous_record && field->type->kind == TYPE_STRUCT)
            cover_record(bits, size, first, field->type);
        else
            cover(bits, size, first, 8 * field->type->size);
    }
}

// Bits of a record that are part of a member.
static uint64_t count_covered(const struct type *record)
{
    uint64_t count = 0;
    for (size_t i = 0; i < record->field_count; i++) {
        const struct field *field = &record->fields[i];
        if (field->bits == 0 || (field->bits > 0 && !*field->name))
            continue; // spare
        count += field->bits > 0 ? (uint64_t)field->bits
                 : field->anonymous_record && field->type->kind == TYPE_STRUCT
                     ? count_covered(field->type)
                     : 8 * field->type->size;
    }
    return count;
}

static void fill_gap(struct scope *s, const struct inside *in, uint64_t first, uint64_t count)
{
    emit_line(
        s,
        "cz_array(cz_index(cz_part(%s, \"padding\"), %llu), (char *)(void *)%s + %llu, CZ_U8, "
        "%llu);",
        in->path, (unsigned long long)first, in->base, (unsigned long long)(in->offset + first),
        (unsigned long long)count);
}

void fill_padding(struct scope *s, const struct inside *in, const struct type *record)
{
    const struct type *core = record->canonical ? record->canonical : record;
    if ((!core->looked_at && !record->looked_at) || record->kind != TYPE_STRUCT || !record->size)
        return;
    if (plan_flexible(record) || record->size > HARNESS_LEAVES) {
        if (count_covered(record) < 8 * record->size)
            emit_note(s, NOTE_PARTIAL, "the padding of %s is zero", record->spelling);
        return;
    }
    unsigned char *bits = arena_array(s->emitter->arena, unsigned char, record->size + 1);
    memset(bits, 0, record->size + 1);
    cover_record(bits, record->size, 0, record);
    bits[record->size] = 0xff;
    uint64_t first = 0;
    for (uint64_t i = 0; i <= record->size; i++) {
        if (bits[i] != 0xff)
            continue;
        if (i > first)
            fill_gap(s, in, first, i - first);
        first = i + 1;
    }
}
