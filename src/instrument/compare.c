// SPDX-License-Identifier: Apache-2.0
// Conditions that compare a value with a constant, for decisions with several
// conditions: `x > 5 && x > 3` cannot have its second condition false whatever x is.
// Two conditions compare the same value if they compute it in the same way from values
// that do not change while the decision is evaluated: SSA values, and memory when
// nothing between the conditions writes or calls.
#include "instrument/pass.h"

#include "base/tunables.h"
#include <stdio.h>
#include <string.h>

struct compare {
    struct pass *p;
    VEC(struct cfg_comparison) found;
    struct map numbers;   // text of a value -> number
    struct map decisions; // decision + 1 -> 1: memory changes during its evaluation
    uint32_t next;
};

static bool writes(LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMCall) {
        LLVMValueRef callee = LLVMGetCalledValue(i);
        return !LLVMIsAFunction(callee) ||
               (!control_is_cond(callee) && strncmp(pass_name(callee), "llvm.dbg.", 9) != 0);
    }
    return op == LLVMStore || op == LLVMFence || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg;
}

static bool hook_of(struct compare *c, LLVMValueRef i, uint64_t *branch)
{
    if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i)) ||
        !control_is_cond(LLVMGetCalledValue(i)) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
        return false;
    *branch = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
    return *branch < c->p->request->program->branch_count;
}

// ---- is memory constant during a decision? ----

static bool ends_in_decision(struct compare *c, LLVMBasicBlockRef block, size_t decision)
{
    const struct program *program = c->p->request->program;
    for (LLVMValueRef i = LLVMGetBasicBlockTerminator(block); i;
         i = LLVMGetPreviousInstruction(i)) {
        uint64_t branch;
        if (hook_of(c, i, &branch))
            return program->branches[branch].kind == BRANCH_CONDITION &&
                   program->branches[branch].decision == decision;
        if (writes(i))
            return false;
    }
    return false;
}

static bool reached_from_decision_only(struct compare *c, LLVMBasicBlockRef block, size_t decision)
{
    LLVMValueRef as_value = LLVMBasicBlockAsValue(block);
    for (LLVMUseRef u = LLVMGetFirstUse(as_value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAInstruction(user) && !LLVMIsAPHINode(user) &&
            !ends_in_decision(c, LLVMGetInstructionParent(user), decision))
            return false;
    }
    return true;
}

// The first condition's block may write before the values are read; compare from the
// first load on. Later conditions: nothing in their block, and no block between.
static bool is_steady(struct compare *c, LLVMValueRef hook, const struct branch *branch)
{
    bool loaded = branch->index > 0;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(hook);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && i != hook;
         i = LLVMGetNextInstruction(i)) {
        uint64_t other;
        if (branch->index == 0 && hook_of(c, i, &other))
            loaded = false;
        loaded |= LLVMIsALoadInst(i) != NULL;
        if (loaded && writes(i))
            return false;
    }
    return branch->index == 0 || reached_from_decision_only(c, block, branch->decision);
}

// ---- numbers of values ----

// May others change what is read here?
static bool is_shared(LLVMValueRef load)
{
    return LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic;
}

static uint32_t number_of_text(struct compare *c, const char *text)
{
    uint64_t number;
    if (!map_get_text(&c->numbers, text, &number)) {
        number = ++c->next;
        map_put_text(&c->numbers, text, number);
    }
    return (uint32_t)number;
}

static uint32_t number_of(struct compare *c, LLVMValueRef v, bool steady, unsigned depth)
{
    char text[256];
    int used = snprintf(text, sizeof text, "%p", (void *)v);
    bool load = LLVMIsALoadInst(v) != NULL;
    bool plain = LLVMIsACastInst(v) || LLVMIsABinaryOperator(v) || LLVMIsAGetElementPtrInst(v);
    if (depth && ((load && steady && !is_shared(v)) || plain) && LLVMGetNumOperands(v) < 8) {
        LLVMTypeRef type =
            LLVMIsAGetElementPtrInst(v) ? LLVMGetGEPSourceElementType(v) : LLVMTypeOf(v);
        used = snprintf(text, sizeof text, "%d %p", (int)LLVMGetInstructionOpcode(v), (void *)type);
        for (int i = 0; i < LLVMGetNumOperands(v); i++)
            used += snprintf(text + used, sizeof text - (size_t)used, " %u",
                             number_of(c, LLVMGetOperand(v, (unsigned)i), steady, depth - 1));
    }
    return number_of_text(c, text);
}

// ---- conditions ----

