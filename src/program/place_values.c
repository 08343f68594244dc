// SPDX-License-Identifier: Apache-2.0
// Values of input leaves: from the bytes of an input vector to text and back. The
// text is exact for every bit pattern (NaNs keep their bits) and does not depend on
// the locale.
#include "program/places.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide;

static wide mask_of(const struct wire_place *place)
{
    return place->bits >= 128 ? ~(wide)0 : ((wide)1 << place->bits) - 1;
}

// Element i, without the bits that the target ignores.
static wide fetch(const struct wire_place *place, uint32_t i, const uint8_t *input, size_t size)
{
    uint32_t bytes = places_element_size(place);
    size_t first = place->offset + (size_t)i * bytes;
    wide value = 0;
    for (uint32_t b = 0; b < bytes && b < sizeof value && first + b < size; b++)
        value |= (wide)input[first + b] << (8 * b);
    value &= mask_of(place);
    if (place->type == WIRE_T_CHOICE && place->count)
        value %= place->count;
    return value;
}

static void put(const struct wire_place *place, uint32_t i, wide value, uint8_t *input, size_t size)
{
    uint32_t bytes = places_element_size(place);
    size_t first = place->offset + (size_t)i * bytes;
    for (uint32_t b = 0; b < bytes && first + b < size; b++)
        input[first + b] = b < sizeof value ? (uint8_t)(value >> (8 * b)) : 0;
}

void places_canonical(const struct places *places, uint32_t id, uint8_t *input, size_t size)
{
    const struct wire_place *place = &places->table[id];
    if (!places_is_leaf(place))
        return;
    for (uint32_t i = 0; i < places_elements(place); i++)
        put(place, i, fetch(place, i, input, size), input, size);
}

static __int128 sign_extend(const struct wire_place *place, wide value)
{
    if (place->bits < 128 && value >> (place->bits - 1))
        value |= ~mask_of(place);
    return (__int128)value;
}

static double to_double(const struct wire_place *place, wide value)
{
    double real;
    uint64_t bits = (uint64_t)value;
    if (place->bits == 32) {
        float narrow;
        uint32_t low = (uint32_t)value;
        memcpy(&narrow, &low, sizeof narrow);
        return narrow;
    }
    memcpy(&real, &bits, sizeof real);
    return real;
}

static void add_float(const struct wire_place *place, wide value, struct buf *out)
{
    double real = to_double(place, value);
    if (isnan(real))
        buf_printf(out, "nan:0x%0*" PRIx64, place->bits / 4, (uint64_t)value);
    else
        buf_printf(out, "%a", real); // also inf and -inf
}

static void add_wide(wide value, struct buf *out)
{
    buf_printf(out, "0x%016" PRIx64 "%016" PRIx64, (uint64_t)(value >> 64), (uint64_t)value);
}

static void add_signed(const struct wire_place *place, wide value, struct buf *out)
{
    __int128 number = sign_extend(place, value);
    if (number >= INT64_MIN && number <= INT64_MAX) {
        buf_printf(out, "%" PRId64, (int64_t)number);
        return;
    }
    if (number < 0)
        buf_putc(out, '-');
    add_wide(number < 0 ? 0 - (wide)number : (wide)number, out);
}

static void add_unsigned(wide value, struct buf *out)
{
    if (value <= UINT64_MAX)
        buf_printf(out, "%" PRIu64, (uint64_t)value);
    else
        add_wide(value, out);
}

void places_value(const struct places *places, uint32_t id, const uint8_t *input, size_t size,
                  struct buf *out)
{
    const struct wire_place *place = &places->table[id];
    if (!places_is_leaf(place))
        return;
    for (uint32_t i = 0; i < places_elements(place); i++) {
        wide value = fetch(place, i, input, size);
        if (i)
            buf_putc(out, ' ');
        if (place->type == WIRE_T_FLOAT)
            add_float(place, value, out);
        else if (place->type == WIRE_T_SHAPE)
            buf_puts(out, value ? "present" : "NULL");
        else if (place->type == WIRE_T_SIGNED)
            add_signed(place, value, out);
        else
            add_unsigned(value, out);
    }
}

// ---- What a value means to people ----

static void add_character(unsigned char c, char quote, struct buf *out)
{
    static const char letters[] = "\a\b\f\n\r\t\v", names[] = "abfnrtv";
    const char *found = c ? strchr(letters, c) : NULL;
    if (found)
        buf_printf(out, "\\%c", names[found - letters]);
    else if (c == '\\' || c == (unsigned char)quote)
        buf_printf(out, "\\%c", c);
    else if (c >= 32 && c < 127)
        buf_putc(out, (char)c);
    else
        buf_printf(out, "\\%03o", c);
}

static bool is_byte(const struct wire_place *place)
{
    return place->bits == 8 && (place->type == WIRE_T_SIGNED || place->type == WIRE_T_UNSIGNED);
}

// Bytes up to the first 0, if they look like text to the end.
static void add_text(const struct wire_place *place, const uint8_t *input, size_t size,
                     struct buf *out)
{
    uint32_t length = 0, count = places_elements(place);
    for (; length < count; length++) {
        unsigned char c = (unsigned char)fetch(place, length, input, size);
        if (!c)
            break;
        if (c >= 127 || (c < 32 && !isspace(c)))
            return;
    }
    if (length == 0)
        return;
    buf_putc(out, '"');
    for (uint32_t i = 0; i < length; i++)
        add_character((unsigned char)fetch(place, i, input, size), '"', out);
    buf_putc(out, '"');
}

static bool same_enum(const struct type *type, const char *name)
{
    return type->kind == TYPE_ENUM && type->spelling && strcmp(type->spelling, name) == 0;
}

