// SPDX-License-Identifier: Apache-2.0
// Infeasible goals by LLVM's optimiser: a marker call in the branch of every goal, and what -O3
// deletes was unreachable from the root. The root is the task's own function, and then the proof
// holds for every call with any memory, because nothing is known of its arguments and of
// variables that can change; or it is the task's driver, and then the proof holds for inputs
// that the driver can make. Both hold for executions without undefined behaviour before the goal.
//
// What keeps LLVM honest: inputs are opaque; locals begin with opaque values (an
// uninitialised variable would make everything behind it unreachable); markers may
// not return, so that undefined behaviour behind a marker cannot delete it; attributes and flags
// that promise things an -O0 build does not rely on are dropped; loops may be infinite.
#include "instrument/library.h"
#include "instrument/pass.h"
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <string.h>

struct proof {
    struct pass pass; // only its module, types and program are used
    struct instrument_request request;
    LLVMAttributeRef inaccessible, nounwind;
    enum proof_root root;
};

static void add_attribute(LLVMValueRef f, LLVMAttributeRef a)
{
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, a);
}

static unsigned kind_of(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

// memory(argmem: a, inaccessiblemem: b, everything else: none); two bits each, in
// this order from the lowest: 1 read, 2 write.
static LLVMAttributeRef memory_effects(struct proof *proof, unsigned argument,
                                       unsigned inaccessible)
{
    return LLVMCreateEnumAttribute(proof->pass.context, kind_of("memory"),
                                   argument | inaccessible << 2);
}

static LLVMValueRef marker(struct proof *proof, uint64_t goal)
{
    struct pass *p = &proof->pass;
    char name[48];
    snprintf(name, sizeof name, "cz_goal.%llu", (unsigned long long)goal);
    LLVMValueRef f = LLVMGetNamedFunction(p->module, name);
    if (f)
        return f;
    f = LLVMAddFunction(p->module, name, LLVMFunctionType(p->nothing, NULL, 0, 0));
    add_attribute(f, proof->inaccessible);
    add_attribute(f, proof->nounwind);
    return f;
}

static void mark(struct proof *proof, LLVMValueRef value, uint64_t branch)
{
    PASS_CALL(&proof->pass, "cz_s_goal", value, marker(proof, 2 * branch + 1),
              marker(proof, 2 * branch));
}

// ---- hooks ----

// A function from the branch that a switch takes to its marker. A test per branch, as for
// conditions, would cost the optimiser the square of their number.
static LLVMValueRef switch_markers(struct proof *proof, const struct switch_point *s, uint64_t id)
{
    struct pass *p = &proof->pass;
    char name[48];
    snprintf(name, sizeof name, "cz_mark.%llu", (unsigned long long)id);
    LLVMValueRef f = LLVMGetNamedFunction(p->module, name);
    if (f)
        return f;
    f = LLVMAddFunction(p->module, name, LLVMFunctionType(p->nothing, &p->i32, 1, 0));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    add_attribute(f, LLVMCreateEnumAttribute(p->context, kind_of("alwaysinline"), 0));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(p->context);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(p->context, f, "");
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(p->context, f, "");
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef jump = LLVMBuildSwitch(b, LLVMGetParam(f, 0), end, (unsigned)s->branch_count);
    for (size_t k = 0; k < s->branch_count; k++) {
        LLVMBasicBlockRef taken = LLVMAppendBasicBlockInContext(p->context, f, "");
        LLVMValueRef to = marker(proof, 2 * s->branches[k] + 1);
        LLVMAddCase(jump, pass_number(p, s->branches[k]), taken);
        LLVMPositionBuilderAtEnd(b, taken);
        LLVMValueRef call = LLVMBuildCall2(b, LLVMGlobalGetValueType(to), to, NULL, 0, "");
        LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                                 LLVMCreateEnumAttribute(p->context, kind_of("nomerge"), 0));
        LLVMBuildBr(b, end);
    }
    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

// That a branch is not taken has no marker: it follows from the others, see find_dead().
static void mark_switch(struct proof *proof, LLVMValueRef call, uint64_t id)
{
    struct pass *p = &proof->pass;
    const struct switch_point *s = &p->request->program->switches[id];
    LLVMValueRef value = LLVMGetOperand(call, 1);
    if (s->branch_count == 0)
        return;
    LLVMValueRef f = control_case_function(p, s, id, LLVMTypeOf(value));
    LLVMValueRef taken = LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(f), f, &value, 1, "");
    LLVMValueRef markers = switch_markers(proof, s, id);
    LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(markers), markers, &taken, 1, "");
}

