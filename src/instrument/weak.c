// SPDX-License-Identifier: Apache-2.0
// Weak symbols of the unit (harness/weak_symbols.c): in its functions every use of such a symbol is
// read from the driver's variable cz_weak.NAME, which says whether it is there, or which of
// two definitions counts. The reads are volatile, so that no optimiser knows the answer. The
// driver's own functions mean the symbol itself.
#include "instrument/hardware.h"

#include "instrument/pass.h"
#include <string.h>

static const char prefix[] = "cz_weak.";

struct weak {
    struct hardware *h;
    LLVMValueRef symbol, variable;
};

static bool mentions(LLVMValueRef v, LLVMValueRef symbol)
{
    if (v == symbol)
        return true;
    if (!v || !LLVMIsAConstant(v) || LLVMIsAGlobalValue(v))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (mentions(LLVMGetOperand(v, (unsigned)i), symbol))
            return true;
    return false;
}

static LLVMValueRef rebuild(struct weak *w, LLVMValueRef constant);

static LLVMValueRef rebuild_address(struct weak *w, LLVMValueRef gep)
{
    LLVMValueRef indices[16];
    int count = LLVMGetNumOperands(gep) - 1;
    if (count > 16)
        return NULL;
    for (int i = 0; i < count; i++)
        if (!(indices[i] = rebuild(w, LLVMGetOperand(gep, (unsigned)i + 1))))
            return NULL;
    LLVMValueRef base = rebuild(w, LLVMGetOperand(gep, 0));
    return base ? LLVMBuildGEP2(w->h->builder, LLVMGetGEPSourceElementType(gep), base, indices,
                                (unsigned)count, "")
                : NULL;
}

// The constant as code in which the symbol is read; NULL: of a kind that is not known here.
static LLVMValueRef rebuild(struct weak *w, LLVMValueRef constant)
{
    LLVMBuilderRef builder = w->h->builder;
    if (constant == w->symbol) {
        LLVMValueRef load = LLVMBuildLoad2(builder, w->h->ptr, w->variable, "");
        LLVMSetVolatile(load, 1);
        return load;
    }
    if (!mentions(constant, w->symbol))
        return constant;
    if (!LLVMIsAConstantExpr(constant))
        return NULL;
    LLVMOpcode opcode = LLVMGetConstOpcode(constant);
    if (opcode == LLVMGetElementPtr)
        return rebuild_address(w, constant);
    LLVMValueRef first = rebuild(w, LLVMGetOperand(constant, 0));
    if (!first)
        return NULL;
    if (opcode == LLVMPtrToInt || opcode == LLVMIntToPtr || opcode == LLVMBitCast ||
        opcode == LLVMTrunc)
        return LLVMBuildCast(builder, opcode, first, LLVMTypeOf(constant), "");
    LLVMValueRef second =
        LLVMGetNumOperands(constant) == 2 ? rebuild(w, LLVMGetOperand(constant, 1)) : NULL;
    if (second && (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMXor))
        return LLVMBuildBinOp(builder, opcode, first, second, "");
    return NULL;
}

static const char *left_out(struct weak *w, const char *where)
{
    return arena_printf(w->h->arena, "the weak symbol %s is as in this file in %s",
                        pass_source_name(w->symbol), where);
}

static void note_use(struct weak *w, const char *function)
{
    *VEC_PUSH(&w->h->uses) = (struct hardware_use){
        .function = function, .what = left_out(w, "an initialiser"), .partial = true};
}

static void rewrite_operand(struct weak *w, LLVMValueRef i, unsigned operand)
{
    LLVMValueRef value = LLVMGetOperand(i, operand);
    if (!LLVMIsAConstant(value) || !mentions(value, w->symbol))
        return;
    hardware_before(w->h, i);
    if (LLVMIsAPHINode(i))
        LLVMPositionBuilderBefore(w->h->builder,
                                  LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(i, operand)));
    LLVMValueRef now = rebuild(w, value);
    if (now) {
        LLVMSetOperand(i, operand, now);
    } else {
        hardware_note(w->h, i, left_out(w, "an expression"));
        w->h->uses.items[w->h->uses.count - 1].partial = true;
    }
}

