/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that CMSIS and IAR's headers both have. */
#ifndef CZ_INSTRUCTIONS_H
#define CZ_INSTRUCTIONS_H
#include <stdint.h>
#define __WFI() __asm__ volatile("wfi" ::: "memory")
#define __WFE() __asm__ volatile("wfe" ::: "memory")
#define __SEV() __asm__ volatile("sev")
#define __ISB() __asm__ volatile("" ::: "memory")
#define __DSB() __asm__ volatile("" ::: "memory")
#define __DMB() __asm__ volatile("" ::: "memory")
static inline uint32_t __REV(uint32_t x) { return __builtin_bswap32(x); }
static inline uint32_t __RBIT(uint32_t x) { return __builtin_bitreverse32(x); }
static inline uint8_t __CLZ(uint32_t x) { return x ? (uint8_t)__builtin_clz(x) : 32u; }
#endif
