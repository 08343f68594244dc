// SPDX-License-Identifier: Apache-2.0
// What the files of src/facts share. A module's functions become bodies: nodes (values
// that may be pointers) with definitions, and effects (writes, stores of pointers, calls).
// Bodies outlive their module. slots.c finds which functions each pointer may hold,
// solve.c what each function writes.
#ifndef CZ_FACTS_INTERNAL_H
#define CZ_FACTS_INTERNAL_H

#include "base/map.h"
#include "base/vec.h"
#include "facts/facts.h"

#include <stdint.h>

#define NONE     UINT32_MAX
#define SPAN_ANY INT64_MAX

// ---- where a pointer may point ----

enum base_kind {
    BASE_PARAMETER, // what the parameter's value points to; id: its index in the IR
    BASE_GLOBAL,    // id: symbol
    BASE_FUNCTION,  // id: symbol
    BASE_LOCAL,     // a variable or allocation of the body; id: its number
    BASE_LOADED,    // what the pointer at parent + offset points to
    BASE_FRESH,     // memory that nobody else knows yet, or that no C variable leads to
    BASE_FIXED,     // a constant address
    BASE_DEEP,      // beyond FACTS_DEPTH pointers; id: kind of the root, parent: the root
    BASE_UNKNOWN,
};

struct base {
    enum base_kind kind;
    uint32_t id, parent, root, next;
    int64_t offset, span;
    unsigned depth;
};

struct aim { // base + offset ... base + offset + span
    uint32_t base;
    int64_t offset, span;
};
typedef VEC(struct aim) aims;

struct bases {
    VEC(struct base) items;
    struct map by_hash;
};

// ---- bodies ----

enum def_kind { DEF_BASE, DEF_COPY, DEF_OFFSET, DEF_LOAD };
struct def {
    enum def_kind kind;
    uint32_t node, from;  // from: node; DEF_BASE: base
    int64_t offset, span; // DEF_OFFSET, DEF_BASE
    uint32_t field;       // DEF_OFFSET, DEF_BASE: slot of the field that it leads to, or NONE
};

struct extent {         // a number of bytes: parameter * scale, or scale alone
    uint32_t parameter; // of the IR, or NONE
    int64_t scale;      // 0: not known
};

struct body_write {
    uint32_t node;
    int64_t from, to; // bits
    bool all;
    struct extent extent; // `all`: what bounds it
};
struct body_store {
    uint32_t node, value;
};
struct body_copy {
    uint32_t to, from;
};
struct body_call {
    uint32_t callee;       // symbol, or NONE
    uint32_t target;       // node, when callee is NONE
    uint32_t result;       // node, or NONE
    uint32_t first, count; // in body.arguments and body.extents
    uint32_t block;
};
struct body_block {
    uint32_t first, count;
    bool returns;
}; // successors

enum parameter_kind { PARAMETER_PLAIN, PARAMETER_RESULT, PARAMETER_BY_VALUE, PARAMETER_PIECE };
struct body_parameter {
    enum parameter_kind kind;
    size_t index;   // as C counts
    int64_t offset; // PIECE: of a record that is passed in registers
    const char *name;
};

struct body {
    uint32_t symbol, file, node_count, local_count;
    VEC(struct def) defs;
    VEC(struct body_write) writes;
    VEC(struct body_store) stores;
    VEC(struct body_copy) copies;
    VEC(struct body_call) calls;
    VEC(uint32_t) arguments, results; // nodes or NONE; nodes that are returned
    VEC(struct extent) extents;       // of the arguments that are numbers
    VEC(struct body_block) blocks;
    VEC(uint32_t) successors;
    VEC(struct body_parameter) parameters;
    VEC(uint32_t) unknown; // phrases
    uint32_t first_value;  // slots of the values; memory behind them: first_value + node_count
};

// ---- symbols ----

struct write {
    uint32_t base;
    int64_t from, to;
    bool all;
    struct extent extent;
    uint32_t next;
};
struct writes {
    VEC(struct write) items;
    struct map by_base; // -> index + 1 of the newest; those before it follow `next` - 1
};
struct stored {
    struct aim at, value;
};
struct deferred { // a call through a pointer that only callers know
    struct aim target;
    uint32_t first, count; // aims of the arguments: sets in summary.arguments
    uint32_t slot;         // of the pointer, when no caller knows either
};
struct summary {
    struct writes writes;
    struct writes frees; // ranges do not matter
    aims results;
    VEC(struct stored) stores;
    VEC(struct deferred) calls;
    VEC(aims) arguments;
    VEC(uint32_t) unknown;
    size_t ways; // bases in `writes` that begin at a parameter and follow pointers
    bool changed;
};

