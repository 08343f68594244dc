// SPDX-License-Identifier: Apache-2.0
// Preconditions of a run directory (preconditions.txt): those that were inferred, with the
// calls of the project, in the format of cadenza.pre; see src/pre/pre.h and docs/formats.md.
#include "report/report.h"

#include "base/fs.h"

static void write_precondition(const struct result_precondition *pre, struct buf *out)
{
    buf_printf(out, "inferred precondition %s%s%s: %s // %s\n",
               pre->file ? fs_basename(pre->file) : "", pre->file ? ":" : "", pre->function,
               pre->expression, pre->origin);
    for (size_t k = 0; k < pre->site_count; k++)
        buf_printf(out, "    %s %s\n", site_verdict_name(pre->sites[k].verdict),
                   pre->sites[k].text);
}

void report_preconditions(const struct result *result, struct buf *out)
{
    for (size_t p = 0; p < result->parts.count; p++) {
        const struct result_part *part = result->parts.items[p];
        buf_printf(out,
                   "# Inferred by cadenza. Confirm or reject: cadenza pre confirm|reject %s ID\n",
                   part->home);
        if (part->project_file)
            buf_printf(out, "file %s\n", part->project_file);
        for (size_t i = 0; i < result->preconditions.count; i++)
            if (result->preconditions.items[i].part == p)
                write_precondition(&result->preconditions.items[i], out);
        if (result->is_project)
            buf_putc(out, '\n');
    }
}
