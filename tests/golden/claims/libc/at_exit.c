// SPDX-License-Identifier: Apache-2.0
// Handlers that run after main() has returned.
#include <stdlib.h>

static int state;

static void at_end(int status, void *argument)
{
    (void)argument;
    if (status == 3)
        state = 1;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (on_exit(at_end, NULL) != 0)
        return 2;
    return argc > 1 ? 3 : 0;
}
