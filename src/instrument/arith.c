// SPDX-License-Identifier: Apache-2.0
// Labels of arithmetic: binary operations, comparisons, casts, negation. Floats
// are handled by their bits. Vector arithmetic works part by part.
#include "instrument/pass.h"

static uint32_t binary_op(LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMAdd: return WIRE_ADD;
    case LLVMSub: return WIRE_SUB;
    case LLVMMul: return WIRE_MUL;
    case LLVMUDiv: return WIRE_UDIV;
    case LLVMSDiv: return WIRE_SDIV;
    case LLVMURem: return WIRE_UREM;
    case LLVMSRem: return WIRE_SREM;
    case LLVMShl: return WIRE_SHL;
    case LLVMLShr: return WIRE_LSHR;
    case LLVMAShr: return WIRE_ASHR;
    case LLVMAnd: return WIRE_AND;
    case LLVMOr: return WIRE_OR;
    case LLVMXor: return WIRE_XOR;
    case LLVMFAdd: return WIRE_FADD;
    case LLVMFSub: return WIRE_FSUB;
    case LLVMFMul: return WIRE_FMUL;
    case LLVMFDiv: return WIRE_FDIV;
    case LLVMFRem: return WIRE_FREM;
    default: return WIRE_NONE;
    }
}

static uint32_t integer_comparison(LLVMIntPredicate predicate)
{
    switch (predicate) {
    case LLVMIntEQ: return WIRE_EQ;
    case LLVMIntNE: return WIRE_NE;
    case LLVMIntUGT: return WIRE_UGT;
    case LLVMIntUGE: return WIRE_UGE;
    case LLVMIntULT: return WIRE_ULT;
    case LLVMIntULE: return WIRE_ULE;
    case LLVMIntSGT: return WIRE_SGT;
    case LLVMIntSGE: return WIRE_SGE;
    case LLVMIntSLT: return WIRE_SLT;
    default: return WIRE_SLE;
    }
}

// NONE for the constant predicates.
static uint32_t float_comparison(LLVMRealPredicate predicate)
{
    switch (predicate) {
    case LLVMRealOEQ: return WIRE_FOEQ;
    case LLVMRealOGT: return WIRE_FOGT;
    case LLVMRealOGE: return WIRE_FOGE;
    case LLVMRealOLT: return WIRE_FOLT;
    case LLVMRealOLE: return WIRE_FOLE;
    case LLVMRealONE: return WIRE_FONE;
    case LLVMRealORD: return WIRE_FORD;
    case LLVMRealUNO: return WIRE_FUNO;
    case LLVMRealUEQ: return WIRE_FUEQ;
    case LLVMRealUGT: return WIRE_FUGT;
    case LLVMRealUGE: return WIRE_FUGE;
    case LLVMRealULT: return WIRE_FULT;
    case LLVMRealULE: return WIRE_FULE;
    case LLVMRealUNE: return WIRE_FUNE;
    default: return WIRE_NONE;
    }
}

static uint32_t cast_op(LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMZExt: return WIRE_ZEXT;
    case LLVMSExt: return WIRE_SEXT;
    case LLVMTrunc: return WIRE_TRUNC;
    case LLVMFPExt: return WIRE_FPEXT;
    case LLVMFPTrunc: return WIRE_FPTRUNC;
    case LLVMSIToFP: return WIRE_SITOFP;
    case LLVMUIToFP: return WIRE_UITOFP;
    case LLVMFPToSI: return WIRE_FPTOSI;
    case LLVMFPToUI: return WIRE_FPTOUI;
    default: return WIRE_NONE;
    }
}

LLVMValueRef arith_labels(struct pass *p, uint32_t op, unsigned width, LLVMValueRef la,
                          LLVMValueRef lb, LLVMValueRef x, LLVMValueRef y)
{
    if (la == p->zero && lb == p->zero)
        return p->zero;
    return PASS_CALL(p, "cz_s_binary", pass_number(p, op), pass_number(p, width), la, lb, x, y);
}

