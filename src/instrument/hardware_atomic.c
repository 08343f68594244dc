// SPDX-License-Identifier: Apache-2.0
// Atomic objects. Other threads may change one between any two reads, so what an atomic
// operation finds in memory is an input of its own, as with volatile variables: it is put there
// just before. That the task has just written the object makes no difference. Pointers are left as
// they are, because any number is no pointer; the runtime counts when one is read again.
//
// Operations on objects that are too wide for the machine are calls of libatomic; they become
// copies.
#include "instrument/hardware.h"

#include "instrument/pass.h"
#include <string.h>

static bool holds_pointer(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind: return true;
    case LLVMArrayTypeKind: return holds_pointer(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            if (holds_pointer(LLVMStructGetTypeAtIndex(type, i)))
                return true;
        return false;
    default: return false;
    }
}

// clang reads and writes pointers and records as integers, by way of a temporary of their type.
static bool is_of_pointer(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address))
        address = LLVMGetOperand(address, 0);
    if (LLVMIsAAllocaInst(address))
        return holds_pointer(LLVMGetAllocatedType(address));
    return LLVMIsAGlobalVariable(address) && holds_pointer(LLVMGlobalGetValueType(address));
}

static bool comes_from_pointer(LLVMValueRef v)
{
    return LLVMIsAPtrToIntInst(v) || (LLVMIsALoadInst(v) && is_of_pointer(LLVMGetOperand(v, 0)));
}

static bool becomes_pointer(LLVMValueRef v)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAIntToPtrInst(user) ||
            (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v &&
             is_of_pointer(LLVMGetOperand(user, 1))) ||
            (LLVMIsAExtractValueInst(user) && becomes_pointer(user)))
            return true;
    }
    return false;
}

static bool is_pointer_access(struct hardware *h, LLVMValueRef i, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return true;
    if (LLVMStoreSizeOfType(h->layout, type) < LLVMPointerSize(h->layout))
        return false;
    unsigned first = LLVMIsAStoreInst(i) ? 0 : 1, end = LLVMIsAStoreInst(i) ? 1 : 3;
    for (unsigned k = first; k < end && k < (unsigned)LLVMGetNumOperands(i); k++)
        if (comes_from_pointer(LLVMGetOperand(i, k)))
            return true;
    LLVMValueRef root = hardware_place(h, LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0)).root;
    return (!LLVMIsAStoreInst(i) && becomes_pointer(i)) ||
           (LLVMIsAGlobalVariable(root) && LLVMGlobalGetValueType(root) == h->ptr);
}

static bool is_of_unit(struct hardware *h)
{
    const struct program *program = h->request->program;
    const char *name = hardware_plain_name(h, pass_source_name(h->function));
    for (size_t i = 0; i < program->function_count; i++)
        if (program->functions[i].defined && strcmp(program->functions[i].name, name) == 0)
            return true;
    return false;
}

void hardware_pointer(struct hardware *h, LLVMValueRef i, LLVMValueRef address, unsigned flags)
{
    enum place_kind kind = hardware_place(h, address).kind;
    if (kind == PLACE_LOCAL || (kind == PLACE_GLOBAL && h->request->plain_memory) || !is_of_unit(h))
        return;
    hardware_before(h, i);
    flags |= h->request->plain_memory ? HW_POINTER_REGISTER : 0;
    LLVMValueRef args[] = {address, LLVMConstInt(h->i32, flags, 0)};
    hardware_call(h, "cz_hw_pointer", h->nothing, args, 2);
}

// Does the object at this address get a new value here?
static bool is_shared(struct hardware *h, const struct place *place)
{
    return place->kind != PLACE_LOCAL &&
           (place->kind == PLACE_REGISTER || !h->request->plain_memory);
}

// ---- what others do to plain memory ----

static void presume(struct hardware *h, LLVMValueRef i, unsigned loss)
{
    LLVMValueRef number = LLVMConstInt(h->i32, loss, 0);
    if (h->request->plain_memory || !is_of_unit(h))
        return;
    hardware_before(h, i);
    hardware_call(h, "cz_hw_presume", h->nothing, &number, 1);
}

void hardware_fence(struct hardware *h, LLVMValueRef i)
{
    presume(h, i, WIRE_LOSS_THREADS);
}

// Does it show what another thread has written before it released the object?
static bool acquires(LLVMValueRef i)
{
    LLVMAtomicOrdering order =
        LLVMIsAAtomicCmpXchgInst(i) ? LLVMGetCmpXchgSuccessOrdering(i) : LLVMGetOrdering(i);
    return !LLVMIsAStoreInst(i) &&
           (order == LLVMAtomicOrderingAcquire || order == LLVMAtomicOrderingAcquireRelease ||
            order == LLVMAtomicOrderingSequentiallyConsistent);
}

// ---- atomic objects ----

