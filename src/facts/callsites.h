// SPDX-License-Identifier: Apache-2.0
// Which calls of a project visibly respect a condition on the arguments? A check of the
// condition is put in front of every call and the caller's file is optimised: where the
// branch of the violation is gone, the call respects it (its argument is the address of an
// object, a constant in range, was tested before ...); where only that branch is left, it
// violates it; where both are left, it may. A proof like those of src/instrument/proof.c:
// for executions without undefined behaviour before the call.
//
// A function whose address is taken is also called where a pointer to functions of its type
// is. A caller that is itself in question may presume its own condition as long as all of
// its calls respect that one: what holds for all calls together holds by induction.
#ifndef CZ_FACTS_CALLSITES_H
#define CZ_FACTS_CALLSITES_H

#include "base/vec.h"
#include "facts/facts.h"

// The check: bitcode of a function "cz_check" with the parameters of the one in question,
// that calls cz_respects_() or cz_violates_() and returns.
struct callsites_question {
    const char *function; // the symbol
    const char *file;     // that defines it, absolute
    bool is_static;
    bool closed;       // nobody but the project calls it
    const char *check; // path of the bitcode
};

enum callsites_verdict { CALL_VIOLATES, CALL_MAY_VIOLATE, CALL_RESPECTS };

struct callsites_site {
    size_t question;
    const char *file;   // absolute
    uint32_t line;      // 0: not a call but its address is handed to code that is not here
    const char *caller; // "" of a variable's initialiser
    enum callsites_verdict verdict;
};

typedef VEC(struct callsites_site) callsites_list;

// Sites in the order of the project's files and of the code in them. Files that cannot be
// read are left out.
void callsites_judge(const struct facts *facts, const struct callsites_question *questions,
                     size_t count, struct arena *arena, callsites_list *out);

// Is there a main(), so that the calls of the project are all there are?
bool callsites_is_program(const struct facts *facts);

#endif
