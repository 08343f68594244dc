// SPDX-License-Identifier: Apache-2.0
// CAN frames and the messages of this unit. Every protected message carries an alive
// counter in the upper half of byte 6 and a checksum in byte 7; the signal views are
// bit-field overlays of the same eight bytes, little-endian as the compilers of the
// target lay them out.
#ifndef BODY_CAN_H
#define BODY_CAN_H

#include "types.h"

#define CAN_DATA_LEN  8U
#define CAN_ALIVE_MAX 15U
#define CAN_ID_MASK   0x7FFU

#define CAN_ID_DRIVE       0x101U
#define CAN_ID_WHEELS      0x102U
#define CAN_ID_SWITCHES    0x201U
#define CAN_ID_KEY         0x210U
#define CAN_ID_TYRE        0x220U
#define CAN_ID_BODY_STATUS 0x301U
#define CAN_ID_WARNINGS    0x302U

typedef struct {
    uint16_t id;
    uint8_t dlc;
    uint8_t data[CAN_DATA_LEN];
} can_frame_t;

typedef union {
    uint8_t raw[CAN_DATA_LEN];
    struct {
        uint8_t payload[6];
        uint8_t spare : 4;
        uint8_t alive : 4;
        uint8_t checksum;
    } e2e;
} can_protected_t;

typedef union {
    uint8_t raw[CAN_DATA_LEN];
    struct {
        uint32_t speed : 13; // 0.1 km/h
        uint32_t gear : 3;
        uint32_t ignition : 2;
        uint32_t turn : 2;
        uint32_t abs_active : 1;
        uint32_t brake : 1;
        uint32_t hand_brake : 1;
        uint32_t speed_valid : 1;
        uint32_t engine_rpm : 8; // 32 rpm
        int32_t steer_left : 8;  // degrees, left is negative
        int32_t steer_right : 8;
        uint32_t spare : 4;
        uint32_t alive : 4;
        uint32_t checksum : 8;
    } sig;
} can_drive_t;

typedef union {
    uint8_t raw[CAN_DATA_LEN];
    struct {
        uint64_t rpm_fl : 12;
        uint64_t rpm_fr : 12;
        uint64_t rpm_rl : 12;
        uint64_t rpm_rr : 12;
        uint64_t spare : 4;
        uint64_t alive : 4;
        uint64_t checksum : 8;
    } sig;
} can_wheels_t;

typedef union {
    uint8_t raw[CAN_DATA_LEN];
    struct {
        uint8_t light_stalk : 2; // light_switch_t
        uint8_t high_beam : 1;
        uint8_t flash : 1;
        uint8_t fog : 1;
        uint8_t turn_left : 1;
        uint8_t turn_right : 1;
        uint8_t hazard : 1;
        uint8_t wiper : 3; // wiper_switch_t
        uint8_t wash : 1;
        uint8_t interval : 2;
        uint8_t lock : 1;
        uint8_t unlock : 1;
        uint8_t window_cmd : 3; // window_cmd_t
        uint8_t window_index : 2;
        uint8_t park_assist : 1;
        uint8_t child_lock : 1;
        uint8_t trailer : 1;
        uint8_t door_fl : 1;
        uint8_t door_fr : 1;
        uint8_t door_rl : 1;
        uint8_t door_rr : 1;
        uint8_t bonnet : 1;
        uint8_t trunk : 1;
        uint8_t belt : 1;
        uint8_t seat : 1;
        uint8_t reserved[2];
        uint8_t spare : 4;
        uint8_t alive : 4;
        uint8_t checksum;
    } sig;
} can_switches_t;

typedef union {
    uint8_t raw[CAN_DATA_LEN];
    struct {
        uint32_t slot : 3;
        uint32_t button : 3; // key_button_t
        uint32_t low_battery : 1;
        uint32_t learn : 1;
        uint32_t counter : 16;
        uint32_t spare : 8;
        uint32_t mac : 16;
        uint32_t pad : 16;
    } sig;
} can_key_t;

typedef union {
    uint8_t raw[CAN_DATA_LEN];
    struct {
        uint32_t id : 28;
        uint32_t motion : 2;
        uint32_t low_battery : 1;
        uint32_t alarm : 1;
        uint32_t pressure : 10;   // 0.5 kPa
        uint32_t temperature : 8; // 1 K above 223 K
        uint32_t kind : 2;
        uint32_t spare : 4;
        uint32_t checksum : 8;
    } sig;
} can_tyre_t;

typedef union {
    uint8_t raw[CAN_DATA_LEN];
    struct {
        uint8_t low_beam : 1;
        uint8_t high_beam : 1;
        uint8_t indicator : 2;
        uint8_t locked : 2;
        uint8_t wiper : 2;
        uint8_t doors : 6;
        uint8_t start_allowed : 1;
        uint8_t key_inside : 1;
        uint8_t window[4]; // percent open
        uint8_t spare : 4;
        uint8_t alive : 4;
        uint8_t checksum;
    } sig;
} can_body_status_t;

typedef union {
    uint8_t raw[CAN_DATA_LEN];
    struct {
        uint8_t tyre_low : 4; // one bit per wheel
        uint8_t tyre_fast_loss : 4;
        uint8_t park_zone : 3;
        uint8_t park_tone : 3;
        uint8_t lamp_fault : 2;
        uint8_t fault_lamp : 2;
        uint8_t fault_count : 6;
        uint8_t reserved[3];
        uint8_t spare : 4;
        uint8_t alive : 4;
        uint8_t checksum;
    } sig;
} can_warnings_t;

typedef struct {
    uint16_t id;
    uint16_t timeout_ms;
    uint16_t age_ms;
    uint8_t last_alive;
    uint8_t bad_in_row;
    bool seen;
    bool lost;
} can_monitor_t;

uint8_t can_checksum(uint16_t id, const uint8_t *data, uint8_t len);

// Fills the alive counter and checksum of an outgoing message.
status_t can_protect(can_frame_t *frame, uint8_t *alive);

// Accepts or rejects a received frame and updates its monitor.
status_t can_accept(can_monitor_t *monitor, const can_frame_t *frame);
void can_monitor_tick(can_monitor_t *monitor, uint16_t elapsed_ms);

// The transmit queue. can_tx_open() first; frames queued before that are refused.
void can_tx_open(void);
status_t can_tx_push(const can_frame_t *frame);
status_t can_tx_pop(can_frame_t *frame);

// Splits a received byte stream (id high, id low, dlc, data...) as the gateway sends it.
uint8_t can_unpack_stream(const uint8_t *bytes, size_t len, can_frame_t *frames, uint8_t max);

#endif
