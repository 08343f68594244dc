// SPDX-License-Identifier: Apache-2.0
// Addresses in the IR: how far a getelementptr goes and to which field of which record,
// what a constant address names, and what bounds the index of an array.
#include "facts/facts_module.h"

#include "base/tunables.h"
#include <string.h>

// A record without a tag has a name of the compiler's, which another file may give to
// another record.
static bool is_anonymous(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot && strncmp(dot, ".anon", 5) == 0 && (dot[5] == '\0' || dot[5] == '.');
}

static const char *record_name(struct reader *r, LLVMTypeRef type)
{
    const char *name = LLVMGetStructName(type);
    if (name && is_anonymous(name))
        return arena_printf(&r->facts->arena, "%u:%s", r->file, name);
    return name;
}

static bool is_union(LLVMTypeRef type)
{
    const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
    return name && strncmp(name, "union.", 6) == 0;
}

static uint32_t field_slot(struct reader *r, LLVMTypeRef record, int64_t offset)
{
    const char *name = record_name(r, record);
    return name ? slot_field(r->facts, name, offset) : NONE;
}

// The field of the innermost record at this offset; all members of a union are one.
uint32_t address_field(struct reader *r, LLVMTypeRef type, int64_t offset)
{
    uint32_t field = NONE;
    for (;;) {
        if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
            type = LLVMGetElementType(type);
            int64_t size = (int64_t)LLVMABISizeOfType(r->layout, type);
            offset = size ? offset % size : 0;
        } else if (is_union(type)) {
            return field_slot(r, type, 0);
        } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind && !LLVMIsOpaqueStruct(type) &&
                   LLVMCountStructElementTypes(type) && offset >= 0 &&
                   (uint64_t)offset < LLVMABISizeOfType(r->layout, type)) {
            unsigned index = LLVMElementAtOffset(r->layout, type, (unsigned long long)offset);
            int64_t start = (int64_t)LLVMOffsetOfElement(r->layout, type, index);
            field = field_slot(r, type, start);
            type = LLVMStructGetTypeAtIndex(type, index);
            offset -= start;
        } else {
            return field;
        }
    }
}

static int64_t size_of(struct reader *r, LLVMTypeRef type)
{
    return LLVMTypeIsSized(type) ? (int64_t)LLVMABISizeOfType(r->layout, type) : 0;
}

static void step_elements(struct step *step, LLVMValueRef index, int64_t size, uint64_t count)
{
    if (LLVMIsAConstantInt(index)) {
        step->offset += LLVMConstIntGetSExtValue(index) * size;
    } else if (count && step->span != SPAN_ANY) {
        step->span += ((int64_t)count - 1) * size;
    } else {
        step->span = SPAN_ANY;
    }
}

struct step address_step(struct reader *r, LLVMValueRef element)
{
    struct step step = {0, 0, NONE};
    LLVMTypeRef type = LLVMGetGEPSourceElementType(element);
    step_elements(&step, LLVMGetOperand(element, 1), size_of(r, type), 0);
    for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(element); i++) {
        LLVMValueRef index = LLVMGetOperand(element, i);
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned number = (unsigned)LLVMConstIntGetZExtValue(index);
            int64_t start = (int64_t)LLVMOffsetOfElement(r->layout, type, number);
            step.offset += start;
            step.field = field_slot(r, type, start);
            type = LLVMStructGetTypeAtIndex(type, number);
        } else {
            uint64_t count =
                LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetArrayLength2(type) : 0;
            type = LLVMGetElementType(type);
            step_elements(&step, index, size_of(r, type), count);
        }
    }
    if (is_union(type))
        step.field = field_slot(r, type, 0);
    if (step.span == SPAN_ANY)
        step.offset = 0;
    return step;
}

