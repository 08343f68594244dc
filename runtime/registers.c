// SPDX-License-Identifier: Apache-2.0
// Hardware for the engine: registers are scratch memory, and what reads find
// there are inputs, numbered per read. The value is put into memory, with its label, just
// before the read; so the read itself is an ordinary one for all types and checks, and
// what is read again without `volatile` is the last value that was seen or written.
#define _GNU_SOURCE 1
#include "registers.h"
#include "../include/cz/driver.h"
#include "target_process.h"
#include <string.h>

// Beyond these a run's reads of a register are not symbolic any more: a poll loop would
// make a decision of each turn, and tests as long as the loop was patient.
enum { SYMBOLIC_IN_A_ROW = 64, SYMBOLIC_IN_ALL = 200 };

static uint32_t reads, turns, interrupts; // of this run
static cz_path last;                      // register that was read last ...
static uint32_t in_a_row;                 // ... so many times
static bool used;                         // the scratch memory is not as it was
enum { POINTERS = 64 };
static const void *pointers[POINTERS]; // volatile or atomic, that this run has used
static uint32_t pointer_count;

void czrt_registers_init(void)
{
    hw_memory_begin(); // without, an access will tell
}

// Stores are not seen one by one, so all of it goes; what was never touched costs nothing.
void czrt_registers_reset(void)
{
    reads = turns = interrupts = in_a_row = 0;
    last = 0;
    pointer_count = 0;
    if (!used && __start_cz_registers == __stop_cz_registers)
        return;
    used = false;
    hw_memory_reset(czrt_shadow_forget);
}

static bool is_known(const void *address, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        if (!*hw_known((const char *)address + i))
            return false;
    return true;
}

void cz_hw_written(void *address, unsigned long size)
{
    czrt_ret = 0;
    if (!hw_is_register(address))
        return;
    used = true;
    for (unsigned long i = 0; i < size; i++)
        *hw_known((char *)address + i) = 1;
}

void *cz_hw_address(void *address, void *root)
{
    wire_label label = czrt_args[0], root_label = czrt_args[1];
    uintptr_t at = (uintptr_t)address;
    // Whether it is a register depends on the value; a NULL of the driver's is none.
    if (!root_label || czrt_nodes[WIRE_NODE(root_label)].op != WIRE_BOUND)
        czrt_pin_argument(0, at);
    czrt_ret = label;
    void *memory = hw_memory(address, root);
    if (!memory)
        return address;
    czrt_ret = 0;
    used = true;
    return memory;
}

static bool is_local(const void *address)
{
    return (uintptr_t)address - CZRT_STACK_BASE < CZRT_STACK_SIZE;
}

static bool is_patient(cz_path at, unsigned flags)
{
    const struct wire_place *places =
        (const struct wire_place *)((char *)czrt_wire + czrt_wire->places.offset);
    cz_path what = flags & HW_ONCE ? at : places[at].parent;
    in_a_row = what == last ? in_a_row + 1 : 1;
    last = what;
    return in_a_row > SYMBOLIC_IN_A_ROW ||
           (!(flags & HW_ONCE) && places[at].index > SYMBOLIC_IN_ALL);
}

static void put(void *address, const void *value, uint32_t size, wire_label label)
{
    memcpy(address, value, size);
    czrt_store(address, size, label, 0);
}

static void put_integer(void *address, unsigned size, cz_path at, unsigned flags)
{
    unsigned bits = flags & HW_BOOL ? 1 : 8 * size;
    unsigned long long value = cz_ubits(at, bits);
    put(address, &value, size, czrt_ret ? czrt_fit(czrt_ret, 8 * size) : 0);
}

static void put_float(void *address, unsigned size, cz_path at)
{
    if (size == 4) {
        float value = cz_f32(at);
        put(address, &value, size, czrt_ret);
    } else {
        double value = cz_f64(at);
        put(address, &value, size, czrt_ret);
    }
}

void cz_hw_read(void *address, unsigned long size, const char *name, const char *type,
                unsigned flags)
{
    char room[HW_NAME_ROOM];
    czrt_pin_argument(0, (uintptr_t)address);
    czrt_ret = 0;
    if (!(flags & HW_OUTPUT) && (is_local(address) || hw_is_read_only(address))) {
        if (flags & HW_ATOMIC && is_local(address)) // whose address somebody has been given
            czrt_loss(WIRE_LOSS_CHANGED);
        return;
    }
    if (flags & HW_REGISTERS && !hw_is_register(address))
        return;
    if (flags & HW_PLAIN && is_known(address, size))
        return;
    if (++reads > HW_MAX_READS)
        czrt_end_by_steps(0);
    name = hw_name(address, name, flags, &type, room);
    cz_path at = czrt_next_read(name, flags & HW_ONCE);
    if (flags & HW_ONCE && czrt_was_asked(at))
        czrt_loss(WIRE_LOSS_CONSTANT);
    bool patient = is_patient(at, flags);
    if (*type)
        at = cz_typed(at, type);
    if (flags & HW_FLOAT && (size == 4 || size == 8))
        put_float(address, (unsigned)size, at);
    else if (size <= 8)
        put_integer(address, (unsigned)size, at, flags);
    else
        cz_array(at, address, CZ_U8, size);
    if (patient && czrt_concolic) {
        czrt_shadow_fill(address, 0, size);
        czrt_loss(WIRE_LOSS_CHANGED);
    }
    cz_hw_written(address, size);
    czrt_ret = 0;
}

unsigned cz_next_interrupt(unsigned count)
{
    czrt_ret = 0;
    if (++interrupts > HW_MAX_INTERRUPTS) {
        czrt_loss(WIRE_LOSS_CALLS);
        return 0;
    }
    return cz_choice(czrt_next_read("interrupt", false), count + 1);
}

void cz_hw_unseen(void)
{
    czrt_ret = 0;
    czrt_loss(WIRE_LOSS_CHANGED);
}

void cz_hw_presume(unsigned loss)
{
    czrt_ret = 0;
    czrt_loss(loss);
}

void *cz_hw_number(void *address)
{
    czrt_ret = czrt_args[0];
    if (hw_is_register(address))
        czrt_loss(WIRE_LOSS_ADDRESS);
    return address;
}

void cz_hw_pointer(const void *address, unsigned flags)
{
    czrt_ret = 0;
    uint32_t i = 0;
    bool reads = flags & HW_POINTER_READ;
    if (hw_is_register(address)) {
        if (reads && !(flags & HW_POINTER_PLAIN && is_known(address, sizeof(void *))))
            czrt_loss(WIRE_LOSS_CHANGED);
        return;
    }
    if (flags & HW_POINTER_REGISTER)
        return;
    while (i < pointer_count && pointers[i] != address)
        i++;
    if (reads && (i < pointer_count || i == POINTERS))
        czrt_loss(WIRE_LOSS_CHANGED);
    if (i == pointer_count && i < POINTERS)
        pointers[pointer_count++] = address;
}

void cz_hw_asm(const char *name)
{
    (void)name;
    czrt_ret = 0;
    czrt_loss(WIRE_LOSS_EXTERNAL);
}

void cz_hw_given(void *address)
{
    (void)address;
    czrt_ret = 0;
}

// The end of the run, and not one that anybody has asked for: later turns are not seen.
void cz_hw_turn(unsigned most)
{
    czrt_ret = 0;
    if (++turns <= most)
        return;
    czrt_loss(WIRE_LOSS_CALLS);
    cz_exit();
}
