// SPDX-License-Identifier: Apache-2.0
// Fault memory: active faults in a linked list (worst first), their history in a ring.
#ifndef BODY_FAULT_H
#define BODY_FAULT_H

#include "types.h"

#define FAULT_CAN_BASE     0x1000U
#define FAULT_TIMEOUT_BASE 0x2000U
#define FAULT_TX_FULL      0x3001U
#define FAULT_SCHED        0x3002U
#define FAULT_CALIB        0x3003U
#define FAULT_LAMP_LEFT    0x4001U
#define FAULT_LAMP_RIGHT   0x4002U
#define FAULT_WIPER_STALL  0x4010U
#define FAULT_WINDOW_BASE  0x4020U
#define FAULT_LOCK         0x4030U
#define FAULT_KEY_LOCKOUT  0x5001U
#define FAULT_KEY_BATTERY  0x5002U
#define FAULT_TYRE_BASE    0x6000U
#define FAULT_TYRE_ID      0x6010U
#define FAULT_PARK_BASE    0x7000U

typedef enum { FAULT_INFO = 0, FAULT_COMFORT, FAULT_SAFETY } fault_class_t;

typedef struct fault_node {
    uint32_t code;
    fault_class_t level;
    uint8_t occurrences;
    uint8_t healing; // drive cycles without the fault
    struct fault_node *next;
} fault_node_t;

typedef enum { LAMP_OFF = 0, LAMP_STEADY, LAMP_SLOW, LAMP_FAST } lamp_pattern_t;

typedef void (*fault_visitor_t)(const fault_node_t *node, void *context);

void fault_init(void);
status_t fault_set(uint32_t code, fault_class_t level);
status_t fault_clear(uint32_t code);
void fault_clear_all(void);
uint8_t fault_count(void);
const fault_node_t *fault_list(void);
const fault_node_t *fault_find(const fault_node_t *list, uint32_t code);

// Calls visit for every active fault of at least this class; returns how many.
uint8_t fault_visit(fault_class_t at_least, fault_visitor_t visit, void *context);

// How the warning lamp shows a list of faults.
lamp_pattern_t fault_lamp(const fault_node_t *list);

// At the end of a drive cycle: heals, forgets healed faults, returns how many were left.
uint8_t fault_cycle(void);

// Merges what two nodes know about one fault into the first; the same node twice is refused.
status_t fault_merge(fault_node_t *into, fault_node_t *from);

// Entry of the history, 0 is the newest.
status_t fault_history(uint8_t back, uint32_t *code);

#endif
