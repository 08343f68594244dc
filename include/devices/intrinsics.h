/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for IAR's <intrinsics.h>. */
#ifndef CZ_INTRINSICS_H
#define CZ_INTRINSICS_H
#include <cz_instructions.h>
typedef uint32_t __istate_t;
#define __no_operation() __asm__ volatile("")
#define __enable_interrupt() __asm__ volatile("cpsie i" ::: "memory")
#define __disable_interrupt() __asm__ volatile("cpsid i" ::: "memory")
#define __low_power_mode_0() __asm__ volatile("sleep")
#define __low_power_mode_3() __asm__ volatile("sleep")
#define __watchdog_reset() __asm__ volatile("wdr")
#define __delay_cycles(cycles) ((void)(cycles))
__istate_t __get_interrupt_state(void);
void __set_interrupt_state(__istate_t state);
static inline uint16_t __swap_bytes(uint16_t x) { return __builtin_bswap16(x); }
#endif
