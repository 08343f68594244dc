// SPDX-License-Identifier: Apache-2.0
// Smart key: challenge and response, rolling codes of the remote, where the key is, and
// whether the engine may start.
#ifndef BODY_SMK_H
#define BODY_SMK_H

#include "can.h"
#include "types.h"

#define KEY_SLOTS 5U

typedef enum { KEY_NOWHERE = 0, KEY_OUTSIDE, KEY_INSIDE } key_zone_t;
typedef enum {
    KEY_BTN_NONE = 0,
    KEY_BTN_LOCK,
    KEY_BTN_UNLOCK,
    KEY_BTN_TRUNK,
    KEY_BTN_PANIC
} key_button_t;
typedef enum {
    AUTH_CLOSED = 0,
    AUTH_IDLE,
    AUTH_CHALLENGED,
    AUTH_GRANTED,
    AUTH_LOCKED_OUT
} auth_state_t;

typedef struct {
    uint32_t secret[4];
    uint16_t counter;
    uint16_t resync; // first of two codes beyond the window, 0 for none
    bool learned;
    bool resyncing;
} key_slot_t;

extern key_slot_t g_keys[KEY_SLOTS];
extern key_zone_t g_key_zone;

// Cipher.
void smk_encrypt(const uint32_t key[4], uint32_t block[2]);
uint16_t smk_mac16(const uint32_t key[4], uint32_t message);
uint32_t smk_random(void);
void smk_seed(uint32_t entropy);
bool smk_seed_plausible(uint16_t seed);

// Rolling codes.
status_t smk_remote(const can_frame_t *frame, key_button_t *button);

// Challenge and response: open, challenge, then answer.
void smk_auth_open(void);
status_t smk_auth_challenge(uint8_t slot, uint32_t *challenge);
status_t smk_auth_answer(uint32_t response);
void smk_auth_tick(uint16_t elapsed_ms);
auth_state_t smk_auth_state(void);

// Proximity.
status_t smk_locate(key_zone_t *zone);
status_t smk_proximity_step(void);

// Start permission.
bool smk_start_allowed(void);
status_t smk_start_step(void);

#endif