static bool constant_expression(struct reader *r, LLVMValueRef value, struct place *out)
{
    switch (LLVMGetConstOpcode(value)) {
    case LLVMGetElementPtr: {
        if (!address_constant(r, LLVMGetOperand(value, 0), out))
            return false;
        struct step step = address_step(r, value);
        out->offset += step.offset;
        out->span = step.span;
        out->field = step.field;
        return true;
    }
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPtrToInt: return address_constant(r, LLVMGetOperand(value, 0), out);
    case LLVMIntToPtr:
        if (address_constant(r, LLVMGetOperand(value, 0), out))
            return true;
        *out = (struct place){NONE, 0, 0, NONE, true};
        return true;
    default: return false;
    }
}

bool address_constant(struct reader *r, LLVMValueRef value, struct place *out)
{
    if (LLVMIsAGlobalAlias(value))
        return address_constant(r, LLVMAliasGetAliasee(value), out);
    if (LLVMIsAConstantExpr(value))
        return constant_expression(r, value, out);
    if (!LLVMIsAFunction(value) && !LLVMIsAGlobalVariable(value))
        return false;
    *out = (struct place){module_symbol(r, value), 0, 0, NONE, false};
    return true;
}

// ---- numbers of elements ----

static LLVMValueRef plain(LLVMValueRef value)
{
    while (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value) || LLVMIsATruncInst(value) ||
           LLVMIsAFreezeInst(value))
        value = LLVMGetOperand(value, 0);
    return value;
}

static uint32_t argument_index(LLVMValueRef argument)
{
    LLVMValueRef function = LLVMGetParamParent(argument);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == argument)
            return i;
    return NONE;
}

// n, n * 4, n << 2, n - 1: a parameter times a constant.
struct extent address_extent(LLVMValueRef number)
{
    struct extent none = {NONE, 0};
    number = plain(number);
    if (LLVMIsAConstantInt(number) && LLVMGetIntTypeWidth(LLVMTypeOf(number)) <= 64)
        return (struct extent){NONE, LLVMConstIntGetSExtValue(number)};
    if (LLVMIsAArgument(number))
        return (struct extent){argument_index(number), 1};
    if (!LLVMIsABinaryOperator(number))
        return none;
    LLVMValueRef left = LLVMGetOperand(number, 0), right = LLVMGetOperand(number, 1);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(number);
    if (opcode == LLVMMul && LLVMIsAConstantInt(left)) {
        LLVMValueRef other = left;
        left = right;
        right = other;
    }
    if (!LLVMIsAConstantInt(right) || LLVMGetIntTypeWidth(LLVMTypeOf(right)) > 64)
        return none;
    struct extent of = address_extent(left);
    int64_t constant = LLVMConstIntGetSExtValue(right);
    if (opcode == LLVMMul && constant > 0)
        of.scale *= constant;
    else if (opcode == LLVMShl && constant >= 0 && constant < 32)
        of.scale <<= constant;
    else if (opcode != LLVMAdd && opcode != LLVMSub)
        return none;
    return of;
}

static struct extent compared_with(LLVMValueRef index)
{
    unsigned seen = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(index); use && seen < FACTS_USES;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        seen++;
        if (!LLVMIsAICmpInst(user))
            continue;
        LLVMValueRef left = LLVMGetOperand(user, 0), right = LLVMGetOperand(user, 1);
        struct extent extent = address_extent(left == index ? right : left);
        if (extent.parameter != NONE)
            return extent;
    }
    return (struct extent){NONE, 0};
}

// `for (i = 0; i < n; i++) p[i] = ...`: the index that is compared with a parameter.
struct extent address_bound(struct reader *r, LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address)) {
        LLVMValueRef index =
            plain(LLVMGetOperand(address, (unsigned)LLVMGetNumOperands(address) - 1));
        if (!LLVMIsAConstantInt(index)) {
            struct extent extent = compared_with(index);
            if (LLVMGetNumOperands(address) == 2)
                extent.scale *= size_of(r, LLVMGetGEPSourceElementType(address));
            return extent;
        }
        address = LLVMGetOperand(address, 0);
    }
    return (struct extent){NONE, 0};
}
