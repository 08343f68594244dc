// SPDX-License-Identifier: Apache-2.0
// Memory at fixed addresses that is read without `volatile`: what a device has in its flash, or
// another processor in shared memory. Reads right at a constant address are inputs (hardware.c).
// Others go through pointers, by an index, or happen in a library function; they find nothing
// but zeros. Where an address sets out on such a way, cz_hw_unseen() counts that. Pointers that
// only volatile accesses use are none: these find out at run time where they are.
#include "instrument/hardware.h"

#include "base/tunables.h"
#include "instrument/gep.h"
#include "instrument/pass.h"
#include <string.h>

static bool is_read_through(struct hardware *h, LLVMValueRef pointer, bool exact, int depth);

static bool is_named(LLVMValueRef call, const char *prefix)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    return LLVMIsAFunction(f) && strncmp(pass_name(f), prefix, strlen(prefix)) == 0;
}

// Of pointers that are in this variable.
static bool is_read_from(struct hardware *h, LLVMValueRef variable, int depth)
{
    if (depth > INSTRUMENT_HARDWARE_WAYS)
        return true;
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (gep_is(user) ? is_read_from(h, user, depth + 1)
            : LLVMIsALoadInst(user)
                ? LLVMTypeOf(user) == h->ptr && is_read_through(h, user, false, depth + 1)
            : LLVMIsAStoreInst(user) ? LLVMGetOperand(user, 1) != variable
            : LLVMIsACallInst(user)
                ? !is_named(user, "llvm.lifetime.") && !is_named(user, "llvm.dbg.")
                : !LLVMIsAGlobalVariable(user))
            return true;
    }
    return false;
}

static bool is_read_by_call(struct hardware *h, LLVMValueRef call, LLVMValueRef pointer, int depth)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee) || callee == pointer)
        return false; // counted, or left out
    if (is_named(call, "llvm.mem"))
        return !is_named(call, "llvm.memset") && LLVMGetOperand(call, 1) == pointer;
    if (is_named(call, "llvm.") && !LLVMGetFirstUse(call))
        return false;
    if (!LLVMIsAFunction(callee) || LLVMIsDeclaration(callee))
        return true;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        if (LLVMGetOperand(call, k) == pointer &&
            (k >= LLVMCountParams(callee) ||
             is_read_through(h, LLVMGetParam(callee, k), false, depth + 1)))
            return true;
    return false;
}

static bool is_read_by(struct hardware *h, LLVMValueRef user, LLVMValueRef pointer, bool exact,
                       int depth)
{
    int64_t ignored = 0;
    if (gep_is(user))
        return is_read_through(h, user, exact && gep_step(h->layout, user, &ignored), depth + 1);
    if (LLVMIsALoadInst(user))
        return !exact && !LLVMGetVolatile(user);
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == pointer) {
        LLVMValueRef to = LLVMGetOperand(user, 1);
        while (gep_is(to))
            to = LLVMGetOperand(to, 0);
        return (!LLVMIsAAllocaInst(to) && !LLVMIsAGlobalVariable(to)) ||
               is_read_from(h, to, depth + 1);
    }
    if (LLVMIsACallInst(user))
        return is_read_by_call(h, user, pointer, depth);
    if (LLVMIsAPHINode(user) || LLVMIsASelectInst(user))
        return is_read_through(h, user, false, depth + 1);
    return !LLVMIsAStoreInst(user) && !LLVMIsAICmpInst(user) && !LLVMIsAAtomicRMWInst(user) &&
           !LLVMIsAAtomicCmpXchgInst(user) && !LLVMIsAPtrToIntInst(user);
}

static bool is_read_through(struct hardware *h, LLVMValueRef pointer, bool exact, int depth)
{
    if (depth > INSTRUMENT_HARDWARE_WAYS)
        return true;
    for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u))
        if (is_read_by(h, LLVMGetUser(u), pointer, exact, depth))
            return true;
    return false;
}

