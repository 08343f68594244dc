// SPDX-License-Identifier: Apache-2.0
// Judging calls with the optimiser; see callsites.h. A module is loaded per file, the check
// once more per call (under names of its own), and all is inlined and optimised together.
#include "facts/callsites.h"

#include "facts/facts_internal.h"
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SITES = 400 }; // calls per file that are judged; the others may violate

struct judge {
    const struct facts *facts;
    const struct callsites_question *questions;
    size_t count;
    struct arena *arena;
    callsites_list *out;
    LLVMContextRef context;
    LLVMModuleRef module; // of the file at hand
    const char *file;
    size_t first; // site of this file
};

static bool load(LLVMContextRef context, const char *path, LLVMModuleRef *out)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
        LLVMParseIRInContext(context, buffer, out, &message)) {
        LLVMDisposeMessage(message);
        return false;
    }
    return true;
}

static bool run_passes(LLVMModuleRef module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure = LLVMRunPasses(module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (failure)
        LLVMConsumeError(failure);
    return !failure;
}

static unsigned kind_of(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void add_attribute(LLVMContextRef context, LLVMValueRef f, const char *name, uint64_t value)
{
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, kind_of(name), value));
}

// ---- the check ----

// A marker may not return, or undefined behaviour behind it would delete it.
static void rename_marker(struct judge *j, LLVMModuleRef module, const char *name, size_t site)
{
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (!f)
        return;
    char *own = arena_printf(j->arena, "%s.%zu", name, site);
    LLVMSetValueName2(f, own, strlen(own));
    add_attribute(j->context, f, "nounwind", 0);
    add_attribute(j->context, f, "memory", 3u << 2); // inaccessible memory: clobbers nothing
}

// What the function's file has beside the check is not the caller's business: its functions
// go, its variables are somewhere else.
static bool strip_check(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && strcmp(LLVMGetValueName(f), "cz_check") != 0)
            LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMValueRef used = LLVMGetNamedGlobal(module, "llvm.used");
    if (used)
        LLVMDeleteGlobal(used);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g))
            LLVMSetLinkage(g, LLVMInternalLinkage);
    if (!run_passes(module, "function(mem2reg,simplifycfg),globaldce"))
        return false;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g)) {
            LLVMSetInitializer(g, NULL);
            LLVMSetLinkage(g, LLVMExternalLinkage);
        }
    return true;
}

static LLVMValueRef add_check(struct judge *j, const struct callsites_question *question,
                              size_t site)
{
    LLVMModuleRef check;
    if (!load(j->context, question->check, &check))
        return NULL;
    LLVMValueRef f = LLVMGetNamedFunction(check, "cz_check");
    bool good = f && strip_check(check);
    char *name = arena_printf(j->arena, "cz_check.%zu", site);
    if (good) {
        LLVMSetValueName2(f, name, strlen(name));
        rename_marker(j, check, "cz_respects_", site);
        rename_marker(j, check, "cz_violates_", site);
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of("noinline"));
        add_attribute(j->context, f, "alwaysinline", 0);
        LLVMStripModuleDebugInfo(check);
        LLVMSetTarget(check, LLVMGetTarget(j->module));
        LLVMSetDataLayout(check, LLVMGetDataLayoutStr(j->module));
    }
    if (!good) {
        LLVMDisposeModule(check);
        return NULL;
    }
    if (LLVMLinkModules2(j->module, check)) // takes it in any case
        return NULL;
    f = LLVMGetNamedFunction(j->module, name);
    if (f)
        LLVMSetLinkage(f, LLVMInternalLinkage);
    return f;
}

// The same arguments as the call's, if it has as many as the function.
static void insert_check(LLVMContextRef context, LLVMValueRef call, LLVMValueRef check)
{
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMTypeRef type = LLVMGlobalGetValueType(check);
    LLVMValueRef arguments[64];
    if (count != LLVMCountParamTypes(type) || count > 64 || LLVMIsFunctionVarArg(type))
        return;
    LLVMTypeRef types[64];
    LLVMGetParamTypes(type, types);
    for (unsigned i = 0; i < count; i++) {
        arguments[i] = LLVMGetOperand(call, i);
        if (LLVMTypeOf(arguments[i]) != types[i])
            return;
    }
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderBefore(builder, call);
    LLVMBuildCall2(builder, type, check, arguments, count, "");
    LLVMDisposeBuilder(builder);
}

// ---- calls ----

