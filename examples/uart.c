/* A serial port as drivers of microcontrollers have it: registers at a fixed address,
   a poll loop, a register of bit-fields, and interrupts switched off by an instruction. */
#include <stdint.h>

struct uart {
    volatile uint32_t status;
    volatile uint32_t data;
    union {
        volatile uint32_t raw;
        struct {
            volatile uint32_t divider : 24;
            volatile uint32_t parity : 2;
            volatile uint32_t enabled : 1;
        } bits;
    } control;
};

#define UART ((struct uart *)0x40011000)
#define CLOCK_READY (*(volatile uint32_t *)0x40021000)

#define STATUS_RECEIVED 0x01u
#define STATUS_OVERRUN 0x08u

enum result { RECEIVED, OVERRUN, SWITCHED_OFF, TOO_SLOW };

enum result receive(uint8_t *to)
{
    if (!UART->control.bits.enabled || CLOCK_READY != 0x3u)
        return SWITCHED_OFF;
    if (UART->control.bits.divider > 0xfffff0u)
        return TOO_SLOW;
    while (!(UART->status & STATUS_RECEIVED)) {
    }
    asm("cpsid i");
    enum result result = UART->status & STATUS_OVERRUN ? OVERRUN : RECEIVED;
    *to = (uint8_t)UART->data;
    asm("cpsie i");
    return result;
}
