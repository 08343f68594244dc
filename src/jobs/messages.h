// SPDX-License-Identifier: Apache-2.0
// Messages from the process of a file to its parent: a kind and a length, then 'S' the name of a
// stage, 'P' a struct worker_state and the name of its task, 'F' the outcome. Sender and receiver
// are the same program, but a process that is about to crash may write anything, so the receiver
// believes nothing that it has not checked.
#ifndef CZ_JOBS_MESSAGES_H
#define CZ_JOBS_MESSAGES_H

#include "base/buf.h"
#include "jobs/workers.h"

struct message {
    char kind;
    const char *text; // not terminated
    size_t length;
};

// Exits when nobody reads any more.
void message_send(int fd, char kind, const struct buf *text);

enum message_found { MESSAGE_NONE, MESSAGE_WHOLE, MESSAGE_BROKEN };

// The message at *at of what was received; *at moves behind it. NONE: there is no whole one yet.
enum message_found message_take(const struct buf *received, size_t *at, struct message *out);

// A 'P' message; the task's name is cut to fit. False: it is none.
bool message_state(const struct message *message, struct worker_state *state, char *task,
                   size_t task_size);

#endif
