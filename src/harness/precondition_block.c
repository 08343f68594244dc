// SPDX-License-Identifier: Apache-2.0
// Preconditions in the driver: a block in front of the call in which the parameters have
// the names that the user gave them, so that the expression can stand as it was written.
#include "harness/emit.h"

#include <string.h>

static bool is_about(const struct harness_assumption *a, const struct function *function)
{
    return strcmp(a->function, function->source_name) == 0;
}

// "n < count(p)", as the user writes it or as C.
static bool counts(const char *text, const char *name)
{
    static const char *const words[] = {"count(", "room("};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *at = text; (at = strstr(at, words[i]));) {
            at += strlen(words[i]);
            at += strspn(at, " (");
            size_t length = strlen(name);
            if (strncmp(at, name, length) == 0 && strchr(" )+-[", at[length]))
                return true;
        }
    return false;
}

bool assume_counts(const struct emitter *e, const struct function *function, const char *name)
{
    for (size_t i = 0; i < e->options->assumption_count; i++) {
        const struct harness_assumption *a = &e->options->assumptions[i];
        if (a->probe < 0 && is_about(a, function) && counts(a->text, name))
            return true;
    }
    return false;
}

bool assume_mentions(const struct emitter *e, const char *name)
{
    for (size_t i = 0; i < e->options->assumption_count; i++)
        if (e->options->assumptions[i].probe < 0 && strstr(e->options->assumptions[i].text, name))
            return true;
    return false;
}

static void name_parameters(struct scope *s, const struct function *function)
{
    struct emitter *e = s->emitter;
    for (size_t i = 0; i < function->param_count; i++) {
        const struct parameter *parameter = &function->params[i];
        const char *local = call_local(e, parameter, i);
        const struct type *type = parameter->type;
        bool is_array = type->kind == TYPE_POINTER && names_is_va_tag(type->target); // a va_list
        if (*parameter->name)
            emit_line(s, "__typeof__(%s%s%s) %s = %s;", is_array ? "&" : "", local,
                      is_array ? "[0]" : "", parameter->name, local);
    }
}

void assume_preconditions(struct scope *s, const struct function *function)
{
    const struct harness_options *o = s->emitter->options;
    bool open = false;
    for (size_t i = 0; i < o->assumption_count; i++) {
        const struct harness_assumption *a = &o->assumptions[i];
        if (!is_about(a, function))
            continue;
        if (!open) {
            emit_line(s, "{ /* preconditions */");
            s->level++;
            name_parameters(s, function);
            open = true;
        }
        emit_line(s, "cz_assuming();");
        if (a->probe < 0)
            emit_line(s, "cz_assume_(!!(%s)); /* %s */", a->text, a->place);
        else
            emit_line(s, "cz_probe(%d, !!(%s)); /* %s */", a->probe, a->text, a->place);
    }
    if (open) {
        s->level--;
        emit_line(s, "}");
    }
}
