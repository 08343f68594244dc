// SPDX-License-Identifier: Apache-2.0
// Loads, stores, address computations and atomic operations. Everything about a
// load is asked before the load itself, so that a bad address is reported by
// its check and not by a signal.
#include "instrument/pass.h"
#include <stdio.h>
#include <string.h>

LLVMValueRef memory_root(LLVMValueRef address)
{
    for (;;) {
        bool is_gep =
            LLVMIsAGetElementPtrInst(address) ||
            (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr);
        if (!is_gep && !LLVMIsABitCastInst(address))
            return address;
        address = LLVMGetOperand(address, 0);
    }
}

static LLVMValueRef offset_address(struct pass *p, LLVMValueRef address, uint64_t offset)
{
    if (offset == 0)
        return address;
    LLVMValueRef index = pass_number64(p, offset);
    return LLVMBuildGEP2(p->builder, p->i8, address, &index, 1, "");
}

struct target { // an access, ready to be emitted part by part
    struct access access;
    LLVMValueRef address, label; // label: of the address without `offset`
    int64_t offset;
    uint32_t site;
};

static struct target target_of(struct pass *p, LLVMValueRef i, LLVMTypeRef type,
                               LLVMValueRef address)
{
    struct target t = {.access = checks_access(p, address, LLVMStoreSizeOfType(p->layout, type)),
                       .address = address};
    undefined_indices(p, i, address);
    t.label = pass_label(p, checks_anchor(p, address, &t.offset));
    if (!t.access.is_static || t.label != p->zero)
        t.site = pass_site(p, i, WIRE_FAULT_BOUNDS);
    return t;
}

// The constant description of one part's access, shared by equal ones.
static LLVMValueRef describe(struct pass *p, const struct target *t, uint64_t offset,
                             uint64_t bytes, unsigned checks)
{
    // Without a label of the address its offset does not matter.
    int64_t distance = t->label == p->zero ? 0 : t->offset + (int64_t)offset;
    char name[128];
    snprintf(name, sizeof name, "cz.access.%u.%u.%u.%llx.%lld", t->site, (unsigned)bytes, checks,
             (unsigned long long)t->access.size, (long long)distance);
    LLVMValueRef g = LLVMGetNamedGlobal(p->module, name);
    if (g)
        return g;
    LLVMTypeRef i16 = LLVMInt16TypeInContext(p->context);
    LLVMValueRef members[] = {
        pass_number(p, t->site),          LLVMConstInt(p->i8, bytes, 0),
        LLVMConstInt(p->i8, checks, 0),   LLVMConstInt(i16, 0, 0),
        pass_number64(p, t->access.size), pass_number64(p, (uint64_t)distance)};
    g = LLVMAddGlobal(p->module, p->access_type, name);
    LLVMSetInitializer(g, LLVMConstStructInContext(p->context, members, 6, 0));
    LLVMSetGlobalConstant(g, 1);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(g, LLVMGlobalUnnamedAddr);
    return g;
}

static LLVMValueRef load_part(struct pass *p, const struct target *t, const struct part *part)
{
    uint64_t bytes = LLVMStoreSizeOfType(p->layout, part->type);
    unsigned width = pass_width(p, part->type),
             checks = t->access.checks & ~(unsigned)CZRT_CHECK_POISON;
    LLVMValueRef label =
        PASS_CALL(p, "cz_s_load", t->access.base, offset_address(p, t->address, part->offset),
                  t->label, pass_number(p, bytes), pass_number(p, checks),
                  pass_number64(p, t->access.size), describe(p, t, part->offset, bytes, checks));
    return width == 8 * bytes ? label : arith_cast(p, WIRE_TRUNC, width, label);
}

// What __builtin_cpu_supports() looks at: another machine has other features.
static bool is_of_machine(LLVMValueRef root)
{
    const char *name = LLVMIsAGlobalVariable(root) ? pass_name(root) : "";
    return strcmp(name, "__cpu_model") == 0 || strcmp(name, "__cpu_features2") == 0;
}

