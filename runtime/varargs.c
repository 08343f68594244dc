// SPDX-License-Identifier: Apache-2.0
// Labels of variadic arguments. clang expands va_arg into loads from the register
// save area or the overflow area (System V x86-64 ABI), so it is enough to put the
// labels that the caller left in czrt_args into the shadow of those areas after
// va_start. The areas are stack memory whose shadow may be stale: everything that
// an argument occupies is written. On i386 a list points to the arguments themselves, which
// the caller has put into memory one after the other.
#include "runtime.h"
#include <string.h>

static uint32_t slots_for(const void *self)
{
    return czrt_callee == self ? czrt_arg_slots : 0;
}

uint64_t czrt_varargs_size(const void *self)
{
    const struct czrt_varargs *save = NULL;
    return sizeof *save + slots_for(self) * sizeof *save->slots;
}

void czrt_varargs_save(struct czrt_varargs *save, const void *self)
{
    save->classes = czrt_callee == self ? czrt_arg_classes : NULL;
    save->count = slots_for(self);
    for (uint32_t i = 0; i < save->count; i++) {
        save->slots[i].label = czrt_args[i];
        save->slots[i].memory = czrt_arg_memory[i];
    }
}

static wire_label label_of(const struct czrt_varargs *save, uint32_t slot)
{
    return slot < save->count ? save->slots[slot].label : 0;
}

// A struct that was passed in memory.
static void put_memory(char *place, const struct czrt_varargs *save, uint32_t slot, uint32_t size)
{
    if (slot < save->count)
        czrt_shadow_move(place, save->slots[slot].memory, size);
    else
        czrt_shadow_fill(place, 0, size);
}

static void put_label(char *place, wire_label label, uint32_t room)
{
    czrt_shadow_fill(place, 0, room);
    if (!label)
        return;
    uint32_t bytes = (czrt_width(label) + 7) / 8;
    for (uint32_t i = 0; i < bytes && i < room; i++)
        CZRT_SHADOW(place)[i] = label + i;
}

#ifdef __x86_64__

struct va_list_x86_64 {
    uint32_t gp_offset, fp_offset;
    char *overflow, *save_area;
};

#define GP_END 48u
#define FP_END 176u

struct cursor {
    uint32_t gp, fp;
    char *overflow;
    bool is_variable; // only variable arguments are in the overflow area
};

static char *take_overflow(struct cursor *at, uint32_t size, uint32_t align)
{
    if (!at->is_variable)
        return NULL;
    uintptr_t p = ((uintptr_t)at->overflow + align - 1) & -(uintptr_t)align;
    at->overflow = (char *)p + ((size + 7) & ~7u);
    return (char *)p;
}

// Where the argument is, or NULL when it is a fixed one on the stack.
static char *place_of(struct cursor *at, char *save_area, uint32_t class)
{
    uint32_t need = (class & 255) == 'w' ? 16 : 8;
    switch (class & 255) {
    case 'i':
    case 'w':
        if (at->gp + need > GP_END)
            return take_overflow(at, need, need);
        at->gp += need;
        return save_area + at->gp - need;
    case 'd':
    case 'v':
        need = (class & 255) == 'v' && class >> 16 > 8 ? 16 : 8;
        if (at->fp >= FP_END)
            return take_overflow(at, need, need);
        at->fp += 16;
        return save_area + at->fp - 16;
    case 'x': return take_overflow(at, 16, 16);
    default: {
        uint32_t align = class >> 8 & 255;
        return take_overflow(at, class >> 16, align < 8 ? 8 : align);
    }
    }
}

void czrt_varargs_start(void *list, const struct czrt_varargs *save, uint32_t fixed_args)
{
    const struct va_list_x86_64 *va = list;
    czrt_shadow_fill(va->save_area, 0, FP_END);
    czrt_shadow_fill(list, 0, sizeof *va);
    if (!save->classes)
        return;
    struct cursor at = {0, GP_END, va->overflow, false};
    for (uint32_t i = 0, slot = 0; save->classes[i]; i++) {
        uint32_t class = save->classes[i], kind = class & 255;
        at.is_variable = i >= fixed_args;
        char *place = place_of(&at, va->save_area, class);
        if (place && at.is_variable && kind == 'm')
            put_memory(place, save, slot, class >> 16);
        else if (place && at.is_variable && kind == 'v') {
            uint32_t parts = class >> 8 & 255, size = (class >> 16) / parts;
            for (uint32_t k = 0; k < parts; k++)
                put_label(place + k * size, label_of(save, slot + k), size);
        } else if (place && at.is_variable)
            put_label(place, kind == 'x' ? 0 : label_of(save, slot),
                      kind == 'i' || kind == 'd' ? 8 : 16);
        slot += kind == 'v' ? class >> 8 & 255 : 1;
    }
}

#else

void czrt_varargs_start(void *list, const struct czrt_varargs *save, uint32_t fixed_args)
{
    char *place = *(char **)list;
    czrt_shadow_fill(list, 0, sizeof(char *));
    for (uint32_t i = 0, slot = 0; save->classes && save->classes[i]; i++) {
        uint32_t class = save->classes[i], kind = class & 255, size = class >> 16;
        uint32_t align = kind == 'm' && (class >> 8 & 255) > 4 ? class >> 8 & 255 : 4;
        if (i >= fixed_args) {
            place = (char *)(((uintptr_t)place + align - 1) & -(uintptr_t)align);
            if (kind == 'm')
                put_memory(place, save, slot, size);
            else
                put_label(place, kind == 'x' ? 0 : label_of(save, slot), size);
            place += (size + 3) & ~3u;
        }
        slot++;
    }
}

#endif
