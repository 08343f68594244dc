// SPDX-License-Identifier: Apache-2.0
// The walls of the jail: namespaces, limits, Landlock, the system call filter. Each may be missing
// in a kernel; walls_probe says which, and the others stand without it.
#ifndef CZ_JAIL_WALLS_H
#define CZ_JAIL_WALLS_H

#include <stdbool.h>

#define WALLS_MOST_KEPT 8

struct walls {
    const char *scratch;        // the only directory that may be written
    unsigned long scratch_size; // bytes of all files in it together (needs namespaces)
    unsigned long file_size;    // of one file
    int keep[WALLS_MOST_KEPT];  // descriptors above 2 that the program gets
    unsigned kept;
    bool apart; // in namespaces of its own: mounts are seen by nobody else
};

// Prints a line for each layer: "NAME yes" or "NAME no".
void walls_probe(void);

// Children get namespaces of their own for processes and mounts. False: not on this kernel.
bool walls_namespaces(void);

// The program's file, open, becomes JAIL_PROGRAM_FD.
bool walls_place_program(int fd);

// Of this process, for ever. NULL, or what failed; errno says why.
const char *walls_raise(const struct walls *walls);

#endif
