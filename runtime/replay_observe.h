// SPDX-License-Identifier: Apache-2.0
// What replay_observe.c (what a test shows) and replay_setup.c (what the call of the task finds)
// share: memory that may be looked at, and how values are written.
#ifndef CZ_REPLAY_OBSERVE_H
#define CZ_REPLAY_OBSERVE_H

#include "../include/cz/driver.h"
#include "replay_runtime.h"

// Memory that may be looked at, and what was in it before the call.
struct region {
    const char *base, *before; // before: NULL when it is too large
    unsigned long size;
    bool visited;   // after the call ...
    bool found;     // ... and before it
    char path[256]; // of the pointer that the driver set to it, or & and that of the variable
};

struct watch {
    const struct cz_forms *forms;
    cz_path at;
    const void *object;
    unsigned shape;
};

bool observe_is_on(void);
void *observe_allocate(unsigned long size); // zeros, for as long as the process lives; or NULL
struct region *observe_region(const void *address); // or NULL
void observe_refresh(void);                         // objects that were made since are known, too
void observe_each_region(void (*each)(struct region *region));
void observe_put_scalar(const struct cz_shape *shape, const void *at, char *out, size_t room);
void observe_put_pointer(const struct cz_forms *forms, const void *pointer, char *out, size_t room);
uint64_t observe_bits(const struct cz_member *member, const char *record);
void observe_put_number(const struct cz_shape *shape, uint64_t raw, unsigned bits, char *out,
                        size_t room);

// replay_setup.c
void setup_begin(void);
void setup_call(const struct watch *watches, unsigned count); // the task is about to be called
void setup_called(void);                                      // it has returned
void setup_freed(const struct region *region);
// What the driver says is in the object; 0: nothing.
unsigned setup_shape(const struct region *region, const struct cz_forms **forms);

#endif
