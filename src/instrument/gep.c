// SPDX-License-Identifier: Apache-2.0
#include "instrument/gep.h"

bool gep_is(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) ||
           (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

bool gep_step(LLVMTargetDataRef layout, LLVMValueRef gep, int64_t *offset)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int64_t sum = 0;
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(gep); k++) {
        LLVMValueRef index = LLVMGetOperand(gep, k);
        if (!LLVMIsAConstantInt(index))
            return false;
        int64_t n = LLVMConstIntGetSExtValue(index);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            sum += (int64_t)LLVMOffsetOfElement(layout, type, (unsigned)n);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
            continue;
        }
        if (k > 1)
            type = LLVMGetElementType(type);
        sum += n * (int64_t)LLVMABISizeOfType(layout, type);
    }
    *offset += sum;
    return true;
}
