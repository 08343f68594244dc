// SPDX-License-Identifier: Apache-2.0
// Functions that are not worth much work (effort.c) move to a module of their own, for which
// instructions are chosen without optimisation. LLVM decides that per module: beside one
// function that is optimised, the others would pay for its register allocation, which takes
// four times as long. The first module keeps the variables; the second one declares them.
#include "instrument/pass.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <string.h>

static bool is_llvms(LLVMValueRef v)
{
    return strncmp(pass_name(v), "llvm.", 5) == 0;
}

static bool is_cold(LLVMValueRef f)
{
    unsigned optnone = LLVMGetEnumAttributeKindForName("optnone", strlen("optnone"));
    return !LLVMIsDeclaration(f) &&
           LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, optnone);
}

// Addresses of labels, of which a computed goto has tables, exist only beside their function.
static bool has_cold_labels(LLVMValueRef constant)
{
    if (LLVMIsABlockAddress(constant))
        return is_cold(LLVMGetOperand(constant, 0));
    if (!LLVMIsAConstantArray(constant) && !LLVMIsAConstantStruct(constant) &&
        !LLVMIsAConstantExpr(constant))
        return false;
    for (int i = 0, count = LLVMGetNumOperands(constant); i < count; i++)
        if (has_cold_labels(LLVMGetOperand(constant, (unsigned)i)))
            return true;
    return false;
}

static bool is_cold_table(LLVMValueRef g)
{
    return !LLVMIsDeclaration(g) && has_cold_labels(LLVMGetInitializer(g));
}

// Static names must be seen from the other module, and by nobody else.
static void publish(struct pass *p, LLVMValueRef v, size_t number)
{
    LLVMLinkage linkage = LLVMGetLinkage(v);
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        return;
    const char *name = arena_printf(&p->scratch, "%s.unit%zu", pass_name(v), number);
    LLVMSetValueName2(v, name, strlen(name));
    LLVMSetLinkage(v, LLVMExternalLinkage);
    LLVMSetVisibility(v, LLVMHiddenVisibility);
}

static void publish_all(struct pass *p)
{
    size_t number = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
        publish(p, f, number++);
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g))
        publish(p, g, number++);
}

static void declare_function(LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetFirstUse(i))
                LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetLastInstruction(b); i; i = LLVMGetLastInstruction(b))
            LLVMInstructionEraseFromParent(i);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetFirstBasicBlock(f))
        LLVMDeleteBasicBlock(b);
    LLVMSetLinkage(f, LLVMExternalLinkage);
}

static void declare_variable(LLVMValueRef g)
{
    LLVMSetInitializer(g, NULL);
    LLVMSetLinkage(g, LLVMExternalLinkage);
}

static void declare_variables(LLVMModuleRef module, bool cold)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (cold && is_llvms(g))
            LLVMDeleteGlobal(g);
        else if (!LLVMIsDeclaration(g) && is_cold_table(g) != cold)
            declare_variable(g);
    }
}

static size_t count_cold(LLVMModuleRef module)
{
    size_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        count += is_cold(f);
    return count;
}

// LLVMCloneModule() lets the tables of the copy refer to blocks of the original.
static LLVMModuleRef clone(struct pass *p)
{
    bool has_tables = false;
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g))
        has_tables |= is_cold_table(g);
    if (!has_tables)
        return LLVMCloneModule(p->module);
    LLVMMemoryBufferRef text = LLVMWriteBitcodeToMemoryBuffer(p->module);
    LLVMModuleRef copy = NULL;
    bool failed = LLVMParseBitcodeInContext2(p->context, text, &copy);
    LLVMDisposeMemoryBuffer(text);
    return failed ? NULL : copy;
}

LLVMModuleRef split_cold(struct pass *p)
{
    if (!count_cold(p->module) || LLVMGetFirstGlobalAlias(p->module) ||
        LLVMGetFirstGlobalIFunc(p->module))
        return NULL; // an alias cannot be declared
    publish_all(p);
    LLVMModuleRef cold = clone(p);
    if (!cold)
        return NULL;
    LLVMSetModuleInlineAsm2(cold, "", 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(cold); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !is_cold(f))
            declare_function(f);
    declare_variables(cold, true);
    declare_variables(p->module, false);
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
        if (is_cold(f))
            declare_function(f);
    return cold;
}
