// SPDX-License-Identifier: Apache-2.0
// Address computations of the IR.
#ifndef CZ_INSTRUMENT_GEP_H
#define CZ_INSTRUMENT_GEP_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

bool gep_is(LLVMValueRef v); // an instruction or a constant

// Add the distance that one address computation makes; false when it varies.
bool gep_step(LLVMTargetDataRef layout, LLVMValueRef gep, int64_t *offset);

#endif
