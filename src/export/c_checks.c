// SPDX-License-Identifier: Apache-2.0
// What a test compares. The path of something that was observed becomes an expression: pointers
// on the way are those behind the call, as in C.
#include "export/c_writer.h"

#include <stdlib.h>
#include <string.h>

// ---- one check ----

__attribute__((format(printf, 2, 0))) static void put_check(struct c_writer *w, const char *format,
                                                            const char *actual,
                                                            const char *expected, const char *size,
                                                            const char *comment)
{
    struct buf text = BUF_INIT;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    buf_printf(&text, format, actual, expected, size);
#pragma GCC diagnostic pop
    c_line(w, "%s%s", buf_text(&text), comment);
    buf_release(&text);
}

static void check_pointer(struct c_writer *w, const char *expression, const char *type,
                          const char *value)
{
    const char *expected = strcmp(value, "non-NULL") != 0 ? c_pointer(w, type, value) : NULL;
    if (!strcmp(value, "NULL"))
        put_check(w, w->dialect->null, expression, "", "", "");
    else if (expected)
        put_check(w, w->dialect->same, arena_printf(w->arena, "(const void *)(%s)", expression),
                  arena_printf(w->arena, "(const void *)(%s)", expected), "", "");
    else
        put_check(w, w->dialect->not_null, expression, "", "", "");
}

static bool is_pointer(const char *value)
{
    return !strcmp(value, "NULL") || !strcmp(value, "non-NULL") || !strncmp(value, "-> ", 3);
}

static void check_real(struct c_writer *w, const char *expression, const char *value)
{
    put_check(w, w->dialect->equal, arena_printf(w->arena, "REAL_BITS(%s)", expression),
              arena_printf(w->arena, "REAL_BITS_AS(%s, %s)", expression, c_literal(w, "", value)),
              "", c_real_comment(w, value));
}

// A union: "e5 00".
static bool is_bytes(const char *type, const char *value)
{
    size_t length = strlen(value);
    if (length % 3 != 2 || c_is_real(value) || !strcmp(type, "call"))
        return false;
    for (size_t i = 0; i < length; i++)
        if (i % 3 == 2 ? value[i] != ' ' : !strchr("0123456789abcdef", value[i]))
            return false;
    return true;
}

static void check_bytes(struct c_writer *w, const char *expression, const char *value)
{
    struct buf list = BUF_INIT;
    size_t count = (strlen(value) + 1) / 3;
    for (size_t i = 0; i < count; i++)
        buf_printf(&list, "%s0x%.2s", i ? ", " : "", value + 3 * i);
    put_check(w, w->dialect->memory, arena_printf(w->arena, "&%s", expression),
              arena_printf(w->arena, "((const unsigned char[]){%s})", buf_text(&list)),
              arena_printf(w->arena, "%zu", count), "");
    buf_release(&list);
}

static void check_list(struct c_writer *w, const char *expression, const char *type,
                       const char *value)
{
    size_t count;
    const char *list = c_list(w, type, value, &count);
    put_check(w, w->dialect->memory, arena_printf(w->arena, "%s", expression),
              arena_printf(w->arena, "((const %s[]){%s})", type, list),
              arena_printf(w->arena, "sizeof(%s[%zu])", type, count), "");
}

void c_check(struct c_writer *w, const char *expression, const char *type, const char *value,
             uint32_t elements)
{
    if (!strcmp(value, "differs"))
        c_line(w, "/* %s differs from run to run */", expression);
    else if (is_pointer(value))
        check_pointer(w, expression, type, value);
    else if (elements > 1)
        check_list(w, expression, type, value);
    else if (c_is_real(value))
        check_real(w, expression, value);
    else
        put_check(w, w->dialect->equal, expression, c_literal(w, type, value), "", "");
}

// ---- expressions ----

