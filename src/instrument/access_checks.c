// SPDX-License-Identifier: Apache-2.0
// Which accesses need which check, division checks, and taming of undefined
// behaviour before the optimiser sees it. The clean build that confirms our results
// is an -O0 build, so the instrumented code must not be optimised on assumptions
// that -O0 does not make: inbounds and exact flags, attributes that promise the
// absence of side effects, shifts by too much, uninitialised values, __builtin_unreachable.
#include "instrument/gep.h"
#include "instrument/pass.h"
#include <string.h>

LLVMValueRef checks_anchor(struct pass *p, LLVMValueRef address, int64_t *offset)
{
    *offset = 0;
    while (gep_is(address) && gep_step(p->layout, address, offset))
        address = LLVMGetOperand(address, 0);
    return address;
}

// Size of the object that a root is, 0 when not known here.
static uint64_t root_size(struct pass *p, LLVMValueRef root)
{
    uint64_t size = 0;
    if (map_get(&p->global_sizes, (uintptr_t)root, &size) ||
        map_get(&p->local_sizes, (uintptr_t)root, &size))
        return size;
    if (LLVMIsAArgument(root)) {
        unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
        for (unsigned i = 0; i < LLVMCountParams(p->function); i++) {
            LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(p->function, i + 1, byval);
            if (a && LLVMGetParam(p->function, i) == root)
                return LLVMABISizeOfType(p->layout, LLVMGetTypeAttributeValue(a));
        }
    }
    return 0;
}

static LLVMValueRef without_casts(LLVMValueRef v)
{
    while (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v) || LLVMIsATruncInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

static bool is_small(LLVMValueRef number, uint64_t unit)
{
    if (!LLVMIsAConstantInt(number) || LLVMGetIntTypeWidth(LLVMTypeOf(number)) > 64)
        return false;
    int64_t n = LLVMConstIntGetSExtValue(number);
    return n >= -CZRT_REACH && n <= CZRT_REACH && (uint64_t)(n < 0 ? -n : n) * unit <= CZRT_REACH;
}

static bool is_step(LLVMValueRef next, LLVMValueRef counter, uint64_t unit)
{
    next = without_casts(next);
    return (LLVMIsABinaryOperator(next) && (LLVMGetInstructionOpcode(next) == LLVMAdd ||
                                            LLVMGetInstructionOpcode(next) == LLVMSub)) &&
           without_casts(LLVMGetOperand(next, 0)) == counter &&
           is_small(LLVMGetOperand(next, 1), unit);
}

// What a loop counts from near 0 in small steps.
static bool is_counter(LLVMValueRef index, uint64_t unit)
{
    index = without_casts(index);
    if (!LLVMIsAPHINode(index) || unit > CZRT_REACH)
        return false;
    for (unsigned k = 0; k < LLVMCountIncoming(index); k++) {
        LLVMValueRef from = LLVMGetIncomingValue(index, k);
        if (!is_small(from, unit) && !is_step(from, index, unit))
            return false;
    }
    return true;
}

// Can nothing be between the base and this address but a red zone that is seen? At a small
// constant distance that holds, and for the counter of a loop, which comes to the red zone first.
static bool is_near(struct pass *p, LLVMValueRef address)
{
    int64_t offset = 0;
    bool is_counted = false;
    for (; gep_is(address); address = LLVMGetOperand(address, 0)) {
        if (gep_step(p->layout, address, &offset))
            continue;
        LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
        if (is_counted || LLVMGetNumOperands(address) != 2 ||
            !is_counter(LLVMGetOperand(address, 1), LLVMABISizeOfType(p->layout, type)))
            return false;
        is_counted = true;
    }
    return offset >= -CZRT_REACH && offset <= CZRT_REACH;
}

bool checks_is_known(struct pass *p, LLVMValueRef root)
{
    return root_size(p, root) != 0;
}

struct access checks_access(struct pass *p, LLVMValueRef address, uint64_t bytes)
{
    struct access access = {.base = memory_root(address),
                            .checks = CZRT_CHECK_NULL | CZRT_CHECK_POISON};
    uint64_t size = root_size(p, access.base);
    int64_t offset;
    if (size < bytes) { // unknown, or nothing that fits
        if (!is_near(p, address))
            access.checks |= CZRT_CHECK_REACH;
        return access;
    }
    access.size = size;
    if (checks_anchor(p, address, &offset) == access.base && offset >= 0 &&
        (uint64_t)offset <= size - bytes) {
        access.is_static = !map_get(&p->scoped, (uintptr_t)access.base, NULL);
        access.checks = access.is_static ? 0 : CZRT_CHECK_POISON;
    } else
        access.checks = CZRT_CHECK_SIZE;
    return access;
}

void checks_division(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    bool is_signed = opcode == LLVMSDiv || opcode == LLVMSRem;
    unsigned width = pass_width(p, LLVMTypeOf(i));
    if (width == 0)
        return;
    if (LLVMIsAConstantInt(b) && width <= 64) { // nothing can go wrong with most constants
        int64_t divisor = LLVMConstIntGetSExtValue(b);
        if (divisor != 0 && !(is_signed && divisor == -1))
            return;
    }
    pass_before(p, i);
    LLVMValueRef y = pass_bits(p, b);
    if (width > 64) // zero in both halves; the quotient that does not fit is not checked
        y = LLVMBuildOr(p->builder, y, pass_high_bits(p, b), "");
    PASS_CALL(p, "cz_s_division", LLVMConstInt(p->i1, is_signed && width <= 64, 0),
              pass_number(p, width), pass_label(p, a), pass_label(p, b), pass_bits(p, a), y,
              pass_number(p, pass_site(p, i, WIRE_FAULT_DIVISION)));
}

// __builtin_unreachable() is a fault when it is reached.
static void check_unreachable(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef previous = LLVMGetPreviousInstruction(i);
    if (previous && LLVMIsACallInst(previous))
        return; // behind a function that does not return
    pass_before(p, i);
    PASS_CALL(p, "cz_s_fault", pass_number(p, WIRE_FAULT_UNREACHABLE),
              pass_number(p, pass_site(p, i, WIRE_FAULT_UNREACHABLE)));
}

// ---- before instrumenting ----

// x86 takes shift counts modulo the width, and so does an -O0 build.
static void mask_shift(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef count = LLVMGetOperand(i, 1);
    LLVMTypeRef type = LLVMTypeOf(count);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return;
    unsigned width = LLVMGetIntTypeWidth(type);
    if (width & (width - 1))
        return;
    if (LLVMIsAConstantInt(count) && width <= 64 && LLVMConstIntGetZExtValue(count) < width)
        return;
    pass_before(p, i);
    LLVMSetOperand(i, 1, LLVMBuildAnd(p->builder, count, LLVMConstInt(type, width - 1, 0), ""));
}

// An uninitialised variable reads as 0, always, and its use is counted; left to the
// optimiser it would be a different value at each use.
static void replace_undefined(struct pass *p, LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    if (opcode == LLVMInsertValue || opcode == LLVMInsertElement || opcode == LLVMShuffleVector)
        return; // the usual way to begin an aggregate
    bool counted = false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef v = LLVMGetOperand(i, k);
        if (!LLVMIsAUndefValue(v) || LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMMetadataTypeKind)
            continue;
        LLVMSetOperand(i, k, LLVMConstNull(LLVMTypeOf(v)));
        counted = true;
    }
    if (counted && opcode != LLVMPHI && opcode != LLVMRet) {
        pass_before(p, i);
        PASS_CALL(p, "cz_s_loss", pass_number(p, WIRE_LOSS_UNINIT));
    }
}

