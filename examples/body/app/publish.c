// SPDX-License-Identifier: Apache-2.0
// The two messages the unit sends: its state and its warnings, packed through the
// bit-field views. The state goes out when something changed, at the latest every tenth
// cycle.
#include <string.h>

#include "aprk.h"
#include "bcm.h"
#include "body.h"
#include "fault.h"
#include "smk.h"
#include "tpms.h"

#define QUIET_CYCLES 10U

static uint8_t status_alive;
static uint8_t warnings_alive;

static uint8_t percent(uint8_t value)
{
    return (value > 100U) ? 100U : value;
}

static void pack_status(can_body_status_t *msg)
{
    uint8_t i;

    (void)memset(msg, 0, sizeof *msg);
    msg->sig.low_beam = g_lights.is.low;
    msg->sig.high_beam = g_lights.is.high;
    msg->sig.indicator = (uint8_t)g_indicator & 3U;
    msg->sig.locked = (uint8_t)g_lock & 3U;
    // The message has two bits for five states: a stalled wiper shows as returning.
    msg->sig.wiper = (g_wiper == WIPER_STALLED) ? (uint8_t)WIPER_RETURNING : (uint8_t)g_wiper & 3U;
    msg->sig.doors = g_doors_open & 0x3FU;
    msg->sig.start_allowed = smk_start_allowed() ? 1U : 0U;
    msg->sig.key_inside = (g_key_zone == KEY_INSIDE) ? 1U : 0U;
    for (i = 0U; i < ARRAY_LEN(msg->sig.window); i++) {
        msg->sig.window[i] = percent(g_windows[i].position);
    }
}

static void pack_warnings(can_warnings_t *msg)
{
    uint8_t count = fault_count();

    (void)memset(msg, 0, sizeof *msg);
    msg->sig.tyre_low = tpms_warning_mask(TYRE_LOW) & 0xFU;
    msg->sig.tyre_fast_loss = tpms_warning_mask(TYRE_FAST_LOSS) & 0xFU;
    msg->sig.park_zone = (uint8_t)g_park_zone & 7U;
    msg->sig.lamp_fault = (uint8_t)(g_lights.byte >> 4U) & 3U;
    msg->sig.fault_lamp = (uint8_t)fault_lamp(fault_list()) & 3U;
    msg->sig.fault_count = (count > 63U) ? 63U : count & 63U;
    // Two tyres on one side tell the driver more than one: the park tone stands in.
    if (((msg->sig.tyre_low & 5U) == 5U) || ((msg->sig.tyre_low & 10U) == 10U)) {
        msg->sig.park_tone = 7U;
    }
}

static status_t send(uint16_t id, const uint8_t raw[CAN_DATA_LEN], uint8_t *alive)
{
    can_frame_t frame;
    status_t status;

    frame.id = id;
    frame.dlc = CAN_DATA_LEN;
    (void)memcpy(frame.data, raw, CAN_DATA_LEN);
    status = can_protect(&frame, alive);
    return (status == ST_OK) ? can_tx_push(&frame) : status;
}

uint8_t body_wake_reason(const can_body_status_t *before, const can_body_status_t *now)
{
    uint8_t reason = 0U;

    if ((before == NULL) || (now == NULL)) {
        return 0xFFU;
    }
    if ((now->sig.doors & (uint8_t)~before->sig.doors) != 0U) {
        reason |= 1U; // a door that was closed is open
    }
    if ((before->sig.locked == (uint8_t)LOCK_DOUBLE) && (now->sig.locked != before->sig.locked)) {
        reason |= 2U;
    }
    if ((before->sig.key_inside == 0U) && (now->sig.key_inside == 1U)) {
        reason |= 4U;
    }
    if ((now->sig.indicator == (uint8_t)IND_HAZARD) &&
        (before->sig.indicator != (uint8_t)IND_HAZARD)) {
        reason |= 8U;
    }
    // With the whole first byte at ones the sender was resetting.
    if ((now->raw[0] == 0xFFU) && (before->raw[0] != 0xFFU)) {
        reason = 0x80U;
    }
    return reason;
}

status_t body_publish(void)
{
    static can_body_status_t last;
    static uint8_t quiet;
    can_body_status_t now;
    can_warnings_t warnings;
    status_t status = ST_OK;

    pack_status(&now);
    if ((body_wake_reason(&last, &now) != 0U) || (quiet >= QUIET_CYCLES)) {
        status = send(CAN_ID_BODY_STATUS, now.raw, &status_alive);
        quiet = 0U;
    } else {
        quiet++;
    }
    last = now;
    if (status == ST_OK) {
        pack_warnings(&warnings);
        status = send(CAN_ID_WARNINGS, warnings.raw, &warnings_alive);
    }
    // A full queue is the bus's trouble, not this task's.
    return (status == ST_FULL) ? ST_PENDING : status;
}
