// SPDX-License-Identifier: Apache-2.0
// Tyre warnings with hysteresis, loss of pressure over time, and lost sensors.
#include "calib.h"
#include "fault.h"
#include "tpms.h"
#include "vehicle.h"

#define LOST_S 600U
#define STEP_S 1U

float g_tyre_kpa[WHEEL_COUNT];
tpms_wheel_t g_tyres[WHEEL_COUNT];

static float previous_kpa[WHEEL_COUNT];

tyre_state_t tpms_judge(tpms_wheel_t *wheel, float loss_kpa_s)
{
    const calib_tyre_t *cal = &g_calib.tyre;

    if ((wheel == NULL) || (wheel->id == 0U)) {
        return TYRE_UNKNOWN;
    }
    if (loss_kpa_s > cal->fast_loss_kpa_s) {
        wheel->state = TYRE_FAST_LOSS;
        return wheel->state;
    }
    switch (wheel->state) {
    case TYRE_LOW:
        if (wheel->kpa > (cal->low_kpa + cal->hysteresis_kpa)) {
            wheel->state = TYRE_OK;
        }
        break;
    case TYRE_HIGH:
        if (wheel->kpa < (cal->high_kpa - cal->hysteresis_kpa)) {
            wheel->state = TYRE_OK;
        }
        break;
    case TYRE_FAST_LOSS:
        // Stays until the tyre was filled again above the middle of the range.
        if (wheel->kpa > (0.5f * (cal->low_kpa + cal->high_kpa))) {
            wheel->state = TYRE_OK;
        }
        break;
    case TYRE_UNKNOWN:
    case TYRE_OK:
    default:
        if (wheel->kpa < cal->low_kpa) {
            wheel->state = TYRE_LOW;
        } else if (wheel->kpa > cal->high_kpa) {
            wheel->state = TYRE_HIGH;
        } else {
            wheel->state = TYRE_OK;
        }
        break;
    }
    return wheel->state;
}

static bool sensor_lost(tpms_wheel_t *wheel)
{
    // Sensors sleep in a parked car: silence counts only on the road.
    if (g_vehicle.speed_valid && (g_vehicle.speed > 250U)) {
        wheel->age_s = sat_add_u16(wheel->age_s, STEP_S);
    }
    return wheel->age_s > LOST_S;
}

status_t tpms_step(void)
{
    uint8_t i;
    status_t status = ST_OK;

    for (i = 0U; i < (uint8_t)WHEEL_COUNT; i++) {
        tpms_wheel_t *wheel = &g_tyres[i];
        float loss = previous_kpa[i] - wheel->kpa;

        if (sensor_lost(wheel)) {
            wheel->state = TYRE_UNKNOWN;
            (void)fault_set(FAULT_TYRE_BASE + i, FAULT_COMFORT);
            status = ST_TIMEOUT;
        } else if (tpms_judge(wheel, loss) == TYRE_FAST_LOSS) {
            (void)fault_set(FAULT_TYRE_BASE + 8U + i, FAULT_SAFETY);
        } else {
            g_tyre_kpa[i] = wheel->kpa;
        }
        previous_kpa[i] = wheel->kpa;
    }
    return status;
}

uint8_t tpms_warning_mask(tyre_state_t state)
{
    uint8_t i;
    uint8_t mask = 0U;

    for (i = 0U; i < (uint8_t)WHEEL_COUNT; i++) {
        if (g_tyres[i].state == state) {
            mask |= (uint8_t)(1U << i);
        }
    }
    return mask;
}

bool tpms_axle_uneven(const tpms_wheel_t *left, const tpms_wheel_t *right)
{
    float difference;

    if ((left == NULL) || (right == NULL) || (left == right)) {
        return false;
    }
    difference = left->kpa - right->kpa;
    // A warm tyre on the sunny side is no reason to warn.
    return ((difference > 40.0f) && (left->kelvin < (right->kelvin + 15.0f))) ||
           ((difference < -40.0f) && (right->kelvin < (left->kelvin + 15.0f)));
}
