// SPDX-License-Identifier: Apache-2.0
// Challenge and response with the transponder: a session is opened, a challenge sent, an
// answer must come in time. Too many wrong answers lock the unit out for a while that
// doubles with every lockout.
#include "calib.h"
#include "fault.h"
#include "smk.h"

#define ANSWER_MS         200U
#define LOCKOUT_MS        5000U
#define LOCKOUT_DOUBLINGS 3U

static auth_state_t state;
static uint8_t active_slot;
static uint32_t active_challenge;
static uint16_t left_ms;
static uint8_t wrong;
static uint8_t lockouts;

void smk_auth_open(void)
{
    if ((state == AUTH_CLOSED) || (state == AUTH_GRANTED)) {
        state = AUTH_IDLE;
    }
}

auth_state_t smk_auth_state(void)
{
    return state;
}

status_t smk_auth_challenge(uint8_t slot, uint32_t *challenge)
{
    if (challenge == NULL) {
        return ST_NULL;
    }
    if ((slot >= KEY_SLOTS) || !g_keys[slot].learned) {
        return ST_RANGE;
    }
    if (state != AUTH_IDLE) {
        return (state == AUTH_CHALLENGED) ? ST_PENDING : ST_DENIED;
    }
    active_slot = slot;
    active_challenge = smk_random();
    left_ms = ANSWER_MS;
    state = AUTH_CHALLENGED;
    *challenge = active_challenge;
    return ST_OK;
}

static uint32_t expected_response(void)
{
    uint32_t block[2];

    block[0] = active_challenge;
    block[1] = active_challenge ^ 0xA5A5A5A5U;
    // The driver's index was checked when the challenge went out.
    smk_encrypt(g_keys[active_slot].secret, block);
    return block[0] ^ block[1];
}

static void lock_out(void)
{
    uint8_t doublings = (lockouts > LOCKOUT_DOUBLINGS) ? LOCKOUT_DOUBLINGS : lockouts;

    left_ms = (uint16_t)(LOCKOUT_MS << doublings);
    lockouts = sat_inc_u8(lockouts);
    state = AUTH_LOCKED_OUT;
    (void)fault_set(FAULT_KEY_LOCKOUT, FAULT_COMFORT);
}

status_t smk_auth_answer(uint32_t response)
{
    if (state != AUTH_CHALLENGED) {
        return ST_DENIED;
    }
    if (response == expected_response()) {
        state = AUTH_GRANTED;
        wrong = 0U;
        lockouts = 0U;
        return ST_OK;
    }
    wrong = sat_inc_u8(wrong);
    if (wrong >= g_calib.key.max_tries) {
        wrong = 0U;
        lock_out();
    } else {
        state = AUTH_IDLE;
    }
    return ST_CHECK;
}

void smk_auth_tick(uint16_t elapsed_ms)
{
    if ((state != AUTH_CHALLENGED) && (state != AUTH_LOCKED_OUT)) {
        return;
    }
    if (elapsed_ms < left_ms) {
        left_ms = (uint16_t)(left_ms - elapsed_ms);
        return;
    }
    left_ms = 0U;
    state = AUTH_IDLE;
}
