/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for CMSIS' <cmsis_iccarm.h>. */
#include <cmsis_compiler.h>
