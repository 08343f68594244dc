// SPDX-License-Identifier: Apache-2.0
// A short simulation on canned data: starts the unit, drives, opens a door, presses the
// remote, reverses towards an obstacle, asks for faults, and prints what came out. It
// shows that the modules work together; it is no test of them.
#include <stdio.h>
#include <string.h>

#include "aprk.h"
#include "bcm.h"
#include "body.h"
#include "calib.h"
#include "diag.h"
#include "fault.h"
#include "hal.h"
#include "lin.h"
#include "smk.h"
#include "tpms.h"
#include "vehicle.h"

static uint8_t drive_alive;
static uint8_t wheels_alive;
static uint8_t switches_alive;

static status_t send_protected(uint16_t id, const uint8_t raw[CAN_DATA_LEN], uint8_t *alive)
{
    can_frame_t frame = {.id = id, .dlc = CAN_DATA_LEN};

    (void)memcpy(frame.data, raw, CAN_DATA_LEN);
    (void)can_protect(&frame, alive);
    return body_receive(&frame);
}

static void send_vehicle(gear_t gear, uint16_t speed, const can_switches_t *switches)
{
    can_drive_t drive = {.raw = {0}};
    can_wheels_t wheels = {.raw = {0}};

    drive.sig.speed = speed & 0x1FFFU;
    drive.sig.speed_valid = 1U;
    drive.sig.gear = (uint32_t)gear & 7U;
    drive.sig.ignition = IGN_ON;
    drive.sig.engine_rpm = 50U;
    wheels.sig.rpm_fl = speed & 0xFFFU;
    wheels.sig.rpm_fr = speed & 0xFFFU;
    wheels.sig.rpm_rl = speed & 0xFFFU;
    wheels.sig.rpm_rr = speed & 0xFFFU;
    (void)send_protected(CAN_ID_DRIVE, drive.raw, &drive_alive);
    (void)send_protected(CAN_ID_WHEELS, wheels.raw, &wheels_alive);
    (void)send_protected(CAN_ID_SWITCHES, switches->raw, &switches_alive);
}

static status_t send_tyre(uint32_t id, uint16_t pressure)
{
    can_frame_t frame = {.id = CAN_ID_TYRE, .dlc = CAN_DATA_LEN};
    can_tyre_t msg = {.raw = {0}};
    uint8_t i;
    uint8_t sum = 0U;

    msg.sig.id = id & 0xFFFFFFFU;
    msg.sig.motion = 3U;
    msg.sig.pressure = pressure & 0x3FFU;
    msg.sig.temperature = 80U;
    msg.sig.kind = 1U;
    for (i = 0U; i < (CAN_DATA_LEN - 1U); i++) {
        sum = (uint8_t)(sum + msg.raw[i]);
    }
    msg.sig.checksum = sum;
    (void)memcpy(frame.data, msg.raw, CAN_DATA_LEN);
    return body_receive(&frame);
}

static status_t press_remote(uint8_t slot, key_button_t button, uint16_t counter)
{
    can_frame_t frame = {.id = CAN_ID_KEY, .dlc = CAN_DATA_LEN};
    can_key_t msg = {.raw = {0}};

    msg.sig.slot = slot & 7U;
    msg.sig.button = (uint32_t)button & 7U;
    msg.sig.counter = counter;
    msg.sig.mac =
        smk_mac16(g_keys[slot].secret, ((uint32_t)counter << 8U) | ((uint32_t)button << 3U) | slot);
    (void)memcpy(frame.data, msg.raw, CAN_DATA_LEN);
    return body_receive(&frame);
}

// Runs the unit for some milliseconds with the same messages every 20 ms.
static void run(uint16_t ms, gear_t gear, uint16_t speed, const can_switches_t *switches)
{
    can_frame_t sent;
    uint16_t t;

    for (t = 0U; t < ms; t += 10U) {
        if ((t % 20U) == 0U) {
            send_vehicle(gear, speed, switches);
        }
        hal_regs.tick_ms += 10U;
        body_tick(10U);
        while (can_tx_pop(&sent) == ST_OK) {
            // The bus takes everything.
        }
    }
}

