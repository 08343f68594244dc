// SPDX-License-Identifier: Apache-2.0
// How names that the code under test chooses (files, environment variables) appear in
// the paths of inputs. One spelling for the engine's targets and for replays.
#ifndef CZRT_NAMES_H
#define CZRT_NAMES_H

#include <stdio.h>
#include <string.h>

#define CZRT_NAME_ROOM 600

// `prefix` and the name, with %XX for what a line of a test file could not hold or would
// read as something else; without a name `prefix#number`. Very long names are cut.
static inline void czrt_write_name(char *to, const char *prefix, const char *name, unsigned number)
{
    static const char usual[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-,@~";
    size_t n = (size_t)snprintf(to, 32, "%s", prefix);
    if (!name) {
        snprintf(to + n, 32, "#%u", number);
        return;
    }
    for (; *name && n < CZRT_NAME_ROOM - 4; name++)
        n += (size_t)snprintf(to + n, 4, strchr(usual, *name) ? "%c" : "%%%02X",
                              (unsigned char)*name);
}

#endif
