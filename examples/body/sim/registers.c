// SPDX-License-Identifier: Apache-2.0
// The register bank of the simulation: plain memory instead of the linker script's
// address. The converter is always done, with the same result on every channel.
#include "hal.h"

volatile hal_regs_t hal_regs = {
    .inputs = 1U << HAL_IN_WIPER_PARK,
    .adc = {.done = 1U, .result = 2000U},
    .echo = {{.echo = 600U}, {.echo = 500U}, {.echo = 300U}, {.overrange = 1U}},
};
