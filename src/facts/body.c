// SPDX-License-Identifier: Apache-2.0
// The body of a function as definitions and effects. Values that may be pointers become
// nodes: pointers, numbers made from pointers, and records that hold them in registers.
#include "facts/facts_module.h"

#include <stdio.h>
#include <string.h>

static bool may_point(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMPointerTypeKind || kind == LLVMStructTypeKind ||
           kind == LLVMVectorTypeKind || kind == LLVMArrayTypeKind;
}

static uint32_t new_node(struct reader *r, LLVMValueRef value)
{
    uint32_t node = r->body->node_count++;
    if (value)
        map_put(&r->nodes, (uintptr_t)value, node + 1);
    return node;
}

static void define(struct reader *r, uint32_t node, uint32_t base, struct place place)
{
    *VEC_PUSH(&r->body->defs) =
        (struct def){DEF_BASE, node, base, place.offset, place.span, place.field};
}

static uint32_t simple_node(struct reader *r, enum base_kind kind, uint32_t id)
{
    uint32_t node = new_node(r, NULL);
    define(r, node, base_get(r->facts, kind, id), (struct place){NONE, 0, 0, NONE, false});
    return node;
}

static uint32_t field_of(struct reader *r, const struct place *place)
{
    LLVMValueRef global =
        LLVMGetNamedGlobal(r->module, r->facts->symbols.items[place->symbol].name);
    uint32_t field =
        global ? address_field(r, LLVMGlobalGetValueType(global), place->offset) : NONE;
    return field != NONE ? field : place->field;
}

static uint32_t constant_node(struct reader *r, LLVMValueRef value)
{
    struct place place;
    if (!address_constant(r, value, &place))
        return NONE;
    uint32_t node = new_node(r, value);
    if (place.fixed) {
        define(r, node, base_get(r->facts, BASE_FIXED, 0), place);
        return node;
    }
    struct symbol *symbol = &r->facts->symbols.items[place.symbol];
    if (!symbol->is_function && place.span == 0)
        place.field = field_of(r, &place);
    enum base_kind kind = symbol->is_function ? BASE_FUNCTION : BASE_GLOBAL;
    symbol->address_taken |= symbol->is_function;
    define(r, node, base_get(r->facts, kind, place.symbol), place);
    return node;
}

// The node of a value; NONE: it points nowhere.
static uint32_t node_of(struct reader *r, LLVMValueRef value)
{
    uint64_t known;
    if (map_get(&r->nodes, (uintptr_t)value, &known))
        return (uint32_t)known - 1;
    if (LLVMIsConstant(value))
        return constant_node(r, value);
    return may_point(LLVMTypeOf(value)) ? new_node(r, value) : NONE;
}

static void add_def(struct reader *r, enum def_kind kind, LLVMValueRef to, LLVMValueRef from,
                    struct step step)
{
    uint32_t source = node_of(r, from);
    if (source == NONE)
        return;
    uint64_t known;
    uint32_t node =
        map_get(&r->nodes, (uintptr_t)to, &known) ? (uint32_t)known - 1 : new_node(r, to);
    *VEC_PUSH(&r->body->defs) =
        (struct def){kind, node, source, step.offset, step.span, step.field};
}

static void copy(struct reader *r, LLVMValueRef to, LLVMValueRef from)
{
    add_def(r, DEF_COPY, to, from, (struct step){0, 0, NONE});
}

// ---- writes ----

static int64_t bits_of(struct reader *r, LLVMTypeRef type)
{
    return (int64_t)LLVMStoreSizeOfType(r->layout, type) * 8;
}

// A bit-field is written as `*p = (*p & mask) | bits`: only what the mask clears changes.
static void narrow_bits(LLVMValueRef value, LLVMValueRef address, struct body_write *write)
{
    if (!LLVMIsABinaryOperator(value) || LLVMGetInstructionOpcode(value) != LLVMOr)
        return;
    LLVMValueRef clear = LLVMGetOperand(value, 0);
    if (!LLVMIsABinaryOperator(clear) || LLVMGetInstructionOpcode(clear) != LLVMAnd)
        return;
    LLVMValueRef load = LLVMGetOperand(clear, 0), mask = LLVMGetOperand(clear, 1);
    if (!LLVMIsALoadInst(load) || LLVMGetOperand(load, 0) != address || !LLVMIsAConstantInt(mask) ||
        LLVMGetIntTypeWidth(LLVMTypeOf(mask)) > 64)
        return;
    uint64_t changed = ~LLVMConstIntGetZExtValue(mask);
    int64_t low = 0, high = write->to;
    if (high < 64)
        changed &= (1ull << high) - 1;
    if (!changed)
        return;
    while (!(changed >> low & 1))
        low++;
    while (!(changed >> (high - 1) & 1))
        high--;
    write->from = low;
    write->to = high;
}

static void add_write(struct reader *r, LLVMValueRef address, LLVMValueRef value, int64_t bits)
{
    uint32_t node = node_of(r, address);
    if (node == NONE)
        return;
    struct body_write write = {node, 0, bits, false, address_bound(r, address)};
    if (value)
        narrow_bits(value, address, &write);
    *VEC_PUSH(&r->body->writes) = write;
}

