// SPDX-License-Identifier: Apache-2.0
// The scratch memory of registers (see wire/devices.h), in both libraries: they must agree
// on what is a register. A 64-bit process has room for all of them at HW_BASE. In a 32-bit
// process what is open is mapped where the device has it; all else is in windows, those of
// the program's constants first. There a number that only turns up at run time is taken for
// a register when nothing of the process lies there.
#define _GNU_SOURCE 1
#include "registers.h"
#include <string.h>
#include <sys/mman.h>

static void *map(uintptr_t at, uintptr_t size)
{
    void *got =
        mmap((void *)at, size, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
    if (got == MAP_FAILED)
        return NULL;
    madvise(got, size, MADV_NOHUGEPAGE);
    return got;
}

#if UINTPTR_MAX > UINT32_MAX

#define KNOWN_BASE 0x548000000000ull

bool hw_memory_begin(void)
{
    bool good = map(HW_BASE, HW_ROOM);
    return map(KNOWN_BASE, HW_ROOM) && good;
}

void hw_memory_reset(void (*forget)(const void *memory, uint64_t size))
{
    madvise((void *)HW_BASE, HW_ROOM, MADV_DONTNEED);
    madvise((void *)KNOWN_BASE, HW_ROOM, MADV_DONTNEED);
    forget((const void *)HW_BASE, HW_ROOM);
}

bool hw_is_register(const void *address)
{
    return (uintptr_t)address - HW_BASE < HW_ROOM;
}

uint64_t hw_number(const void *address)
{
    return (uintptr_t)address - HW_BASE;
}

void *hw_memory(const void *address, const void *root)
{
    uintptr_t at = (uintptr_t)address;
    return at < HW_HIGHEST && (at >= HW_LOWEST || root) ? (void *)(HW_BASE + at) : NULL;
}

uint8_t *hw_known(const void *address)
{
    return (uint8_t *)((uintptr_t)address - HW_BASE + KNOWN_BASE);
}

#else

enum { WINDOWS = 1 << (32 - HW_WINDOW_BITS), MAX_MADE = 64 };

extern const struct hw_window __start_cz_windows[] __attribute__((weak, visibility("hidden")));
extern const struct hw_window __stop_cz_windows[] __attribute__((weak, visibility("hidden")));

static const struct {
    uintptr_t from, size;
} open_ranges[] = {
    {0x400000u, HW_IMAGE - 0x400000u}, {0x40000000u, 0x20000000u}, {0xe0000000u, 0x100000u}};

static char *memory_of[WINDOWS];    // by the upper digits of a number; NULL: none yet
static uint16_t number_of[WINDOWS]; // by those of a pointer: of the window there, plus 1
static uint8_t *known_of[WINDOWS];  // by those of a number
static uint16_t made[MAX_MADE];     // windows that are not open
static unsigned made_count;

static unsigned upper(uintptr_t at)
{
    return (unsigned)(at >> HW_WINDOW_BITS);
}

// Windows begin at multiples of their size, so that the upper digits of a pointer tell.
static bool add_window(unsigned number, char *memory)
{
    if (!memory || made_count == MAX_MADE)
        return false;
    memory_of[number] = memory;
    number_of[upper((uintptr_t)memory)] = (uint16_t)(number + 1);
    made[made_count++] = (uint16_t)number;
    return true;
}

static char *map_window(void)
{
    char *got = map(0, 2 * HW_WINDOW_SIZE);
    return got ? (char *)(((uintptr_t)got + HW_WINDOW_SIZE - 1) & -(uintptr_t)HW_WINDOW_SIZE)
               : NULL;
}

bool hw_memory_begin(void)
{
    bool good = true;
    if (memory_of[upper(open_ranges[1].from)] || __start_cz_registers == __stop_cz_registers)
        return true; // without registers these addresses are as bad as others
    for (unsigned i = 0; i < sizeof open_ranges / sizeof *open_ranges; i++) {
        good = map(open_ranges[i].from, open_ranges[i].size) && good;
        for (uintptr_t at = 0; at < open_ranges[i].size; at += HW_WINDOW_SIZE)
            memory_of[upper(open_ranges[i].from + at)] = (char *)(open_ranges[i].from + at);
    }
    for (const struct hw_window *w = __start_cz_windows; w < __stop_cz_windows; w++)
        if (!memory_of[upper((uintptr_t)w->address)])
            good = add_window(upper((uintptr_t)w->address), w->memory) && good;
    return good;
}

void hw_memory_reset(void (*forget)(const void *memory, uint64_t size))
{
    for (unsigned i = 0; i < sizeof open_ranges / sizeof *open_ranges; i++) {
        madvise((void *)open_ranges[i].from, open_ranges[i].size, MADV_DONTNEED);
        forget((const void *)open_ranges[i].from, open_ranges[i].size);
    }
    for (unsigned i = 0; i < made_count; i++) {
        madvise(memory_of[made[i]], HW_WINDOW_SIZE, MADV_DONTNEED);
        forget(memory_of[made[i]], HW_WINDOW_SIZE);
    }
    for (unsigned i = 0; i < WINDOWS; i++)
        if (known_of[i])
            madvise(known_of[i], HW_WINDOW_SIZE, MADV_DONTNEED);
}

bool hw_is_register(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    return HW_OPEN(at) || number_of[upper(at)];
}

uint64_t hw_number(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    if (HW_OPEN(at))
        return at;
    return (uintptr_t)(number_of[upper(at)] - 1) << HW_WINDOW_BITS | (at & (HW_WINDOW_SIZE - 1));
}

// What only the engine's process has: it must not take for used what is free elsewhere.
extern bool czrt_is_private(uintptr_t at) __attribute__((weak));

static bool is_used(uintptr_t at)
{
    unsigned char there;
    bool is_private = czrt_is_private && czrt_is_private(at);
    return !is_private && mincore((void *)(at & ~4095u), 1, &there) == 0;
}

void *hw_memory(const void *address, const void *root)
{
    uintptr_t at = (uintptr_t)address;
    unsigned number = upper(at);
    if (at >= HW_HIGHEST || (at < HW_LOWEST && !root) || number_of[number])
        return NULL; // or it is one already
    if (!HW_OPEN(at) && is_used(at))
        return NULL;
    if (!memory_of[number] && !add_window(number, map_window()))
        return NULL;
    return memory_of[number] + (at & (HW_WINDOW_SIZE - 1));
}

uint8_t *hw_known(const void *address)
{
    static uint8_t none;
    uintptr_t number = (uintptr_t)hw_number(address);
    if (!known_of[upper(number)])
        known_of[upper(number)] = map(0, HW_WINDOW_SIZE);
    return known_of[upper(number)] ? known_of[upper(number)] + (number & (HW_WINDOW_SIZE - 1))
                                   : &none;
}

#endif
