// SPDX-License-Identifier: Apache-2.0
// Solving path constraints. A solver is a chain of layers behind one interface,
// cheapest first; a layer answers or passes the question on. layers.def lists them:
//
//     slice       keeps the constraints that share inputs with the last one
//     (record)    writes queries to files when asked to
//     validate    evaluates every model; a wrong one becomes "unknown", never an answer
//     syntax .. local     answer most queries in microseconds, with values near the parent's
//     optimistic  only when the layers behind gave up
//     bitblast    decides what has circuits: all but fmod
//     z3          decides the rest: fmod, and what the one before gave up at its limit
//
// A query is a path prefix that holds on the parent input, and as its last
// constraint the flipped one. A model lists new values for some inputs; all others
// keep the parent's values.
//
// Limits are work units, so answers are reproducible; the clock is a safety net, and
// an answer that it cut short sets hit_clock.
#ifndef CZ_SOLVER_H
#define CZ_SOLVER_H

#include "base/buf.h"
#include "base/tunables.h"
#include "expr/expr.h"

struct flat;

enum solver_layer {
#define LAYER(NAME, name, help) SOLVER_LAYER_##NAME,
#include "solver/layers.def"
#undef LAYER
    SOLVER_LAYER_COUNT
};
#define SOLVER_LAYER(name) (1u << SOLVER_LAYER_##name)
// The layers that guess. Without them answers come from the backends alone.
#define SOLVER_QUICK_LAYERS                                                                        \
    (SOLVER_LAYER(SYNTAX) | SOLVER_LAYER(DOMAINS) | SOLVER_LAYER(CACHE) | SOLVER_LAYER(INVERT) |   \
     SOLVER_LAYER(LOCAL) | SOLVER_LAYER(OPTIMISTIC))

struct solver_query {
    const expr_id *constraints; // each 1 bit, all must be true
    size_t count;
    const uint8_t *input; // the parent: satisfies all but the last
    size_t input_size;
    struct flat *flat; // between layers: where the query is compiled, or NULL; see solver_flat
};

enum solver_answer { SOLVER_SAT, SOLVER_UNSAT, SOLVER_UNKNOWN };

struct solver_assignment {
    uint32_t offset, width; // bytes, bits
    struct expr_value value;
};

struct solver_model {
    struct solver_assignment *items; // sorted by offset
    size_t count, room;
};

struct solver_options {
    unsigned rlimit;              // Z3's work units per query, for each backend; 0: none
    unsigned timeout_ms;          // clock per query and backend; 0: none
    double deadline;              // by clock_now(), of all queries; 0: none
    unsigned max_gates;           // size beyond which a backend does not begin; 0: none
    unsigned queries_per_context; // Z3 contexts are renewed after so many queries
    unsigned without;             // layers to leave out: SOLVER_LAYER(NAME) | ...
    const char *dump_directory;   // every sliced query goes here as a file; NULL: none
    const char *slow_directory;   // slow queries go here; NULL: none
    unsigned slow_ms;             // what is slow; 0: a second
    const char *dump_name;        // part of the names of these files
};

#define SOLVER_OPTIONS_DEFAULT                                                                     \
    {.rlimit = SOLVER_RLIMIT,                                                                      \
     .timeout_ms = SOLVER_TIMEOUT_MS,                                                              \
     .max_gates = SOLVER_GATES,                                                                    \
     .queries_per_context = SOLVER_Z3_QUERIES}

struct solver_stats {
    uint64_t queries, sat, unsat, unknown;
    uint64_t wrong_models; // validate: models that the evaluator rejected
    uint64_t clock_hits;   // answers cut short by the clock
    uint64_t too_large;    // z3: not asked because of max_gates
    uint64_t kept, seen;   // slice: constraints passed on, constraints given
    uint64_t slow;         // record: queries of more than a second
    double seconds;        // layers behind included
};

struct solver; // one layer; the head stands for the chain

// The chain on one pool, which must outlive it. options may be NULL.
struct solver *solver_new(struct expr_pool *pool, const struct solver_options *options);
void solver_free(struct solver *solver);

// SAT fills the model (cleared first); it may be NULL. Other answers leave it empty.
enum solver_answer solver_check(struct solver *solver, const struct solver_query *query,
                                struct solver_model *model);

const char *solver_layer_name(enum solver_layer layer);

// "all", or names separated by commas: only these layers; names with a '-' in front are
// left out of all. False (nothing changes): *bad is a name that there is not.
bool solver_parse_layers(const char *list, unsigned *without, struct buf *bad);

// In a hurry a query gets a small part of the limit, and what needs more is unknown: a few
// hard queries would take most of a search's time. Holds until it is changed.
void solver_hurry(struct solver *solver, bool hurry);

// Was the last answer cut short by the clock?
bool solver_hit_clock(const struct solver *solver);

// The layers of a chain, head first: `for (l = solver; l; l = solver_next(l))`.
const struct solver *solver_next(const struct solver *solver);
const char *solver_name(const struct solver *solver);
enum solver_layer solver_layer_of(const struct solver *solver);
const struct solver_stats *solver_statistics(const struct solver *solver);

// What each layer answered itself, and the time that it took itself; layers that are not
// in the chain are zero.
struct solver_counts {
    uint64_t queries, sat, unsat;
    double seconds;
};
void solver_count_layers(const struct solver *chain, struct solver_counts out[SOLVER_LAYER_COUNT]);
uint64_t solver_slow_queries(const struct solver *chain);

void solver_model_release(struct solver_model *model);
void solver_model_clear(struct solver_model *model);
void solver_model_set(struct solver_model *model, uint32_t offset, uint32_t width,
                      struct expr_value value);

// Write the model's values into an input vector, which grows with zeros as needed.
void solver_apply_model(const struct solver_model *model, struct buf *input);

#endif
