// SPDX-License-Identifier: Apache-2.0
// Reads the place table that a target writes (wire/wire.h): the path of a place, its
// type, and the values of a leaf as text and back. The path of a leaf (input_path.h) names
// it alone, with what it says and how many elements it holds.
//
// Values. Integers are decimal; beyond 64 bits [-]0x and 32 digits. Floats are C's
// hexadecimal notation, inf, -inf, or nan:0x7fc00001 with all the bits. A pointer is
// `present` or `NULL`, a choice its number. Elements of arrays stand between spaces.
#ifndef CZ_PLACES_H
#define CZ_PLACES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"
#include "program/input_path.h"
#include "program/program.h"
#include "wire/wire.h"

struct places {
    const struct wire_place *table;
    const char *strings;
    uint32_t count, string_count; // place 0 is not used
    bool narrow;                  // a long has 32 bits
};

// A view of what the table holds now; take a new one when the target has run.
void places_view(struct places *places, const struct wire_header *header);

bool places_is_leaf(const struct wire_place *place);
uint32_t places_elements(const struct wire_place *place);     // of a leaf; 1 for a choice
uint32_t places_element_size(const struct wire_place *place); // bytes
uint32_t places_size(const struct wire_place *place);         // bytes of a leaf, 0 otherwise

// Does it raise a bound of the run? The engine chooses it, no decision depends on it.
bool places_is_bound(const struct places *places, uint32_t place);

// The path lives in the arena, and refers to the strings of the table.
void places_input(const struct places *places, uint32_t place, struct arena *arena,
                  struct input_path *out);
void places_path(const struct places *places, uint32_t place, struct buf *out); // as text

// "int", "unsigned char", "unsigned:3" (a bit-field), "shape", "choice", or the name
// that the user gave the type.
void places_type(const struct places *places, uint32_t place, struct buf *out);

// The value of a leaf in an input vector; bytes beyond its end are zero.
void places_value(const struct places *places, uint32_t place, const uint8_t *input, size_t size,
                  struct buf *out);

// What the value means to a reader: 'A', "text", 1.5, MODE_ON. Empty when there is
// nothing to add. The program (for enumerators) may be NULL.
void places_meaning(const struct places *places, uint32_t place, const uint8_t *input, size_t size,
                    const struct program *program, struct buf *out);

// Write a value's text into an input vector that reaches beyond the leaf. Too few or
// too many elements, or one that does not fit the type, are an error.
bool places_parse(const struct places *places, uint32_t place, const char *text, uint8_t *input,
                  size_t size, struct error *err);

// Clear the bits that the target ignores, so that equal inputs are equal bytes.
void places_canonical(const struct places *places, uint32_t place, uint8_t *input, size_t size);

// From paths to places. A choice may be asked for with several numbers of alternatives, since
// lengths grow with the bounds: these are several places with one path.
struct places_index {
    struct map by_path;
    VEC(bool) entered;   // per place
    VEC(uint32_t) older; // per place: another one with the same path, or 0
};
void places_index_init(struct places_index *index);
void places_index_release(struct places_index *index);
void places_index_update(struct places_index *index, const struct places *places);
uint32_t places_find(const struct places_index *index, const char *path);     // 0: not there
uint32_t places_find_older(const struct places_index *index, uint32_t place); // 0: no more

#endif
