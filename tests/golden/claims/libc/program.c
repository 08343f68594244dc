// SPDX-License-Identifier: Apache-2.0
// A whole program starts with a state that is known.
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    if (errno == EINTR)
        return 1;
    if (optind == 4)
        return 2;
    if (signal(SIGINT, SIG_DFL) == SIG_IGN)
        return 3;
    int c = getchar();
    if (isalpha(c) && c == '7')
        return 4;
    if (lseek(0, 0, SEEK_END) > 100)
        return 6;
    char *p = malloc(3);
    if (!p)
        return 5;
    return 0;
}
