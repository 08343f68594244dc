/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for CMSIS' <cmsis_gcc.h>. */
#include <cmsis_compiler.h>
