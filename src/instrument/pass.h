// SPDX-License-Identifier: Apache-2.0
// What the files of the instrumenter share: the module being rewritten, the
// labels of the values of the current function, and one function per group of
// instructions. Every IR value that can depend on inputs has, for each of its
// scalar parts, a second IR value of type i32: its label.
#ifndef CZ_INSTRUMENT_PASS_H
#define CZ_INSTRUMENT_PASS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"
#include "instrument/instrument.h"
#include "runtime/abi.h"
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

// A scalar part of a value in memory.
struct part {
    LLVMTypeRef type;
    uint64_t offset;
};

struct pass {
    const struct instrument_request *request;
    struct arena *arena; // of the result
    struct instrument_result *result;
    struct map externals; // names already in result->externals
    VEC(const char *) external_names;
    VEC(struct instrument_site) sites;

    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef i1, i8, i32, i64, ptr, nothing;
    LLVMTypeRef word;        // an integer as wide as a pointer, and the type of sizes ...
    unsigned pointer_bits;   // ... so wide
    LLVMTypeRef access_type; // struct czrt_access
    LLVMValueRef zero;       // the label of a concrete value

    VEC(LLVMValueRef) functions; // of the unit
    struct map indirect;         // functions that not only direct calls in here can reach
    struct map global_sizes;     // global -> size without its red zone
    struct map numbered;         // globals whose initialiser has an address as a number
    struct map looping;          // functions with loops

    // the current function
    LLVMValueRef function;
    struct arena scratch;
    struct map labels;        // value -> array of labels, one per part
    struct map hooked;        // values that stand for a hook's result
    struct map decisions;     // decision -> struct decision_state
    LLVMBasicBlockRef *order; // reachable blocks in reverse post order
    size_t block_count;
    LLVMValueRef varargs;     // saved argument labels of a variadic function
    VEC(LLVMValueRef) code;   // instructions of the user, in order
    VEC(LLVMValueRef) hooks;  // calls to replace by their operand
    VEC(struct local) locals; // padded locals with a red zone
    struct map local_sizes;   // alloca -> size without its red zone
    struct map scoped;        // allocas whose scope may end before the function does
    LLVMValueRef frame;       // mark of the object stack, or NULL
    VEC(uint32_t) entries;    // of all functions so far: the site of the entry, 0 in the driver
};

struct local {
    LLVMValueRef address;
    uint64_t size, padded;
    bool leaks; // its address may be known when the function has returned
};

// What is known of an address before the program runs.
struct access {
    LLVMValueRef base; // root of the address computation
    unsigned checks;   // enum czrt_access_check
    uint64_t size;     // of the base, for CZRT_CHECK_SIZE
    bool is_static;    // inside its object for certain
};

// effort.c
enum effort { EFFORT_FULL, EFFORT_LIGHT, EFFORT_LEAST };
void effort_choose(struct pass *p); // per function, before shims are inlined
enum effort effort_of_module(struct pass *p);
bool effort_is_shim(LLVMValueRef f);

// split.c: what need not be fast as a module of its own, or NULL
LLVMModuleRef split_cold(struct pass *p);

// values.c
unsigned pass_width(struct pass *p, LLVMTypeRef type);                     // 1..128, or 0: no label
unsigned pass_parts(struct pass *p, LLVMTypeRef type, struct part *parts); // at most CZRT_MAX_PARTS
LLVMValueRef *pass_labels(struct pass *p, LLVMValueRef value);             // never NULL
LLVMValueRef pass_label(struct pass *p, LLVMValueRef value);               // of a scalar
void pass_set_label(struct pass *p, LLVMValueRef value, LLVMValueRef label);
LLVMValueRef *pass_new_labels(struct pass *p, LLVMValueRef value, unsigned count);
bool pass_is_concrete(struct pass *p, LLVMValueRef value);       // known before it runs
LLVMValueRef pass_any_label(struct pass *p, LLVMValueRef value); // or of all its labels
LLVMValueRef pass_number(struct pass *p, uint64_t value);        // i32 constant
LLVMValueRef pass_number64(struct pass *p, uint64_t value);
LLVMValueRef pass_bits(struct pass *p, LLVMValueRef value);      // low 64 bits as i64
LLVMValueRef pass_high_bits(struct pass *p, LLVMValueRef value); // bits 64..127 as i64
LLVMValueRef pass_call(struct pass *p, const char *shim, unsigned count, LLVMValueRef *args);
#define PASS_CALL(p, shim, ...)                                                                    \
    pass_call(p, shim, sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef),               \
              (LLVMValueRef[]){__VA_ARGS__})
void pass_before(struct pass *p, LLVMValueRef instruction);
void pass_after(struct pass *p, LLVMValueRef instruction);
uint32_t pass_site(struct pass *p, LLVMValueRef instruction, uint32_t kind);
uint32_t pass_function_site(struct pass *p); // the current function as a whole
uint32_t pass_text(LLVMMetadataRef where);   // number of the file of a unit
const char *pass_name(LLVMValueRef global);
const char *pass_source_name(LLVMValueRef global); // as struct program has it
LLVMValueRef pass_entry_alloca(struct pass *p, LLVMTypeRef type);
// A loss is counted when any label of the value is set.
void pass_lose(struct pass *p, LLVMValueRef value, uint32_t loss);

// arith.c: the label of a op b where both have the given width
LLVMValueRef arith_binary(struct pass *p, uint32_t op, unsigned width, LLVMValueRef a,
                          LLVMValueRef b);
