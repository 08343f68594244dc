// SPDX-License-Identifier: Apache-2.0
// Rolling codes of the remote control. A code must be new but not too far ahead; a key
// that was pressed in a pocket too often resynchronises with two codes in a row.
#include <string.h>

#include "calib.h"
#include "fault.h"
#include "smk.h"

#define RESYNC_WINDOW 4096U

key_slot_t g_keys[KEY_SLOTS];

static bool mac_matches(const key_slot_t *key, const can_key_t *msg)
{
    uint32_t message = ((uint32_t)msg->sig.counter << 8U) | ((uint32_t)msg->sig.button << 3U) |
                       (uint32_t)msg->sig.slot;

    return smk_mac16(key->secret, message) == (uint16_t)msg->sig.mac;
}

static status_t check_counter(key_slot_t *key, uint16_t counter)
{
    uint16_t ahead = (uint16_t)(counter - key->counter);

    if (ahead == 0U) {
        return ST_PENDING; // the same telegram once more
    }
    if (ahead <= g_calib.key.counter_window) {
        key->counter = counter;
        key->resyncing = false;
        return ST_OK;
    }
    if (ahead > RESYNC_WINDOW) {
        key->resyncing = false;
        return ST_DENIED; // old, so a replay
    }
    if (key->resyncing && (counter == (uint16_t)(key->resync + 1U))) {
        key->counter = counter;
        key->resyncing = false;
        return ST_OK;
    }
    key->resync = counter;
    key->resyncing = true;
    return ST_CHECK;
}

status_t smk_remote(const can_frame_t *frame, key_button_t *button)
{
    can_key_t msg;
    key_slot_t *key;
    status_t status;

    if ((frame == NULL) || (button == NULL)) {
        return ST_NULL;
    }
    if ((frame->id != CAN_ID_KEY) || (frame->dlc < 6U)) {
        return ST_RANGE;
    }
    (void)memcpy(msg.raw, frame->data, CAN_DATA_LEN);
    if (msg.sig.slot >= KEY_SLOTS) {
        return ST_RANGE;
    }
    key = &g_keys[msg.sig.slot];
    if (!key->learned || (msg.sig.learn != 0U)) {
        return ST_DENIED;
    }
    if (!mac_matches(key, &msg)) {
        return ST_DENIED;
    }
    status = check_counter(key, (uint16_t)msg.sig.counter);
    if (status != ST_OK) {
        return status;
    }
    if (msg.sig.low_battery != 0U) {
        (void)fault_set(FAULT_KEY_BATTERY, FAULT_INFO);
    }
    *button =
        (msg.sig.button <= (uint32_t)KEY_BTN_PANIC) ? (key_button_t)msg.sig.button : KEY_BTN_NONE;
    return ST_OK;
}
