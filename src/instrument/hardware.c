// SPDX-License-Identifier: Apache-2.0
// The hardware pass (see hardware.h): constant addresses, volatile reads and writes.
//
// A constant that is converted to a pointer is an address of the device: it moves to
// scratch memory (hardware_memory.c), wherever it stands, so that whatever is computed from it
// needs no care. Before each read that hardware may answer stands a call that puts an
// input into memory; the read itself stays as it is, with its type and its checks. Reads
// through pointers come twice, the first one to fail if the pointer is bad.
#include "instrument/hardware.h"

#include "instrument/gep.h"
#include "instrument/pass.h"
#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

// ---- building ----

void hardware_before(struct hardware *h, LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(h->builder, instruction);
    LLVMSetCurrentDebugLocation2(h->builder, LLVMInstructionGetDebugLoc(instruction));
    h->result->changed = true;
}

LLVMValueRef hardware_number(struct hardware *h, uint64_t value)
{
    return LLVMConstInt(h->i64, value, 0);
}

LLVMValueRef hardware_size(struct hardware *h, uint64_t value)
{
    return LLVMConstInt(h->word, value, 0);
}

LLVMValueRef hardware_text(struct hardware *h, const char *text)
{
    uint64_t known;
    if (map_get_text(&h->texts, text, &known))
        return (LLVMValueRef)(uintptr_t)known;
    LLVMValueRef bytes =
        LLVMConstStringInContext2(h->context, text, strlen(text), /* DontNullTerminate */ 0);
    LLVMValueRef global = LLVMAddGlobal(h->module, LLVMTypeOf(bytes), "cz.text");
    LLVMSetInitializer(global, bytes);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    map_put_text(&h->texts, text, (uintptr_t)global);
    return global;
}

LLVMValueRef hardware_call(struct hardware *h, const char *name, LLVMTypeRef result,
                           LLVMValueRef *args, unsigned count)
{
    LLVMTypeRef types[5];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    LLVMValueRef f = LLVMGetNamedFunction(h->module, name);
    if (!f)
        f = LLVMAddFunction(h->module, name, type);
    return LLVMBuildCall2(h->builder, type, f, args, count, "");
}

void hardware_read(struct hardware *h, LLVMValueRef address, uint64_t size, const char *name,
                   const char *type, unsigned flags)
{
    LLVMValueRef args[] = {address, hardware_size(h, size), hardware_text(h, name),
                           hardware_text(h, type), LLVMConstInt(h->i32, flags, 0)};
    hardware_call(h, "cz_hw_read", h->nothing, args, 5);
}

LLVMValueRef hardware_fresh(struct hardware *h, LLVMValueRef before, const char *name,
                            LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(h->function);
    LLVMPositionBuilderBefore(h->builder, LLVMGetFirstInstruction(entry));
    LLVMValueRef room = LLVMBuildAlloca(h->builder, type, "");
    hardware_before(h, before);
    if (kind == LLVMPointerTypeKind) { // to memory that is there; no optimiser knows which
        LLVMBuildStore(h->builder, hardware_memory(h, HW_HIGHEST - 0x10000), room);
        LLVMValueRef pointer = LLVMBuildLoad2(h->builder, type, room, "");
        LLVMSetVolatile(pointer, 1);
        return pointer;
    }
    LLVMBuildStore(h->builder, LLVMConstNull(type), room);
    unsigned flags = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ? HW_FLOAT : 0;
    hardware_read(h, room, LLVMStoreSizeOfType(h->layout, type), name, "", flags | HW_OUTPUT);
    return LLVMBuildLoad2(h->builder, type, room, "");
}

void hardware_given(struct hardware *h, LLVMValueRef call)
{
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        LLVMValueRef v = LLVMGetOperand(call, k);
        if (LLVMTypeOf(v) == h->word)
            v = LLVMBuildIntToPtr(h->builder, v, h->ptr, "");
        if (LLVMTypeOf(v) == h->ptr)
            hardware_call(h, "cz_hw_given", h->nothing, &v, 1);
    }
}

void hardware_note(struct hardware *h, LLVMValueRef instruction, const char *text)
{
    LLVMMetadataRef where = LLVMInstructionGetDebugLoc(instruction);
    const char *function = hardware_plain_name(h, pass_source_name(h->function));
    struct hardware_use use = {.function = arena_strdup(h->arena, function), .what = text};
    if (where) {
        use.line = LLVMDILocationGetLine(where);
        use.text = pass_text(where);
    }
    *VEC_PUSH(&h->uses) = use;
}

// ---- addresses ----

