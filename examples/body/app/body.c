// SPDX-License-Identifier: Apache-2.0
// Start-up and routing: puts the modules into the scheduler, hands received frames to
// their owners through a table, and connects the callbacks between modules.
#include "body.h"
#include "aprk.h"
#include "bcm.h"
#include "calib.h"
#include "debounce.h"
#include "diag.h"
#include "fault.h"
#include "hal.h"
#include "sched.h"
#include "smk.h"
#include "tpms.h"
#include "vehicle.h"

#define STREAM_FRAMES 4U

typedef struct {
    uint16_t first_id;
    uint16_t last_id;
    body_route_t route;
} route_t;

typedef struct {
    sched_fn_t run;
    uint16_t period_ms;
    uint16_t offset_ms;
    uint8_t max_failures;
} start_task_t;

static uint32_t idle_ms;

static status_t route_key(const can_frame_t *frame)
{
    key_button_t button = KEY_BTN_NONE;
    status_t status = smk_remote(frame, &button);

    if (status != ST_OK) {
        return status;
    }
    switch (button) {
    case KEY_BTN_LOCK:
        // Pressing again within a locked car locks it twice.
        status = locking_request((g_lock == LOCK_LOCKED) ? LOCK_REQ_DOUBLE : LOCK_REQ_LOCK, true);
        break;
    case KEY_BTN_UNLOCK:
        status = locking_request(LOCK_REQ_UNLOCK, true);
        break;
    case KEY_BTN_PANIC:
        g_switches.sig.hazard = 1U;
        break;
    case KEY_BTN_TRUNK:
    case KEY_BTN_NONE:
    default:
        status = ST_RANGE;
        break;
    }
    return status;
}

static const route_t routes[] = {
    {CAN_ID_DRIVE, CAN_ID_SWITCHES, vehicle_receive},
    {CAN_ID_KEY, CAN_ID_KEY, route_key},
    {CAN_ID_TYRE, CAN_ID_TYRE, tpms_receive},
};

static const start_task_t start_tasks[] = {
    {doors_step, 10U, 0U, 0U},          {lights_step, 20U, 2U, 5U},  {indicators_step, 80U, 4U, 0U},
    {wipers_step, 20U, 6U, 5U},         {locking_step, 20U, 8U, 0U}, {windows_step, 20U, 10U, 5U},
    {smk_proximity_step, 40U, 12U, 0U}, {tpms_step, 1000U, 20U, 0U}, {park_step, 40U, 14U, 0U},
    {body_publish, 100U, 50U, 3U},
};

// Opening the driver's door wakes the key search.
static void on_door(uint8_t door, bool open)
{
    if ((door == (uint8_t)DOOR_FL) && open && (g_vehicle.ignition == IGN_OFF)) {
        smk_auth_open();
    }
}

static void on_idle(uint16_t ms)
{
    idle_ms += ms;
}

static uint8_t routine_rotate_tyres(const uint8_t *option, uint16_t len)
{
    if (len != (uint16_t)WHEEL_COUNT) {
        return 0x80U;
    }
    return (uint8_t)tpms_rotate(option);
}

static uint8_t routine_swap_tyres(const uint8_t *option, uint16_t len)
{
    if ((len != 2U) || (option[0] >= (uint8_t)WHEEL_COUNT) || (option[1] >= (uint8_t)WHEEL_COUNT)) {
        return 0x80U;
    }
    return (uint8_t)tpms_swap(&g_tyres[option[0]], &g_tyres[option[1]]);
}

static uint8_t routine_idle_percent(const uint8_t *option, uint16_t len)
{
    uint32_t now = hal_now_ms();

    (void)option;
    if ((len != 0U) || (now == 0U)) {
        return 0x80U;
    }
    return (idle_ms >= now) ? 100U : (uint8_t)(((uint64_t)idle_ms * 100U) / now);
}

status_t body_init(void)
{
    size_t i;
    status_t status = ST_OK;

    fault_init();
    calib_reset();
    timer_init();
    vehicle_init();
    doors_init();
    doors_listen(on_door);
    windows_init();
    can_tx_open();
    smk_auth_open();
    diag_init();
    (void)diag_add_routine(0x0201U, routine_rotate_tyres);
    (void)diag_add_routine(0x0202U, routine_swap_tyres);
    (void)diag_add_routine(0x0203U, routine_idle_percent);
    sched_init(on_idle);
    for (i = 0U; (i < ARRAY_LEN(start_tasks)) && (status == ST_OK); i++) {
        status = sched_add(start_tasks[i].run, start_tasks[i].period_ms, start_tasks[i].offset_ms,
                           start_tasks[i].max_failures);
    }
    return (calib_check(&g_calib) == ST_OK) ? status : ST_CHECK;
}

status_t body_receive(const can_frame_t *frame)
{
    size_t i;

    if (frame == NULL) {
        return ST_NULL;
    }
    for (i = 0U; i < ARRAY_LEN(routes); i++) {
        if ((frame->id >= routes[i].first_id) && (frame->id <= routes[i].last_id)) {
            return routes[i].route(frame);
        }
    }
    return ST_DENIED;
}

uint8_t body_receive_stream(const uint8_t *bytes, size_t len)
{
    can_frame_t frames[STREAM_FRAMES];
    uint8_t count = can_unpack_stream(bytes, len, frames, STREAM_FRAMES);
    uint8_t accepted = 0U;
    uint8_t i;

    for (i = 0U; i < count; i++) {
        if (body_receive(&frames[i]) == ST_OK) {
            accepted++;
        }
    }
    return accepted;
}

void body_tick(uint16_t elapsed_ms)
{
    timer_tick(elapsed_ms);
    vehicle_tick(elapsed_ms);
    smk_auth_tick(elapsed_ms);
    (void)sched_tick(elapsed_ms);
}
