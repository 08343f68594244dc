// SPDX-License-Identifier: Apache-2.0
// Diagnostic services over byte buffers, in the manner of UDS: a request of length n, a
// response buffer of a capacity, and the length of the response as the result.
#ifndef BODY_DIAG_H
#define BODY_DIAG_H

#include "types.h"

#define DIAG_ROUTINES 4U

typedef enum { DIAG_DEFAULT = 1, DIAG_PROGRAMMING = 2, DIAG_EXTENDED = 3 } diag_session_t;

// Negative response codes.
#define NRC_NOT_SUPPORTED 0x11U
#define NRC_SUBFUNCTION   0x12U
#define NRC_LENGTH        0x13U
#define NRC_SEQUENCE      0x24U
#define NRC_RANGE         0x31U
#define NRC_LOCKED        0x33U
#define NRC_BAD_KEY       0x35U
#define NRC_TOO_MANY      0x36U
#define NRC_SESSION       0x7FU

typedef struct {
    const uint8_t *request;
    uint16_t request_len;
    uint8_t *response;
    uint16_t capacity;
    uint16_t length; // of the response so far
} diag_call_t;

// Returns 0 for a positive response, else a negative response code.
typedef uint8_t (*diag_handler_t)(diag_call_t *call);
typedef uint8_t (*diag_routine_t)(const uint8_t *option, uint16_t len);

typedef struct {
    uint8_t service;
    uint16_t min_len;
    uint16_t max_len;
    bool extended_only;
    bool unlocked_only;
    diag_handler_t handler;
} diag_service_t;

void diag_init(void);
uint16_t diag_request(const uint8_t *request, uint16_t len, uint8_t *response, uint16_t capacity);
status_t diag_add_routine(uint16_t id, diag_routine_t run);
bool diag_unlocked(void);

// What the handlers need from the dispatcher.
bool diag_put(diag_call_t *call, uint8_t byte);
bool diag_put_u32(diag_call_t *call, uint32_t value);

// The handlers, in diag_services.c.
uint8_t diag_read_data(diag_call_t *call);
uint8_t diag_write_data(diag_call_t *call);
uint8_t diag_read_faults(diag_call_t *call);
uint8_t diag_clear_faults(diag_call_t *call);

#endif
