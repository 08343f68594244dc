// SPDX-License-Identifier: Apache-2.0
// Objects of a test: declared with an initialiser; what an initialiser cannot say (a pointer to
// an object that comes later, bytes of a union) is a statement behind the declarations.
#include "export/c_writer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void c_line(struct c_writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buf_printf(w->out, "%*s", 4 * (int)w->level, "");
    buf_vprintf(w->out, format, args);
    buf_putc(w->out, '\n');
    va_end(args);
}

const char *c_member(struct c_writer *w, const struct export_object *object, const char *member)
{
    if (object->elements == 1 && !object->is_freed && !strncmp(member, "[0]", 3))
        member += 3;
    return arena_printf(w->arena, "%s%s", object->name, member);
}

// ".wheel_rpm[4]" -> ".wheel_rpm" and 4. False: it does not end with an index.
static bool split_index(struct c_writer *w, const char *member, const char **prefix, size_t *index)
{
    const char *bracket = strrchr(member, '[');
    size_t length = strlen(member);
    if (!bracket || member[length - 1] != ']')
        return false;
    *prefix = arena_strndup(w->arena, member, (size_t)(bracket - member));
    *index = strtoul(bracket + 1, NULL, 10);
    return true;
}

// ---- assignments ----

static void assign_bytes(struct c_writer *w, const char *lvalue, const char *member,
                         const char *values, struct buf *out)
{
    struct buf list = BUF_INIT;
    size_t count = 0;
    const char *plus = strrchr(member, '+');
    for (const char *at = values; *at; count++) {
        size_t length = strcspn(at, " ");
        buf_printf(&list, "%s0x%.*s", count ? ", " : "", (int)length, at);
        at += length + (at[length] == ' ');
    }
    buf_printf(out, "memcpy((char *)&%s + %s, ((const unsigned char[]){%s}), %zu);", lvalue,
               plus + 1, buf_text(&list), count);
    buf_release(&list);
    (void)w;
}

static void assign_list(struct c_writer *w, const char *base, const struct export_value *value,
                        struct buf *out)
{
    const char *prefix = "";
    size_t index = 0, count;
    split_index(w, value->member, &prefix, &index);
    const char *list = c_list(w, value->type, value->value, &count);
    buf_printf(out, "memcpy((void *)&%s%s[%zu], ((const %s[]){%s}), sizeof(%s[%zu]));", base,
               prefix, index, value->type, list, value->type, count);
}

static const char *assignment(struct c_writer *w, const char *base,
                              const struct export_value *value)
{
    struct buf out = BUF_INIT;
    size_t stem = strcspn(value->member, "+");
    if (!strcmp(value->value, "zero"))
        buf_printf(&out, "memset((void *)&%s%s, 0, sizeof %s%s);", base, value->member, base,
                   value->member);
    else if (value->member[stem])
        assign_bytes(w, arena_printf(w->arena, "%s%.*s", base, (int)stem, value->member),
                     value->member, value->value, &out);
    else if (strchr(value->value, ' ') && strncmp(value->value, "-> ", 3) != 0)
        assign_list(w, base, value, &out);
    else
        buf_printf(&out, "%s%s = %s;%s", base, value->member,
                   c_literal(w, value->type, value->value),
                   c_is_real(value->value) ? c_real_comment(w, value->value) : "");
    const char *text = arena_strdup(w->arena, buf_text(&out));
    buf_release(&out);
    return text;
}

void c_assign(struct c_writer *w, const char *base, const struct export_value *value)
{
    c_line(w, "%s", assignment(w, base, value));
}

void c_flush_later(struct c_writer *w)
{
    for (size_t i = 0; i < w->later.count; i++)
        c_line(w, "%s", w->later.items[i]);
    w->later.count = 0;
}

// ---- initialisers ----

static bool can_be_initialised(struct c_writer *w, const struct export_value *value)
{
    unsigned long offset;
    const char *target = model_target(value->value, &offset, w->arena);
    const struct export_object *object = target ? model_object(w->test, target) : NULL;
    return !strchr(value->member, '+') && strcmp(value->value, "zero") != 0 &&
           !strstr(value->value, "nan:") &&
           (!object || map_get_text(&w->declared, object->name, NULL));
}

// Is it the only row about its array, and from the first element on?
static bool is_whole_row(struct c_writer *w, const export_values *values, const char *wanted)
{
    const char *prefix, *other;
    size_t index, any;
    if (!split_index(w, wanted, &prefix, &index) || index)
        return false;
    for (size_t i = 0; i < values->count; i++) {
        const char *member = values->items[i].member;
        if (strcmp(member, wanted) != 0 && !strncmp(member, prefix, strlen(prefix)) &&
            split_index(w, member, &other, &any) && !strcmp(other, prefix))
            return false;
    }
    return true;
}

static void put_elements(struct c_writer *w, const char *prefix, size_t index,
                         const struct export_value *value, struct buf *out)
{
    const char *values = value->value;
    for (bool first = true; *values; first = false) {
        size_t length = strcspn(values, " ");
        buf_printf(out, "%s%s[%zu] = %s", first ? "" : ", ", prefix, index++,
                   c_literal(w, value->type, arena_strndup(w->arena, values, length)));
        values += length + (values[length] == ' ');
    }
}

