// SPDX-License-Identifier: Apache-2.0
// What the runtime and the replay library share about hardware: the functions that
// rewritten code calls (see src/instrument/hardware.c), and how reads are named.
#ifndef CZRT_REGISTERS_H
#define CZRT_REGISTERS_H

#include "../wire/devices.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Called before memory is read that hardware may have changed: puts an input there.
void cz_hw_read(void *address, unsigned long size, const char *name, const char *type,
                unsigned flags);
void cz_hw_written(void *address, unsigned long size); // a store to a constant address
// Of a volatile access: where the register is kept. `root` is the pointer that the address
// was computed from.
void *cz_hw_address(void *address, void *root);
// A pointer that is volatile or atomic is read, or written: it is no input, so that only what it
// holds at first is any value.
void cz_hw_pointer(const void *address, unsigned flags); // enum hw_pointer
void cz_hw_unseen(void); // what others may have changed is read without being an input
// What others may do at this point is presumed not to happen, and this loss says so: they change
// plain memory before an acquire, a fence or a barrier; a weak exchange fails for no reason.
void cz_hw_presume(unsigned loss);
void *cz_hw_number(void *address); // the address becomes a number of 64 bits
void cz_hw_asm(const char *name);  // assembly was left out here
void cz_hw_given(void *address);   // and this was one of its operands
void cz_hw_turn(unsigned most);    // a loop that nothing leaves begins another turn

extern const struct hw_register __start_cz_registers[] __attribute__((weak, visibility("hidden")));
extern const struct hw_register __stop_cz_registers[] __attribute__((weak, visibility("hidden")));
extern const char __executable_start[] __attribute__((weak, visibility("hidden")));
extern const char etext[] __attribute__((weak, visibility("hidden")));

enum { HW_NAME_ROOM = 96 };

// register_memory.c: where registers are kept.
bool hw_memory_begin(void);                                              // false: there is no room
void hw_memory_reset(void (*forget)(const void *memory, uint64_t size)); // all of it is zero again
bool hw_is_register(const void *address);
uint64_t hw_number(const void *address); // of a register: as the user's code has it
// Is this pointer, which was computed from root, the address of a register in the user's
// code? Then its memory, else NULL.
void *hw_memory(const void *address, const void *root);
uint8_t *hw_known(const void *address); // flag of a register's byte: written, or read and kept

// Constants of the program lie before its code.
static inline bool hw_is_read_only(const void *address)
{
    return (const char *)address >= __executable_start && (const char *)address < etext;
}

// The name of what is read: a register by its address, all else as the code has it.
const char *hw_name(const void *address, const char *given, unsigned flags, const char **type,
                    char room[HW_NAME_ROOM]);

#endif
