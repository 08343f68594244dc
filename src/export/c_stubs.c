// SPDX-License-Identifier: Apache-2.0
// Stubs. Each stub of a file notes that it is called and asks the script of the test, a function
// that knows what to do in which call; without a script it returns zero.
#include "export/c_writer.h"

#include <ctype.h>
#include <string.h>

static bool is_void(const struct export_stub *stub)
{
    return !strcmp(stub->declaration->type, "void");
}

static bool is_writable(const struct export_stub *stub)
{
    for (size_t i = 0; i < stub->parameter_count; i++)
        if (!*stub->parameters[i]->text)
            return false;
    return *stub->declaration->type && strcmp(stub->declaration->type, "noreturn") != 0;
}

// A parameter must not hide what a test wants to name.
static const char *parameter_name(const struct export_file *file, const struct export_stub *stub,
                                  size_t index, struct arena *arena)
{
    const char *name = stub->parameters[index]->name;
    if (*name == '#')
        return arena_printf(arena, "unnamed_%s", name + 1);
    return map_get_text(&file->taken, name, NULL) ? arena_printf(arena, "%s_given", name) : name;
}

static const char *parameter_text(const struct export_file *file, const struct export_stub *stub,
                                  size_t index, struct arena *arena)
{
    const struct result_declaration *of = stub->parameters[index];
    if (!strcmp(of->name, "...") || *of->name == '#')
        return *of->name == '#' ? of->text : "...";
    size_t length = strlen(of->text), name = strlen(of->name);
    return arena_printf(arena, "%.*s%s", (int)(length - name), of->text,
                        parameter_name(file, stub, index, arena));
}

// "int (*name)" of "int name".
static const char *replace_name(const struct export_stub *stub, const char *with,
                                struct arena *arena)
{
    const char *text = stub->declaration->text;
    size_t length = strlen(text), name = strlen(stub->declaration->name);
    return arena_printf(arena, "%.*s%s", (int)(length - name), text, with);
}

static void put_parameters(const struct export_file *file, const struct export_stub *stub,
                           const char *first, struct arena *arena, struct buf *out)
{
    buf_printf(out, "(%s", first);
    for (size_t i = 0; i < stub->parameter_count; i++)
        buf_printf(out, "%s%s", i || *first ? ", " : "", parameter_text(file, stub, i, arena));
    buf_puts(out, !stub->parameter_count && !*first ? "void)" : ")");
}

static void put_plain_stub(const struct export_file *file, const struct export_stub *stub,
                           struct arena *arena, struct buf *out)
{
    bool ends = !strcmp(stub->declaration->type, "noreturn");
    buf_puts(out, stub->declaration->text);
    put_parameters(file, stub, "", arena, out);
    buf_printf(out, "\n{\n");
    for (size_t i = 0; i < stub->parameter_count; i++)
        if (strcmp(stub->parameters[i]->name, "...") != 0)
            buf_printf(out, "    (void)%s;\n", parameter_name(file, stub, i, arena));
    buf_printf(out, "    note_call(\"%s\");\n", stub->declaration->name);
    if (ends)
        buf_puts(out, "    abort();\n");
    buf_puts(out, "}\n\n");
}

static void put_stub(const struct export_file *file, const struct export_stub *stub,
                     struct arena *arena, struct buf *out)
{
    const char *name = stub->declaration->name;
    buf_puts(out, stub->declaration->text);
    put_parameters(file, stub, "", arena, out);
    buf_puts(out, "\n{\n");
    if (!is_void(stub))
        buf_printf(out, "    static %s;\n", replace_name(stub, "no_result", arena));
    buf_printf(out, "    note_call(\"%s\");\n", name);
    buf_printf(out, "    if (script.%s)\n        %sscript.%s(++script.%s_calls", name,
               is_void(stub) ? "" : "return ", name, name);
    for (size_t i = 0; i < stub->parameter_count; i++)
        if (strcmp(stub->parameters[i]->name, "...") != 0)
            buf_printf(out, ", %s", parameter_name(file, stub, i, arena));
    buf_printf(out, ");\n%s}\n\n", is_void(stub) ? "" : "    return no_result;\n");
}

