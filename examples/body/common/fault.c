// SPDX-License-Identifier: Apache-2.0
// Fault memory. Nodes come from a fixed pool through a free list; the active list is kept
// sorted so that the worst fault is the first, because the lamp and the tester look at
// the head only.
#include "fault.h"

#define POOL_SIZE    12U
#define HISTORY_SIZE 8U
#define HEAL_CYCLES  3U

static fault_node_t pool[POOL_SIZE];
static fault_node_t *free_list;
static fault_node_t *active_list;
static uint32_t history[HISTORY_SIZE];
static uint8_t history_next;
static uint8_t history_used;
static bool ready;

void fault_init(void)
{
    uint8_t i;

    free_list = NULL;
    active_list = NULL;
    for (i = 0U; i < POOL_SIZE; i++) {
        pool[i].next = free_list;
        free_list = &pool[i];
    }
    history_next = 0U;
    history_used = 0U;
    ready = true;
}

static void remember(uint32_t code)
{
    history[history_next % HISTORY_SIZE] = code;
    history_next = (uint8_t)((history_next + 1U) % HISTORY_SIZE);
    if (history_used < HISTORY_SIZE) {
        history_used++;
    }
}

const fault_node_t *fault_find(const fault_node_t *list, uint32_t code)
{
    const fault_node_t *node = list;

    while ((node != NULL) && (node->code != code)) {
        node = node->next;
    }
    return node;
}

static void insert_sorted(fault_node_t *node)
{
    fault_node_t **link = &active_list;

    while ((*link != NULL) && ((*link)->level > node->level)) {
        link = &(*link)->next;
    }
    node->next = *link;
    *link = node;
}

status_t fault_set(uint32_t code, fault_class_t level)
{
    fault_node_t *node = active_list;

    if (!ready) {
        return ST_DENIED;
    }
    while ((node != NULL) && (node->code != code)) {
        node = node->next;
    }
    if (node != NULL) {
        node->occurrences = sat_inc_u8(node->occurrences);
        node->healing = 0U;
        return ST_PENDING;
    }
    if (free_list == NULL) {
        return ST_FULL;
    }
    node = free_list;
    free_list = node->next;
    node->code = code;
    node->level = level;
    node->occurrences = 1U;
    node->healing = 0U;
    insert_sorted(node);
    remember(code);
    return ST_OK;
}

static void release(fault_node_t **link)
{
    fault_node_t *node = *link;

    *link = node->next;
    node->next = free_list;
    free_list = node;
}

status_t fault_clear(uint32_t code)
{
    fault_node_t **link = &active_list;

    while (*link != NULL) {
        if ((*link)->code == code) {
            release(link);
            return ST_OK;
        }
        link = &(*link)->next;
    }
    return ST_RANGE;
}

void fault_clear_all(void)
{
    while (active_list != NULL) {
        release(&active_list);
    }
}

uint8_t fault_count(void)
{
    const fault_node_t *node;
    uint8_t count = 0U;

    for (node = active_list; node != NULL; node = node->next) {
        count++;
    }
    return count;
}

const fault_node_t *fault_list(void)
{
    return active_list;
}

uint8_t fault_visit(fault_class_t at_least, fault_visitor_t visit, void *context)
{
    const fault_node_t *node;
    uint8_t count = 0U;

    for (node = active_list; node != NULL; node = node->next) {
        if (node->level >= at_least) {
            if (visit != NULL) {
                visit(node, context);
            }
            count++;
        }
    }
    return count;
}

lamp_pattern_t fault_lamp(const fault_node_t *list)
{
    const fault_node_t *second;
    const fault_node_t *third;

    if (list == NULL) {
        return LAMP_OFF;
    }
    if (list->level != FAULT_SAFETY) {
        return (list->level == FAULT_COMFORT) ? LAMP_STEADY : LAMP_OFF;
    }
    second = list->next;
    if ((second == NULL) || (second->level != FAULT_SAFETY)) {
        return LAMP_SLOW;
    }
    // Three safety faults, or two of which one keeps coming back, blink fast.
    third = second->next;
    if ((third != NULL) && (third->level == FAULT_SAFETY) && (third->code != second->code)) {
        return LAMP_FAST;
    }
    if ((list->occurrences > 3U) || (second->occurrences > 3U)) {
        return LAMP_FAST;
    }
    return LAMP_SLOW;
}

uint8_t fault_cycle(void)
{
    fault_node_t **link = &active_list;

    while (*link != NULL) {
        fault_node_t *node = *link;

        node->healing = sat_inc_u8(node->healing);
        if ((node->healing >= HEAL_CYCLES) && (node->level != FAULT_SAFETY)) {
            release(link);
        } else {
            link = &node->next;
        }
    }
    return fault_count();
}

status_t fault_merge(fault_node_t *into, fault_node_t *from)
{
    uint16_t sum;

    if ((into == NULL) || (from == NULL)) {
        return ST_NULL;
    }
    if (into->code != from->code) {
        return ST_RANGE;
    }
    if (into == from) {
        return ST_DENIED;
    }
    sum = (uint16_t)((uint16_t)into->occurrences + from->occurrences);
    into->occurrences = (sum > 0xFFU) ? 0xFFU : (uint8_t)sum;
    if (from->level > into->level) {
        into->level = from->level;
    }
    if (from->healing < into->healing) {
        into->healing = from->healing;
    }
    from->occurrences = 0U;
    return ST_OK;
}

status_t fault_history(uint8_t back, uint32_t *code)
{
    uint8_t index;

    if (code == NULL) {
        return ST_NULL;
    }
    if (back >= history_used) {
        return ST_RANGE;
    }
    index = (uint8_t)((history_next + (2U * HISTORY_SIZE) - 1U - back) % HISTORY_SIZE);
    *code = history[index];
    return ST_OK;
}
