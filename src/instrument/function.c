// SPDX-License-Identifier: Apache-2.0
// Instruments one function: blocks in reverse post order, so that every operand
// has its labels before it is used; only phis look back, and get their labels'
// incoming values at the end. Requires mem2reg and checks_prepare to have run.
#include "instrument/pass.h"
#include <string.h>

// Reverse post order without recursion: functions with 100,000 blocks exist.
static void order_blocks(struct pass *p)
{
    struct frame {
        LLVMBasicBlockRef block;
        unsigned next;
    };
    VEC(struct frame) stack = {0};
    struct map seen;
    map_init(&seen);
    size_t total = LLVMCountBasicBlocks(p->function), at = total;
    LLVMBasicBlockRef *order = arena_array(&p->scratch, LLVMBasicBlockRef, total);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(p->function);
    map_put(&seen, (uintptr_t)entry, 1);
    *VEC_PUSH(&stack) = (struct frame){entry, 0};
    while (stack.count) {
        struct frame *top = &stack.items[stack.count - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(top->block);
        if (top->next == LLVMGetNumSuccessors(end)) {
            order[--at] = top->block;
            stack.count--;
            continue;
        }
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, top->next++);
        uint64_t known;
        if (map_get(&seen, (uintptr_t)to, &known))
            continue;
        map_put(&seen, (uintptr_t)to, 1);
        *VEC_PUSH(&stack) = (struct frame){to, 0};
    }
    p->order = order + at;
    p->block_count = total - at;
    map_release(&seen);
    VEC_RELEASE(&stack);
}

static void add_label_phis(struct pass *p, LLVMBasicBlockRef block)
{
    VEC(LLVMValueRef) phis = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        *VEC_PUSH(&phis) = i;
    for (size_t k = 0; k < phis.count; k++) {
        struct part parts[CZRT_MAX_PARTS];
        unsigned count = pass_parts(p, LLVMTypeOf(phis.items[k]), parts);
        if (count == 0)
            continue;
        LLVMValueRef *labels = pass_new_labels(p, phis.items[k], count);
        pass_before(p, phis.items[k]);
        for (unsigned n = 0; n < count; n++)
            labels[n] = LLVMBuildPhi(p->builder, p->i32, "");
    }
    VEC_RELEASE(&phis);
}

static bool is_label_phi(struct pass *p, LLVMValueRef phi)
{
    uint64_t found;
    return !map_get(&p->labels, (uintptr_t)phi, &found);
}

static void fill_label_phis(struct pass *p, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        if (is_label_phi(p, i))
            continue;
        struct part parts[CZRT_MAX_PARTS];
        unsigned count = pass_parts(p, LLVMTypeOf(i), parts);
        LLVMValueRef *labels = pass_labels(p, i);
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(i, k);
            LLVMValueRef *incoming = pass_labels(p, LLVMGetIncomingValue(i, k));
            for (unsigned n = 0; n < count; n++)
                LLVMAddIncoming(labels[n], &incoming[n], &from, 1);
        }
    }
}

static bool is_shim_call(LLVMValueRef i)
{
    return LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
           strncmp(pass_name(LLVMGetCalledValue(i)), "cz_s_", 5) == 0;
}

// What was there before: code that we insert is not instrumented.
static void list_code(struct pass *p, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && !is_shim_call(i))
            *VEC_PUSH(&p->code) = i;
}

static void instrument_code(struct pass *p)
{
    for (size_t k = 0; k < p->code.count; k++) {
        LLVMValueRef i = p->code.items[k];
        if (!arith_instruction(p, i) && !memory_instruction(p, i) && !aggregate_instruction(p, i) &&
            !calls_instruction(p, i))
            control_instruction(p, i);
    }
}

// A function of the C library, or an intrinsic that stands for one, which rounds its result.
static bool is_rounding_call(LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(f) || !LLVMIsDeclaration(f) || strncmp(pass_name(f), "cz_", 3) == 0)
        return false;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(call));
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
           kind == LLVMX86_FP80TypeKind || strstr(pass_name(f), "rint");
}