static struct callsites_site *add_site(struct judge *j, size_t question, LLVMValueRef user)
{
    struct callsites_site *site = VEC_PUSH(j->out);
    *site = (struct callsites_site){.question = question, .file = j->file, .caller = "",
                                    .verdict = CALL_MAY_VIOLATE};
    if (user && LLVMIsAInstruction(user)) {
        LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        site->caller = arena_strdup(j->arena, LLVMGetValueName(f));
    }
    return site;
}

static bool is_local(LLVMValueRef f)
{
    LLVMLinkage linkage = LLVMGetLinkage(f);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

struct found {
    LLVMValueRef call;
    size_t site;
};
typedef VEC(struct found) found_list;

// Calls in the order of the code; LLVM lists uses in another one.
static void find_calls(struct judge *j, size_t question, LLVMValueRef callee, found_list *calls)
{
    bool taken = false;
    for (LLVMUseRef use = LLVMGetFirstUse(callee); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        taken |= !LLVMIsACallInst(user) || LLVMGetCalledValue(user) != callee;
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(j->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (!LLVMIsACallInst(i) || LLVMGetCalledValue(i) != callee)
                    continue;
                struct callsites_site *site = add_site(j, question, i);
                site->line = LLVMGetDebugLocLine(i);
                *VEC_PUSH(calls) = (struct found){i, j->out->count - 1};
            }
    if (taken)
        add_site(j, question, NULL);
}

static bool is_meant(const struct judge *j, const struct callsites_question *q, LLVMValueRef f)
{
    return q->is_static ? !strcmp(q->file, j->file) : !is_local(f);
}

static void add_checks(struct judge *j)
{
    found_list calls = {0};
    for (size_t i = 0; i < j->count; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(j->module, j->questions[i].function);
        if (f && is_meant(j, &j->questions[i], f))
            find_calls(j, i, f, &calls);
    }
    for (size_t i = 0; i < calls.count && i < MAX_SITES; i++) {
        size_t site = calls.items[i].site;
        LLVMValueRef check = add_check(j, &j->questions[j->out->items[site].question], site);
        if (check)
            insert_check(j->context, calls.items[i].call, check);
    }
    VEC_RELEASE(&calls);
}

static bool is_alive(struct judge *j, const char *marker, size_t site)
{
    LLVMValueRef f =
        LLVMGetNamedFunction(j->module, arena_printf(j->arena, "%s.%zu", marker, site));
    return f && LLVMGetFirstUse(f);
}

// Pointers to objects are not NULL, whatever flags the file was compiled with. Functions
// stay what -O0 makes them, noinline: a callee that crashes for sure would make everything
// behind its call unreachable.
static void prepare(LLVMModuleRef module)
{
    static const char *const dropped[] = {"null_pointer_is_valid", "optnone"};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
            LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of(dropped[i]));
}

static void judge_file(struct judge *j, const char *bitcode)
{
    if (!load(j->context, bitcode, &j->module))
        return;
    j->first = j->out->count;
    prepare(j->module);
    add_checks(j);
    bool any = false;
    bool *checked = xcalloc(j->out->count + 1, sizeof *checked);
    for (size_t i = j->first; i < j->out->count; i++) {
        checked[i] = is_alive(j, "cz_check", i);
        any |= checked[i];
    }
    if (any && run_passes(j->module, "always-inline,default<O2>"))
        for (size_t i = j->first; i < j->out->count; i++) {
            if (!checked[i])
                continue;
            bool violates = is_alive(j, "cz_violates_", i), respects = is_alive(j, "cz_respects_", i);
            j->out->items[i].verdict = !violates   ? CALL_RESPECTS
                                       : !respects ? CALL_VIOLATES
                                                   : CALL_MAY_VIOLATE;
        }
    free(checked);
    LLVMDisposeModule(j->module);
}

void callsites_judge(const struct facts *facts, const struct callsites_question *questions,
                     size_t count, struct arena *arena, callsites_list *out)
{
    struct judge j = {.facts = facts, .questions = questions, .count = count, .arena = arena,
                      .out = out};
    for (size_t i = 0; i < facts->file_count; i++) {
        if (!facts->readable[i])
            continue;
        j.context = LLVMContextCreate();
        j.file = facts->files[i].path;
        judge_file(&j, facts->bitcode[i]);
        LLVMContextDispose(j.context);
    }
}

bool callsites_is_program(const struct facts *facts)
{
    return facts->has_main;
}
