// SPDX-License-Identifier: Apache-2.0
// Judging calls with the optimiser; see callsites.h. A module is loaded per file, the check
// once more per call (under names of its own), and all is inlined and optimised together.
#include "facts/callsites.h"

#include "base/tunables.h"
#include "facts/facts_internal.h"
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>

struct judge {
    const struct facts *facts;
    const struct callsites_question *questions;
    size_t count;
    bool *taken;    // per question: its address is taken somewhere
    bool *presumed; // per question: it holds where its function begins
    struct arena *arena;
    callsites_list *out;
    LLVMContextRef context;
    LLVMModuleRef module; // of the file at hand
    const char *file;
    size_t copies; // of checks, for their names
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

// A marker may not return, or undefined behaviour behind it would delete it. One that never
// does makes what comes behind it unreachable.
static void rename_marker(struct judge *j, LLVMModuleRef module, const char *name, size_t copy,
                          bool never_returns)
{
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (!f)
        return;
    char *own = arena_printf(j->arena, "%s.%zu", name, copy);
    LLVMSetValueName2(f, own, strlen(own));
    add_attribute(j->context, f, "nounwind", 0);
    add_attribute(j->context, f, "memory", 3u << 2); // inaccessible memory: clobbers nothing
    if (never_returns)
        add_attribute(j->context, f, "noreturn", 0);
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

// A copy of the check in the module at hand; its number goes to *copy.
static LLVMValueRef add_check(struct judge *j, const struct callsites_question *question,
                              bool presumed, size_t *copy)
{
    LLVMModuleRef check;
    if (!load(j->context, question->check, &check))
        return NULL;
    LLVMValueRef f = LLVMGetNamedFunction(check, "cz_check");
    if (!f || !strip_check(check)) {
        LLVMDisposeModule(check);
        return NULL;
    }
    *copy = j->copies++;
    char *name = arena_printf(j->arena, "cz_check.%zu", *copy);
    LLVMSetValueName2(f, name, strlen(name));
    rename_marker(j, check, "cz_respects_", *copy, false);
    rename_marker(j, check, "cz_violates_", *copy, presumed);
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of("noinline"));
    add_attribute(j->context, f, "alwaysinline", 0);
    LLVMStripModuleDebugInfo(check);
    LLVMSetTarget(check, LLVMGetTarget(j->module));
    LLVMSetDataLayout(check, LLVMGetDataLayoutStr(j->module));
    if (LLVMLinkModules2(j->module, check)) // takes it in any case
        return NULL;
    f = LLVMGetNamedFunction(j->module, name);
    if (f)
        LLVMSetLinkage(f, LLVMInternalLinkage);
    return f;
}

// Call the check in front of an instruction, if the arguments have its types.
static bool insert_check(struct judge *j, LLVMValueRef before, LLVMValueRef check,
                         LLVMValueRef *arguments, unsigned count)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(check), types[FACTS_SITE_ARGUMENTS];
    if (count != LLVMCountParamTypes(type) || LLVMIsFunctionVarArg(type))
        return false;
    LLVMGetParamTypes(type, types);
    for (unsigned i = 0; i < count; i++)
        if (LLVMTypeOf(arguments[i]) != types[i])
            return false;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(j->context);
    LLVMPositionBuilderBefore(builder, before);
    LLVMBuildCall2(builder, type, check, arguments, count, "");
    LLVMDisposeBuilder(builder);
    return true;
}

// The function itself, where its condition is presumed.
static void presume(struct judge *j, size_t question)
{
    const struct callsites_question *q = &j->questions[question];
    LLVMValueRef f = LLVMGetNamedFunction(j->module, q->function), arguments[FACTS_SITE_ARGUMENTS];
    size_t copy;
    if (strcmp(q->file, j->file) != 0 || !f || LLVMIsDeclaration(f) ||
        LLVMCountParams(f) > FACTS_SITE_ARGUMENTS)
        return;
    LLVMValueRef check = add_check(j, q, true, &copy);
    if (!check)
        return;
    LLVMGetParams(f, arguments);
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    while (LLVMIsAAllocaInst(at))
        at = LLVMGetNextInstruction(at);
    insert_check(j, at, check, arguments, LLVMCountParams(f));
}

// ---- calls ----

