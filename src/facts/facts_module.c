// SPDX-License-Identifier: Apache-2.0
// One module: load its bitcode, put locals into registers, enter its symbols and the
// addresses in initialisers, read the bodies, let it go.
#include "facts/facts_module.h"

#include "base/fs.h"
#include <llvm-c/BitWriter.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

static bool is_static(LLVMValueRef value)
{
    LLVMLinkage linkage = LLVMGetLinkage(value);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

uint32_t module_symbol(struct reader *r, LLVMValueRef value)
{
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    return symbol_get(r->facts, name, r->file, is_static(value), LLVMIsAFunction(value) != NULL);
}

// ---- initialisers ----

struct content {
    uint32_t slot; // of the variable, or of the field that is being entered
    bool known;    // the type of the record has a name
};

static void enter_address(struct reader *r, LLVMValueRef value, struct content in)
{
    struct place place;
    if (!address_constant(r, value, &place) || place.symbol == NONE)
        return;
    struct symbol *held = &r->facts->symbols.items[place.symbol];
    held->address_taken = true;
    held->stray |= held->is_function && !in.known;
    slot_hold(r->facts, in.slot, place.symbol, place.offset);
}

static void enter(struct reader *r, LLVMValueRef value, struct content in)
{
    if (LLVMIsNull(value) || LLVMIsAConstantDataSequential(value) || LLVMIsUndef(value))
        return;
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind || LLVMIsAConstantExpr(value)) {
        enter_address(r, value, in);
    } else if (kind == LLVMStructTypeKind) {
        bool named = LLVMGetStructName(type) != NULL;
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
            struct content inner = {in.slot, named};
            int64_t start = (int64_t)LLVMOffsetOfElement(r->layout, type, i);
            uint32_t field = named ? address_field(r, type, start) : NONE;
            if (field != NONE)
                inner.slot = field;
            enter(r, LLVMGetOperand(value, i), inner);
        }
    } else if (kind == LLVMArrayTypeKind) {
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
            enter(r, LLVMGetOperand(value, i), in);
    }
}

static struct symbol *global_symbol(struct reader *r, LLVMValueRef global)
{
    uint32_t index = module_symbol(r, global); // may move the symbols
    return &r->facts->symbols.items[index];
}

static void read_globals(struct reader *r)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(r->module); g; g = LLVMGetNextGlobal(g))
        global_symbol(r, g)->is_constant = LLVMIsGlobalConstant(g);
    for (LLVMValueRef g = LLVMGetFirstGlobal(r->module); g; g = LLVMGetNextGlobal(g)) {
        struct symbol *symbol = global_symbol(r, g);
        if (symbol->slot == NONE)
            symbol->slot = slot_new(r->facts, 1);
        LLVMValueRef value = LLVMGetInitializer(g);
        if (!value)
            continue;
        symbol->defined = true;
        if (symbol->file == NONE)
            symbol->file = r->file;
        uint64_t size = LLVMABISizeOfType(r->layout, LLVMGlobalGetValueType(g));
        if (size > symbol->size)
            symbol->size = size;
        enter(r, value, (struct content){symbol->slot, true}); // moves symbols
    }
}

// ---- functions ----

static void enter_function(struct reader *r, LLVMValueRef function)
{
    uint32_t index = module_symbol(r, function);
    struct symbol *symbol = &r->facts->symbols.items[index];
    char *signature = LLVMPrintTypeToString(LLVMGlobalGetValueType(function));
    symbol->defined = true;
    if (symbol->file == NONE)
        symbol->file = r->file;
    if (!symbol->signature)
        symbol->signature = arena_strdup(&r->facts->arena, signature);
    LLVMDisposeMessage(signature);
    r->facts->has_main |= strcmp(symbol->name, "main") == 0;
    struct body *body = xcalloc(1, sizeof *body);
    *body = (struct body){.symbol = index, .file = r->file};
    *VEC_PUSH(&symbol->bodies) = (uint32_t)r->facts->bodies.count;
    *VEC_PUSH(&r->facts->bodies) = body;
    r->body = body;
    body_read(r, function);
}

static bool run_mem2reg(LLVMModuleRef module, struct error *err)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure = LLVMRunPasses(module, "mem2reg", NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!failure)
        return true;
    char *message = LLVMGetErrorMessage(failure);
    error_set(err, ERROR_INTERNAL, "mem2reg: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

static bool load(struct reader *r, const char *path, struct error *err)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
        LLVMParseIRInContext(r->context, buffer, &r->module, &message)) {
        error_set(err, ERROR_INTERNAL, "%s: %s", path, message);
        LLVMDisposeMessage(message);
        return false;
    }
    return run_mem2reg(r->module, err);
}

bool module_read(struct facts *facts, uint32_t file, const char *path, struct error *err)
{
    struct reader r = {.facts = facts, .file = file, .context = LLVMContextCreate()};
    bool good = load(&r, path, err);
    if (good) {
        r.layout = LLVMGetModuleDataLayout(r.module);
        r.sret = LLVMGetEnumAttributeKindForName("sret", 4);
        r.byval = LLVMGetEnumAttributeKindForName("byval", 5);
        map_init(&r.nodes);
        map_init(&r.blocks);
        read_globals(&r);
        for (LLVMValueRef f = LLVMGetFirstFunction(r.module); f; f = LLVMGetNextFunction(f))
            if (!LLVMIsDeclaration(f))
                enter_function(&r, f);
        map_release(&r.nodes);
        map_release(&r.blocks);
    }
    if (r.module)
        LLVMDisposeModule(r.module);
    LLVMContextDispose(r.context);
    return good;
}

bool module_write(LLVMModuleRef module, const char *path, struct error *err)
{
    LLVMMemoryBufferRef bytes = LLVMWriteBitcodeToMemoryBuffer(module);
    bool good = fs_write(path, LLVMGetBufferStart(bytes), LLVMGetBufferSize(bytes), err);
    LLVMDisposeMemoryBuffer(bytes);
    return good;
}
