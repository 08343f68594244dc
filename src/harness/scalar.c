// SPDX-License-Identifier: Apache-2.0
// Which word of driver.h gives a value of a scalar type. Chosen by size and
// signedness, so that typedefs, enums and plain char need no names of their own.
#include "harness/emit.h"

static const struct vocabulary word_bool = {"cz_bool", "_Bool", "CZ_BOOL"};

static const struct vocabulary words_signed[] = {
    {"cz_i8", "signed char", "CZ_I8"}, {"cz_i16", "short", "CZ_I16"}, {"cz_i32", "int", "CZ_I32"},
    {"cz_i64", "long", "CZ_I64"},      {"cz_i128", "__int128", NULL},
};

static const struct vocabulary words_unsigned[] = {
    {"cz_u8", "unsigned char", "CZ_U8"},    {"cz_u16", "unsigned short", "CZ_U16"},
    {"cz_u32", "unsigned", "CZ_U32"},       {"cz_u64", "unsigned long", "CZ_U64"},
    {"cz_u128", "unsigned __int128", NULL},
};

static const struct vocabulary word_float = {"cz_f32", "float", "CZ_F32"};
static const struct vocabulary word_double = {"cz_f64", "double", "CZ_F64"};
static const struct vocabulary word_long_double = {"cz_f80", "long double", NULL};

static const struct vocabulary *word_integer(const struct type *type)
{
    const struct vocabulary *words = type->is_signed ? words_signed : words_unsigned;
    for (unsigned i = 0; i < 5; i++) {
        if (type->size == 1u << i)
            return &words[i];
    }
    return NULL; // _BitInt of odd sizes
}

static const struct vocabulary *word_real(const struct type *type)
{
    if (type->size == 4)
        return &word_float;
    if (type->size == 8)
        return &word_double;
    return type->size == 16 || type->size == 12 ? &word_long_double : NULL;
}

const struct vocabulary *scalar_vocabulary(const struct type *type)
{
    switch (type->kind) {
    case TYPE_BOOL: return &word_bool;
    case TYPE_INT:
    case TYPE_ENUM: return word_integer(type);
    case TYPE_FLOAT: return word_real(type);
    default: return NULL;
    }
}

// Enums keep the name the user knows, so that tests can show enumerators.
const char *scalar_path(struct scope *s, const struct type *type, const char *path)
{
    if (type->kind != TYPE_ENUM || !type->nameable)
        return path;
    return arena_printf(s->emitter->arena, "cz_typed(%s, \"%s\")", path,
                        names_plain(s->emitter, type));
}

const char *scalar_value(struct scope *s, const struct type *type, const char *path)
{
    return arena_printf(s->emitter->arena, "%s(%s)", scalar_vocabulary(type)->function,
                        scalar_path(s, type, path));
}