// What a parameter leads to, as far as it is an object with a name and of the type that the
// parameter says; else the pointer itself.
static const struct export_object *direct_object(struct c_writer *w,
                                                 const struct export_argument *argument)
{
    unsigned long offset = 0;
    const struct export_value *value = argument->values.count ? argument->values.items : NULL;
    const char *path = value ? model_target(value->value, &offset, w->arena) : NULL;
    const struct export_object *object = path ? model_object(w->test, path) : NULL;
    if (!object || offset || object->is_freed || !*object->type)
        return NULL;
    const char *pointer = c_pointer(w, value->type, value->value);
    return *pointer == '(' && strcmp(value->type, "void *") != 0 ? NULL : object;
}

static const char *add_link(struct c_writer *w, const char *base, const struct input_link *link)
{
    switch (link->kind) {
    case INPUT_FIELD: return arena_printf(w->arena, "%s.%s", base, link->name);
    case INPUT_ARROW: return arena_printf(w->arena, "%s->%s", base, link->name);
    case INPUT_INDEX: return arena_printf(w->arena, "%s[%u]", base, link->index);
    case INPUT_DEREF: return arena_printf(w->arena, "(*%s)", base);
    default: return NULL;
    }
}

// The first link behind a parameter that leads to an object with a name.
static const char *object_link(struct c_writer *w, const struct export_object *object,
                               const struct input_link *link)
{
    if (object->elements != 1)
        return add_link(w, object->name, link);
    if (link->kind == INPUT_ARROW)
        return arena_printf(w->arena, "%s.%s", object->name, link->name);
    if (link->kind == INPUT_DEREF || (link->kind == INPUT_INDEX && !link->index))
        return object->name;
    return arena_printf(w->arena, "(&%s)[%u]", object->name, link->index);
}

static const struct export_argument *find_argument(const struct export_call *call, const char *name)
{
    for (size_t i = 0; i < call->argument_count; i++)
        if (!strcmp(call->arguments[i].declaration->name, name))
            return &call->arguments[i];
    return NULL;
}

// C: the parameter as a pointer, or a variable that holds it.
static const char *argument_text(struct c_writer *w, const struct export_argument *argument)
{
    const struct export_value *value = argument->values.count ? argument->values.items : NULL;
    if (argument->name)
        return argument->name;
    const char *pointer = value ? c_pointer(w, value->type, value->value) : NULL;
    return pointer ? arena_printf(w->arena, "((%s)%s)", argument->declaration->type, pointer)
                   : NULL;
}

// NULL: C cannot say it here.
static const char *expression_of(struct c_writer *w, size_t call, const struct input_path *path)
{
    size_t next = 0;
    const char *text = NULL;
    if (path->root.kind == INPUT_GLOBAL) {
        text = path->root.name;
        if (!strcmp(text, "return"))
            text = call ? arena_printf(w->arena, "result_%zu", call + 1) : "result";
    } else if (path->root.kind == INPUT_PARAMETER) {
        const struct export_argument *argument =
            find_argument(&w->test->calls.items[call], path->root.name);
        const struct export_object *object = argument ? direct_object(w, argument) : NULL;
        if (object && path->link_count)
            text = object_link(w, object, &path->links[next++]);
        else if (object && path->elements > 1)
            text = object->name;
        else if (argument)
            text = argument_text(w, argument);
    }
    for (; text && next < path->link_count; next++)
        text = add_link(w, text, &path->links[next]);
    return text;
}

void c_check_output(struct c_writer *w, size_t call, const struct result_output *output)
{
    struct input_path path;
    const char *text =
        input_path_parse(output->path, w->arena, &path) ? expression_of(w, call, &path) : NULL;
    if (!text)
        c_line(w, "/* %s = %s was observed */", output->path, output->value);
    else if (path.elements == 1 && is_bytes(output->type, output->value) &&
             (strchr(output->value, ' ') || !strncmp(output->type, "union", 5)))
        check_bytes(w, text, output->value);
    else
        c_check(w, text, output->type, output->value, path.elements);
}
