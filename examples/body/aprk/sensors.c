// SPDX-License-Identifier: Apache-2.0
// Distances from echo times: the speed of sound depends on the air, single echoes lie,
// and a sensor that stays silent for too long is dirty or dead.
#include <math.h>

#include "aprk.h"
#include "calib.h"
#include "fault.h"
#include "hal.h"

#define TICK_S        0.00001f
#define NO_ECHO       0xFFFFU
#define BLIND_LIMIT   4U
#define RINGING_TICKS 60U

park_sensor_t g_park[PARK_SENSORS];

float park_sound_speed(float celsius)
{
    float clamped = celsius;

    if (!(celsius >= -40.0f)) {
        clamped = -40.0f;
    } else if (celsius > 85.0f) {
        clamped = 85.0f;
    } else {
        // As measured.
    }
    return g_calib.park.sound_m_s + (g_calib.park.sound_per_k * clamped);
}

void park_forget(void)
{
    uint8_t i;

    for (i = 0U; i < PARK_SENSORS; i++) {
        g_park[i].metre = -1.0f;
        g_park[i].blind = 0U;
        g_park[i].failed = false;
    }
}

static void note_blind(uint8_t sensor)
{
    park_sensor_t *park = &g_park[sensor];

    park->blind = sat_inc_u8(park->blind);
    if ((park->blind >= BLIND_LIMIT) && !park->failed) {
        park->failed = true;
        (void)fault_set(FAULT_PARK_BASE + sensor, FAULT_COMFORT);
    }
}

static void filter_distance(park_sensor_t *park, float metre)
{
    float step;

    if (park->metre < 0.0f) {
        park->metre = metre;
        return;
    }
    step = metre - park->metre;
    // Coming closer is believed at once, going away only slowly.
    if (step < -0.5f) {
        park->metre = metre;
    } else if (fabsf(step) > 0.01f) {
        park->metre += g_calib.park.filter_gain * step;
    } else {
        // Below the resolution nothing moved.
    }
}

status_t park_measure(uint8_t sensor, float celsius)
{
    uint16_t ticks = 0U;
    status_t status;

    if (sensor >= PARK_SENSORS) {
        return ST_RANGE;
    }
    status = hal_echo_read(sensor, &ticks);
    if (status != ST_OK) {
        note_blind(sensor);
        return status;
    }
    if (ticks == NO_ECHO) {
        g_park[sensor].metre = -1.0f;
        g_park[sensor].blind = 0U;
        return ST_OK;
    }
    if (ticks < RINGING_TICKS) {
        // The membrane still rings: an obstacle touches it, or the sensor is iced over.
        note_blind(sensor);
        return ST_PENDING;
    }
    g_park[sensor].blind = 0U;
    g_park[sensor].failed = false;
    filter_distance(&g_park[sensor], 0.5f * (float)ticks * TICK_S * park_sound_speed(celsius));
    return ST_OK;
}