static LLVMOpcode opcode_of(LLVMValueRef v)
{
    if (LLVMIsAInstruction(v))
        return LLVMGetInstructionOpcode(v);
    return LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v) : (LLVMOpcode)0;
}

// What casts of a constant come to: clang leaves (volatile char *)(uint16_t)&REG like that.
// Registers may have moved already; their numbers have not.
static bool fold(struct hardware *h, LLVMValueRef v, uint64_t *value)
{
    if (hardware_is_memory(h, v, value))
        return true;
    if (LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64) {
        *value = LLVMConstIntGetZExtValue(v);
        return true;
    }
    LLVMOpcode opcode = opcode_of(v);
    if ((opcode != LLVMZExt && opcode != LLVMTrunc && opcode != LLVMPtrToInt &&
         opcode != LLVMIntToPtr) ||
        !fold(h, LLVMGetOperand(v, 0), value))
        return false;
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 64)
        *value &= (1ull << LLVMGetIntTypeWidth(type)) - 1;
    return true;
}

// A pointer that is loaded from a constant of the file is what that constant holds.
static LLVMValueRef see_through(struct hardware *h, LLVMValueRef v)
{
    if (!LLVMIsALoadInst(v) || LLVMGetVolatile(v))
        return v;
    LLVMValueRef from = LLVMGetOperand(v, 0);
    uint64_t number;
    if (!LLVMIsAGlobalVariable(from) || !LLVMIsGlobalConstant(from) || LLVMIsDeclaration(from) ||
        LLVMGetLinkage(from) == LLVMWeakAnyLinkage)
        return v;
    LLVMValueRef holds = LLVMGetInitializer(from);
    bool known =
        holds && (hardware_is_constant(holds, &number) || hardware_is_memory(h, holds, &number));
    return known ? holds : v;
}

struct place hardware_place(struct hardware *h, LLVMValueRef address)
{
    struct place place = {.kind = PLACE_UNKNOWN, .exact = true};
    uint64_t number;
    for (LLVMValueRef v = address;; v = LLVMGetOperand(v, 0)) {
        v = see_through(h, v);
        place.root = v;
        if (!gep_is(v) || hardware_is_memory(h, v, &number))
            break;
        if (!gep_step(h->layout, v, &place.offset)) {
            place.exact = false;
            place.offset = 0;
        }
    }
    if (LLVMIsAAllocaInst(place.root)) {
        place.kind = PLACE_LOCAL;
    } else if (hardware_is_memory(h, place.root, &number)) {
        place.kind = place.exact ? PLACE_REGISTER : PLACE_UNKNOWN;
        place.address = number + (uint64_t)place.offset;
    } else if (LLVMIsAGlobalVariable(place.root)) {
        place.kind = PLACE_GLOBAL;
    }
    return place;
}

// ---- constant addresses ----

static bool is_address(uint64_t value)
{
    return value >= HW_LOWEST && value < HW_HIGHEST;
}

// Widening an address from a signed 32-bit type has set the upper half.
static uint64_t without_sign(uint64_t value)
{
    return value >> 31 == 0x1ffffffffull ? value & 0xffffffffull : value;
}

struct constants {
    struct hardware *h;
    struct map functions; // of the code under test, by name
    struct map seen;
    VEC(LLVMValueRef) found;
};

static void find_constants(struct constants *c, LLVMValueRef v)
{
    uint64_t number;
    if (!v || !LLVMIsAConstant(v) || LLVMIsAGlobalValue(v) || LLVMGetNumOperands(v) <= 0 ||
        map_get(&c->seen, (uintptr_t)v, NULL))
        return;
    map_put(&c->seen, (uintptr_t)v, 1);
    if (hardware_is_constant(v, &number) && is_address(without_sign(number)))
        *VEC_PUSH(&c->found) = v;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (LLVMGetOperand(v, (unsigned)i))
            find_constants(c, LLVMGetOperand(v, (unsigned)i));
}

// The driver also names numbers that a pointer may be, such as one more than the code looks for.
// Those are addresses of registers only if the code itself has them.
static bool is_of_driver(struct constants *c, const char *function)
{
    return strncmp(function, "drive_", 6) == 0 &&
           !map_get_text(&c->functions, hardware_plain_name(c->h, function), NULL);
}

// Also what a local variable starts with: __const.FUNCTION.NAME.
static bool starts_local_of_driver(struct constants *c, LLVMValueRef global)
{
    const char *name = pass_name(global);
    if (strncmp(name, "__const.", 8) != 0)
        return false;
    return is_of_driver(c, arena_strndup(c->h->arena, name + 8, strcspn(name + 8, ".")));
}

