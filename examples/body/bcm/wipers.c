// SPDX-License-Identifier: Apache-2.0
// Front wiper: state machine over the stalk, the park contact and the motor current. The
// interval comes from a calibrated curve over the rain sensor.
#include "bcm.h"
#include "calib.h"
#include "fault.h"
#include "hal.h"
#include "vehicle.h"

#define STALL_COUNTS  3600U
#define STALL_SAMPLES 5U
#define WIPER_TIMER   0U
#define WASH_WIPES    3U

wiper_t g_wiper;

static uint8_t stall_samples;
static uint8_t wash_left;

static void drive_motor(wiper_t state)
{
    hal_output(HAL_OUT_WIPER_SLOW, (state == WIPER_SLOW) || (state == WIPER_RETURNING));
    hal_output(HAL_OUT_WIPER_FAST, state == WIPER_FAST);
}

static bool stalled(void)
{
    uint16_t counts = 0U;
    status_t status = hal_adc_read(HAL_ADC_WIPER_CURRENT, &counts);

    if ((status == ST_OK) && (counts > STALL_COUNTS)) {
        if (stall_samples < STALL_SAMPLES) {
            stall_samples++;
        }
    } else if (status == ST_OK) {
        stall_samples = 0U;
    } else {
        // No measurement, no opinion.
    }
    return stall_samples >= STALL_SAMPLES;
}

// Seconds until the next wipe; negative when the rain does not ask for one.
static float interval_seconds(void)
{
    uint16_t rain = 0U;
    float seconds = 0.0f;

    if (hal_adc_read(HAL_ADC_RAIN, &rain) != ST_OK) {
        return 5.0f;
    }
    if (calib_lookup(&g_calib.body.wiper_interval, (float)rain, &seconds) != ST_OK) {
        return 5.0f;
    }
    if (rain < 100U) {
        return -1.0f;
    }
    // The stalk's ring scales the curve between full and a quarter.
    seconds = seconds * (1.0f - (0.25f * (float)g_switches.sig.interval));
    return (seconds < 0.5f) ? 0.5f : seconds;
}

static wiper_t start_interval(void)
{
    float seconds;

    if (timer_running(WIPER_TIMER)) {
        return WIPER_PARKED;
    }
    if (timer_expired(WIPER_TIMER)) {
        return WIPER_SLOW;
    }
    seconds = interval_seconds();
    if (seconds > 0.0f) {
        (void)timer_start(WIPER_TIMER, (uint16_t)(seconds * 1000.0f));
    }
    return WIPER_PARKED;
}

static wiper_t from_parked(wiper_switch_t stalk)
{
    wiper_t next = WIPER_PARKED;

    switch (stalk) {
    case WIPER_SW_ONCE:
    case WIPER_SW_SLOW:
        next = WIPER_SLOW;
        break;
    case WIPER_SW_FAST:
        next = WIPER_FAST;
        break;
    case WIPER_SW_INTERVAL:
        next = start_interval();
        break;
    case WIPER_SW_OFF:
        next = (wash_left > 0U) ? WIPER_SLOW : WIPER_PARKED;
        break;
    default:
        // Reserved codes of the stalk: a car in the rain would rather wipe.
        next = WIPER_SLOW;
        break;
    }
    return next;
}

static wiper_t from_running(wiper_switch_t stalk)
{
    wiper_t next;

    if (stalk == WIPER_SW_FAST) {
        next = WIPER_FAST;
    } else if (stalk == WIPER_SW_SLOW) {
        next = WIPER_SLOW;
    } else {
        next = WIPER_RETURNING;
    }
    return next;
}

status_t wipers_step(void)
{
    wiper_switch_t stalk = (wiper_switch_t)g_switches.sig.wiper;
    bool parked = hal_input(HAL_IN_WIPER_PARK);

    if (g_vehicle.ignition == IGN_OFF) {
        stalk = WIPER_SW_OFF;
        wash_left = 0U;
    }
    if ((g_switches.sig.wash != 0U) && (g_vehicle.ignition == IGN_ON)) {
        wash_left = WASH_WIPES;
    }
    if ((g_wiper != WIPER_PARKED) && stalled()) {
        g_wiper = WIPER_STALLED;
        (void)fault_set(FAULT_WIPER_STALL, FAULT_SAFETY);
    }
    switch (g_wiper) {
    case WIPER_PARKED:
        g_wiper = from_parked(stalk);
        break;
    case WIPER_SLOW:
    case WIPER_FAST:
        g_wiper = from_running(stalk);
        break;
    case WIPER_RETURNING:
        if (parked) {
            g_wiper = WIPER_PARKED;
            wash_left = (wash_left > 0U) ? (uint8_t)(wash_left - 1U) : 0U;
        }
        break;
    case WIPER_STALLED:
        // Only a driver who turns the wiper off gets another try.
        if ((stalk == WIPER_SW_OFF) && (stall_samples < STALL_SAMPLES)) {
            g_wiper = WIPER_RETURNING;
            (void)fault_clear(FAULT_WIPER_STALL);
        }
        break;
    default:
        g_wiper = WIPER_RETURNING;
        break;
    }
    drive_motor(g_wiper);
    return (g_wiper == WIPER_STALLED) ? ST_PENDING : ST_OK;
}
