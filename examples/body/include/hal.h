// SPDX-License-Identifier: Apache-2.0
// The only way to the hardware. The register bank is volatile and lives where the linker
// script puts it; the simulation provides a plain variable. Modules call the functions
// and never see a register.
#ifndef BODY_HAL_H
#define BODY_HAL_H

#include "types.h"

typedef enum {
    HAL_IN_CRASH = 0,
    HAL_IN_BRAKE_SWITCH,
    HAL_IN_HANDLE_LEFT,
    HAL_IN_HANDLE_RIGHT,
    HAL_IN_WIPER_PARK,
    HAL_IN_START_BUTTON,
    HAL_IN_COUNT
} hal_input_t;

typedef enum {
    HAL_ADC_LIGHT = 0,
    HAL_ADC_RAIN,
    HAL_ADC_LAMP_LEFT,
    HAL_ADC_LAMP_RIGHT,
    HAL_ADC_WIPER_CURRENT,
    HAL_ADC_WINDOW_CURRENT,
    HAL_ADC_BATTERY,
    HAL_ADC_COUNT
} hal_adc_t;

typedef enum {
    HAL_OUT_LOW_BEAM = 0,
    HAL_OUT_HIGH_BEAM,
    HAL_OUT_TURN_LEFT,
    HAL_OUT_TURN_RIGHT,
    HAL_OUT_WIPER_SLOW,
    HAL_OUT_WIPER_FAST,
    HAL_OUT_LOCK,
    HAL_OUT_UNLOCK,
    HAL_OUT_BUZZER,
    HAL_OUT_COUNT
} hal_output_t;

// Layout of the register bank, in the order of the reference manual.
typedef struct {
    uint32_t inputs;
    uint32_t outputs;
    struct {
        uint32_t channel : 4;
        uint32_t start : 1;
        uint32_t done : 1;
        uint32_t overrun : 1;
        uint32_t reserved : 13;
        uint32_t result : 12;
    } adc;
    struct {
        uint32_t running : 1;
        uint32_t echo : 12;
        uint32_t overrange : 1;
        uint32_t reserved : 18;
    } echo[4];
    uint32_t tick_ms;
} hal_regs_t;

extern volatile hal_regs_t hal_regs;

bool hal_input(hal_input_t input);
void hal_output(hal_output_t output, bool on);
uint32_t hal_now_ms(void);

// Reads one channel, 0..4095. ST_TIMEOUT leaves *counts alone.
status_t hal_adc_read(hal_adc_t channel, uint16_t *counts);

// Time of flight of an ultrasonic sensor in units of 10 microseconds.
status_t hal_echo_read(uint8_t sensor, uint16_t *ticks);

// Field strength of the key at one antenna, in dBm, as the receiver chip reports it.
status_t hal_key_rssi(uint8_t antenna, float *dbm);

#endif
