// SPDX-License-Identifier: Apache-2.0
// Names of registers whose address is only known at run time. In both libraries, so that
// a test means the same in both.
#include "registers.h"
#include <stdio.h>

// Tables of devices are long, and a loop reads the same few registers.
static const struct hw_register *find(uint64_t at)
{
    static struct {
        uint64_t at;
        const struct hw_register *found;
    } recent[64];
    unsigned slot = (unsigned)(at >> 2) % 64;
    if (recent[slot].found && recent[slot].at == at)
        return recent[slot].found;
    for (const struct hw_register *r = __start_cz_registers; r < __stop_cz_registers; r++)
        if (at - r->address < r->size) {
            recent[slot].at = at;
            return recent[slot].found = r;
        }
    return NULL;
}

const char *hw_name(const void *address, const char *given, unsigned flags, const char **type,
                    char room[HW_NAME_ROOM])
{
    if (!(flags & HW_DYNAMIC) || !hw_is_register(address))
        return given;
    uint64_t at = hw_number(address);
    const struct hw_register *r = find(at);
    if (r)
        *type = r->type;
    if (r && at == r->address)
        return r->name;
    if (r)
        snprintf(room, HW_NAME_ROOM, "%.80s+%u", r->name, (unsigned)(at - r->address));
    else
        snprintf(room, HW_NAME_ROOM, "reg_0x%08llx", (unsigned long long)at);
    return room;
}
