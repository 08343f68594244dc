// SPDX-License-Identifier: Apache-2.0
// Floating point with the real functions, for what the models leave over:
// the value is concrete. Labels on the argument mean that another input would have
// given another number, which is noted.
#define _GNU_SOURCE 1
#include "target_process.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONTINUING "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_+-.("

static void pin_pointers(const char *text, char **end)
{
    czrt_pin_argument(0, (uintptr_t)text);
    czrt_pin_argument(1, (uintptr_t)end);
}

static void finish(const char *text, char *stop, char **end)
{
    const wire_label *shadow = CZRT_SHADOW(text);
    czrt_extent_forget(text);
    // And the characters that ended it: another one may continue "0x", "1e-" or "infin".
    size_t looked_at = (size_t)(stop - text);
    looked_at += strspn(stop, CONTINUING) + 1;
    for (size_t i = 0; czrt_concolic && i < looked_at; i++)
        if (shadow[i] && !WIRE_IS_POISON(shadow[i])) {
            czrt_loss(WIRE_LOSS_CONCRETISED);
            break;
        }
    if (end) {
        *end = stop;
        czrt_shadow_fill(end, 0, sizeof *end);
    }
    czrt_ret = 0;
}

double czrt_strtod(const char *text, char **end)
{
    char *stop;
    pin_pointers(text, end);
    czrt_errno_hide();
    double value = strtod(text, &stop);
    czrt_errno_show();
    finish(text, stop, end);
    return value;
}

float czrt_strtof(const char *text, char **end)
{
    char *stop;
    pin_pointers(text, end);
    czrt_errno_hide();
    float value = strtof(text, &stop);
    czrt_errno_show();
    finish(text, stop, end);
    return value;
}

long double czrt_strtold(const char *text, char **end)
{
    char *stop;
    pin_pointers(text, end);
    czrt_errno_hide();
    long double value = strtold(text, &stop);
    czrt_errno_show();
    finish(text, stop, end);
    return value;
}

// ---- Functions of <math.h> that store a second result ----

// `place`: which argument says where it goes.
static void note_arguments(unsigned place, const void *to)
{
    czrt_pin_argument(place, (uintptr_t)to);
    if (czrt_concolic && (czrt_args[0] | czrt_args[1]))
        czrt_loss(WIRE_LOSS_CONCRETISED);
    czrt_ret = 0;
}

double czrt_frexp(double value, int *exponent)
{
    note_arguments(1, exponent);
    czrt_shadow_fill(exponent, 0, sizeof *exponent);
    return frexp(value, exponent);
}

float czrt_frexpf(float value, int *exponent)
{
    note_arguments(1, exponent);
    czrt_shadow_fill(exponent, 0, sizeof *exponent);
    return frexpf(value, exponent);
}

double czrt_modf(double value, double *whole)
{
    note_arguments(1, whole);
    czrt_shadow_fill(whole, 0, sizeof *whole);
    return modf(value, whole);
}

float czrt_modff(float value, float *whole)
{
    note_arguments(1, whole);
    czrt_shadow_fill(whole, 0, sizeof *whole);
    return modff(value, whole);
}

double czrt_remquo(double value, double by, int *quotient)
{
    note_arguments(2, quotient);
    czrt_shadow_fill(quotient, 0, sizeof *quotient);
    return remquo(value, by, quotient);
}
