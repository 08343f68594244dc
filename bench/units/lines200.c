// SPDX-License-Identifier: Apache-2.0
// A file of ordinary size for the set-up time bench: a small command interpreter of
// a door unit with a checksum, a debouncer, a ring buffer and a state machine.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define RING_SIZE 16
#define DEBOUNCE 3

enum door_state { DOOR_CLOSED, DOOR_OPENING, DOOR_OPEN, DOOR_CLOSING, DOOR_BLOCKED };

struct frame {
    uint8_t id;
    uint8_t length;
    uint8_t data[8];
    uint8_t checksum;
};

struct door {
    enum door_state state;
    int position;
    int speed;
    unsigned retries : 3;
    unsigned locked : 1;
    unsigned child_lock : 1;
};

struct ring {
    uint8_t bytes[RING_SIZE];
    unsigned head, tail;
};

static struct ring input;
static int errors;

static uint8_t sum(const uint8_t *bytes, unsigned count)
{
    uint8_t total = 0;
    for (unsigned i = 0; i < count; i++)
        total = (uint8_t)(total * 31 + bytes[i]);
    return total;
}

int ring_put(struct ring *ring, uint8_t byte)
{
    unsigned next;
    if (!ring)
        return -1;
    next = (ring->head + 1) % RING_SIZE;
    if (next == ring->tail % RING_SIZE)
        return -2;
    ring->bytes[ring->head % RING_SIZE] = byte;
    ring->head = next;
    return 0;
}

int ring_get(struct ring *ring, uint8_t *byte)
{
    if (!ring || !byte)
        return -1;
    if (ring->head % RING_SIZE == ring->tail % RING_SIZE)
        return -2;
    *byte = ring->bytes[ring->tail % RING_SIZE];
    ring->tail = (ring->tail + 1) % RING_SIZE;
    return 0;
}

int frame_check(const struct frame *frame)
{
    if (!frame)
        return -1;
    if (frame->length > sizeof frame->data) {
        errors++;
        return -2;
    }
    if (sum(frame->data, frame->length) != frame->checksum) {
        errors++;
        return -3;
    }
    return 0;
}

int debounce(int level, int *count)
{
    if (!count)
        return 0;
    if (level) {
        if (*count < DEBOUNCE)
            ++*count;
    } else if (*count > 0) {
        --*count;
    }
    return *count >= DEBOUNCE;
}

static void door_stop(struct door *door)
{
    door->speed = 0;
    if (door->retries < 7)
        door->retries++;
    else
        door->state = DOOR_BLOCKED;
}

int door_step(struct door *door, int open_button, int close_button, int current_ma)
{
    if (!door)
        return -1;
    switch (door->state) {
    case DOOR_CLOSED:
        if (open_button && !door->locked && !(door->child_lock && close_button)) {
            door->state = DOOR_OPENING;
            door->speed = 10;
        }
        break;
    case DOOR_OPENING:
        if (current_ma > 4000) {
            door_stop(door);
        } else if (door->position >= 100) {
            door->state = DOOR_OPEN;
            door->speed = 0;
        } else {
            door->position += door->speed > 0 && door->speed < 20 ? door->speed : 1;
        }
        break;
    case DOOR_OPEN:
        if (close_button && !open_button) {
            door->state = DOOR_CLOSING;
            door->speed = -10;
        }
        break;
    case DOOR_CLOSING:
        if (current_ma > 3000) {
            door_stop(door);
            door->state = DOOR_OPENING;
        } else if (door->position <= 0) {
            door->state = DOOR_CLOSED;
            door->speed = 0;
        } else {
            door->position--;
        }
        break;
    case DOOR_BLOCKED:
        if (open_button && close_button)
            door->state = DOOR_CLOSED;
        break;
    default:
        return -2;
    }
    return door->position;
}

int command(const char *text, struct door *door)
{
    if (!text || !door)
        return -1;
    if (strcmp(text, "open") == 0)
        return door_step(door, 1, 0, 0);
    if (strcmp(text, "close") == 0)
        return door_step(door, 0, 1, 0);
    if (strncmp(text, "lock", 4) == 0) {
        door->locked = text[4] != '0';
        return door->locked;
    }
    return -2;
}

int pump_input(const uint8_t *bytes, unsigned count)
{
    unsigned taken = 0;
    if (!bytes)
        return -1;
    while (taken < count && taken < 8) {
        if (ring_put(&input, bytes[taken]) != 0)
            break;
        taken++;
    }
    return (int)taken;
}

int main(void)
{
    struct door door = {DOOR_CLOSED, 0, 0, 0, 0, 0};
    char line[32];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        printf("%d\n", command(line, &door));
    }
    return errors != 0;
}
