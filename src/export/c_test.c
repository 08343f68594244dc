// SPDX-License-Identifier: Apache-2.0
// One test as a C function: objects, variables, the calls, and what was observed behind each.
#include "export/c_writer.h"

#include "base/tunables.h"
#include <string.h>

// ---- what it is about ----

// Text for a comment: it must not end it.
static void put_comment_text(const char *text, struct buf *out)
{
    for (; *text; text++)
        if (text[0] == '*' && text[1] == '/')
            buf_puts(out, "*\\");
        else
            buf_putc(out, *text == '\n' ? ' ' : *text);
}

static void list_inputs(struct c_writer *w)
{
    const struct result_test *test = w->test->test;
    for (size_t i = 0; i < test->input_count && i < EXPORT_SHOWN_INPUTS; i++) {
        buf_puts(w->out, "   ");
        put_comment_text(test->inputs[i].path, w->out);
        buf_puts(w->out, " = ");
        put_comment_text(test->inputs[i].value, w->out);
        buf_putc(w->out, '\n');
    }
    if (test->input_count > EXPORT_SHOWN_INPUTS)
        buf_printf(w->out, "   and %zu more\n", test->input_count - EXPORT_SHOWN_INPUTS);
}

static void write_heading(struct c_writer *w)
{
    const struct export_test *test = w->test;
    buf_printf(w->out, "/* %s(), test %u of the run", test->task->function, test->test->number);
    if (test->disabled) {
        buf_puts(w->out, "\n   Disabled: ");
        put_comment_text(test->disabled, w->out);
        buf_putc(w->out, '\n');
        if (!test->expressible)
            list_inputs(w);
        buf_puts(w->out, "   */\n");
    } else {
        buf_puts(w->out, " */\n");
    }
}

// ---- the call ----

// In some test of the task it was a scalar.
static bool is_scalar_argument(const struct c_writer *w, size_t index)
{
    for (size_t t = 0; t < w->file->tests.count; t++) {
        const struct export_test *test = w->file->tests.items[t];
        for (size_t i = 0; test->task == w->test->task && i < test->calls.count; i++) {
            const export_values *values = &test->calls.items[i].arguments[index].values;
            if (values->count)
                return !*values->items[0].member;
        }
    }
    return false;
}

static const char *argument_value(struct c_writer *w, const struct export_call *call, size_t index)
{
    const struct export_argument *argument = &call->arguments[index];
    const char *type = argument->declaration->type;
    if (argument->name)
        return argument->name;
    if (argument->values.count)
        return c_literal(w, argument->values.items[0].type, argument->values.items[0].value);
    if (strchr(type, '*'))
        return "NULL";
    if (c_is_number(type) || is_scalar_argument(w, index)) {
        const char *zero = model_enumerator(w->file, type, "0");
        return zero ? zero : "0";
    }
    return arena_printf(w->arena, "(%s){0}", type);
}

static void write_call(struct c_writer *w, size_t index)
{
    const struct export_call *call = &w->test->calls.items[index];
    const struct result_declaration *result = w->result;
    struct buf text = BUF_INIT;
    const char *name = index ? arena_printf(w->arena, "result_%zu", index + 1) : "result";
    bool returns = strcmp(result->type, "void") != 0 && *result->type;
    if (returns)
        buf_printf(&text, "%s = ", c_declare(w, result->type, name));
    buf_printf(&text, "%s(", result->name);
    for (size_t i = 0; i < call->argument_count; i++)
        buf_printf(&text, "%s%s", i ? ", " : "", argument_value(w, call, i));
    c_line(w, "%s);", buf_text(&text));
    buf_release(&text);
    bool checked = false;
    for (size_t i = 0; i < call->checks.count; i++) {
        const char *path = call->checks.items[i]->path;
        checked |=
            strstr(path, "return") != NULL && strcmp(call->checks.items[i]->value, "differs");
        c_check_output(w, index, call->checks.items[i]);
    }
    if (returns && !checked)
        c_line(w, "(void)%s;", name);
}

static void write_changes(struct c_writer *w, const struct export_call *call)
{
    for (size_t i = 0; i < call->changes.count; i++) {
        const struct export_change *change = &call->changes.items[i];
        struct export_value value = change->value;
        const char *base = change->variable;
        if (change->object && change->object->elements == 1 && !change->object->is_freed)
            value.member += strlen("[0]");
        c_assign(w, change->object ? change->object->name : base, &value);
    }
}

// errno when the task is called, where it looks at it.
static void write_errno(struct c_writer *w, size_t call)
{
    const struct result_test *test = w->test->test;
    struct input_path path;
    for (size_t i = 0; i < test->input_count; i++)
        if (input_path_parse(test->inputs[i].path, w->arena, &path) &&
            path.root.kind == INPUT_ERRNO && (path.root.call ? path.root.call : 1) == call + 1)
            c_line(w, "errno = %s;", test->inputs[i].value);
}

static void write_body(struct c_writer *w)
{
    const struct export_test *test = w->test;
    c_declare_objects(w, false);
    for (size_t i = 0; i < test->calls.count; i++)
        for (size_t k = 0; k < test->calls.items[i].argument_count; k++)
            if (test->calls.items[i].arguments[k].name)
                c_declare_argument(w, &test->calls.items[i].arguments[k]);
    c_line(w, "begin_test();");
    c_flush_later(w);
    c_set_scripts(w);
    for (size_t i = 0; i < test->calls.count; i++) {
        write_changes(w, &test->calls.items[i]);
        write_errno(w, i);
        write_call(w, i);
    }
    c_check_calls(w);
}

void c_write_test(struct c_writer *w, const char *requirement)
{
    const struct export_test *test = w->test;
    map_clear(&w->declared);
    if (test->expressible) {
        c_declare_objects(w, true);
        c_write_scripts(w);
    }
    write_heading(w);
    buf_puts(w->out, requirement);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    buf_printf(w->out, w->dialect->head, test->name);
    buf_puts(w->out, "\n{\n");
    w->level = 1;
    buf_puts(w->out, w->dialect->begin);
    if (test->disabled) {
        buf_puts(w->out, "    ");
        buf_printf(w->out, w->dialect->skip, c_quoted(w, test->disabled));
        buf_putc(w->out, '\n');
    }
#pragma GCC diagnostic pop
    if (test->expressible)
        write_body(w);
    w->level = 0;
}