static void replace_hook(struct proof *proof, LLVMValueRef call, bool is_cond)
{
    struct pass *p = &proof->pass;
    const struct program *program = p->request->program;
    LLVMValueRef number = LLVMGetOperand(call, 0), value = LLVMGetOperand(call, 1);
    uint64_t id = LLVMIsAConstantInt(number) ? LLVMConstIntGetZExtValue(number) : UINT64_MAX;
    pass_before(p, call);
    if (is_cond && id < program->branch_count)
        mark(proof, value, id);
    else if (!is_cond && id < program->switch_count)
        mark_switch(proof, call, id);
    LLVMReplaceAllUsesWith(call, value);
    LLVMInstructionEraseFromParent(call);
}

static void replace_hooks(struct proof *proof)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(proof->pass.module); f; f = LLVMGetNextFunction(f)) {
        bool is_cond = control_is_cond(f);
        if (!is_cond && !control_is_switch(f))
            continue;
        for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetFirstUse(f))
            replace_hook(proof, LLVMGetUser(u), is_cond);
    }
}

// ---- opaque values ----

static LLVMValueRef opaque_function(struct proof *proof, LLVMTypeRef type)
{
    struct pass *p = &proof->pass;
    char *text = LLVMPrintTypeToString(type), name[64];
    snprintf(name, sizeof name, "cz_opaque.%.40s", text);
    LLVMDisposeMessage(text);
    LLVMValueRef f = LLVMGetNamedFunction(p->module, name);
    if (f)
        return f;
    f = LLVMAddFunction(p->module, name, LLVMFunctionType(type, NULL, 0, 0));
    add_attribute(f, proof->inaccessible);
    add_attribute(f, proof->nounwind);
    add_attribute(f, LLVMCreateEnumAttribute(p->context, kind_of("willreturn"), 0));
    return f;
}

static LLVMValueRef opaque(struct proof *proof, LLVMTypeRef type)
{
    LLVMValueRef f = opaque_function(proof, type);
    return LLVMBuildCall2(proof->pass.builder, LLVMGlobalGetValueType(f), f, NULL, 0, "");
}

static void fill_local(struct proof *proof, LLVMValueRef local)
{
    struct pass *p = &proof->pass;
    LLVMTypeRef type = LLVMGetAllocatedType(local);
    LLVMValueRef count = LLVMGetOperand(local, 0);
    bool single = LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
    if (single && pass_width(p, type)) {
        LLVMBuildStore(p->builder, opaque(proof, type), local);
        return;
    }
    uint64_t size = LLVMABISizeOfType(p->layout, type);
    LLVMValueRef bytes = LLVMBuildMul(p->builder, pass_bits(p, count), pass_number64(p, size), "");
    LLVMBuildMemCpy(p->builder, local, 1, opaque(proof, p->ptr), 1, bytes);
}

// Behind the last alloca of a group, so that the entry block's allocas stay static.
static void fill_locals(struct proof *proof, LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        VEC(LLVMValueRef) group = {0};
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAAllocaInst(i)) {
                *VEC_PUSH(&group) = i;
                continue;
            }
            if (group.count)
                pass_before(&proof->pass, i);
            for (size_t k = 0; k < group.count; k++)
                fill_local(proof, group.items[k]);
            group.count = 0;
        }
        VEC_RELEASE(&group);
    }
}

// ---- honesty ----

static void drop_loop_promises(struct pass *p, LLVMValueRef f)
{
    unsigned loop = LLVMGetMDKindIDInContext(p->context, "llvm.loop", 9);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        LLVMSetMetadata(LLVMGetBasicBlockTerminator(b), loop, NULL);
}

// The engine reads variables that are not initialised as zero (-ftrivial-auto-var-init);
// nothing is proven by that. They hold anything, anew wherever their declaration is executed.
static void open_auto_init(struct proof *proof, LLVMValueRef f)
{
    struct pass *p = &proof->pass;
    unsigned annotation = LLVMGetMDKindIDInContext(p->context, "annotation", 10);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            bool block = LLVMIsACallInst(i) && LLVMGetNumArgOperands(i) == 4;
            if ((!LLVMIsAStoreInst(i) && !block) || !LLVMGetMetadata(i, annotation))
                continue;
            pass_before(p, i);
            if (!block && pass_width(p, LLVMTypeOf(LLVMGetOperand(i, 0)))) {
                LLVMSetOperand(i, 0, opaque(proof, LLVMTypeOf(LLVMGetOperand(i, 0))));
                continue;
            }
            LLVMValueRef to = LLVMGetOperand(i, block ? 0 : 1);
            LLVMValueRef size =
                block ? pass_bits(p, LLVMGetOperand(i, 2))
                      : pass_number64(
                            p, LLVMStoreSizeOfType(p->layout, LLVMTypeOf(LLVMGetOperand(i, 0))));
            LLVMBuildMemCpy(p->builder, to, 1, opaque(proof, p->ptr), 1, size);
            LLVMInstructionEraseFromParent(i);
        }
}

