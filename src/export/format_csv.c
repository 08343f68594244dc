// SPDX-License-Identifier: Apache-2.0
// Tests as data: suite.csv (RFC 4180), a row for each input and for each thing that was observed.
#include "base/fs.h"
#include "export/c_writer.h"

#include <stdio.h>
#include <string.h>

static void put_cell(const char *text, char end, struct buf *out)
{
    bool is_quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (is_quoted)
        buf_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            buf_putc(out, '"');
        buf_putc(out, *text);
    }
    if (is_quoted)
        buf_putc(out, '"');
    if (end == '\n')
        buf_putc(out, '\r');
    buf_putc(out, end);
}

struct row {
    const char *file, *task, *outcome, *kind, *path, *type, *value;
    unsigned number;
};

static void put_row(const struct row *row, struct buf *out)
{
    char number[16];
    snprintf(number, sizeof number, "%u", row->number);
    put_cell(row->file, ',', out);
    put_cell(row->task, ',', out);
    put_cell(number, ',', out);
    put_cell(row->outcome, ',', out);
    put_cell(row->kind, ',', out);
    put_cell(row->path, ',', out);
    put_cell(row->type, ',', out);
    put_cell(row->value, '\n', out);
}

static void put_test(const struct result_part *part, const struct result_task *task,
                     const struct result_test *test, struct buf *out)
{
    struct row row = {.file = part->file,
                      .task = task->function,
                      .outcome = test->outcome,
                      .number = test->number};
    row.kind = "input";
    for (size_t i = 0; i < test->input_count; i++) {
        row.path = test->inputs[i].path;
        row.type = test->inputs[i].type;
        row.value = test->inputs[i].value;
        put_row(&row, out);
    }
    row.kind = "observed";
    for (size_t i = 0; i < test->output_count; i++) {
        row.path = test->outputs[i].path;
        row.type = test->outputs[i].type;
        row.value = test->outputs[i].value;
        put_row(&row, out);
    }
    if (!test->input_count && !test->output_count) {
        row.kind = "test";
        row.path = row.type = row.value = "";
        put_row(&row, out);
    }
}

export_writer export_csv;
bool export_csv(const struct export_request *request, struct export_tally *tally, struct error *err)
{
    struct buf text = BUF_INIT;
    const struct result *result = request->result;
    if (!fs_make_dirs(request->directory, err))
        return false;
    buf_puts(&text, "file,task,test,outcome,kind,path,type,value\r\n");
    for (size_t i = 0; i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        for (size_t t = 0; t < task->tests.count; t++)
            put_test(result->parts.items[task->part], task, task->tests.items[t], &text);
        tally->tests += task->tests.count;
    }
    bool good = fs_write(arena_printf(request->arena, "%s/suite.csv", request->directory),
                         buf_text(&text), text.length, err);
    buf_release(&text);
    return good;
}
