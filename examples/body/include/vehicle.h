// SPDX-License-Identifier: Apache-2.0
// What the unit knows about the vehicle, decoded from the bus once per cycle and read by
// all modules as a global.
#ifndef BODY_VEHICLE_H
#define BODY_VEHICLE_H

#include "can.h"
#include "types.h"

typedef enum { IGN_OFF = 0, IGN_ACC, IGN_ON, IGN_START } ignition_t;
typedef enum { GEAR_P = 0, GEAR_R, GEAR_N, GEAR_D, GEAR_S, GEAR_INVALID } gear_t;
typedef enum { TURN_STRAIGHT = 0, TURN_LEFT, TURN_RIGHT } turn_t;
typedef enum { MODE_PARKED = 0, MODE_IDLE, MODE_DRIVE, MODE_REVERSE, MODE_UNKNOWN } drive_mode_t;

typedef struct {
    ignition_t ignition;
    gear_t gear;
    turn_t turn;
    uint16_t speed; // 0.1 km/h
    uint16_t engine_rpm;
    uint16_t wheel_rpm[WHEEL_COUNT];
    int16_t steer_left;
    int16_t steer_right;
    bool speed_valid;
    bool brake;
    bool hand_brake;
    bool abs_active;
    bool drive_lost;
    bool wheels_lost;
} vehicle_t;

extern vehicle_t g_vehicle;
extern can_switches_t g_switches;

void vehicle_init(void);
status_t vehicle_receive(const can_frame_t *frame);
void vehicle_tick(uint16_t elapsed_ms);
drive_mode_t vehicle_mode(void);

// True when wheel speeds, steering angles and tyre pressures agree with driving the
// reported way; the park assist and the tyre localisation learn only then.
bool vehicle_drive_consistent(void);

#endif