// A wide operation of a width other than 128 has no node: concrete.
LLVMValueRef arith_binary(struct pass *p, uint32_t op, unsigned width, LLVMValueRef a,
                          LLVMValueRef b)
{
    LLVMValueRef la = pass_label(p, a), lb = pass_label(p, b);
    if (la == p->zero && lb == p->zero)
        return p->zero;
    if (width <= 64)
        return arith_labels(p, op, width, la, lb, pass_bits(p, a), pass_bits(p, b));
    if (width == 128)
        return PASS_CALL(p, "cz_s_binary128", pass_number(p, op), la, lb, pass_bits(p, a),
                         pass_high_bits(p, a), pass_bits(p, b), pass_high_bits(p, b));
    pass_lose(p, a, WIRE_LOSS_WIDE);
    pass_lose(p, b, WIRE_LOSS_WIDE);
    return p->zero;
}

LLVMValueRef arith_cast(struct pass *p, uint32_t op, unsigned width, LLVMValueRef label)
{
    if (label == p->zero)
        return p->zero;
    return PASS_CALL(p, "cz_s_unary", pass_number(p, op), pass_number(p, width), label);
}

// Operations on vectors of labelled parts: one scalar operation per part.
static void binary_parts(struct pass *p, LLVMValueRef i, uint32_t op)
{
    struct part parts[CZRT_MAX_PARTS];
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    unsigned count = pass_parts(p, LLVMTypeOf(a), parts);
    if (pass_is_concrete(p, a) && pass_is_concrete(p, b))
        return;
    struct part results[CZRT_MAX_PARTS];
    if (pass_parts(p, LLVMTypeOf(i), results) != count) { // comparisons give packed bits
        pass_lose(p, a, WIRE_LOSS_WIDE);
        pass_lose(p, b, WIRE_LOSS_WIDE);
        return;
    }
    if (count && pass_width(p, parts[0].type) > 64) {
        pass_lose(p, a, WIRE_LOSS_WIDE);
        pass_lose(p, b, WIRE_LOSS_WIDE);
        return;
    }
    LLVMValueRef *la = pass_labels(p, a), *lb = pass_labels(p, b);
    LLVMValueRef *labels = pass_new_labels(p, i, count);
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef x = LLVMBuildExtractElement(p->builder, a, pass_number(p, k), "");
        LLVMValueRef y = LLVMBuildExtractElement(p->builder, b, pass_number(p, k), "");
        labels[k] = arith_labels(p, op, pass_width(p, parts[k].type), la[k], lb[k], pass_bits(p, x),
                                 pass_bits(p, y));
    }
}

static void binary(struct pass *p, LLVMValueRef i, uint32_t op)
{
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    unsigned width = pass_width(p, LLVMTypeOf(a));
    pass_after(p, i);
    if (op == WIRE_NONE)
        return;
    if (LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMVectorTypeKind)
        binary_parts(p, i, op);
    else if (width)
        pass_set_label(p, i, arith_binary(p, op, width, a, b));
}

static void cast(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned width = pass_width(p, LLVMTypeOf(i));
    pass_after(p, i);
    if (width == 0 || pass_width(p, LLVMTypeOf(from)) == 0)
        pass_lose(p, from, WIRE_LOSS_WIDE); // to or from x87, or a vector
    else
        pass_set_label(
            p, i, arith_cast(p, cast_op(LLVMGetInstructionOpcode(i)), width, pass_label(p, from)));
}

// ---- addresses as numbers: runtime/addresses.c ----

static bool asks_addresses(struct pass *p)
{
    return p->request->program != NULL;
}

static void compare_pointers(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    if (!asks_addresses(p) || LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMPointerTypeKind ||
        LLVMIsNull(a) || LLVMIsNull(b))
        return;
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(i);
    bool by_order = predicate != LLVMIntEQ && predicate != LLVMIntNE;
    pass_before(p, i);
    PASS_CALL(p, "cz_s_compare_pointers", a, b, LLVMConstInt(p->i1, by_order, 0));
}

LLVMValueRef arith_converted_pointer(LLVMValueRef v)
{
    return LLVMIsAPtrToIntInst(v) ||
                   (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMPtrToInt)
               ? LLVMGetOperand(v, 0)
               : NULL;
}

