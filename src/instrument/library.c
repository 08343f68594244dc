// SPDX-License-Identifier: Apache-2.0
// State of the C library at calls; see library.h. A result gets a label that counts the loss
// when something is computed from it or decided by it, so that a result that is only stored
// costs nothing. What depends on inputs already, and what is no scalar, counts at the call.
#include "instrument/library.h"

#include <string.h>

#define SAME(state) _Static_assert((int)LIBC_STATE_##state == CZRT_STATE_##state, #state)
SAME(NONE);
SAME(INPUTS);
SAME(START);
SAME(HIDDEN);
SAME(LOCALE);
SAME(SYSTEM);
SAME(WORLD);

bool library_is_guessed(const char *name)
{
    const struct libc_function *known = libc_find(name);
    return !libc_is_errno(name) && !libc_is_setjmp(name) &&
           (known->class == LIBC_PURE || known->state != LIBC_STATE_NONE);
}

// ---- the table of <ctype.h> ----

static LLVMValueRef only_user(LLVMValueRef value, LLVMOpcode opcode)
{
    LLVMUseRef use = value ? LLVMGetFirstUse(value) : NULL;
    LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    return user && LLVMIsAInstruction(user) && LLVMGetInstructionOpcode(user) == opcode ? user
                                                                                        : NULL;
}

// (*__ctype_b_loc())[c] & mask: digits are the same in every locale.
static bool asks_for_digits(LLVMValueRef call)
{
    enum { DIGIT = 0x800, HEX_DIGIT = 0x1000 };
    LLVMValueRef entry =
        only_user(only_user(only_user(call, LLVMLoad), LLVMGetElementPtr), LLVMLoad);
    LLVMValueRef mask = only_user(only_user(entry, LLVMZExt), LLVMAnd);
    for (unsigned i = 0; mask && i < 2; i++) {
        LLVMValueRef operand = LLVMGetOperand(mask, i);
        if (LLVMIsAConstantInt(operand))
            return LLVMConstIntGetZExtValue(operand) == DIGIT ||
                   LLVMConstIntGetZExtValue(operand) == HEX_DIGIT;
    }
    return false;
}

// ---- state ----

unsigned library_state_of(struct pass *p, LLVMValueRef call, LLVMValueRef f)
{
    static const char *const prefixes[] = {"czm_", "czrt_", "\1", ""};
    if (!p->request->program || !LLVMIsAFunction(f) || !LLVMIsDeclaration(f))
        return CZRT_STATE_NONE; // models among themselves
    const char *name = pass_name(f);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(name, prefixes[i], length) != 0)
            continue;
        name += length;
        if (libc_is_ctype_table(name) && asks_for_digits(call))
            return CZRT_STATE_NONE;
        return libc_state_of(name);
    }
    return CZRT_STATE_NONE;
}

// ---- errno ----

static bool mentions_errno(struct pass *p)
{
    LLVMValueRef f = LLVMGetNamedFunction(p->module, LIBC_ERRNO_LOCATION);
    return p->request->program && f && LLVMGetFirstUse(f);
}

void library_guard_errno(struct pass *p, LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    if (LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail)
        return;
    bool may_set =
        !LLVMIsAFunction(f) || (!libc_is_errno(pass_name(f)) && !libc_is_setjmp(pass_name(f)));
    bool guarded = may_set && mentions_errno(p);
    if (guarded)
        pass_call(p, "cz_s_errno_hide", 0, NULL);
    pass_after(p, call);
    if (guarded)
        pass_call(p, "cz_s_errno_show", 0, NULL);
}

// ---- results ----

static bool has_pointer_argument(LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
            return true;
    return false;
}

void library_doubt(struct pass *p, LLVMValueRef call, unsigned state)
{
    if (state == CZRT_STATE_NONE || state == CZRT_STATE_INPUTS)
        return;
    if ((state == CZRT_STATE_SYSTEM || state == CZRT_STATE_WORLD) && mentions_errno(p))
        pass_call(p, "cz_s_errno_doubt", 0, NULL);
    LLVMTypeRef type = LLVMTypeOf(call);
    // What a function of the locale makes of text goes to memory, too.
    bool writes = state == CZRT_STATE_LOCALE && has_pointer_argument(call);
    if (!LLVMGetFirstUse(call) && !writes)
        return;
    // A label on a pointer would make every access through it a symbolic one.
    if (writes || LLVMGetTypeKind(type) != LLVMIntegerTypeKind || pass_width(p, type) > 64) {
        PASS_CALL(p, "cz_s_state", pass_number(p, state));
        return;
    }
    LLVMValueRef label = pass_label(p, call);
    pass_set_label(p, call,
                   PASS_CALL(p, "cz_s_doubt", pass_number(p, state), label,
                             pass_number(p, pass_width(p, type)), pass_bits(p, call)));
}
