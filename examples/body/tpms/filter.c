// SPDX-License-Identifier: Apache-2.0
// Filters of the tyre pressure. Which one applies is a function pointer: slow while the
// car stands, fast on the road, and holding when a sensor cries wolf.
#include <math.h>

#include "calib.h"
#include "tpms.h"

#define JUMP_KPA      80.0f
#define CONFIRM_JUMPS 3U

float tpms_filter_slow(float old, float raw, float gain)
{
    return old + ((gain * 0.5f) * (raw - old));
}

float tpms_filter_fast(float old, float raw, float gain)
{
    float step = raw - old;

    // Falling pressure matters more than rising pressure.
    if (step < 0.0f) {
        step *= 2.0f;
    }
    return old + (gain * step);
}

float tpms_filter_hold(float old, float raw, float gain)
{
    (void)gain;
    return (raw < old) ? raw : old;
}

tpms_filter_t tpms_filter_for(bool moving, bool alarm)
{
    static const tpms_filter_t filters[2][2] = {
        {tpms_filter_slow, tpms_filter_hold},
        {tpms_filter_fast, tpms_filter_fast},
    };

    return filters[moving ? 1U : 0U][alarm ? 1U : 0U];
}

static bool finite_in(float value, float low, float high)
{
    return isfinite(value) && (value >= low) && (value <= high);
}

status_t tpms_filter_wheel(tpms_wheel_t *wheel, const tpms_telegram_t *telegram,
                           tpms_filter_t filter)
{
    float next;

    if ((wheel == NULL) || (telegram == NULL) || (filter == NULL)) {
        return ST_NULL;
    }
    if (!finite_in(telegram->kpa, 0.0f, 600.0f) || !finite_in(telegram->kelvin, 220.0f, 480.0f)) {
        return ST_RANGE;
    }
    if (wheel->state == TYRE_UNKNOWN) {
        wheel->kpa = telegram->kpa;
        wheel->kelvin = telegram->kelvin;
        return ST_OK;
    }
    // A jump is either a burst or a disturbed telegram: three in a row decide.
    if (fabsf(telegram->kpa - wheel->kpa) > JUMP_KPA) {
        wheel->confirm = sat_inc_u8(wheel->confirm);
        if (wheel->confirm < CONFIRM_JUMPS) {
            return ST_PENDING;
        }
        wheel->kpa = telegram->kpa;
        wheel->confirm = 0U;
        return ST_OK;
    }
    wheel->confirm = 0U;
    next = filter(wheel->kpa, telegram->kpa, g_calib.tyre.filter_gain);
    if (next > (wheel->kpa + (0.5f * JUMP_KPA))) {
        next = wheel->kpa + (0.5f * JUMP_KPA);
    } else if (next == telegram->kpa) {
        // The filter has settled: the temperature follows at once.
        wheel->kelvin = telegram->kelvin;
    } else {
        wheel->kelvin += 0.1f * (telegram->kelvin - wheel->kelvin);
    }
    wheel->kpa = next;
    return ST_OK;
}
