// SPDX-License-Identifier: Apache-2.0
// Learning and moving sensors. Unknown sensors wait in a list of candidates until one has
// been heard often enough; after a tyre rotation the workshop reorders them.
#include "fault.h"
#include "tpms.h"

#define CANDIDATES   6U
#define HEARD_ENOUGH 3U

static tpms_candidate_t pool[CANDIDATES];
static tpms_candidate_t *waiting;
static uint8_t pool_used;

const tpms_candidate_t *tpms_best_candidate(const tpms_candidate_t *list)
{
    const tpms_candidate_t *best = NULL;
    const tpms_candidate_t *node;

    for (node = list; node != NULL; node = node->next) {
        if ((node->id != 0U) && (node->motion == 3U) &&
            ((best == NULL) || (node->heard > best->heard))) {
            best = node;
        }
    }
    // Two sensors heard equally often at the head of the list are a neighbour's car.
    if ((best != NULL) && (best->next != NULL) && (best->next->next != NULL) &&
        (best->next->heard == best->heard) && (best->next->next->heard == best->heard)) {
        best = NULL;
    }
    return best;
}

static tpms_candidate_t *candidate_for(uint32_t id)
{
    tpms_candidate_t *node = waiting;

    while ((node != NULL) && (node->id != id)) {
        node = node->next;
    }
    if ((node == NULL) && (pool_used < CANDIDATES)) {
        node = &pool[pool_used];
        pool_used++;
        node->id = id;
        node->heard = 0U;
        node->next = waiting;
        waiting = node;
    }
    return node;
}

static wheel_t free_wheel(void)
{
    uint8_t i;

    for (i = 0U; i < (uint8_t)WHEEL_COUNT; i++) {
        if (g_tyres[i].id == 0U) {
            return (wheel_t)i;
        }
    }
    return WHEEL_COUNT;
}

status_t tpms_learn(uint32_t id, uint8_t motion, wheel_t wheel)
{
    tpms_candidate_t *node;

    if (id == 0U) {
        return ST_RANGE;
    }
    node = candidate_for(id);
    if (node == NULL) {
        return ST_FULL;
    }
    node->motion = motion;
    node->heard = sat_inc_u8(node->heard);
    if ((node->heard < HEARD_ENOUGH) || (tpms_best_candidate(waiting) != node)) {
        return ST_PENDING;
    }
    if ((uint32_t)wheel >= (uint32_t)WHEEL_COUNT) {
        wheel = free_wheel();
    }
    if (wheel == WHEEL_COUNT) {
        return ST_DENIED;
    }
    g_tyres[wheel].id = id;
    g_tyres[wheel].state = TYRE_UNKNOWN;
    node->id = 0U; // the place in the list stays, the candidate is gone
    return ST_OK;
}

status_t tpms_swap(tpms_wheel_t *a, tpms_wheel_t *b)
{
    if ((a == NULL) || (b == NULL)) {
        return ST_NULL;
    }
    if ((a->id == 0U) || (b->id == 0U)) {
        return ST_RANGE;
    }
    // Without a temporary, as the bootloader's shared code does it. With a wheel swapped
    // with itself this loses the id, which is caught below.
    a->id ^= b->id;
    b->id ^= a->id;
    a->id ^= b->id;
    if (a->id == 0U) {
        (void)fault_set(FAULT_TYRE_ID, FAULT_COMFORT);
        return ST_CHECK;
    }
    a->state = TYRE_UNKNOWN;
    b->state = TYRE_UNKNOWN;
    return ST_OK;
}

static bool is_permutation(const uint8_t order[WHEEL_COUNT])
{
    uint8_t seen = 0U;
    uint8_t i;

    for (i = 0U; i < (uint8_t)WHEEL_COUNT; i++) {
        if (order[i] >= (uint8_t)WHEEL_COUNT) {
            return false;
        }
        seen |= (uint8_t)(1U << order[i]);
    }
    return seen == 0x0FU;
}

status_t tpms_rotate(const uint8_t order[WHEEL_COUNT])
{
    uint32_t ids[WHEEL_COUNT];
    uint8_t i;

    if (order == NULL) {
        return ST_NULL;
    }
    if (!is_permutation(order)) {
        return ST_RANGE;
    }
    for (i = 0U; i < (uint8_t)WHEEL_COUNT; i++) {
        ids[i] = g_tyres[order[i]].id;
    }
    for (i = 0U; i < (uint8_t)WHEEL_COUNT; i++) {
        if (g_tyres[i].id != ids[i]) {
            g_tyres[i].id = ids[i];
            g_tyres[i].state = TYRE_UNKNOWN;
        }
    }
    return ST_OK;
}
