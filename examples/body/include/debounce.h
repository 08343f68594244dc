// SPDX-License-Identifier: Apache-2.0
// Debouncing of switches and software timers.
#ifndef BODY_DEBOUNCE_H
#define BODY_DEBOUNCE_H

#include "types.h"

typedef struct {
    uint8_t count;
    uint8_t threshold;
    bool stable;
} debounce_t;

#define TIMER_COUNT 6U

// Takes one sample; true in the cycle in which the stable level changes.
bool debounce_step(debounce_t *debounce, bool raw);

// The crash line: three samples in a row latch it until the ignition cycles.
bool debounce_crash(bool raw, bool ignition_cycled);

// One-shot timers, addressed by index. timer_init() before the first use.
void timer_init(void);
status_t timer_start(uint8_t timer, uint16_t ms);
void timer_stop(uint8_t timer);
bool timer_running(uint8_t timer);
void timer_tick(uint16_t elapsed_ms);
// True once after a timer has run out.
bool timer_expired(uint8_t timer);

#endif
