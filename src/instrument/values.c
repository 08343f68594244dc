// SPDX-License-Identifier: Apache-2.0
// Labels of IR values and small builders. A value has one label per scalar part:
// one for integers up to 128 bits, floats, doubles and pointers; one per element for
// small structs, arrays and vectors that live in registers; none for x87 and very
// wide values, which are concrete by definition (and counted where labels get lost).
#include "instrument/pass.h"

#include "program/merge.h"
#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

unsigned pass_width(struct pass *p, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 128 ? LLVMGetIntTypeWidth(type) : 0;
    case LLVMFloatTypeKind: return 32;
    case LLVMDoubleTypeKind: return 64;
    case LLVMPointerTypeKind: return p->pointer_bits;
    default: return 0;
    }
}

struct collector {
    struct part *parts;
    unsigned count;
    bool failed;
};

static void collect_parts(struct pass *p, LLVMTypeRef type, uint64_t offset, struct collector *c);

static void collect_elements(struct pass *p, LLVMTypeRef type, uint64_t count, uint64_t offset,
                             struct collector *c)
{
    uint64_t stride = LLVMABISizeOfType(p->layout, type);
    for (uint64_t i = 0; i < count && !c->failed; i++)
        collect_parts(p, type, offset + i * stride, c);
}

static void collect_parts(struct pass *p, LLVMTypeRef type, uint64_t offset, struct collector *c)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type) && !c->failed; i++)
            collect_parts(p, LLVMStructGetTypeAtIndex(type, i),
                          offset + LLVMOffsetOfElement(p->layout, type, i), c);
        return;
    case LLVMArrayTypeKind:
        collect_elements(p, LLVMGetElementType(type), LLVMGetArrayLength2(type), offset, c);
        return;
    case LLVMVectorTypeKind:
        if (LLVMSizeOfTypeInBits(p->layout, LLVMGetElementType(type)) % 8 != 0)
            c->failed = true; // packed bits
        else
            collect_elements(p, LLVMGetElementType(type), LLVMGetVectorSize(type), offset, c);
        return;
    default:
        if (pass_width(p, type) == 0 || c->count == CZRT_MAX_PARTS)
            c->failed = true;
        else
            c->parts[c->count++] = (struct part){type, offset};
    }
}

unsigned pass_parts(struct pass *p, LLVMTypeRef type, struct part *parts)
{
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return 0;
    struct collector c = {.parts = parts};
    collect_parts(p, type, 0, &c);
    return c.failed ? 0 : c.count;
}

LLVMValueRef *pass_labels(struct pass *p, LLVMValueRef value)
{
    uint64_t found;
    if (map_get(&p->labels, (uintptr_t)value, &found))
        return (LLVMValueRef *)(uintptr_t)found;
    // Constants and everything not computed from inputs share one array of zeros.
    if (!map_get(&p->labels, 0, &found)) {
        LLVMValueRef *zeros = arena_array(&p->scratch, LLVMValueRef, CZRT_MAX_PARTS);
        for (unsigned i = 0; i < CZRT_MAX_PARTS; i++)
            zeros[i] = p->zero;
        found = (uintptr_t)zeros;
        map_put(&p->labels, 0, found);
    }
    return (LLVMValueRef *)(uintptr_t)found;
}

LLVMValueRef pass_label(struct pass *p, LLVMValueRef value)
{
    return pass_labels(p, value)[0];
}

LLVMValueRef *pass_new_labels(struct pass *p, LLVMValueRef value, unsigned count)
{
    LLVMValueRef *labels = arena_array(&p->scratch, LLVMValueRef, count ? count : 1);
    for (unsigned i = 0; i < count; i++)
        labels[i] = p->zero;
    map_put(&p->labels, (uintptr_t)value, (uintptr_t)labels);
    return labels;
}

void pass_set_label(struct pass *p, LLVMValueRef value, LLVMValueRef label)
{
    assert(LLVMTypeOf(label) == LLVMTypeOf(p->zero));
    if (label != p->zero)
        pass_new_labels(p, value, 1)[0] = label;
}

bool pass_is_concrete(struct pass *p, LLVMValueRef value)
{
    struct part parts[CZRT_MAX_PARTS];
    unsigned count = pass_parts(p, LLVMTypeOf(value), parts);
    LLVMValueRef *labels = pass_labels(p, value);
    for (unsigned i = 0; i < count; i++)
        if (labels[i] != p->zero)
            return false;
    return true;
}

LLVMValueRef pass_any_label(struct pass *p, LLVMValueRef value)
{
    struct part parts[CZRT_MAX_PARTS];
    unsigned count = pass_parts(p, LLVMTypeOf(value), parts);
    LLVMValueRef *labels = pass_labels(p, value), any = p->zero;
    for (unsigned i = 0; i < count; i++)
        if (labels[i] != p->zero)
            any = any == p->zero ? labels[i] : LLVMBuildOr(p->builder, any, labels[i], "");
    return any;
}

