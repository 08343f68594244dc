/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for TASKING's intrinsics. */
#include <IfxCpu_Intrinsics.h>
