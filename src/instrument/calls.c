// SPDX-License-Identifier: Apache-2.0
// Calls, parameters and results. Labels travel in czrt_args and czrt_ret; a callee
// believes them only when czrt_callee names it, a caller believes a result only of
// a function that is certainly instrumented or has said so in czrt_returned. libc functions
// are renamed to models or replacements by wire/libc.def, also where only their
// address is taken; a function with a body in the module always wins.
#include "instrument/library.h"
#include "instrument/pass.h"
#include <string.h>

static const char *plain_name(LLVMValueRef f)
{
    const char *name = pass_name(f);
    return *name == '\1' ? name + 1 : name; // \1: an asm label
}

static void rename_function(struct pass *p, LLVMValueRef f, const char *prefix)
{
    char *name = arena_printf(p->arena, "%s%s", prefix, plain_name(f));
    LLVMValueRef existing = LLVMGetNamedFunction(p->module, name);
    if (existing)
        LLVMReplaceAllUsesWith(f, existing);
    else
        LLVMSetValueName2(f, name, strlen(name));
}

void calls_rename(struct pass *p)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f) != 0)
            continue;
        enum libc_class class = libc_class_of(plain_name(f));
        if (class == LIBC_MODEL)
            rename_function(p, f, "czm_");
        else if (class == LIBC_RUNTIME)
            rename_function(p, f, "czrt_");
    }
}

// ---- what is known of a callee ----

enum callee {
    CALLEE_KNOWN,   // instrumented for certain
    CALLEE_RUNTIME, // of our runtime: sets czrt_ret when it wants to
    CALLEE_REAL,    // listed: not instrumented
    CALLEE_UNKNOWN, // through a pointer, or defined elsewhere: found out at run time
};

static bool has_prefix(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool returns_twice(LLVMValueRef call, LLVMValueRef f)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("returns_twice", strlen("returns_twice"));
    return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
           (LLVMIsAFunction(f) && LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind));
}

static enum callee kind_of_callee(LLVMValueRef call, LLVMValueRef f)
{
    if (returns_twice(call, f))
        return CALLEE_REAL;
    if (!LLVMIsAFunction(f))
        return CALLEE_UNKNOWN;
    const char *name = plain_name(f);
    if (has_prefix(name, "cz_") || has_prefix(name, "czrt_"))
        return LLVMIsDeclaration(f) ? CALLEE_RUNTIME : CALLEE_KNOWN;
    if (has_prefix(name, "czm_"))
        return CALLEE_KNOWN;
    LLVMLinkage linkage = LLVMGetLinkage(f);
    if (!LLVMIsDeclaration(f))
        return linkage == LLVMExternalLinkage || linkage == LLVMInternalLinkage ? CALLEE_KNOWN
                                                                                : CALLEE_UNKNOWN;
    enum libc_class class = libc_class_of(name);
    return class == LIBC_PURE || class == LIBC_OUTPUT ? CALLEE_REAL : CALLEE_UNKNOWN;
}

static void note_external(struct pass *p, LLVMValueRef f)
{
    uint64_t seen;
    const char *name = plain_name(f);
    if (map_get_text(&p->externals, name, &seen))
        return;
    map_put_text(&p->externals, name, 1);
    *VEC_PUSH(&p->external_names) = arena_strdup(p->arena, name);
}

// ---- arguments ----

