/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for CMSIS' <cmsis_compiler.h> and what it includes: the compiler's words, and
   the instructions of a Cortex-M as functions. */
#ifndef __CMSIS_COMPILER_H
#define __CMSIS_COMPILER_H
#include <cz_instructions.h>

#define __ASM __asm
#define __INLINE inline
#define __STATIC_INLINE static inline
#define __STATIC_FORCEINLINE static inline
#define __NO_RETURN __attribute__((noreturn))
#define __USED __attribute__((used))
#ifndef __WEAK
#define __WEAK __attribute__((weak))
#endif
#define __PACKED __attribute__((packed))
#define __PACKED_STRUCT struct __attribute__((packed))
#define __PACKED_UNION union __attribute__((packed))
#define __ALIGNED(n) __attribute__((aligned(n)))
#define __RESTRICT restrict
#define __COMPILER_BARRIER() __asm__ volatile("" ::: "memory")
#define __UNALIGNED_UINT16_READ(address) (*(const __PACKED_STRUCT { uint16_t v; } *)(address)).v
#define __UNALIGNED_UINT32_READ(address) (*(const __PACKED_STRUCT { uint32_t v; } *)(address)).v

/* What only the processor sees is left out, and each use is an assumption. */
#define __enable_irq() __asm__ volatile("cpsie i" ::: "memory")
#define __disable_irq() __asm__ volatile("cpsid i" ::: "memory")
#define __enable_fault_irq() __asm__ volatile("cpsie f" ::: "memory")
#define __disable_fault_irq() __asm__ volatile("cpsid f" ::: "memory")
#define __NOP() __asm__ volatile("")
#define __CLREX() ((void)0)
#define __BKPT(value) __asm__ volatile("bkpt")

/* Registers of the processor: what is read is an input. */
#define CZ_PROCESSOR_REGISTER(name)                                                               \
    static inline uint32_t __get_##name(void)                                                    \
    {                                                                                             \
        uint32_t value;                                                                           \
        __asm__ volatile("mrs_" #name : "=r"(value));                                            \
        return value;                                                                             \
    }                                                                                             \
    static inline void __set_##name(uint32_t value) { (void)value; }
CZ_PROCESSOR_REGISTER(PRIMASK)
CZ_PROCESSOR_REGISTER(BASEPRI)
CZ_PROCESSOR_REGISTER(FAULTMASK)
CZ_PROCESSOR_REGISTER(CONTROL)
CZ_PROCESSOR_REGISTER(MSP)
CZ_PROCESSOR_REGISTER(PSP)
CZ_PROCESSOR_REGISTER(IPSR)
CZ_PROCESSOR_REGISTER(APSR)
CZ_PROCESSOR_REGISTER(xPSR)
CZ_PROCESSOR_REGISTER(FPSCR)

/* What only computes, computed. */
static inline uint32_t __REV16(uint32_t x)
{
    return ((x & 0x00ff00ffu) << 8) | ((x & 0xff00ff00u) >> 8);
}
static inline int16_t __REVSH(int16_t x) { return (int16_t)__builtin_bswap16((uint16_t)x); }
static inline uint32_t __ROR(uint32_t x, uint32_t n)
{
    n %= 32u;
    return n ? (x >> n) | (x << (32u - n)) : x;
}
static inline int32_t __SSAT(int32_t x, uint32_t bits)
{
    int32_t most = (int32_t)((1u << (bits - 1u)) - 1u);
    return x > most ? most : x < -most - 1 ? -most - 1 : x;
}
static inline uint32_t __USAT(int32_t x, uint32_t bits)
{
    int32_t most = (int32_t)((1u << bits) - 1u);
    return x < 0 ? 0u : x > most ? (uint32_t)most : (uint32_t)x;
}
static inline uint8_t __LDREXB(volatile uint8_t *p) { return *p; }
static inline uint16_t __LDREXH(volatile uint16_t *p) { return *p; }
static inline uint32_t __LDREXW(volatile uint32_t *p) { return *p; }
uint32_t __STREXB(uint8_t value, volatile uint8_t *p);
uint32_t __STREXH(uint16_t value, volatile uint16_t *p);
uint32_t __STREXW(uint32_t value, volatile uint32_t *p);
#endif
