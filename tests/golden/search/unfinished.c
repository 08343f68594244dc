// SPDX-License-Identifier: Apache-2.0
// A longjmp out of a decision leaves its evaluation unfinished: no vector.
#include <setjmp.h>

static jmp_buf where;

static int jumps(int b)
{
    if (b > 9)
        longjmp(where, 1);
    return b;
}

int unfinished(int a, int b)
{
    if (setjmp(where))
        return -1;
    if (a && jumps(b) > 3)
        return 1;
    return 0;
}
