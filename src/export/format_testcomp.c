// SPDX-License-Identifier: Apache-2.0
// Test suites in the format of Test-Comp (https://gitlab.com/sosy-lab/test-comp/test-format): a
// directory per task with metadata.xml and a file per test, which lists the inputs in the order in
// which they are asked for.
#include "base/fs.h"
#include "export/c_writer.h"

#include <string.h>
#include <time.h>

static void put_escaped(const char *text, struct buf *out)
{
    for (; *text; text++) {
        const char *as = *text == '<'   ? "&lt;"
                         : *text == '>' ? "&gt;"
                         : *text == '&' ? "&amp;"
                         : *text == '"' ? "&quot;"
                                        : NULL;
        if (as)
            buf_puts(out, as);
        else if ((unsigned char)*text >= ' ')
            buf_putc(out, *text);
    }
}

static void put_element(const char *name, const char *text, struct buf *out)
{
    buf_printf(out, "  <%s>", name);
    put_escaped(text, out);
    buf_printf(out, "</%s>\n", name);
}

static void put_begin(const char *root, struct buf *out)
{
    buf_printf(out,
               "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
               "<!DOCTYPE %s PUBLIC \"+//IDN sosy-lab.org//DTD test-format %s 1.1//EN\" "
               "\"https://sosy-lab.org/test-format/%s-1.1.dtd\">\n<%s>\n",
               root, root, root, root);
}

static const char *hash_of(const struct result *result, const struct result_part *part)
{
    for (size_t i = 0; i < result->sources.count; i++)
        if (!strcmp(result->sources.items[i].path, part->file))
            return result->sources.items[i].hash;
    return "";
}

static void put_metadata(const struct result *result, const struct result_task *task,
                         struct buf *out)
{
    const struct result_part *part = result->parts.items[task->part];
    char when[32];
    time_t now = time(NULL);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    put_begin("test-metadata", out);
    put_element("sourcecodelang", "C", out);
    put_element("producer", "cadenza", out);
    put_element("specification", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", out);
    put_element("programfile", part->file, out);
    put_element("programhash", hash_of(result, part), out);
    put_element("entryfunction", task->function, out);
    put_element("architecture", !strcmp(part->data_model, "ilp32") ? "32bit" : "64bit", out);
    put_element("creationtime", when, out);
    buf_puts(out, "</test-metadata>\n");
}

// A value by itself, or one after the other from an array.
static void put_values(const struct result_input *input, struct buf *out)
{
    for (const char *at = input->value; *at;) {
        size_t length = strcspn(at, " ");
        buf_puts(out, "  <input variable=\"");
        put_escaped(input->path, out);
        buf_puts(out, "\" type=\"");
        put_escaped(input->type, out);
        buf_printf(out, "\">%.*s</input>\n", (int)length, at);
        at += length + (at[length] == ' ');
    }
}

static void put_test(const struct result_test *test, struct buf *out)
{
    put_begin("testcase", out);
    for (size_t i = 0; i < test->input_count; i++)
        put_values(&test->inputs[i], out);
    buf_puts(out, "</testcase>\n");
}

static bool write_task(const struct export_request *request, const struct result_task *task,
                       const char *directory, struct error *err)
{
    struct buf text = BUF_INIT;
    bool good = fs_make_dirs(directory, err);
    put_metadata(request->result, task, &text);
    good = good && fs_write(arena_printf(request->arena, "%s/metadata.xml", directory),
                            buf_text(&text), text.length, err);
    for (size_t t = 0; good && t < task->tests.count; t++) {
        buf_clear(&text);
        put_test(task->tests.items[t], &text);
        good = fs_write(arena_printf(request->arena, "%s/testcase-%u.xml", directory,
                                     task->tests.items[t]->number),
                        buf_text(&text), text.length, err);
    }
    buf_release(&text);
    return good;
}

export_writer export_testcomp;
bool export_testcomp(const struct export_request *request, struct export_tally *tally,
                     struct error *err)
{
    const struct result *result = request->result;
    bool good = true;
    for (size_t i = 0; good && i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        good = write_task(request, task, export_task_directory(request, task), err);
        tally->tests += task->tests.count;
    }
    return good;
}
