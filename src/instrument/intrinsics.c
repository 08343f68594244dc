// SPDX-License-Identifier: Apache-2.0
// LLVM intrinsics: what clang makes of struct copies, mem* functions, variable
// arguments, builtins and much of <math.h>. What is not listed here is concrete, and
// counted when it was fed something symbolic.
#include "instrument/pass.h"
#include <string.h>

struct intrinsic {
    const char *name;
    void (*handle)(struct pass *p, LLVMValueRef i, const struct intrinsic *self);
    uint32_t a, b;
};

static LLVMValueRef operand(LLVMValueRef i, unsigned k)
{
    return LLVMGetOperand(i, k);
}

static void move_block(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    (void)self;
    LLVMValueRef to = operand(i, 0), from = operand(i, 1), length = operand(i, 2);
    pass_before(p, i);
    memory_range(p, i, from, length);
    memory_range(p, i, to, length);
    PASS_CALL(p, "cz_s_move", to, from, pass_bits(p, length));
}

static void fill_block(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    (void)self;
    LLVMValueRef to = operand(i, 0), value = operand(i, 1), length = operand(i, 2);
    pass_before(p, i);
    memory_range(p, i, to, length);
    if (uninit_covers(i))
        return;
    PASS_CALL(p, "cz_s_fill", to, pass_label(p, value), pass_bits(p, length));
}

static void start_varargs(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    (void)self;
    pass_after(p, i);
    if (p->varargs)
        PASS_CALL(p, "cz_s_varargs_start", operand(i, 0), p->varargs,
                  pass_number(p, LLVMCountParams(p->function)));
}

static void copy_varargs(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    (void)self;
    pass_before(p, i);
    PASS_CALL(p, "cz_s_move", operand(i, 0), operand(i, 1),
              pass_number64(p, p->pointer_bits == 64 ? 24 : 4));
}

static void same_value(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    (void)self;
    map_put(&p->labels, (uintptr_t)i, (uintptr_t)pass_labels(p, operand(i, 0)));
}

static void nothing(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    (void)p;
    (void)i;
    (void)self;
}

// Anything else: the labels of the operands are lost.
static void lose(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    (void)self;
    pass_before(p, i);
    for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++)
        if (LLVMGetTypeKind(LLVMTypeOf(operand(i, k))) != LLVMMetadataTypeKind)
            pass_lose(p, operand(i, k), WIRE_LOSS_CONCRETISED);
}

// Does it depend on its operands alone, and change nothing?
static bool is_function(LLVMValueRef callee)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", strlen("memory"));
    LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind);
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

// What is not listed: a clock, a register of the processor, a store of several elements.
static void unlisted(struct pass *p, LLVMValueRef i, LLVMValueRef callee)
{
    bool takes_pointer = false;
    lose(p, i, NULL);
    for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++)
        takes_pointer |= LLVMGetTypeKind(LLVMTypeOf(operand(i, k))) == LLVMPointerTypeKind;
    if (!is_function(callee) && (takes_pointer || LLVMGetFirstUse(i)))
        PASS_CALL(p, "cz_s_loss",
                  pass_number(p, takes_pointer ? WIRE_LOSS_EXTERNAL : WIRE_LOSS_STATE));
}

static bool is_simple(struct pass *p, LLVMValueRef i)
{
    unsigned width = pass_width(p, LLVMTypeOf(operand(i, 0)));
    return width > 0 && width <= 64;
}

static void unary(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    if (!is_simple(p, i)) {
        lose(p, i, self);
        return;
    }
    pass_after(p, i);
    pass_set_label(
        p, i, arith_cast(p, self->a, pass_width(p, LLVMTypeOf(i)), pass_label(p, operand(i, 0))));
}

static void binary(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    if (!is_simple(p, i)) {
        lose(p, i, self);
        return;
    }
    pass_after(p, i);
    pass_set_label(
        p, i, arith_binary(p, self->a, pass_width(p, LLVMTypeOf(i)), operand(i, 0), operand(i, 1)));
}

