// SPDX-License-Identifier: Apache-2.0
// Tyre pressure monitoring: telegrams of the wheel sensors, compensation and filtering,
// warnings, and learning which sensor sits on which wheel.
#ifndef BODY_TPMS_H
#define BODY_TPMS_H

#include "can.h"
#include "types.h"

typedef enum { TYRE_UNKNOWN = 0, TYRE_OK, TYRE_LOW, TYRE_FAST_LOSS, TYRE_HIGH } tyre_state_t;

typedef struct {
    uint32_t id; // 0: no sensor learned
    float kpa;   // compensated and filtered
    float kelvin;
    uint16_t age_s;
    tyre_state_t state;
    uint8_t confirm;
    bool low_battery;
} tpms_wheel_t;

typedef struct {
    uint32_t id;
    float kpa;
    float kelvin;
    uint8_t motion;
    bool alarm;
    bool low_battery;
} tpms_telegram_t;

// A sensor heard but not yet placed.
typedef struct tpms_candidate {
    uint32_t id;
    uint8_t heard;
    uint8_t motion;
    struct tpms_candidate *next;
} tpms_candidate_t;

typedef float (*tpms_filter_t)(float old, float raw, float gain);

extern float g_tyre_kpa[WHEEL_COUNT]; // what other modules read
extern tpms_wheel_t g_tyres[WHEEL_COUNT];

// Telegrams.
status_t tpms_decode(const can_frame_t *frame, tpms_telegram_t *telegram);
float tpms_compensate(float kpa, float kelvin);
status_t tpms_receive(const can_frame_t *frame);

// Filters.
float tpms_filter_slow(float old, float raw, float gain);
float tpms_filter_fast(float old, float raw, float gain);
float tpms_filter_hold(float old, float raw, float gain);
tpms_filter_t tpms_filter_for(bool moving, bool alarm);
status_t tpms_filter_wheel(tpms_wheel_t *wheel, const tpms_telegram_t *telegram,
                           tpms_filter_t filter);

// Warnings.
tyre_state_t tpms_judge(tpms_wheel_t *wheel, float loss_kpa_s);
status_t tpms_step(void);
uint8_t tpms_warning_mask(tyre_state_t state);
bool tpms_axle_uneven(const tpms_wheel_t *left, const tpms_wheel_t *right);

// Learning.
const tpms_candidate_t *tpms_best_candidate(const tpms_candidate_t *list);
status_t tpms_learn(uint32_t id, uint8_t motion, wheel_t wheel);
status_t tpms_swap(tpms_wheel_t *a, tpms_wheel_t *b);
status_t tpms_rotate(const uint8_t order[WHEEL_COUNT]);

#endif
