/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for <arm_acle.h>, which clang has for ARM only. */
#ifndef CZ_ARM_ACLE_H
#define CZ_ARM_ACLE_H
#include <stdint.h>
#define __dmb(kind) __asm__ volatile("" ::: "memory")
#define __dsb(kind) __asm__ volatile("" ::: "memory")
#define __isb(kind) __asm__ volatile("" ::: "memory")
#define __wfi() __asm__ volatile("wfi" ::: "memory")
#define __wfe() __asm__ volatile("wfe" ::: "memory")
#define __sev() __asm__ volatile("sev")
#define __yield() __asm__ volatile("")
#define __nop() __asm__ volatile("")
static inline uint32_t __clz(uint32_t x) { return x ? (uint32_t)__builtin_clz(x) : 32u; }
static inline uint32_t __cls(uint32_t x) { return (uint32_t)__builtin_clrsb((int)x); }
static inline uint32_t __rev(uint32_t x) { return __builtin_bswap32(x); }
static inline uint32_t __rev16(uint32_t x)
{
    return ((x & 0x00ff00ffu) << 8) | ((x & 0xff00ff00u) >> 8);
}
static inline int16_t __revsh(int16_t x) { return (int16_t)__builtin_bswap16((uint16_t)x); }
static inline uint32_t __rbit(uint32_t x) { return __builtin_bitreverse32(x); }
static inline uint32_t __ror(uint32_t x, uint32_t n)
{
    n %= 32u;
    return n ? (x >> n) | (x << (32u - n)) : x;
}
static inline int32_t __ssat(int32_t x, uint32_t bits)
{
    int32_t most = (int32_t)((1u << (bits - 1u)) - 1u);
    return x > most ? most : x < -most - 1 ? -most - 1 : x;
}
static inline uint32_t __usat(int32_t x, uint32_t bits)
{
    int32_t most = (int32_t)((1u << bits) - 1u);
    return x < 0 ? 0u : x > most ? (uint32_t)most : (uint32_t)x;
}
uint32_t __arm_rsr(const char *name);
void __arm_wsr(const char *name, uint32_t value);
#endif
