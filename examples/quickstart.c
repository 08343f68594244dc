// SPDX-License-Identifier: Apache-2.0
// A small pump controller: a state machine, a status word with bit-fields, a sensor
// that is read through a function of another file, and one branch that no input can
// reach. A first file to try cadenza on.
#include <stddef.h>

enum state { OFF, STARTING, RUNNING, FAULT };

union status {
    unsigned char word;
    struct {
        unsigned char ready : 1;
        unsigned char door_open : 1;
        unsigned char errors : 3;
        unsigned char level : 3;
    } bits;
};

struct pump {
    enum state state;
    union status status;
    int target_rpm;
    unsigned short retries;
};

int read_rpm(int sensor); // in the sensor driver

static int clamp_percent(int value)
{
    if (value < 0)
        return 0;
    if (value > 100)
        return 100;
    return value;
}

// One step of the controller: returns the motor's duty in percent, -1 without a pump.
int pump_step(struct pump *pump, int start_button)
{
    int rpm;

    if (pump == NULL)
        return -1;

    switch (pump->state) {
    case OFF:
        if (start_button && pump->status.bits.ready && !pump->status.bits.door_open)
            pump->state = STARTING;
        return 0;
    case STARTING:
        rpm = read_rpm(0);
        if (rpm >= pump->target_rpm) {
            pump->state = RUNNING;
        } else if (++pump->retries > 5) {
            pump->state = FAULT;
            return 0;
        }
        return 30;
    case RUNNING:
        rpm = read_rpm(0);
        if (pump->status.word == 0xE5 || pump->status.bits.errors == 7) {
            pump->state = FAULT;
            return 0;
        }
        rpm = clamp_percent(pump->target_rpm - rpm);
        if (rpm > 100) // clamp_percent() does not let this happen
            pump->state = FAULT;
        return rpm;
    case FAULT:
        if (!start_button && pump->status.bits.errors == 0)
            pump->state = OFF;
        return 0;
    }
    return 0;
}