static void put_designated(struct c_writer *w, const export_values *all, const char *member,
                           const char *full, const struct export_value *value, struct buf *out)
{
    const char *prefix = "";
    size_t index = 0, count;
    bool is_row = strchr(value->value, ' ') && strncmp(value->value, "-> ", 3) != 0;
    if (!is_row) {
        buf_printf(out, "%s%s%s%s", member, *member ? " = " : "",
                   c_literal(w, value->type, value->value),
                   c_is_real(value->value) ? c_real_comment(w, value->value) : "");
        return;
    }
    split_index(w, member, &prefix, &index);
    if (!is_whole_row(w, all, full))
        put_elements(w, prefix, index, value, out);
    else if (*prefix)
        buf_printf(out, "%s = {%s}", prefix, c_list(w, value->type, value->value, &count));
    else
        buf_puts(out, c_list(w, value->type, value->value, &count));
}

// "{.state = 3, .next = &other}", and the rest in w->later. `skipped`: characters of members that
// the object's name stands for.
static const char *initialiser(struct c_writer *w, const char *base, const export_values *values,
                               size_t skipped)
{
    struct buf list = BUF_INIT;
    bool is_scalar = false;
    for (size_t i = 0; i < values->count; i++) {
        struct export_value value = values->items[i];
        value.member += skipped;
        if (!can_be_initialised(w, &value)) {
            *VEC_PUSH(&w->later) = assignment(w, base, &value);
            continue;
        }
        is_scalar |= !*value.member;
        if (list.length)
            buf_puts(&list, ", ");
        put_designated(w, values, value.member, values->items[i].member, &value, &list);
    }
    const char *text = is_scalar ? arena_strdup(w->arena, buf_text(&list))
                                 : arena_printf(w->arena, "{%s}", list.length ? list.data : "0");
    buf_release(&list);
    return text;
}

// A string literal for characters that are one, or NULL.
static const char *as_text(struct c_writer *w, const struct export_object *object)
{
    struct buf text = BUF_INIT;
    const char *quoted = NULL;
    bool is_over = false, is_text = !strcmp(object->type, "char") && object->elements > 1 &&
                                    object->values.count == 1 &&
                                    !strcmp(object->values.items[0].member, "[0]");
    for (const char *at = is_text ? object->values.items[0].value : ""; *at && is_text;) {
        long code = strtol(at, (char **)&at, 10);
        at += *at == ' ';
        is_text = code ? !is_over && code >= ' ' && code < 127 : true;
        is_over |= !code;
        if (code)
            buf_putc(&text, (char)code);
    }
    if (is_text && text.length && text.length < object->elements)
        quoted = c_quoted(w, buf_text(&text));
    buf_release(&text);
    return quoted;
}

static const char *initial(struct c_writer *w, const struct export_object *object)
{
    const char *text = as_text(w, object);
    if (text)
        return text;
    if (object->elements == 1 && !object->values.count && c_is_number(object->type))
        return "0";
    if (object->elements == 1 && *object->type)
        return initialiser(w, object->name, &object->values, strlen("[0]"));
    return initialiser(w, object->name, &object->values, 0);
}

static void declare_freed(struct c_writer *w, const struct export_object *object)
{
    c_line(w, "%s = calloc(%zu, sizeof *%s);",
           c_declare(w, arena_printf(w->arena, "%s *", object->type), object->name),
           object->elements, object->name);
    for (size_t i = 0; i < object->values.count; i++)
        *VEC_PUSH(&w->later) = assignment(w, object->name, &object->values.items[i]);
}

static void declare_object(struct c_writer *w, const struct export_object *object)
{
    const char *storage = object->is_static ? "static " : "";
    if (object->is_freed) {
        declare_freed(w, object);
    } else if (!*object->type) {
        c_line(w, "%s_Alignas(16) unsigned char %s[%zu] = {0};", storage, object->name,
               object->bytes);
        for (size_t i = 0; i < object->values.count; i++)
            *VEC_PUSH(&w->later) = assignment(w, object->name, &object->values.items[i]);
    } else if (object->elements == 1) {
        c_line(w, "%s%s = %s;", storage, c_declare(w, object->type, object->name),
               initial(w, object));
    } else {
        const char *name = arena_printf(w->arena, "%s[%zu]", object->name, object->elements);
        c_line(w, "%s%s = %s;", storage, c_declare(w, object->type, name), initial(w, object));
    }
    map_put_text(&w->declared, object->name, 1);
}

// Those that others point to come first.
void c_declare_objects(struct c_writer *w, bool statics)
{
    for (size_t i = w->test->objects.count; i-- > 0;)
        if (w->test->objects.items[i]->is_static == statics)
            declare_object(w, w->test->objects.items[i]);
}

void c_declare_argument(struct c_writer *w, const struct export_argument *argument)
{
    c_line(w, "%s = %s;", c_declare(w, argument->declaration->type, argument->name),
           initialiser(w, argument->name, &argument->values, 0));
}
