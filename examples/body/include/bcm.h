// SPDX-License-Identifier: Apache-2.0
// Body control: lights, indicators, wipers, doors, central locking, window lifts.
#ifndef BODY_BCM_H
#define BODY_BCM_H

#include "debounce.h"
#include "types.h"

typedef enum { LIGHT_SW_OFF = 0, LIGHT_SW_PARK, LIGHT_SW_AUTO, LIGHT_SW_ON } light_switch_t;

typedef union {
    uint8_t byte;
    struct {
        uint8_t low : 1;
        uint8_t high : 1;
        uint8_t fog : 1;
        uint8_t drl : 1;
        uint8_t fault_left : 1;
        uint8_t fault_right : 1;
        uint8_t dark : 1;
        uint8_t reserved : 1;
    } is;
} light_state_t;

typedef enum { IND_OFF = 0, IND_LEFT, IND_RIGHT, IND_HAZARD } indicator_t;

typedef enum {
    WIPER_SW_OFF = 0,
    WIPER_SW_ONCE,
    WIPER_SW_INTERVAL,
    WIPER_SW_SLOW,
    WIPER_SW_FAST
} wiper_switch_t;
typedef enum { WIPER_PARKED = 0, WIPER_SLOW, WIPER_FAST, WIPER_RETURNING, WIPER_STALLED } wiper_t;

#define DOOR_COUNT 6U
enum { DOOR_FL = 0, DOOR_FR, DOOR_RL, DOOR_RR, DOOR_BONNET, DOOR_TRUNK };
typedef void (*door_listener_t)(uint8_t door, bool open);

typedef enum { LOCK_UNLOCKED = 0, LOCK_LOCKED, LOCK_DOUBLE, LOCK_CRASH } lock_t;
typedef enum { LOCK_REQ_NONE = 0, LOCK_REQ_LOCK, LOCK_REQ_UNLOCK, LOCK_REQ_DOUBLE } lock_request_t;

typedef enum {
    WIN_CMD_NONE = 0,
    WIN_CMD_UP,
    WIN_CMD_DOWN,
    WIN_CMD_AUTO_UP,
    WIN_CMD_AUTO_DOWN
} window_cmd_t;
typedef enum {
    WIN_IDLE = 0,
    WIN_UP,
    WIN_DOWN,
    WIN_AUTO_UP,
    WIN_AUTO_DOWN,
    WIN_REVERSING,
    WIN_BLOCKED
} window_state_t;

typedef struct {
    window_state_t state;
    uint8_t index;
    uint8_t position; // percent open
    uint8_t reversals;
    float current; // filtered, ampere
    bool child_lock;
} window_t;

extern light_state_t g_lights;
extern indicator_t g_indicator;
extern bool g_crash; // debounced by the indicators, which must react first
extern wiper_t g_wiper;
extern uint8_t g_doors_open; // one bit per door
extern lock_t g_lock;
extern window_t g_windows[4];

status_t lights_step(void);
status_t indicators_step(void);
status_t wipers_step(void);

void doors_init(void);
void doors_listen(door_listener_t listener);
status_t doors_step(void);
bool doors_all_closed(void);

status_t locking_step(void);
status_t locking_request(lock_request_t request, bool from_key);

void windows_init(void);
status_t windows_step(void);
window_state_t window_step(window_t *window, window_cmd_t cmd, float ampere);
// Makes the follower take the leader's command and stop where the leader stopped.
status_t window_couple(window_t *leader, window_t *follower);

#endif