static void list_functions(struct constants *c)
{
    const struct program *program = c->h->request->program;
    for (size_t i = 0; i < program->function_count; i++)
        if (program->functions[i].defined)
            map_put_text(&c->functions, program->functions[i].name, 1);
}

static void find_in_function(struct constants *c, LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            for (int k = 0; k < LLVMGetNumOperands(i); k++)
                find_constants(c, LLVMGetOperand(i, (unsigned)k));
}

static void move_constants(struct hardware *h)
{
    struct constants c = {.h = h};
    map_init(&c.seen);
    map_init(&c.functions);
    list_functions(&c);
    for (LLVMValueRef f = LLVMGetFirstFunction(h->module); f; f = LLVMGetNextFunction(f))
        if (!is_of_driver(&c, pass_source_name(f)))
            find_in_function(&c, f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(h->module); g; g = LLVMGetNextGlobal(g))
        if (!starts_local_of_driver(&c, g))
            find_constants(&c, LLVMGetInitializer(g));
    for (size_t i = 0; i < c.found.count; i++) {
        uint64_t number = 0;
        hardware_is_constant(c.found.items[i], &number);
        LLVMValueRef memory = hardware_memory(h, without_sign(number));
        if (memory != c.found.items[i])
            LLVMReplaceAllUsesWith(c.found.items[i], memory);
        h->result->changed = true;
    }
    if (c.found.count)
        hardware_register_table(h);
    map_release(&c.functions);
    map_release(&c.seen);
    VEC_RELEASE(&c.found);
}

// Code at a fixed address (a boot loader, a ROM): nothing of it is here.
static void leave_out_call(struct hardware *h, LLVMValueRef call, uint64_t address)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    const char *name = arena_printf(h->arena, "code_0x%08llx", (unsigned long long)address);
    hardware_note(h, call,
                  arena_printf(h->arena, "the code at 0x%08llx that it calls is left out",
                               (unsigned long long)address));
    hardware_before(h, call);
    LLVMValueRef label = hardware_text(h, name);
    hardware_given(h, call);
    hardware_call(h, "cz_hw_asm", h->nothing, &label, 1);
    if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(call, hardware_fresh(h, call, name, type));
    LLVMInstructionEraseFromParent(call);
}

// ---- reads and writes ----

static bool is_boolean(LLVMValueRef load)
{
    for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsATruncInst(user) && LLVMGetIntTypeWidth(LLVMTypeOf(user)) == 1)
            return true;
    }
    return false;
}

static unsigned flags_of_type(LLVMValueRef load)
{
    switch (LLVMGetTypeKind(LLVMTypeOf(load))) {
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: return HW_FLOAT;
    case LLVMIntegerTypeKind: return is_boolean(load) ? HW_BOOL : 0;
    default: return 0;
    }
}

// Where a volatile access goes whose address is found out at run time. A small number is
// an address only when the pointer itself is not NULL: else it is NULL and a distance.
static LLVMValueRef translate(struct hardware *h, LLVMValueRef i, unsigned operand,
                              struct place *place)
{
    LLVMValueRef address = LLVMGetOperand(i, operand);
    uint64_t number;
    if (opcode_of(place->root) == LLVMIntToPtr && place->exact && fold(h, place->root, &number) &&
        number > 0 && number < HW_HIGHEST) {
        place->kind = PLACE_REGISTER;
        place->address = number + (uint64_t)place->offset;
        address = hardware_memory(h, place->address);
    } else {
        LLVMValueRef args[] = {address, place->root};
        address = hardware_call(h, "cz_hw_address", h->ptr, args, 2);
        h->translates = true;
    }
    LLVMSetOperand(i, operand, address);
    return address;
}

// A constant of the unit that is volatile, in all of its files.
static bool is_calibration(struct hardware *h, const struct place *place)
{
    if (place->kind != PLACE_GLOBAL)
        return false;
    const struct variable *variable = hardware_variable(h, pass_source_name(place->root));
    return variable && variable->is_const && !variable->is_extern_only;
}

