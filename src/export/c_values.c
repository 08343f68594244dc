// SPDX-License-Identifier: Apache-2.0
// Values of a store as C: numbers by their sizes, floating-point numbers in hexadecimal, pointers
// by what they lead to.
#include "export/c_writer.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool c_is_real(const char *value)
{
    return !strncmp(value, "nan:", 4) || !strcmp(value, "inf") || !strcmp(value, "-inf") ||
           (strpbrk(value, "pP") && strstr(value, "0x"));
}

const char *c_real_comment(struct c_writer *w, const char *value)
{
    if (!strncmp(value, "nan:", 4))
        return " /* not a number */";
    return arena_printf(w->arena, " /* %.9g */", strtod(value, NULL));
}

static const char *real_literal(struct c_writer *w, const char *value)
{
    if (!strncmp(value, "nan:", 4))
        return arena_printf(w->arena, "%s(%s%s)",
                            strlen(value) > 14 ? "double_from_bits" : "float_from_bits", value + 4,
                            strlen(value) > 14 ? "ull" : "u");
    if (strstr(value, "inf"))
        return *value == '-' ? "-__builtin_inf()" : "__builtin_inf()";
    return value;
}

static const char *integer_literal(struct c_writer *w, const char *value)
{
    errno = 0;
    if (*value == '-') {
        long long number = strtoll(value, NULL, 10);
        if (number == INT64_MIN)
            return "(-9223372036854775807ll - 1)";
        if (number == INT32_MIN)
            return "(-2147483647 - 1)";
        return number < INT32_MIN ? arena_printf(w->arena, "%sll", value) : value;
    }
    unsigned long long number = strtoull(value, NULL, 10);
    return number > INT64_MAX    ? arena_printf(w->arena, "%sull", value)
           : number > UINT32_MAX ? arena_printf(w->arena, "%sll", value)
           : number > INT32_MAX  ? arena_printf(w->arena, "%su", value)
                                 : value;
}

const char *c_literal(struct c_writer *w, const char *type, const char *value)
{
    const char *word = model_enumerator(w->file, type, value);
    if (word)
        return word;
    if (!strcmp(value, "NULL") || !strncmp(value, "-> ", 3)) {
        const char *pointer = c_pointer(w, type, value);
        return pointer ? pointer : "NULL";
    }
    return c_is_real(value) ? real_literal(w, value) : integer_literal(w, value);
}

// ---- types ----

bool c_is_number(const char *type)
{
    static const char *const words[] = {"int",   "char",  "short",  "long",  "unsigned", "signed",
                                        "_Bool", "float", "double", "enum ", "size_t",   "uint"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(type, words[i], strlen(words[i])))
            return !strpbrk(type, "*[");
    return false;
}

const char *c_declare(struct c_writer *w, const char *type, const char *name)
{
    size_t length = strcspn(type, "[");
    if (type[length])
        return arena_printf(w->arena, "%.*s %s%s", (int)length, type, name, type + length);
    return arena_printf(w->arena, "%s%s%s", type, length && type[length - 1] == '*' ? "" : " ",
                        name);
}

static bool is_byte(const char *type)
{
    static const char *const bytes[] = {"char",   "unsigned char", "signed char", "uint8_t",
                                        "int8_t", "_Bool",         "bool",        "u8"};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        if (!strcmp(type, bytes[i]))
            return true;
    return false;
}

// Is `pointer` the type of pointers to `type`, qualifiers aside?
static bool points_to(const char *pointer, const char *type)
{
    if (!strncmp(pointer, "const ", 6))
        pointer += 6;
    size_t length = strlen(type);
    return !strncmp(pointer, type, length) && !strcmp(pointer + length, " *");
}

// ---- pointers ----

static const char *object_address(struct c_writer *w, const struct export_object *object,
                                  unsigned long offset, const char *type)
{
    bool is_array = object->elements != 1 || object->is_freed || !*object->type;
    const char *start = is_array ? object->name : arena_printf(w->arena, "&%s", object->name);
    if (offset && is_byte(object->type))
        return arena_printf(w->arena, "&%s[%lu]", object->name, offset);
    if (offset)
        return arena_printf(w->arena, "(void *)((char *)%s + %lu)", start, offset);
    return points_to(type, object->type) && !strchr(object->type, '[')
               ? start
               : arena_printf(w->arena, "(void *)%s", start);
}

static bool is_variable(const struct export_file *file, const char *name)
{
    for (size_t i = 0; i < file->variables.count; i++)
        if (!strcmp(file->variables.items[i]->name, name))
            return true;
    for (size_t i = 0; i < file->constants.count; i++)
        if (!strcmp(file->constants.items[i]->name, name))
            return true;
    return false;
}

const char *c_pointer(struct c_writer *w, const char *type, const char *value)
{
    unsigned long offset;
    struct input_path path;
    if (!strcmp(value, "NULL") || !strcmp(value, "0"))
        return "NULL";
    const char *target = model_target(value, &offset, w->arena);
    if (!target)
        return NULL;
    if (*target != '&') {
        const struct export_object *object = model_object(w->test, target);
        return object ? object_address(w, object, offset, type) : NULL;
    }
    if (!input_path_parse(target + 1, w->arena, &path) || path.root.kind != INPUT_GLOBAL ||
        path.link_count || !map_get_text(&w->file->taken, path.root.name, NULL))
        return NULL;
    if (!is_variable(w->file, path.root.name))
        return path.root.name; // a function
    return offset ? arena_printf(w->arena, "(void *)((char *)&%s + %lu)", path.root.name, offset)
                  : arena_printf(w->arena, "(void *)&%s", path.root.name);
}

// ---- lists ----

const char *c_list(struct c_writer *w, const char *type, const char *values, size_t *count)
{
    struct buf out = BUF_INIT;
    *count = 0;
    while (*values) {
        size_t length = strcspn(values, " ");
        const char *one = arena_strndup(w->arena, values, length);
        buf_printf(&out, "%s%s", *count ? ", " : "", c_literal(w, type, one));
        (*count)++;
        values += length + (values[length] == ' ');
    }
    const char *text = arena_strdup(w->arena, buf_text(&out));
    buf_release(&out);
    return text;
}

const char *c_quoted(struct c_writer *w, const char *text)
{
    struct buf out = BUF_INIT;
    buf_putc(&out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_putc(&out, '\\');
        if (isprint((unsigned char)*text))
            buf_putc(&out, *text);
        else
            buf_printf(&out, "\\%03o", (unsigned)(unsigned char)*text);
    }
    buf_putc(&out, '"');
    const char *quoted = arena_strdup(w->arena, buf_text(&out));
    buf_release(&out);
    return quoted;
}
