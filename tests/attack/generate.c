// SPDX-License-Identifier: Apache-2.0
// generate SEED DIRECTORY: write a unit and its caller. The same seed gives the same text.
#include "base/error.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: generate SEED DIRECTORY\n");
        return 2;
    }
    struct unit unit;
    struct rng seeds = {strtoull(argv[1], NULL, 0)}; // neighbours must not share their stream
    unit_init(&unit, rng_next(&seeds));
    for (unsigned i = 0; i < UNIT_FUNCTIONS; i++)
        unit_add_function(&unit, i);
    struct error err = {0};
    bool good = unit_write(&unit, argv[2], &err);
    unit_release(&unit);
    if (!good)
        fprintf(stderr, "generate: %s\n", err.text);
    return !good;
}
