// SPDX-License-Identifier: Apache-2.0
// Where the program's path is decided. A wrapped condition marks its goal and is
// recorded when it depends on inputs; what then branches on the hook's result is not
// recorded again. Branches, selects and switches without a hook (driver, libc
// models) are recorded by site. For decisions with several conditions each frame
// keeps which conditions were evaluated, and their values, and hands the vector
// over where the decision ends.
#include "base/tunables.h"
#include "instrument/pass.h"
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#define MAX_CONDITIONS 64

struct decision_state {
    LLVMValueRef evaluated, values; // i64 variables of the frame
};

bool control_is_cond(LLVMValueRef callee)
{
    return LLVMIsAFunction(callee) && strcmp(pass_name(callee), "__cz_cond") == 0;
}

bool control_is_switch(LLVMValueRef callee)
{
    return LLVMIsAFunction(callee) && strncmp(pass_name(callee), "__cz_switch_", 12) == 0;
}

// Is the value the result of a hook, or made of nothing but such results and constants?
static bool is_hooked(struct pass *p, LLVMValueRef value, unsigned depth)
{
    uint64_t known;
    if (map_get(&p->hooked, (uintptr_t)value, &known) || LLVMIsAConstant(value))
        return true;
    if (LLVMIsACallInst(value)) // of a hook in a block that comes later
        return control_is_cond(LLVMGetCalledValue(value)) ||
               control_is_switch(LLVMGetCalledValue(value));
    if (depth == 0)
        return false;
    if (LLVMIsAPHINode(value)) {
        for (unsigned k = 0; k < LLVMCountIncoming(value); k++)
            if (!is_hooked(p, LLVMGetIncomingValue(value, k), depth - 1))
                return false;
        return true;
    }
    if (!LLVMIsAInstruction(value))
        return false;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMXor: // !hook
        return LLVMIsAConstant(LLVMGetOperand(value, 1)) &&
               is_hooked(p, LLVMGetOperand(value, 0), depth - 1);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt: return is_hooked(p, LLVMGetOperand(value, 0), depth - 1);
    default: return false;
    }
}

// ---- hooks ----

static struct decision_state *state_of(struct pass *p, size_t decision)
{
    uint64_t found;
    if (map_get(&p->decisions, decision + 1, &found))
        return (struct decision_state *)(uintptr_t)found;
    struct decision_state *state = arena_new(&p->scratch, struct decision_state);
    state->evaluated = pass_entry_alloca(p, p->i64);
    state->values = pass_entry_alloca(p, p->i64);
    map_put(&p->decisions, decision + 1, (uintptr_t)state);
    return state;
}

static LLVMValueRef update(struct pass *p, LLVMValueRef variable, LLVMValueRef bits, bool first)
{
    if (!first) {
        LLVMValueRef old = LLVMBuildLoad2(p->builder, p->i64, variable, "");
        bits = LLVMBuildOr(p->builder, old, bits, "");
    }
    LLVMBuildStore(p->builder, bits, variable);
    return bits;
}

static void note_condition(struct pass *p, const struct branch *branch, LLVMValueRef value)
{
    const struct decision *d = &p->request->program->decisions[branch->decision];
    if (d->condition_count < 2 || d->condition_count > MAX_CONDITIONS)
        return;
    unsigned index = branch->index;
    bool first = (int)index == d->first;
    struct decision_state *state = state_of(p, branch->decision);
    LLVMValueRef bit = LLVMBuildZExt(p->builder, value, p->i64, "");
    LLVMValueRef shifted = LLVMBuildShl(p->builder, bit, pass_number64(p, index), "");
    LLVMValueRef evaluated = update(p, state->evaluated, pass_number64(p, 1ull << index), first);
    LLVMValueRef values = update(p, state->values, shifted, first);
    unsigned ends = (d->next[index][0] < 0 ? 1u : 0u) | (d->next[index][1] < 0 ? 2u : 0u);
    if (ends)
        PASS_CALL(p, "cz_s_vector", pass_number(p, branch->decision), evaluated, values, value,
                  pass_number(p, ends));
}

// The hook stands for its operand; uses are replaced when the function is done.
static void stand_for(struct pass *p, LLVMValueRef i, LLVMValueRef value)
{
    pass_set_label(p, i, pass_label(p, value));
    map_put(&p->hooked, (uintptr_t)i, 1);
    *VEC_PUSH(&p->hooks) = i;
}

static const struct program *hooked_program(struct pass *p, LLVMValueRef i, size_t count,
                                            uint64_t *id)
{
    LLVMValueRef number = LLVMGetOperand(i, 0);
    if (!p->request->program || !LLVMIsAConstantInt(number))
        return NULL;
    *id = LLVMConstIntGetZExtValue(number);
    return *id < count ? p->request->program : NULL;
}

