// SPDX-License-Identifier: Apache-2.0
// State of the C library that is there before the code under test begins: which of it is an
// input, and what is lost where it is none. In a whole program it is what every program
// starts with, but nothing fails there: that is presumed, and said.
#define _GNU_SOURCE 1
#include "library_state.h"
#include "../include/cz/driver.h"
#include <errno.h>
#include <fenv.h>

static uint32_t loss_of(uint32_t state)
{
    bool program = czrt_is_program();
    switch (state) {
    case CZRT_STATE_START:
    case CZRT_STATE_HIDDEN: return program ? WIRE_LOSS_COUNT : WIRE_LOSS_STATE;
    case CZRT_STATE_LOCALE: return program ? WIRE_LOSS_COUNT : WIRE_LOSS_LOCALE;
    case CZRT_STATE_SYSTEM: return program ? WIRE_LOSS_SUCCESS : WIRE_LOSS_COUNT;
    case CZRT_STATE_WORLD: return program ? WIRE_LOSS_SUCCESS : WIRE_LOSS_STATE;
    default: return WIRE_LOSS_COUNT;
    }
}

void czrt_state(uint32_t state)
{
    uint32_t loss = loss_of(state);
    if (czrt_running && loss < WIRE_LOSS_COUNT)
        czrt_loss(loss);
}

wire_label czrt_doubt(uint32_t state, wire_label label, uint32_t width, uint64_t value)
{
    uint32_t loss = loss_of(state);
    if (!czrt_running || loss == WIRE_LOSS_COUNT)
        return label;
    // A program hands descriptors around: a label would be compared at every call.
    if (label || !czrt_concolic || loss == WIRE_LOSS_SUCCESS) {
        czrt_loss(loss);
        return label;
    }
    return czrt_node(WIRE_BOUND, width, 0, 0, loss,
                     width < 64 ? value & ((1ull << width) - 1) : value);
}

void czrt_presume_locale(void)
{
    czrt_state(CZRT_STATE_LOCALE);
    czrt_ret = 0;
}

void czrt_presume_success(void)
{
    czrt_state(CZRT_STATE_WORLD);
    czrt_ret = 0;
}

void czrt_presume_text(const char *text, unsigned loss)
{
    for (; czrt_concolic; text++) {
        wire_label label = czrt_node(WIRE_BOUND, 8, 0, 0, loss, (uint8_t)*text);
        czrt_shadow_fill((void *)text, label, 1);
        if (!*text)
            break;
    }
    czrt_ret = 0;
}

// ---- errno ----

static bool errno_matters; // the task looks at it
static int hidden;
static wire_label doubtful; // label of errno that is in doubt already

void czrt_library_state_begin_run(void)
{
    errno_matters = false;
    doubtful = 0;
}

void czrt_set_errno(int number)
{
    errno = number;
    czrt_shadow_fill(&errno, 0, sizeof errno);
}

void cz_errno(cz_path at)
{
    int number = cz_i32(at);
    wire_label label = czrt_ret;
    errno_matters = true;
    czrt_set_errno(number);
    if (label)
        czrt_store(&errno, sizeof errno, label, 0);
    czrt_ret = 0;
}

// A call has failed: the number is an input, or the usual one where that is zero.
void czrt_fail(cz_path at, int usual)
{
    czrt_set_errno(usual);
    if (!errno_matters)
        return;
    int number = cz_i32(cz_part(at, "errno"));
    wire_label label = czrt_ret;
    if (number)
        czrt_set_errno(number);
    if (label) {
        wire_label given = czrt_binary(WIRE_NE, 32, label, 0, (uint32_t)number, 0);
        label = czrt_ite(32, given, label, 0, (uint32_t)number, (uint32_t)usual);
        czrt_store(&errno, sizeof errno, label, 0);
    }
    czrt_ret = 0;
}

void czrt_errno_hide(void)
{
    hidden = errno;
    errno = 0;
}

void czrt_errno_show(void)
{
    int number = errno;
    errno = hidden;
    if (number)
        czrt_set_errno(number);
}

// It keeps what it depends on: without the call's doing it is what it was.
void czrt_errno_doubt(void)
{
    if (!czrt_concolic)
        return;
    wire_label label = czrt_load(&errno, sizeof errno, 0);
    if (label && label == doubtful)
        return;
    wire_label doubt = czrt_doubt(CZRT_STATE_WORLD, 0, 32, label ? 0 : (uint32_t)errno);
    if (label && doubt)
        doubt = czrt_binary(WIRE_ADD, 32, label, doubt, (uint32_t)errno, 0);
    if (doubt)
        czrt_store(&errno, sizeof errno, doubt, 0);
    doubtful = doubt;
}

// ---- floating point ----

// The solver and the clean build round to nearest.
int czrt_fesetround(int mode)
{
    czrt_pin_argument(0, (uint64_t)mode);
    int result = fesetround(mode);
    if (mode != FE_TONEAREST)
        czrt_loss(WIRE_LOSS_STATE);
    czrt_ret = 0;
    return result;
}
