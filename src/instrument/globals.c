// SPDX-License-Identifier: Apache-2.0
// Global variables. Mutable ones move into section cz_data, so that the runtime
// can save and restore all state of the unit between runs; thread-local ones become
// plain; all get a red zone behind them, which is also the one before the next, and are listed in
// section cz_globals with their bounds.
#include "base/tunables.h"
#include "instrument/hardware.h"
#include "instrument/pass.h"
#include <string.h>

static bool is_ours(LLVMValueRef g)
{
    LLVMLinkage linkage = LLVMGetLinkage(g);
    const char *name = pass_name(g);
    const char *section = LLVMGetSection(g);
    if (section && !strcmp(section, "llvm.metadata"))
        return false; // texts of annotations: never emitted
    if (hardware_is_window(g))
        return false; // registers: the runtime takes care of them
    return !LLVMIsDeclaration(g) && strncmp(name, "llvm.", 5) != 0 &&
           linkage != LLVMAppendingLinkage && linkage != LLVMAvailableExternallyLinkage;
}

// Another definition may replace it at link time.
static bool is_replaceable(LLVMValueRef g)
{
    LLVMLinkage linkage = LLVMGetLinkage(g);
    return linkage == LLVMWeakAnyLinkage || linkage == LLVMWeakODRLinkage ||
           linkage == LLVMCommonLinkage || linkage == LLVMLinkOnceAnyLinkage ||
           linkage == LLVMLinkOnceODRLinkage || linkage == LLVMExternalWeakLinkage;
}

static bool has_section(LLVMValueRef g)
{
    const char *section = LLVMGetSection(g);
    return section && *section;
}

static uint64_t padded_size(uint64_t size)
{
    uint64_t zone = size / INSTRUMENT_GLOBAL_ZONE_PART;
    if (zone < INSTRUMENT_GLOBAL_ZONE_LEAST)
        zone = INSTRUMENT_GLOBAL_ZONE_LEAST;
    if (zone > INSTRUMENT_GLOBAL_ZONE_MOST)
        zone = INSTRUMENT_GLOBAL_ZONE_MOST;
    return (size + zone + 15) & ~15ull;
}

// A longer copy of the global takes its place and name.
static LLVMValueRef pad(struct pass *p, LLVMValueRef g, uint64_t size, uint64_t padded)
{
    LLVMTypeRef members[2] = {LLVMGlobalGetValueType(g), LLVMArrayType2(p->i8, padded - size)};
    LLVMTypeRef type = LLVMStructTypeInContext(p->context, members, 2, 1);
    LLVMValueRef parts[2] = {LLVMGetInitializer(g), LLVMConstNull(members[1])};
    LLVMValueRef longer = LLVMAddGlobal(p->module, type, "");
    LLVMSetInitializer(longer, LLVMConstStructInContext(p->context, parts, 2, 1));
    LLVMSetLinkage(longer, LLVMGetLinkage(g));
    LLVMSetVisibility(longer, LLVMGetVisibility(g));
    LLVMSetGlobalConstant(longer, LLVMIsGlobalConstant(g));
    unsigned align = LLVMGetAlignment(g);
    unsigned natural = LLVMPreferredAlignmentOfGlobal(p->layout, g);
    LLVMSetAlignment(longer, align > natural ? align : natural);
    LLVMReplaceAllUsesWith(g, longer);
    char *name = xstrdup(pass_name(g));
    LLVMDeleteGlobal(g);
    LLVMSetValueName2(longer, name, strlen(name));
    free(name);
    return longer;
}

struct entry {
    LLVMValueRef global;
    uint64_t size, padded;
};

// The driver gave it a size, since nothing says how large it is.
static bool is_open(struct pass *p, LLVMValueRef global)
{
    const struct program *program = p->request->program;
    const char *name = pass_source_name(global);
    for (size_t i = 0; program && !program->is_whole && i < program->variable_count; i++)
        if (variable_is_open(&program->variables[i]) && !program->variables[i].function &&
            strcmp(program->variables[i].name, name) == 0)
            return true;
    return false;
}

static struct entry prepare(struct pass *p, LLVMValueRef g)
{
    struct entry e = {g, LLVMABISizeOfType(p->layout, LLVMGlobalGetValueType(g)), 0};
    bool numbered = numbers_contain_address(LLVMGetInitializer(g));
    bool fixed = has_section(g); // tables that the linker lays out: left where they are
    e.padded = e.size;
    LLVMSetThreadLocalMode(g, LLVMNotThreadLocal);
    if (!fixed && !is_replaceable(g) && e.size > 0) {
        e.padded = padded_size(e.size) + (is_open(p, g) ? CZRT_OPEN_ZONE : 0);
        e.global = pad(p, g, e.size, e.padded);
    }
    if (!fixed && !LLVMIsGlobalConstant(e.global)) {
        if (LLVMGetLinkage(e.global) == LLVMCommonLinkage)
            LLVMSetLinkage(e.global, LLVMExternalLinkage);
        LLVMSetSection(e.global, "cz_data");
    }
    if (numbered)
        map_put(&p->numbered, (uintptr_t)e.global, 1);
    if (!is_replaceable(e.global))
        map_put(&p->global_sizes, (uintptr_t)e.global, e.size);
    return e;
}