static void prepare_function(struct proof *proof, LLVMValueRef f)
{
    proof->pass.function = f;
    checks_weaken(&proof->pass);
    drop_loop_promises(&proof->pass, f);
    open_auto_init(proof, f);
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of("noinline"));
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of("optnone"));
    fill_locals(proof, f);
}

// The functions of driver.h make inputs; they touch no memory of the unit but what
// they are given.
static void describe_driver_api(struct proof *proof)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(proof->pass.module); f; f = LLVMGetNextFunction(f)) {
        const char *name = pass_name(f);
        if (!LLVMIsDeclaration(f) || strncmp(name, "cz_", 3) != 0 ||
            strncmp(name, "cz_outside", 10) == 0 || strncmp(name, "cz_allocate", 11) == 0 ||
            strcmp(name, "cz_errno") == 0 ||      // sets it
            strcmp(name, "cz_hw_presume") == 0 || // others may change memory
            strcmp(name, "cz_hw_asm") == 0 ||
            strcmp(name, "cz_hw_given") == 0) // assembly may do anything
            continue;
        bool writes = strcmp(name, "cz_array") == 0 || strcmp(name, "cz_wide") == 0 ||
                      strcmp(name, "cz_hw_read") == 0;
        add_attribute(f, memory_effects(proof, writes ? 3 : 1, 3));
        add_attribute(f, proof->nounwind);
        if (strcmp(name, "cz_new") == 0)
            LLVMAddAttributeAtIndex(
                f, LLVMAttributeReturnIndex,
                LLVMCreateEnumAttribute(proof->pass.context, kind_of("noalias"), 0));
    }
}

// The function that drives the task: member `run` of cz_tasks[task].
static LLVMValueRef driver_of(struct proof *proof, size_t task)
{
    struct pass *p = &proof->pass;
    LLVMValueRef table = LLVMGetNamedGlobal(p->module, "cz_tasks");
    LLVMValueRef list = table ? LLVMGetInitializer(table) : NULL;
    if (!list || LLVMIsNull(list) || task >= (size_t)LLVMGetNumOperands(list))
        return NULL;
    LLVMValueRef entry = LLVMGetOperand(list, (unsigned)task);
    LLVMValueRef run = LLVMGetNumOperands(entry) > 1 ? LLVMGetOperand(entry, 1) : NULL;
    return run && LLVMIsAFunction(run) ? run : NULL;
}

// The function itself. A name that several files of the unit gave to static functions is not
// unique in the linked module; then there is none.
static LLVMValueRef function_of(struct proof *proof, size_t task)
{
    const struct program *program = proof->pass.request->program;
    const struct function *entry = &program->functions[program->tasks[task].entry];
    LLVMValueRef f = LLVMGetNamedFunction(proof->pass.module, entry->name);
    if (entry->is_static && program_file_count(program) > 1)
        return NULL;
    return f && !LLVMIsDeclaration(f) ? f : NULL;
}

// Constants that the file only declares: the driver defines them, and with zeros unless their
// values are known (variable.elsewhere). What they hold is not known here.
static bool is_only_declared(const struct program *program, const char *symbol)
{
    const char *name = program_plain_symbol(symbol);
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *variable = &program->variables[i];
        if (!strcmp(variable->name, name) && variable->is_extern_only && !variable->elsewhere)
            return true;
    }
    return false;
}

static void open_constants(struct proof *proof)
{
    struct pass *p = &proof->pass;
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMIsDeclaration(g) || !LLVMIsGlobalConstant(g) ||
            !is_only_declared(p->request->program, pass_name(g)))
            continue;
        LLVMSetInitializer(g, NULL);
        LLVMSetLinkage(g, LLVMExternalLinkage);
        LLVMSetGlobalConstant(g, 0);
    }
}

static void delete_global(struct pass *p, const char *name)
{
    LLVMValueRef g = LLVMGetNamedGlobal(p->module, name);
    if (!g)
        return;
    LLVMReplaceAllUsesWith(g, LLVMConstNull(p->ptr));
    LLVMDeleteGlobal(g);
}