void memory_load(struct pass *p, LLVMValueRef i, LLVMValueRef address)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetInstructionOpcode(i) == LLVMAtomicCmpXchg)
        type = LLVMStructGetTypeAtIndex(type, 0);
    struct part parts[CZRT_MAX_PARTS];
    unsigned count = pass_parts(p, type, parts);
    pass_before(p, i);
    if (is_of_machine(memory_root(address)))
        PASS_CALL(p, "cz_s_loss", pass_number(p, WIRE_LOSS_STATE));
    struct target t = target_of(p, i, type, address);
    if (count == 0) {
        uint64_t bytes = LLVMStoreSizeOfType(p->layout, type);
        unsigned checks = t.access.checks & ~(unsigned)CZRT_CHECK_POISON;
        PASS_CALL(p, "cz_s_load_opaque", t.access.base, address, t.label, pass_number(p, bytes),
                  pass_number(p, checks), pass_number64(p, t.access.size),
                  describe(p, &t, 0, bytes > 16 ? 16 : bytes, checks));
        return;
    }
    LLVMValueRef *labels = pass_new_labels(p, i, count + 1);
    for (unsigned k = 0; k < count; k++)
        labels[k] = load_part(p, &t, &parts[k]);
}

static void store_bytes(struct pass *p, const struct target *t, uint64_t offset, uint64_t bytes,
                        LLVMValueRef label)
{
    PASS_CALL(p, "cz_s_store", t->access.base, offset_address(p, t->address, offset), t->label,
              label, pass_number(p, bytes), pass_number(p, t->access.checks),
              pass_number64(p, t->access.size), describe(p, t, offset, bytes, t->access.checks));
}

static void store_part(struct pass *p, const struct target *t, const struct part *part,
                       LLVMValueRef label)
{
    uint64_t bytes = LLVMStoreSizeOfType(p->layout, part->type);
    if (pass_width(p, part->type) != 8 * bytes)
        label = arith_cast(p, WIRE_ZEXT, (unsigned)(8 * bytes), label);
    store_bytes(p, t, part->offset, bytes, label);
}

// A value without labels overwrites those of the memory.
static void store_opaque(struct pass *p, const struct target *t, uint64_t bytes)
{
    for (uint64_t done = 0; done < bytes; done += 16)
        store_bytes(p, t, done, bytes - done < 16 ? bytes - done : 16, p->zero);
}

void memory_store_labels(struct pass *p, LLVMValueRef i, LLVMTypeRef type, LLVMValueRef address,
                         LLVMValueRef *labels)
{
    struct part parts[CZRT_MAX_PARTS];
    unsigned count = pass_parts(p, type, parts);
    struct target t = target_of(p, i, type, address);
    if (count == 0)
        store_opaque(p, &t, LLVMStoreSizeOfType(p->layout, type));
    for (unsigned k = 0; k < count; k++)
        store_part(p, &t, &parts[k], labels[k]);
}

static void store(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0);
    pass_before(p, i);
    memory_store_labels(p, i, LLVMTypeOf(value), LLVMGetOperand(i, 1), pass_labels(p, value));
}

// ---- address computations ----

struct sum { // of an address computation: its label and its value so far
    LLVMValueRef label, value;
};

static void add_term(struct pass *p, struct sum *sum, LLVMValueRef label, LLVMValueRef term)
{
    sum->label = arith_labels(p, WIRE_ADD, p->pointer_bits, sum->label, label,
                              pass_bits(p, sum->value), pass_bits(p, term));
    sum->value = LLVMBuildAdd(p->builder, sum->value, term, "");
}

