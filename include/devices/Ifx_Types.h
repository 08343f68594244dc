/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for Infineon's <Ifx_Types.h> (TriCore). */
#ifndef IFX_TYPES_H
#define IFX_TYPES_H
#include <stddef.h>
#include <stdint.h>
typedef uint8_t uint8;
typedef int8_t sint8;
typedef uint16_t uint16;
typedef int16_t sint16;
typedef uint32_t uint32;
typedef int32_t sint32;
typedef uint64_t uint64;
typedef int64_t sint64;
typedef float float32;
typedef double float64;
typedef unsigned char boolean;
typedef char pchar;
typedef uint64_t Ifx_TickTime;
#ifndef TRUE
#define TRUE 1
#define FALSE 0
#endif
#define IFX_INLINE static inline
#define IFX_STATIC static
#define IFX_CONST const
#define IFX_EXTERN extern
#define IFX_NULL NULL_PTR
#ifndef NULL_PTR
#define NULL_PTR ((void *)0)
#endif
#define IFX_INTERRUPT(isr, vector, priority) void isr(void) __attribute__((interrupt)); void isr(void)
#include <IfxCpu_Intrinsics.h>
#endif
