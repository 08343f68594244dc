// SPDX-License-Identifier: Apache-2.0
// Preconditions of a run directory (preconditions.txt): those that were inferred, with the
// calls of the project, in the format of cadenza.pre; see src/pre/pre.h and docs/formats.md.
#include "report/report.h"

#include "base/fs.h"

void report_preconditions(const struct result *result, struct buf *out)
{
    buf_printf(out, "# Inferred by cadenza. Confirm or reject: cadenza pre confirm|reject %s ID\n",
               result->directory);
    if (result->project_file)
        buf_printf(out, "file %s\n", result->project_file);
    for (size_t i = 0; i < result->preconditions.count; i++) {
        const struct result_precondition *pre = &result->preconditions.items[i];
        buf_printf(out, "inferred precondition %s%s%s: %s // %s\n",
                   pre->file ? fs_basename(pre->file) : "", pre->file ? ":" : "", pre->function,
                   pre->expression, pre->origin);
        for (size_t k = 0; k < pre->site_count; k++)
            buf_printf(out, "    %s\n", pre->sites[k]);
    }
}
