// SPDX-License-Identifier: Apache-2.0
// What printf() writes can be read again.
#include <stdio.h>

int main(void)
{
    if (getchar() == EOF || !freopen("out", "w", stdout))
        return 0;
    printf("x");
    fflush(stdout);
    FILE *stream = fopen("out", "r");
    if (!stream)
        return 0;
    if (getc(stream) == 'x')
        return 1;
    return 0;
}