static void count_bits(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    if (!is_simple(p, i)) {
        lose(p, i, self);
        return;
    }
    pass_after(p, i);
    LLVMValueRef a = operand(i, 0), label = pass_label(p, a);
    if (label != p->zero)
        pass_set_label(p, i,
                       PASS_CALL(p, "cz_s_count_bits", pass_number(p, self->a),
                                 pass_number(p, pass_width(p, LLVMTypeOf(a))), label,
                                 pass_bits(p, a)));
}

static void swap_bytes(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    (void)self;
    pass_after(p, i);
    unsigned width = pass_width(p, LLVMTypeOf(i));
    LLVMValueRef label = pass_label(p, operand(i, 0));
    if (width && label != p->zero)
        pass_set_label(p, i, PASS_CALL(p, "cz_s_byte_swap", pass_number(p, width), label));
    else if (!width) // vectors
        pass_lose(p, operand(i, 0), WIRE_LOSS_WIDE);
}

static LLVMValueRef if_then_else(struct pass *p, unsigned width, LLVMValueRef c, LLVMValueRef la,
                                 LLVMValueRef lb, LLVMValueRef x, LLVMValueRef y,
                                 LLVMValueRef taken)
{
    return PASS_CALL(p, "cz_s_ite", pass_number(p, width), c, la, lb, x, y, taken);
}

// min and max of integers: a where a `op` b, else b.
static void extreme(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    if (!is_simple(p, i)) {
        lose(p, i, self);
        return;
    }
    pass_after(p, i);
    LLVMValueRef a = operand(i, 0), b = operand(i, 1);
    if (pass_is_concrete(p, a) && pass_is_concrete(p, b))
        return;
    unsigned width = pass_width(p, LLVMTypeOf(i));
    LLVMValueRef c = arith_binary(p, self->a, width, a, b);
    LLVMValueRef first = LLVMBuildICmp(p->builder, LLVMIntEQ, i, a, "");
    pass_set_label(p, i,
                   if_then_else(p, width, c, pass_label(p, a), pass_label(p, b), pass_bits(p, a),
                                pass_bits(p, b), first));
}

static void absolute(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    LLVMValueRef a = operand(i, 0), label = pass_label(p, a);
    if (!is_simple(p, i)) {
        lose(p, i, self);
        return;
    }
    if (label == p->zero)
        return;
    pass_after(p, i);
    unsigned width = pass_width(p, LLVMTypeOf(i));
    LLVMValueRef zero = pass_number64(p, 0);
    LLVMValueRef negative = arith_labels(p, WIRE_SLT, width, label, p->zero, pass_bits(p, a), zero);
    LLVMValueRef minus = arith_labels(p, WIRE_SUB, width, p->zero, label, zero, pass_bits(p, a));
    LLVMValueRef taken = LLVMBuildICmp(p->builder, LLVMIntSLT, a, LLVMConstNull(LLVMTypeOf(a)), "");
    pass_set_label(p, i, if_then_else(p, width, negative, minus, label, zero, zero, taken));
}

// Has the intrinsic a label to compute from these? Then what follows is built behind it.
static bool depends_on(struct pass *p, LLVMValueRef i, const struct intrinsic *self, LLVMValueRef a,
                       LLVMValueRef b)
{
    if (!is_simple(p, i)) {
        lose(p, i, self);
        return false;
    }
    if (pass_is_concrete(p, a) && pass_is_concrete(p, b))
        return false;
    pass_after(p, i);
    return true;
}

static void checked(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    LLVMValueRef a = operand(i, 0), b = operand(i, 1);
    if (!depends_on(p, i, self, a, b))
        return;
    unsigned width = pass_width(p, LLVMTypeOf(a));
    LLVMValueRef *labels = pass_new_labels(p, i, 2);
    labels[0] = arith_binary(p, self->a, width, a, b);
    labels[1] = PASS_CALL(p, "cz_s_overflow", pass_number(p, self->a), pass_number(p, self->b),
                          pass_number(p, width), pass_label(p, a), pass_label(p, b),
                          pass_bits(p, a), pass_bits(p, b));
}

