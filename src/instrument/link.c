// SPDX-License-Identifier: Apache-2.0
// Links modules before they are instrumented, so that the instrumenter sees all callers
// of a function and labels cross files like calls within one. LLVM keeps statics of the
// same name apart by numbering them ("count.3").
#include "instrument/pass.h"

#include "base/buf.h"
#include "base/fs.h"
#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>

bool pass_write(LLVMMemoryBufferRef bytes, const char *path, struct error *err)
{
    bool good = fs_write(path, LLVMGetBufferStart(bytes), LLVMGetBufferSize(bytes), err);
    LLVMDisposeMemoryBuffer(bytes);
    return good;
}

static void collect_message(LLVMDiagnosticInfoRef info, void *context)
{
    struct buf *messages = context;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    buf_printf(messages, "%s%s", messages->length ? "\n" : "", text);
    LLVMDisposeMessage(text);
}

static bool link_all(LLVMContextRef context, const char *const *bitcode, size_t count,
                     size_t with_lines, LLVMModuleRef *all, struct error *err)
{
    struct buf messages = BUF_INIT;
    bool good = module_load(context, bitcode[0], all, err);
    LLVMContextSetDiagnosticHandler(context, collect_message, &messages);
    for (size_t i = 1; good && i < count; i++) {
        LLVMModuleRef next;
        good = module_load(context, bitcode[i], &next, err);
        if (good && i >= with_lines)
            LLVMStripModuleDebugInfo(next);
        if (good && LLVMLinkModules2(*all, next))
            good = error_set(err, ERROR_SOURCE, "the files do not link: %s", buf_text(&messages));
    }
    LLVMContextSetDiagnosticHandler(context, NULL, NULL);
    buf_release(&messages);
    return good;
}

bool instrument_link(const char *const *bitcode, size_t count, size_t with_lines, const char *out,
                     struct error *err)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef all = NULL;
    bool good = link_all(context, bitcode, count, with_lines, &all, err);
    good = good && pass_write(LLVMWriteBitcodeToMemoryBuffer(all), out, err);
    if (all)
        LLVMDisposeModule(all);
    LLVMContextDispose(context);
    return good;
}
