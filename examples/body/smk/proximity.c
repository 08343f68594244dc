// SPDX-License-Identifier: Apache-2.0
// Where the key is, from the field strength at three antennas (left door, right door,
// cabin). A change of zone must be seen three times before it counts.
#include <math.h>

#include "calib.h"
#include "hal.h"
#include "smk.h"
#include "vehicle.h"

#define ANTENNAS     3U
#define CABIN        2U
#define ZONE_SAMPLES 3U

key_zone_t g_key_zone;

static key_zone_t classify(const float dbm[ANTENNAS])
{
    float door = (dbm[0] > dbm[1]) ? dbm[0] : dbm[1];

    // The cabin antenna must win by a margin: through the open window it hears both.
    if ((dbm[CABIN] > g_calib.key.inside_dbm) && (dbm[CABIN] > (door + 3.0f))) {
        return KEY_INSIDE;
    }
    if (door > g_calib.key.outside_dbm) {
        return KEY_OUTSIDE;
    }
    return KEY_NOWHERE;
}

status_t smk_locate(key_zone_t *zone)
{
    float dbm[ANTENNAS];
    uint8_t i;

    if (zone == NULL) {
        return ST_NULL;
    }
    for (i = 0U; i < ANTENNAS; i++) {
        status_t status = hal_key_rssi(i, &dbm[i]);

        if (status != ST_OK) {
            return status;
        }
        if (isnan(dbm[i]) || (dbm[i] > 0.0f)) {
            return ST_CHECK;
        }
    }
    *zone = classify(dbm);
    return ST_OK;
}

status_t smk_proximity_step(void)
{
    static key_zone_t candidate;
    static uint8_t samples;
    key_zone_t zone = KEY_NOWHERE;
    status_t status = smk_locate(&zone);

    if (status != ST_OK) {
        samples = 0U;
        return status;
    }
    if (zone == g_key_zone) {
        samples = 0U;
        return ST_OK;
    }
    if (zone != candidate) {
        candidate = zone;
        samples = 1U;
        return ST_PENDING;
    }
    samples++;
    // A key that leaves a running car is reported at once, the rest waits.
    if ((samples >= ZONE_SAMPLES) ||
        ((g_key_zone == KEY_INSIDE) && (g_vehicle.ignition == IGN_ON) && (g_vehicle.speed == 0U))) {
        g_key_zone = zone;
        samples = 0U;
        return ST_OK;
    }
    return ST_PENDING;
}
