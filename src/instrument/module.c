// SPDX-License-Identifier: Apache-2.0
// From bitcode to an instrumented object file: load, mem2reg, link the shims,
// instrument, inline the shims, optimise, emit. The order matters most for speed:
// optimising after instrumenting lets LLVM drop label work that cannot matter.
#include "instrument/pass.h"

#include "base/map.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Support.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>

bool module_load(LLVMContextRef context, const char *path, LLVMModuleRef *out, struct error *err)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
        LLVMParseIRInContext(context, buffer, out, &message)) {
        error_set(err, ERROR_INTERNAL, "%s: %s", path, message);
        LLVMDisposeMessage(message);
        return false;
    }
    return true;
}

static LLVMTargetMachineRef target_machine(LLVMModuleRef module, LLVMCodeGenOptLevel level,
                                           struct error *err)
{
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser(); // inline assembly
    LLVMTargetRef target;
    char *message = NULL;
    const char *triple = LLVMGetTarget(module);
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        error_set(err, ERROR_INTERNAL, "target %s: %s", triple, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    bool narrow = LLVMPointerSize(LLVMGetModuleDataLayout(module)) == 4;
    return LLVMCreateTargetMachine(target, triple, narrow ? "pentium4" : "x86-64", "", level,
                                   LLVMRelocPIC, LLVMCodeModelDefault);
}

bool module_passes(LLVMModuleRef module, const char *passes, struct error *err)
{
    LLVMTargetMachineRef machine = target_machine(module, LLVMCodeGenLevelDefault, err);
    if (!machine)
        return false;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure = LLVMRunPasses(module, passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    LLVMDisposeTargetMachine(machine);
    if (!failure)
        return true;
    char *message = LLVMGetErrorMessage(failure);
    error_set(err, ERROR_INTERNAL, "LLVM passes %s: %s", passes, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

// __builtin_constant_p() and __builtin_object_size() are answered here as a build without
// optimisation answers them: as soon as anything is optimised, more is constant.
bool pass_load(struct pass *p, const char *bitcode, struct error *err)
{
    if (!module_load(p->context, bitcode, &p->module, err))
        return false;
    scope_straighten(p);
    if (!module_passes(p->module, "function(lower-constant-intrinsics)", err))
        return false;
    p->layout = LLVMGetModuleDataLayout(p->module);
    p->pointer_bits = 8 * LLVMPointerSize(p->layout);
    p->word = LLVMIntTypeInContext(p->context, p->pointer_bits);
    return true;
}

static bool verify(LLVMModuleRef module, const char *when, struct error *err)
{
    char *message = NULL;
    bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
    if (broken)
        error_set(err, ERROR_INTERNAL, "invalid IR %s: %.2000s", when, message);
    LLVMDisposeMessage(message);
    return !broken;
}

static bool write_ir(struct pass *p, const char *suffix, struct error *err)
{
    if (!p->request->keep_ir)
        return true;
    char *path = arena_printf(p->arena, "%s.%s.ll", p->request->object, suffix), *message = NULL;
    if (!LLVMPrintModuleToFile(p->module, path, &message))
        return true;
    error_set(err, ERROR_IO, "%s: %s", path, message);
    LLVMDisposeMessage(message);
    return false;
}

void pass_init(struct pass *p, const struct instrument_request *request, struct arena *arena,
               struct instrument_result *result)
{
    *p = (struct pass){.request = request, .arena = arena, .result = result};
    p->context = LLVMContextCreate();
    p->builder = LLVMCreateBuilderInContext(p->context);
    p->i1 = LLVMInt1TypeInContext(p->context);
    p->i8 = LLVMInt8TypeInContext(p->context);
    p->i32 = LLVMInt32TypeInContext(p->context);
    p->i64 = LLVMInt64TypeInContext(p->context);
    p->ptr = LLVMPointerTypeInContext(p->context, 0);
    p->nothing = LLVMVoidTypeInContext(p->context);
    p->zero = LLVMConstInt(p->i32, 0, 0);
    LLVMTypeRef members[] = {p->i32, p->i8, p->i8, LLVMInt16TypeInContext(p->context),
                             p->i64, p->i64};
    p->access_type = LLVMStructTypeInContext(p->context, members, 6, 0);
    struct map *maps[] = {&p->externals, &p->indirect,  &p->global_sizes, &p->labels,
                          &p->hooked,    &p->decisions, &p->local_sizes,  &p->looping,
                          &p->scoped,    &p->numbered};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        map_init(maps[i]);
    VEC_PUSH(&p->sites); // site 0 is not used
    if (request->program)
        result->branch_survives = arena_array(arena, bool, request->program->branch_count + 1);
}

void pass_release(struct pass *p)
{
    struct map *maps[] = {&p->externals, &p->indirect,  &p->global_sizes, &p->labels,
                          &p->hooked,    &p->decisions, &p->local_sizes,  &p->looping,
                          &p->scoped,    &p->numbered};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        map_release(maps[i]);
    VEC_RELEASE(&p->sites);
    VEC_RELEASE(&p->external_names);
    VEC_RELEASE(&p->functions);
    VEC_RELEASE(&p->code);
    VEC_RELEASE(&p->hooks);
    VEC_RELEASE(&p->locals);
    VEC_RELEASE(&p->entries);
    LLVMDisposeBuilder(p->builder);
    if (p->module)
        LLVMDisposeModule(p->module);
    LLVMContextDispose(p->context);
}

// The shims must inline into whatever the unit was compiled for.
static bool link_shims(struct pass *p, struct error *err)
{
    LLVMModuleRef shims;
    if (!module_load(p->context, p->request->shim, &shims, err))
        return false;
    for (LLVMValueRef f = LLVMGetFirstFunction(shims); f; f = LLVMGetNextFunction(f)) {
        static const char *const attributes[] = {"target-cpu", "target-features", "tune-cpu"};
        for (size_t i = 0; i < 3; i++)
            LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, attributes[i],
                                             (unsigned)strlen(attributes[i]));
    }
    LLVMSetTarget(shims, LLVMGetTarget(p->module));
    if (LLVMLinkModules2(p->module, shims))
        return error_set(err, ERROR_INTERNAL, "cannot link the shims %s", p->request->shim);
    return true;
}

static bool is_naked(LLVMValueRef f)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("naked", 5);
    return LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind) != NULL;
}

// Resolvers of ifuncs run before the shadow is there.
static bool is_resolver(struct pass *p, LLVMValueRef f)
{
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(p->module); i; i = LLVMGetNextGlobalIFunc(i))
        if (LLVMGetGlobalIFuncResolver(i) == f)
            return true;
    return false;
}