static void add_enumerator(const struct program *program, const char *type_name, int64_t value,
                           struct buf *out)
{
    for (size_t t = 0; t < program->type_count; t++) {
        const struct type *type = program->types[t];
        if (!same_enum(type, type_name))
            continue;
        for (size_t i = 0; i < type->enumerator_count; i++) {
            if (type->enumerators[i].value == value) {
                buf_puts(out, type->enumerators[i].name);
                return;
            }
        }
    }
}

// Of the alternatives "NULL|chk_a|chk_b" the one with this number.
static void add_alternative(const char *names, uint64_t number, struct buf *out)
{
    for (; number && names; number--) {
        names = strchr(names, '|');
        names = names ? names + 1 : NULL;
    }
    if (names)
        buf_add(out, names, strcspn(names, "|"));
}

void places_meaning(const struct places *places, uint32_t id, const uint8_t *input, size_t size,
                    const struct program *program, struct buf *out)
{
    const struct wire_place *place = &places->table[id];
    bool single = places_elements(place) == 1;
    wide value = places_is_leaf(place) ? fetch(place, 0, input, size) : 0;
    bool named = place->type_name && place->type_name < places->string_count && single;
    if (named && place->type == WIRE_T_CHOICE && place->count) {
        add_alternative(places->strings + place->type_name, (uint64_t)value % place->count, out);
    } else if (program && named) {
        int64_t number =
            place->type == WIRE_T_SIGNED ? (int64_t)sign_extend(place, value) : (int64_t)value;
        add_enumerator(program, places->strings + place->type_name, number, out);
    } else if (is_byte(place) && single && value >= 32 && value < 127) {
        buf_putc(out, '\'');
        add_character((unsigned char)value, '\'', out);
        buf_putc(out, '\'');
    } else if (is_byte(place) && !single) {
        add_text(place, input, size, out);
    } else if (place->type == WIRE_T_FLOAT && single && isfinite(to_double(place, value))) {
        buf_printf(out, place->bits == 32 ? "%.9g" : "%.17g", to_double(place, value));
    }
}

// ---- From text ----

static bool bad(struct error *err, const char *word, const char *why)
{
    return error_set(err, ERROR_USAGE, "value \"%s\": %s", word, why);
}

static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 99;
}

static bool parse_digits(const char *digits, unsigned base, wide *value)
{
    if (!*digits)
        return false;
    for (*value = 0; *digits; digits++) {
        unsigned digit = digit_of(*digits);
        if (digit >= base || *value > (~(wide)0 - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

static bool parse_integer(const struct wire_place *place, const char *word, wide *value,
                          struct error *err)
{
    bool negative = *word == '-';
    const char *digits = word + negative;
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    wide most = mask_of(place);
    if (!parse_digits(digits + (hex ? 2 : 0), hex ? 16 : 10, value))
        return bad(err, word, "is not an integer");
    if (place->type == WIRE_T_CHOICE)
        most = place->count ? place->count - 1 : 0;
    else if (place->type == WIRE_T_SIGNED)
        most = (mask_of(place) >> 1) + negative;
    if (*value > most || (negative && place->type != WIRE_T_SIGNED && *value))
        return bad(err, word, "does not fit the type");
    if (negative)
        *value = (0 - *value) & mask_of(place);
    return true;
}

static bool parse_float(const struct wire_place *place, const char *word, wide *value,
                        struct error *err)
{
    char *end;
    if (strncmp(word, "nan:0x", 6) == 0) {
        if (!parse_digits(word + 6, 16, value) || *value > mask_of(place) ||
            !isnan(to_double(place, *value)))
            return bad(err, word, "is not a NaN of this type");
        return true;
    }
    if (place->bits == 32) {
        float real = strtof(word, &end);
        uint32_t bits;
        memcpy(&bits, &real, sizeof bits);
        *value = bits;
    } else {
        double real = strtod(word, &end);
        uint64_t bits;
        memcpy(&bits, &real, sizeof bits);
        *value = bits;
    }
    return end != word && !*end ? true : bad(err, word, "is not a number");
}

static bool parse_element(const struct wire_place *place, const char *word, wide *value,
                          struct error *err)
{
    if (place->type == WIRE_T_FLOAT)
        return parse_float(place, word, value, err);
    if (place->type == WIRE_T_SHAPE) {
        *value = strcmp(word, "present") == 0;
        return *value || strcmp(word, "NULL") == 0 ? true
                                                   : bad(err, word, "is neither present nor NULL");
    }
    if (place->type == WIRE_T_BOOL && (!strcmp(word, "true") || !strcmp(word, "false"))) {
        *value = *word == 't';
        return true;
    }
    return parse_integer(place, word, value, err);
}

bool places_parse(const struct places *places, uint32_t id, const char *text, uint8_t *input,
                  size_t size, struct error *err)
{
    const struct wire_place *place = &places->table[id];
    uint32_t i = 0, count = places_elements(place);
    struct buf word = BUF_INIT;
    bool fine = places_is_leaf(place) || bad(err, text, "given for something that is no input");
    while (fine) {
        text += strspn(text, " \t");
        size_t length = strcspn(text, " \t");
        wide value = 0;
        if (!length)
            break;
        buf_clear(&word);
        buf_add(&word, text, length);
        text += length;
        fine = i < count ? parse_element(place, buf_text(&word), &value, err)
                         : bad(err, buf_text(&word), "is one too many");
        if (fine)
            put(place, i++, value, input, size);
    }
    buf_release(&word);
    if (fine && i < count)
        return error_set(err, ERROR_USAGE, "%" PRIu32 " of %" PRIu32 " elements are missing",
                         count - i, count);
    return fine;
}
