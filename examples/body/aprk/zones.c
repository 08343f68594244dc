// SPDX-License-Identifier: Apache-2.0
// Zones: a distance becomes a zone through a calibrated table, the worst sensor decides,
// and the driver hears of a better zone only after it has lasted.
#include "aprk.h"
#include "calib.h"

#define CORNER_FACTOR  0.8f
#define BETTER_SAMPLES 3U

park_zone_t park_zone_of(float metre, bool corner)
{
    static const float parts[] = {0.0f, 0.33f, 0.67f};
    float scaled = corner ? (metre * CORNER_FACTOR) : metre;
    float span = g_calib.park.far_m - g_calib.park.near_m;
    uint8_t i;

    if ((metre < 0.0f) || (scaled > g_calib.park.far_m)) {
        return ZONE_NONE;
    }
    for (i = 0U; i < ARRAY_LEN(parts); i++) {
        if (scaled <= (g_calib.park.near_m + (parts[i] * span))) {
            return (park_zone_t)((uint8_t)ZONE_STOP - i);
        }
    }
    return ZONE_FAR;
}

park_zone_t park_worst(const park_sensor_t *sensors, size_t count, size_t *which)
{
    park_zone_t worst = ZONE_NONE;
    size_t i;

    if (sensors == NULL) {
        return ZONE_NONE;
    }
    for (i = 0U; i < count; i++) {
        // The first and the last sensor of the bumper look around the corners.
        bool corner = (i == 0U) || ((i + 1U) == count);
        park_zone_t zone;

        if (sensors[i].failed) {
            continue;
        }
        zone = park_zone_of(sensors[i].metre, corner);
        if (zone > worst) {
            worst = zone;
            if (which != NULL) {
                *which = i;
            }
        }
    }
    return worst;
}

park_zone_t park_smooth(park_zone_t raw)
{
    static park_zone_t shown = ZONE_NONE;
    static uint8_t better;

    if (raw >= shown) {
        shown = raw;
        better = 0U;
    } else {
        better++;
        if (better >= BETTER_SAMPLES) {
            shown = raw;
            better = 0U;
        }
    }
    return shown;
}