LLVMValueRef arith_labels(struct pass *p, uint32_t op, unsigned width, LLVMValueRef la,
                          LLVMValueRef lb, LLVMValueRef x, LLVMValueRef y); // x, y: i64
LLVMValueRef arith_cast(struct pass *p, uint32_t op, unsigned width, LLVMValueRef label);
bool arith_instruction(struct pass *p, LLVMValueRef i);
LLVMValueRef arith_converted_pointer(LLVMValueRef number); // the pointer that it was, or NULL

// address_numbers.c: addresses as constant numbers
void numbers_label(struct pass *p); // before the function is instrumented
bool numbers_contain_address(LLVMValueRef initialiser);

// loads_stores.c
bool memory_instruction(struct pass *p, LLVMValueRef i);
void memory_load(struct pass *p, LLVMValueRef i, LLVMValueRef address); // label of i = *address
void memory_store_labels(struct pass *p, LLVMValueRef i, LLVMTypeRef type, LLVMValueRef address,
                         LLVMValueRef *labels);
LLVMValueRef memory_root(LLVMValueRef address);
void memory_range(struct pass *p, LLVMValueRef i, LLVMValueRef address, LLVMValueRef length);

// aggregates.c
bool aggregate_instruction(struct pass *p, LLVMValueRef i);

// calls.c
void calls_find_indirect(struct pass *p); // before anything is instrumented
void calls_rename(struct pass *p);        // libc functions: models and replacements
void calls_enter(struct pass *p);         // labels of parameters at function entry
bool calls_instruction(struct pass *p, LLVMValueRef i);
void calls_return(struct pass *p, LLVMValueRef i);

// intrinsics.c
void intrinsic_call(struct pass *p, LLVMValueRef i, LLVMValueRef callee);

// path_hooks.c
bool control_instruction(struct pass *p, LLVMValueRef i);
void control_cond(struct pass *p, LLVMValueRef i);   // a call of __cz_cond
void control_switch(struct pass *p, LLVMValueRef i); // a call of __cz_switch_*
void control_steps(struct pass *p);
bool control_is_cond(LLVMValueRef callee);
bool control_is_switch(LLVMValueRef callee);
LLVMValueRef control_case_function(struct pass *p, const struct switch_point *s, uint64_t id,
                                   LLVMTypeRef type);

// graph.c, compare.c: the control flow, before anything is instrumented
void graph_export(struct pass *p);
void compare_export(struct pass *p, struct cfg_part *part);

// access_checks.c
// The address without its trailing constant offsets.
LLVMValueRef checks_anchor(struct pass *p, LLVMValueRef address, int64_t *offset);
struct access checks_access(struct pass *p, LLVMValueRef address, uint64_t bytes);
bool checks_is_known(struct pass *p, LLVMValueRef root); // is its size?
void checks_division(struct pass *p, LLVMValueRef i);
void checks_prepare(struct pass *p); // before anything is optimised
void checks_weaken(struct pass *p);  // attributes, flags and shifts only

// undefined.c: what an -O0 build just computes
void undefined_prepare(struct pass *p); // before anything is optimised or weakened
bool undefined_is_check(LLVMValueRef callee);
void undefined_check(struct pass *p, LLVMValueRef call); // and the call is gone
void undefined_indices(struct pass *p, LLVMValueRef i, LLVMValueRef address);

// uninit_locals.c: locals without an initialiser, before anything is optimised
void uninit_mark(struct pass *p);
void uninit_drop_unused(struct pass *p); // after mem2reg
bool uninit_is_mark(LLVMValueRef callee);
bool uninit_is_value(LLVMValueRef call);          // of a mark: it stands for a value
bool uninit_covers(LLVMValueRef i);               // a mark for what i writes stands right behind it
void uninit_call(struct pass *p, LLVMValueRef i); // a call of a mark
void uninit_enter_stub(struct pass *p);           // on entry of a function that may be one
bool uninit_is_driver(struct pass *p, LLVMValueRef function);

// scope.c: scopes of locals
void scope_straighten(struct pass *p);        // jumps out of scopes
void scope_mark(struct pass *p, bool wanted); // before mem2reg; if not wanted, scopes are forgotten
bool scope_is_mark(LLVMValueRef callee);
bool scope_has_mark(LLVMValueRef local);
bool scope_leaks(LLVMValueRef local); // is its address stored, passed or returned?
bool scope_is_watched(struct pass *p, LLVMValueRef function);
void scope_call(struct pass *p, LLVMValueRef i); // a call of a mark

// frame.c: locals with red zones
void frame_prepare(struct pass *p);
bool frame_has_must_tail(LLVMValueRef function); // nothing can be done when it returns
void frame_enter(struct pass *p);
void frame_leave(struct pass *p, LLVMValueRef ret);

// function.c
void function_instrument(struct pass *p, LLVMValueRef function);

// globals.c
void globals_prepare(struct pass *p); // red zones, sections, table
void globals_goal_table(struct pass *p);
void globals_function_table(struct pass *p);
void globals_keep(LLVMModuleRef module, LLVMValueRef g); // though nobody refers to it

// module.c
void pass_init(struct pass *p, const struct instrument_request *request, struct arena *arena,
               struct instrument_result *result);
void pass_release(struct pass *p);
bool pass_load(struct pass *p, const char *bitcode, struct error *err); // the module
bool module_load(LLVMContextRef context, const char *path, LLVMModuleRef *out, struct error *err);
bool module_passes(LLVMModuleRef module, const char *passes, struct error *err);

// Write what LLVM made, and dispose of it. LLVM's own writer ends the process when a disk is full.
bool pass_write(LLVMMemoryBufferRef bytes, const char *path, struct error *err);

#endif
