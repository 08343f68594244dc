// SPDX-License-Identifier: Apache-2.0
// Window lifts with pinch protection: while a window closes by itself, a motor current
// that is too high or rises too fast reverses it. Close to the seal the current always
// rises, so the last percents are not judged.
#include "bcm.h"
#include "calib.h"
#include "fault.h"
#include "hal.h"
#include "vehicle.h"

#define STEP_PERCENT       2U
#define SEAL_PERCENT       4U
#define REVERSE_TO_PERCENT 50U
#define MAX_REVERSALS      3U
#define AMPERE_PER_COUNT   0.005f
#define CURRENT_GAIN       0.5f

window_t g_windows[4];

void windows_init(void)
{
    uint8_t i;

    for (i = 0U; i < ARRAY_LEN(g_windows); i++) {
        g_windows[i].state = WIN_IDLE;
        g_windows[i].index = i;
        g_windows[i].position = 0U;
        g_windows[i].reversals = 0U;
        g_windows[i].current = 0.0f;
        g_windows[i].child_lock = false;
    }
}

static bool pinched(window_t *window, float ampere)
{
    float slope = ampere - window->current;

    window->current += CURRENT_GAIN * slope;
    if (window->position <= SEAL_PERCENT) {
        return false;
    }
    return (window->current > g_calib.body.pinch_ampere) || (slope > g_calib.body.pinch_slope);
}

static bool move(window_t *window, bool up)
{
    if (up) {
        if (window->position <= STEP_PERCENT) {
            window->position = 0U;
            return false;
        }
        window->position = (uint8_t)(window->position - STEP_PERCENT);
    } else {
        if (window->position >= (100U - STEP_PERCENT)) {
            window->position = 100U;
            return false;
        }
        window->position = (uint8_t)(window->position + STEP_PERCENT);
    }
    return true;
}

static window_state_t reverse(window_t *window)
{
    window->reversals = sat_inc_u8(window->reversals);
    if (window->reversals >= MAX_REVERSALS) {
        (void)fault_set(FAULT_WINDOW_BASE + window->index, FAULT_COMFORT);
        return WIN_BLOCKED;
    }
    return WIN_REVERSING;
}

static window_state_t command(const window_t *window, window_cmd_t cmd)
{
    window_state_t next;

    switch (cmd) {
    case WIN_CMD_NONE:
        next = WIN_IDLE;
        break;
    case WIN_CMD_UP:
        next = WIN_UP;
        break;
    case WIN_CMD_DOWN:
        next = WIN_DOWN;
        break;
    case WIN_CMD_AUTO_UP:
        // After a reversal the automatic is off until the window was closed by hand.
        next = (window->reversals == 0U) ? WIN_AUTO_UP : WIN_UP;
        break;
    case WIN_CMD_AUTO_DOWN:
        next = WIN_AUTO_DOWN;
        break;
    default:
        next = WIN_IDLE;
        break;
    }
    return next;
}

window_state_t window_step(window_t *window, window_cmd_t cmd, float ampere)
{
    if (window == NULL) {
        return WIN_IDLE;
    }
    if (window->child_lock && (cmd != WIN_CMD_NONE) && (window->index >= 2U)) {
        cmd = WIN_CMD_NONE;
    }
    switch (window->state) {
    case WIN_IDLE:
        window->current = ampere;
        window->state = command(window, cmd);
        break;
    case WIN_UP:
        // By hand the driver is responsible; reaching the seal clears the history.
        if (cmd != WIN_CMD_UP) {
            window->state = command(window, cmd);
        } else if (!move(window, true)) {
            window->reversals = 0U;
            window->state = WIN_IDLE;
        } else {
            window->current = ampere;
        }
        break;
    case WIN_DOWN:
        if ((cmd != WIN_CMD_DOWN) || !move(window, false)) {
            window->state = WIN_IDLE;
        }
        break;
    case WIN_AUTO_UP:
        if (pinched(window, ampere)) {
            window->state = reverse(window);
        } else if ((cmd == WIN_CMD_DOWN) || (cmd == WIN_CMD_AUTO_DOWN) || !move(window, true)) {
            window->state = WIN_IDLE;
        } else {
            // Still closing.
        }
        break;
    case WIN_AUTO_DOWN:
        if ((cmd == WIN_CMD_UP) || (cmd == WIN_CMD_AUTO_UP) || !move(window, false)) {
            window->state = WIN_IDLE;
        }
        break;
    case WIN_REVERSING:
        if (window->position >= REVERSE_TO_PERCENT) {
            window->state = WIN_IDLE;
        } else {
            (void)move(window, false);
        }
        break;
    case WIN_BLOCKED:
        if (cmd == WIN_CMD_DOWN) {
            window->reversals = 1U;
            window->state = WIN_DOWN;
        }
        break;
    default:
        window->state = WIN_IDLE;
        break;
    }
    return window->state;
}

status_t windows_step(void)
{
    uint8_t selected = g_switches.sig.window_index;
    uint16_t counts = 0U;
    uint8_t i;

    if (hal_adc_read(HAL_ADC_WINDOW_CURRENT, &counts) != ST_OK) {
        // Without the current there is no protection: nothing may close by itself.
        for (i = 0U; i < ARRAY_LEN(g_windows); i++) {
            if (g_windows[i].state == WIN_AUTO_UP) {
                g_windows[i].state = WIN_IDLE;
            }
        }
        return ST_TIMEOUT;
    }
    for (i = 0U; i < ARRAY_LEN(g_windows); i++) {
        window_cmd_t cmd = (i == selected) ? (window_cmd_t)g_switches.sig.window_cmd : WIN_CMD_NONE;

        if ((g_vehicle.ignition == IGN_OFF) && doors_all_closed()) {
            cmd = WIN_CMD_NONE;
        }
        g_windows[i].child_lock = g_switches.sig.child_lock != 0U;
        (void)window_step(&g_windows[i], cmd, (float)counts * AMPERE_PER_COUNT);
    }
    return ST_OK;
}

status_t window_couple(window_t *leader, window_t *follower)
{
    uint8_t stop;

    if ((leader == NULL) || (follower == NULL)) {
        return ST_NULL;
    }
    if ((leader->state != WIN_AUTO_UP) && (leader->state != WIN_AUTO_DOWN)) {
        return ST_DENIED;
    }
    stop = leader->position;
    follower->state = WIN_IDLE;
    follower->reversals = leader->reversals;
    // A leader that fell idle by this was its own follower: put it back.
    if (leader->state == WIN_IDLE) {
        leader->state = (stop > REVERSE_TO_PERCENT) ? WIN_AUTO_DOWN : WIN_AUTO_UP;
        return ST_RANGE;
    }
    if (follower->position != stop) {
        follower->state = (follower->position > stop) ? WIN_AUTO_UP : WIN_AUTO_DOWN;
    }
    return ST_OK;
}
