// SPDX-License-Identifier: Apache-2.0
// A process of ours that does a piece of work and sends records (record.h) to the one that forked
// it. It ends when that one does. What it sends before it dies is not lost; what it sends while
// dying is believed only as far as record.h checks it.
#ifndef CZ_BASE_CHILD_H
#define CZ_BASE_CHILD_H

#include "base/record.h"
#include <sys/types.h>

struct child {
    pid_t pid; // 0: there is none
    int fd;    // what it sends; for poll()
    struct buf received;
    size_t taken; // bytes of it
};

// Fork. In the new process `work` is called, with a descriptor for child_send(), and its return
// ends it: nothing of the parent's is flushed or freed there.
bool child_start(struct child *child, void (*work)(void *context, int fd), void *context,
                 struct error *err);

// In the process: send a record. Exits when nobody reads any more.
void child_send(int fd, const struct record_type *type, const void *object);
void child_send_bytes(int fd, const struct buf *bytes); // of records that were written before

// Read what is there, waiting for it if need be. False: that was all, it has ended.
bool child_hear(struct child *child);

// The next record that was received, valid until child_hear(); see record_take().
enum record_found child_next(struct child *child, struct record_frame *out, struct error *err);

// Wait for its end; the status of waitpid(). The struct can be used again, and keeps its memory.
int child_end(struct child *child);

void child_release(struct child *child); // kills it if it runs

// "signal 9", "exit code 1".
void child_describe(int status, char *text, size_t size);

#endif