static struct callsites_site *add_site(struct judge *j, size_t question, LLVMValueRef user)
{
    struct callsites_site *site = VEC_PUSH(j->out);
    *site = (struct callsites_site){
        .question = question, .file = j->file, .caller = "", .verdict = CALL_MAY_VIOLATE};
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

// The function in question as this file sees it, or NULL.
static LLVMValueRef function_here(const struct judge *j, const struct callsites_question *q)
{
    LLVMValueRef f = LLVMGetNamedFunction(j->module, q->function);
    bool meant = f && (q->is_static ? !strcmp(q->file, j->file) : !is_local(f));
    return meant ? f : NULL;
}

// A use that is not a call of it: who gets its address? Code of the project calls it
// through a pointer of its type; code that is not here may do anything.
static bool goes_outside(const struct judge *j, LLVMValueRef user)
{
    if (!LLVMIsACallInst(user))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(user);
    if (!LLVMIsAFunction(callee))
        return false;
    const struct symbol *symbol = symbol_find(j->facts, LLVMGetValueName(callee), j->file);
    return !symbol || !symbol->defined;
}

struct found {
    LLVMValueRef call;
    size_t site;
};
typedef VEC(struct found) found_list;

static bool may_call(const struct judge *j, size_t question, LLVMValueRef function,
                     LLVMTypeRef type, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (function && callee == function)
        return true;
    return j->taken[question] && type && !LLVMIsAFunction(callee) && !LLVMIsAInlineAsm(callee) &&
           LLVMGetCalledFunctionType(call) == type;
}

// Its type in this context: that of the check, which has its parameters.
static LLVMTypeRef type_of(struct judge *j, const struct callsites_question *q)
{
    LLVMModuleRef check;
    LLVMTypeRef type = NULL;
    if (!load(j->context, q->check, &check))
        return NULL;
    LLVMValueRef f = LLVMGetNamedFunction(check, "cz_check");
    if (f)
        type = LLVMGlobalGetValueType(f);
    LLVMDisposeModule(check);
    return type;
}

// Calls in the order of the code; LLVM lists uses in another one.
static void find_calls(struct judge *j, size_t question, found_list *calls)
{
    const struct callsites_question *q = &j->questions[question];
    LLVMValueRef callee = function_here(j, q);
    LLVMTypeRef type = j->taken[question] ? type_of(j, q) : NULL;
    bool outside = false;
    for (LLVMUseRef use = callee ? LLVMGetFirstUse(callee) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        outside |=
            !(LLVMIsACallInst(user) && LLVMGetCalledValue(user) == callee) && goes_outside(j, user);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(j->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (!LLVMIsACallInst(i) || !may_call(j, question, callee, type, i))
                    continue;
                struct callsites_site *site = add_site(j, question, i);
                site->line = LLVMGetDebugLocLine(i);
                *VEC_PUSH(calls) = (struct found){i, j->out->count - 1};
            }
    if (outside)
        add_site(j, question, NULL);
}

// Puts checks in front of the calls; copies[i]: which one site `first + i` has, plus one.
static void add_checks(struct judge *j, const found_list *calls, size_t first, size_t *copies)
{
    for (size_t i = 0; i < calls->count && i < FACTS_SITES; i++) {
        size_t site = calls->items[i].site, copy;
        LLVMValueRef call = calls->items[i].call, arguments[FACTS_SITE_ARGUMENTS];
        unsigned count = LLVMGetNumArgOperands(call);
        LLVMValueRef check =
            count > FACTS_SITE_ARGUMENTS
                ? NULL
                : add_check(j, &j->questions[j->out->items[site].question], false, &copy);
        for (unsigned k = 0; check && k < count; k++)
            arguments[k] = LLVMGetOperand(call, k);
        if (check && insert_check(j, call, check, arguments, count))
            copies[site - first] = copy + 1;
    }
}

static bool is_alive(struct judge *j, const char *marker, size_t copy)
{
    LLVMValueRef f =
        LLVMGetNamedFunction(j->module, arena_printf(j->arena, "%s.%zu", marker, copy));
    return f && LLVMGetFirstUse(f);
}

// Pointers to objects are not NULL and stay inside of them, whatever flags the file was
// compiled with. Functions stay what -O0 makes them, noinline: a callee that crashes for
// sure would make everything behind its call unreachable.
static void prepare(LLVMModuleRef module)
{
    static const char *const dropped[] = {"null_pointer_is_valid", "optnone"};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
            LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of(dropped[i]));
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsAGetElementPtrInst(i))
                    LLVMSetIsInBounds(i, 1);
    }
}

static void give_verdicts(struct judge *j, size_t first, const size_t *copies)
{
    for (size_t i = first; i < j->out->count; i++) {
        if (!copies[i - first])
            continue;
        bool violates = is_alive(j, "cz_violates_", copies[i - first] - 1);
        bool respects = is_alive(j, "cz_respects_", copies[i - first] - 1);
        j->out->items[i].verdict = !violates   ? CALL_RESPECTS
                                   : !respects ? CALL_VIOLATES
                                               : CALL_MAY_VIOLATE;
    }
}

