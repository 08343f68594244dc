// SPDX-License-Identifier: Apache-2.0
// Decodes the drive, wheel and switch messages into g_vehicle and g_switches and judges
// the driving state from them.
#include <string.h>

#include "calib.h"
#include "tpms.h"
#include "vehicle.h"

#define SPEED_SLOW   50U // 5 km/h
#define SPEED_BROKEN 0x1FFFU

vehicle_t g_vehicle;
can_switches_t g_switches;

static can_monitor_t drive_monitor = {.id = CAN_ID_DRIVE, .timeout_ms = 100U};
static can_monitor_t wheels_monitor = {.id = CAN_ID_WHEELS, .timeout_ms = 100U};
static can_monitor_t switch_monitor = {.id = CAN_ID_SWITCHES, .timeout_ms = 500U};

void vehicle_init(void)
{
    (void)memset(&g_vehicle, 0, sizeof g_vehicle);
    (void)memset(&g_switches, 0, sizeof g_switches);
    drive_monitor.seen = false;
    wheels_monitor.seen = false;
    switch_monitor.seen = false;
}

static turn_t decode_turn(uint32_t bits)
{
    switch (bits & 3U) {
    case 0U:
        return TURN_STRAIGHT;
    case 1U:
        return TURN_LEFT;
    case 2U:
        return TURN_RIGHT;
    case 3U:
        // Reserved by the message catalogue; some senders use it for "unknown".
        return TURN_STRAIGHT;
    default:
        // Infeasible by construction (README, I2): two bits have four values.
        return TURN_STRAIGHT;
    }
}

static void decode_drive(const can_drive_t *msg)
{
    g_vehicle.speed_valid = (msg->sig.speed_valid != 0U) && (msg->sig.speed != SPEED_BROKEN);
    if (g_vehicle.speed_valid) {
        g_vehicle.speed = (uint16_t)msg->sig.speed;
    }
    g_vehicle.gear = (msg->sig.gear < 5U) ? (gear_t)msg->sig.gear : GEAR_INVALID;
    g_vehicle.ignition = (ignition_t)msg->sig.ignition;
    g_vehicle.turn = decode_turn(msg->sig.turn);
    g_vehicle.abs_active = msg->sig.abs_active != 0U;
    g_vehicle.brake = msg->sig.brake != 0U;
    g_vehicle.hand_brake = msg->sig.hand_brake != 0U;
    g_vehicle.engine_rpm = (uint16_t)(msg->sig.engine_rpm * 32U);
    g_vehicle.steer_left = (int16_t)msg->sig.steer_left;
    g_vehicle.steer_right = (int16_t)msg->sig.steer_right;
}

static void decode_wheels(const can_wheels_t *msg)
{
    g_vehicle.wheel_rpm[WHEEL_FL] = (uint16_t)msg->sig.rpm_fl;
    g_vehicle.wheel_rpm[WHEEL_FR] = (uint16_t)msg->sig.rpm_fr;
    g_vehicle.wheel_rpm[WHEEL_RL] = (uint16_t)msg->sig.rpm_rl;
    g_vehicle.wheel_rpm[WHEEL_RR] = (uint16_t)msg->sig.rpm_rr;
}

status_t vehicle_receive(const can_frame_t *frame)
{
    can_drive_t drive;
    can_wheels_t wheels;
    status_t status;

    if (frame == NULL) {
        return ST_NULL;
    }
    switch (frame->id) {
    case CAN_ID_DRIVE:
        status = can_accept(&drive_monitor, frame);
        if (status == ST_OK) {
            (void)memcpy(drive.raw, frame->data, CAN_DATA_LEN);
            decode_drive(&drive);
        }
        break;
    case CAN_ID_WHEELS:
        status = can_accept(&wheels_monitor, frame);
        if (status == ST_OK) {
            (void)memcpy(wheels.raw, frame->data, CAN_DATA_LEN);
            decode_wheels(&wheels);
        }
        break;
    case CAN_ID_SWITCHES:
        status = can_accept(&switch_monitor, frame);
        if (status == ST_OK) {
            (void)memcpy(g_switches.raw, frame->data, CAN_DATA_LEN);
        }
        break;
    default:
        status = ST_DENIED;
        break;
    }
    return status;
}

void vehicle_tick(uint16_t elapsed_ms)
{
    can_monitor_tick(&drive_monitor, elapsed_ms);
    can_monitor_tick(&wheels_monitor, elapsed_ms);
    can_monitor_tick(&switch_monitor, elapsed_ms);
    g_vehicle.drive_lost = drive_monitor.lost;
    g_vehicle.wheels_lost = wheels_monitor.lost;
    if (drive_monitor.lost) {
        // Without the message the speed is unknown, which is not the same as zero.
        g_vehicle.speed_valid = false;
        g_vehicle.gear = GEAR_INVALID;
    }
    if (switch_monitor.lost && (g_switches.sig.light_stalk != 0U)) {
        // Keep the lights of a moving car on, drop all momentary switches.
        g_switches.sig.flash = 0U;
        g_switches.sig.wash = 0U;
        g_switches.sig.window_cmd = 0U;
    }
}

drive_mode_t vehicle_mode(void)
{
    drive_mode_t mode = MODE_UNKNOWN;

    if (g_vehicle.drive_lost || !g_vehicle.speed_valid) {
        return MODE_UNKNOWN;
    }
    switch (g_vehicle.gear) {
    case GEAR_P:
        mode = (g_vehicle.speed < SPEED_SLOW) ? MODE_PARKED : MODE_UNKNOWN;
        break;
    case GEAR_N:
        mode = MODE_IDLE;
        break;
    case GEAR_R:
        mode = MODE_REVERSE;
        break;
    case GEAR_D:
    case GEAR_S:
        mode = (g_vehicle.engine_rpm > 0U) ? MODE_DRIVE : MODE_IDLE;
        break;
    default:
        mode = MODE_UNKNOWN;
        break;
    }
    return mode;
}

static bool pressure_normal(wheel_t wheel)
{
    return (g_tyre_kpa[wheel] > g_calib.tyre.low_kpa) &&
           (g_tyre_kpa[wheel] < g_calib.tyre.high_kpa);
}

bool vehicle_drive_consistent(void)
{
    const uint16_t *rpm = g_vehicle.wheel_rpm;
    bool consistent = false;

    if ((vehicle_mode() == MODE_DRIVE) && (g_vehicle.speed > 0U) && !g_vehicle.abs_active &&
        (((g_vehicle.turn == TURN_LEFT) && (g_vehicle.steer_left < 0) &&
          (g_vehicle.steer_right < 0) && (rpm[WHEEL_FL] <= rpm[WHEEL_FR]) &&
          (rpm[WHEEL_RL] <= rpm[WHEEL_RR])) ||
         ((g_vehicle.turn == TURN_RIGHT) && (g_vehicle.steer_left > 0) &&
          (g_vehicle.steer_right > 0) && (rpm[WHEEL_FL] >= rpm[WHEEL_FR]) &&
          (rpm[WHEEL_RL] >= rpm[WHEEL_RR])) ||
         ((g_vehicle.turn == TURN_STRAIGHT) && (g_vehicle.steer_left == 0) &&
          (g_vehicle.steer_right == 0) && (rpm[WHEEL_FL] == rpm[WHEEL_FR]) &&
          (rpm[WHEEL_RL] == rpm[WHEEL_RR]))) &&
        pressure_normal(WHEEL_FL) && pressure_normal(WHEEL_FR) && pressure_normal(WHEEL_RL) &&
        pressure_normal(WHEEL_RR)) {
        consistent = true;
    }
    return consistent;
}
