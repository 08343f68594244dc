// SPDX-License-Identifier: Apache-2.0
// What the runtime and the replay library share about hardware: the functions that
// rewritten code calls (see src/instrument/hardware.c), and how reads are named.
#ifndef CZRT_REGISTERS_H
#define CZRT_REGISTERS_H

#include "../wire/hardware.h"
#include <stdbool.h>
#include <stddef.h>

// Called before memory is read that hardware may have changed: puts an input there.
void cz_hw_read(void *address, unsigned long size, const char *name, const char *type,
                unsigned flags);
void cz_hw_written(void *address, unsigned long size); // a store to a constant address
// Of a volatile access: where the register is kept. `root` is the pointer that the address
// was computed from.
void *cz_hw_address(void *address, void *root);
void cz_hw_asm(const char *name);   // assembly was left out here
void cz_hw_turn(unsigned most);     // a loop that nothing leaves begins another turn

extern const struct hw_register __start_cz_registers[] __attribute__((weak, visibility("hidden")));
extern const struct hw_register __stop_cz_registers[] __attribute__((weak, visibility("hidden")));
extern const char __executable_start[] __attribute__((weak, visibility("hidden")));
extern const char etext[] __attribute__((weak, visibility("hidden")));

enum { HW_NAME_ROOM = 96 };

static inline bool hw_is_register(const void *address)
{
    return (uintptr_t)address - HW_BASE < HW_ROOM;
}

static inline bool hw_is_address(const void *address, const void *root)
{
    return (uintptr_t)address < HW_HIGHEST && ((uintptr_t)address >= HW_LOWEST || root);
}

// Constants of the program lie before its code.
static inline bool hw_is_read_only(const void *address)
{
    return (const char *)address >= __executable_start && (const char *)address < etext;
}

// The name of what is read: a register by its address, all else as the code has it.
const char *hw_name(const void *address, const char *given, unsigned flags, const char **type,
                    char room[HW_NAME_ROOM]);

#endif