static void read_store(struct reader *r, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0), address = LLVMGetOperand(i, 1);
    uint64_t known;
    add_write(r, address, value, bits_of(r, LLVMTypeOf(value)));
    bool number = !may_point(LLVMTypeOf(value)) && !map_get(&r->nodes, (uintptr_t)value, &known);
    uint32_t to = node_of(r, address), from = number ? NONE : node_of(r, value);
    if (to != NONE && from != NONE)
        *VEC_PUSH(&r->body->stores) = (struct body_store){to, from};
}

static void add_block_write(struct reader *r, LLVMValueRef address, LLVMValueRef size)
{
    uint32_t node = node_of(r, address);
    if (node == NONE)
        return;
    struct body_write write = {node, 0, 0, true, address_extent(size)};
    if (LLVMIsAConstantInt(size)) {
        write.all = false;
        write.to = (int64_t)LLVMConstIntGetZExtValue(size) * 8;
    }
    *VEC_PUSH(&r->body->writes) = write;
}

// ---- calls ----

static void unknown(struct reader *r, uint32_t phrase)
{
    for (size_t i = 0; i < r->body->unknown.count; i++)
        if (r->body->unknown.items[i] == phrase)
            return;
    *VEC_PUSH(&r->body->unknown) = phrase;
}

static bool read_intrinsic(struct reader *r, LLVMValueRef call, const char *name)
{
    if (strncmp(name, "llvm.", 5) != 0)
        return false;
    bool moves = strncmp(name, "llvm.memcpy", 11) == 0 || strncmp(name, "llvm.memmove", 12) == 0;
    if (moves || strncmp(name, "llvm.memset", 11) == 0)
        add_block_write(r, LLVMGetOperand(call, 0), LLVMGetOperand(call, 2));
    if (moves) {
        uint32_t to = node_of(r, LLVMGetOperand(call, 0)),
                 from = node_of(r, LLVMGetOperand(call, 1));
        if (to != NONE && from != NONE)
            *VEC_PUSH(&r->body->copies) = (struct body_copy){to, from};
    }
    if (strncmp(name, "llvm.va_start", 13) == 0) {
        uint32_t list = node_of(r, LLVMGetOperand(call, 0)), inside = new_node(r, NULL);
        uint32_t any = simple_node(r, BASE_UNKNOWN, 0);
        if (list != NONE) {
            *VEC_PUSH(&r->body->defs) = (struct def){DEF_OFFSET, inside, list, 0, SPAN_ANY, NONE};
            *VEC_PUSH(&r->body->stores) = (struct body_store){inside, any};
        }
    }
    return true;
}

static void add_call(struct reader *r, LLVMValueRef call, LLVMValueRef callee)
{
    struct body *body = r->body;
    struct place place = {.symbol = NONE};
    struct body_call out = {.callee = NONE, .target = NONE, .result = NONE, .block = r->block};
    if (address_constant(r, callee, &place) && place.symbol != NONE &&
        r->facts->symbols.items[place.symbol].is_function)
        out.callee = place.symbol;
    else
        out.target = node_of(r, callee);
    out.first = (uint32_t)body->arguments.count;
    out.count = LLVMGetNumArgOperands(call);
    for (unsigned i = 0; i < out.count; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        uint32_t node = node_of(r, argument);
        *VEC_PUSH(&body->arguments) = node;
        *VEC_PUSH(&body->extents) = address_extent(argument);
    }
    if (may_point(LLVMTypeOf(call)))
        out.result = node_of(r, call);
    *VEC_PUSH(&body->calls) = out;
}

static void read_call(struct reader *r, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    if (LLVMIsAInlineAsm(callee)) {
        // An empty one is a barrier.
        const char *text = LLVMGetInlineAsmAsmString(callee, &length);
        if (length && text)
            unknown(r, phrase_get(r->facts, "runs assembly"));
        return;
    }
    if (!LLVMIsAFunction(callee) || !read_intrinsic(r, call, LLVMGetValueName2(callee, &length)))
        add_call(r, call, callee);
}

// ---- values ----

static void read_int_to_pointer(struct reader *r, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    uint64_t known;
    if (map_get(&r->nodes, (uintptr_t)from, &known)) {
        copy(r, i, from);
        return;
    }
    enum base_kind kind = LLVMIsAConstantInt(from) ? BASE_FIXED : BASE_UNKNOWN;
    define(r, node_of(r, i), base_get(r->facts, kind, 0), (struct place){NONE, 0, 0, NONE, false});
}

// Arithmetic on a number that was a pointer.
static void read_arithmetic(struct reader *r, LLVMValueRef i)
{
    uint64_t known;
    for (unsigned k = 0; k < 2; k++)
        if (map_get(&r->nodes, (uintptr_t)LLVMGetOperand(i, k), &known))
            add_def(r, DEF_OFFSET, i, LLVMGetOperand(i, k), (struct step){0, SPAN_ANY, NONE});
}