// The unit's functions: listed before the shims join them.
static void list_functions(struct pass *p)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !is_naked(f) && !is_resolver(p, f))
            *VEC_PUSH(&p->functions) = f;
}

// Hooks in unreachable blocks or uninstrumented functions.
static void drop_left_hooks(struct pass *p)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
        bool is_check = undefined_is_check(f), is_mark = uninit_is_mark(f) || scope_is_mark(f);
        if (!control_is_cond(f) && !control_is_switch(f) && !is_check && !is_mark)
            continue;
        for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetFirstUse(f)) {
            LLVMValueRef call = LLVMGetUser(u);
            if (uninit_is_value(call))
                LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
            else if (!is_check && !is_mark)
                LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 1));
            LLVMInstructionEraseFromParent(call);
        }
    }
}

// Label checks leave little to combine, to schedule and to reduce: the quick instruction
// selector takes two thirds of the time, a sixth goes with the other two, and the code is
// as fast. LLVM has these as options of the process only, and takes them once.
static void select_quickly(void)
{
    static bool done;
    static const char *const arguments[] = {"cadenza", "-fast-isel", "-enable-misched=0",
                                            "-disable-lsr"};
    if (!done)
        LLVMParseCommandLineOptions(sizeof arguments / sizeof *arguments, arguments, NULL);
    done = true;
}

static bool emit(LLVMModuleRef module, enum effort effort, const char *object, struct error *err)
{
    LLVMCodeGenOptLevel level =
        effort == EFFORT_LEAST ? LLVMCodeGenLevelNone : LLVMCodeGenLevelLess;
    select_quickly();
    LLVMTargetMachineRef machine = target_machine(module, level, err);
    char *message = NULL;
    if (!machine)
        return false;
    LLVMMemoryBufferRef bytes = NULL;
    bool failed =
        LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &bytes);
    if (failed)
        error_set(err, ERROR_INTERNAL, "%s: %s", object, message);
    LLVMDisposeMessage(message);
    LLVMDisposeTargetMachine(machine);
    return !failed && pass_write(bytes, object, err);
}

