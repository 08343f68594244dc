// SPDX-License-Identifier: Apache-2.0
// The LIN channel: bytes arrive by interrupt and are put together to frames there; the
// rest of the unit takes whole frames out, with interrupts locked for as long as the copy
// takes. A break always starts a new frame, whatever came before.
#include "lin.h"

#include <string.h>

#define LIN_SYNC         0x55U
#define LIN_CLOCK_POLLS  5U
#define LIN_DIVIDER_LEAST 16U
#define LIN_DIVIDER_MOST  0xFFFFFFU

typedef enum { RX_IDLE = 0, RX_SYNC, RX_ID, RX_DATA, RX_SUM } rx_state_t;

static rx_state_t rx_state;
static lin_frame_t rx_frame;
static uint8_t rx_count;
static volatile bool rx_full;
static uint16_t rx_errors;

status_t lin_open(uint32_t divider)
{
    uint32_t polls = 0U;

    if ((divider < LIN_DIVIDER_LEAST) || (divider > LIN_DIVIDER_MOST)) {
        return ST_RANGE;
    }
    while ((LIN1->status & LIN_ST_CLOCK) == 0U) {
        polls++;
        if (polls > LIN_CLOCK_POLLS) {
            return ST_TIMEOUT;
        }
    }
    LIN1->control.bits.divider = divider;
    LIN1->control.bits.rx_interrupt = 1U;
    LIN1->control.bits.enable = 1U;
    // The divider is latched by the clock of the channel: what reads back is what counts.
    return (LIN1->control.bits.divider == divider) ? ST_OK : ST_CHECK;
}

// Sending waits without a limit: the shift register is empty after eleven bits for certain.
status_t lin_send(uint8_t byte)
{
    if (LIN1->control.bits.enable == 0U) {
        return ST_DENIED;
    }
    while ((LIN1->status & LIN_ST_TX_DONE) == 0U) {
    }
    LIN1->data = byte;
    return ST_OK;
}

// Two parity bits protect the identifier (LIN 2.2A, 2.3.1.3).
static bool id_is_good(uint8_t id)
{
    uint8_t p0 = (uint8_t)((id ^ (id >> 1) ^ (id >> 2) ^ (id >> 4)) & 1U);
    uint8_t p1 = (uint8_t)(~((id >> 1) ^ (id >> 3) ^ (id >> 4) ^ (id >> 5)) & 1U);

    return (((id >> 6) & 1U) == p0) && ((id >> 7) == p1);
}

static uint8_t checksum(const lin_frame_t *frame)
{
    uint16_t sum = frame->id;
    uint8_t i;

    for (i = 0U; i < LIN_FRAME_LEN; i++) {
        sum = (uint16_t)(sum + frame->data[i]);
        if (sum > 0xFFU) {
            sum = (uint16_t)(sum - 0xFFU);
        }
    }
    return (uint8_t)~sum;
}

static void take_byte(uint8_t byte)
{
    switch (rx_state) {
    case RX_SYNC:
        rx_state = (byte == LIN_SYNC) ? RX_ID : RX_IDLE;
        break;
    case RX_ID:
        rx_frame.id = byte & 0x3FU;
        rx_count = 0U;
        rx_state = id_is_good(byte) ? RX_DATA : RX_IDLE;
        break;
    case RX_DATA:
        if (rx_count < LIN_FRAME_LEN) {
            rx_frame.data[rx_count] = byte;
            rx_count++;
        }
        if (rx_count >= LIN_FRAME_LEN) {
            rx_state = RX_SUM;
        }
        break;
    case RX_SUM:
        rx_full = byte == checksum(&rx_frame);
        rx_state = RX_IDLE;
        break;
    case RX_IDLE:
    default:
        rx_errors = sat_add_u16(rx_errors, 1U);
        break;
    }
}

LIN_ISR void LIN1_IRQHandler(void)
{
    uint32_t status = LIN1->status;

    if ((status & LIN_ST_FRAMING) != 0U) {
        rx_errors = sat_add_u16(rx_errors, 1U);
        rx_state = RX_IDLE;
    } else if ((status & LIN_ST_BREAK) != 0U) {
        rx_state = RX_SYNC;
    } else if ((status & LIN_ST_RX_DONE) != 0U) {
        take_byte((uint8_t)LIN1->data);
    } else {
        // Somebody else's interrupt on the shared line.
    }
}

status_t lin_read(lin_frame_t *frame)
{
    uint32_t lock;

    if (frame == NULL) {
        return ST_NULL;
    }
    if (!rx_full) {
        return ST_PENDING;
    }
    lock = cpu_lock();
    (void)memcpy(frame, &rx_frame, sizeof *frame);
    rx_full = false;
    cpu_unlock(lock);
    return ST_OK;
}