static void judge_file(struct judge *j, const char *bitcode)
{
    if (!load(j->context, bitcode, &j->module))
        return;
    size_t first = j->out->count;
    found_list calls = {0};
    prepare(j->module);
    for (size_t i = 0; i < j->count; i++)
        find_calls(j, i, &calls);
    size_t *copies = xcalloc(j->out->count - first + 1, sizeof *copies);
    add_checks(j, &calls, first, copies);
    for (size_t i = 0; calls.count && i < j->count; i++)
        if (j->presumed[i])
            presume(j, i);
    if (calls.count && run_passes(j->module, "always-inline,default<O2>"))
        give_verdicts(j, first, copies);
    free(copies);
    VEC_RELEASE(&calls);
    LLVMDisposeModule(j->module);
}

// ---- which files ----

// Does the file mention one of the functions, or call through pointers one of those whose
// address is taken? Only these are read again.
static bool matters(const struct judge *j, uint32_t file)
{
    const struct facts *facts = j->facts;
    for (size_t b = 0; b < facts->bodies.count; b++) {
        const struct body *body = facts->bodies.items[b];
        for (size_t c = 0; body->file == file && c < body->calls.count; c++) {
            uint32_t callee = body->calls.items[c].callee;
            for (size_t i = 0; i < j->count; i++)
                if (callee == NONE
                        ? j->taken[i]
                        : !strcmp(facts->symbols.items[callee].name, j->questions[i].function))
                    return true;
        }
    }
    for (size_t i = 0; i < j->count; i++) // its address may be an argument there
        if (j->taken[i] && !strcmp(j->questions[i].file, facts->files[file].path))
            return true;
    return false;
}

static void judge_all(struct judge *j)
{
    const struct facts *facts = j->facts;
    j->out->count = 0;
    for (uint32_t i = 0; i < facts->file_count; i++) {
        if (!facts->readable[i] || !matters(j, i))
            continue;
        j->context = LLVMContextCreate();
        j->file = facts->files[i].path;
        judge_file(j, facts->bitcode[i]);
        LLVMContextDispose(j->context);
    }
}

// ---- induction ----

static bool is_respected(const struct judge *j, size_t question)
{
    bool any = false;
    for (size_t i = 0; i < j->out->count; i++)
        if (j->out->items[i].question == question) {
            any = true;
            if (j->out->items[i].verdict != CALL_RESPECTS)
                return false;
        }
    return any;
}

// Is some call in doubt that a caller makes which is itself in question?
static bool may_help(const struct judge *j)
{
    for (size_t i = 0; i < j->out->count; i++) {
        const struct callsites_site *site = &j->out->items[i];
        for (size_t q = 0; site->verdict == CALL_MAY_VIOLATE && q < j->count; q++)
            if (j->questions[q].closed && !strcmp(j->questions[q].function, site->caller) &&
                !strcmp(j->questions[q].file, site->file))
                return true;
    }
    return false;
}

// All conditions are presumed; those that a call does not respect then are not any more,
// until those that are left carry each other.
static void induce(struct judge *j)
{
    for (size_t i = 0; i < j->count; i++)
        j->presumed[i] = j->questions[i].closed;
    for (bool changed = true; changed;) {
        changed = false;
        judge_all(j);
        for (size_t i = 0; i < j->count; i++)
            if (j->presumed[i] && !is_respected(j, i)) {
                j->presumed[i] = false;
                changed = true;
            }
    }
}

void callsites_judge(const struct facts *facts, const struct callsites_question *questions,
                     size_t count, struct arena *arena, callsites_list *out)
{
    struct judge j = {.facts = facts,
                      .questions = questions,
                      .count = count,
                      .arena = arena,
                      .out = out,
                      .taken = arena_array(arena, bool, count + 1),
                      .presumed = arena_array(arena, bool, count + 1)};
    for (size_t i = 0; i < count; i++) {
        const struct symbol *symbol = symbol_find(facts, questions[i].function, questions[i].file);
        j.taken[i] = !symbol || symbol->address_taken;
    }
    judge_all(&j);
    if (may_help(&j))
        induce(&j);
}

uint64_t facts_calls_digest(const struct facts *facts, const char *file)
{
    VEC(struct callsites_question) questions = {0};
    VEC(bool) taken = {0};
    for (size_t i = 0; i < facts->symbols.count; i++) {
        const struct symbol *symbol = &facts->symbols.items[i];
        if (!symbol->bodies.count || strcmp(symbol->exported.file, file) != 0)
            continue;
        *VEC_PUSH(&questions) = (struct callsites_question){.function = symbol->name, .file = file};
        *VEC_PUSH(&taken) = symbol->address_taken;
    }
    struct judge j = {.facts = facts,
                      .questions = questions.items,
                      .count = questions.count,
                      .taken = taken.items};
    uint64_t hash = facts->has_main;
    for (uint32_t i = 0; i < facts->file_count; i++)
        if (facts->readable[i] && matters(&j, i))
            hash = hash_mix(hash ^ file_digest(facts, i));
    VEC_RELEASE(&questions);
    VEC_RELEASE(&taken);
    return hash;
}

bool callsites_is_program(const struct facts *facts)
{
    return facts->has_main;
}
