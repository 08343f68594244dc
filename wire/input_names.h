// SPDX-License-Identifier: Apache-2.0
// How names that the code under test chooses (files, environment variables) appear in the paths
// of inputs. One spelling for targets, replays and the engine (src/program/input_path.c).
#ifndef CZ_WIRE_INPUT_NAMES_H
#define CZ_WIRE_INPUT_NAMES_H

#include <stdio.h>
#include <string.h>

#define WIRE_NAME_ROOM  600
#define WIRE_NAME_USUAL "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-,@~"

// `prefix` and the name, with %XX for what a line of a test file could not hold or would
// read as something else; without a name `prefix#number`. Very long names are cut.
static inline void wire_write_name(char *to, const char *prefix, const char *name, unsigned number)
{
    size_t n = (size_t)snprintf(to, 32, "%s", prefix);
    if (!name) {
        snprintf(to + n, 32, "#%u", number);
        return;
    }
    for (; *name && n < WIRE_NAME_ROOM - 4; name++)
        n += (size_t)snprintf(to + n, 4, strchr(WIRE_NAME_USUAL, *name) ? "%c" : "%%%02X",
                              (unsigned char)*name);
}

#endif
