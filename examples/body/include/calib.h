// SPDX-License-Identifier: Apache-2.0
// Calibrations: the factory values are constant, the working copy can be tuned through
// the diagnostic services and is checked as a whole before it is used.
#ifndef BODY_CALIB_H
#define BODY_CALIB_H

#include "types.h"

#define CALIB_CURVE_POINTS 5U

typedef struct {
    uint8_t count;
    float x[CALIB_CURVE_POINTS];
    float y[CALIB_CURVE_POINTS];
} calib_curve_t;

typedef struct {
    float low_kpa;
    float high_kpa;
    float hysteresis_kpa;
    float reference_k; // temperature at which the nominal pressure holds
    float filter_gain;
    float fast_loss_kpa_s;
} calib_tyre_t;

typedef struct {
    float sound_m_s;
    float sound_per_k;
    float near_m;
    float far_m;
    float filter_gain;
} calib_park_t;

typedef struct {
    uint16_t dark_counts;
    uint16_t bright_counts;
    uint16_t lamp_open_counts;
    float pinch_ampere;
    float pinch_slope;
    calib_curve_t wiper_interval; // rain counts to seconds
} calib_body_t;

typedef struct {
    float inside_dbm;
    float outside_dbm;
    uint8_t max_tries;
    uint16_t counter_window;
} calib_key_t;

typedef struct {
    calib_tyre_t tyre;
    calib_park_t park;
    calib_body_t body;
    calib_key_t key;
} calib_t;

extern const calib_t calib_factory;
extern calib_t g_calib;

void calib_reset(void);
status_t calib_check(const calib_t *calib);

// Linear interpolation, constant beyond the ends; ST_RANGE for a curve that is not one.
status_t calib_lookup(const calib_curve_t *curve, float x, float *y);

// Writes one numbered tunable; the change is undone when the whole does not check.
status_t calib_tune(uint8_t item, float value);

#endif
