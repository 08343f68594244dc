// SPDX-License-Identifier: Apache-2.0
// Undefined behaviour that an -O0 build just computes: shifts by too much, signed overflow,
// floats beyond the range of an integer, indices beyond an array inside its object. The run
// goes on behind it; the checks only tell.
//
// The first three are put in before anything is optimised, as calls of "cz.check" with the
// operands: the optimiser may compute a shift in advance that the program only makes under a
// condition, but moves no call. When the function is instrumented, and operands have labels,
// each call becomes a fast path of the runtime. Indices are checked where memory is
// accessed: the address of the element behind the last may be formed.
#include "instrument/pass.h"
#include <string.h>

static bool is_wanted(const struct pass *p, uint32_t fault)
{
    return p->request->program && p->request->checks >> fault & 1;
}

static LLVMValueRef check_function(struct pass *p, LLVMTypeRef *type)
{
    LLVMTypeRef fixed[] = {p->i32, p->i32, p->i32};
    *type = LLVMFunctionType(p->nothing, fixed, 3, 1);
    LLVMValueRef f = LLVMGetNamedFunction(p->module, "cz.check");
    return f ? f : LLVMAddFunction(p->module, "cz.check", *type);
}

// cz.check(fault, detail, site, operands ...)
static void put_check(struct pass *p, LLVMValueRef i, uint32_t fault, uint32_t detail,
                      LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef type;
    LLVMValueRef f = check_function(p, &type);
    LLVMValueRef args[] = {pass_number(p, fault), pass_number(p, detail),
                           pass_number(p, pass_site(p, i, fault)), a, b};
    pass_before(p, i);
    LLVMBuildCall2(p->builder, type, f, args, b ? 5 : 4, "");
}

static unsigned integer_width(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static void check_shift(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef count = LLVMGetOperand(i, 1);
    unsigned width = integer_width(LLVMTypeOf(count));
    bool fits = LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) < width;
    if (width && width <= 64 && !fits && is_wanted(p, WIRE_FAULT_SHIFT))
        put_check(p, i, WIRE_FAULT_SHIFT, width, count, NULL);
}

// clang marks signed arithmetic with nsw unless -fwrapv defines its overflow.
static void check_signed(struct pass *p, LLVMValueRef i, uint32_t op)
{
    unsigned width = integer_width(LLVMTypeOf(i));
    if ((width == 32 || width == 64) && is_wanted(p, WIRE_FAULT_OVERFLOW) && LLVMGetNSW(i))
        put_check(p, i, WIRE_FAULT_OVERFLOW, op, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
}

static void check_conversion(struct pass *p, LLVMValueRef i, bool is_signed)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(from));
    unsigned width = integer_width(LLVMTypeOf(i));
    if (width > 1 && width <= 64 && (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind) &&
        is_wanted(p, WIRE_FAULT_CONVERSION))
        put_check(p, i, WIRE_FAULT_CONVERSION, width << 1 | is_signed, from, NULL);
}

void undefined_prepare(struct pass *p)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            switch (LLVMGetInstructionOpcode(i)) {
            case LLVMShl:
            case LLVMLShr:
            case LLVMAShr: check_shift(p, i); break;
            case LLVMAdd: check_signed(p, i, WIRE_ADD); break;
            case LLVMSub: check_signed(p, i, WIRE_SUB); break;
            case LLVMMul: check_signed(p, i, WIRE_MUL); break;
            case LLVMFPToSI: check_conversion(p, i, true); break;
            case LLVMFPToUI: check_conversion(p, i, false); break;
            default: break;
            }
}

bool undefined_is_check(LLVMValueRef callee)
{
    return LLVMIsAFunction(callee) && strcmp(pass_name(callee), "cz.check") == 0;
}

static uint32_t constant(LLVMValueRef call, unsigned argument)
{
    return (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, argument));
}

void undefined_check(struct pass *p, LLVMValueRef call)
{
    uint32_t fault = constant(call, 0), detail = constant(call, 1);
    LLVMValueRef site = LLVMGetOperand(call, 2), a = LLVMGetOperand(call, 3);
    pass_before(p, call);
    if (fault == WIRE_FAULT_SHIFT) {
        PASS_CALL(p, "cz_s_shift", pass_number(p, detail), pass_label(p, a), pass_bits(p, a), site);
    } else if (fault == WIRE_FAULT_OVERFLOW) {
        LLVMValueRef b = LLVMGetOperand(call, 4);
        PASS_CALL(p, "cz_s_signed", pass_number(p, detail),
                  pass_number(p, integer_width(LLVMTypeOf(a))), pass_label(p, a), pass_label(p, b),
                  pass_bits(p, a), pass_bits(p, b), site);
    } else {
        bool is_single = LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMFloatTypeKind;
        PASS_CALL(p, is_single ? "cz_s_conversion32" : "cz_s_conversion64",
                  LLVMConstInt(p->i1, detail & 1, 0), pass_number(p, detail >> 1), pass_label(p, a),
                  a, site);
    }
    LLVMInstructionEraseFromParent(call);
}

// ---- indices ----

static bool is_gep(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) ||
           (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

// The last member of a struct may stand for an array of any length.
static bool is_last_member(LLVMValueRef address)
{
    if (!is_gep(address))
        return false;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMGetNumOperands(address) != 3)
        return false;
    LLVMValueRef field = LLVMGetOperand(address, 2);
    return LLVMIsAConstantInt(field) &&
           LLVMConstIntGetZExtValue(field) + 1 == LLVMCountStructElementTypes(type);
}

// A whole object has bounds of its own, which are checked with the access.
static bool is_whole_object(struct pass *p, LLVMValueRef base, LLVMTypeRef type)
{
    uint64_t size = 0;
    return (map_get(&p->global_sizes, (uintptr_t)base, &size) ||
            map_get(&p->local_sizes, (uintptr_t)base, &size)) &&
           size == LLVMABISizeOfType(p->layout, type);
}

static void check_index(struct pass *p, LLVMValueRef i, LLVMValueRef gep)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    if (LLVMGetTypeKind(type) != LLVMArrayTypeKind || LLVMGetNumOperands(gep) != 3)
        return;
    LLVMValueRef base = LLVMGetOperand(gep, 0), index = LLVMGetOperand(gep, 2);
    uint64_t count = LLVMGetArrayLength2(type);
    if (LLVMTypeOf(index) != p->word || count == 0 ||
        (LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) < count) ||
        is_last_member(base) || is_whole_object(p, base, type))
        return;
    PASS_CALL(p, "cz_s_index", base, pass_label(p, index), pass_bits(p, index),
              pass_number64(p, count), pass_number(p, pass_site(p, i, WIRE_FAULT_MEMBER)));
}

void undefined_indices(struct pass *p, LLVMValueRef i, LLVMValueRef address)
{
    if (!is_wanted(p, WIRE_FAULT_MEMBER))
        return;
    for (; is_gep(address); address = LLVMGetOperand(address, 0))
        check_index(p, i, address);
}
