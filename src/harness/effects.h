// SPDX-License-Identifier: Apache-2.0
// What stubs write, from the facts of the project.
#ifndef CZ_HARNESS_EFFECTS_H
#define CZ_HARNESS_EFFECTS_H

#include "facts/facts.h"
#include "harness/emit.h"

// Which variables the unit's own functions refer to.
void effects_init(struct emitter *e);

// What is known of the real function; NULL: nothing.
const struct facts_function *effects_of(const struct emitter *e, const struct function *function);

// Check the types that its stub fills against the limits, before anything is written.
void effects_plan(struct emitter *e, const struct function *function);

// Write the code; `call` names the place of this call. Returns what the stub does, in
// words; `partial` is set when the real function may do more of that.
const char *effects_write(struct scope *s, const struct function *function,
                          const struct facts_function *facts, const char *call, bool *partial);

// returns.c: what the real function may return that the unit knows already
void returns_find(struct scope *s, const struct function *function,
                  const struct facts_function *facts, const char *call, struct aliases *out);

const struct type *effects_byte(struct emitter *e);

#endif