static void volatile_load(struct hardware *h, LLVMValueRef i)
{
    LLVMValueRef address = LLVMGetOperand(i, 0);
    struct place place = hardware_place(h, address);
    if (place.kind == PLACE_LOCAL && !h->request->plain_memory &&
        hardware_is_given_away(place.root))
        hardware_unseen(h, i);
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind) {
        hardware_before(h, i);
        if (place.kind == PLACE_UNKNOWN)
            address = translate(h, i, 0, &place);
        hardware_pointer(h, i, address, HW_POINTER_READ);
        return;
    }
    if (place.kind == PLACE_LOCAL || (place.kind == PLACE_GLOBAL && h->request->plain_memory))
        return;
    const char *type;
    hardware_before(h, i);
    if (h->request->interrupts)
        hardware_call(h, "cz_interrupt", h->nothing, NULL, 0);
    const char *original = NULL;
    if (place.kind == PLACE_UNKNOWN) {
        original = hardware_name(h, &place, address, &type);
        address = translate(h, i, 0, &place);
    }
    unsigned flags = flags_of_type(i);
    if (place.kind == PLACE_UNKNOWN) {
        flags |= HW_DYNAMIC | (h->request->plain_memory ? HW_REGISTERS : 0);
        LLVMInsertIntoBuilder(h->builder, LLVMInstructionClone(i)); // fails if it is bad
    } else if (is_calibration(h, &place)) {
        flags |= HW_ONCE;
    }
    const char *name =
        place.kind == PLACE_UNKNOWN ? original : hardware_name(h, &place, address, &type);
    hardware_read(h, address, LLVMStoreSizeOfType(h->layout, LLVMTypeOf(i)), name, type, flags);
}

// What nobody has written reads as an input, and then keeps its value.
static void plain_load(struct hardware *h, LLVMValueRef i)
{
    struct place place = hardware_place(h, LLVMGetOperand(i, 0));
    const char *type;
    if (place.kind != PLACE_REGISTER)
        return;
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind) {
        hardware_pointer(h, i, LLVMGetOperand(i, 0), HW_POINTER_READ | HW_POINTER_PLAIN);
        return;
    }
    hardware_before(h, i);
    const char *name = hardware_name(h, &place, LLVMGetOperand(i, 0), &type);
    hardware_read(h, LLVMGetOperand(i, 0), LLVMStoreSizeOfType(h->layout, LLVMTypeOf(i)), name,
                  type, flags_of_type(i) | HW_PLAIN);
}

static void store(struct hardware *h, LLVMValueRef i)
{
    struct place place = hardware_place(h, LLVMGetOperand(i, 1));
    if (LLVMGetVolatile(i) &&
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMPointerTypeKind)
        hardware_pointer(h, i, LLVMGetOperand(i, 1), 0);
    if (place.kind == PLACE_UNKNOWN && LLVMGetVolatile(i)) {
        hardware_before(h, i);
        translate(h, i, 1, &place);
    } else if (place.kind != PLACE_REGISTER) {
        return;
    }
    hardware_before(h, i);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
    LLVMValueRef args[] = {LLVMGetOperand(i, 1),
                           hardware_size(h, LLVMStoreSizeOfType(h->layout, type))};
    hardware_call(h, "cz_hw_written", h->nothing, args, 2);
}

// A record that is copied as a whole. That the copy is volatile may be said of its
// destination only, so it is read from registers and volatile variables alone. Of others it
// is counted that they may have changed.
static void block_copy(struct hardware *h, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 1), length = LLVMGetOperand(i, 2);
    struct place place = hardware_place(h, from);
    const struct variable *variable = place.kind == PLACE_GLOBAL && !h->request->plain_memory
                                          ? hardware_variable(h, pass_source_name(place.root))
                                          : NULL;
    bool fresh = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 3)) != 0;
    if (!LLVMIsAConstantInt(length) ||
        !(place.kind == PLACE_REGISTER || (variable && variable->is_volatile && fresh))) {
        if (fresh && place.kind != PLACE_LOCAL && !h->request->plain_memory)
            hardware_unseen(h, i);
        return;
    }
    const char *type;
    hardware_before(h, i);
    const char *name = hardware_name(h, &place, from, &type);
    hardware_read(h, from, LLVMConstIntGetZExtValue(length), name, "",
                  (fresh ? 0 : HW_PLAIN) | (is_calibration(h, &place) ? HW_ONCE : 0));
}

static void call(struct hardware *h, LLVMValueRef i)
{
    LLVMValueRef callee = LLVMGetCalledValue(i);
    uint64_t number;
    if (LLVMIsAInlineAsm(callee))
        hardware_assembly(h, i);
    else if (hardware_is_memory(h, callee, &number))
        leave_out_call(h, i, number);
    else if (LLVMIsAFunction(callee) && hardware_atomic_call(h, i, pass_name(callee)))
        return;
    else if (LLVMIsAFunction(callee) && (strncmp(pass_name(callee), "llvm.memcpy.", 12) == 0 ||
                                         strncmp(pass_name(callee), "llvm.memmove.", 13) == 0))
        block_copy(h, i);
}