static LLVMAttributeRef type_attribute(LLVMValueRef call, unsigned index, const char *name)
{
    return LLVMGetCallSiteEnumAttribute(call, index,
                                        LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

// Slots of an argument or parameter; both sides of a call must count alike.
static unsigned slots_of(struct pass *p, LLVMTypeRef type)
{
    struct part parts[CZRT_MAX_PARTS];
    unsigned n = pass_parts(p, type, parts);
    return n ? n : 1;
}

static void lose_argument(struct pass *p, LLVMValueRef call, unsigned i)
{
    if (type_attribute(call, i + 1, "byval")) // what is in there is not looked at
        PASS_CALL(p, "cz_s_loss", pass_number(p, WIRE_LOSS_ARGUMENTS));
    else
        pass_lose(p, LLVMGetOperand(call, i), WIRE_LOSS_ARGUMENTS);
}

// How many slots the arguments take that have one.
static unsigned pass_arguments(struct pass *p, LLVMValueRef call)
{
    unsigned slot = 0, count = LLVMGetNumArgOperands(call), i = 0;
    for (; i < count; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        struct part parts[CZRT_MAX_PARTS];
        unsigned n = pass_parts(p, LLVMTypeOf(argument), parts);
        unsigned slots = slots_of(p, LLVMTypeOf(argument));
        if (slot + slots > CZRT_MAX_ARGS)
            break;
        if (type_attribute(call, i + 1, "byval"))
            PASS_CALL(p, "cz_s_arg_memory", pass_number(p, slot), argument);
        LLVMValueRef *labels = pass_labels(p, argument);
        for (unsigned k = 0; k < slots; k++)
            PASS_CALL(p, "cz_s_arg", pass_number(p, slot + k), n ? labels[k] : p->zero);
        slot += slots;
    }
    for (; i < count; i++)
        lose_argument(p, call, i);
    return slot;
}

static uint32_t kind_of_argument(struct pass *p, LLVMValueRef call, unsigned i)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
    LLVMAttributeRef byval = type_attribute(call, i + 1, "byval");
    if (byval) {
        uint64_t size = LLVMABISizeOfType(p->layout, LLVMGetTypeAttributeValue(byval));
        LLVMAttributeRef attribute = type_attribute(call, i + 1, "align");
        uint64_t align = attribute ? LLVMGetEnumAttributeValue(attribute) : 8;
        return size <= 0xFFFF && align <= 0xFF ? CZRT_CLASS('m', size, align) : 0;
    }
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 64 ? 'i' : LLVMGetIntTypeWidth(type) == 128 ? 'w' : 0;
    case LLVMPointerTypeKind: return 'i';
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: return 'd';
    case LLVMX86_FP80TypeKind: return 'x';
    case LLVMVectorTypeKind: {
        struct part parts[CZRT_MAX_PARTS];
        unsigned n = pass_parts(p, type, parts);
        uint64_t size = LLVMStoreSizeOfType(p->layout, type);
        return n && (size == 8 || size == 16) ? CZRT_CLASS('v', size, n) : 0;
    }
    default: return 0; // ends the list
    }
}

// On i386 all arguments are in memory, and their sizes tell where.
static uint32_t argument_class(struct pass *p, LLVMValueRef call, unsigned i)
{
    uint32_t class = kind_of_argument(p, call, i);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
    if (p->pointer_bits == 64 || class == 0 || (class & 255) == 'm')
        return class;
    return (class & 255) == 'v' ? 0 : CZRT_CLASS(class, LLVMABISizeOfType(p->layout, type), 4);
}

static void pass_classes(struct pass *p, LLVMValueRef call, unsigned slots)
{
    unsigned count = LLVMGetNumArgOperands(call), used = 0;
    LLVMValueRef *classes = arena_array(&p->scratch, LLVMValueRef, count + 1);
    for (; used < count; used++) {
        uint32_t class = argument_class(p, call, used);
        if (class == 0)
            break;
        classes[used] = pass_number(p, class);
    }
    for (unsigned i = used; i < count; i++) // nobody knows where those are
        lose_argument(p, call, i);
    classes[used] = p->zero;
    LLVMValueRef list = LLVMConstArray2(p->i32, classes, used + 1);
    LLVMValueRef table = LLVMAddGlobal(p->module, LLVMTypeOf(list), "cz.classes");
    LLVMSetInitializer(table, list);
    LLVMSetGlobalConstant(table, 1);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(table, LLVMGlobalUnnamedAddr);
    PASS_CALL(p, "cz_s_arg_classes", table, pass_number(p, slots));
}

// ---- results ----

static void take_result(struct pass *p, LLVMValueRef call, LLVMValueRef trusted)
{
    struct part parts[CZRT_MAX_PARTS];
    unsigned count = pass_parts(p, LLVMTypeOf(call), parts);
    if (count == 0)
        return;
    LLVMValueRef *labels = pass_new_labels(p, call, count);
    if (count == 1) {
        labels[0] =
            PASS_CALL(p, "cz_s_result", trusted, pass_number(p, pass_width(p, parts[0].type)));
        return;
    }
    LLVMValueRef valid = PASS_CALL(p, "cz_s_has_parts", pass_number(p, count), trusted);
    for (unsigned k = 0; k < count; k++)
        labels[k] = PASS_CALL(p, "cz_s_result_part", pass_number(p, k), valid,
                              pass_number(p, pass_width(p, parts[k].type)));
}

