// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the key: a small Feistel cipher (XTEA with fewer rounds, which a demo
// can afford and a car cannot), a 16-bit code derived from it, and a generator for the
// challenges.
#include "smk.h"

#define ROUNDS 8U
#define DELTA  0x9E3779B9U

static uint32_t random_state = 0x2545F491U;

void smk_encrypt(const uint32_t key[4], uint32_t block[2])
{
    uint32_t left = block[0];
    uint32_t right = block[1];
    uint32_t sum = 0U;
    uint32_t i;

    for (i = 0U; i < ROUNDS; i++) {
        left += (((right << 4U) ^ (right >> 5U)) + right) ^ (sum + key[sum & 3U]);
        sum += DELTA;
        right += (((left << 4U) ^ (left >> 5U)) + left) ^ (sum + key[(sum >> 11U) & 3U]);
    }
    block[0] = left;
    block[1] = right;
}

uint16_t smk_mac16(const uint32_t key[4], uint32_t message)
{
    uint32_t block[2];

    block[0] = message;
    block[1] = ~message;
    smk_encrypt(key, block);
    return (uint16_t)((block[0] >> 16U) ^ (block[0] & 0xFFFFU) ^ (block[1] & 0xFFFFU));
}

uint32_t smk_random(void)
{
    random_state ^= random_state << 13U;
    random_state ^= random_state >> 17U;
    random_state ^= random_state << 5U;
    return random_state;
}

void smk_seed(uint32_t entropy)
{
    random_state ^= entropy;
    // Zero is the one state the generator never leaves.
    if (random_state == 0U) {
        random_state = DELTA;
    }
}

bool smk_seed_plausible(uint16_t seed)
{
    uint32_t product = (uint32_t)seed * ((uint32_t)seed + 1U);

    // Infeasible by construction (README, I3): one of two neighbours is even.
    if ((product & 1U) != 0U) {
        return false;
    }
    return (product % 97U) != 0U;
}