static LLVMValueRef table_entry(struct pass *p, const struct entry *e)
{
    LLVMValueRef members[] = {e->global, pass_number64(p, e->size), pass_number64(p, e->padded),
                              pass_number(p, (uint64_t)LLVMIsGlobalConstant(e->global)),
                              pass_number(p, is_open(p, e->global))};
    return LLVMConstStructInContext(p->context, members, 5, 0);
}

// Keep a symbol that only the linker's section bounds refer to.
void globals_keep(LLVMModuleRef module, LLVMValueRef g)
{
    // llvm.used of the user's own symbols: one longer array in its place.
    LLVMValueRef old = LLVMGetNamedGlobal(module, "llvm.used");
    LLVMValueRef list = old ? LLVMGetInitializer(old) : NULL;
    unsigned count = list ? (unsigned)LLVMGetNumOperands(list) : 0;
    VEC(LLVMValueRef) all = {0};
    for (unsigned i = 0; i < count; i++)
        *VEC_PUSH(&all) = LLVMGetOperand(list, i);
    *VEC_PUSH(&all) = g;
    if (old)
        LLVMDeleteGlobal(old);
    LLVMTypeRef ptr = LLVMTypeOf(g);
    LLVMValueRef used = LLVMAddGlobal(module, LLVMArrayType2(ptr, all.count), "llvm.used");
    LLVMSetInitializer(used, LLVMConstArray2(ptr, all.items, all.count));
    LLVMSetLinkage(used, LLVMAppendingLinkage);
    LLVMSetSection(used, "llvm.metadata");
    VEC_RELEASE(&all);
}

// A constant table for the runtime, which finds it by its section.
static void add_table(struct pass *p, const char *name, const char *section, LLVMValueRef *entries,
                      size_t count)
{
    LLVMValueRef list = LLVMConstArray2(LLVMTypeOf(entries[0]), entries, count);
    LLVMValueRef table = LLVMAddGlobal(p->module, LLVMTypeOf(list), name);
    LLVMSetInitializer(table, list);
    LLVMSetGlobalConstant(table, 1);
    LLVMSetLinkage(table, LLVMInternalLinkage);
    LLVMSetSection(table, section);
    LLVMSetAlignment(table, p->pointer_bits / 8); // entries lie side by side
    globals_keep(p->module, table);
}

void globals_prepare(struct pass *p)
{
    VEC(LLVMValueRef) globals = {0};
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g))
        if (is_ours(g))
            *VEC_PUSH(&globals) = g;
    if (globals.count == 0)
        return;
    LLVMValueRef *entries = xmalloc(globals.count * sizeof *entries);
    for (size_t i = 0; i < globals.count; i++) {
        struct entry e = prepare(p, globals.items[i]);
        entries[i] = table_entry(p, &e);
    }
    add_table(p, "cz.globals", "cz_globals", entries, globals.count);
    free(entries);
    VEC_RELEASE(&globals);
}

// Define what the fast paths of the hooks mark; the runtime reads it after a run.
void globals_goal_table(struct pass *p)
{
    if (!p->request->program)
        return;
    uint64_t goals = 2 * p->request->program->branch_count;
    LLVMTypeRef type = LLVMArrayType2(p->i8, goals ? goals : 1);
    LLVMValueRef declared = LLVMGetNamedGlobal(p->module, "czrt_goal_hits");
    LLVMValueRef hits = LLVMAddGlobal(p->module, type, "");
    LLVMSetInitializer(hits, LLVMConstNull(type));
    if (declared) {
        LLVMReplaceAllUsesWith(declared, hits);
        LLVMDeleteGlobal(declared);
    }
    LLVMSetValueName2(hits, "czrt_goal_hits", strlen("czrt_goal_hits"));
    LLVMValueRef count = LLVMAddGlobal(p->module, p->i32, "czrt_goal_count");
    LLVMSetInitializer(count, pass_number(p, goals));
    LLVMSetGlobalConstant(count, 1);
}

// Address and site of each function of the unit, for the one that fills the stack.
void globals_function_table(struct pass *p)
{
    if (!p->request->program || !p->functions.count)
        return;
    LLVMValueRef *entries = xmalloc(p->functions.count * sizeof *entries);
    for (size_t i = 0; i < p->functions.count; i++) {
        LLVMValueRef f = p->functions.items[i];
        LLVMValueRef members[] = {f, pass_number(p, p->entries.items[i]), pass_number(p, 0)};
        const char *section = LLVMGetSection(f);
        if (!section || !*section)
            LLVMSetSection(f, "cz_code");
        entries[i] = LLVMConstStructInContext(p->context, members, 3, 0);
    }
    add_table(p, "cz.functions", "cz_functions", entries, p->functions.count);
    free(entries);
}
