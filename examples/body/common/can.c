// SPDX-License-Identifier: Apache-2.0
// Protection of CAN messages (checksum, alive counter, timeout), the transmit queue and
// the gateway's byte stream. Knows nothing about the meaning of any signal.
#include <string.h>

#include "can.h"
#include "fault.h"

#define CRC_POLY  0x1DU // SAE J1850
#define CRC_START 0xFFU
#define BAD_LIMIT 3U
#define TX_SLOTS  8U

static can_frame_t tx_ring[TX_SLOTS];
static uint8_t tx_head;
static uint8_t tx_count;
static bool tx_open;

static uint8_t crc8_byte(uint8_t crc, uint8_t byte)
{
    uint8_t bit;

    crc ^= byte;
    for (bit = 0U; bit < 8U; bit++) {
        if ((crc & 0x80U) != 0U) {
            crc = (uint8_t)((uint8_t)(crc << 1U) ^ CRC_POLY);
        } else {
            crc = (uint8_t)(crc << 1U);
        }
    }
    return crc;
}

uint8_t can_checksum(uint16_t id, const uint8_t *data, uint8_t len)
{
    uint8_t crc = CRC_START;
    uint8_t i;

    if ((data == NULL) || (len > CAN_DATA_LEN)) {
        return 0U;
    }
    // The identifier goes first, so that a message under a wrong id does not check.
    crc = crc8_byte(crc, (uint8_t)(id >> 8U));
    crc = crc8_byte(crc, (uint8_t)(id & 0xFFU));
    for (i = 0U; i < len; i++) {
        crc = crc8_byte(crc, data[i]);
    }
    return (uint8_t)(crc ^ CRC_START);
}

status_t can_protect(can_frame_t *frame, uint8_t *alive)
{
    can_protected_t view;

    if ((frame == NULL) || (alive == NULL)) {
        return ST_NULL;
    }
    if (frame->dlc != CAN_DATA_LEN) {
        return ST_RANGE;
    }
    (void)memcpy(view.raw, frame->data, CAN_DATA_LEN);
    *alive = (*alive >= CAN_ALIVE_MAX) ? 0U : (uint8_t)(*alive + 1U);
    view.e2e.alive = *alive & 0xFU;
    view.e2e.checksum = can_checksum(frame->id, view.raw, CAN_DATA_LEN - 1U);
    (void)memcpy(frame->data, view.raw, CAN_DATA_LEN);
    return ST_OK;
}

static bool alive_plausible(const can_monitor_t *monitor, uint8_t alive)
{
    uint8_t step = (uint8_t)((alive - monitor->last_alive) & 0xFU);

    // One lost frame is tolerated; standing still means a hung sender.
    return (step == 1U) || (step == 2U);
}

static status_t reject(can_monitor_t *monitor, status_t why)
{
    monitor->bad_in_row = sat_inc_u8(monitor->bad_in_row);
    if (monitor->bad_in_row == BAD_LIMIT) {
        (void)fault_set(FAULT_CAN_BASE + monitor->id, FAULT_COMFORT);
    }
    return why;
}

status_t can_accept(can_monitor_t *monitor, const can_frame_t *frame)
{
    can_protected_t view;
    uint16_t id;

    if ((monitor == NULL) || (frame == NULL)) {
        return ST_NULL;
    }
    id = frame->id & CAN_ID_MASK;
    // Infeasible by construction (README, I1): the mask above leaves 11 bits.
    if (id > CAN_ID_MASK) {
        return ST_RANGE;
    }
    if (id != monitor->id) {
        return ST_DENIED;
    }
    if (frame->dlc != CAN_DATA_LEN) {
        return reject(monitor, ST_RANGE);
    }
    (void)memcpy(view.raw, frame->data, CAN_DATA_LEN);
    if (view.e2e.checksum != can_checksum(id, view.raw, CAN_DATA_LEN - 1U)) {
        return reject(monitor, ST_CHECK);
    }
    if (monitor->seen && !alive_plausible(monitor, view.e2e.alive)) {
        monitor->last_alive = view.e2e.alive;
        return reject(monitor, ST_CHECK);
    }
    monitor->last_alive = view.e2e.alive;
    monitor->seen = true;
    monitor->lost = false;
    monitor->age_ms = 0U;
    monitor->bad_in_row = 0U;
    return ST_OK;
}

void can_monitor_tick(can_monitor_t *monitor, uint16_t elapsed_ms)
{
    if (monitor == NULL) {
        return;
    }
    monitor->age_ms = sat_add_u16(monitor->age_ms, elapsed_ms);
    if ((monitor->timeout_ms != 0U) && (monitor->age_ms > monitor->timeout_ms) && !monitor->lost) {
        monitor->lost = true;
        monitor->seen = false;
        (void)fault_set(FAULT_TIMEOUT_BASE + monitor->id, FAULT_SAFETY);
    }
}

void can_tx_open(void)
{
    tx_head = 0U;
    tx_count = 0U;
    tx_open = true;
}

status_t can_tx_push(const can_frame_t *frame)
{
    uint8_t slot;

    if (!tx_open) {
        return ST_DENIED;
    }
    if (frame == NULL) {
        return ST_NULL;
    }
    if (tx_count >= TX_SLOTS) {
        (void)fault_set(FAULT_TX_FULL, FAULT_COMFORT);
        return ST_FULL;
    }
    slot = (uint8_t)((tx_head + tx_count) % TX_SLOTS);
    tx_ring[slot] = *frame;
    tx_count++;
    return ST_OK;
}

status_t can_tx_pop(can_frame_t *frame)
{
    if (!tx_open) {
        return ST_DENIED;
    }
    if (frame == NULL) {
        return ST_NULL;
    }
    if (tx_count == 0U) {
        return ST_PENDING;
    }
    *frame = tx_ring[tx_head % TX_SLOTS];
    tx_head = (uint8_t)((tx_head + 1U) % TX_SLOTS);
    tx_count--;
    return ST_OK;
}

// One frame of the stream; returns the bytes it takes, 0 when it is cut short or wrong.
static size_t unpack_one(const uint8_t *bytes, size_t len, can_frame_t *frame)
{
    uint8_t dlc;

    if (len < 3U) {
        return 0U;
    }
    dlc = bytes[2];
    if ((dlc > CAN_DATA_LEN) || ((size_t)dlc + 3U > len)) {
        return 0U;
    }
    frame->id = (uint16_t)(((uint16_t)bytes[0] << 8U) | bytes[1]);
    frame->dlc = dlc;
    (void)memset(frame->data, 0, CAN_DATA_LEN);
    (void)memcpy(frame->data, &bytes[3], dlc);
    return (size_t)dlc + 3U;
}

uint8_t can_unpack_stream(const uint8_t *bytes, size_t len, can_frame_t *frames, uint8_t max)
{
    size_t at = 0U;
    uint8_t count = 0U;

    if ((bytes == NULL) || (frames == NULL)) {
        return 0U;
    }
    while ((at < len) && (count < max)) {
        size_t used = unpack_one(&bytes[at], len - at, &frames[count]);

        if (used == 0U) {
            break;
        }
        // Identifiers beyond 11 bits belong to the gateway's own traffic.
        if (frames[count].id <= CAN_ID_MASK) {
            count++;
        }
        at += used;
    }
    return count;
}
