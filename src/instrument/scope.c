// SPDX-License-Identifier: Apache-2.0
// Scopes of locals. clang tells by llvm.lifetime.start and .end where a scope begins and ends, as
// for AddressSanitizer, and leaves out variables whose declaration a jump passes by. LLVM takes
// memory outside of its scope for undefined, so all of them go; for locals whose address something
// knows, calls of cz.scope.begin() and cz.scope.end() take their place, which keep the local in
// memory.
//
// With scopes comes control flow: where several jumps leave a scope, each stores its number into a
// slot and goes through the one block that ends the scope, where a switch sends it on. For the
// graph that would be ways from everywhere to everywhere. So each jump gets the marks it passes
// and goes straight to where it leads, which is the control flow of a build without scopes. This
// comes before mem2reg, when slots are memory and hardly a block has a phi.
#include "base/tunables.h"
#include "instrument/library.h"
#include "instrument/pass.h"
#include <string.h>

#define MARK  "cz.scope."
#define BEGIN MARK "begin"
#define END   MARK "end"

static bool has_name(LLVMValueRef i, const char *prefix)
{
    LLVMValueRef f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return f && LLVMIsAFunction(f) && strncmp(pass_name(f), prefix, strlen(prefix)) == 0;
}

static bool is_end(LLVMValueRef i)
{
    return has_name(i, "llvm.lifetime.end");
}

static bool is_lifetime(LLVMValueRef i)
{
    return has_name(i, "llvm.lifetime.");
}

bool scope_is_mark(LLVMValueRef callee)
{
    return LLVMIsAFunction(callee) && strncmp(pass_name(callee), MARK, strlen(MARK)) == 0;
}

// ---- jumps out of scopes ----

// A variable that only gets constants, and that only switches read.
static bool is_slot(LLVMValueRef local)
{
    bool decides = false;
    if (LLVMGetTypeKind(LLVMGetAllocatedType(local)) != LLVMIntegerTypeKind)
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAStoreInst(user) && LLVMIsAConstantInt(LLVMGetOperand(user, 0)))
            continue;
        LLVMUseRef only = LLVMIsALoadInst(user) ? LLVMGetFirstUse(user) : NULL;
        if (!only || LLVMGetNextUse(only) || !LLVMIsASwitchInst(LLVMGetUser(only)))
            return false;
        decides = true;
    }
    return decides;
}

// Nothing but ends of scopes, and perhaps a switch over the slot at the end.
static bool is_passed(LLVMBasicBlockRef block, LLVMValueRef slot)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != end; i = LLVMGetNextInstruction(i))
        if (!is_end(i) && !(LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == slot))
            return false;
    if (LLVMIsASwitchInst(end)) {
        LLVMValueRef load = LLVMGetOperand(end, 0);
        return LLVMIsALoadInst(load) && LLVMGetOperand(load, 0) == slot;
    }
    return LLVMIsABranchInst(end) && !LLVMIsConditional(end);
}

static LLVMBasicBlockRef chosen_by(LLVMValueRef choice, LLVMValueRef number)
{
    for (unsigned k = 2; k + 1 < (unsigned)LLVMGetNumOperands(choice); k += 2)
        if (LLVMGetOperand(choice, k) == number)
            return LLVMValueAsBasicBlock(LLVMGetOperand(choice, k + 1));
    return LLVMGetSwitchDefaultDest(choice);
}

// The jump whose number this store keeps, or NULL.
static LLVMValueRef jump_behind(LLVMValueRef store)
{
    LLVMValueRef i = LLVMGetNextInstruction(store);
    while (i && is_end(i))
        i = LLVMGetNextInstruction(i);
    return i && LLVMIsABranchInst(i) && !LLVMIsConditional(i) ? i : NULL;
}

static void straighten(struct pass *p, LLVMValueRef store, LLVMValueRef slot)
{
    LLVMValueRef jump = jump_behind(store), number = LLVMGetOperand(store, 0);
    LLVMBasicBlockRef passed[INSTRUMENT_SCOPE_BLOCKS], to = NULL;
    unsigned count = 0, used = 0;
    for (LLVMBasicBlockRef at = jump ? LLVMGetSuccessor(jump, 0) : NULL;
         at && count < INSTRUMENT_SCOPE_BLOCKS && is_passed(at, slot);) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(at);
        passed[count++] = at;
        at = LLVMIsASwitchInst(end) ? chosen_by(end, number) : LLVMGetSuccessor(end, 0);
        if (LLVMIsASwitchInst(end)) {
            to = at;
            used = count;
        }
    }
    if (!to || LLVMIsAPHINode(LLVMGetFirstInstruction(to)))
        return;
    pass_before(p, jump);
    for (unsigned k = 0; k < used; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(passed[k]); i; i = LLVMGetNextInstruction(i))
            if (is_end(i))
                LLVMInsertIntoBuilder(p->builder, LLVMInstructionClone(i));
    LLVMSetSuccessor(jump, 0, to);
}

static void straighten_function(struct pass *p, LLVMValueRef f)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
         i && LLVMIsAAllocaInst(i); i = LLVMGetNextInstruction(i))
        for (LLVMUseRef u = is_slot(i) ? LLVMGetFirstUse(i) : NULL; u; u = LLVMGetNextUse(u))
            if (LLVMIsAStoreInst(LLVMGetUser(u)))
                straighten(p, LLVMGetUser(u), i);
}

void scope_straighten(struct pass *p)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            straighten_function(p, f);
}

// ---- whose address may be known elsewhere ----

