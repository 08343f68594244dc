/* SPDX-License-Identifier: Apache-2.0 */
/* What the stand-ins for CMSIS' core_cm*.h share: the system peripherals of a Cortex-M. */
#ifndef CZ_CORTEX_M_H
#define CZ_CORTEX_M_H
#include <cmsis_compiler.h>

#define __I volatile const
#define __O volatile
#define __IO volatile
#define __IM volatile const
#define __OM volatile
#define __IOM volatile
#ifndef __NVIC_PRIO_BITS
#define __NVIC_PRIO_BITS 4
#endif

typedef struct {
    __IOM uint32_t ISER[8];
    uint32_t RESERVED0[24];
    __IOM uint32_t ICER[8];
    uint32_t RESERVED1[24];
    __IOM uint32_t ISPR[8];
    uint32_t RESERVED2[24];
    __IOM uint32_t ICPR[8];
    uint32_t RESERVED3[24];
    __IOM uint32_t IABR[8];
    uint32_t RESERVED4[56];
    __IOM uint8_t IP[240];
    uint32_t RESERVED5[644];
    __OM uint32_t STIR;
} NVIC_Type;

typedef struct {
    __IM uint32_t CPUID;
    __IOM uint32_t ICSR, VTOR, AIRCR, SCR, CCR;
    __IOM uint8_t SHP[12];
    __IOM uint32_t SHCSR, CFSR, HFSR, DFSR, MMFAR, BFAR, AFSR;
    __IM uint32_t PFR[2], DFR, ADR, MMFR[4], ISAR[5];
    uint32_t RESERVED0[5];
    __IOM uint32_t CPACR;
} SCB_Type;

typedef struct {
    __IOM uint32_t CTRL, LOAD, VAL;
    __IM uint32_t CALIB;
} SysTick_Type;

typedef struct {
    __IOM uint32_t CTRL, CYCCNT, CPICNT, EXCCNT, SLEEPCNT, LSUCNT, FOLDCNT;
    __IM uint32_t PCSR;
} DWT_Type;

#define SysTick ((SysTick_Type *)0xE000E010UL)
#define NVIC ((NVIC_Type *)0xE000E100UL)
#define SCB ((SCB_Type *)0xE000ED00UL)
#define DWT ((DWT_Type *)0xE0001000UL)

#define SysTick_CTRL_ENABLE_Msk (1UL)
#define SysTick_CTRL_TICKINT_Msk (1UL << 1)
#define SysTick_CTRL_CLKSOURCE_Msk (1UL << 2)
#define SysTick_CTRL_COUNTFLAG_Msk (1UL << 16)
#define SysTick_LOAD_RELOAD_Msk (0xFFFFFFUL)
#define SCB_SCR_SLEEPDEEP_Msk (1UL << 2)

/* Interrupt numbers below 0 are the processor's own. */
#define NVIC_EnableIRQ(irq) ((void)((irq) >= 0 ? NVIC->ISER[(uint32_t)(irq) >> 5] = 1UL << ((uint32_t)(irq) & 31u) : 0u))
#define NVIC_DisableIRQ(irq) ((void)((irq) >= 0 ? NVIC->ICER[(uint32_t)(irq) >> 5] = 1UL << ((uint32_t)(irq) & 31u) : 0u))
#define NVIC_GetPendingIRQ(irq) ((irq) >= 0 ? (NVIC->ISPR[(uint32_t)(irq) >> 5] >> ((uint32_t)(irq) & 31u)) & 1u : 0u)
#define NVIC_SetPendingIRQ(irq) ((void)((irq) >= 0 ? NVIC->ISPR[(uint32_t)(irq) >> 5] = 1UL << ((uint32_t)(irq) & 31u) : 0u))
#define NVIC_ClearPendingIRQ(irq) ((void)((irq) >= 0 ? NVIC->ICPR[(uint32_t)(irq) >> 5] = 1UL << ((uint32_t)(irq) & 31u) : 0u))
#define NVIC_SetPriority(irq, priority) ((void)((irq) >= 0 ? NVIC->IP[(uint32_t)(irq)] = (uint8_t)((priority) << (8u - __NVIC_PRIO_BITS)) : 0u))
void NVIC_SystemReset(void) __attribute__((noreturn));

static inline uint32_t SysTick_Config(uint32_t ticks)
{
    if (ticks - 1UL > SysTick_LOAD_RELOAD_Msk)
        return 1;
    SysTick->LOAD = ticks - 1UL;
    SysTick->VAL = 0;
    SysTick->CTRL = SysTick_CTRL_CLKSOURCE_Msk | SysTick_CTRL_TICKINT_Msk | SysTick_CTRL_ENABLE_Msk;
    return 0;
}
#endif
