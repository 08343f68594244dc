// SPDX-License-Identifier: Apache-2.0
// The registers of the simulation: plain memory instead of the device's addresses. The
// converter is always done, with the same result on every channel; the LIN channel has a
// clock and sends at once.
#include "hal.h"
#include "lin.h"

volatile hal_regs_t hal_regs = {
    .inputs = 1U << HAL_IN_WIPER_PARK,
    .adc = {.done = 1U, .result = 2000U},
    .echo = {{.echo = 600U}, {.echo = 500U}, {.echo = 300U}, {.overrange = 1U}},
};

#ifdef BODY_SIM
lin_regs_t lin_channel = {.status = LIN_ST_CLOCK | LIN_ST_TX_DONE};
#endif
