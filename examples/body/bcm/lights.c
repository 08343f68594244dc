// SPDX-License-Identifier: Apache-2.0
// Exterior lights: decides on low beam, high beam, fog and daytime lights, drives the
// outputs, and watches the lamp currents. The light sensor has a hysteresis, so what it
// says depends on what it said.
#include "bcm.h"
#include "calib.h"
#include "fault.h"
#include "hal.h"
#include "vehicle.h"

#define OPEN_SAMPLES     3U
#define FOLLOW_ME_CYCLES 50U

light_state_t g_lights;

static bool is_dark(void)
{
    uint16_t counts = 0U;

    if (hal_adc_read(HAL_ADC_LIGHT, &counts) != ST_OK) {
        // A blind sensor must not switch the lights off at night.
        return true;
    }
    if (counts < g_calib.body.dark_counts) {
        g_lights.is.dark = 1U;
    } else if (counts > g_calib.body.bright_counts) {
        g_lights.is.dark = 0U;
    } else {
        // In between it stays as it was.
    }
    return g_lights.is.dark != 0U;
}

static bool want_low_beam(bool dark, bool follow_me)
{
    light_switch_t stalk = (light_switch_t)g_switches.sig.light_stalk;
    bool on = false;

    if ((((stalk == LIGHT_SW_ON) || ((stalk == LIGHT_SW_AUTO) && dark) ||
          ((stalk == LIGHT_SW_AUTO) && (g_wiper == WIPER_FAST) && (g_vehicle.speed > 300U)) ||
          ((stalk == LIGHT_SW_OFF) && g_vehicle.drive_lost && dark)) &&
         ((g_vehicle.ignition == IGN_ON) || (g_vehicle.ignition == IGN_START))) ||
        (follow_me && (g_vehicle.ignition == IGN_OFF) && !g_vehicle.drive_lost)) {
        on = true;
    }
    return on;
}

static bool want_high_beam(bool low)
{
    // The flash works without anything else; the stalk needs the low beam.
    return (g_switches.sig.flash != 0U) ||
           (low && (g_switches.sig.high_beam != 0U) && (g_vehicle.ignition == IGN_ON) &&
            (g_switches.sig.fog == 0U));
}

// After the ignition goes off with the lights on they stay for a while.
static bool follow_me_home(bool was_low)
{
    static ignition_t last = IGN_OFF;
    static uint8_t left;

    if ((last == IGN_ON) && (g_vehicle.ignition == IGN_OFF) && was_low) {
        left = FOLLOW_ME_CYCLES;
    } else if (left > 0U) {
        left--;
    } else {
        left = 0U;
    }
    last = g_vehicle.ignition;
    return left > 0U;
}

static bool lamp_open(hal_adc_t channel, uint8_t *samples)
{
    uint16_t counts = 0U;

    if ((hal_adc_read(channel, &counts) == ST_OK) && (counts < g_calib.body.lamp_open_counts)) {
        if (*samples < OPEN_SAMPLES) {
            (*samples)++;
        }
    } else {
        *samples = 0U;
    }
    return *samples >= OPEN_SAMPLES;
}

static void watch_lamps(void)
{
    static uint8_t left_samples;
    static uint8_t right_samples;

    if (g_lights.is.low == 0U) {
        return;
    }
    if (lamp_open(HAL_ADC_LAMP_LEFT, &left_samples)) {
        g_lights.is.fault_left = 1U;
        (void)fault_set(FAULT_LAMP_LEFT, FAULT_SAFETY);
    }
    if (lamp_open(HAL_ADC_LAMP_RIGHT, &right_samples)) {
        g_lights.is.fault_right = 1U;
        (void)fault_set(FAULT_LAMP_RIGHT, FAULT_SAFETY);
    }
}

status_t lights_step(void)
{
    bool follow_me = follow_me_home(g_lights.is.low != 0U);
    bool dark = is_dark();
    bool low = want_low_beam(dark, follow_me);
    bool high = want_high_beam(low);

    g_lights.is.low = low ? 1U : 0U;
    g_lights.is.high = high ? 1U : 0U;
    g_lights.is.fog = (low && (g_switches.sig.fog != 0U)) ? 1U : 0U;
    g_lights.is.drl = (!low && (g_vehicle.ignition == IGN_ON)) ? 1U : 0U;
    watch_lamps();
    // With a broken low beam the other lamps of that car help: fog lights stand in.
    if ((g_lights.is.fault_left != 0U) && (g_lights.is.fault_right != 0U) && low) {
        g_lights.is.fog = 1U;
    }
    hal_output(HAL_OUT_LOW_BEAM, low);
    hal_output(HAL_OUT_HIGH_BEAM, high);
    return ((g_lights.byte & 0x30U) != 0U) ? ST_PENDING : ST_OK;
}