static const char *const broken_promises[] = {"memory", "speculatable", "willreturn", "nofree",
                                              "nosync", "mustprogress", "norecurse"};
static const char *const broken_parameter_promises[] = {
    "noundef", "nonnull",  "dereferenceable", "dereferenceable_or_null",
    "noalias", "readonly", "readnone",        "writeonly"};

static unsigned kind_of(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void weaken_call(LLVMValueRef i)
{
    for (unsigned k = 0; k < COUNT(broken_promises); k++)
        LLVMRemoveCallSiteEnumAttribute(i, LLVMAttributeFunctionIndex, kind_of(broken_promises[k]));
    for (unsigned a = 0; a <= LLVMGetNumArgOperands(i); a++)
        for (unsigned k = 0; k < COUNT(broken_parameter_promises); k++)
            LLVMRemoveCallSiteEnumAttribute(i, a, kind_of(broken_parameter_promises[k]));
}

static void weaken_function(LLVMValueRef f)
{
    for (unsigned k = 0; k < COUNT(broken_promises); k++)
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of(broken_promises[k]));
    for (unsigned a = 0; a <= LLVMCountParams(f); a++)
        for (unsigned k = 0; k < COUNT(broken_parameter_promises); k++)
            LLVMRemoveEnumAttributeAtIndex(f, a, kind_of(broken_parameter_promises[k]));
}

// Promises that an -O0 build does not rely on.
static void weaken_instruction(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMGetElementPtr: LLVMSetIsInBounds(i, 0); break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        LLVMSetNSW(i, 0);
        LLVMSetNUW(i, 0);
        break;
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMLShr:
    case LLVMAShr: LLVMSetExact(i, 0); break;
    case LLVMCall: {
        LLVMValueRef callee = LLVMGetCalledValue(i);
        if (!LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee) == 0)
            weaken_call(i);
        break;
    }
    default: break;
    }
}

static bool is_shift(LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    return opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
}

void checks_weaken(struct pass *p)
{
    weaken_function(p->function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            weaken_instruction(i);
            if (is_shift(i))
                mask_shift(p, i);
        }
}

void checks_prepare(struct pass *p)
{
    undefined_prepare(p);
    checks_weaken(p);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            replace_undefined(p, i);
            if (LLVMIsAUnreachableInst(i))
                check_unreachable(p, i);
        }
}