// Functions become internal, so that only what the task does counts. Variables that
// can change do not: what they hold at the start, and what functions outside the unit
// make of them, must stay open (static locals after earlier calls, globals that the
// driver leaves alone).
static void set_linkage(struct proof *proof, LLVMValueRef driver)
{
    struct pass *p = &proof->pass;
    delete_global(p, "cz_tasks");
    delete_global(p, "llvm.used");
    delete_global(p, "llvm.compiler.used");
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMSetLinkage(f, f == driver ? LLVMExternalLinkage : LLVMInternalLinkage);
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) != LLVMAppendingLinkage &&
            (LLVMGetLinkage(g) != LLVMWeakAnyLinkage || p->request->program->is_whole))
            LLVMSetLinkage(g, LLVMIsGlobalConstant(g) ? LLVMInternalLinkage : LLVMExternalLinkage);
}

static LLVMValueRef redeclare(struct pass *p, LLVMValueRef f, const char *name)
{
    LLVMValueRef opaque = LLVMAddFunction(p->module, name, LLVMGlobalGetValueType(f));
    LLVMReplaceAllUsesWith(f, opaque);
    return opaque;
}

// ---- weak symbols ----

static bool is_of_program(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->function_count; i++)
        if (program->functions[i].defined && strcmp(program->functions[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < program->variable_count; i++)
        if (!program->variables[i].is_extern_only && strcmp(program->variables[i].name, name) == 0)
            return true;
    return false;
}

// The linker decides whether a weak symbol is there, and whose definition counts. Code reads
// it from a variable (weak.c); this is for initialisers. The variable keeps the unit's own
// definition alive.
static void open_weak_function(struct pass *p, LLVMValueRef f)
{
    char name[256];
    bool is_own = is_of_program(p->request->program, pass_source_name(f));
    LLVMValueRef opaque = redeclare(p, f, "cz_outside");
    snprintf(name, sizeof name, "cz_weak.%s", pass_source_name(f));
    LLVMValueRef variable = LLVMGetNamedGlobal(p->module, name);
    if (!is_own)
        LLVMSetLinkage(opaque, LLVMExternalWeakLinkage);
    else if (variable)
        LLVMSetInitializer(variable, f);
}

static void open_weak_variable(struct pass *p, LLVMValueRef g)
{
    if (is_of_program(p->request->program, pass_source_name(g)))
        return;
    LLVMValueRef opaque = LLVMAddGlobal(p->module, LLVMGlobalGetValueType(g), "cz_outside");
    LLVMSetLinkage(opaque, LLVMExternalWeakLinkage);
    LLVMReplaceAllUsesWith(g, opaque);
}

// Of an array whose bound another file knows the driver's bound says nothing.
static void open_arrays(struct pass *p)
{
    const struct program *program = p->request->program;
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *variable = &program->variables[i];
        LLVMValueRef g = variable_is_open(variable) && !variable->function
                             ? LLVMGetNamedGlobal(p->module, variable->name)
                             : NULL;
        LLVMTypeRef type = g ? LLVMGlobalGetValueType(g) : NULL;
        if (!g)
            continue;
        bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
        LLVMTypeRef open = LLVMArrayType2(is_array ? LLVMGetElementType(type) : p->i8, 0);
        LLVMReplaceAllUsesWith(g, LLVMAddGlobal(p->module, open, "cz_outside"));
    }
}

static void open_weak(struct pass *p)
{
    VEC(LLVMValueRef) weak = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMWeakAnyLinkage)
            *VEC_PUSH(&weak) = f;
    size_t functions = weak.count;
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMWeakAnyLinkage)
            *VEC_PUSH(&weak) = g;
    for (size_t i = 0; i < weak.count; i++)
        i < functions ? open_weak_function(p, weak.items[i]) : open_weak_variable(p, weak.items[i]);
    VEC_RELEASE(&weak);
}

static bool is_stub(struct pass *p, LLVMValueRef f)
{
    LLVMValueRef mark = LLVMGetNamedFunction(p->module, "cz_call");
    for (LLVMUseRef use = mark ? LLVMGetFirstUse(mark) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == f)
            return true;
    }
    return false;
}

// The driver's stubs only return a value; the functions that they stand for may do
// anything. Allocation functions lose their names, because the optimiser may assume
// that an allocation it removes had succeeded.
static void open_externals(struct proof *proof)
{
    struct pass *p = &proof->pass;
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!LLVMIsDeclaration(f) && is_stub(p, f))
            redeclare(p, f, "cz_outside"); // the body stays, unused
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) && library_is_guessed(pass_name(f)))
            redeclare(p, f, "cz_outside"); // pow(x, 2) is x * x and leaves errno alone
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) && libc_find(pass_name(f))->allocates)
            redeclare(p, f, "cz_allocate");
    }
}

