// SPDX-License-Identifier: Apache-2.0
// A small seeded generator (splitmix64); the only source of chance.
#ifndef CZ_BASE_RNG_H
#define CZ_BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t z = (rng->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// Uniform in [0, limit); limit > 0.
static inline uint64_t rng_below(struct rng *rng, uint64_t limit)
{
    return (uint64_t)(((unsigned __int128)rng_next(rng) * limit) >> 64);
}

#endif