struct symbol {
    const char *name, *key;
    uint32_t file; // of a static, else the first that defines it, else NONE
    bool is_function, is_static, is_constant, defined, address_taken, never_returns;
    bool stray;            // a function in an initialiser of which the type is not known
    const char *signature; // of a function, as the IR writes it
    uint64_t size;         // of a variable that is defined: bytes
    VEC(uint32_t) bodies, callees, callers;
    bool dirty;
    uint32_t merged; // number of the last body that took its writes to globals
    uint32_t slot;   // GLOBAL: its content. FUNCTION: slots of the result, then parameters
    uint32_t slot_count;
    struct summary summary;
    struct facts_function exported;
};

struct address {
    uint32_t symbol;
    int32_t offset;
};

// Slots of function pointers: see slots.c.
struct slot_node {
    uint32_t up;         // union-find
    uint32_t pointee;    // memory behind the pointers that it holds, plus one; 0: not asked for
    VEC(uint32_t) holds; // indices in facts.addresses
    VEC(uint32_t) to;    // flows
    bool open;           // something unknown flows in
};

struct facts {
    struct arena arena;
    struct facts_file *files;
    size_t file_count;
    const char *directory;
    const char **bitcode;
    bool *readable;
    VEC(struct symbol) symbols;
    struct map by_key; // "name", or "file number:name" of statics -> symbol
    VEC(struct body *) bodies;
    struct bases bases;
    VEC(struct slot_node) slots;
    struct map held, flows; // slot << 32 | address; slot << 32 | slot
    VEC(struct address) addresses;
    struct map address_ids;
    struct map fields;             // "struct.s+8" -> slot
    VEC(const char *) field_names; // in the order of discovery ...
    VEC(uint32_t) field_slots;     // ... their slots
    struct map phrases;
    VEC(const char *) phrase_texts;
    VEC(const char *) notes;
    bool has_main;
    uint32_t solved; // bodies, counted
    bool widen;      // what still grows is everything (recursion over offsets)
};

// paths.c
uint32_t base_get(struct facts *facts, enum base_kind kind, uint32_t id);
uint32_t base_loaded(struct facts *facts, struct aim from);
uint32_t base_deep(struct facts *facts, uint32_t base); // somewhere behind the root of this one
bool aims_add(aims *set, struct aim aim, struct facts *facts);
struct aim aim_shift(struct aim aim, int64_t offset, int64_t span);
bool writes_add(struct writes *writes, struct write write, bool widen);

// symbols.c
uint32_t symbol_get(struct facts *facts, const char *name, uint32_t file, bool is_static,
                    bool is_function);
uint32_t phrase_get(struct facts *facts, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
uint64_t file_digest(const struct facts *facts, uint32_t file); // of its bitcode
const struct symbol *symbol_find(const struct facts *facts, const char *name, const char *file);

// compile.c: bitcode of file i at directory/i.bc; says which could not be made
void compile_all(const struct facts_request *request, struct facts *facts);

// facts_module.c: the only place where modules are alive
bool module_read(struct facts *facts, uint32_t file, const char *path, struct error *err);

// slots.c
uint32_t slot_new(struct facts *facts, uint32_t count);
uint32_t slot_field(struct facts *facts, const char *record, int64_t offset);
const struct address *slot_address(const struct facts *facts, uint32_t top, size_t index);
uint32_t slot_top(struct facts *facts, uint32_t slot);
bool slot_hold(struct facts *facts, uint32_t slot, uint32_t symbol, int64_t offset);
void slots_solve(struct facts *facts);
uint32_t slot_of_value(const struct body *body, uint32_t node);
uint32_t slot_of_memory(const struct body *body, uint32_t node);

// solve.c, call_graph.c
void solve_body(struct facts *facts, struct body *body, struct summary *out);
void solve_all(struct facts *facts);
// export.c
void export_all(struct facts *facts);

#endif
