// SPDX-License-Identifier: Apache-2.0
// Turn indicators and hazard lights: a state machine with comfort blinking (a short push
// blinks three times) and a flash phase that doubles its speed with a broken lamp.
#include "bcm.h"
#include "fault.h"
#include "hal.h"
#include "vehicle.h"

#define PHASE_CYCLES      4U
#define PHASE_CYCLES_FAST 2U
#define COMFORT_BLINKS    3U

indicator_t g_indicator;
bool g_crash;

static uint8_t phase_count;
static uint8_t comfort_left;
static bool lit;

static indicator_t wanted(void)
{
    bool left = g_switches.sig.turn_left != 0U;
    bool right = g_switches.sig.turn_right != 0U;
    indicator_t result = IND_OFF;

    if (g_crash || (g_switches.sig.hazard != 0U) || (left && right)) {
        result = IND_HAZARD;
    } else if ((g_vehicle.ignition != IGN_ON) && (g_vehicle.ignition != IGN_START)) {
        result = IND_OFF;
    } else if (left) {
        result = IND_LEFT;
    } else if (right) {
        result = IND_RIGHT;
    } else if ((comfort_left > 0U) && (g_indicator != IND_HAZARD)) {
        result = g_indicator;
    } else {
        result = IND_OFF;
    }
    return result;
}

static uint8_t phase_length(void)
{
    bool broken = ((g_indicator == IND_LEFT) && (g_lights.is.fault_left != 0U)) ||
                  ((g_indicator == IND_RIGHT) && (g_lights.is.fault_right != 0U));

    return broken ? PHASE_CYCLES_FAST : PHASE_CYCLES;
}

static void advance_phase(void)
{
    phase_count++;
    if (phase_count < phase_length()) {
        return;
    }
    phase_count = 0U;
    lit = !lit;
    // A blink counts when it goes dark, so that the last one is seen whole.
    if (!lit && (comfort_left > 0U)) {
        comfort_left--;
    }
}

status_t indicators_step(void)
{
    indicator_t next;

    g_crash = debounce_crash(hal_input(HAL_IN_CRASH), g_vehicle.ignition == IGN_OFF);
    next = wanted();
    if (next != g_indicator) {
        g_indicator = next;
        phase_count = 0U;
        lit = next != IND_OFF;
        comfort_left = ((next == IND_LEFT) || (next == IND_RIGHT)) ? COMFORT_BLINKS : 0U;
    } else if (next != IND_OFF) {
        advance_phase();
    } else {
        lit = false;
    }
    hal_output(HAL_OUT_TURN_LEFT, lit && (g_indicator != IND_RIGHT));
    hal_output(HAL_OUT_TURN_RIGHT, lit && (g_indicator != IND_LEFT));
    return g_crash ? ST_PENDING : ST_OK;
}
