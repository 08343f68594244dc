// SPDX-License-Identifier: Apache-2.0
// Locals without an initialiser. clang zeroes them where they are declared, in every turn of
// a loop (-ftrivial-auto-var-init), and annotates these writes; the value stays zero in the
// engine, but it gets the label of an uninitialised one (runtime/uninit.c). What clang does
// not zero is marked on entry: the slot of the result, which keeps the mark when the function
// falls off its end, temporaries, and variables whose declaration a jump passes by.
//
// This comes before mem2reg, as calls that the optimiser cannot look through: cz.uninit.T()
// is an uninitialised value of type T, cz.uninit(p, n) says it of memory. An undefined value
// would not do, since mem2reg may take any other in its place. The driver's locals are not
// marked: what it leaves out is part of its assumptions.
#include "instrument/pass.h"

#include "base/tunables.h"
#include "program/merge.h"
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#define MARK "cz.uninit"

bool uninit_is_mark(LLVMValueRef callee)
{
    return LLVMIsAFunction(callee) && strncmp(pass_name(callee), MARK, strlen(MARK)) == 0;
}

bool uninit_is_value(LLVMValueRef call)
{
    return LLVMIsACallInst(call) && uninit_is_mark(LLVMGetCalledValue(call)) &&
           LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
}

// The driver stands behind the last line of a text of the unit.
bool uninit_is_driver(struct pass *p, LLVMValueRef function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    LLVMMetadataRef file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
    unsigned length = 0;
    const char *path = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    if (!path || !p->request->program)
        return false;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    uint32_t line = LLVMDISubprogramGetLine(subprogram);
    return strncmp(name, "engine", 6) == 0 &&
           !program_line(p->request->program, program_text_number(path), line);
}

// ---- marks ----

static LLVMValueRef value_of(struct pass *p, LLVMTypeRef type)
{
    char *text = LLVMPrintTypeToString(type), name[128];
    snprintf(name, sizeof name, MARK ".%.100s", text);
    LLVMDisposeMessage(text);
    LLVMTypeRef signature = LLVMFunctionType(type, NULL, 0, 0);
    LLVMValueRef f = LLVMGetNamedFunction(p->module, name);
    if (!f) {
        static const char *const harmless[] = {"memory", "nounwind", "willreturn"};
        f = LLVMAddFunction(p->module, name, signature);
        for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
            unsigned kind = LLVMGetEnumAttributeKindForName(harmless[i], strlen(harmless[i]));
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                    LLVMCreateEnumAttribute(p->context, kind, 0));
        }
    }
    return LLVMBuildCall2(p->builder, signature, f, NULL, 0, "");
}

static void mark_memory(struct pass *p, LLVMValueRef address, LLVMValueRef size)
{
    LLVMTypeRef types[] = {p->ptr, p->i64};
    LLVMTypeRef signature = LLVMFunctionType(p->nothing, types, 2, 0);
    LLVMValueRef f = LLVMGetNamedFunction(p->module, MARK), args[] = {address, size};
    if (!f)
        f = LLVMAddFunction(p->module, MARK, signature);
    LLVMBuildCall2(p->builder, signature, f, args, 2, "");
}

// Will mem2reg make a value of it? Only whole loads and stores.
static bool is_promotable(LLVMValueRef local)
{
    LLVMTypeRef type = LLVMGetAllocatedType(local);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind)
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool load = LLVMIsALoadInst(user) && LLVMTypeOf(user) == type;
        bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != local &&
                     LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
        if ((!load && !store) || LLVMGetVolatile(user))
            return false;
    }
    return true;
}

static bool has_labels(struct pass *p, LLVMTypeRef type)
{
    struct part parts[CZRT_MAX_PARTS];
    return pass_parts(p, type, parts) > 0;
}

// ---- what clang zeroes ----

// A write of -ftrivial-auto-var-init: what it writes to, and how much.
static bool is_auto_init(struct pass *p, LLVMValueRef i, LLVMValueRef *address, LLVMValueRef *size)
{
    unsigned annotation = LLVMGetMDKindIDInContext(p->context, "annotation", 10);
    if (!LLVMGetMetadata(i, annotation))
        return false;
    if (LLVMIsAStoreInst(i)) {
        *address = LLVMGetOperand(i, 1);
        *size = pass_number64(p, LLVMStoreSizeOfType(p->layout, LLVMTypeOf(LLVMGetOperand(i, 0))));
        return true;
    }
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!callee || !LLVMIsAFunction(callee) || strncmp(pass_name(callee), "llvm.mem", 8) != 0)
        return false;
    *address = LLVMGetOperand(i, 0);
    *size = LLVMGetOperand(i, 2);
    return true;
}

static void mark_auto_init(struct pass *p, LLVMValueRef i, LLVMValueRef address, LLVMValueRef size)
{
    bool store = LLVMIsAStoreInst(i) && LLVMIsAAllocaInst(address);
    if (store && is_promotable(address)) {
        pass_before(p, i);
        LLVMSetOperand(i, 0, value_of(p, LLVMGetAllocatedType(address)));
        return;
    }
    pass_after(p, i);
    mark_memory(p, address, pass_bits(p, size));
}

// ---- what it does not ----

static bool uses(LLVMValueRef i, LLVMValueRef value)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (LLVMGetOperand(i, (unsigned)k) == value)
            return true;
    return false;
}

// Does the first instruction of the entry block that mentions it write all of it?
static bool is_written_first(struct pass *p, LLVMValueRef local, uint64_t size)
{
    LLVMValueRef i = LLVMGetNextInstruction(local);
    while (i && (!uses(i, local) || (LLVMIsACallInst(i) && scope_is_mark(LLVMGetCalledValue(i)))))
        i = LLVMGetNextInstruction(i);
    return i && LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == local &&
           LLVMStoreSizeOfType(p->layout, LLVMTypeOf(LLVMGetOperand(i, 0))) == size;
}

