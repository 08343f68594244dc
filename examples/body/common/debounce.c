// SPDX-License-Identifier: Apache-2.0
// Debouncers and one-shot timers. The crash debouncer keeps its state in static locals:
// only a sequence of calls gets anywhere.
#include "debounce.h"

#define CRASH_SAMPLES 3U

typedef enum { TIMER_IDLE = 0, TIMER_RUNNING, TIMER_EXPIRED } timer_state_t;

typedef struct {
    timer_state_t state;
    uint16_t left_ms;
} soft_timer_t;

static soft_timer_t timers[TIMER_COUNT];
static bool timers_ready;

bool debounce_step(debounce_t *debounce, bool raw)
{
    if (debounce == NULL) {
        return false;
    }
    if (raw == debounce->stable) {
        debounce->count = 0U;
        return false;
    }
    debounce->count = sat_inc_u8(debounce->count);
    if (debounce->count < debounce->threshold) {
        return false;
    }
    debounce->stable = raw;
    debounce->count = 0U;
    return true;
}

bool debounce_crash(bool raw, bool ignition_cycled)
{
    static uint8_t samples;
    static bool latched;

    if (latched) {
        if (ignition_cycled && !raw) {
            latched = false;
            samples = 0U;
        }
    } else if (raw) {
        samples++;
        if (samples >= CRASH_SAMPLES) {
            latched = true;
        }
    } else {
        samples = 0U;
    }
    return latched;
}

void timer_init(void)
{
    uint8_t i;

    for (i = 0U; i < TIMER_COUNT; i++) {
        timers[i].state = TIMER_IDLE;
        timers[i].left_ms = 0U;
    }
    timers_ready = true;
}

status_t timer_start(uint8_t timer, uint16_t ms)
{
    if (!timers_ready) {
        return ST_DENIED;
    }
    if (timer >= TIMER_COUNT) {
        return ST_RANGE;
    }
    timers[timer].left_ms = ms;
    timers[timer].state = (ms == 0U) ? TIMER_EXPIRED : TIMER_RUNNING;
    return ST_OK;
}

void timer_stop(uint8_t timer)
{
    if (timer < TIMER_COUNT) {
        timers[timer].state = TIMER_IDLE;
    }
}

bool timer_running(uint8_t timer)
{
    return (timer < TIMER_COUNT) && (timers[timer].state == TIMER_RUNNING);
}

void timer_tick(uint16_t elapsed_ms)
{
    uint8_t i;

    for (i = 0U; i < TIMER_COUNT; i++) {
        if (timers[i].state == TIMER_RUNNING) {
            if (timers[i].left_ms <= elapsed_ms) {
                timers[i].left_ms = 0U;
                timers[i].state = TIMER_EXPIRED;
            } else {
                timers[i].left_ms = (uint16_t)(timers[i].left_ms - elapsed_ms);
            }
        }
    }
}

bool timer_expired(uint8_t timer)
{
    if ((timer >= TIMER_COUNT) || (timers[timer].state != TIMER_EXPIRED)) {
        return false;
    }
    timers[timer].state = TIMER_IDLE;
    return true;
}
