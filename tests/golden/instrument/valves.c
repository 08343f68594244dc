// SPDX-License-Identifier: Apache-2.0
// The running example of BiTe (Figure 1), wrapped, with drivers as the harness
// writes them. Branches: 0 i<0, 1 i>=size, 2 wait1>0, 3 i<size, 4 KO, 5 alarm, 6 wait2>0.
#include "cz/driver.h"
#include <stdio.h>
#include <stdlib.h>

_Bool __cz_cond(unsigned id, _Bool value);

int size;
int valvesStatus[10];

int getStatusOfValve(int i)
{
    if (__cz_cond(0, (i < 0) != 0) || __cz_cond(1, (i >= size) != 0)) {
        printf("ERROR");
        exit(EXIT_FAILURE);
    }
    int status = valvesStatus[i];
    return status;
}

int checkValves(int wait1, int wait2)
{
    int count, i;
    while (__cz_cond(2, (wait1 > 0) != 0))
        wait1--;
    count = 0, i = 0;
    while (__cz_cond(3, (i < size) != 0)) {
        int status = getStatusOfValve(i);
        if (__cz_cond(4, (status == -1) != 0))
            count++;
        i++;
    }
    if (__cz_cond(5, (count > 2) != 0))
        printf("ALARM");
    while (__cz_cond(6, (wait2 > 0) != 0))
        wait2--;
    return count;
}

static void drive_checkValves(void)
{
    size = cz_i32(cz_root("size"));
    cz_array(cz_root("valvesStatus"), valvesStatus, CZ_I32, 10);
    checkValves(cz_i32(cz_root("arg:wait1")), cz_i32(cz_root("arg:wait2")));
}

static void drive_getStatusOfValve(void)
{
    size = cz_i32(cz_root("size"));
    cz_array(cz_root("valvesStatus"), valvesStatus, CZ_I32, 10);
    getStatusOfValve(cz_i32(cz_root("arg:i")));
}

const struct cz_task cz_tasks[] = {{"checkValves", drive_checkValves}, {"getStatusOfValve", drive_getStatusOfValve}};
const unsigned cz_task_count = 2;
