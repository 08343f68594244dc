// SPDX-License-Identifier: Apache-2.0
// Local variables that stay in memory. The labels of earlier frames at the same
// addresses must not shine through, so the shadow is cleared on entry; arrays and
// structs whose address is computed or escapes get red zones around them and an
// entry in the object table for the life of the frame. Those whose address may be known elsewhere
// are marked when the function returns. Leaving by longjmp or a
// fault keeps the red zones: the runtime clears the used stack between runs.
#include "instrument/pass.h"

#include "base/tunables.h"

static bool is_aggregate(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind;
}

// Is the local used in other ways than loads and stores at constant offsets?
static bool escapes(LLVMValueRef address)
{
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user))
            continue;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address)
            continue;
        if (!LLVMIsAGetElementPtrInst(user) || escapes(user))
            return true;
        for (int k = 1; k < LLVMGetNumOperands(user); k++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(user, (unsigned)k)))
                return true;
    }
    return false;
}

static bool is_static_alloca(struct pass *p, LLVMValueRef i)
{
    return LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
           LLVMGetInstructionParent(i) == LLVMGetEntryBasicBlock(p->function);
}

bool frame_has_must_tail(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && LLVMGetTailCallKind(i) == LLVMTailCallKindMustTail)
                return true;
    return false;
}

static uint64_t padded_size(uint64_t size)
{
    return (size + INSTRUMENT_RED_ZONE + 15) & ~15ull;
}

// Replace the alloca by a longer one. The variable begins behind the red zone in front; a call
// of a shim tells where, so that until shims are inlined its result is the root of addresses.
static LLVMValueRef pad(struct pass *p, LLVMValueRef local, uint64_t padded, LLVMValueRef behind)
{
    unsigned align = LLVMGetAlignment(local),
             front = align < CZRT_FRONT_ZONE ? CZRT_FRONT_ZONE : align;
    pass_before(p, local);
    LLVMValueRef longer = LLVMBuildAlloca(p->builder, LLVMArrayType2(p->i8, front + padded), "");
    LLVMSetAlignment(longer, front);
    LLVMPositionBuilderBefore(p->builder, behind);
    LLVMValueRef address = PASS_CALL(p, "cz_s_local_at", longer, pass_number64(p, front));
    LLVMReplaceAllUsesWith(local, address);
    LLVMInstructionEraseFromParent(local);
    return address;
}

// alloca() of a constant may stand anywhere in the entry block; whatever is done to the frame
// on entry comes behind all of them.
static void gather_allocas(struct pass *p)
{
    LLVMValueRef end = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(p->function)), next;
    while (is_static_alloca(p, end))
        end = LLVMGetNextInstruction(end);
    for (LLVMValueRef i = end; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (i == end || !is_static_alloca(p, i))
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMPositionBuilderBefore(p->builder, end);
        LLVMInsertIntoBuilder(p->builder, i);
    }
}

void frame_prepare(struct pass *p)
{
    gather_allocas(p);
    bool may_pad = !frame_has_must_tail(p->function);
    p->locals.count = 0;
    LLVMValueRef next, behind = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(p->function));
    while (is_static_alloca(p, behind))
        behind = LLVMGetNextInstruction(behind);
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(p->function)); i;
         i = next) {
        next = LLVMGetNextInstruction(i);
        if (!is_static_alloca(p, i))
            continue;
        LLVMTypeRef type = LLVMGetAllocatedType(i);
        uint64_t size =
            LLVMABISizeOfType(p->layout, type) * LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
        struct local local = {.address = i, .size = size, .padded = size};
        bool scoped = scope_has_mark(i);
        local.leaks = scoped || (scope_is_watched(p, p->function) && scope_leaks(i));
        bool has_elements =
            is_aggregate(type) || LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) > 1;
        if (may_pad && size > 0 && has_elements && escapes(i)) {
            local.padded = padded_size(size);
            local.address = pad(p, i, local.padded, behind);
        }
        map_put(&p->local_sizes, (uintptr_t)local.address, size);
        if (scoped)
            map_put(&p->scoped, (uintptr_t)local.address, 1);
        if (size > 0)
            *VEC_PUSH(&p->locals) = local;
    }
}

static bool any_padded(struct pass *p)
{
    for (size_t i = 0; i < p->locals.count; i++)
        if (p->locals.items[i].padded != p->locals.items[i].size)
            return true;
    return false;
}

// The builder stands behind the allocas of the entry block.
void frame_enter(struct pass *p)
{
    p->frame = any_padded(p) ? pass_call(p, "cz_s_frame_enter", 0, NULL) : NULL;
    for (size_t i = 0; i < p->locals.count; i++) {
        struct local *l = &p->locals.items[i];
        if (l->padded != l->size)
            PASS_CALL(p, "cz_s_local", l->address, pass_number64(p, l->size),
                      pass_number64(p, l->padded));
        else if (l->size <= 16)
            PASS_CALL(p, "cz_s_clear", l->address, pass_number(p, l->size));
        else
            PASS_CALL(p, "cz_s_fill", l->address, p->zero, pass_number64(p, l->size));
    }
}

void frame_leave(struct pass *p, LLVMValueRef ret)
{
    pass_before(p, ret);
    for (size_t i = 0; i < p->locals.count; i++) {
        struct local *l = &p->locals.items[i];
        if (l->padded != l->size)
            PASS_CALL(p, "cz_s_local_end", l->address, pass_number64(p, l->size),
                      pass_number64(p, l->padded));
        if (l->leaks)
            PASS_CALL(p, "cz_s_local_dead", l->address, pass_number64(p, l->size),
                      pass_number(p, WIRE_RETURNED));
    }
    if (p->frame)
        PASS_CALL(p, "cz_s_frame_leave", p->frame);
}
