// SPDX-License-Identifier: Apache-2.0
// Calibration data, its plausibility check and curve interpolation.
#include "calib.h"
#include "fault.h"

const calib_t calib_factory = {
    .tyre = {.low_kpa = 180.0f,
             .high_kpa = 320.0f,
             .hysteresis_kpa = 10.0f,
             .reference_k = 293.0f,
             .filter_gain = 0.25f,
             .fast_loss_kpa_s = 4.0f},
    .park = {.sound_m_s = 331.3f,
             .sound_per_k = 0.606f,
             .near_m = 0.3f,
             .far_m = 1.5f,
             .filter_gain = 0.4f},
    .body = {.dark_counts = 900U,
             .bright_counts = 1400U,
             .lamp_open_counts = 120U,
             .pinch_ampere = 9.0f,
             .pinch_slope = 1.5f,
             .wiper_interval = {.count = 4U,
                                .x = {200.0f, 800.0f, 1800.0f, 3000.0f, 0.0f},
                                .y = {12.0f, 6.0f, 3.0f, 1.0f, 0.0f}}},
    .key = {.inside_dbm = -55.0f, .outside_dbm = -80.0f, .max_tries = 3U, .counter_window = 16U},
};

calib_t g_calib;

void calib_reset(void)
{
    g_calib = calib_factory;
}

static bool curve_plausible(const calib_curve_t *curve)
{
    uint8_t i;

    if ((curve->count < 2U) || (curve->count > CALIB_CURVE_POINTS)) {
        return false;
    }
    for (i = 1U; i < curve->count; i++) {
        // Written so that a NaN fails as well.
        if (!(curve->x[i] > curve->x[i - 1U])) {
            return false;
        }
    }
    return true;
}

status_t calib_check(const calib_t *calib)
{
    const calib_tyre_t *tyre;
    const calib_park_t *park;

    if (calib == NULL) {
        return ST_NULL;
    }
    tyre = &calib->tyre;
    park = &calib->park;
    if (!((tyre->low_kpa >= 100.0f) && (tyre->low_kpa < tyre->high_kpa) &&
          (tyre->high_kpa <= 500.0f) && (tyre->hysteresis_kpa > 0.0f) &&
          (tyre->hysteresis_kpa < (tyre->high_kpa - tyre->low_kpa)) &&
          (tyre->reference_k > 250.0f) && (tyre->reference_k < 330.0f) &&
          (tyre->filter_gain > 0.0f) && (tyre->filter_gain <= 1.0f) &&
          (tyre->fast_loss_kpa_s > 0.0f))) {
        return ST_RANGE;
    }
    if (!((park->sound_m_s > 300.0f) && (park->sound_m_s < 400.0f) && (park->sound_per_k >= 0.0f) &&
          (park->sound_per_k < 2.0f) && (park->near_m > 0.0f) && (park->near_m < park->far_m) &&
          (park->far_m < 5.0f) && (park->filter_gain > 0.0f) && (park->filter_gain <= 1.0f))) {
        return ST_RANGE;
    }
    if (!curve_plausible(&calib->body.wiper_interval)) {
        return ST_CHECK;
    }
    if ((calib->body.dark_counts >= calib->body.bright_counts) ||
        !(calib->body.pinch_ampere > 1.0f) || !(calib->body.pinch_slope > 0.0f) ||
        !(calib->key.outside_dbm < calib->key.inside_dbm) || (calib->key.max_tries == 0U) ||
        (calib->key.counter_window == 0U) || (calib->key.counter_window > 256U)) {
        return ST_RANGE;
    }
    return ST_OK;
}

status_t calib_lookup(const calib_curve_t *curve, float x, float *y)
{
    uint8_t i = 1U;
    float part;

    if ((curve == NULL) || (y == NULL)) {
        return ST_NULL;
    }
    if (!curve_plausible(curve)) {
        return ST_RANGE;
    }
    if (x <= curve->x[0]) {
        *y = curve->y[0];
        return ST_OK;
    }
    while ((i < curve->count) && (x > curve->x[i])) {
        i++;
    }
    if (i == curve->count) {
        *y = curve->y[curve->count - 1U];
        return ST_OK;
    }
    part = (x - curve->x[i - 1U]) / (curve->x[i] - curve->x[i - 1U]);
    *y = curve->y[i - 1U] + (part * (curve->y[i] - curve->y[i - 1U]));
    return ST_OK;
}

static float *tunable(uint8_t item)
{
    float *const items[] = {
        &g_calib.tyre.low_kpa,      &g_calib.tyre.high_kpa,    &g_calib.tyre.filter_gain,
        &g_calib.park.near_m,       &g_calib.park.far_m,       &g_calib.park.filter_gain,
        &g_calib.body.pinch_ampere, &g_calib.body.pinch_slope,
    };

    return (item < ARRAY_LEN(items)) ? items[item] : NULL;
}

status_t calib_tune(uint8_t item, float value)
{
    float *target = tunable(item);
    float before;
    status_t status;

    if (target == NULL) {
        return ST_RANGE;
    }
    before = *target;
    *target = value;
    status = calib_check(&g_calib);
    if (status != ST_OK) {
        *target = before;
        (void)fault_set(FAULT_CALIB, FAULT_INFO);
    }
    return status;
}
