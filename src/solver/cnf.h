// SPDX-License-Identifier: Apache-2.0
// Gates as clauses (Tseitin), only for the cones that are asked for.
//
// A gate's variable is true when the gate has its value on the parent input. The
// SAT solver's first guess for every variable is true, so its search starts at the
// parent, which satisfies all constraints but the flipped one, and models change
// few inputs. (CaDiCaL's C interface has no way to set phases; this needs none.)
#ifndef CZ_SOLVER_CNF_H
#define CZ_SOLVER_CNF_H

#include "solver/gates.h"
#include "solver/sat.h"

struct cnf {
    struct gates *gates;
    struct sat *sat;
    int variables;
    VEC(uint32_t) stack; // gates to be written
    VEC(lit) leaves;     // operands of an AND of many
    VEC(lit) walk;
    VEC(lit) claims; // literals to be asserted
    VEC(bool) side_done;
    VEC(int) clause;
};

void cnf_init(struct cnf *cnf, struct gates *gates);
void cnf_release(struct cnf *cnf);

// Begin with no variables in a new SAT solver. The gates must be new, too.
void cnf_begin(struct cnf *cnf, struct sat *sat);

// The literal must be true.
void cnf_assert(struct cnf *cnf, lit a);

// The SAT solver's name of a literal, which must not be constant.
int cnf_literal(struct cnf *cnf, lit a);

// After SAT_YES: the value in the model, or on the parent input if the literal does
// not occur in a clause.
bool cnf_value(struct cnf *cnf, lit a);

#endif
