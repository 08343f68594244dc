/* SPDX-License-Identifier: Apache-2.0 */
/* For --interleave: tick() is a handler, timer_isr() and its like are perhaps some. */
volatile int port;
static int ticks, expired;

__attribute__((interrupt)) void tick(void)
{
    ticks++;
}

/* An ordinary function can be interrupted. */
int timer_isr(void)
{
    int before = ticks;
    (void)port;
    if (ticks != before)
        return 1;
    expired = 1;
    return 0;
}

/* A handler can interrupt. */
int work(void)
{
    expired = 0;
    (void)port;
    if (expired)
        return 1;
    return 0;
}
