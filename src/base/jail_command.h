// SPDX-License-Identifier: Apache-2.0
// Running code under test: the command that starts a program in cadenza-jail (jail/jail.h), which
// lets it write in its scratch directory only, and ends whatever it has started.
#ifndef CZ_BASE_JAIL_COMMAND_H
#define CZ_BASE_JAIL_COMMAND_H

#include "base/error.h"
#include "base/vec.h"
#include "jail/jail.h"
#include <stdint.h>

enum {
    JAIL_MOST_KEPT = 4,
};

struct jail {
    const char *scratch;      // absolute; must exist
    uint64_t scratch_size;    // bytes of all files in it, where the kernel can limit that
    uint64_t file_size;       // of one
    uint64_t memory;          // of all processes together, 0: any
    int keep[JAIL_MOST_KEPT]; // descriptors above 2 for the program; 0 ends the list
    const char *output;       // a file that is opened for it as JAIL_OUTPUT_FD, or NULL
};

struct jail_command {
    VEC(const char *) argv; // NULL at its end
    VEC(char *) owned;
};

bool jail_command(const struct jail *jail, const char *const *program, struct jail_command *out,
                  struct error *err);
void jail_command_release(struct jail_command *command);

// For this process and those it forks: programs run without a jail (--no-sandbox).
void jail_switch_off(void);
bool jail_is_on(void);

// What the kernel does not have, in words for the user, malloc'd; "" when nothing is missing.
char *jail_missing(void);

// How a program ended whose jail had to end it: it held too much memory, or too many processes.
bool jail_hit_limit(int exit_code);

// Ends a jail, or a program that runs without one, with all that it has started.
void jail_end(int process, int *status);

#endif
