// SPDX-License-Identifier: Apache-2.0
// Addresses of variables and functions as numbers. Such a number is a constant, and a constant has
// no label that could say where it comes from (runtime/addresses.c). So in the code each one
// becomes a value of its own, with a label. In the initialiser of a variable it cannot: whoever
// mentions that variable may decide by an address.
#include "instrument/pass.h"

#include <string.h>

static bool is_number(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind;
}

// A constant integer that is computed from an address.
static bool is_address(LLVMValueRef v)
{
    if (!LLVMIsAConstantExpr(v) || !is_number(v))
        return false;
    if (LLVMGetConstOpcode(v) == LLVMPtrToInt)
        return true;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++)
        if (is_address(LLVMGetOperand(v, k)))
            return true;
    return false;
}

// The end of the block that a phi's operand comes from, else the user itself.
static LLVMValueRef place_of(LLVMValueRef user, unsigned k)
{
    return LLVMIsAPHINode(user) ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, k)) : user;
}

static LLVMValueRef labelled(struct pass *p, LLVMValueRef constant)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMValueRef wide = PASS_CALL(p, "cz_s_number", pass_bits(p, constant)), value = wide;
    LLVMValueRef label = PASS_CALL(p, "cz_s_number_label", wide);
    unsigned width = pass_width(p, type);
    if (width < 64)
        value = LLVMBuildTrunc(p->builder, wide, type, "");
    if (width != p->pointer_bits)
        label = arith_cast(p, width < p->pointer_bits ? WIRE_TRUNC : WIRE_ZEXT, width, label);
    pass_set_label(p, value, label);
    return value;
}

// p - table is no matter of addresses.
static bool is_distance(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMSub &&
           arith_converted_pointer(LLVMGetOperand(i, 0)) &&
           arith_converted_pointer(LLVMGetOperand(i, 1));
}

static bool is_mentioned(struct pass *p, LLVMValueRef v)
{
    LLVMValueRef root = memory_root(v);
    return LLVMIsAGlobalVariable(root) && map_get(&p->numbered, (uintptr_t)root, NULL);
}

// In a whole program the environment is that of the engine, unless getenv() is asked.
static bool is_environment(struct pass *p, LLVMValueRef v)
{
    static const char *const names[] = {"environ", "__environ", "_environ"};
    if (!p->request->program->is_whole || !LLVMIsAGlobalVariable(v) || !LLVMIsDeclaration(v))
        return false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(pass_name(v), names[k]) == 0)
            return true;
    return false;
}

static void look_at(struct pass *p, LLVMValueRef i)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef v = LLVMGetOperand(i, k);
        if (!LLVMIsAConstant(v))
            continue;
        if (is_address(v) && pass_width(p, LLVMTypeOf(v)) && pass_width(p, LLVMTypeOf(v)) <= 64 &&
            !LLVMIsASwitchInst(i)) {
            pass_before(p, place_of(i, k));
            LLVMSetOperand(i, k, labelled(p, v));
        } else if (is_mentioned(p, v) && !(LLVMIsAStoreInst(i) && k == 1)) {
            pass_before(p, place_of(i, k));
            PASS_CALL(p, "cz_s_loss", pass_number(p, WIRE_LOSS_ADDRESS));
        } else if (is_environment(p, v)) {
            pass_before(p, place_of(i, k));
            PASS_CALL(p, "cz_s_loss", pass_number(p, WIRE_LOSS_STATE));
        }
    }
}

void numbers_label(struct pass *p)
{
    if (!p->request->program)
        return;
    for (size_t b = 0; b < p->block_count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(p->order[b]), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!is_distance(i))
                look_at(p, i);
        }
}

bool numbers_contain_address(LLVMValueRef initialiser)
{
    if (is_address(initialiser))
        return true;
    bool whole = LLVMIsAConstantStruct(initialiser) || LLVMIsAConstantArray(initialiser);
    for (unsigned k = 0; whole && k < (unsigned)LLVMGetNumOperands(initialiser); k++)
        if (numbers_contain_address(LLVMGetOperand(initialiser, k)))
            return true;
    return false;
}