static void read_phi(struct reader *r, LLVMValueRef i)
{
    if (!may_point(LLVMTypeOf(i)))
        return;
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
        copy(r, i, LLVMGetIncomingValue(i, k));
}

static void read_local(struct reader *r, LLVMValueRef i)
{
    uint32_t base = base_get(r->facts, BASE_LOCAL, r->body->local_count++);
    define(r, node_of(r, i), base, (struct place){NONE, 0, 0, NONE, false});
}

static void read_instruction(struct reader *r, LLVMValueRef i)
{
    static const struct step here = {0, 0, NONE};
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca: read_local(r, i); break;
    case LLVMLoad:
        if (may_point(LLVMTypeOf(i)))
            add_def(r, DEF_LOAD, i, LLVMGetOperand(i, 0), here);
        break;
    case LLVMStore: read_store(r, i); break;
    case LLVMAtomicRMW:
        add_write(r, LLVMGetOperand(i, 0), NULL, bits_of(r, LLVMTypeOf(LLVMGetOperand(i, 1))));
        break;
    case LLVMAtomicCmpXchg:
        add_write(r, LLVMGetOperand(i, 0), NULL, bits_of(r, LLVMTypeOf(LLVMGetOperand(i, 2))));
        break;
    case LLVMGetElementPtr:
        add_def(r, DEF_OFFSET, i, LLVMGetOperand(i, 0), address_step(r, i));
        break;
    case LLVMPHI: read_phi(r, i); break;
    case LLVMSelect:
        if (may_point(LLVMTypeOf(i))) {
            copy(r, i, LLVMGetOperand(i, 1));
            copy(r, i, LLVMGetOperand(i, 2));
        }
        break;
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
    case LLVMPtrToInt:
    case LLVMExtractElement: copy(r, i, LLVMGetOperand(i, 0)); break;
    case LLVMExtractValue:
        if (may_point(LLVMTypeOf(i)))
            copy(r, i, LLVMGetOperand(i, 0));
        break;
    case LLVMInsertValue:
    case LLVMInsertElement:
        copy(r, i, LLVMGetOperand(i, 0));
        copy(r, i, LLVMGetOperand(i, 1));
        break;
    case LLVMIntToPtr: read_int_to_pointer(r, i); break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: read_arithmetic(r, i); break;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr: read_call(r, i); break;
    default: break;
    }
}

// ---- parameters and blocks ----

// A record of up to 16 bytes travels in registers: name.coerce, or name.coerce0 and
// name.coerce1; a larger one by value in memory; a large result through a pointer.
static void read_parameters(struct reader *r, LLVMValueRef function)
{
    size_t next = 0;
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        LLVMValueRef value = LLVMGetParam(function, i);
        size_t length;
        char *name = arena_strdup(&r->facts->arena, LLVMGetValueName2(value, &length));
        struct body_parameter parameter = {.kind = PARAMETER_PLAIN, .name = name};
        char *piece = strstr(name, ".coerce");
        if (LLVMGetEnumAttributeAtIndex(function, i + 1, r->sret)) {
            parameter.kind = PARAMETER_RESULT;
        } else if (LLVMGetEnumAttributeAtIndex(function, i + 1, r->byval)) {
            parameter.kind = PARAMETER_BY_VALUE;
            parameter.index = next++;
        } else if (piece) {
            unsigned number = 0;
            sscanf(piece, ".coerce%u", &number);
            *piece = '\0';
            parameter.kind = PARAMETER_PIECE;
            parameter.index = number ? next - 1 : next++;
            parameter.offset = 8 * (int64_t)number;
        } else {
            parameter.index = next++;
        }
        *VEC_PUSH(&r->body->parameters) = parameter;
        uint32_t node = new_node(r, may_point(LLVMTypeOf(value)) ? value : NULL);
        define(r, node, base_get(r->facts, BASE_PARAMETER, i),
               (struct place){NONE, 0, 0, NONE, false});
    }
}

static void read_end(struct reader *r, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    struct body_block out = {.first = (uint32_t)r->body->successors.count};
    if (LLVMIsAReturnInst(end)) {
        out.returns = true;
        uint32_t node = LLVMGetNumOperands(end) ? node_of(r, LLVMGetOperand(end, 0)) : NONE;
        if (node != NONE)
            *VEC_PUSH(&r->body->results) = node;
    }
    out.count = LLVMGetNumSuccessors(end);
    for (unsigned i = 0; i < out.count; i++) {
        uint64_t number = 0;
        map_get(&r->blocks, (uintptr_t)LLVMGetSuccessor(end, i), &number);
        *VEC_PUSH(&r->body->successors) = (uint32_t)number - 1;
    }
    *VEC_PUSH(&r->body->blocks) = out;
}

void body_read(struct reader *r, LLVMValueRef function)
{
    uint32_t count = 0;
    map_clear(&r->nodes);
    map_clear(&r->blocks);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        map_put(&r->blocks, (uintptr_t)b, ++count);
    read_parameters(r, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        r->block = (uint32_t)r->body->blocks.count;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            read_instruction(r, i);
        read_end(r, b);
    }
}