void c_write_stubs(const struct export_file *file, struct arena *arena, struct buf *out)
{
    if (!file->stub_count)
        return;
    buf_puts(out, "/* ---- Stubs of functions that the file calls and does not define ---- */\n\n"
                  "/* What stubs do in the test that is running: functions that get the number of\n"
                  "   the call, from 1, and its arguments. */\n"
                  "static struct {\n    int unused;\n");
    for (size_t i = 0; i < file->stub_count; i++) {
        const struct export_stub *stub = &file->stubs[i];
        if (!is_writable(stub))
            continue;
        buf_printf(
            out, "    %s",
            replace_name(stub, arena_printf(arena, "(*%s)", stub->declaration->name), arena));
        put_parameters(file, stub, "unsigned call_number", arena, out);
        buf_printf(out, ";\n    unsigned %s_calls;\n", stub->declaration->name);
    }
    buf_puts(out, "} script;\n\n");
    for (size_t i = 0; i < file->stub_count; i++)
        if (is_writable(&file->stubs[i]))
            put_stub(file, &file->stubs[i], arena, out);
        else if (*file->stubs[i].declaration->text)
            put_plain_stub(file, &file->stubs[i], arena, out);
}

// ---- the script of a test ----

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) &&
            !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    return false;
}

// How the script of a stub names a parameter; other names are those of variables.
static const char *script_name(struct c_writer *w, const struct export_stub *stub, const char *name)
{
    for (size_t i = 0; i < stub->parameter_count; i++)
        if (!strcmp(stub->parameters[i]->name, name))
            return parameter_name(w->file, stub, i, w->arena);
    return name;
}

// "*counts", "debounce->count", "buf[0..9]": in terms of the stub's parameters.
static void write_value(struct c_writer *w, const struct export_stub *stub,
                        const struct result_input *input)
{
    struct input_path path;
    struct buf lvalue = BUF_INIT;
    if (!input_path_parse(input->path, w->arena, &path))
        return;
    const char *part = input_path_stub_part(&path);
    if (!strcmp(part, "errno")) {
        c_line(w, "errno = %s;", input->value);
        return;
    }
    struct input_path rest = path;
    rest.links++;
    rest.link_count--;
    bool is_target = *part == '*';
    buf_printf(&lvalue, is_target ? "(*%s)" : "%s", script_name(w, stub, part + is_target));
    input_path_print_links(&rest, &lvalue);
    if (path.elements > 1) {
        size_t count;
        const char *list = c_list(w, input->type, input->value, &count);
        c_line(w, "memcpy((void *)%s, ((const %s[]){%s}), sizeof(%s[%zu]));", buf_text(&lvalue),
               input->type, list, input->type, count);
    } else {
        c_line(w, "%s = %s;", buf_text(&lvalue), c_literal(w, input->type, input->value));
    }
    buf_release(&lvalue);
}

static void put_return(struct c_writer *w, const struct export_stub *stub,
                       const struct export_stub_call *call)
{
    const export_values *values = &call->returned;
    if (is_void(stub)) {
        c_line(w, "return;");
    } else if (!values->count) {
        c_line(w, "return no_result;");
    } else if (!*values->items[0].member) {
        c_line(w, "return %s;%s", c_literal(w, values->items[0].type, values->items[0].value),
               c_is_real(values->items[0].value) ? c_real_comment(w, values->items[0].value) : "");
    } else {
        for (size_t i = 0; i < values->count; i++)
            c_assign(w, "given_result", &values->items[i]);
        c_line(w, "return given_result;");
    }
}

