/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for CMSIS' <core_cm3.h>. */
#include <cz_cortex_m.h>
