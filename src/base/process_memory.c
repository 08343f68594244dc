// SPDX-License-Identifier: Apache-2.0
#include "base/process_memory.h"

#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

size_t memory_resident(void)
{
    unsigned long all, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return 0;
    if (fscanf(file, "%lu %lu", &all, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

void memory_trim(void)
{
    malloc_trim(0);
}
