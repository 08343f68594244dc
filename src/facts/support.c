// SPDX-License-Identifier: Apache-2.0
// A function qualifies when everything that it calls, here, does: the C library's memory
// functions and functions of its file that qualify, also through a variable that holds
// such a function from the start (allocation hooks); when it touches no other variables;
// when it is small; and when memory is allocated or freed at all, unless the caller wants it
// anyway. What it does on its way to a call that never returns (a message that memory is
// exhausted) does not count: there the run ends, as it does in the stub of a function that
// never returns.
#include "facts/support.h"

#include "base/map.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "facts/facts_module.h"
#include "program/libc.h"
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

enum state { NEW, OPEN, GOOD, BAD };

struct finding {
    enum state state;
    unsigned instructions;
    bool allocates;
};

struct support {
    const struct support_request *request;
    LLVMContextRef context;
    LLVMModuleRef module;
    struct map index; // function -> number in findings, plus one
    VEC(struct finding) findings;
    VEC(LLVMBasicBlockRef) endings; // blocks in which the run ends
};

static const char *name_of(LLVMValueRef value)
{
    size_t length;
    return LLVMGetValueName2(value, &length);
}

static struct finding *finding_of(struct support *s, LLVMValueRef function, size_t *number)
{
    uint64_t known;
    if (!map_get(&s->index, (uintptr_t)function, &known)) {
        VEC_PUSH(&s->findings);
        known = s->findings.count;
        map_put(&s->index, (uintptr_t)function, known);
    }
    *number = (size_t)known - 1;
    return &s->findings.items[known - 1];
}

static bool check_function(struct support *s, LLVMValueRef function, size_t caller);

// The function that a variable holds from the start, or NULL.
static LLVMValueRef hook_of(LLVMValueRef called)
{
    LLVMValueRef variable = LLVMIsALoadInst(called) ? LLVMGetOperand(called, 0) : NULL;
    LLVMValueRef value =
        variable && LLVMIsAGlobalVariable(variable) ? LLVMGetInitializer(variable) : NULL;
    return value && LLVMIsAFunction(value) ? value : NULL;
}

static bool check_constant(LLVMValueRef value)
{
    if (LLVMIsAFunction(value))
        return false; // its address is taken
    if (LLVMIsAGlobalVariable(value)) {
        if (LLVMIsThreadLocal(value) || !LLVMGetInitializer(value))
            return false;
        if (!LLVMIsGlobalConstant(value)) // a hook is fine, any other state is not
            return LLVMIsAFunction(LLVMGetInitializer(value)) != NULL;
        LLVMValueRef content = LLVMGetInitializer(value);
        return LLVMIsAConstantDataSequential(content) || LLVMIsNull(content) ||
               LLVMIsAConstantInt(content);
    }
    if (LLVMIsAConstantExpr(value))
        for (int i = 0; i < LLVMGetNumOperands(value); i++)
            if (!check_constant(LLVMGetOperand(value, (unsigned)i)))
                return false;
    return true;
}

static bool check_instruction(struct support *s, LLVMValueRef instruction, size_t caller)
{
    int operands = LLVMGetNumOperands(instruction);
    bool is_call = LLVMIsACallInst(instruction) != NULL;
    if (is_call) {
        LLVMValueRef called = LLVMGetCalledValue(instruction);
        if (LLVMIsAInlineAsm(called))
            return false;
        LLVMValueRef function = LLVMIsAFunction(called) ? called : hook_of(called);
        if (!function || !check_function(s, function, caller))
            return false;
        operands--; // the last operand is what is called
    }
    if (LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction))
        return false;
    for (int i = 0; i < operands; i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        if (LLVMIsConstant(operand) && !check_constant(operand))
            return false;
    }
    return true;
}

static bool check_block(struct support *s, LLVMBasicBlockRef block, size_t number)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        s->findings.items[number].instructions++;
        if (!check_instruction(s, i, number))
            return false;
    }
    return true;
}

// Whether the block ends with a call of a function that is declared never to return.
static bool never_returns(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef call = end && LLVMIsAUnreachableInst(end) ? LLVMGetPreviousInstruction(end) : NULL;
    LLVMValueRef called = call && LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    unsigned kind = LLVMGetEnumAttributeKindForName("noreturn", strlen("noreturn"));
    return called && LLVMIsAFunction(called) &&
           LLVMGetEnumAttributeAtIndex(called, LLVMAttributeFunctionIndex, kind);
}

static bool check_body(struct support *s, LLVMValueRef function, size_t number)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        if (check_block(s, block, number))
            continue;
        if (!never_returns(block))
            return false;
        *VEC_PUSH(&s->endings) = block;
    }
    return s->findings.items[number].instructions <= FACTS_SUPPORT_INSTRUCTIONS;
}