static bool is_of_task(const struct program *program, size_t task, size_t function)
{
    const struct task *t = &program->tasks[task];
    for (size_t i = 0; i < t->function_count; i++)
        if (t->functions[i] == function)
            return true;
    return false;
}

static bool is_alive(struct pass *p, uint64_t goal)
{
    char name[48];
    snprintf(name, sizeof name, "cz_goal.%llu", (unsigned long long)goal);
    LLVMValueRef f = LLVMGetNamedFunction(p->module, name);
    return f && LLVMGetFirstUse(f);
}

// A branch of a switch is not taken when another one is.
static void find_dead(struct pass *p, size_t task, bool *dead)
{
    const struct program *program = p->request->program;
    for (size_t b = 0; b < program->branch_count; b++)
        for (unsigned v = 0; v < 2 && is_of_task(program, task, program->branches[b].function); v++)
            dead[2 * b + v] = !is_alive(p, 2 * b + v);
    for (size_t i = 0; i < program->switch_count; i++) {
        const struct switch_point *s = &program->switches[i];
        size_t alive = 0;
        for (size_t k = 0; k < s->branch_count; k++)
            alive += is_alive(p, 2 * s->branches[k] + 1);
        for (size_t k = 0; k < s->branch_count; k++)
            if (alive > is_alive(p, 2 * s->branches[k] + 1))
                dead[2 * s->branches[k]] = false;
    }
}

static bool link_hook(struct proof *proof, const char *path, struct error *err)
{
    LLVMModuleRef hooks;
    if (!module_load(proof->pass.context, path, &hooks, err))
        return false;
    LLVMSetTarget(hooks, LLVMGetTarget(proof->pass.module));
    if (LLVMLinkModules2(proof->pass.module, hooks))
        return error_set(err, ERROR_INTERNAL, "cannot link %s", path);
    return true;
}

static void drop_assumptions(struct proof *proof)
{
    LLVMValueRef f = LLVMGetNamedFunction(proof->pass.module, "cz_assume_");
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL, next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMIsACallInst(user))
            LLVMInstructionEraseFromParent(user);
    }
}

// Constants are folded, and arithmetic moved, for the usual rounding mode.
static bool changes_rounding(struct pass *p)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
        const char *name = pass_name(f);
        if (strncmp(name, "llvm.experimental.constrained", 29) == 0)
            return true;
        if (libc_find(program_plain_symbol(name))->rounding)
            return true;
    }
    return false;
}

static bool prove(struct proof *proof, const char *bitcode, const char *shim, size_t task,
                  bool *dead, struct error *err)
{
    struct pass *p = &proof->pass;
    if (!pass_load(p, bitcode, err))
        return false;
    scope_mark(p, false);
    bool by_driver = proof->root != PROOF_ROOT_FUNCTION;
    LLVMValueRef root = by_driver ? driver_of(proof, task) : function_of(proof, task);
    if (!root)
        return error_set(err, ERROR_INTERNAL, "task %zu has no %s in the module", task,
                         by_driver ? "driver" : "function of its own");
    if (!p->request->program->is_whole)
        open_weak(p), open_arrays(p);
    set_linkage(proof, root);
    if (!by_driver)
        open_constants(proof);
    open_externals(proof);
    if (proof->root != PROOF_ROOT_DRIVER)
        drop_assumptions(proof);
    if (!module_passes(p->module, "globaldce", err)) // only what the task reaches
        return false;
    if (changes_rounding(p))
        return true; // nothing is proven
    describe_driver_api(proof);
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            prepare_function(proof, f);
    if (!link_hook(proof, shim, err))
        return false;
    replace_hooks(proof);
    if (!module_passes(p->module, "always-inline,default<O3>", err))
        return false;
    find_dead(p, task, dead);
    return true;
}

bool instrument_prove_dead(const char *bitcode, const struct program *program, size_t task,
                           const char *proof_shim, enum proof_root root, bool *dead,
                           struct error *err)
{
    struct proof proof = {.request = {.program = program}, .root = root};
    struct instrument_result unused = {0};
    struct arena arena;
    arena_init(&arena);
    pass_init(&proof.pass, &proof.request, &arena, &unused);
    proof.inaccessible = memory_effects(&proof, 0, 3);
    proof.nounwind = LLVMCreateEnumAttribute(proof.pass.context, kind_of("nounwind"), 0);
    bool ok = prove(&proof, bitcode, proof_shim, task, dead, err);
    if (!ok)
        error_context(err, "proving goals of task %zu unreachable", task);
    pass_release(&proof.pass);
    arena_release(&arena);
    return ok;
}
