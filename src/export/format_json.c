// SPDX-License-Identifier: Apache-2.0
// Tests as data: suite.json, with all that the store has of them.
#include "base/fs.h"
#include "base/json.h"
#include "export/c_writer.h"

static void put_inputs(struct json_writer *w, const struct result_test *test)
{
    json_open(w, "inputs", '[');
    for (size_t i = 0; i < test->input_count; i++) {
        json_open(w, NULL, '{');
        json_text(w, "path", test->inputs[i].path);
        json_text(w, "type", test->inputs[i].type);
        json_text(w, "value", test->inputs[i].value);
        json_close(w, '}');
    }
    json_close(w, ']');
    json_open(w, "observed", '[');
    for (size_t i = 0; i < test->output_count; i++) {
        json_open(w, NULL, '{');
        json_text(w, "path", test->outputs[i].path);
        json_text(w, "type", test->outputs[i].type);
        json_text(w, "value", test->outputs[i].value);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void put_task(struct json_writer *w, const struct result *result,
                     const struct result_task *task, struct export_tally *tally)
{
    const struct result_part *part = result->parts.items[task->part];
    for (size_t t = 0; t < task->tests.count; t++) {
        const struct result_test *test = task->tests.items[t];
        json_open(w, NULL, '{');
        json_text(w, "file", part->file);
        json_text(w, "task", task->function);
        json_int(w, "number", test->number);
        json_text(w, "outcome", test->outcome);
        json_bool(w, "crashed", test->crashed);
        put_inputs(w, test);
        json_close(w, '}');
        tally->tests++;
    }
}

export_writer export_json;
bool export_json(const struct export_request *request, struct export_tally *tally,
                 struct error *err)
{
    struct buf text = BUF_INIT;
    struct json_writer w;
    const struct result *result = request->result;
    if (!fs_make_dirs(request->directory, err))
        return false;
    json_begin(&w, &text, true);
    json_open(&w, NULL, '{');
    json_int(&w, "format", 1);
    json_text(&w, "version", result->version);
    json_text(&w, "note", "what was observed, not what a specification expects");
    json_open(&w, "tests", '[');
    for (size_t i = 0; i < result->tasks.count; i++)
        put_task(&w, result, result->tasks.items[i], tally);
    json_close(&w, ']');
    json_close(&w, '}');
    buf_putc(&text, '\n');
    bool good = fs_write(arena_printf(request->arena, "%s/suite.json", request->directory),
                         buf_text(&text), text.length, err);
    buf_release(&text);
    return good;
}
