// SPDX-License-Identifier: Apache-2.0
// The backend: gates, clauses, CaDiCaL. Queries that it has no circuits for (fmod), that
// are too large or that it does not decide within its limit go on to the next layer,
// which gets the limit anew; after the clock they do not.
//
// Limits: options->rlimit as conflicts worth about the time that Z3 takes for as many
// of its units, options->max_gates in gates, timeout_ms of CPU time as the safety net.
#ifndef CZ_SOLVER_BITBLAST_H
#define CZ_SOLVER_BITBLAST_H

#include "solver/solver.h"

struct solver *solver_bitblast_new(struct expr_pool *pool, const struct solver_options *options,
                                   struct solver *next);

// Indices of constraints of a query, ascending.
struct solver_core {
    uint32_t *items;
    size_t count, room;
};

// Is the query unsatisfiable, and which of its constraints contradict each other?
// SOLVER_UNSAT fills the core: these constraints alone are unsatisfiable, and
// leaving one out makes them satisfiable unless a limit prevented the proof. Other
// answers leave it empty. Where the query is beyond this backend but the layers
// behind decide it, the core is all of it. `chain` is any chain with the layer.
enum solver_answer solver_find_core(struct solver *chain, const struct solver_query *query,
                                    struct solver_core *core);
void solver_core_release(struct solver_core *core);

#endif