// Unsigned saturating operations: the limit where the plain one overflows.
static void saturate(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    LLVMValueRef a = operand(i, 0), b = operand(i, 1);
    if (!depends_on(p, i, self, a, b))
        return;
    unsigned width = pass_width(p, LLVMTypeOf(a));
    LLVMValueRef x = pass_bits(p, a), y = pass_bits(p, b),
                 limit = pass_number64(p, self->b ? ~0ull : 0);
    LLVMValueRef plain = arith_binary(p, self->a, width, a, b);
    LLVMValueRef over = PASS_CALL(p, "cz_s_overflow", pass_number(p, self->a), pass_number(p, 'u'),
                                  pass_number(p, width), pass_label(p, a), pass_label(p, b), x, y);
    LLVMValueRef sum = self->a == WIRE_ADD ? LLVMBuildAdd(p->builder, a, b, "")
                                           : LLVMBuildSub(p->builder, a, b, "");
    LLVMValueRef taken = LLVMBuildICmp(p->builder, LLVMIntNE, sum, i, "");
    pass_set_label(p, i,
                   if_then_else(p, width, over, p->zero, plain, limit, pass_bits(p, sum), taken));
}

// fshl(a, b, n): the high half of (a:b) << n; fshr the low half of (a:b) >> n.
static void funnel(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    LLVMValueRef a = operand(i, 0), b = operand(i, 1), n = operand(i, 2);
    unsigned width = pass_width(p, LLVMTypeOf(i));
    LLVMTypeRef type = LLVMTypeOf(i);
    if (!is_simple(p, i) || width & (width - 1)) {
        lose(p, i, self);
        return;
    }
    if (pass_is_concrete(p, a) && pass_is_concrete(p, b) && pass_is_concrete(p, n))
        return;
    // fshl = a << k | (b >> 1) >> (width - 1 - k), fshr = (a << 1) << (width - 1 - k) | b >> k
    pass_after(p, i);
    LLVMBuilderRef builder = p->builder;
    LLVMValueRef last = LLVMConstInt(type, width - 1, 0), one = LLVMConstInt(type, 1, 0);
    LLVMValueRef k = LLVMBuildAnd(builder, n, last, ""), rest = LLVMBuildXor(builder, k, last, "");
    pass_set_label(p, k, arith_binary(p, WIRE_AND, width, n, last));
    pass_set_label(p, rest, arith_binary(p, WIRE_XOR, width, k, last));
    bool left = self->a == 'l';
    LLVMValueRef half =
        left ? LLVMBuildLShr(builder, b, one, "") : LLVMBuildShl(builder, a, one, "");
    pass_set_label(p, half, arith_binary(p, left ? WIRE_LSHR : WIRE_SHL, width, left ? b : a, one));
    LLVMValueRef high = LLVMBuildShl(builder, left ? a : half, left ? k : rest, "");
    pass_set_label(p, high, arith_binary(p, WIRE_SHL, width, left ? a : half, left ? k : rest));
    LLVMValueRef low = LLVMBuildLShr(builder, left ? half : b, left ? rest : k, "");
    pass_set_label(p, low, arith_binary(p, WIRE_LSHR, width, left ? half : b, left ? rest : k));
    pass_set_label(p, i, arith_binary(p, WIRE_OR, width, high, low));
}

// a * b + c, rounded twice: the clean build is for a machine without fused operations.
static void multiply_add(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    LLVMValueRef a = operand(i, 0), b = operand(i, 1), c = operand(i, 2);
    unsigned width = pass_width(p, LLVMTypeOf(i));
    if (width == 0) {
        lose(p, i, self);
        return;
    }
    pass_after(p, i);
    LLVMValueRef product = LLVMBuildFMul(p->builder, a, b, "");
    pass_set_label(p, product, arith_binary(p, WIRE_FMUL, width, a, b));
    LLVMValueRef sum = LLVMBuildFAdd(p->builder, product, c, "");
    pass_set_label(p, i, arith_binary(p, WIRE_FADD, width, product, c));
    LLVMReplaceAllUsesWith(i, sum);
    pass_set_label(p, sum, pass_label(p, i));
}