// The C library's functions do not keep what they are given, but may return it.
static bool call_leaks(LLVMValueRef call, LLVMValueRef address)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    static const char *const ours[] = {"byval", "sret"};
    if (LLVMIsAFunction(f) && (LLVMGetIntrinsicID(f) != 0 || uninit_is_mark(f) || scope_is_mark(f)))
        return false;
    if (LLVMIsAFunction(f) && LLVMIsDeclaration(f) && !LLVMGetFirstUse(call) &&
        libc_class_of(pass_name(f)) != LIBC_OTHER)
        return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        bool is_value = false;
        for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
            is_value |=
                LLVMGetCallSiteEnumAttribute(
                    call, i + 1, LLVMGetEnumAttributeKindForName(ours[k], strlen(ours[k]))) != NULL;
        if (LLVMGetOperand(call, i) == address && !is_value)
            return true;
    }
    return false;
}

bool scope_leaks(LLVMValueRef address)
{
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool kept = !LLVMIsALoadInst(user) && !LLVMIsAICmpInst(user);
        if (LLVMIsAStoreInst(user))
            kept = LLVMGetOperand(user, 0) == address;
        else if (LLVMIsAGetElementPtrInst(user))
            kept = scope_leaks(user);
        else if (LLVMIsACallInst(user))
            kept = call_leaks(user, address);
        if (kept)
            return true;
    }
    return false;
}

// ---- marks ----

// Does nothing happen from here to the return, which ends all scopes?
static bool is_at_return(LLVMValueRef i)
{
    unsigned blocks = 0;
    for (i = LLVMGetNextInstruction(i); i;) {
        if (LLVMIsAReturnInst(i))
            return true;
        if (LLVMIsABranchInst(i) && !LLVMIsConditional(i) && blocks++ < INSTRUMENT_SCOPE_BLOCKS)
            i = LLVMGetFirstInstruction(LLVMGetSuccessor(i, 0));
        else if (is_lifetime(i) || LLVMIsALoadInst(i))
            i = LLVMGetNextInstruction(i);
        else
            return false;
    }
    return false;
}

static bool is_needed(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef local = LLVMGetOperand(i, 1);
    return LLVMIsAAllocaInst(local) && LLVMIsAConstantInt(LLVMGetOperand(local, 0)) &&
           LLVMGetInstructionParent(local) == LLVMGetEntryBasicBlock(p->function) &&
           scope_leaks(local) && !(is_end(i) && is_at_return(i));
}

static void mark(struct pass *p, LLVMValueRef i)
{
    const char *name = is_end(i) ? END : BEGIN;
    LLVMTypeRef signature = LLVMFunctionType(p->nothing, &p->ptr, 1, 0);
    LLVMValueRef f = LLVMGetNamedFunction(p->module, name), local = LLVMGetOperand(i, 1);
    if (!f)
        f = LLVMAddFunction(p->module, name, signature);
    pass_before(p, i);
    LLVMBuildCall2(p->builder, signature, f, &local, 1, "");
}

static void mark_function(struct pass *p, bool wanted)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!is_lifetime(i))
                continue;
            if (wanted && is_needed(p, i))
                mark(p, i);
            LLVMInstructionEraseFromParent(i);
        }
}

bool scope_is_watched(struct pass *p, LLVMValueRef function)
{
    return p->request->program && !uninit_is_driver(p, function) && !frame_has_must_tail(function);
}

// Where setjmp() returns a second time, locals hold what was last written to them, if they
// were kept in memory.
static bool returns_twice(LLVMValueRef f)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("returns_twice", strlen("returns_twice"));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
            if (callee &&
                (LLVMGetCallSiteEnumAttribute(i, LLVMAttributeFunctionIndex, kind) ||
                 (LLVMIsAFunction(callee) &&
                  (LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind) ||
                   strcmp(pass_name(callee), "llvm.eh.sjlj.setjmp") == 0))))
                return true;
        }
    return false;
}

static void keep_in_memory(LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
                LLVMSetVolatile(i, 1);
}

void scope_mark(struct pass *p, bool wanted)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        p->function = f;
        mark_function(p, wanted && scope_is_watched(p, f));
        if (returns_twice(f))
            keep_in_memory(f);
    }
}

bool scope_has_mark(LLVMValueRef local)
{
    for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u))
        if (LLVMIsACallInst(LLVMGetUser(u)) && scope_is_mark(LLVMGetCalledValue(LLVMGetUser(u))))
            return true;
    return false;
}

// ---- instrumenting ----

// Is all of it written next?
static bool is_filled_next(LLVMValueRef i, LLVMValueRef local, uint64_t size)
{
    LLVMValueRef next = LLVMGetNextInstruction(i);
    return next && has_name(next, "llvm.mem") && LLVMGetOperand(next, 0) == local &&
           LLVMIsAConstantInt(LLVMGetOperand(next, 2)) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(next, 2)) == size;
}

void scope_call(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef local = LLVMGetOperand(i, 0);
    uint64_t size = 0;
    pass_before(p, i);
    if (!map_get(&p->local_sizes, (uintptr_t)local, &size))
        size = 0;
    if (size && has_name(i, END))
        PASS_CALL(p, "cz_s_local_dead", local, pass_number64(p, size), pass_number(p, WIRE_ENDED));
    else if (size)
        PASS_CALL(p, "cz_s_local_alive", local, pass_number64(p, size),
                  LLVMConstInt(p->i1, is_filled_next(i, local, size), 0));
    LLVMInstructionEraseFromParent(i);
}
