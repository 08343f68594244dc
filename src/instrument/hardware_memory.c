// SPDX-License-Identifier: Apache-2.0
// Where registers are kept, as constants of the module (see wire/devices.h). With 64-bit
// pointers that is a number. With 32 bits it is the register's own address if that can be
// kept free, else a place in a window: a weak variable that all files of the unit share by its
// name. Weak also keeps sanitizers from putting it under their rules.
#include "instrument/hardware.h"

#include "instrument/gep.h"
#include "instrument/pass.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hardware_is_constant(LLVMValueRef v, uint64_t *value)
{
    if (!LLVMIsAConstantExpr(v) || LLVMGetConstOpcode(v) != LLVMIntToPtr ||
        !LLVMIsAConstantInt(LLVMGetOperand(v, 0)))
        return false;
    *value = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0));
    return true;
}

bool hardware_is_window(LLVMValueRef global)
{
    return strncmp(pass_name(global), HW_WINDOW_NAME, strlen(HW_WINDOW_NAME)) == 0;
}

// For the runtimes: which window this is.
static void list_window(struct hardware *h, LLVMValueRef window, uint64_t address)
{
    LLVMValueRef members[] = {hardware_number(h, address), window};
    LLVMValueRef entry = LLVMConstStructInContext(h->context, members, 2, 0);
    LLVMValueRef list = LLVMAddGlobal(h->module, LLVMTypeOf(entry), "cz.window");
    LLVMSetInitializer(list, entry);
    LLVMSetGlobalConstant(list, 1);
    LLVMSetLinkage(list, LLVMInternalLinkage);
    LLVMSetSection(list, "cz_windows");
    LLVMSetAlignment(list, 4);
    globals_keep(h->module, list);
}

static LLVMValueRef window_of(struct hardware *h, uint64_t address)
{
    char name[sizeof HW_WINDOW_NAME + 8];
    snprintf(name, sizeof name, HW_WINDOW_NAME "%03x", (unsigned)(address >> HW_WINDOW_BITS));
    LLVMValueRef window = LLVMGetNamedGlobal(h->module, name);
    if (window)
        return window;
    LLVMTypeRef type = LLVMArrayType2(h->i8, HW_WINDOW_SIZE);
    window = LLVMAddGlobal(h->module, type, name);
    LLVMSetInitializer(window, LLVMConstNull(type));
    LLVMSetLinkage(window, LLVMWeakAnyLinkage);
    LLVMSetAlignment(window, HW_WINDOW_SIZE);
    list_window(h, window, address & -(uint64_t)HW_WINDOW_SIZE);
    return window;
}

LLVMValueRef hardware_memory(struct hardware *h, uint64_t address)
{
    if (!h->narrow)
        return LLVMConstIntToPtr(hardware_number(h, HW_BASE + address), h->ptr);
    if (HW_OPEN(address))
        return LLVMConstIntToPtr(hardware_size(h, address), h->ptr);
    LLVMValueRef window = window_of(h, address),
                 offset = hardware_size(h, address % HW_WINDOW_SIZE);
    return LLVMConstGEP2(h->i8, window, &offset, 1);
}

// With 32 bits also: constant offsets from a window.
bool hardware_is_memory(struct hardware *h, LLVMValueRef v, uint64_t *address)
{
    if (hardware_is_constant(v, address)) {
        if (h->narrow)
            return HW_OPEN(*address);
        *address -= HW_BASE;
        return *address < HW_ROOM;
    }
    int64_t offset = 0;
    while (h->narrow && LLVMIsAConstantExpr(v) && gep_is(v) && gep_step(h->layout, v, &offset))
        v = LLVMGetOperand(v, 0);
    if (!h->narrow || !LLVMIsAGlobalVariable(v) || !hardware_is_window(v))
        return false;
    const char *digits = pass_name(v) + strlen(HW_WINDOW_NAME);
    *address = (strtoull(digits, NULL, 16) << HW_WINDOW_BITS) + (uint64_t)offset;
    return true;
}
