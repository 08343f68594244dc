// SPDX-License-Identifier: Apache-2.0
// Inline assembly is left out. What it writes to C variables becomes inputs that are
// named after its instruction, `asm:mrs#1`; an empty text is a barrier and keeps what is
// tied to an operand. `asm goto` goes where an input says.
#include "instrument/hardware.h"

#include "program/input_path.h"
#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

struct operands {
    const char *name; // of the inputs
    bool empty;       // no instruction in it
    LLVMValueRef call;
    LLVMValueRef value; // what the outputs become, of the call's type
    unsigned outputs;   // in registers, so far
    int ties[32];       // argument that register output k is tied to, or -1
};

static const char *assembly_name(struct hardware *h, const char *instruction)
{
    const struct input_root root = input_root_of(INPUT_ASSEMBLY, instruction);
    return input_root_text(&root, h->arena);
}

// The first word, without what only modifies it.
static const char *instruction_name(struct hardware *h, const char *text, size_t length)
{
    size_t from = 0, to;
    while (from < length && !isalpha((unsigned char)text[from]))
        from++;
    for (to = from;
         to < length && (isalnum((unsigned char)text[to]) || text[to] == '.' || text[to] == '_');)
        to++;
    return assembly_name(h, arena_strndup(h->arena, text + from, to - from));
}

static bool is_empty(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isspace((unsigned char)text[i]) && text[i] != ';')
            return false;
    return true;
}

static const char *next_constraint(const char *at)
{
    int depth = 0;
    for (; *at && (*at != ',' || depth); at++)
        depth += (*at == '{') - (*at == '}');
    return *at ? at + 1 : NULL;
}

// Which argument each register output begins with: "0" among the inputs ties output 0.
// Constraints come as outputs, inputs, labels, clobbers; indirect ones take an argument.
static void find_ties(const char *constraints, int *ties)
{
    int outputs[32], output_count = 0, registers = 0, argument = 0;
    for (int i = 0; i < 32; i++)
        ties[i] = -1;
    for (const char *at = constraints; at && *at; at = next_constraint(at)) {
        if (*at == '=') {
            bool indirect = at[1] == '*';
            if (output_count < 32)
                outputs[output_count++] = indirect ? -1 : registers;
            registers += !indirect;
            argument += indirect;
        } else if (*at != '~' && *at != '!') {
            int output = isdigit((unsigned char)*at) ? atoi(at) : -1;
            if (output >= 0 && output < output_count && outputs[output] >= 0 &&
                outputs[output] < 32)
                ties[outputs[output]] = argument;
            argument++;
        }
    }
}

static void leave_out(struct hardware *h, const struct operands *o)
{
    LLVMValueRef label = hardware_text(h, o->name);
    hardware_given(h, o->call);
    hardware_call(h, "cz_hw_asm", h->nothing, &label, 1);
}

static LLVMValueRef output(struct hardware *h, const struct operands *o, unsigned number,
                           LLVMTypeRef type)
{
    int tie = number < 32 ? o->ties[number] : -1;
    if (o->empty && tie >= 0) {
        LLVMValueRef same = LLVMGetOperand(o->call, (unsigned)tie);
        bool is_pointer = LLVMTypeOf(same) == h->ptr;
        if (LLVMTypeOf(same) == type)
            return same;
        if ((is_pointer ? type : LLVMTypeOf(same)) == h->word && (is_pointer || type == h->ptr))
            return is_pointer ? LLVMBuildPtrToInt(h->builder, same, type, "")
                              : LLVMBuildIntToPtr(h->builder, same, type, "");
    }
    if (o->empty && type == h->ptr) // a pointer that nothing has set
        leave_out(h, o);
    return hardware_fresh(h, o->call, o->name, type);
}

static void register_outputs(struct hardware *h, struct operands *o)
{
    LLVMTypeRef type = LLVMTypeOf(o->call);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return;
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind) {
        o->value = output(h, o, 0, type);
        return;
    }
    o->value = LLVMGetUndef(type);
    for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
        o->value = LLVMBuildInsertValue(h->builder, o->value,
                                        output(h, o, k, LLVMStructGetTypeAtIndex(type, k)), k, "");
}

static void memory_outputs(struct hardware *h, struct operands *o, const char *constraints)
{
    unsigned argument = 0, kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    for (const char *at = constraints; at && *at == '='; at = next_constraint(at)) {
        if (at[1] != '*')
            continue;
        LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(o->call, argument + 1, kind);
        LLVMValueRef to = LLVMGetOperand(o->call, argument++);
        if (a && !o->empty)
            hardware_read(h, to, LLVMStoreSizeOfType(h->layout, LLVMGetTypeAttributeValue(a)),
                          o->name, "", HW_OUTPUT);
    }
}

// asm goto: 0 goes on behind it, n to its label number n.
static void jump(struct hardware *h, struct operands *o)
{
    LLVMValueRef where = hardware_fresh(h, o->call, o->name, h->i8);
    unsigned count = LLVMGetCallBrNumIndirectDests(o->call);
    LLVMValueRef choice =
        LLVMBuildSwitch(h->builder, where, LLVMGetCallBrDefaultDest(o->call), count);
    for (unsigned k = 0; k < count; k++)
        LLVMAddCase(choice, LLVMConstInt(h->i8, k + 1, 0), LLVMGetCallBrIndirectDest(o->call, k));
}

static void note(struct hardware *h, const struct operands *o, const char *text, size_t length)
{
    size_t shown = 0;
    char line[64];
    for (size_t i = 0; i < length && shown < sizeof line - 1; i++)
        if (!isspace((unsigned char)text[i]) || (shown && line[shown - 1] != ' '))
            line[shown++] = isspace((unsigned char)text[i]) ? ' ' : text[i] == '$' ? '%' : text[i];
    while (shown && line[shown - 1] == ' ')
        shown--;
    hardware_note(h, o->call,
                  arena_printf(h->arena, "assembly \"%.*s\" is left out", (int)shown, line));
}

void hardware_assembly(struct hardware *h, LLVMValueRef call)
{
    LLVMValueRef code = LLVMGetCalledValue(call);
    size_t length, ignored;
    const char *text = LLVMGetInlineAsmAsmString(code, &length);
    const char *constraints = LLVMGetInlineAsmConstraintString(code, &ignored);
    struct operands o = {.call = call, .empty = is_empty(text, length)};
    o.name = o.empty ? assembly_name(h, "") : instruction_name(h, text, length);
    constraints = arena_strdup(h->arena, constraints);
    find_ties(constraints, o.ties);
    hardware_before(h, call);
    if (!o.empty) {
        note(h, &o, text, length);
        leave_out(h, &o);
    }
    if (o.empty && strstr(constraints, "~{memory}"))
        hardware_fence(h, call);
    memory_outputs(h, &o, constraints);
    register_outputs(h, &o);
    if (o.value)
        LLVMReplaceAllUsesWith(call, o.value);
    if (LLVMIsACallBrInst(call))
        jump(h, &o);
    LLVMInstructionEraseFromParent(call);
}
