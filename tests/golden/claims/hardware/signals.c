// SPDX-License-Identifier: Apache-2.0
// Signals come from outside, and whether one is ignored is inherited.
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t got;

static void handler(int number)
{
    got = number;
    if (number == SIGINT) /* called */
        puts("interrupted");
}

int main(void)
{
    if (signal(SIGINT, SIG_IGN) == SIG_IGN) /* inherited */
        return 1;
    signal(SIGINT, handler);
    if (got) /* came */
        return 2;
    return 0;
}