static bool emit_all(struct pass *p, enum effort effort, struct error *err)
{
    const char *cold_object = p->request->cold_object;
    LLVMModuleRef cold = cold_object && effort != EFFORT_LEAST ? split_cold(p) : NULL;
    p->result->has_cold = cold != NULL;
    bool good = emit(p->module, effort, p->request->object, err) &&
                (!cold || emit(cold, EFFORT_LEAST, cold_object, err));
    if (cold)
        LLVMDisposeModule(cold);
    return good;
}

// As fast as default<O1> on the kernels of bench/instr, in a sixth of its time. What
// matters is sccp: it finds the labels that are always zero.
#define PASSES_FULL                                                                                \
    "function(sroa,sccp,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,adce,"       \
    "simplifycfg)"
#define PASSES_LIGHT "function(sroa,early-cse,simplifycfg,adce)"

// A recursion that overflows the stack of an -O0 build must not become a loop.
static void keep_recursions(struct pass *p)
{
    LLVMAttributeRef no_tail_calls = LLVMCreateStringAttribute(
        p->context, "disable-tail-calls", strlen("disable-tail-calls"), "true", strlen("true"));
    for (size_t i = 0; i < p->functions.count; i++)
        LLVMAddAttributeAtIndex(p->functions.items[i], LLVMAttributeFunctionIndex, no_tail_calls);
}

static bool optimise_and_emit(struct pass *p, struct error *err)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
        if (effort_is_shim(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMStripModuleDebugInfo(p->module);
    effort_choose(p);
    if (!verify(p->module, "after instrumenting", err) ||
        !module_passes(p->module, "always-inline,globaldce", err))
        return false;
    keep_recursions(p);
    enum effort effort = effort_of_module(p);
    const char *passes = effort == EFFORT_FULL ? PASSES_FULL : PASSES_LIGHT;
    return module_passes(p->module, passes, err) && write_ir(p, "after", err) &&
           emit_all(p, effort, err);
}

// A thread-local variable that has become plain has a plain address.
static void drop_tls_addresses(struct pass *p)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
        if (strncmp(pass_name(f), "llvm.threadlocal.address", 24) != 0)
            continue;
        for (LLVMUseRef u = LLVMGetFirstUse(f), next; u; u = next) {
            next = LLVMGetNextUse(u);
            LLVMValueRef call = LLVMGetUser(u), variable = LLVMGetOperand(call, 0);
            if (LLVMIsThreadLocal(variable))
                continue;
            LLVMReplaceAllUsesWith(call, variable);
            LLVMInstructionEraseFromParent(call);
        }
    }
}

static bool run(struct pass *p, struct error *err)
{
    if (!pass_load(p, p->request->bitcode, err))
        return false;
    scope_mark(p, true);
    uninit_mark(p);
    if (!module_passes(p->module, "function(mem2reg)", err))
        return false;
    uninit_drop_unused(p);
    if (!write_ir(p, "before", err))
        return false;
    list_functions(p);
    if (p->request->program)
        graph_export(p);
    calls_find_indirect(p);
    globals_prepare(p);
    drop_tls_addresses(p);
    if (!link_shims(p, err))
        return false;
    calls_rename(p);
    for (size_t i = 0; i < p->functions.count; i++) {
        p->function = p->functions.items[i];
        checks_prepare(p);
    }
    // Cheap alternatives become selects, as -O1 would have them: once there are label
    // checks in the arms it is too late, and unpredictable branches are slow.
    if (!module_passes(p->module, "function(simplifycfg)", err))
        return false;
    for (size_t i = 0; i < p->functions.count; i++)
        function_instrument(p, p->functions.items[i]);
    drop_left_hooks(p);
    globals_goal_table(p);
    globals_function_table(p);
    return optimise_and_emit(p, err);
}

static void fill_result(struct pass *p)
{
    struct instrument_result *r = p->result;
    r->site_count = p->sites.count;
    r->sites = arena_array(p->arena, struct instrument_site, p->sites.count);
    memcpy(r->sites, p->sites.items, p->sites.count * sizeof *r->sites);
    r->external_count = p->external_names.count;
    r->externals = arena_array(p->arena, const char *, p->external_names.count + 1);
    for (size_t i = 0; i < p->external_names.count; i++)
        r->externals[i] = p->external_names.items[i];
}

bool instrument_module(const struct instrument_request *request, struct arena *arena,
                       struct instrument_result *result, struct error *err)
{
    struct pass p;
    *result = (struct instrument_result){0};
    pass_init(&p, request, arena, result);
    bool ok = run(&p, err);
    if (ok)
        fill_result(&p);
    else
        error_context(err, "instrumenting %s", request->bitcode);
    pass_release(&p);
    return ok;
}
