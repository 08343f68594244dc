/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for avr-libc's <avr/interrupt.h>: ISR(TIMER0_OVF_vect) defines a function of
   the vector's name. */
#ifndef CZ_AVR_INTERRUPT_H
#define CZ_AVR_INTERRUPT_H
#include <avr/io.h>
#define ISR(vector, ...) void vector(void) __attribute__((signal)); void vector(void)
#define SIGNAL(vector) ISR(vector)
#define EMPTY_INTERRUPT(vector) ISR(vector) { }
#define ISR_BLOCK
#define ISR_NOBLOCK
#define ISR_NAKED
#define sei() __asm__ volatile("sei" ::: "memory")
#define cli() __asm__ volatile("cli" ::: "memory")
#define reti() return
#endif
