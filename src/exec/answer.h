// SPDX-License-Identifier: Apache-2.0
// Requests and answers between the engine's own memory (`own`) and the memory that it shares with
// a target (`shared`), which has the same layout. Only here is shared memory read: what
// is taken over is copied first and checked on the copy.
#ifndef CZ_EXEC_ANSWER_H
#define CZ_EXEC_ANSWER_H

#include "wire/wire.h"
#include <stdbool.h>

// The places that are known so far, for a process that starts.
void answer_share(const struct wire_header *own, struct wire_header *shared);
// What a process says of itself when it is ready. False: it has written elsewhere, too.
bool answer_ready(const struct wire_header *shared, struct wire_header *own);
// The batch in `own`: header, runs and the first bytes of inputs.
void answer_request(const struct wire_header *own, struct wire_header *shared,
                    uint64_t input_bytes);
// The answer to it. False: it does not fit; then `own` has no answers.
bool answer_take(const struct wire_header *shared, struct wire_header *own);
// Of a process that has died: answers of runs that it had finished, where they fit.
void answer_take_done(const struct wire_header *shared, struct wire_header *own);

#endif
