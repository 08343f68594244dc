// SPDX-License-Identifier: Apache-2.0
// Door contacts: debounced one by one, published as a bit set, and announced to whoever
// registered as a listener.
#include "bcm.h"
#include "vehicle.h"

#define DOOR_SAMPLES 3U

uint8_t g_doors_open;

static debounce_t contacts[DOOR_COUNT];
static door_listener_t listener;

void doors_init(void)
{
    uint8_t i;

    for (i = 0U; i < DOOR_COUNT; i++) {
        contacts[i].count = 0U;
        contacts[i].threshold = DOOR_SAMPLES;
        contacts[i].stable = false;
    }
    g_doors_open = 0U;
    listener = NULL;
}

void doors_listen(door_listener_t callback)
{
    listener = callback;
}

static bool raw_contact(uint8_t door)
{
    bool open = false;

    switch (door) {
    case DOOR_FL:
        open = g_switches.sig.door_fl != 0U;
        break;
    case DOOR_FR:
        open = g_switches.sig.door_fr != 0U;
        break;
    case DOOR_RL:
        open = g_switches.sig.door_rl != 0U;
        break;
    case DOOR_RR:
        open = g_switches.sig.door_rr != 0U;
        break;
    case DOOR_BONNET:
        open = g_switches.sig.bonnet != 0U;
        break;
    default:
        open = g_switches.sig.trunk != 0U;
        break;
    }
    return open;
}

status_t doors_step(void)
{
    uint8_t door;

    for (door = 0U; door < DOOR_COUNT; door++) {
        if (debounce_step(&contacts[door], raw_contact(door))) {
            bool open = contacts[door].stable;

            if (open) {
                g_doors_open |= (uint8_t)(1U << door);
            } else {
                g_doors_open &= (uint8_t) ~(1U << door);
            }
            if (listener != NULL) {
                listener(door, open);
            }
        }
    }
    return ST_OK;
}

bool doors_all_closed(void)
{
    return g_doors_open == 0U;
}