static void mark_on_entry(struct pass *p, LLVMValueRef address, uint64_t size)
{
    LLVMBuildMemSet(p->builder, address, LLVMConstInt(p->i8, 0, 0), pass_number64(p, size), 1);
    mark_memory(p, address, pass_number64(p, size));
}

static void mark_local(struct pass *p, LLVMValueRef local)
{
    LLVMTypeRef type = LLVMGetAllocatedType(local);
    uint64_t size =
        LLVMABISizeOfType(p->layout, type) * LLVMConstIntGetZExtValue(LLVMGetOperand(local, 0));
    if (size == 0 || !LLVMGetFirstUse(local) || is_written_first(p, local, size))
        return;
    if (is_promotable(local))
        LLVMBuildStore(p->builder, value_of(p, type), local);
    else
        mark_on_entry(p, local, size);
}

// The caller's memory for the result.
static void mark_result(struct pass *p, LLVMValueRef f, struct map *marked)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("sret", strlen("sret"));
    for (unsigned i = 0; i < LLVMCountParams(f) && i < 2; i++) {
        LLVMAttributeRef sret = LLVMGetEnumAttributeAtIndex(f, i + 1, kind);
        LLVMValueRef result = LLVMGetParam(f, i);
        if (sret && !map_get(marked, (uintptr_t)result, NULL))
            mark_on_entry(p, result, LLVMABISizeOfType(p->layout, LLVMGetTypeAttributeValue(sret)));
    }
}

static void mark_entry(struct pass *p, LLVMValueRef f, struct map *marked)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)), next;
    LLVMValueRef body = first;
    while (LLVMIsAAllocaInst(body))
        body = LLVMGetNextInstruction(body);
    pass_before(p, body);
    for (LLVMValueRef i = first; i != body; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!map_get(marked, (uintptr_t)i, NULL) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
            mark_local(p, i);
    }
    mark_result(p, f, marked);
}

static void mark_function(struct pass *p, LLVMValueRef f)
{
    struct map marked;
    map_init(&marked);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next, address, size; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!is_auto_init(p, i, &address, &size))
                continue;
            map_put(&marked, (uintptr_t)memory_root(address), 1);
            mark_auto_init(p, i, address, size);
        }
    mark_entry(p, f, &marked);
    map_release(&marked);
}

void uninit_mark(struct pass *p)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f && p->request->program;
         f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !uninit_is_driver(p, f))
            mark_function(p, f);
}

void uninit_drop_unused(struct pass *p)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
        for (LLVMUseRef u = uninit_is_mark(f) ? LLVMGetFirstUse(f) : NULL, next; u; u = next) {
            LLVMValueRef call = LLVMGetUser(u);
            next = LLVMGetNextUse(u);
            if (uninit_is_value(call) && !LLVMGetFirstUse(call))
                LLVMInstructionEraseFromParent(call);
        }
}

// ---- instrumenting ----

bool uninit_covers(LLVMValueRef i)
{
    LLVMValueRef next = LLVMGetNextInstruction(i);
    return next && LLVMIsACallInst(next) && uninit_is_mark(LLVMGetCalledValue(next)) &&
           LLVMGetNumArgOperands(next) == 2 && LLVMGetOperand(next, 0) == LLVMGetOperand(i, 0);
}

// Values without labels (x87) are a loss as soon as there may be one.
static void value_call(struct pass *p, LLVMValueRef i)
{
    struct part parts[CZRT_MAX_PARTS];
    unsigned count = pass_parts(p, LLVMTypeOf(i), parts);
    LLVMValueRef *labels = pass_new_labels(p, i, count);
    pass_before(p, i);
    for (unsigned k = 0; k < count; k++)
        labels[k] = PASS_CALL(p, "cz_s_uninit", pass_number(p, pass_width(p, parts[k].type)));
    if (!has_labels(p, LLVMTypeOf(i)))
        PASS_CALL(p, "cz_s_loss", pass_number(p, WIRE_LOSS_UNINIT));
    *VEC_PUSH(&p->hooks) = i;
}

void uninit_call(struct pass *p, LLVMValueRef i)
{
    if (uninit_is_value(i)) {
        value_call(p, i);
        return;
    }
    LLVMValueRef address = LLVMGetOperand(i, 0), size = LLVMGetOperand(i, 1);
    bool few = LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) <= INSTRUMENT_FEW_BYTES;
    pass_before(p, i);
    if (few)
        PASS_CALL(p, "cz_s_uninit_bytes", address, pass_number(p, LLVMConstIntGetZExtValue(size)));
    else
        PASS_CALL(p, "cz_s_uninit_fill", address, size);
    LLVMInstructionEraseFromParent(i);
}

// ---- stubs ----

static bool calls_driver(LLVMValueRef f, const char *name)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
                strcmp(pass_name(LLVMGetCalledValue(i)), name) == 0)
                return true;
    return false;
}

// The function that a stub stands for may fill what its pointers lead to.
void uninit_enter_stub(struct pass *p)
{
    LLVMValueRef f = p->function;
    if (!LLVMCountParams(f) || !uninit_is_driver(p, f) || !calls_driver(f, "cz_call"))
        return;
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, i))) == LLVMPointerTypeKind)
            PASS_CALL(p, "cz_s_written", LLVMGetParam(f, i), LLVMConstInt(p->i1, 0, 0),
                      pass_number(p, WIRE_LOSS_STUB));
}