static const LLVMIntPredicate relations[] = {
    [CFG_EQ] = LLVMIntEQ,   [CFG_NE] = LLVMIntNE,   [CFG_SLT] = LLVMIntSLT, [CFG_SLE] = LLVMIntSLE,
    [CFG_SGT] = LLVMIntSGT, [CFG_SGE] = LLVMIntSGE, [CFG_ULT] = LLVMIntULT, [CFG_ULE] = LLVMIntULE,
    [CFG_UGT] = LLVMIntUGT, [CFG_UGE] = LLVMIntUGE,
};

static uint8_t relation_of(LLVMIntPredicate is, bool negated)
{
    static const uint8_t opposite[] = {CFG_NE,  CFG_EQ,  CFG_SGE, CFG_SGT, CFG_SLE,
                                       CFG_SLT, CFG_UGE, CFG_UGT, CFG_ULE, CFG_ULT};
    for (uint8_t i = 0; i < sizeof relations / sizeof *relations; i++)
        if (relations[i] == is)
            return negated ? opposite[i] : i;
    return CFG_NE;
}

static LLVMValueRef operand_if(LLVMValueRef v, LLVMOpcode op)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op ? LLVMGetOperand(v, 0) : NULL;
}

// Peel `(… != 0)` around a 1-bit value and `!`; what is left compares or is a value.
static LLVMValueRef peel(LLVMValueRef v, bool *negated)
{
    for (;;) {
        LLVMValueRef a = operand_if(v, LLVMXor), inner;
        if (a && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
            LLVMGetIntTypeWidth(LLVMTypeOf(v)) == 1) {
            *negated ^= LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) != 0;
            v = a;
            continue;
        }
        a = operand_if(v, LLVMICmp);
        if (a && (LLVMGetICmpPredicate(v) == LLVMIntNE || LLVMGetICmpPredicate(v) == LLVMIntEQ) &&
            LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
            LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) == 0 &&
            (inner = operand_if(a, LLVMZExt)) && LLVMGetIntTypeWidth(LLVMTypeOf(inner)) == 1) {
            *negated ^= LLVMGetICmpPredicate(v) == LLVMIntEQ;
            v = inner;
            continue;
        }
        return v;
    }
}

static void add_condition(struct compare *c, LLVMValueRef hook, uint64_t branch)
{
    const struct program *program = c->p->request->program;
    bool negated = false;
    uint64_t changing;
    bool steady = !map_get(&c->decisions, program->branches[branch].decision + 1, &changing);
    LLVMValueRef v = peel(LLVMGetOperand(hook, 1), &negated), a = operand_if(v, LLVMICmp);
    struct cfg_comparison made = {.branch = (uint32_t)branch, .relation = CFG_NE, .width = 1};
    if (a && LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMIntegerTypeKind &&
        LLVMGetIntTypeWidth(LLVMTypeOf(a)) <= 64 && LLVMIsAConstantInt(LLVMGetOperand(v, 1))) {
        made.value = number_of(c, a, steady, INSTRUMENT_COMPARE_DEPTH);
        made.width = (uint8_t)LLVMGetIntTypeWidth(LLVMTypeOf(a));
        made.constant = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
        made.relation = relation_of(LLVMGetICmpPredicate(v), negated);
    } else {
        made.value = number_of(c, v, steady, INSTRUMENT_COMPARE_DEPTH);
        made.relation = negated ? CFG_EQ : CFG_NE;
    }
    *VEC_PUSH(&c->found) = made;
}

typedef void each_hook(struct compare *c, LLVMValueRef hook, uint64_t branch);

static void note_unsteady(struct compare *c, LLVMValueRef hook, uint64_t branch)
{
    const struct branch *b = &c->p->request->program->branches[branch];
    if (!is_steady(c, hook, b))
        map_put(&c->decisions, b->decision + 1, 1);
}

static void visit_hooks(struct compare *c, each_hook *visit)
{
    const struct program *program = c->p->request->program;
    for (size_t k = 0; k < c->p->functions.count; k++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(c->p->functions.items[k]); b;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                uint64_t branch;
                if (hook_of(c, i, &branch) && program->branches[branch].kind == BRANCH_CONDITION &&
                    program->decisions[program->branches[branch].decision].condition_count > 1)
                    visit(c, i, branch);
            }
}

void compare_export(struct pass *p, struct cfg_part *part)
{
    struct compare c = {.p = p};
    map_init(&c.numbers);
    map_init(&c.decisions);
    visit_hooks(&c, note_unsteady);
    visit_hooks(&c, add_condition);
    part->comparison_count = c.found.count;
    part->comparisons = arena_array(p->arena, struct cfg_comparison, c.found.count + 1);
    for (size_t i = 0; i < c.found.count; i++)
        part->comparisons[i] = c.found.items[i];
    VEC_RELEASE(&c.found);
    map_release(&c.numbers);
    map_release(&c.decisions);
}