static void instruction(struct hardware *h, LLVMValueRef i)
{
    hardware_plain(h, i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPtrToInt: hardware_as_number(h, i); break;
    case LLVMLoad:
        if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
            hardware_atomic(h, i);
        else if (LLVMGetVolatile(i))
            volatile_load(h, i);
        else
            plain_load(h, i);
        break;
    case LLVMStore:
        if (LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic)
            store(h, i);
        else
            hardware_atomic(h, i);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: hardware_atomic(h, i); break;
    case LLVMFence: hardware_fence(h, i); break;
    case LLVMCall:
    case LLVMCallBr: call(h, i); break;
    default: break;
    }
}

// ---- the module ----

static void rewrite_function(struct hardware *h, LLVMValueRef f)
{
    VEC(LLVMValueRef) code = {0}; // what is there before we add to it
    h->function = f;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            *VEC_PUSH(&code) = i;
    for (size_t k = 0; k < code.count; k++)
        instruction(h, code.items[k]);
    VEC_RELEASE(&code);
    hardware_loops(h);
}

static void drop_module_assembly(struct hardware *h)
{
    size_t length;
    LLVMGetModuleInlineAsm(h->module, &length);
    if (!length)
        return;
    LLVMSetModuleInlineAsm2(h->module, "", 0);
    h->result->changed = true;
    *VEC_PUSH(&h->uses) =
        (struct hardware_use){.function = "", .what = "assembly outside of functions is left out"};
}

// A volatile constant can be written to, before anything is read from it.
static void open_calibrations(struct hardware *h)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(h->module); g; g = LLVMGetNextGlobal(g)) {
        const struct variable *variable = hardware_variable(h, pass_source_name(g));
        if (!LLVMIsGlobalConstant(g) || !variable || !variable->is_volatile)
            continue;
        LLVMSetGlobalConstant(g, 0);
        h->result->changed = true;
    }
}

static bool is_ours(LLVMValueRef f)
{
    return strncmp(pass_name(f), "cz_", 3) == 0 && strcmp(pass_name(f), "cz_user_main") != 0;
}

static void rewrite(struct hardware *h)
{
    drop_module_assembly(h);
    move_constants(h);
    for (LLVMValueRef f = LLVMGetFirstFunction(h->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !is_ours(f))
            rewrite_function(h, f);
    weak_rewrite(h); // its reads are volatile, and no hardware's
    if (h->narrow && h->translates && !h->has_table)
        hardware_register_table(h); // or there is no memory for any
    if (!h->request->plain_memory)
        open_calibrations(h);
}

static void init(struct hardware *h)
{
    h->context = LLVMContextCreate();
    h->builder = LLVMCreateBuilderInContext(h->context);
    h->i8 = LLVMInt8TypeInContext(h->context);
    h->i32 = LLVMInt32TypeInContext(h->context);
    h->i64 = LLVMInt64TypeInContext(h->context);
    h->ptr = LLVMPointerTypeInContext(h->context, 0);
    h->nothing = LLVMVoidTypeInContext(h->context);
    map_init(&h->texts);
    map_init(&h->variables);
    hardware_list_variables(h);
}

static void release(struct hardware *h)
{
    map_release(&h->texts);
    map_release(&h->variables);
    VEC_RELEASE(&h->uses);
    LLVMDisposeBuilder(h->builder);
    if (h->module)
        LLVMDisposeModule(h->module);
    LLVMContextDispose(h->context);
}

bool instrument_hardware(const struct hardware_request *request, struct arena *arena,
                         struct hardware_result *result, struct error *err)
{
    struct hardware h = {.request = request, .arena = arena, .result = result};
    *result = (struct hardware_result){0};
    init(&h);
    bool good = module_load(h.context, request->bitcode, &h.module, err);
    if (good) {
        h.layout = LLVMGetModuleDataLayout(h.module);
        h.narrow = LLVMPointerSize(h.layout) == 4;
        h.word = LLVMIntTypeInContext(h.context, 8 * LLVMPointerSize(h.layout));
        rewrite(&h);
        result->uses = arena_array(arena, struct hardware_use, h.uses.count + 1);
        if (h.uses.count)
            memcpy(result->uses, h.uses.items, h.uses.count * sizeof *result->uses);
        result->use_count = h.uses.count;
        if (result->changed)
            good = pass_write(LLVMWriteBitcodeToMemoryBuffer(h.module), request->bitcode, err);
    }
    release(&h);
    return good;
}
