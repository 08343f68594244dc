// SPDX-License-Identifier: Apache-2.0
// Where the shadow is. A 64-bit process reserves the shadow of all its addresses at once, and
// its place follows from the address. A 32-bit process has a table of zones of 4 MB: those
// in which something lies at the start (the program, libraries, stacks, the heap of the code
// under test) get a shadow from a pool, neighbours side by side, so that the shadow of an
// object is one piece. Others get one when they turn out to be used: memory that libc has
// mapped since, registers at addresses of their own. The pool and what the engine shares
// with us have none, so a wild pointer into them is a bad one.
#define _GNU_SOURCE 1
#include "target_process.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void reserve(uintptr_t from, uintptr_t size)
{
    void *got = mmap((void *)from, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED) {
        dprintf(czrt_diagnostics, "target: mapping the shadow: %s\n", strerror(errno));
        _exit(3);
    }
    // A huge page would make the first touch of a few bytes clear two megabytes.
    madvise(got, size, MADV_NOHUGEPAGE);
}

#if UINTPTR_MAX > UINT32_MAX

#define SHADOW_START 0x10000ull // below may not be mapped (vm.mmap_min_addr)

void czrt_shadow_init(void)
{
    reserve(SHADOW_START, CZRT_SHADOW_END - SHADOW_START);
}

void czrt_shadow_forget(const void *memory, uint64_t size)
{
    madvise(CZRT_SHADOW(memory), size * sizeof(wire_label), MADV_DONTNEED);
}

#else

#define ZONE_SIZE   (1u << CZRT_ZONE_BITS)
#define ZONE_SHADOW (ZONE_SIZE * sizeof(wire_label))

extern const char __executable_start[] __attribute__((visibility("hidden")));

wire_label *czrt_zones[CZRT_ZONES];
static uintptr_t pool = CZRT_POOL_BASE;
static const wire_label *const nowhere = (const wire_label *)CZRT_POOL_BASE;

bool czrt_is_private(uintptr_t p)
{
    return p - (uintptr_t)CZRT_WIRE_ADDRESS <
           CZRT_POOL_BASE + CZRT_POOL_ROOM - (uintptr_t)CZRT_WIRE_ADDRESS;
}

static void make_zone(uintptr_t zone)
{
    if (czrt_zones[zone])
        return;
    if (pool + ZONE_SHADOW - CZRT_POOL_BASE > CZRT_POOL_ROOM) {
        dprintf(czrt_diagnostics, "target: no room for the shadow of more memory\n");
        _exit(3);
    }
    czrt_zones[zone] = (wire_label *)pool;
    pool += ZONE_SHADOW;
}

static void make_zones(uintptr_t from, uintptr_t size)
{
    for (uintptr_t zone = from >> CZRT_ZONE_BITS; zone <= (from + size - 1) >> CZRT_ZONE_BITS;
         zone++)
        make_zone(zone);
}

static bool is_mapped(uintptr_t p)
{
    unsigned char there;
    return mincore((void *)(p & ~4095u), 1, &there) == 0;
}

bool czrt_is_wild(uintptr_t p)
{
    if (czrt_zones[p >> CZRT_ZONE_BITS])
        return false;
    if (czrt_is_private(p) || !is_mapped(p))
        return true;
    make_zone(p >> CZRT_ZONE_BITS);
    return false;
}

// What is nowhere has a shadow, too, as in a 64-bit process: it is the access that fails.
wire_label *czrt_shadow_of(uintptr_t p)
{
    const wire_label *zone = czrt_is_wild(p) ? nowhere : czrt_zones[p >> CZRT_ZONE_BITS];
    return (wire_label *)zone + (p & (ZONE_SIZE - 1));
}

uint64_t czrt_shadow_piece(uintptr_t p, uint64_t n)
{
    uint64_t piece = ZONE_SIZE - (p & (ZONE_SIZE - 1));
    const wire_label *end = CZRT_SHADOW(p) + piece;
    for (uintptr_t zone = (p >> CZRT_ZONE_BITS) + 1; piece < n && zone < CZRT_ZONES; zone++) {
        if (czrt_zones[zone] != end)
            break;
        end += ZONE_SIZE;
        piece += ZONE_SIZE;
    }
    return piece < n ? piece : n;
}

void czrt_shadow_forget(const void *memory, uint64_t size)
{
    for (uintptr_t from = (uintptr_t)memory, end = from + (uintptr_t)size - 1, last;
         from <= end && from; from = last + 1) {
        last = from | (ZONE_SIZE - 1);
        last = last < end ? last : end;
        if (czrt_zones[from >> CZRT_ZONE_BITS])
            madvise(CZRT_SHADOW(from), (last - from + 1) * sizeof(wire_label), MADV_DONTNEED);
    }
}

// "08048000-0804c000 rw-p ...": the kernel's list, without stdio, whose memory is not there yet.
static void read_map(void)
{
    static char text[1 << 16];
    size_t length = 0;
    ssize_t n;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && length < sizeof text - 1 &&
           (n = read(fd, text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)n;
    if (fd >= 0)
        close(fd);
    for (char *line = text; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
        unsigned long from, to;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2 && !czrt_is_private(from))
            make_zones(from, to - from);
    }
}

// The program break grows.
void czrt_shadow_init(void)
{
    reserve(CZRT_POOL_BASE, CZRT_POOL_ROOM);
    pool += ZONE_SHADOW; // nowhere
    make_zones(CZRT_HEAP_BASE, CZRT_HEAP_ROOM);
    make_zones(CZRT_STACK_BASE, CZRT_STACK_SIZE);
    make_zones((uintptr_t)__executable_start,
               (uintptr_t)sbrk(0) - (uintptr_t)__executable_start + 2 * ZONE_SIZE);
    read_map();
}

#endif
