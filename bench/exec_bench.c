// SPDX-License-Identifier: Apache-2.0
// Concolic runs per second through the engine's own interface: in one process
// against one child per run, same unit, same inputs, alternating.
#include "base/fs.h"
#include "base/rng.h"
#include "unit/unit.h"
#include "exec/target.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INPUT_BYTES = 64 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double runs_per_second(struct target *target, uint32_t flags, unsigned batch,
                              unsigned batches, struct rng *rng)
{
    struct error err = {0};
    double best = 0;
    for (unsigned b = 0; b < batches; b++) {
        target_begin(target, 0, flags);
        for (unsigned i = 0; i < batch; i++) {
            uint64_t input[INPUT_BYTES / 8];
            for (size_t k = 0; k < sizeof input / sizeof *input; k++)
                input[k] = rng_next(rng);
            *(unsigned char *)input |= 1; // the pointer is there
            target_add(target, input, sizeof input);
        }
        double start = now();
        if (!target_run(target, &err)) {
            fprintf(stderr, "%s\n", err.text);
            exit(1);
        }
        double rate = batch / (now() - start);
        best = rate > best ? rate : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: exec_bench UNIT.c DIRECTORY\n");
        return 2;
    }
    struct options options;
    options_init(&options);
    struct unit unit;
    struct error err = {0};
    struct unit_file file = {.source = argv[1]};
    struct unit_request request = {
        .files = &file, .file_count = 1, .out_directory = argv[2], .options = &options};
    if (!unit_build(&request, &unit, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    struct target_options how = {.executable = unit.target,
                                 .scratch = argv[2],
                                 .step_budget = 1000000,
                                 .heap_budget = 1 << 28,
                                 .watchdog_seconds = 60};
    struct target *target = target_start(&how, &err);
    if (!target) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    struct rng rng = {1};
    runs_per_second(target, WIRE_CONCOLIC, 2000, 2, &rng);
    double single = runs_per_second(target, WIRE_CONCOLIC, 1, 2000, &rng);
    double inside = runs_per_second(target, WIRE_CONCOLIC, 4000, 20, &rng);
    double cover = runs_per_second(target, 0, 4000, 20, &rng);
    double forked = runs_per_second(target, WIRE_CONCOLIC | WIRE_FORK, 300, 5, &rng);
    printf(
        "concolic runs per second: in-process %.0f (one per batch %.0f), forked %.0f, ratio %.0f "
        "(target: 100)\n",
        inside, single, forked, inside / forked);
    printf("cover-only runs per second: %.0f\n", cover);
    target_stop(target);
    unit_release(&unit);
    return inside / forked < 100;
}
