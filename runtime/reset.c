// SPDX-License-Identifier: Apache-2.0
// Undoes a run: mutable globals (section cz_data) get their first values back, the
// heap is forgotten, the stack that was used is zero again, and the shadow of all
// three is clear. Cost follows what the run used, not what it could have used.
#define _GNU_SOURCE 1
#include "target_process.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CHUNK 1024 // unit of comparing and restoring data
#define LARGE (512u << 10)
#define QUIET (4u << 10) // so many zero bytes mark the end of the used stack

extern char __start_cz_data[] __attribute__((weak));
extern char __stop_cz_data[] __attribute__((weak));

static char *first_values, *first_labels; // labels: the red zones
static size_t data_size;

static char *copy_of(const void *from, size_t size)
{
    char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        abort();
    memcpy(copy, from, size);
    return copy;
}

void czrt_reset_init(void)
{
    data_size = (size_t)(__stop_cz_data - __start_cz_data);
    if (data_size == 0)
        return;
    first_values = copy_of(__start_cz_data, data_size);
    first_labels = copy_of(CZRT_SHADOW(__start_cz_data), data_size * sizeof(wire_label));
}

bool czrt_is_program_data(const void *address)
{
    return (uintptr_t)address - (uintptr_t)__start_cz_data <
           (size_t)(__stop_cz_data - __start_cz_data);
}

void czrt_data_range(const char **from, size_t *size)
{
    *from = __start_cz_data;
    *size = data_size;
}

// Large ranges go back to the kernel, which maps zero pages at the next touch.
static void zero_bytes(uintptr_t from, uintptr_t to)
{
    uintptr_t first = (from + 4095) & ~4095ull, last = to & ~4095ull;
    if (to - from < LARGE) {
        memset((void *)from, 0, to - from);
        return;
    }
    memset((void *)from, 0, first - from);
    memset((void *)last, 0, to - last);
    madvise((void *)first, last - first, MADV_DONTNEED);
}

void czrt_zero(uintptr_t from, uintptr_t to, bool and_shadow)
{
    zero_bytes(from, to);
    if (and_shadow)
        zero_bytes((uintptr_t)CZRT_SHADOW(from), (uintptr_t)CZRT_SHADOW(from) + (to - from) * 4);
}

static bool is_zero(const void *from, size_t size)
{
    const char *bytes = from;
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

// Most of it is as it was; what is only compared stays out of the way of the cache.
static void restore(char *at, const char *first, size_t size)
{
    for (size_t i = 0; i < size; i += CHUNK) {
        size_t n = size - i < CHUNK ? size - i : CHUNK;
        if (memcmp(at + i, first + i, n) != 0)
            memcpy(at + i, first + i, n);
    }
}

// The used part ends at the lowest local that was registered, or below it where
// libc's frames have left something: the stack was zero before the run.
static uintptr_t stack_low(uintptr_t top)
{
    const uintptr_t floor = CZRT_STACK_BASE + CZRT_STACK_GUARD;
    uintptr_t low = czrt_objects_lowest() < top ? czrt_objects_lowest() : top;
    low &= ~63ull;
    if (low < floor)
        low = floor;
    while (low - floor >= QUIET && !is_zero((void *)(low - QUIET), QUIET))
        low -= QUIET;
    return low - floor < QUIET ? floor : low;
}

void czrt_reset(uintptr_t top)
{
    // Without symbolic inputs the shadow of the stack has only red zones and ended scopes, which a
    // function takes away when it returns, and marks of functions that have returned, which do no
    // harm. cz_exit() leaves functions, too.
    bool shadow_used = czrt_concolic || czrt_outcome.status != WIRE_OK || czrt_outcome.exit_code;
    czrt_zero(stack_low(top), top, shadow_used);
    restore(__start_cz_data, first_values, data_size);
    if (czrt_concolic)
        restore((char *)CZRT_SHADOW(__start_cz_data), first_labels, data_size * sizeof(wire_label));
    czrt_heap_reset();
    czrt_objects_reset();
    czrt_faults_reset();
    czrt_threads_reset();
    czrt_signals_reset();
    czrt_registers_reset();
}