static void rewrite_function(struct weak *w, LLVMValueRef f)
{
    w->h->function = f;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            for (int k = 0; k < LLVMGetNumOperands(i); k++)
                rewrite_operand(w, i, (unsigned)k);
}

static bool is_of_unit(struct hardware *h, const struct map *functions, LLVMValueRef f)
{
    return !LLVMIsDeclaration(f) &&
           map_get_text(functions, hardware_plain_name(h, pass_source_name(f)), NULL);
}

static void note_users(struct weak *w, const struct variable *variable)
{
    const struct program *program = w->h->request->program;
    for (size_t i = 0; i < program->function_count; i++)
        for (size_t k = 0; k < program->functions[i].global_count; k++)
            if (&program->variables[program->functions[i].globals[k]] == variable)
                note_use(w, program->functions[i].name);
}

// A variable of the unit, or what a local one starts with: __const.FUNCTION.NAME.
static void note_initialisers(struct weak *w)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(w->h->module); g; g = LLVMGetNextGlobal(g)) {
        const char *name = pass_name(g);
        if (LLVMIsDeclaration(g) || !mentions(LLVMGetInitializer(g), w->symbol))
            continue;
        const struct variable *variable = hardware_variable(w->h, pass_source_name(g));
        if (variable)
            note_users(w, variable);
        else if (strncmp(name, "__const.", 8) == 0)
            note_use(w, arena_strndup(w->h->arena, name + 8, strcspn(name + 8, ".")));
        else if (strncmp(name, ".compoundliteral", 16) == 0)
            note_use(w, "");
    }
}

static LLVMValueRef find_symbol(struct hardware *h, const char *name)
{
    const char *own = arena_printf(h->arena, "%s%s", PROGRAM_OWN_PREFIX, name);
    const char *names[] = {name, own};
    for (size_t i = 0; i < 2; i++) {
        LLVMValueRef found = LLVMGetNamedFunction(h->module, names[i]);
        if (!found)
            found = LLVMGetNamedGlobal(h->module, names[i]);
        if (!found)
            found = LLVMGetNamedGlobalAlias(h->module, names[i], strlen(names[i]));
        if (found)
            return found;
    }
    return NULL;
}

static void rewrite_symbol(struct hardware *h, const struct map *functions, const char *name)
{
    struct weak w = {.h = h, .symbol = find_symbol(h, name)};
    const char *variable = arena_printf(h->arena, "%s%s", prefix, name);
    if (!w.symbol)
        return;
    w.variable = LLVMGetNamedGlobal(h->module, variable);
    if (!w.variable) // the driver is in another file's bitcode
        w.variable = LLVMAddGlobal(h->module, h->ptr, variable);
    for (LLVMValueRef f = LLVMGetFirstFunction(h->module); f; f = LLVMGetNextFunction(f))
        if (is_of_unit(h, functions, f))
            rewrite_function(&w, f);
    note_initialisers(&w);
}

// The unit's bitcode has the driver's variables; its files, one by one, need not.
static void find_names(struct hardware *h)
{
    VEC(const char *) names = {0};
    for (LLVMValueRef g = LLVMGetFirstGlobal(h->module); g; g = LLVMGetNextGlobal(g))
        if (strncmp(pass_name(g), prefix, sizeof prefix - 1) == 0 && !LLVMIsDeclaration(g))
            *VEC_PUSH(&names) = arena_strdup(h->arena, pass_name(g) + sizeof prefix - 1);
    h->result->weak = arena_array(h->arena, const char *, names.count + 1);
    if (names.count)
        memcpy(h->result->weak, names.items, names.count * sizeof *names.items);
    h->result->weak_count = names.count;
    VEC_RELEASE(&names);
}

void weak_rewrite(struct hardware *h)
{
    const struct hardware_request *request = h->request;
    struct map functions;
    find_names(h);
    const char *const *names = request->weak ? request->weak : h->result->weak;
    size_t count = request->weak ? request->weak_count : h->result->weak_count;
    if (!count)
        return;
    map_init(&functions);
    for (size_t i = 0; i < request->program->function_count; i++)
        if (request->program->functions[i].defined)
            map_put_text(&functions, request->program->functions[i].name, 1);
    for (size_t i = 0; i < count; i++)
        rewrite_symbol(h, &functions, names[i]);
    map_release(&functions);
}
