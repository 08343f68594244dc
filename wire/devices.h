// SPDX-License-Identifier: Apache-2.0
// What rewritten code (src/instrument/hardware*.c) and the two runtimes agree on about
// memory-mapped registers, volatile variables and inline assembly. In a 64-bit process a
// register at the 32-bit address a is the scratch memory at HW_BASE + a, in every build: the
// engine's target has its shadow where registers would be, sanitizers have theirs. The low
// half of such a pointer is still the address that the code wrote, so casts to 32-bit
// integers and back give what they give on the device.
//
// In a 32-bit process registers are where the device has them (HW_OPEN) if every build can
// keep that memory free. For others there is a window of 1 MB each: a variable
// HW_WINDOW_NAME plus the upper digits of the address, listed in section cz_windows, or
// memory from the system when the address is known at run time only.
#ifndef CZ_WIRE_DEVICES_H
#define CZ_WIRE_DEVICES_H

#include <stdint.h>

// Where 32-bit programs are linked to.
#define HW_IMAGE_ADDRESS 0x18000000
#define HW_IMAGE         ((uint32_t)HW_IMAGE_ADDRESS)
#define HW_OPEN(a)                                                                                 \
    (((a) >= 0x400000u && (a) < HW_IMAGE) || ((a) >= 0x40000000u && (a) < 0x60000000u) ||          \
     ((a) >= 0xe0000000u && (a) < 0xe0100000u))
#define HW_WINDOW_BITS 20
#define HW_WINDOW_SIZE (1u << HW_WINDOW_BITS)
#define HW_WINDOW_NAME "cz_hw_window_" // and three digits

// Free in every build: ASan's heap ends below, MemorySanitizer has application memory there.
#define HW_BASE 0x544000000000ull
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
    HW_ONCE = 1, // the same value at each read: a constant that is volatile (calibration)
    HW_BOOL = 2, // only 0 and 1
    HW_FLOAT = 4,
    HW_OUTPUT = 8,     // of inline assembly: an input wherever it goes
    HW_DYNAMIC = 16,   // the address is known at run time only
    HW_PLAIN = 32,     // not a volatile read: keeps its value
    HW_ATOMIC = 128,   // an atomic object: other threads may have changed it
    HW_REGISTERS = 64, // an input only if it is a register: other memory is the program's
};

enum hw_pointer { // cz_hw_pointer
    HW_POINTER_READ = 1,
    HW_POINTER_PLAIN = 2,    // not by a volatile read: what was written is there
    HW_POINTER_REGISTER = 4, // counts only if it is in a register
};

// The registers that the unit names, in section cz_registers.
struct hw_register {
    uint64_t address, size;  // address as in the user's code
    const char *name, *type; // type "" when not known
};

struct hw_window {
    uint64_t address; // of its first byte, in the user's code
    void *memory;
};

#endif