// isnan, isinf, isfinite, isnormal ...: the class of a float from its bits without the
// sign. Classes that ask for the sign are made concrete.
static void classify(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    enum {
        NAN_BITS = 0x3,
        INF_BITS = 0x204,
        ZERO_BITS = 0x60,
        SUBNORMAL_BITS = 0x90,
        NORMAL_BITS = 0x108
    };
    LLVMValueRef value = operand(i, 0);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    if (pass_is_concrete(p, value))
        return;
    bool is_double = kind == LLVMDoubleTypeKind;
    uint64_t inf = is_double ? 0x7ff0000000000000 : 0x7f800000;
    uint64_t smallest = is_double ? 0x0010000000000000 : 0x00800000; // normal number
    const struct {
        uint64_t bits, from, to; // magnitudes
    } classes[] = {{NAN_BITS, inf + 1, is_double ? INT64_MAX : INT32_MAX},
                   {INF_BITS, inf, inf},
                   {ZERO_BITS, 0, 0},
                   {SUBNORMAL_BITS, 1, smallest - 1},
                   {NORMAL_BITS, smallest, inf - 1}};
    uint64_t mask = LLVMConstIntGetZExtValue(operand(i, 1)), left = mask;
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
        if ((mask & classes[k].bits) == classes[k].bits)
            left &= ~classes[k].bits;
    if (left || (!is_double && kind != LLVMFloatTypeKind)) {
        lose(p, i, self);
        return;
    }
    pass_after(p, i);
    unsigned width = is_double ? 64 : 32;
    LLVMValueRef bits = pass_bits(p, value), sum = NULL, none = pass_number64(p, 0);
    LLVMValueRef magnitude = arith_labels(p, WIRE_AND, width, pass_label(p, value), p->zero, bits,
                                          pass_number64(p, is_double ? INT64_MAX : INT32_MAX));
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
        if ((mask & classes[k].bits) != classes[k].bits)
            continue;
        // from <= magnitude <= to, as one unsigned comparison
        LLVMValueRef offset = arith_labels(p, WIRE_SUB, width, magnitude, p->zero, none,
                                           pass_number64(p, classes[k].from));
        LLVMValueRef inside = arith_labels(p, WIRE_ULE, width, offset, p->zero, none,
                                           pass_number64(p, classes[k].to - classes[k].from));
        sum = sum ? arith_labels(p, WIRE_OR, 1, sum, inside, none, none) : inside;
    }
    if (sum)
        pass_set_label(p, i, sum);
}

static void copy_sign(struct pass *p, LLVMValueRef i, const struct intrinsic *self)
{
    LLVMValueRef a = operand(i, 0), b = operand(i, 1);
    unsigned width = pass_width(p, LLVMTypeOf(i));
    if (width == 0) {
        lose(p, i, self);
        return;
    }
    pass_after(p, i);
    LLVMValueRef sign = pass_number64(p, 1ull << (width - 1)),
                 rest = pass_number64(p, (1ull << (width - 1)) - 1);
    LLVMValueRef x = pass_bits(p, a), y = pass_bits(p, b);
    LLVMValueRef low = arith_labels(p, WIRE_AND, width, pass_label(p, a), p->zero, x, rest);
    LLVMValueRef high = arith_labels(p, WIRE_AND, width, pass_label(p, b), p->zero, y, sign);
    pass_set_label(p, i,
                   arith_labels(p, WIRE_OR, width, low, high, LLVMBuildAnd(p->builder, x, rest, ""),
                                LLVMBuildAnd(p->builder, y, sign, "")));
}

