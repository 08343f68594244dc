// SPDX-License-Identifier: Apache-2.0
// Central locking: requests from the key and the inside switch, automatic locking when
// driving off, unlocking after a crash. A motor that moved too often cools down first.
#include "bcm.h"
#include "fault.h"
#include "hal.h"
#include "smk.h"
#include "vehicle.h"

#define AUTO_LOCK_SPEED 150U
#define MOTOR_TIMER     1U
#define MOTOR_MS        300U
#define MAX_MOVES       20U

lock_t g_lock;

static bool auto_locked;
static uint8_t moves; // recent motor actions, against overheating

static status_t move_bolts(bool lock)
{
    if (timer_running(MOTOR_TIMER)) {
        return ST_PENDING;
    }
    if (moves >= MAX_MOVES) {
        (void)fault_set(FAULT_LOCK, FAULT_COMFORT);
        return ST_DENIED;
    }
    moves++;
    hal_output(HAL_OUT_LOCK, lock);
    hal_output(HAL_OUT_UNLOCK, !lock);
    return timer_start(MOTOR_TIMER, MOTOR_MS);
}

static bool may_double_lock(bool from_key)
{
    key_zone_t zone = KEY_NOWHERE;

    // Nobody may be locked in: an occupied seat or a key inside forbids it.
    if (!from_key || (g_switches.sig.seat != 0U) || !doors_all_closed() ||
        (g_vehicle.ignition != IGN_OFF)) {
        return false;
    }
    return (smk_locate(&zone) == ST_OK) && (zone == KEY_OUTSIDE);
}

status_t locking_request(lock_request_t request, bool from_key)
{
    status_t status = ST_OK;

    if (g_lock == LOCK_CRASH) {
        return ST_DENIED;
    }
    switch (request) {
    case LOCK_REQ_NONE:
        break;
    case LOCK_REQ_LOCK:
        if ((g_doors_open & 0x0FU) != 0U) {
            return ST_RANGE;
        }
        status = move_bolts(true);
        g_lock = (status == ST_OK) ? LOCK_LOCKED : g_lock;
        break;
    case LOCK_REQ_UNLOCK:
        // The inside switch does not open a double lock: the glass may be broken.
        if ((g_lock == LOCK_DOUBLE) && !from_key) {
            return ST_DENIED;
        }
        status = move_bolts(false);
        g_lock = (status == ST_OK) ? LOCK_UNLOCKED : g_lock;
        auto_locked = false;
        break;
    case LOCK_REQ_DOUBLE:
        if ((g_lock != LOCK_LOCKED) || !may_double_lock(from_key)) {
            return ST_DENIED;
        }
        g_lock = LOCK_DOUBLE;
        break;
    default:
        status = ST_RANGE;
        break;
    }
    return status;
}

static bool auto_lock_due(void)
{
    return !auto_locked && (g_lock == LOCK_UNLOCKED) && g_vehicle.speed_valid &&
           !g_vehicle.drive_lost && (g_vehicle.speed > AUTO_LOCK_SPEED) &&
           ((g_vehicle.gear == GEAR_D) || (g_vehicle.gear == GEAR_S)) &&
           (g_vehicle.ignition == IGN_ON) && doors_all_closed() && !g_vehicle.hand_brake;
}

status_t locking_step(void)
{
    status_t status = ST_OK;

    if (timer_expired(MOTOR_TIMER)) {
        hal_output(HAL_OUT_LOCK, false);
        hal_output(HAL_OUT_UNLOCK, false);
    }
    if (g_crash) {
        if (g_lock != LOCK_CRASH) {
            hal_output(HAL_OUT_UNLOCK, true);
            g_lock = LOCK_CRASH;
        }
        return ST_OK;
    }
    if (g_lock == LOCK_CRASH) {
        g_lock = LOCK_UNLOCKED;
    }
    if ((g_switches.sig.lock != 0U) && (g_switches.sig.unlock == 0U)) {
        status = locking_request(LOCK_REQ_LOCK, false);
    } else if ((g_switches.sig.unlock != 0U) && (g_switches.sig.lock == 0U)) {
        status = locking_request(LOCK_REQ_UNLOCK, false);
    } else if (auto_lock_due()) {
        status = locking_request(LOCK_REQ_LOCK, false);
        auto_locked = status == ST_OK;
    } else {
        moves = (moves > 0U) ? (uint8_t)(moves - 1U) : 0U;
    }
    return status;
}
