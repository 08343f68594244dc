// SPDX-License-Identifier: Apache-2.0
// The park assist as a whole: when it is on, which sensors it asks, and what it sounds.
#include "aprk.h"
#include "bcm.h"
#include "fault.h"
#include "hal.h"
#include "vehicle.h"

#define MAX_SPEED       150U
#define OFF_SPEED       200U
#define OUTSIDE_CELSIUS 20.0f

park_state_t g_park_state;
park_zone_t g_park_zone;

static void buzzer(uint8_t volume)
{
    hal_output(HAL_OUT_BUZZER, volume > 0U);
}

static bool radio_muted(void)
{
    return (g_switches.sig.park_assist != 0U) && (g_park_state == PARK_MUTED);
}

static tone_player_t player = {NULL, 0U, buzzer, radio_muted};

static bool may_activate(void)
{
    bool wanted = false;

    if ((((g_vehicle.gear == GEAR_R) && (g_switches.sig.trailer == 0U)) ||
         ((g_vehicle.gear == GEAR_D) && (g_switches.sig.park_assist != 0U) &&
          (g_vehicle.speed > 0U))) &&
        (g_vehicle.ignition == IGN_ON) && g_vehicle.speed_valid && !g_vehicle.drive_lost &&
        (g_vehicle.speed <= MAX_SPEED) && !g_vehicle.hand_brake && !g_vehicle.abs_active &&
        ((g_doors_open & (1U << DOOR_TRUNK)) == 0U) && !g_crash) {
        wanted = true;
    }
    return wanted;
}

static uint8_t measure_all(void)
{
    uint8_t i;
    uint8_t failed = 0U;

    for (i = 0U; i < PARK_SENSORS; i++) {
        (void)park_measure(i, OUTSIDE_CELSIUS);
        if (g_park[i].failed) {
            failed++;
        }
    }
    return failed;
}

static void assist(void)
{
    size_t which = PARK_SENSORS;
    park_zone_t raw;

    if (measure_all() >= 2U) {
        g_park_state = PARK_FAILED;
        g_park_zone = ZONE_NONE;
        (void)fault_set(FAULT_PARK_BASE + 0x10U, FAULT_COMFORT);
        return;
    }
    raw = park_worst(g_park, PARK_SENSORS, &which);
    // A trailer's drawbar sits where the middle sensors look.
    if ((which > 0U) && (which < (PARK_SENSORS - 1U)) && (g_switches.sig.trailer != 0U)) {
        raw = ZONE_NONE;
    }
    g_park_zone = park_smooth(raw);
    (void)park_player_switch(&player, g_park_zone);
    (void)park_player_step(&player);
}

status_t park_step(void)
{
    status_t status = ST_OK;

    switch (g_park_state) {
    case PARK_OFF:
        if (g_vehicle.ignition == IGN_ON) {
            park_forget();
            g_park_state = PARK_READY;
        }
        break;
    case PARK_READY:
        if (may_activate()) {
            g_park_state = PARK_ACTIVE;
        }
        break;
    case PARK_ACTIVE:
    case PARK_MUTED:
        if ((g_vehicle.speed > OFF_SPEED) || (g_vehicle.gear == GEAR_P) || !g_vehicle.speed_valid) {
            g_park_state = PARK_READY;
            g_park_zone = ZONE_NONE;
            buzzer(0U);
        } else {
            g_park_state = (g_switches.sig.flash != 0U) ? PARK_MUTED : PARK_ACTIVE;
            assist();
        }
        break;
    case PARK_FAILED:
        if (g_vehicle.ignition == IGN_OFF) {
            g_park_state = PARK_OFF;
        }
        status = ST_PENDING;
        break;
    default:
        g_park_state = PARK_OFF;
        status = ST_RANGE;
        break;
    }
    return status;
}
