// SPDX-License-Identifier: Apache-2.0
// Reading one module: what facts_module.c, address.c and body.c share while LLVM's objects live.
#ifndef CZ_FACTS_FACTS_MODULE_H
#define CZ_FACTS_FACTS_MODULE_H

#include "facts/facts_internal.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

struct reader {
    struct facts *facts;
    uint32_t file;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    struct body *body;    // that is being read
    struct map nodes;     // value -> node + 1
    struct map blocks;    // block -> number + 1
    uint32_t block;       // the one at hand
    unsigned sret, byval; // kinds of attributes
};

// facts_module.c
uint32_t module_symbol(struct reader *r, LLVMValueRef value);

// address.c
struct place {       // a constant address
    uint32_t symbol; // NONE: no symbol
    int64_t offset, span;
    uint32_t field;
    bool fixed; // a number
};
bool address_constant(struct reader *r, LLVMValueRef value, struct place *out);
struct step {
    int64_t offset, span;
    uint32_t field;
};
struct step address_step(struct reader *r, LLVMValueRef element); // of a getelementptr
uint32_t address_field(struct reader *r, LLVMTypeRef type, int64_t offset);
struct extent address_extent(LLVMValueRef number);
struct extent address_bound(struct reader *r, LLVMValueRef address);

// body.c
void body_read(struct reader *r, LLVMValueRef function);

// As bitcode. LLVM's own writer ends the process when a disk is full.
bool module_write(LLVMModuleRef module, const char *path, struct error *err);

#endif
