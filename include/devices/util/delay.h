/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for avr-libc's <util/delay.h>: time does not pass in a test. */
#ifndef CZ_UTIL_DELAY_H
#define CZ_UTIL_DELAY_H
#define _delay_ms(milliseconds) ((void)(milliseconds))
#define _delay_us(microseconds) ((void)(microseconds))
#endif
