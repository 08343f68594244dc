// SPDX-License-Identifier: Apache-2.0
// Structs, arrays and vectors in registers: a member's labels are a slice of the
// whole's labels, so extracting and inserting only copies label names at
// instrumentation time and costs nothing at run time.
#include "instrument/pass.h"
#include <string.h>

// How many parts a type has, and how many lie before the member at the index path.
static unsigned part_count(struct pass *p, LLVMTypeRef type)
{
    struct part parts[CZRT_MAX_PARTS];
    return pass_parts(p, type, parts);
}

static unsigned first_part(struct pass *p, LLVMTypeRef type, const unsigned *path, unsigned length)
{
    unsigned first = 0;
    for (unsigned i = 0; i < length; i++) {
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            for (unsigned k = 0; k < path[i]; k++)
                first += part_count(p, LLVMStructGetTypeAtIndex(type, k));
            type = LLVMStructGetTypeAtIndex(type, path[i]);
        } else {
            type = LLVMGetElementType(type);
            first += path[i] * part_count(p, type);
        }
    }
    return first;
}

static void extract(struct pass *p, LLVMValueRef i, const unsigned *path, unsigned length)
{
    LLVMValueRef whole = LLVMGetOperand(i, 0);
    unsigned count = part_count(p, LLVMTypeOf(i));
    if (part_count(p, LLVMTypeOf(whole)) == 0 || count == 0 || pass_is_concrete(p, whole))
        return;
    LLVMValueRef *from = pass_labels(p, whole) + first_part(p, LLVMTypeOf(whole), path, length);
    memcpy(pass_new_labels(p, i, count), from, count * sizeof *from);
}

static void insert(struct pass *p, LLVMValueRef i, const unsigned *path, unsigned length)
{
    LLVMValueRef whole = LLVMGetOperand(i, 0), member = LLVMGetOperand(i, 1);
    unsigned total = part_count(p, LLVMTypeOf(i)), count = part_count(p, LLVMTypeOf(member));
    if (total == 0) {
        pass_after(p, i);
        pass_lose(p, member, WIRE_LOSS_WIDE);
        return;
    }
    LLVMValueRef *labels = arena_array(&p->scratch, LLVMValueRef, total);
    memcpy(labels, pass_labels(p, whole), total * sizeof *labels);
    memcpy(labels + first_part(p, LLVMTypeOf(i), path, length), pass_labels(p, member),
           count * sizeof *labels);
    map_put(&p->labels, (uintptr_t)i, (uintptr_t)labels);
}

// A vector element by a constant index; by a variable one the labels are lost.
static void element(struct pass *p, LLVMValueRef i, bool is_insert)
{
    LLVMValueRef index = LLVMGetOperand(i, is_insert ? 2 : 1);
    if (LLVMIsAConstantInt(index)) {
        unsigned k = (unsigned)LLVMConstIntGetZExtValue(index);
        if (k < LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(i, 0))))
            is_insert ? insert(p, i, &k, 1) : extract(p, i, &k, 1);
        return;
    }
    pass_after(p, i);
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        pass_lose(p, LLVMGetOperand(i, (unsigned)k), WIRE_LOSS_WIDE);
}

static void shuffle(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    unsigned width = LLVMGetVectorSize(LLVMTypeOf(a)), count = LLVMGetVectorSize(LLVMTypeOf(i));
    if (part_count(p, LLVMTypeOf(i)) != count || part_count(p, LLVMTypeOf(a)) != width) {
        pass_after(p, i);
        pass_lose(p, a, WIRE_LOSS_WIDE);
        pass_lose(p, b, WIRE_LOSS_WIDE);
        return;
    }
    LLVMValueRef *la = pass_labels(p, a), *lb = pass_labels(p, b);
    LLVMValueRef *labels = arena_array(&p->scratch, LLVMValueRef, count);
    for (unsigned k = 0; k < count; k++) {
        int from = LLVMGetMaskValue(i, k);
        labels[k] = from < 0                 ? p->zero
                    : (unsigned)from < width ? la[from]
                                             : lb[(unsigned)from - width];
    }
    map_put(&p->labels, (uintptr_t)i, (uintptr_t)labels);
}

bool aggregate_instruction(struct pass *p, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMExtractValue: extract(p, i, LLVMGetIndices(i), LLVMGetNumIndices(i)); return true;
    case LLVMInsertValue: insert(p, i, LLVMGetIndices(i), LLVMGetNumIndices(i)); return true;
    case LLVMExtractElement: element(p, i, false); return true;
    case LLVMInsertElement: element(p, i, true); return true;
    case LLVMShuffleVector: shuffle(p, i); return true;
    default: return false;
    }
}