static void add_index(struct pass *p, struct sum *sum, LLVMValueRef index, uint64_t stride)
{
    LLVMValueRef label = pass_label(p, index);
    const unsigned bits = p->pointer_bits;
    if (LLVMTypeOf(index) != p->word) {
        unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(index));
        // indices are signed
        label = arith_cast(p, width < bits ? WIRE_SEXT : WIRE_TRUNC, bits, label);
        index = width < bits ? LLVMBuildSExt(p->builder, index, p->word, "")
                             : LLVMBuildTrunc(p->builder, index, p->word, "");
    }
    LLVMValueRef size = LLVMConstInt(p->word, stride, 0);
    label = arith_labels(p, WIRE_MUL, bits, label, p->zero, pass_bits(p, index),
                         pass_number64(p, stride));
    add_term(p, sum, label, LLVMBuildMul(p->builder, index, size, ""));
}

static bool any_labelled(struct pass *p, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (pass_label(p, LLVMGetOperand(i, (unsigned)k)) != p->zero)
            return true;
    return false;
}

// Does other code get the pointer? An access by it has its own check.
static bool is_given_away(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) || LLVMIsAReturnInst(user) || LLVMIsAPHINode(user) ||
            LLVMIsASelectInst(user) ||
            (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == pointer))
            return true;
    }
    return false;
}

// A pointer that may lead beyond its object before anything is accessed by it. (What a loop
// counts is accessed near the end first.)
static void formed_pointer(struct pass *p, LLVMValueRef i)
{
    int64_t offset;
    LLVMValueRef root = memory_root(i);
    if (checks_anchor(p, i, &offset) != root || checks_is_known(p, root) ||
        (offset <= CZRT_REACH && offset >= -CZRT_REACH) || !is_given_away(i))
        return;
    pass_after(p, i);
    PASS_CALL(p, "cz_s_form", root, i);
}

static void element_pointer(struct pass *p, LLVMValueRef i)
{
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind) { // a vector of pointers
        pass_after(p, i);
        for (int k = 0; k < LLVMGetNumOperands(i); k++)
            pass_lose(p, LLVMGetOperand(i, (unsigned)k), WIRE_LOSS_WIDE);
        return;
    }
    formed_pointer(p, i);
    if (!any_labelled(p, i))
        return;
    pass_after(p, i);
    LLVMValueRef base = LLVMGetOperand(i, 0);
    struct sum sum = {pass_label(p, base), LLVMBuildPtrToInt(p->builder, base, p->word, "")};
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef index = LLVMGetOperand(i, k);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            add_term(p, &sum, p->zero,
                     LLVMConstInt(p->word, LLVMOffsetOfElement(p->layout, type, field), 0));
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (k > 1)
            type = LLVMGetElementType(type);
        add_index(p, &sum, index, LLVMABISizeOfType(p->layout, type));
    }
    pass_set_label(p, i, sum.label);
}

// ---- atomic operations ----

static uint32_t atomic_op(LLVMAtomicRMWBinOp op)
{
    switch (op) {
    case LLVMAtomicRMWBinOpAdd: return WIRE_ADD;
    case LLVMAtomicRMWBinOpSub: return WIRE_SUB;
    case LLVMAtomicRMWBinOpAnd: return WIRE_AND;
    case LLVMAtomicRMWBinOpOr: return WIRE_OR;
    case LLVMAtomicRMWBinOpXor: return WIRE_XOR;
    default: return WIRE_NONE;
    }
}

static void atomic_update(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef address = LLVMGetOperand(i, 0), operand = LLVMGetOperand(i, 1), label = p->zero;
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(i);
    memory_load(p, i, address);
    pass_after(p, i);
    if (op == LLVMAtomicRMWBinOpXchg)
        label = pass_label(p, operand);
    else if (atomic_op(op) != WIRE_NONE)
        label = arith_binary(p, atomic_op(op), pass_width(p, LLVMTypeOf(i)), i, operand);
    else {
        pass_lose(p, i, WIRE_LOSS_CONCRETISED);
        pass_lose(p, operand, WIRE_LOSS_CONCRETISED);
    }
    memory_store_labels(p, i, LLVMTypeOf(operand), address, &label);
}