// q - p is what clang makes of pointers; inside an object it is no matter of addresses.
static bool pointer_distance(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef a = arith_converted_pointer(LLVMGetOperand(i, 0));
    LLVMValueRef b = arith_converted_pointer(LLVMGetOperand(i, 1));
    if (!asks_addresses(p) || !a || !b || LLVMTypeOf(i) != p->word)
        return false;
    pass_after(p, i);
    LLVMValueRef label = arith_labels(p, WIRE_SUB, p->pointer_bits, pass_label(p, a),
                                      pass_label(p, b), pass_bits(p, a), pass_bits(p, b));
    pass_set_label(p, i, PASS_CALL(p, "cz_s_pointer_distance", a, b, label));
    return true;
}

static bool only_for_distance(LLVMValueRef i)
{
    for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMGetInstructionOpcode(user) != LLVMSub ||
            !arith_converted_pointer(LLVMGetOperand(user, 0)) ||
            !arith_converted_pointer(LLVMGetOperand(user, 1)))
            return false;
    }
    return true;
}

static void pointer_to_number(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef pointer = LLVMGetOperand(i, 0);
    if (!asks_addresses(p) || only_for_distance(i))
        return;
    LLVMValueRef label = PASS_CALL(p, "cz_s_pointer_number", pointer, pass_label(p, pointer));
    unsigned width = pass_width(p, LLVMTypeOf(i));
    if (width && width != p->pointer_bits)
        label = arith_cast(p, width < p->pointer_bits ? WIRE_TRUNC : WIRE_ZEXT, width, label);
    if (width)
        pass_set_label(p, i, label);
}

static void number_to_pointer(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef label = pass_label(p, i);
    if (asks_addresses(p) && label != p->zero)
        pass_set_label(p, i, PASS_CALL(p, "cz_s_number_pointer", label));
}

// The same bits under another type.
static void reinterpret(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned width = pass_width(p, LLVMTypeOf(i)), old = pass_width(p, LLVMTypeOf(from));
    struct part parts[CZRT_MAX_PARTS];
    unsigned count = pass_parts(p, LLVMTypeOf(i), parts);
    pass_after(p, i);
    if (width && old && width != old) // ptrtoint and inttoptr of other widths
        pass_set_label(
            p, i, arith_cast(p, width < old ? WIRE_TRUNC : WIRE_ZEXT, width, pass_label(p, from)));
    else if (count == pass_parts(p, LLVMTypeOf(from), parts))
        map_put(&p->labels, (uintptr_t)i, (uintptr_t)pass_labels(p, from));
    else
        pass_lose(p, from, WIRE_LOSS_WIDE);
    if (LLVMIsAPtrToIntInst(i))
        pointer_to_number(p, i);
    else if (LLVMIsAIntToPtrInst(i))
        number_to_pointer(p, i);
}

static void negate(struct pass *p, LLVMValueRef i)
{
    unsigned width = pass_width(p, LLVMTypeOf(i));
    LLVMValueRef from = LLVMGetOperand(i, 0);
    pass_after(p, i);
    if (width)
        pass_set_label(p, i, arith_cast(p, WIRE_FNEG, width, pass_label(p, from)));
    else
        pass_lose(p, from, WIRE_LOSS_WIDE);
}

bool arith_instruction(struct pass *p, LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    switch (opcode) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        checks_division(p, i);
        // fall through
    case LLVMAdd:
    case LLVMSub:
        if (opcode == LLVMSub && pointer_distance(p, i))
            return true;
        // fall through
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem: binary(p, i, binary_op(opcode)); return true;
    case LLVMICmp:
        compare_pointers(p, i);
        binary(p, i, integer_comparison(LLVMGetICmpPredicate(i)));
        return true;
    case LLVMFCmp: binary(p, i, float_comparison(LLVMGetFCmpPredicate(i))); return true;
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPToSI:
    case LLVMFPToUI: cast(p, i); return true;
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast:
    case LLVMFreeze: reinterpret(p, i); return true;
    case LLVMFNeg: negate(p, i); return true;
    default: return false;
    }
}
