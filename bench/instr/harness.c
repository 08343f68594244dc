// SPDX-License-Identifier: Apache-2.0
// Times the kernels: linked once with the native ones and once with the instrumented
// ones and the runtime (-DINSTRUMENTED), where it also runs them with all bytes
// symbolic. Prints "kernel mode nanoseconds checksum"; bench/instr/run.sh makes
// ratios of it.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef INSTRUMENTED
#include "runtime/runtime.h"
#endif

uint32_t crc_bitwise(const uint8_t *, unsigned), crc_branchless(const uint8_t *, unsigned);
uint32_t crc_table(const uint8_t *, unsigned), fnv1a(const uint8_t *, unsigned);
uint32_t adler(const uint8_t *, unsigned), parse(const uint8_t *, unsigned);
void crc_prepare(void);

#define SIZE 4096

static const struct {
    const char *name;
    uint32_t (*run)(const uint8_t *, unsigned);
} kernels[] = {{"crc_bitwise", crc_bitwise},
               {"crc_branchless", crc_branchless},
               {"crc_table", crc_table},
               {"fnv1a", fnv1a},
               {"adler", adler},
               {"parse", parse}};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void prepare(uint8_t *data, int symbolic)
{
#ifdef INSTRUMENTED
    czrt_expr_reset();
    czrt_wire->record_count = 0;
    czrt_steps_left = INT64_MAX;
    for (unsigned i = 0; i < SIZE; i++)
        CZRT_SHADOW(data)[i] = symbolic ? czrt_input_label(i, 8) : 0;
#else
    (void)data;
    (void)symbolic;
#endif
}

static void measure(unsigned k, uint8_t *data, int symbolic, int repeat)
{
    double best = 1e18;
    uint32_t sum = 0;
    for (int r = 0; r < repeat; r++) {
        prepare(data, symbolic);
        double start = now();
        sum = kernels[k].run(data, SIZE);
        double spent = now() - start;
        best = spent < best ? spent : best;
    }
#ifdef INSTRUMENTED
    printf("%s %s %.0f %08x %u\n", kernels[k].name, symbolic ? "symbolic" : "concrete", best, sum,
           czrt_wire->node_count);
#else
    printf("%s native %.0f %08x\n", kernels[k].name, best, sum);
#endif
}

int main(void)
{
    static uint8_t data[SIZE];
    static const char alphabet[] = "{}[]0123456789\" ,:\\ab\n";
    uint32_t seed = 1;
    for (unsigned i = 0; i < SIZE; i++) {
        seed = seed * 1664525 + 1013904223;
        data[i] = (uint8_t)alphabet[(seed >> 16) % (sizeof alphabet - 1)];
    }
    crc_prepare();
    for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        measure(k, data, 0, 300);
#ifdef INSTRUMENTED
        measure(k, data, 1, 20);
#endif
    }
    return 0;
}
