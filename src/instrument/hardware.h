// SPDX-License-Identifier: Apache-2.0
// What the files of the hardware pass share. The pass makes code for a device one that
// can run here: registers become scratch memory, reads that hardware may answer become
// inputs, inline assembly and calls to fixed addresses are left out, loops that nothing
// leaves end after some turns. It runs on the bitcode of every build, the clean ones
// too, before anything else is done to it: what it decides (names of inputs above all)
// depends on the code and on the program alone, never on flags or positions.
#ifndef CZ_INSTRUMENT_HARDWARE_H
#define CZ_INSTRUMENT_HARDWARE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "instrument/instrument.h"
#include "wire/devices.h"
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

struct hardware {
    const struct hardware_request *request;
    struct arena *arena; // of the result
    struct hardware_result *result;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef i8, i32, i64, ptr, nothing;
    LLVMTypeRef word;      // of sizes, as wide as a pointer
    bool narrow;           // which has 32 bits
    bool has_table;        // of registers
    bool translates;       // addresses at run time
    LLVMValueRef function; // the current one
    struct map texts;      // string constants by their text
    struct map variables;  // of the program, by symbol: see hardware_variable
    VEC(struct hardware_use) uses;
};

// What an address refers to.
enum place_kind {
    PLACE_LOCAL,    // a local variable
    PLACE_GLOBAL,   // a variable: root
    PLACE_REGISTER, // a constant address, already in scratch memory
    PLACE_UNKNOWN,  // found out at run time
};
struct place {
    enum place_kind kind;
    LLVMValueRef root;
    int64_t offset;   // from the root, as far as constant
    bool exact;       // all of it is
    uint64_t address; // REGISTER, as in the user's code
};

// hardware.c
struct place hardware_place(struct hardware *h, LLVMValueRef address);
void hardware_before(struct hardware *h, LLVMValueRef instruction);
LLVMValueRef hardware_call(struct hardware *h, const char *name, LLVMTypeRef result,
                           LLVMValueRef *args, unsigned count);
LLVMValueRef hardware_text(struct hardware *h, const char *text);
LLVMValueRef hardware_size(struct hardware *h, uint64_t value);
LLVMValueRef hardware_number(struct hardware *h, uint64_t value); // 64 bits
void hardware_read(struct hardware *h, LLVMValueRef address, uint64_t size, const char *name,
                   const char *type, unsigned flags);
// An input where `before` stands; a pointer is one to memory that is there.
LLVMValueRef hardware_fresh(struct hardware *h, LLVMValueRef before, const char *name,
                            LLVMTypeRef type);
// What a call that is left out is given: it may keep those addresses and write there.
void hardware_given(struct hardware *h, LLVMValueRef call);
// An assumption about the instruction, for the reports.
void hardware_note(struct hardware *h, LLVMValueRef instruction, const char *text);

// hardware_memory.c: where registers are kept (wire/devices.h). The memory of one as a
// constant; whether a constant is such memory, and then the address in the user's code.
LLVMValueRef hardware_memory(struct hardware *h, uint64_t address);
bool hardware_is_memory(struct hardware *h, LLVMValueRef v, uint64_t *address);
bool hardware_is_window(LLVMValueRef global);               // a variable that is
bool hardware_is_constant(LLVMValueRef v, uint64_t *value); // a number as a pointer

// hardware_names.c: what the input for a read of this place is called; *type is the C
// type's name, or "".
const char *hardware_name(struct hardware *h, const struct place *place, LLVMValueRef address,
                          const char **type);
const struct variable *hardware_variable(struct hardware *h, const char *symbol); // or NULL
void hardware_list_variables(struct hardware *h);
void hardware_register_table(struct hardware *h);
const char *hardware_plain_name(struct hardware *h, const char *name); // without a linker's number

// hardware_asm.c
void hardware_assembly(struct hardware *h, LLVMValueRef call);

// hardware_atomic.c: an atomic load, store or update; a call of libatomic (true: it is gone); a
// pointer that others may change is read or written
void hardware_atomic(struct hardware *h, LLVMValueRef i);
bool hardware_atomic_call(struct hardware *h, LLVMValueRef call, const char *name);
void hardware_fence(struct hardware *h, LLVMValueRef i); // others may change memory before it
void hardware_pointer(struct hardware *h, LLVMValueRef i, LLVMValueRef address,
                      unsigned flags); // enum hw_pointer

// hardware_plain.c: before code changes, registers that are read where nobody sees it; a pointer
// that becomes a number; a local whose address is kept elsewhere. hardware_unseen: count one.
void hardware_plain(struct hardware *h, LLVMValueRef i);
void hardware_as_number(struct hardware *h, LLVMValueRef i);
bool hardware_is_given_away(LLVMValueRef local);
void hardware_unseen(struct hardware *h, LLVMValueRef i);

// weak.c
void weak_rewrite(struct hardware *h);

// hardware_loops.c
void hardware_loops(struct hardware *h);

#endif