static void put_case(struct c_writer *w, const struct export_stub *stub,
                     const struct export_stub_call *call)
{
    struct input_path path;
    c_line(w, "case %u:", call->number);
    w->level++;
    for (size_t i = 0; i < call->checks.count; i++) {
        const struct result_output *check = call->checks.items[i];
        if (!input_path_parse(check->path, w->arena, &path) || path.link_count != 1)
            continue;
        const char *name = path.links[0].name;
        c_check(w, script_name(w, stub, name), check->type, check->value, 1);
    }
    for (size_t i = 0; i < call->writes.count; i++)
        write_value(w, stub, call->writes.items[i]);
    put_return(w, stub, call);
    w->level--;
}

static bool returns_record(const struct c_writer *w, size_t stub)
{
    for (size_t i = 0; i < w->test->stub_calls.count; i++) {
        const struct export_stub_call *call = &w->test->stub_calls.items[i];
        if (call->stub == stub && call->returned.count && *call->returned.items[0].member)
            return true;
    }
    return false;
}

static void write_script(struct c_writer *w, size_t index)
{
    const struct export_stub *stub = &w->file->stubs[index];
    struct buf cases = BUF_INIT, *out = w->out;
    const char *name = arena_printf(w->arena, "%s_%s", w->test->name, stub->declaration->name);
    w->out = &cases;
    w->level = 1;
    for (size_t i = 0; i < w->test->stub_calls.count; i++)
        if (w->test->stub_calls.items[i].stub == index)
            put_case(w, stub, &w->test->stub_calls.items[i]);
    w->out = out;
    buf_printf(out, "static %s", replace_name(stub, name, w->arena));
    put_parameters(w->file, stub, "unsigned call_number", w->arena, out);
    buf_puts(out, "\n{\n");
    if (!is_void(stub))
        c_line(w, "static %s;", replace_name(stub, "no_result", w->arena));
    if (returns_record(w, index))
        c_line(w, "%s = no_result;", replace_name(stub, "given_result", w->arena));
    for (size_t i = 0; i < stub->parameter_count; i++)
        if (!has_word(buf_text(&cases), parameter_name(w->file, stub, i, w->arena)))
            c_line(w, "(void)%s;", parameter_name(w->file, stub, i, w->arena));
    c_line(w, "switch (call_number) {");
    buf_puts(out, buf_text(&cases));
    c_line(w, "default:");
    c_line(w, is_void(stub) ? "    return;" : "    return no_result; /* never called so often */");
    c_line(w, "}");
    buf_puts(out, "}\n\n");
    w->level = 0;
    buf_release(&cases);
}

static bool is_called(const struct c_writer *w, size_t stub)
{
    for (size_t i = 0; i < w->test->stub_calls.count; i++)
        if (w->test->stub_calls.items[i].stub == stub)
            return true;
    return false;
}

void c_write_scripts(struct c_writer *w)
{
    for (size_t i = 0; i < w->file->stub_count; i++)
        if (is_called(w, i))
            write_script(w, i);
}

void c_set_scripts(struct c_writer *w)
{
    for (size_t i = 0; i < w->file->stub_count; i++)
        if (is_called(w, i))
            c_line(w, "script.%s = %s_%s;", w->file->stubs[i].declaration->name, w->test->name,
                   w->file->stubs[i].declaration->name);
}

// Which stubs were called, in their order.
void c_check_calls(struct c_writer *w)
{
    struct buf list = BUF_INIT, check = BUF_INIT;
    if (!w->file->stub_count)
        return;
    for (size_t i = 0; i < w->test->stub_calls.count; i++) {
        const char *name = w->file->stubs[w->test->stub_calls.items[i].stub].declaration->name;
        if (i)
            buf_puts(&list, i % 4 ? " " : " \"\n        \"");
        buf_puts(&list, name);
    }
    if (w->test->test->outputs_cut)
        c_line(w, "/* more was observed than the store keeps */");
    else {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        buf_printf(&check, w->dialect->text, "calls_noted()",
                   arena_printf(w->arena, "\"%s\"", buf_text(&list)));
#pragma GCC diagnostic pop
        c_line(w, "%s", buf_text(&check));
    }
    buf_release(&list);
    buf_release(&check);
}