void control_cond(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 1);
    uint64_t id;
    const struct program *program =
        hooked_program(p, i, p->request->program ? p->request->program->branch_count : 0, &id);
    stand_for(p, i, value);
    if (!program)
        return;
    pass_before(p, i);
    p->result->branch_survives[id] = true;
    PASS_CALL(p, "cz_s_cond", pass_number(p, id), value, pass_label(p, value),
              pass_number(p, pass_site(p, i, 0)));
    note_condition(p, &program->branches[id], value);
}

// Blocks of the function below: test wide ranges one by one, list the others.
static LLVMBasicBlockRef build_ranges(struct pass *p, LLVMBuilderRef b, LLVMValueRef f,
                                      const struct switch_point *s, LLVMTypeRef type)
{
    LLVMBasicBlockRef at = LLVMAppendBasicBlockInContext(p->context, f, "");
    LLVMValueRef value = LLVMGetParam(f, 0);
    for (size_t k = 0; k < s->branch_count; k++) {
        const struct branch *branch = &p->request->program->branches[s->branches[k]];
        uint64_t extent = (uint64_t)branch->high - (uint64_t)branch->low;
        if (branch->kind != BRANCH_CASE || extent < INSTRUMENT_LISTED_RANGE)
            continue;
        LLVMBasicBlockRef hit = LLVMAppendBasicBlockInContext(p->context, f, "");
        LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(p->context, f, "");
        LLVMPositionBuilderAtEnd(b, at);
        LLVMValueRef distance =
            LLVMBuildSub(b, value, LLVMConstInt(type, (uint64_t)branch->low, 1), "");
        LLVMBuildCondBr(b,
                        LLVMBuildICmp(b, LLVMIntULE, distance, LLVMConstInt(type, extent, 0), ""),
                        hit, next);
        LLVMPositionBuilderAtEnd(b, hit);
        LLVMBuildRet(b, pass_number(p, s->branches[k]));
        at = next;
    }
    return at;
}

static void build_cases(struct pass *p, LLVMBuilderRef b, LLVMValueRef f,
                        const struct switch_point *s, LLVMTypeRef type)
{
    LLVMBasicBlockRef at = build_ranges(p, b, f, s, type);
    LLVMBasicBlockRef otherwise = LLVMAppendBasicBlockInContext(p->context, f, "");
    LLVMPositionBuilderAtEnd(b, at);
    LLVMValueRef jump =
        LLVMBuildSwitch(b, LLVMGetParam(f, 0), otherwise, (unsigned)s->branch_count);
    size_t fallback = s->branches[s->branch_count - 1];
    for (size_t k = 0; k < s->branch_count; k++) {
        const struct branch *branch = &p->request->program->branches[s->branches[k]];
        if (branch->kind != BRANCH_CASE) {
            fallback = s->branches[k];
            continue;
        }
        uint64_t extent = (uint64_t)branch->high - (uint64_t)branch->low;
        if (extent >= INSTRUMENT_LISTED_RANGE)
            continue;
        LLVMBasicBlockRef hit = LLVMAppendBasicBlockInContext(p->context, f, "");
        for (uint64_t v = 0; v <= extent; v++)
            LLVMAddCase(jump, LLVMConstInt(type, (uint64_t)branch->low + v, 1), hit);
        LLVMPositionBuilderAtEnd(b, hit);
        LLVMBuildRet(b, pass_number(p, s->branches[k]));
    }
    LLVMPositionBuilderAtEnd(b, otherwise);
    LLVMBuildRet(b, pass_number(p, fallback));
}

// A function from the switched value to the branch id that it selects; LLVM inlines
// it and makes a jump table or a lookup table of it.
LLVMValueRef control_case_function(struct pass *p, const struct switch_point *s, uint64_t id,
                                   LLVMTypeRef type)
{
    char name[48];
    snprintf(name, sizeof name, "cz_s_case.%llu", (unsigned long long)id);
    LLVMValueRef f = LLVMGetNamedFunction(p->module, name);
    if (f)
        return f;
    f = LLVMAddFunction(p->module, name, LLVMFunctionType(p->i32, &type, 1, 0));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(p->context, kind, 0));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(p->context);
    build_cases(p, b, f, s, type);
    LLVMDisposeBuilder(b);
    return f;
}

void control_switch(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 1);
    uint64_t id;
    const struct program *program =
        hooked_program(p, i, p->request->program ? p->request->program->switch_count : 0, &id);
    stand_for(p, i, value);
    if (!program || program->switches[id].branch_count == 0)
        return;
    const struct switch_point *s = &program->switches[id];
    for (size_t k = 0; k < s->branch_count; k++)
        p->result->branch_survives[s->branches[k]] = true;
    LLVMValueRef f = control_case_function(p, s, id, LLVMTypeOf(value));
    pass_before(p, i);
    LLVMValueRef branch = LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(f), f, &value, 1, "");
    PASS_CALL(p, "cz_s_switch", pass_number(p, id), branch, pass_bits(p, value),
              pass_label(p, value), pass_number(p, pass_site(p, i, 0)));
}

