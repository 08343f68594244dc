// SPDX-License-Identifier: Apache-2.0
// Types that every module of the body unit shares: result codes, wheels, and the
// saturating helpers that replace bare casts.
#ifndef BODY_TYPES_H
#define BODY_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    ST_OK = 0,
    ST_PENDING,
    ST_TIMEOUT,
    ST_RANGE,
    ST_DENIED,
    ST_NULL,
    ST_FULL,
    ST_CHECK
} status_t;

typedef enum { WHEEL_FL = 0, WHEEL_FR, WHEEL_RL, WHEEL_RR, WHEEL_COUNT } wheel_t;

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

// Adding to a counter must stop at its end: a wrapped counter looks like a fresh one.
static inline uint16_t sat_add_u16(uint16_t a, uint16_t b)
{
    uint32_t sum = (uint32_t)a + (uint32_t)b;

    return (sum > 0xFFFFU) ? 0xFFFFU : (uint16_t)sum;
}

static inline uint8_t sat_inc_u8(uint8_t a)
{
    return (a == 0xFFU) ? a : (uint8_t)(a + 1U);
}

#endif
