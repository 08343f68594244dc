// SPDX-License-Identifier: Apache-2.0
// Names, ranks and expressions of inputs; see term.h.
#include "pre/term.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *term_name(const struct places *places, uint32_t place, struct arena *arena)
{
    struct input_path path;
    places_input(places, place, arena, &path);
    return input_path_expression(&path, arena);
}

static uint32_t leaf_at(const struct places *places, uint32_t offset)
{
    for (uint32_t i = 1; i < places->count; i++) {
        const struct wire_place *place = &places->table[i];
        if (places_is_leaf(place) && offset - place->offset < places_size(place))
            return i;
    }
    return 0;
}

// Is the number free, and its choice no more than whether it is a length first?
static bool is_suggested(const struct function *entry, size_t parameter)
{
    for (size_t i = 0; i < entry->pair_count; i++)
        if (entry->pairs[i].other == parameter && entry->pairs[i].is_suggested)
            return true;
    return false;
}

// A parameter that is a number, but which the driver chooses: the length of a buffer.
static bool is_length(const struct function *entry, const char *name)
{
    for (size_t i = 0; i < entry->param_count; i++)
        if (!strcmp(entry->params[i].name, name))
            return entry->params[i].type->kind == TYPE_INT && !is_suggested(entry, i);
    return false;
}

static bool describe(const struct wire_place *place, const struct function *entry, struct term *t)
{
    t->bits = place->bits;
    t->bytes = places_element_size(place);
    switch (place->type) {
    case WIRE_T_SHAPE: t->is_shape = true; return true;
    case WIRE_T_SIGNED: t->is_signed = true; return t->bits <= 64;
    case WIRE_T_BOOL:
    case WIRE_T_UNSIGNED: return t->bits <= 64;
    case WIRE_T_CHOICE:
        t->count = place->count;
        return place->count > 1 && is_length(entry, t->text);
    default: return false;
    }
}

bool term_at(const struct places *places, const struct function *entry, struct expr_pool *pool,
             uint32_t offset, struct arena *arena, struct term *out)
{
    uint32_t id = leaf_at(places, offset);
    *out = (struct term){.text = id ? term_name(places, id, arena) : NULL};
    const struct wire_place *place = &places->table[id];
    if (!out->text || !describe(place, entry, out))
        return false;
    uint32_t element = (offset - place->offset) / out->bytes;
    out->offset = place->offset + element * out->bytes;
    if (places_elements(place) > 1)
        out->text = arena_printf(arena, "%s[%" PRIu32 "]", out->text, element);
    expr_id raw = expr_input(pool, out->offset, 8 * ((out->bits + 7) / 8));
    out->value = out->bits % 8 ? expr_extract(pool, raw, 0, out->bits) : raw;
    if (out->count && (out->bits >= 64 || out->count < 1ull << out->bits))
        out->value =
            expr_binary(pool, EXPR_UREM, out->value, expr_const64(pool, out->bits, out->count));
    return true;
}

// ---- ranks ----

static uint64_t sign_bit(const struct term *term)
{
    return term->is_signed ? 1ull << (term->bits - 1) : 0;
}

static uint64_t all_bits(const struct term *term)
{
    return term->bits >= 64 ? UINT64_MAX : (1ull << term->bits) - 1;
}

uint64_t term_max(const struct term *term)
{
    return term->count ? term->count - 1 : all_bits(term);
}

uint64_t term_rank(const struct term *term, const uint8_t *input, size_t size)
{
    uint64_t raw = 0;
    for (uint32_t i = 0; i < term->bytes && i < 8; i++)
        raw |= (uint64_t)(term->offset + i < size ? input[term->offset + i] : 0) << 8 * i;
    raw &= all_bits(term);
    return term->count ? raw % term->count : raw ^ sign_bit(term);
}

void term_set(const struct term *term, uint64_t rank, uint8_t *input)
{
    uint64_t raw = rank ^ sign_bit(term);
    for (uint32_t i = 0; i < term->bytes && i < 8; i++)
        input[term->offset + i] = (uint8_t)(raw >> 8 * i);
}

const char *term_number(const struct term *term, uint64_t rank, struct arena *arena)
{
    uint64_t raw = rank ^ sign_bit(term);
    if (!term->is_signed)
        return arena_printf(arena, raw > INT64_MAX ? "%" PRIu64 "u" : "%" PRIu64, raw);
    int64_t value = (int64_t)(raw << (64 - term->bits)) >> (64 - term->bits);
    if (value == INT64_MIN)
        return "(-9223372036854775807 - 1)";
    return arena_printf(arena, "%" PRId64, value);
}

static expr_id compare(const struct term *term, struct expr_pool *pool, uint64_t rank, bool most)
{
    expr_id limit = expr_const64(pool, term->bits, rank ^ sign_bit(term));
    enum expr_op op = term->is_signed ? EXPR_SLE : EXPR_ULE;
    return most ? expr_binary(pool, op, term->value, limit)
                : expr_binary(pool, op, limit, term->value);
}

expr_id term_at_most(const struct term *term, struct expr_pool *pool, uint64_t rank)
{
    return compare(term, pool, rank, true);
}

expr_id term_at_least(const struct term *term, struct expr_pool *pool, uint64_t rank)
{
    return compare(term, pool, rank, false);
}

expr_id term_wide(const struct term *term, struct expr_pool *pool)
{
    if (term->bits == 64)
        return term->value;
    return expr_unary(pool, term->is_signed ? EXPR_SEXT : EXPR_ZEXT, 64, term->value);
}