void pass_lose(struct pass *p, LLVMValueRef value, uint32_t loss)
{
    LLVMValueRef any = pass_any_label(p, value);
    if (any != p->zero)
        PASS_CALL(p, "cz_s_loss_if", any, pass_number(p, loss));
}

LLVMValueRef pass_number(struct pass *p, uint64_t value)
{
    return LLVMConstInt(p->i32, value, 0);
}

LLVMValueRef pass_number64(struct pass *p, uint64_t value)
{
    return LLVMConstInt(p->i64, value, 0);
}

LLVMValueRef pass_bits(struct pass *p, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: {
        unsigned width = LLVMGetIntTypeWidth(type);
        if (width == 64)
            return value;
        return width < 64 ? LLVMBuildZExt(p->builder, value, p->i64, "")
                          : LLVMBuildTrunc(p->builder, value, p->i64, "");
    }
    case LLVMPointerTypeKind: return LLVMBuildPtrToInt(p->builder, value, p->i64, "");
    case LLVMFloatTypeKind:
        return LLVMBuildZExt(p->builder, LLVMBuildBitCast(p->builder, value, p->i32, ""), p->i64,
                             "");
    case LLVMDoubleTypeKind: return LLVMBuildBitCast(p->builder, value, p->i64, "");
    default: return pass_number64(p, 0);
    }
}

LLVMValueRef pass_high_bits(struct pass *p, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) <= 64)
        return pass_number64(p, 0);
    LLVMValueRef shifted = LLVMBuildLShr(p->builder, value, LLVMConstInt(type, 64, 0), "");
    return LLVMBuildTrunc(p->builder, shifted, p->i64, "");
}

LLVMValueRef pass_call(struct pass *p, const char *shim, unsigned count, LLVMValueRef *args)
{
    LLVMValueRef f = LLVMGetNamedFunction(p->module, shim);
    if (!f)
        BUG("no shim %s", shim);
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    if (LLVMCountParamTypes(type) != count)
        BUG("shim %s takes %u arguments", shim, LLVMCountParamTypes(type));
    return LLVMBuildCall2(p->builder, type, f, args, count, "");
}

void pass_before(struct pass *p, LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(p->builder, instruction);
}

void pass_after(struct pass *p, LLVMValueRef instruction)
{
    LLVMValueRef next = LLVMGetNextInstruction(instruction);
    while (next && LLVMIsAPHINode(next))
        next = LLVMGetNextInstruction(next);
    LLVMPositionBuilderBefore(p->builder, next);
}

const char *pass_name(LLVMValueRef global)
{
    size_t length;
    return LLVMGetValueName2(global, &length);
}

const char *pass_source_name(LLVMValueRef global)
{
    return program_plain_symbol(pass_name(global));
}

// The texts' names tell their numbers.
uint32_t pass_text(LLVMMetadataRef where)
{
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(where));
    unsigned length = 0;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    return name ? (uint32_t)program_text_number(name) : 0;
}

static uint32_t add_site(struct pass *p, struct instrument_site **out)
{
    uint32_t index = (uint32_t)p->sites.count;
    struct instrument_site *site = VEC_PUSH(&p->sites);
    *out = site;
    // All sites of a function share one copy of its name.
    const char *name = pass_source_name(p->function);
    const struct instrument_site *last = index ? site - 1 : NULL;
    site->function = last && last->function && strcmp(last->function, name) == 0
                         ? last->function
                         : arena_strdup(p->arena, name);
    return p->request->first_site + index;
}

uint32_t pass_site(struct pass *p, LLVMValueRef instruction, uint32_t kind)
{
    struct instrument_site *site;
    uint32_t number = add_site(p, &site);
    site->kind = kind;
    LLVMMetadataRef where = LLVMInstructionGetDebugLoc(instruction);
    if (where) {
        site->line = LLVMDILocationGetLine(where);
        site->column = LLVMDILocationGetColumn(where);
        site->text = pass_text(where);
    }
    return number;
}

uint32_t pass_function_site(struct pass *p)
{
    struct instrument_site *site;
    uint32_t number = add_site(p, &site);
    site->kind = WIRE_FAULT_STACK;
    LLVMMetadataRef subprogram = LLVMGetSubprogram(p->function);
    if (subprogram) {
        site->line = LLVMDISubprogramGetLine(subprogram);
        unsigned length = 0;
        LLVMMetadataRef file = LLVMDIScopeGetFile(subprogram);
        const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
        site->text = name ? (uint32_t)program_text_number(name) : 0;
    }
    return number;
}

LLVMValueRef pass_entry_alloca(struct pass *p, LLVMTypeRef type)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(p->context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(p->function)));
    LLVMValueRef slot = LLVMBuildAlloca(b, type, "");
    LLVMDisposeBuilder(b);
    return slot;
}
