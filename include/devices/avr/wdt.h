/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for avr-libc's <avr/wdt.h>. */
#ifndef CZ_AVR_WDT_H
#define CZ_AVR_WDT_H
enum { WDTO_15MS, WDTO_30MS, WDTO_60MS, WDTO_120MS, WDTO_250MS, WDTO_500MS, WDTO_1S, WDTO_2S,
       WDTO_4S, WDTO_8S };
#define wdt_reset() __asm__ volatile("wdr")
#define wdt_enable(timeout) ((void)(timeout))
#define wdt_disable() ((void)0)
#endif
