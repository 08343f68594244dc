// SPDX-License-Identifier: Apache-2.0
// Tasks: the functions to test, each with everything it can reach (program/closure.h).
#include "frontend/frontend_internal.h"

#include "base/buf.h"
#include "program/closure.h"
#include <string.h>

struct selection {
    struct frontend *fe;
    struct closure *closure;
};

static void add_task(struct selection *s, size_t entry)
{
    closure_task(s->closure, entry, VEC_PUSH(&s->fe->tasks));
}

// Without an external definition, an inline function cannot be called at -O0.
static bool is_inline_only(const struct function *function)
{
    return function->is_inline && !function->is_static && !function->emitted;
}

static bool is_default_task(const struct frontend *fe, const struct function *function)
{
    if (!function->defined || function->in_header || function->is_main)
        return false;
    if (is_inline_only(function))
        return false;
    return !function->is_static || function->is_public || fe->request->static_tasks;
}

static void list_names(const struct frontend *fe, struct buf *out)
{
    for (size_t i = 0; i < fe->program->function_count; i++) {
        const struct function *function = &fe->program->functions[i];
        if (function->defined && !function->in_header)
            buf_printf(out, "%s%s", out->length ? ", " : "", function->source_name);
    }
    if (!out->length)
        buf_puts(out, "none");
}

static bool add_named(struct selection *s, const char *name, struct error *err)
{
    const struct frontend *fe = s->fe;
    for (size_t i = 0; i < fe->program->function_count; i++) {
        const struct function *function = &fe->program->functions[i];
        if (function->defined && strcmp(function->source_name, name) == 0) {
            add_task(s, i);
            return true;
        }
    }
    struct buf names = BUF_INIT;
    list_names(fe, &names);
    error_set(err, ERROR_USAGE, "%s defines no function '%s'; it defines: %s", fe->request->source,
              name, buf_text(&names));
    buf_release(&names);
    return false;
}

bool tasks_collect(struct frontend *fe, struct error *err)
{
    struct selection s = {fe, closure_new(fe->program)};
    closure_mark_emitted(s.closure);
    bool ok = true;
    const char *const *names = fe->request->task_names;
    for (; ok && names && *names; names++)
        ok = add_named(&s, *names, err);
    for (size_t i = 0; !fe->request->task_names && i < fe->program->function_count; i++)
        if (is_default_task(fe, &fe->program->functions[i]))
            add_task(&s, i);
    closure_free(s.closure);
    return ok;
}
