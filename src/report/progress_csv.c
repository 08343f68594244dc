// SPDX-License-Identifier: Apache-2.0
// Coverage over iterations and time, for spreadsheets.
#include "report/report.h"

#include <string.h>

void report_strategy(const char *options, struct buf *out)
{
    const char *at = strstr(options, "--strategy ");
    at = at ? at + strlen("--strategy ") : "";
    buf_add(out, at, strcspn(at, " "));
}

static void put_field(const char *text, struct buf *out)
{
    bool quote = strpbrk(text, ",\"\n") != NULL;
    if (quote)
        buf_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            buf_putc(out, '"');
        buf_putc(out, *text);
    }
    if (quote)
        buf_putc(out, '"');
}

void report_progress_csv(const struct result *result, struct buf *out)
{
    for (size_t i = 0; i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        const struct result_part *part = result->parts.items[task->part];
        for (size_t k = 0; k < task->samples.count; k++) {
            const struct result_sample *sample = &task->samples.items[k];
            put_field(part->file, out);
            buf_putc(out, ',');
            report_strategy(part->options, out);
            buf_printf(out, ",%llu,", (unsigned long long)part->seed);
            put_field(task->function, out);
            buf_printf(out, ",%llu,%llu,%.4f,%u,%u,%u\n", (unsigned long long)sample->iteration,
                       (unsigned long long)sample->queries, sample->seconds, sample->branches,
                       sample->conditions, sample->statements);
        }
    }
}