// Uninstrumented code fills the caller's struct: its labels are those of before.
static void clear_struct_result(struct pass *p, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < 2; i++) {
        LLVMAttributeRef sret = type_attribute(call, i + 1, "sret");
        if (sret)
            PASS_CALL(
                p, "cz_s_fill", LLVMGetOperand(call, i), p->zero,
                pass_number64(p, LLVMABISizeOfType(p->layout, LLVMGetTypeAttributeValue(sret))));
    }
}

static bool takes_pointer(LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
            return true;
    return false;
}

// Code without labels looks at the values that it gets.
static void use_arguments(struct pass *p, LLVMValueRef call, uint32_t site)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i), *labels = pass_labels(p, argument);
        struct part parts[CZRT_MAX_PARTS];
        unsigned count = pass_parts(p, LLVMTypeOf(argument), parts);
        for (unsigned k = 0; k < count; k++)
            if (labels[k] != p->zero)
                PASS_CALL(p, "cz_s_uninit_use", labels[k], pass_number(p, site));
    }
}

// ... and may write behind the pointers. `known`: it was instrumented after all.
static void written_behind(struct pass *p, LLVMValueRef call, LLVMValueRef known, uint32_t loss)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind &&
            !LLVMIsAConstant(argument))
            PASS_CALL(p, "cz_s_written", argument, known, pass_number(p, loss));
    }
}

// Is it the text of a variable that cannot change, without a %n?
static bool is_plain_format(LLVMValueRef format)
{
    size_t length;
    LLVMValueRef text = LLVMIsAGlobalVariable(format) && LLVMIsGlobalConstant(format)
                            ? LLVMGetInitializer(format)
                            : NULL;
    if (!text || !LLVMIsAConstantDataArray(text) || !LLVMIsConstantString(text))
        return false;
    const char *at = LLVMGetAsString(text, &length);
    return !memchr(at, 'n', length) || !memchr(at, '%', length);
}

// printf and the like, whose first pointer is the format.
static void note_format(struct pass *p, LLVMValueRef call, const char *name)
{
    unsigned i = 0;
    if (!LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)) && !has_prefix(name, "v") &&
        !has_prefix(name, "__v"))
        return;
    while (i < LLVMGetNumArgOperands(call) &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) != LLVMPointerTypeKind)
        i++;
    if (i < LLVMGetNumArgOperands(call) && !is_plain_format(LLVMGetOperand(call, i)))
        PASS_CALL(p, "cz_s_format", LLVMGetOperand(call, i));
}

static void call_real(struct pass *p, LLVMValueRef call, LLVMValueRef f)
{
    PASS_CALL(p, "cz_s_call", LLVMConstNull(p->ptr));
    enum libc_class class = LLVMIsAFunction(f) ? libc_class_of(plain_name(f)) : LIBC_OTHER;
    if (class == LIBC_PURE) {
        for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
            pass_lose(p, LLVMGetOperand(call, i), WIRE_LOSS_CONCRETISED);
        if (takes_pointer(call) && !libc_is_setjmp(plain_name(f))) // what is behind may be symbolic
            PASS_CALL(p, "cz_s_loss", pass_number(p, WIRE_LOSS_CONCRETISED));
    } else if (LLVMGetFirstUse(call)) // the length of what is printed, for example
        PASS_CALL(p, "cz_s_loss", pass_number(p, WIRE_LOSS_EXTERNAL));
    clear_struct_result(p, call);
    if (class == LIBC_OUTPUT)
        note_format(p, call, plain_name(f));
    if (class != LIBC_PURE && !returns_twice(call, f))
        written_behind(p, call, LLVMConstInt(p->i1, 0, 0), WIRE_LOSS_COUNT);
    library_guard_errno(p, call); // goes on behind the call
}

