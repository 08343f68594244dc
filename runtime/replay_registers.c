// SPDX-License-Identifier: Apache-2.0
// Hardware for clean builds: what runtime/registers.c does, with values from the test.
#define _GNU_SOURCE 1
#include "registers.h"
#include "../include/cz/driver.h"
#include "replay_runtime.h"
#include <string.h>

static unsigned reads, turns, interrupts;
extern void *__libc_stack_end;

void replay_registers_begin(void)
{
    reads = turns = interrupts = 0;
    if (!hw_memory_begin())
        replay_give_up("no room for registers");
}

static bool is_known(const void *address, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        if (!*hw_known((const char *)address + i))
            return false;
    return true;
}

static void set_known(void *address, unsigned long size)
{
    for (unsigned long i = 0; hw_is_register(address) && i < size; i++)
        *hw_known((char *)address + i) = 1;
}

void cz_hw_written(void *address, unsigned long size)
{
    set_known(address, size);
    if (hw_is_register(address))
        replay_observe_write(address, size);
}

void *cz_hw_address(void *address, void *root)
{
    void *memory = hw_memory(address, root);
    return memory ? memory : address;
}

static bool is_local(const void *address)
{
    return (uintptr_t)address >= (uintptr_t)__builtin_frame_address(0) &&
           (uintptr_t)address < (uintptr_t)__libc_stack_end;
}

static void put_integer(void *address, unsigned size, cz_path at, unsigned flags)
{
    unsigned long long value = cz_ubits(at, flags & HW_BOOL ? 1 : 8 * size);
    memcpy(address, &value, size);
}

static void put_float(void *address, unsigned size, cz_path at)
{
    float narrow = 0;
    double wide = 0;
    if (size == 4)
        narrow = cz_f32(at);
    else
        wide = cz_f64(at);
    memcpy(address, size == 4 ? (void *)&narrow : (void *)&wide, size);
}

void cz_hw_read(void *address, unsigned long size, const char *name, const char *type,
                unsigned flags)
{
    char room[HW_NAME_ROOM];
    if (!(flags & HW_OUTPUT) && (is_local(address) || hw_is_read_only(address)))
        return;
    if (flags & HW_REGISTERS && !hw_is_register(address))
        return;
    if (flags & HW_PLAIN && is_known(address, size))
        return;
    replay_observe_flush();
    if (++reads > HW_MAX_READS)
        replay_cut_off();
    cz_path at = replay_next_read(hw_name(address, name, flags, &type, room), flags & HW_ONCE);
    if (flags & HW_FLOAT && (size == 4 || size == 8))
        put_float(address, (unsigned)size, at);
    else if (size <= 8)
        put_integer(address, (unsigned)size, at, flags);
    else
        cz_array(at, address, CZ_U8, size);
    set_known(address, size);
}

unsigned cz_next_interrupt(unsigned count)
{
    return ++interrupts > HW_MAX_INTERRUPTS
               ? 0
               : cz_choice(replay_next_read("interrupt", false), count + 1);
}

void cz_hw_pointer(const void *address, unsigned flags)
{
    (void)address;
    (void)flags;
}

void cz_hw_unseen(void)
{
}

void cz_hw_presume(unsigned loss)
{
    (void)loss;
}

void *cz_hw_number(void *address)
{
    return address;
}

void cz_hw_asm(const char *name)
{
    (void)name;
}

void cz_hw_given(void *address)
{
    (void)address;
}

void cz_hw_turn(unsigned most)
{
    if (++turns > most)
        cz_exit();
}
