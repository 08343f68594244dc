// SPDX-License-Identifier: Apache-2.0
// The constants become the only external symbols of their module; what they lead to stays
// as far as it is data, functions are replaced by declarations, and everything that is
// then unused goes.
#include "facts/constants.h"

#include "base/map.h"
#include "base/vec.h"
#include "facts/facts_module.h"
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

struct extraction {
    const struct constants_request *request;
    LLVMContextRef context;
    LLVMModuleRef module;
    struct map seen;           // value -> the last constant that led to it, plus one
    VEC(LLVMValueRef) foreign; // functions and variables that are not to be defined here
};

static const char *name_of(LLVMValueRef value)
{
    size_t length;
    return LLVMGetValueName2(value, &length);
}

static bool is_static(LLVMValueRef value)
{
    LLVMLinkage linkage = LLVMGetLinkage(value);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static const char *symbol_of(const struct extraction *x, LLVMValueRef function)
{
    return x->request->function(x->request->context, name_of(function), is_static(function));
}

static bool is_units(const struct extraction *x, LLVMValueRef variable)
{
    return !LLVMGetInitializer(variable) ||
           (!is_static(variable) && !LLVMIsGlobalConstant(variable) &&
            x->request->variable(x->request->context, name_of(variable)));
}

static void note_foreign(struct extraction *x, LLVMValueRef value)
{
    for (size_t i = 0; i < x->foreign.count; i++)
        if (x->foreign.items[i] == value)
            return;
    *VEC_PUSH(&x->foreign) = value;
}

// Everything that constant number `root` leads to. False: it needs what nobody has.
static bool reach(struct extraction *x, LLVMValueRef value, size_t root, bool *lacks)
{
    uint64_t last = 0;
    if (map_get(&x->seen, (uintptr_t)value, &last) && last == root + 1)
        return true;
    map_put(&x->seen, (uintptr_t)value, root + 1);
    if (LLVMIsAFunction(value)) {
        *lacks |= symbol_of(x, value) == NULL;
        note_foreign(x, value);
        return true;
    }
    if (LLVMIsAGlobalVariable(value)) {
        *lacks |= !LLVMIsGlobalConstant(value);
        if (!is_units(x, value))
            return !LLVMIsThreadLocal(value) && reach(x, LLVMGetInitializer(value), root, lacks);
        note_foreign(x, value);
        return x->request->variable(x->request->context, name_of(value));
    }
    if (LLVMIsAGlobalValue(value) || LLVMIsABlockAddress(value))
        return false; // an alias
    bool good = true;
    for (int i = 0; good && i < LLVMGetNumOperands(value); i++)
        good = reach(x, LLVMGetOperand(value, (unsigned)i), root, lacks);
    return good;
}

static bool decide(struct extraction *x, size_t number, bool *lacks)
{
    LLVMValueRef constant = LLVMGetNamedGlobal(x->module, x->request->names[number]);
    *lacks = false;
    return constant && LLVMIsGlobalConstant(constant) && !is_static(constant) &&
           LLVMGetInitializer(constant) && !LLVMIsThreadLocal(constant) &&
           reach(x, LLVMGetInitializer(constant), number, lacks);
}

// ---- the module that is left ----

static void make_foreign(struct extraction *x, LLVMValueRef value)
{
    static const char gone[] = "cz.gone";
    LLVMTypeRef type = LLVMGlobalGetValueType(value);
    bool is_function = LLVMIsAFunction(value) != NULL;
    const char *symbol = is_function ? symbol_of(x, value) : name_of(value);
    LLVMValueRef other = LLVMConstNull(LLVMTypeOf(value));
    if (LLVMIsDeclaration(value) && symbol && strcmp(symbol, name_of(value)) == 0)
        return;
    if (symbol) {
        char *copy = strdup(symbol); // it may be the value's own name
        LLVMSetValueName2(value, gone, sizeof gone - 1);
        other = is_function ? LLVMAddFunction(x->module, copy, type)
                            : LLVMAddGlobal(x->module, type, copy);
        free(copy);
    }
    LLVMReplaceAllUsesWith(value, other);
}

static void hide(LLVMValueRef value)
{
    LLVMSetVisibility(value, LLVMDefaultVisibility);
    LLVMSetDLLStorageClass(value, LLVMDefaultStorageClass);
    LLVMSetLinkage(value, LLVMInternalLinkage);
}

static bool is_taken(const struct extraction *x, LLVMValueRef variable, const bool *taken)
{
    for (size_t i = 0; i < x->request->count; i++)
        if (taken[i] && strcmp(x->request->names[i], name_of(variable)) == 0)
            return true;
    return false;
}

static void keep_only(struct extraction *x, const bool *taken)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(x->module), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (strncmp(name_of(g), "llvm.", 5) == 0)
            LLVMDeleteGlobal(g); // lists of what must not be removed
    }
    for (size_t i = 0; i < x->foreign.count; i++)
        make_foreign(x, x->foreign.items[i]);
    for (LLVMValueRef g = LLVMGetFirstGlobal(x->module); g; g = LLVMGetNextGlobal(g))
        if (LLVMGetInitializer(g) && !is_taken(x, g, taken))
            hide(g);
    for (LLVMValueRef f = LLVMGetFirstFunction(x->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            hide(f);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failed = LLVMRunPasses(x->module, "globaldce", NULL, options);
    if (failed)
        LLVMConsumeError(failed); // larger than it need be
    LLVMDisposePassBuilderOptions(options);
}

static bool read_module(struct extraction *x, struct error *err)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    x->context = LLVMContextCreate();
    if (!LLVMCreateMemoryBufferWithContentsOfFile(x->request->bitcode, &buffer, &message) &&
        !LLVMParseIRInContext(x->context, buffer, &x->module, &message))
        return true;
    error_set(err, ERROR_INTERNAL, "reading %s: %s", x->request->bitcode,
              message ? message : "damaged");
    LLVMDisposeMessage(message);
    x->module = NULL;
    return false;
}

bool constants_extract(const struct constants_request *request, bool *taken, bool *lacks,
                       struct error *err)
{
    struct extraction x = {.request = request};
    map_init(&x.seen);
    bool good = read_module(&x, err), any = false;
    for (size_t i = 0; i < request->count; i++) {
        taken[i] = good && decide(&x, i, &lacks[i]);
        any |= taken[i];
    }
    if (any) {
        keep_only(&x, taken);
        good = module_write(x.module, request->out, err);
    }
    if (x.module)
        LLVMDisposeModule(x.module);
    if (x.context)
        LLVMContextDispose(x.context);
    VEC_RELEASE(&x.foreign);
    map_release(&x.seen);
    return good;
}