static void call_instrumented(struct pass *p, LLVMValueRef call, LLVMValueRef f, enum callee kind)
{
    bool tail = LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
    LLVMValueRef yes = LLVMConstInt(p->i1, 1, 0);
    LLVMValueRef label = pass_label(p, f);
    if (label != p->zero) // a symbolic function pointer
        PASS_CALL(p, "cz_s_pin", pass_number(p, pass_site(p, call, 0)), label, pass_bits(p, f));
    unsigned slots = pass_arguments(p, call);
    if (LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)))
        pass_classes(p, call, slots);
    PASS_CALL(p, "cz_s_call", f);
    if (kind != CALLEE_KNOWN)
        pass_call(p, "cz_s_clear_return", 0, NULL);
    if (tail)
        return;
    if (kind != CALLEE_UNKNOWN) {
        pass_after(p, call);
        take_result(p, call, yes);
        return;
    }
    clear_struct_result(p, call); // an instrumented callee writes labels of its own
    pass_after(p, call);
    LLVMValueRef known = PASS_CALL(p, "cz_s_was_called", f);
    // It may have written memory, and what it returns is up to the world.
    if (takes_pointer(call) || LLVMGetFirstUse(call))
        PASS_CALL(p, "cz_s_loss_unless", known, pass_number(p, WIRE_LOSS_EXTERNAL));
    written_behind(p, call, known, WIRE_LOSS_EXTERNAL);
    take_result(p, call, known);
}

// ---- inline assembly ----

static void call_asm(struct pass *p, LLVMValueRef call, LLVMValueRef code)
{
    size_t length;
    LLVMGetInlineAsmAsmString(code, &length);
    bool is_barrier = length == 0 && LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
    if (is_barrier)
        return;
    pass_before(p, call);
    PASS_CALL(p, "cz_s_loss", pass_number(p, WIRE_LOSS_EXTERNAL));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) { // memory operands
        LLVMAttributeRef memory = type_attribute(call, i + 1, "elementtype");
        if (memory)
            PASS_CALL(
                p, "cz_s_fill", LLVMGetOperand(call, i), p->zero,
                pass_number64(p, LLVMABISizeOfType(p->layout, LLVMGetTypeAttributeValue(memory))));
    }
}

// ---- the driver's functions ----

// What drivers consist of, by the thousand. None looks at labels of its arguments; all say
// in czrt_ret what the result's is, which for a place is nothing.
static const char *const makes_place[] = {"cz_root", "cz_turn",  "cz_field", "cz_arrow", "cz_index",
                                          "cz_part", "cz_deref", "cz_call",  "cz_typed", NULL};
static const char *const makes_value[] = {
    "cz_bool",  "cz_present", "cz_absent", "cz_i8",        "cz_u8",      "cz_i16",
    "cz_u16",   "cz_i32",     "cz_u32",    "cz_i64",       "cz_u64",     "cz_ubits",
    "cz_sbits", "cz_wide",    "cz_f32",    "cz_f64",       "cz_f80",     "cz_choice",
    "cz_array", "cz_new",     "cz_text",   "cz_deep_null", "cz_missing", NULL};

static bool is_listed(LLVMValueRef f, const char *const *list)
{
    const char *name = pass_name(f);
    if (!LLVMIsDeclaration(f) || strncmp(name, "cz_", 3) != 0)
        return false;
    for (; *list; list++)
        if (strcmp(name, *list) == 0)
            return true;
    return false;
}

static bool call_of_driver(struct pass *p, LLVMValueRef call, LLVMValueRef f)
{
    if (!LLVMIsAFunction(f))
        return false;
    if (is_listed(f, makes_place))
        return true;
    if (!is_listed(f, makes_value))
        return false;
    pass_after(p, call);
    take_result(p, call, LLVMConstInt(p->i1, 1, 0));
    return true;
}

// What goes wrong in libc, in a model of it or in our own replacement goes wrong here.
static bool leaves_unit(struct pass *p, LLVMValueRef f)
{
    return p->request->program && LLVMIsAFunction(f) && LLVMIsDeclaration(f) &&
           strncmp(pass_name(f), "cz_", 3) != 0;
}

