// SPDX-License-Identifier: Apache-2.0
// Names of registers whose address is only known at run time. In both libraries, so that
// a test means the same in both.
#include "registers.h"
#include <stdio.h>

const char *hw_name(const void *address, const char *given, unsigned flags, const char **type,
                    char room[HW_NAME_ROOM])
{
    if (!(flags & HW_DYNAMIC) || !hw_is_register(address))
        return given;
    uint64_t at = (uintptr_t)address - HW_BASE;
    for (const struct hw_register *r = __start_cz_registers; r < __stop_cz_registers; r++)
        if (at - r->address < r->size) {
            *type = r->type;
            if (at == r->address)
                return r->name;
            snprintf(room, HW_NAME_ROOM, "%.80s+%u", r->name, (unsigned)(at - r->address));
            return room;
        }
    snprintf(room, HW_NAME_ROOM, "reg_0x%08llx", (unsigned long long)at);
    return room;
}
