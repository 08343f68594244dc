/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for avr-libc's <util/atomic.h>. */
#ifndef CZ_UTIL_ATOMIC_H
#define CZ_UTIL_ATOMIC_H
#include <avr/interrupt.h>
#define ATOMIC_RESTORESTATE
#define ATOMIC_FORCEON
#define NONATOMIC_RESTORESTATE
#define NONATOMIC_FORCEOFF
#define ATOMIC_BLOCK(type) for (int cz_once = 1; cz_once; cz_once = 0)
#define NONATOMIC_BLOCK(type) for (int cz_once = 1; cz_once; cz_once = 0)
#endif
