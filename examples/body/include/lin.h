// SPDX-License-Identifier: Apache-2.0
// The LIN master: a serial channel at a fixed address of the device, read by interrupt.
// The rain and light sensor sits on it. BODY_SIM builds for a host: the registers are a
// variable of the simulation, and the processor's own instructions do nothing.
#ifndef BODY_LIN_H
#define BODY_LIN_H

#include "types.h"

#define LIN_FRAME_LEN 4U

// Layout of the channel, in the order of the reference manual.
typedef struct {
    volatile uint32_t status;
    volatile uint32_t data;
    union {
        volatile uint32_t raw;
        struct {
            volatile uint32_t divider : 24;
            volatile uint32_t enable : 1;
            volatile uint32_t rx_interrupt : 1;
            volatile uint32_t reserved : 6;
        } bits;
    } control;
} lin_regs_t;

#define LIN_ST_CLOCK   0x01U
#define LIN_ST_TX_DONE 0x02U
#define LIN_ST_RX_DONE 0x04U
#define LIN_ST_BREAK   0x08U
#define LIN_ST_FRAMING 0x10U

#ifdef BODY_SIM
extern lin_regs_t lin_channel;
#define LIN1 (&lin_channel)
#define LIN_ISR
static inline uint32_t cpu_lock(void)
{
    return 0U;
}
static inline void cpu_unlock(uint32_t state)
{
    (void)state;
}
#else
#define LIN1    ((lin_regs_t *)0x40011000U)
#define LIN_ISR __attribute__((interrupt("IRQ")))
static inline uint32_t cpu_lock(void)
{
    uint32_t state;

    __asm volatile("mrs %0, primask\n\tcpsid i" : "=l"(state) : : "memory", "r12");
    return state;
}
static inline void cpu_unlock(uint32_t state)
{
    if (state == 0U) {
        __asm volatile("cpsie i" : : : "memory");
    }
}
#endif

typedef struct {
    uint8_t id;
    uint8_t data[LIN_FRAME_LEN];
} lin_frame_t;

// ST_TIMEOUT when the channel has no clock.
status_t lin_open(uint32_t divider);
status_t lin_send(uint8_t byte);

// The last complete frame; ST_PENDING when there is none since the last call.
status_t lin_read(lin_frame_t *frame);

void LIN1_IRQHandler(void);

#endif