static void read_anew(struct hardware *h, LLVMValueRef address, uint64_t size, unsigned flags)
{
    struct place place = hardware_place(h, address);
    const char *type;
    if (h->request->interrupts)
        hardware_call(h, "cz_interrupt", h->nothing, NULL, 0);
    if (place.kind == PLACE_UNKNOWN)
        flags |= HW_DYNAMIC;
    const char *name = hardware_name(h, &place, address, &type);
    if (size > 8)
        type = "";
    hardware_read(h, address, size, name, type, flags | HW_ATOMIC);
}

void hardware_atomic(struct hardware *h, LLVMValueRef i)
{
    bool stores = LLVMIsAStoreInst(i) != NULL;
    LLVMValueRef address = LLVMGetOperand(i, stores ? 1 : 0);
    LLVMTypeRef type =
        LLVMIsALoadInst(i) ? LLVMTypeOf(i) : LLVMTypeOf(LLVMGetOperand(i, stores ? 0 : 1));
    struct place place = hardware_place(h, address);
    if (!is_shared(h, &place) || !is_of_unit(h))
        return;
    if (acquires(i))
        hardware_fence(h, i);
    if (LLVMIsAAtomicCmpXchgInst(i) && LLVMGetWeak(i))
        presume(h, i, WIRE_LOSS_SPURIOUS);
    if (is_pointer_access(h, i, type)) {
        hardware_pointer(h, i, address, stores ? 0 : HW_POINTER_READ);
        return;
    }
    if (stores)
        return;
    hardware_before(h, i);
    if (place.kind == PLACE_UNKNOWN) // fails if the address is bad
        LLVMSetVolatile(LLVMBuildLoad2(h->builder, type, address, ""), 1);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned flags = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ? HW_FLOAT : 0;
    read_anew(h, address, LLVMStoreSizeOfType(h->layout, type), flags);
}

// ---- calls of libatomic ----

static void copy(struct hardware *h, LLVMValueRef to, LLVMValueRef from, LLVMValueRef size)
{
    LLVMBuildMemCpy(h->builder, to, 1, from, 1, size);
}

static void read_wide(struct hardware *h, LLVMValueRef call, LLVMValueRef temporary)
{
    LLVMValueRef size = LLVMGetOperand(call, 0), address = LLVMGetOperand(call, 1);
    struct place place = hardware_place(h, address);
    if (!is_shared(h, &place) || !is_of_unit(h) || !LLVMIsAConstantInt(size))
        return;
    hardware_fence(h, call);
    if (is_of_pointer(place.root) || is_of_pointer(temporary)) {
        hardware_pointer(h, call, address, HW_POINTER_READ);
        return;
    }
    if (place.kind == PLACE_UNKNOWN)
        LLVMSetVolatile(LLVMBuildLoad2(h->builder, h->i8, address, ""), 1);
    read_anew(h, address, LLVMConstIntGetZExtValue(size), 0);
}

// __atomic_compare_exchange(size, object, expected, desired, order, order)
static LLVMValueRef compare_exchange(struct hardware *h, LLVMValueRef call)
{
    LLVMValueRef size = LLVMGetOperand(call, 0), object = LLVMGetOperand(call, 1);
    LLVMValueRef expected = LLVMGetOperand(call, 2), desired = LLVMGetOperand(call, 3);
    LLVMValueRef compared[] = {object, expected, size};
    LLVMValueRef differ = hardware_call(h, "memcmp", h->i32, compared, 3);
    LLVMValueRef same =
        LLVMBuildICmp(h->builder, LLVMIntEQ, differ, LLVMConstInt(h->i32, 0, 0), "");
    copy(h, LLVMBuildSelect(h->builder, same, object, expected, ""),
         LLVMBuildSelect(h->builder, same, desired, object, ""), size);
    return LLVMBuildZExtOrBitCast(h->builder, same, LLVMTypeOf(call), "");
}

bool hardware_atomic_call(struct hardware *h, LLVMValueRef call, const char *name)
{
    static const char prefix[] = "__atomic_";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    const char *what = name + sizeof prefix - 1;
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMValueRef result = NULL, size = LLVMGetOperand(call, 0);
    hardware_before(h, call);
    if (strcmp(what, "load") == 0 && count == 4) {
        read_wide(h, call, LLVMGetOperand(call, 2));
        copy(h, LLVMGetOperand(call, 2), LLVMGetOperand(call, 1), size);
    } else if (strcmp(what, "store") == 0 && count == 4) {
        copy(h, LLVMGetOperand(call, 1), LLVMGetOperand(call, 2), size);
    } else if (strcmp(what, "exchange") == 0 && count == 5) {
        read_wide(h, call, LLVMGetOperand(call, 3));
        copy(h, LLVMGetOperand(call, 3), LLVMGetOperand(call, 1), size);
        copy(h, LLVMGetOperand(call, 1), LLVMGetOperand(call, 2), size);
    } else if (strcmp(what, "compare_exchange") == 0 && count == 6) {
        read_wide(h, call, LLVMGetOperand(call, 2));
        result = compare_exchange(h, call);
    } else {
        return false;
    }
    if (result)
        LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
    return true;
}