static void authenticate(void)
{
    uint32_t challenge = 0U;
    uint32_t block[2];
    status_t status;

    status = smk_auth_challenge(0U, &challenge);
    block[0] = challenge;
    block[1] = challenge ^ 0xA5A5A5A5U;
    smk_encrypt(g_keys[0].secret, block);
    if (status == ST_OK) {
        status = smk_auth_answer(block[0] ^ block[1]);
    }
    printf("authentication %d, state %d\n", (int)status, (int)smk_auth_state());
}

static void show(const char *what)
{
    printf("%-10s lights %02x indicator %d wiper %d lock %d doors %02x park %d/%d faults %u\n",
           what, (unsigned)g_lights.byte, (int)g_indicator, (int)g_wiper, (int)g_lock,
           (unsigned)g_doors_open, (int)g_park_state, (int)g_park_zone, (unsigned)fault_count());
}

#ifdef BODY_SIM
// The rain sensor's answer, byte by byte as the channel would deliver it.
static void receive_rain(void)
{
    static const uint8_t bytes[] = {0x55U, 0x11U, 0x20U, 0U, 0U, 0U, 0xCEU};
    lin_frame_t frame = {.id = 0U};
    status_t opened = lin_open(4000U);
    status_t status;
    uint8_t i;

    lin_channel.status |= LIN_ST_BREAK;
    LIN1_IRQHandler();
    lin_channel.status ^= LIN_ST_BREAK | LIN_ST_RX_DONE;
    for (i = 0U; i < ARRAY_LEN(bytes); i++) {
        lin_channel.data = bytes[i];
        LIN1_IRQHandler();
    }
    status = lin_read(&frame);
    printf("lin %d, read %d: id %02x rain %02x\n", (int)opened, (int)status,
           (unsigned)frame.id, (unsigned)frame.data[0]);
}
#endif

int main(void)
{
    static const uint8_t ask_faults[] = {0x19U, 2U, 0U};
    can_switches_t switches = {.raw = {0}};
    uint8_t response[64];
    status_t first;
    status_t again;
    uint16_t length;
    uint8_t i;

    if (body_init() != ST_OK) {
        return 1;
    }
    g_keys[0].learned = true;
    g_keys[0].secret[0] = 0x01234567U;
    switches.sig.light_stalk = LIGHT_SW_ON;
    switches.sig.wiper = WIPER_SW_SLOW;
    run(400U, GEAR_D, 300U, &switches);
    show("driving");
#ifdef BODY_SIM
    receive_rain();
#endif

    for (i = 0U; i < 4U; i++) {
        g_tyre_kpa[i] = 250.0f;
    }
    for (i = 0U; i < 3U; i++) {
        (void)send_tyre(0xABCDEU, 500U);
    }
    printf("tyre id %lx\n", (unsigned long)g_tyres[0].id);
    (void)send_tyre(0xABCDEU, 340U);

    switches.sig.turn_left = 1U;
    switches.sig.wiper = WIPER_SW_OFF;
    run(1200U, GEAR_D, 200U, &switches);
    printf("tyre 0: %d kPa, state %d\n", (int)g_tyres[0].kpa, (int)g_tyres[0].state);
    show("turning");

    switches.sig.turn_left = 0U;
    run(600U, GEAR_R, 20U, &switches);
    show("reversing");

    first = press_remote(0U, KEY_BTN_UNLOCK, 1U);
    again = press_remote(0U, KEY_BTN_UNLOCK, 1U);
    printf("remote %d, replayed %d\n", (int)first, (int)again);
    switches.sig.door_fl = 1U;
    run(200U, GEAR_P, 0U, &switches);
    authenticate();
    show("parked");

    length = diag_request(ask_faults, (uint16_t)sizeof ask_faults, response, sizeof response);
    printf("diagnosis:");
    for (i = 0U; i < length; i++) {
        printf(" %02x", response[i]);
    }
    printf("\n");
    return 0;
}
