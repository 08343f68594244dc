// SPDX-License-Identifier: Apache-2.0
// How much work LLVM puts into each function. Instrumented code is several times as
// large as the unit, and most of the time from sources to an executable is spent on
// optimising it and choosing instructions. Only code that runs often is worth it:
//
//   functions with loops   the shims inlined, optimised
//   all others, drivers    the shims called, nothing optimised
//
// A function without loops that is small enough to be inlined goes with its callers. A
// large one with loops goes with the others: LLVM's machine passes take more than linear
// time, minutes for functions that macros have made of some thousand lines.
// Small functions that only tables and drivers refer to run once per run, and there are
// many of them in files of accessors.
#include "instrument/pass.h"

#include "base/map.h"
#include "base/tunables.h"
#include "base/vec.h"
#include <stdio.h>
#include <string.h>

static size_t count_instructions(LLVMValueRef f)
{
    size_t count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            count++;
    return count;
}

// Above some sizes (instructions after inlining the shims) the usual passes and register allocation
// take more than linear time. luaV_execute (600 lines of C) has about 80,000.
// Above some sizes (instructions after inlining the shims) the usual passes and register allocation
// take more than linear time. luaV_execute (600 lines of C) has about 80,000.
enum effort effort_of_module(struct pass *p)
{
    size_t total = 0, largest = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
        size_t count = count_instructions(f);
        total += count;
        largest = count > largest ? count : largest;
    }
    if (largest > INSTRUMENT_HUGE_FUNCTION)
        return EFFORT_LEAST;
    return largest > INSTRUMENT_LARGE_FUNCTION || total > INSTRUMENT_LARGE_MODULE ? EFFORT_LIGHT
                                                                                  : EFFORT_FULL;
}

bool effort_is_shim(LLVMValueRef f)
{
    return strncmp(pass_name(f), "cz_s_", 5) == 0;
}

// Linking has numbered statics of the same name: "count.3".
static bool is_of_unit(const struct map *names, LLVMValueRef f)
{
    char name[256];
    snprintf(name, sizeof name, "%s", pass_source_name(f));
    name[strcspn(name, ".")] = '\0';
    return map_get_text(names, name, NULL);
}

static LLVMAttributeRef attribute(struct pass *p, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMCreateEnumAttribute(p->context, kind, 0);
}

static void call_shims(struct pass *p, LLVMValueRef f)
{
    LLVMAttributeRef never = attribute(p, "noinline");
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
            if (callee && LLVMIsAFunction(callee) && effort_is_shim(callee))
                LLVMAddCallSiteAttribute(i, LLVMAttributeFunctionIndex, never);
        }
}

// ---- who runs often ----

struct choice {
    struct pass *p;
    struct map of_unit; // names
    struct map often;   // functions that run often
    VEC(LLVMValueRef) todo;
};

static void take(struct choice *c, LLVMValueRef f)
{
    if (map_get(&c->often, (uintptr_t)f, NULL))
        return;
    map_put(&c->often, (uintptr_t)f, 1);
    *VEC_PUSH(&c->todo) = f;
}

static void take_loops(struct choice *c)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(c->p->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && map_get(&c->p->looping, (uintptr_t)f, NULL) &&
            count_instructions(f) <= INSTRUMENT_BIG_FUNCTION &&
            (!c->p->request->program || is_of_unit(&c->of_unit, f)))
            take(c, f);
}

// What a function calls or hands on.
static void take_small(struct choice *c, LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            for (int k = 0, count = LLVMGetNumOperands(i); k < count; k++) {
                LLVMValueRef used = LLVMGetOperand(i, (unsigned)k);
                if (LLVMIsAFunction(used) && !LLVMIsDeclaration(used) && !effort_is_shim(used) &&
                    count_instructions(used) <= INSTRUMENT_SMALL_FUNCTION &&
                    is_of_unit(&c->of_unit, used))
                    take(c, used);
            }
}

static void choose_effort(struct choice *c)
{
    const struct program *program = c->p->request->program;
    for (size_t i = 0; program && i < program->function_count; i++)
        if (program->functions[i].defined)
            map_put_text(&c->of_unit, program->functions[i].name, 1);
    take_loops(c);
    while (c->todo.count)
        take_small(c, c->todo.items[--c->todo.count]);
}

void effort_choose(struct pass *p)
{
    struct choice c = {.p = p};
    unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));
    map_init(&c.of_unit);
    map_init(&c.often);
    choose_effort(&c);
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || effort_is_shim(f) || map_get(&c.often, (uintptr_t)f, NULL))
            continue;
        call_shims(p, f);
        // clang has inlined the calls of those that want it; what is left needs its own code
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, always);
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute(p, "noinline"));
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute(p, "optnone"));
    }
    VEC_RELEASE(&c.todo);
    map_release(&c.of_unit);
    map_release(&c.often);
}