static bool mentions_register(struct hardware *h, LLVMValueRef constant, int depth)
{
    uint64_t number;
    if (!constant || !LLVMIsAConstant(constant))
        return false;
    if (depth > INSTRUMENT_HARDWARE_WAYS) // who knows
        return true;
    if (hardware_is_memory(h, constant, &number))
        return true;
    if (LLVMIsAGlobalValue(constant))
        return false;
    for (int k = 0; k < LLVMGetNumOperands(constant); k++)
        if (mentions_register(h, LLVMGetOperand(constant, (unsigned)k), depth + 1))
            return true;
    return false;
}

// A pointer that a variable of the file had from the start, and that is not seen through.
static bool is_initial(struct hardware *h, LLVMValueRef i)
{
    if (!LLVMIsALoadInst(i) || LLVMTypeOf(i) != h->ptr)
        return false;
    struct place place = hardware_place(h, LLVMGetOperand(i, 0));
    return place.kind == PLACE_GLOBAL && !LLVMIsDeclaration(place.root) &&
           mentions_register(h, LLVMGetInitializer(place.root), 0);
}

static bool is_whole(LLVMValueRef call, unsigned operand)
{
    return is_named(call, "llvm.mem") && operand == 1 &&
           LLVMIsAConstantInt(LLVMGetOperand(call, 2));
}

static bool sets_out(struct hardware *h, LLVMValueRef i)
{
    uint64_t number;
    if (is_initial(h, i))
        return is_read_through(h, i, hardware_place(h, i).kind == PLACE_REGISTER, 0);
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
        if (hardware_is_memory(h, v, &number) &&
            !(LLVMIsACallInst(i) && is_whole(i, (unsigned)k)) && is_read_by(h, i, v, true, 0))
            return true;
    }
    return false;
}

void hardware_unseen(struct hardware *h, LLVMValueRef i)
{
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    hardware_before(h, i);
    hardware_call(h, "cz_hw_unseen", h->nothing, NULL, 0);
}

void hardware_plain(struct hardware *h, LLVMValueRef i)
{
    if (h->has_table && sets_out(h, i))
        hardware_unseen(h, i);
}

// ---- addresses as numbers ----

// The upper half of a register's address is not what the device has.
static bool is_upper_half_used(LLVMValueRef number)
{
    for (LLVMUseRef u = LLVMGetFirstUse(number); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool narrows = LLVMIsATruncInst(user) && LLVMGetIntTypeWidth(LLVMTypeOf(user)) <= 32;
        bool masks = LLVMIsAInstruction(user) && LLVMGetInstructionOpcode(user) == LLVMAnd &&
                     LLVMIsAConstantInt(LLVMGetOperand(user, 1)) &&
                     LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1)) <= UINT32_MAX;
        if (!narrows && !masks && !LLVMIsAIntToPtrInst(user))
            return true;
    }
    return false;
}

void hardware_as_number(struct hardware *h, LLVMValueRef i)
{
    LLVMValueRef pointer = LLVMGetOperand(i, 0);
    if (h->narrow || !h->has_table || LLVMTypeOf(i) != h->word || LLVMTypeOf(pointer) != h->ptr ||
        !is_upper_half_used(i))
        return;
    LLVMValueRef root = hardware_place(h, pointer).root;
    if (LLVMIsAAllocaInst(root) || LLVMIsAGlobalValue(root))
        return;
    hardware_before(h, i);
    LLVMSetOperand(i, 0, hardware_call(h, "cz_hw_number", h->ptr, &pointer, 1));
}

// ---- volatile locals ----

// Is the address of this local known to somebody who may keep it?
bool hardware_is_given_away(LLVMValueRef local)
{
    for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (gep_is(user) ? hardware_is_given_away(user)
            : LLVMIsAStoreInst(user)
                ? LLVMGetOperand(user, 0) == local && !LLVMIsAAllocaInst(LLVMGetOperand(user, 1))
            : LLVMIsACallInst(user) ? !is_named(user, "llvm.") && !is_named(user, "cz_")
                                    : LLVMIsAPtrToIntInst(user) != NULL)
            return true;
    }
    return false;
}
