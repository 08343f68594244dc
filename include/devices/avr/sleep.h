/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for avr-libc's <avr/sleep.h>. */
#ifndef CZ_AVR_SLEEP_H
#define CZ_AVR_SLEEP_H
enum { SLEEP_MODE_IDLE, SLEEP_MODE_ADC, SLEEP_MODE_PWR_DOWN, SLEEP_MODE_PWR_SAVE };
#define set_sleep_mode(mode) ((void)(mode))
#define sleep_enable() ((void)0)
#define sleep_disable() ((void)0)
#define sleep_cpu() __asm__ volatile("sleep")
#define sleep_mode() __asm__ volatile("sleep")
#endif
