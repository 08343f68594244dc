// SPDX-License-Identifier: Apache-2.0
// Start permission: one long condition over the key, the gear, the brake and the state of
// the body, and a debounced start button that asks for it.
#include "bcm.h"
#include "debounce.h"
#include "fault.h"
#include "hal.h"
#include "smk.h"
#include "vehicle.h"

#define BATTERY_MIN_COUNTS 1800U

static bool battery_ok(void)
{
    uint16_t counts = 0U;

    return (hal_adc_read(HAL_ADC_BATTERY, &counts) == ST_OK) && (counts >= BATTERY_MIN_COUNTS);
}

bool smk_start_allowed(void)
{
    bool allowed = false;

    if ((smk_auth_state() == AUTH_GRANTED) &&
        ((g_key_zone == KEY_INSIDE) ||
         ((g_key_zone == KEY_OUTSIDE) && (g_vehicle.ignition == IGN_ON))) &&
        (g_vehicle.brake || (g_vehicle.hand_brake && (g_vehicle.gear == GEAR_P))) &&
        ((g_vehicle.gear == GEAR_P) || (g_vehicle.gear == GEAR_N)) && !g_vehicle.drive_lost &&
        g_vehicle.speed_valid && (g_vehicle.speed == 0U) && (g_vehicle.engine_rpm < 100U) &&
        (g_lock != LOCK_DOUBLE) && (g_lock != LOCK_CRASH) &&
        (((g_doors_open & (1U << DOOR_FL)) == 0U) || (g_switches.sig.seat != 0U)) &&
        ((g_doors_open & (1U << DOOR_BONNET)) == 0U) &&
        (fault_find(fault_list(), FAULT_KEY_LOCKOUT) == NULL)) {
        allowed = true;
    }
    return allowed;
}

status_t smk_start_step(void)
{
    static debounce_t button = {0U, 3U, false};
    bool pressed = debounce_step(&button, hal_input(HAL_IN_START_BUTTON)) && button.stable;

    if (!pressed) {
        return ST_PENDING;
    }
    if (!smk_start_allowed()) {
        return ST_DENIED;
    }
    if (!battery_ok()) {
        return ST_RANGE;
    }
    return ST_OK;
}
