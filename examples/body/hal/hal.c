// SPDX-License-Identifier: Apache-2.0
// Register access. Polls are bounded, because a peripheral without a clock never sets its
// done flag and the watchdog is a poor way to find out.
#include "hal.h"

#define ADC_POLL_LIMIT     8U
#define RSSI_ANTENNAS      3U
#define RSSI_DBM_PER_COUNT 0.03125f
#define RSSI_OFFSET_DBM    (-110.0f)

bool hal_input(hal_input_t input)
{
    bool level = false;

    if ((uint32_t)input < (uint32_t)HAL_IN_COUNT) {
        level = ((hal_regs.inputs >> (uint32_t)input) & 1U) != 0U;
    }
    return level;
}

void hal_output(hal_output_t output, bool on)
{
    uint32_t mask;

    if ((uint32_t)output >= (uint32_t)HAL_OUT_COUNT) {
        return;
    }
    mask = 1UL << (uint32_t)output;
    if (on) {
        hal_regs.outputs |= mask;
    } else {
        hal_regs.outputs &= ~mask;
    }
}

uint32_t hal_now_ms(void)
{
    return hal_regs.tick_ms;
}

static status_t adc_convert(uint32_t channel, uint16_t *counts)
{
    uint32_t polls = 0U;

    hal_regs.adc.channel = channel & 0xFU;
    hal_regs.adc.start = 1U;
    while (hal_regs.adc.done == 0U) {
        polls++;
        if (polls >= ADC_POLL_LIMIT) {
            return ST_TIMEOUT;
        }
    }
    if (hal_regs.adc.overrun != 0U) {
        hal_regs.adc.overrun = 0U;
        return ST_CHECK;
    }
    *counts = (uint16_t)hal_regs.adc.result;
    return ST_OK;
}

status_t hal_adc_read(hal_adc_t channel, uint16_t *counts)
{
    status_t status;

    if (counts == NULL) {
        return ST_NULL;
    }
    if ((uint32_t)channel >= (uint32_t)HAL_ADC_COUNT) {
        return ST_RANGE;
    }
    status = adc_convert((uint32_t)channel, counts);
    // An overrun only says that somebody else's conversion got in between: once more.
    if (status == ST_CHECK) {
        status = adc_convert((uint32_t)channel, counts);
    }
    return status;
}

status_t hal_echo_read(uint8_t sensor, uint16_t *ticks)
{
    if (ticks == NULL) {
        return ST_NULL;
    }
    if (sensor >= ARRAY_LEN(hal_regs.echo)) {
        return ST_RANGE;
    }
    if (hal_regs.echo[sensor].running != 0U) {
        return ST_PENDING;
    }
    if (hal_regs.echo[sensor].overrange != 0U) {
        *ticks = 0xFFFFU;
        return ST_OK;
    }
    *ticks = (uint16_t)hal_regs.echo[sensor].echo;
    return ST_OK;
}

status_t hal_key_rssi(uint8_t antenna, float *dbm)
{
    uint16_t counts = 0U;
    status_t status;

    if (dbm == NULL) {
        return ST_NULL;
    }
    if (antenna >= RSSI_ANTENNAS) {
        return ST_RANGE;
    }
    // The receiver chip sits behind the converter's upper channels.
    status = adc_convert(8U + (uint32_t)antenna, &counts);
    if (status == ST_OK) {
        *dbm = RSSI_OFFSET_DBM + ((float)counts * RSSI_DBM_PER_COUNT);
    }
    return status;
}
