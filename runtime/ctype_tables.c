// SPDX-License-Identifier: Apache-2.0
// glibc's <ctype.h> expands isalpha(c) to (*__ctype_b_loc())[c] & mask: the code
// under test indexes a table. Ours are copies of the C locale's tables, registered
// as constant objects, so that a symbolic c becomes a read of a known array.
#define _GNU_SOURCE 1
#include "target_process.h"
#include <ctype.h>
#include <string.h>

#define ENTRIES 384 // for -128 .. 255

static unsigned short classes[ENTRIES];
static int32_t lower[ENTRIES], upper[ENTRIES];
static const unsigned short *classes_at = classes + 128;
static const int32_t *lower_at = lower + 128, *upper_at = upper + 128;

void czrt_ctype_init(void)
{
    memcpy(classes, *__ctype_b_loc() - 128, sizeof classes);
    memcpy(lower, *__ctype_tolower_loc() - 128, sizeof lower);
    memcpy(upper, *__ctype_toupper_loc() - 128, sizeof upper);
    czrt_object_add_const(classes, sizeof classes);
    czrt_object_add_const(lower, sizeof lower);
    czrt_object_add_const(upper, sizeof upper);
    czrt_object_add_const(&classes_at, sizeof classes_at);
    czrt_object_add_const(&lower_at, sizeof lower_at);
    czrt_object_add_const(&upper_at, sizeof upper_at);
}

const unsigned short **czrt___ctype_b_loc(void)
{
    czrt_ret = 0;
    return &classes_at;
}

const int32_t **czrt___ctype_tolower_loc(void)
{
    czrt_ret = 0;
    return &lower_at;
}

const int32_t **czrt___ctype_toupper_loc(void)
{
    czrt_ret = 0;
    return &upper_at;
}
