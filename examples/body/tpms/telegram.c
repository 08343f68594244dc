// SPDX-License-Identifier: Apache-2.0
// Telegrams of the wheel sensors: unpacking, plausibility, and the gas law that brings a
// pressure to its reference temperature.
#include <string.h>

#include "calib.h"
#include "tpms.h"
#include "vehicle.h"

#define KPA_PER_BIT    0.5f
#define KELVIN_OFFSET  223.0f
#define KIND_PRESSURE  1U
#define KIND_SELF_TEST 2U
#define BAR_KPA        101.3f
#define MOVING_SPEED   200U

static uint8_t sum_bytes(const uint8_t *bytes, uint8_t len)
{
    uint8_t sum = 0U;
    uint8_t i;

    for (i = 0U; i < len; i++) {
        sum = (uint8_t)(sum + bytes[i]);
    }
    return sum;
}

status_t tpms_decode(const can_frame_t *frame, tpms_telegram_t *telegram)
{
    can_tyre_t msg;

    if ((frame == NULL) || (telegram == NULL)) {
        return ST_NULL;
    }
    if ((frame->id != CAN_ID_TYRE) || (frame->dlc != CAN_DATA_LEN)) {
        return ST_RANGE;
    }
    (void)memcpy(msg.raw, frame->data, CAN_DATA_LEN);
    if (msg.sig.checksum != sum_bytes(msg.raw, CAN_DATA_LEN - 1U)) {
        return ST_CHECK;
    }
    switch (msg.sig.kind) {
    case KIND_PRESSURE:
        break;
    case KIND_SELF_TEST:
        return ST_PENDING;
    default:
        return ST_DENIED;
    }
    // All ones and all zeros are what a dead transmitter sends.
    if ((msg.sig.id == 0U) || (msg.sig.id == 0xFFFFFFFU) || (msg.sig.pressure == 0x3FFU) ||
        (msg.sig.temperature == 0xFFU)) {
        return ST_RANGE;
    }
    telegram->id = msg.sig.id;
    telegram->kpa = (float)msg.sig.pressure * KPA_PER_BIT;
    telegram->kelvin = (float)msg.sig.temperature + KELVIN_OFFSET;
    telegram->motion = (uint8_t)msg.sig.motion;
    telegram->alarm = msg.sig.alarm != 0U;
    telegram->low_battery = msg.sig.low_battery != 0U;
    return ST_OK;
}

float tpms_compensate(float kpa, float kelvin)
{
    float absolute;
    float result;

    // Outside of what a tyre survives the reading is shown as it is.
    if (!(kelvin > 220.0f) || !(kelvin < 480.0f)) {
        return kpa;
    }
    absolute = kpa + BAR_KPA;
    result = (absolute * (g_calib.tyre.reference_k / kelvin)) - BAR_KPA;
    if (result < 0.0f) {
        result = 0.0f;
    }
    return result;
}

static tpms_wheel_t *find_wheel(uint32_t id)
{
    uint8_t i;

    for (i = 0U; i < (uint8_t)WHEEL_COUNT; i++) {
        if (g_tyres[i].id == id) {
            return &g_tyres[i];
        }
    }
    return NULL;
}

status_t tpms_receive(const can_frame_t *frame)
{
    tpms_telegram_t telegram;
    tpms_wheel_t *wheel;
    tpms_filter_t filter;
    status_t status = tpms_decode(frame, &telegram);

    if (status != ST_OK) {
        return status;
    }
    wheel = find_wheel(telegram.id);
    if (wheel == NULL) {
        // Strangers are learned only where the road is theirs alone.
        if (vehicle_drive_consistent() && (telegram.motion == 3U)) {
            return tpms_learn(telegram.id, telegram.motion, WHEEL_COUNT);
        }
        return ST_DENIED;
    }
    telegram.kpa = tpms_compensate(telegram.kpa, telegram.kelvin);
    filter = tpms_filter_for(g_vehicle.speed > MOVING_SPEED, telegram.alarm);
    wheel->age_s = 0U;
    wheel->low_battery = telegram.low_battery;
    return tpms_filter_wheel(wheel, &telegram, filter);
}