bool calls_instruction(struct pass *p, LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    if (opcode != LLVMCall && opcode != LLVMCallBr)
        return false;
    LLVMValueRef f = LLVMGetCalledValue(i);
    if (LLVMIsAInlineAsm(f)) {
        call_asm(p, i, f);
        return true;
    }
    if (LLVMIsAFunction(f) && LLVMGetIntrinsicID(f) != 0) {
        intrinsic_call(p, i, f);
        return true;
    }
    if (uninit_is_mark(f)) {
        uninit_call(p, i);
        return true;
    }
    if (scope_is_mark(f)) {
        scope_call(p, i);
        return true;
    }
    if (undefined_is_check(f)) {
        undefined_check(p, i);
        return true;
    }
    if (control_is_cond(f)) {
        control_cond(p, i);
        return true;
    }
    if (control_is_switch(f)) {
        control_switch(p, i);
        return true;
    }
    if (call_of_driver(p, i, f))
        return true;
    enum callee kind = kind_of_callee(i, f);
    pass_before(p, i);
    if (leaves_unit(p, f)) {
        uint32_t site = pass_site(p, i, 0);
        PASS_CALL(p, "cz_s_call_site", pass_number(p, site));
        if (kind != CALLEE_KNOWN) // models are instrumented
            use_arguments(p, i, site);
    }
    if (kind == CALLEE_UNKNOWN && LLVMIsAFunction(f) && LLVMIsDeclaration(f))
        note_external(p, f);
    unsigned state = library_state_of(p, i, f);
    if (kind == CALLEE_REAL)
        call_real(p, i, f);
    else
        call_instrumented(p, i, f, kind);
    if (LLVMGetTailCallKind(i) != LLVMTailCallKindMustTail)
        library_doubt(p, i, state);
    return true;
}

// ---- the callee's side ----

void calls_enter(struct pass *p)
{
    LLVMValueRef f = p->function;
    unsigned slot = 0, byval = LLVMGetEnumAttributeKindForName("byval", 5);
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)))
        PASS_CALL(p, "cz_s_varargs_save", p->varargs, f);
    LLVMValueRef trusted = LLVMCountParams(f) ? PASS_CALL(p, "cz_s_is_callee", f) : NULL;
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        LLVMValueRef param = LLVMGetParam(f, i);
        struct part parts[CZRT_MAX_PARTS];
        unsigned n = pass_parts(p, LLVMTypeOf(param), parts);
        unsigned slots = slots_of(p, LLVMTypeOf(param));
        bool fits = slot + slots <= CZRT_MAX_ARGS; // else the caller has counted a loss
        LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(f, i + 1, byval);
        if (memory) {
            uint64_t size = LLVMABISizeOfType(p->layout, LLVMGetTypeAttributeValue(memory));
            PASS_CALL(p, "cz_s_byval", param, pass_number(p, fits ? slot : 0),
                      pass_number64(p, size), fits ? trusted : LLVMConstInt(p->i1, 0, 0));
        } else if (n && fits) {
            LLVMValueRef *labels = pass_new_labels(p, param, n);
            for (unsigned k = 0; k < n; k++)
                labels[k] = PASS_CALL(p, "cz_s_param", pass_number(p, slot + k), trusted,
                                      pass_number(p, pass_width(p, parts[k].type)));
        }
        slot = fits ? slot + slots : CZRT_MAX_ARGS;
    }
}

// May anybody but direct calls in this module reach the function?
static bool is_reachable_indirectly(LLVMValueRef f)
{
    if (LLVMGetLinkage(f) != LLVMInternalLinkage && LLVMGetLinkage(f) != LLVMPrivateLinkage)
        return true;
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f)
            return true;
    }
    return false;
}

void calls_find_indirect(struct pass *p)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_reachable_indirectly(f))
            map_put(&p->indirect, (uintptr_t)f, 1);
}

void calls_return(struct pass *p, LLVMValueRef i)
{
    LLVMValueRef previous = LLVMGetPreviousInstruction(i);
    if (previous && LLVMIsACallInst(previous) &&
        LLVMGetTailCallKind(previous) == LLVMTailCallKindMustTail)
        return;
    frame_leave(p, i);
    pass_before(p, i);
    if (LLVMGetNumOperands(i) == 1) {
        LLVMValueRef value = LLVMGetOperand(i, 0);
        struct part parts[CZRT_MAX_PARTS];
        unsigned count = pass_parts(p, LLVMTypeOf(value), parts);
        LLVMValueRef *labels = pass_labels(p, value);
        if (count == 1)
            PASS_CALL(p, "cz_s_return", labels[0]);
        else if (count > 1) {
            PASS_CALL(p, "cz_s_return_count", pass_number(p, count));
            for (unsigned k = 0; k < count; k++)
                PASS_CALL(p, "cz_s_return_part", pass_number(p, k), labels[k]);
        }
    }
    uint64_t indirect;
    if (map_get(&p->indirect, (uintptr_t)p->function, &indirect))
        PASS_CALL(p, "cz_s_returned", p->function);
}
