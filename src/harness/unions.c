// SPDX-License-Identifier: Apache-2.0
// Unions. Without pointers all members are views of the same bits, so filling one
// member that shows every bit that any member shows loses nothing; among those the
// one with most structure reads best in a test (the bit-fields of a status word
// rather than the word). If there is no such member the bytes are filled. With
// pointers bytes cannot be made up: an input chooses the member.
#include "harness/emit.h"

#include "base/tunables.h"
#include <stdlib.h>
#include <string.h>

static void cover_bits(uint8_t *bits, uint64_t limit, uint64_t first, uint64_t count)
{
    for (uint64_t i = first; i < first + count && i < limit; i++)
        bits[i / 8] |= (uint8_t)(1u << (i % 8));
}

// Mark the bits that a value of this type at bit `first` shows. Returns its inputs.
static unsigned cover(uint8_t *bits, uint64_t limit, const struct type *type, uint64_t first)
{
    unsigned sum = 0;
    if (type->kind == TYPE_ARRAY &&
        (plan_is_record(type->target) || type->target->kind == TYPE_ARRAY)) {
        for (uint64_t i = 0; i < type->count && first < limit; i++, first += type->target->size * 8)
            sum += cover(bits, limit, type->target, first);
        return sum;
    }
    if (!plan_is_record(type)) {
        cover_bits(bits, limit, first, type->size * 8);
        return 1;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        const struct field *field = &type->fields[i];
        if (field->bits >= 0 && *field->name) {
            cover_bits(bits, limit, first + field->offset_bits, (uint64_t)field->bits);
            sum++;
        } else if (field->bits < 0) {
            unsigned inner = cover(bits, limit, field->type, first + field->offset_bits);
            sum = type->kind == TYPE_UNION ? (inner > sum ? inner : sum) : sum + inner;
        }
    }
    return sum;
}

static bool contains(const uint8_t *whole, const uint8_t *part, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++) {
        if (part[i] & ~whole[i])
            return false;
    }
    return true;
}

// The member that stands for all, or field_count.
static size_t best_member(const struct type *record)
{
    uint64_t limit = record->size * 8;
    uint8_t all[HARNESS_UNION_BYTES] = {0}, bits[HARNESS_UNION_BYTES];
    size_t best = record->field_count;
    unsigned most = 0;
    if (record->size > HARNESS_UNION_BYTES)
        return best;
    cover(all, limit, record, 0);
    for (size_t i = 0; i < record->field_count; i++) {
        struct type one = *record;
        one.fields = &record->fields[i];
        one.field_count = 1;
        memset(bits, 0, record->size);
        unsigned inputs = cover(bits, limit, &one, 0);
        if (inputs > most && contains(bits, all, record->size)) {
            most = inputs;
            best = i;
        }
    }
    return best;
}

static size_t usable_members(const struct type *record)
{
    size_t count = 0;
    for (size_t i = 0; i < record->field_count; i++)
        count += *record->fields[i].name || record->fields[i].anonymous_record;
    return count;
}

void fill_choice(struct scope *s, const struct inside *in, const struct type *record,
                 const char *whole)
{
    unsigned number = 0;
    emit_line(s, "switch (cz_choice(%s, %zu)) {", whole, usable_members(record));
    for (size_t i = 0; i < record->field_count; i++) {
        if (!*record->fields[i].name && !record->fields[i].anonymous_record)
            continue;
        emit_line(s, "case %u:", number++);
        s->level++;
        fill_member(s, in, record, i);
        emit_line(s, "break;");
        s->level--;
    }
    emit_line(s, "}");
}

void fill_union(struct scope *s, const struct inside *in, const struct type *record,
                const char *whole)
{
    size_t members = usable_members(record);
    if (plan_has_pointer(record) && members > 1) {
        fill_choice(s, in, record, whole);
        return;
    }
    size_t best = best_member(record);
    if (best < record->field_count) {
        fill_member(s, in, record, best);
    } else if (members) {
        const char *address = in->offset ? arena_printf(s->emitter->arena, "((char *)%s + %llu)",
                                                        in->base, (unsigned long long)in->offset)
                                         : in->base;
        fill_bytes(s, address, whole, count_fixed(record->size));
    }
}