static const struct intrinsic intrinsics[] = {
    {"llvm.memcpy", move_block, 0, 0},
    {"llvm.memcpy.inline", move_block, 0, 0},
    {"llvm.memmove", move_block, 0, 0},
    {"llvm.memset", fill_block, 0, 0},
    {"llvm.memset.inline", fill_block, 0, 0},
    {"llvm.va_start", start_varargs, 0, 0},
    {"llvm.va_copy", copy_varargs, 0, 0},
    {"llvm.va_end", nothing, 0, 0},
    {"llvm.stacksave", nothing, 0, 0},
    {"llvm.stackrestore", nothing, 0, 0},
    {"llvm.lifetime.start", nothing, 0, 0},
    {"llvm.lifetime.end", nothing, 0, 0},
    {"llvm.objectsize", nothing, 0, 0},
    {"llvm.is.constant", nothing, 0, 0},
    {"llvm.prefetch", nothing, 0, 0},
    {"llvm.var.annotation", nothing, 0, 0},
    {"llvm.clear_cache", nothing, 0, 0},
    {"llvm.frameaddress", nothing, 0, 0},
    {"llvm.returnaddress", nothing, 0, 0},
    {"llvm.trap", nothing, 0, 0},
    {"llvm.debugtrap", nothing, 0, 0},
    {"llvm.ubsantrap", nothing, 0, 0},
    {"llvm.expect", same_value, 0, 0},
    {"llvm.expect.with.probability", same_value, 0, 0},
    {"llvm.ssa.copy", same_value, 0, 0},
    {"llvm.annotation", same_value, 0, 0},
    {"llvm.ptr.annotation", same_value, 0, 0},
    {"llvm.launder.invariant.group", same_value, 0, 0},
    {"llvm.abs", absolute, 0, 0},
    {"llvm.smin", extreme, WIRE_SLE, 0},
    {"llvm.smax", extreme, WIRE_SGE, 0},
    {"llvm.umin", extreme, WIRE_ULE, 0},
    {"llvm.umax", extreme, WIRE_UGE, 0},
    {"llvm.bswap", swap_bytes, 0, 0},
    {"llvm.ctpop", count_bits, 'p', 0},
    {"llvm.ctlz", count_bits, 'l', 0},
    {"llvm.cttz", count_bits, 't', 0},
    {"llvm.fshl", funnel, 'l', 0},
    {"llvm.fshr", funnel, 'r', 0},
    {"llvm.sadd.with.overflow", checked, WIRE_ADD, 's'},
    {"llvm.uadd.with.overflow", checked, WIRE_ADD, 'u'},
    {"llvm.ssub.with.overflow", checked, WIRE_SUB, 's'},
    {"llvm.usub.with.overflow", checked, WIRE_SUB, 'u'},
    {"llvm.smul.with.overflow", checked, WIRE_MUL, 's'},
    {"llvm.umul.with.overflow", checked, WIRE_MUL, 'u'},
    {"llvm.uadd.sat", saturate, WIRE_ADD, 1},
    {"llvm.usub.sat", saturate, WIRE_SUB, 0},
    {"llvm.fabs", unary, WIRE_FABS, 0},
    {"llvm.sqrt", unary, WIRE_FSQRT, 0},
    {"llvm.floor", unary, WIRE_FFLOOR, 0},
    {"llvm.ceil", unary, WIRE_FCEIL, 0},
    {"llvm.trunc", unary, WIRE_FTRUNC, 0},
    {"llvm.minnum", binary, WIRE_FMIN, 0},
    {"llvm.maxnum", binary, WIRE_FMAX, 0},
    {"llvm.fmuladd", multiply_add, 0, 0},
    {"llvm.copysign", copy_sign, 0, 0},
    {"llvm.is.fpclass", classify, 0, 0},
};

void intrinsic_call(struct pass *p, LLVMValueRef i, LLVMValueRef callee)
{
    size_t length;
    const char *name = LLVMIntrinsicGetName(LLVMGetIntrinsicID(callee), &length);
    if (strncmp(name, "llvm.dbg.", 9) == 0)
        return;
    if (strcmp(name, "llvm.assume") == 0) { // a promise that an -O0 build does not use
        LLVMInstructionEraseFromParent(i);
        return;
    }
    for (size_t k = 0; k < sizeof intrinsics / sizeof *intrinsics; k++)
        if (strcmp(name, intrinsics[k].name) == 0) {
            intrinsics[k].handle(p, i, &intrinsics[k]);
            return;
        }
    unlisted(p, i, callee);
}