// ---- branches without a hook ----

static void record_branch(struct pass *p, LLVMValueRef i, LLVMValueRef condition)
{
    LLVMValueRef label = pass_label(p, condition);
    if (label == p->zero || is_hooked(p, condition, 8))
        return;
    PASS_CALL(p, "cz_s_branch", pass_number(p, pass_site(p, i, 0)), condition, label);
}

static void plain_switch(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0), label = pass_label(p, value);
    unsigned width = pass_width(p, LLVMTypeOf(value)), count = LLVMGetNumSuccessors(i) - 1;
    if (label == p->zero || count == 0 || is_hooked(p, value, 8))
        return;
    pass_before(p, i);
    uint32_t site = pass_site(p, i, 0);
    if (width > 64) {
        pass_lose(p, value, WIRE_LOSS_WIDE);
        return;
    }
    LLVMValueRef *cases = arena_array(&p->scratch, LLVMValueRef, count);
    for (unsigned k = 0; k < count; k++)
        cases[k] = pass_number64(p, LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2 + 2 * k)));
    LLVMValueRef list = LLVMConstArray2(p->i64, cases, count);
    LLVMValueRef table = LLVMAddGlobal(p->module, LLVMTypeOf(list), "cz.cases");
    LLVMSetInitializer(table, list);
    LLVMSetGlobalConstant(table, 1);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    PASS_CALL(p, "cz_s_switch_plain", pass_number(p, site), pass_number(p, width),
              pass_bits(p, value), label, table, pass_number(p, count));
}

static void instrument_select(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef condition = LLVMGetOperand(i, 0);
    LLVMValueRef yes = LLVMGetOperand(i, 1), no = LLVMGetOperand(i, 2);
    pass_after(p, i);
    if (LLVMTypeOf(condition) != p->i1) { // a vector of conditions
        pass_lose(p, yes, WIRE_LOSS_WIDE);
        pass_lose(p, no, WIRE_LOSS_WIDE);
        return;
    }
    record_branch(p, i, condition);
    struct part parts[CZRT_MAX_PARTS];
    unsigned count = pass_parts(p, LLVMTypeOf(i), parts);
    if (pass_is_concrete(p, yes) && pass_is_concrete(p, no))
        return;
    LLVMValueRef *a = pass_labels(p, yes), *b = pass_labels(p, no),
                 *labels = pass_new_labels(p, i, count);
    for (unsigned k = 0; k < count; k++)
        labels[k] = LLVMBuildSelect(p->builder, condition, a[k], b[k], "");
}

bool control_instruction(struct pass *p, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr:
        if (LLVMIsConditional(i)) {
            pass_before(p, i);
            record_branch(p, i, LLVMGetCondition(i));
        }
        return true;
    case LLVMSwitch: plain_switch(p, i); return true;
    case LLVMSelect: instrument_select(p, i); return true;
    case LLVMIndirectBr: {
        LLVMValueRef address = LLVMGetOperand(i, 0), label = pass_label(p, address);
        pass_before(p, i);
        if (label != p->zero)
            PASS_CALL(p, "cz_s_pin", pass_number(p, pass_site(p, i, 0)), label,
                      pass_bits(p, address));
        return true;
    }
    case LLVMRet: calls_return(p, i); return true;
    default: return false;
    }
}

// ---- steps ----

static bool has_line(LLVMValueRef i)
{
    LLVMMetadataRef where = LLVMInstructionGetDebugLoc(i);
    return where && LLVMDILocationGetLine(where);
}

static LLVMValueRef first_real_instruction(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

// The line of a loop is that of the first instruction of its header that has one.
static uint32_t header_site(struct pass *p, LLVMBasicBlockRef block)
{
    LLVMValueRef i = first_real_instruction(block), end = LLVMGetBasicBlockTerminator(block);
    while (i != end && !has_line(i))
        i = LLVMGetNextInstruction(i);
    return pass_site(p, i, WIRE_FAULT_ENDLESS);
}

// One step per execution of a loop header: a block that an edge from behind reaches.
void control_steps(struct pass *p)
{
    struct map position;
    map_init(&position);
    for (size_t k = 0; k < p->block_count; k++)
        map_put(&position, (uintptr_t)p->order[k], k);
    bool *is_header = arena_array(&p->scratch, bool, p->block_count + 1);
    for (size_t k = 0; k < p->block_count; k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p->order[k]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            uint64_t to;
            if (map_get(&position, (uintptr_t)LLVMGetSuccessor(end, s), &to) && to <= k)
                is_header[to] = true;
        }
    }
    for (size_t k = 0; k < p->block_count; k++)
        if (is_header[k]) {
            pass_before(p, first_real_instruction(p->order[k]));
            PASS_CALL(p, "cz_s_step", pass_number(p, header_site(p, p->order[k])));
            map_put(&p->looping, (uintptr_t)p->function, 1);
        }
    map_release(&position);
}