// Whether the exchange happens is a branch on old == expected.
static void atomic_exchange(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef address = LLVMGetOperand(i, 0), expected = LLVMGetOperand(i, 1);
    LLVMValueRef replacement = LLVMGetOperand(i, 2);
    unsigned width = pass_width(p, LLVMTypeOf(expected));
    memory_load(p, i, address);
    LLVMValueRef *labels = pass_labels(p, i), old_label = labels[0];
    pass_after(p, i);
    LLVMValueRef old = LLVMBuildExtractValue(p->builder, i, 0, "");
    LLVMValueRef done = LLVMBuildExtractValue(p->builder, i, 1, "");
    if (width <= 64)
        labels[1] = arith_labels(p, WIRE_EQ, width, old_label, pass_label(p, expected),
                                 pass_bits(p, old), pass_bits(p, expected));
    else {
        pass_lose(p, expected, WIRE_LOSS_WIDE);
        if (old_label != p->zero)
            PASS_CALL(p, "cz_s_loss_if", old_label, pass_number(p, WIRE_LOSS_WIDE));
    }
    if (labels[1] != p->zero)
        PASS_CALL(p, "cz_s_branch", pass_number(p, pass_site(p, i, 0)), done, labels[1]);
    LLVMValueRef label =
        LLVMBuildSelect(p->builder, done, pass_label(p, replacement), old_label, "");
    memory_store_labels(p, i, LLVMTypeOf(expected), address, &label);
}

// Variable-length arrays and alloca(): no labels of earlier frames.
static void variable_alloca(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef count = LLVMGetOperand(i, 0);
    if (LLVMIsAConstantInt(count) &&
        LLVMGetInstructionParent(i) == LLVMGetEntryBasicBlock(p->function))
        return;
    pass_before(p, i);
    LLVMValueRef label = pass_label(p, count), elements = pass_bits(p, count);
    LLVMValueRef site = pass_number(p, pass_site(p, i, WIRE_FAULT_STACK));
    LLVMValueRef unit = pass_number64(p, LLVMABISizeOfType(p->layout, LLVMGetAllocatedType(i)));
    LLVMValueRef size = LLVMBuildMul(p->builder, elements, unit, "");
    LLVMValueRef wide = arith_cast(p, WIRE_ZEXT, 64, label);
    PASS_CALL(p, "cz_s_alloca", size, arith_labels(p, WIRE_MUL, 64, wide, p->zero, elements, unit),
              site);
    if (label != p->zero)
        PASS_CALL(p, "cz_s_pin", site, label, elements);
    pass_after(p, i);
    PASS_CALL(p, "cz_s_fill", i, p->zero, size);
}

// A block of memory that an intrinsic or a call reads or writes.
void memory_range(struct pass *p, LLVMValueRef i, LLVMValueRef address, LLVMValueRef length)
{
    undefined_indices(p, i, address);
    LLVMValueRef label = pass_label(p, address), length_label = pass_label(p, length);
    uint64_t bytes = LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : 0;
    if (bytes && label == p->zero && checks_access(p, address, bytes).is_static)
        return;
    LLVMValueRef site = pass_number(p, pass_site(p, i, WIRE_FAULT_BOUNDS));
    PASS_CALL(p, "cz_s_range", memory_root(address), address, label, pass_bits(p, length),
              length_label, site);
}

bool memory_instruction(struct pass *p, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: memory_load(p, i, LLVMGetOperand(i, 0)); return true;
    case LLVMStore: store(p, i); return true;
    case LLVMGetElementPtr: element_pointer(p, i); return true;
    case LLVMAlloca: variable_alloca(p, i); return true;
    case LLVMAtomicRMW: atomic_update(p, i); return true;
    case LLVMAtomicCmpXchg: atomic_exchange(p, i); return true;
    default: return false;
    }
}