// Does a result here depend on the rounding mode?
static bool rounds(const struct pass *p)
{
    for (size_t k = 0; k < p->code.count; k++)
        switch (LLVMGetInstructionOpcode(p->code.items[k])) {
        case LLVMCall:
            if (is_rounding_call(p->code.items[k]))
                return true;
            break;
        case LLVMFAdd:
        case LLVMFSub:
        case LLVMFMul:
        case LLVMFDiv:
        case LLVMSIToFP:
        case LLVMUIToFP:
        case LLVMFPTrunc: return true;
        default: break;
        }
    return false;
}

// A caller may have set another mode; a whole program begins with rounding to nearest.
static void note_rounding(struct pass *p)
{
    const struct program *program = p->request->program;
    if (program && !program->is_whole && rounds(p))
        PASS_CALL(p, "cz_s_loss", pass_number(p, WIRE_LOSS_ROUNDING));
}

static void enter_function(struct pass *p)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(p->function));
    while ((LLVMIsAAllocaInst(first) && LLVMIsAConstantInt(LLVMGetOperand(first, 0))) ||
           is_shim_call(first)) // of frame_prepare
        first = LLVMGetNextInstruction(first);
    p->varargs = NULL;
    pass_before(p, first);
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(p->function))) {
        LLVMValueRef size = PASS_CALL(p, "cz_s_varargs_size", p->function);
        p->varargs = LLVMBuildArrayAlloca(p->builder, p->i8, size, "");
        LLVMSetAlignment(p->varargs, 16);
    }
    calls_enter(p); // reads czrt_args: before anything that may call the runtime
    frame_enter(p);
    uninit_enter_stub(p);
    uint32_t site = pass_function_site(p);
    *VEC_PUSH(&p->entries) = site;
    PASS_CALL(p, "cz_s_step", pass_number(p, site));
    note_rounding(p);
}

// Hooks give way to their operands, uninitialised values to zero, also in blocks that nothing
// reaches.
static void replace_hooks(struct pass *p)
{
    for (size_t k = 0; k < p->hooks.count; k++) {
        LLVMValueRef i = p->hooks.items[k];
        LLVMReplaceAllUsesWith(i, uninit_is_value(i) ? LLVMConstNull(LLVMTypeOf(i))
                                                     : LLVMGetOperand(i, 1));
        LLVMInstructionEraseFromParent(i);
    }
    p->hooks.count = 0;
}

static bool is_superfluous(LLVMValueRef i)
{
    if (LLVMGetFirstUse(i))
        return false;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPtrToInt:
    case LLVMAdd:
    case LLVMMul:
    case LLVMGetElementPtr: return true;
    case LLVMCall:
        return is_shim_call(i) && strcmp(pass_name(LLVMGetCalledValue(i)), "cz_s_binary") == 0;
    default: return false;
    }
}

// Labels of addresses that a load or store gets by base and offset. Most functions are not
// optimised any further.
static void drop_unused_labels(struct pass *p)
{
    for (size_t k = p->block_count; k-- > 0;)
        for (LLVMValueRef i = LLVMGetLastInstruction(p->order[k]), before; i; i = before) {
            before = LLVMGetPreviousInstruction(i);
            if (is_superfluous(i))
                LLVMInstructionEraseFromParent(i);
        }
}

void function_instrument(struct pass *p, LLVMValueRef function)
{
    p->function = function;
    arena_init(&p->scratch);
    map_clear(&p->labels);
    map_clear(&p->hooked);
    map_clear(&p->decisions);
    map_clear(&p->local_sizes);
    map_clear(&p->scoped);
    order_blocks(p);
    numbers_label(p);
    frame_prepare(p);
    p->code.count = 0;
    for (size_t k = 0; k < p->block_count; k++) {
        list_code(p, p->order[k]);
        add_label_phis(p, p->order[k]);
    }
    enter_function(p);
    instrument_code(p);
    for (size_t k = 0; k < p->block_count; k++)
        fill_label_phis(p, p->order[k]);
    control_steps(p);
    replace_hooks(p);
    drop_unused_labels(p);
    arena_release(&p->scratch);
}
