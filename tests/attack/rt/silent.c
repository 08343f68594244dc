/* SPDX-License-Identifier: Apache-2.0 */
/* For builds without run.c and world.c: no features, and nothing is prepared. */
#include "attack.h"

int feature(enum feature which)
{
    (void)which;
    return 0;
}

void prepare(void)
{
}

void note(const char *name, long long value)
{
    (void)name;
    (void)value;
}
