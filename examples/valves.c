// SPDX-License-Identifier: Apache-2.0
// The running example of the BiTe paper (Figure 1): count the valves that are out of
// order. getStatusOfValve is static here, so that checkValves is its only caller, and
// then cannot see an index out of range:
// both of its error branches are infeasible.
#include <stdio.h>
#include <stdlib.h>

#define VALVE_KO(status) status == -1
#define TOLERANCE 2

extern int size;
extern int valvesStatus[];

static int getStatusOfValve(int i)
{
    if (i < 0 || i >= size) {
        printf("ERROR");
        exit(EXIT_FAILURE);
    }

    int status = valvesStatus[i];
    return status;
}

int checkValves(int wait1, int wait2)
{
    int count, i;

    while (wait1 > 0)
        wait1--;
    count = 0, i = 0;
    while (i < size) {
        int status = getStatusOfValve(i);

        if (VALVE_KO(status)) {
            count++;
        }
        i++;
    }

    if (count > TOLERANCE)
        printf("ALARM");

    while (wait2 > 0)
        wait2--;

    return count;
}
