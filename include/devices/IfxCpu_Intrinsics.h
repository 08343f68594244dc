/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for the intrinsics of TriCore compilers (TASKING, HighTec, iLLD). */
#ifndef CZ_TRICORE_H
#define CZ_TRICORE_H
#include <stdint.h>
#define __enable() __asm__ volatile("enable" ::: "memory")
#define __disable() __asm__ volatile("disable" ::: "memory")
#define __nop() __asm__ volatile("")
#define __dsync() __asm__ volatile("" ::: "memory")
#define __isync() __asm__ volatile("" ::: "memory")
#define __debug() __asm__ volatile("debug")
unsigned int __mfcr(unsigned int id);
void __mtcr(unsigned int id, unsigned int value);
#define _mfcr(id) __mfcr(id)
#define _mtcr(id, value) __mtcr(id, value)
#define _enable() __enable()
#define _disable() __disable()
#define _nop() __nop()
#define _dsync() __dsync()
#define _isync() __isync()
static inline uint32_t __extru(uint32_t x, uint32_t at, uint32_t width)
{
    return (x >> at) & (width < 32u ? (1u << width) - 1u : 0xffffffffu);
}
static inline uint32_t __insert(uint32_t a, uint32_t b, uint32_t at, uint32_t width)
{
    uint32_t mask = (width < 32u ? (1u << width) - 1u : 0xffffffffu) << at;
    return (a & ~mask) | ((b << at) & mask);
}
static inline uint32_t __clz(uint32_t x) { return x ? (uint32_t)__builtin_clz(x) : 32u; }
static inline int32_t __min(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t __max(int32_t a, int32_t b) { return a > b ? a : b; }
#endif
