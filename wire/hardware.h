// SPDX-License-Identifier: Apache-2.0
// What rewritten code (src/instrument/hardware*.c) and the two runtimes agree on about
// memory-mapped registers, volatile variables and inline assembly. A register at the
// 32-bit address a is the scratch memory at HW_BASE + a, in every build: the engine's
// target has its shadow where registers would be, sanitizers have theirs. The low half of
// such a pointer is still the address that the code wrote, so casts to 32-bit integers
// and back give what they give on the device.
#ifndef CZ_WIRE_HARDWARE_H
#define CZ_WIRE_HARDWARE_H

#include <stdint.h>

#define HW_BASE 0x480000000000ull
#define HW_ROOM (1ull << 32)
// Constants outside of these are no addresses: NULL and what is behind it, (void *)-1.
#define HW_LOWEST  0x1000ull
#define HW_HIGHEST 0xfffff000ull

// A poll loop need not end, and each read makes an input: a run is cut off at a read
// beyond this. The clean build ends its replay at the same one.
#define HW_MAX_READS 1000u

// Points of a run at which an interrupt may come; later ones stay quiet.
#define HW_MAX_INTERRUPTS 8u

enum hw_flags {
    HW_ONCE = 1,    // the same value at each read: a constant that is volatile (calibration)
    HW_BOOL = 2,    // only 0 and 1
    HW_FLOAT = 4,
    HW_OUTPUT = 8,  // of inline assembly: an input wherever it goes
    HW_DYNAMIC = 16, // the address is known at run time only
    HW_PLAIN = 32,  // not a volatile read: keeps its value
    HW_REGISTERS = 64, // an input only if it is a register: other memory is the program's
};

// The registers that the unit names, in section cz_registers.
struct hw_register {
    uint64_t address, size; // address as in the user's code
    const char *name, *type; // type "" when not known
};

#endif
