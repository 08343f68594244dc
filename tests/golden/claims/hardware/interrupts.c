// SPDX-License-Identifier: Apache-2.0
static int count;
static volatile int flag;

__attribute__((interrupt)) void timer_isr(void *frame)
{
    (void)frame;
    count++;
    flag = 1;
}

int waits(void)
{
    count = 0;
    while (!flag)
        ;
    if (count == 1) /* presumed */
        return 1;
    return 0;
}

int alone(int x)
{
    int twice = (x & 0xff) * 2;
    if (twice == 7) /* never */
        return 1;
    return 0;
}