// Adds what the function costs and does to its caller's finding.
static bool check_function(struct support *s, LLVMValueRef function, size_t caller)
{
    if (LLVMIsDeclaration(function)) {
        const char *name = name_of(function);
        if (s->request->is_own(s->request->context, name))
            return false;
        const struct libc_function *known = libc_find(name);
        s->findings.items[caller].allocates |= known->support && (known->allocates || known->frees);
        return known->support || LLVMGetIntrinsicID(function) != 0;
    }
    size_t number;
    enum state state = finding_of(s, function, &number)->state;
    if (state == NEW) {
        s->findings.items[number].state = OPEN;
        state = check_body(s, function, number) ? GOOD : BAD;
        s->findings.items[number].state = state;
    }
    if (state != GOOD) // OPEN: it calls itself
        return false;
    s->findings.items[caller].allocates |= s->findings.items[number].allocates;
    s->findings.items[caller].instructions += s->findings.items[number].instructions;
    return true;
}

// ---- The module that is left ----

static void end_the_run_in(LLVMModuleRef module, LLVMBasicBlockRef block)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    LLVMValueRef end = LLVMGetNamedFunction(module, "cz_exit");
    if (!end)
        end = LLVMAddFunction(module, "cz_exit", type);
    for (LLVMValueRef i; (i = LLVMGetLastInstruction(block));) {
        LLVMTypeRef kind = LLVMTypeOf(i);
        if (LLVMGetTypeKind(kind) != LLVMVoidTypeKind)
            LLVMReplaceAllUsesWith(i, LLVMGetUndef(kind));
        LLVMInstructionEraseFromParent(i);
    }
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, block);
    LLVMBuildCall2(builder, type, end, NULL, 0, "");
    LLVMBuildUnreachable(builder);
    LLVMDisposeBuilder(builder);
}

static void make_internal(LLVMValueRef value)
{
    LLVMSetVisibility(value, LLVMDefaultVisibility);
    LLVMSetDLLStorageClass(value, LLVMDefaultStorageClass);
    LLVMSetLinkage(value, LLVMInternalLinkage);
}

static void keep_functions(struct support *s, const bool *taken)
{
    const struct support_request *request = s->request;
    for (LLVMValueRef f = LLVMGetFirstFunction(s->module); f; f = LLVMGetNextFunction(f)) {
        const char *symbol = NULL;
        for (size_t i = 0; i < request->count && !symbol; i++)
            if (taken[i] && strcmp(request->names[i], name_of(f)) == 0)
                symbol = request->symbols[i];
        if (symbol)
            LLVMSetValueName2(f, symbol, strlen(symbol));
        else if (!LLVMIsDeclaration(f))
            make_internal(f);
    }
}

static void keep_only(struct support *s, const bool *taken)
{
    keep_functions(s, taken);
    for (LLVMValueRef g = LLVMGetFirstGlobal(s->module), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (strncmp(name_of(g), "llvm.", 5) == 0)
            LLVMDeleteGlobal(g); // lists of what must not be removed
        else if (LLVMGetInitializer(g))
            make_internal(g);
    }
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failed = LLVMRunPasses(s->module, "globaldce", NULL, options);
    if (failed)
        LLVMConsumeError(failed); // larger than it need be
    LLVMDisposePassBuilderOptions(options);
}

static bool read_module(struct support *s, const char *path, struct error *err)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    s->context = LLVMContextCreate();
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
        LLVMParseIRInContext(s->context, buffer, &s->module, &message)) {
        error_set(err, ERROR_INTERNAL, "reading %s: %s", path, message ? message : "damaged");
        LLVMDisposeMessage(message);
        s->module = NULL;
        return false;
    }
    return true;
}

static bool decide(struct support *s, const char *name, bool plain)
{
    LLVMValueRef function = LLVMGetNamedFunction(s->module, name);
    size_t number;
    if (!function || LLVMIsDeclaration(function))
        return false;
    finding_of(s, function, &number);
    enum state state = s->findings.items[number].state;
    if (state == NEW) {
        s->findings.items[number].state = OPEN;
        state = s->findings.items[number].state = check_body(s, function, number) ? GOOD : BAD;
    }
    return state == GOOD && (plain || s->findings.items[number].allocates);
}

bool support_extract(const struct support_request *request, bool *taken, struct error *err)
{
    struct support s = {.request = request};
    map_init(&s.index);
    bool good = read_module(&s, request->bitcode, err), any = false;
    for (size_t i = 0; i < request->count; i++) {
        taken[i] = good && decide(&s, request->names[i], request->plain[i]);
        any |= taken[i];
    }
    if (any) {
        for (size_t i = 0; i < s.endings.count; i++)
            end_the_run_in(s.module, s.endings.items[i]);
        keep_only(&s, taken);
        good = module_write(s.module, request->out, err);
    }
    if (s.module)
        LLVMDisposeModule(s.module);
    if (s.context)
        LLVMContextDispose(s.context);
    VEC_RELEASE(&s.findings);
    VEC_RELEASE(&s.endings);
    map_release(&s.index);
    return good;
}
