// SPDX-License-Identifier: Apache-2.0
// The unit as a whole: start-up, the route of received frames, the messages it sends.
#ifndef BODY_BODY_H
#define BODY_BODY_H

#include "can.h"
#include "types.h"

typedef status_t (*body_route_t)(const can_frame_t *frame);

status_t body_init(void);
status_t body_receive(const can_frame_t *frame);

// Feeds a gateway stream; returns how many frames were accepted.
uint8_t body_receive_stream(const uint8_t *bytes, size_t len);
void body_tick(uint16_t elapsed_ms);

// What is sent, in publish.c.
status_t body_publish(void);
uint8_t body_wake_reason(const can_body_status_t *before, const can_body_status_t *now);

#endif
