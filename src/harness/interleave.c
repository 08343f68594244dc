// SPDX-License-Identifier: Apache-2.0
// Interrupts (--interleave): cz_interrupt() is called between two calls of a task and
// before volatile reads (by the hardware pass); an input says which handler of the file
// runs there, if any. Handlers do not interrupt each other. Tasks that are handlers themselves are
// not interrupted; those that only have the name of one are, by others. So a number of the run
// says whether the task may be interrupted, and by its name which handler it is.
#include "harness/emit.h"

static bool is_interrupted(const struct emitter *e)
{
    for (size_t t = 0; t < e->program->task_count; t++)
        if (e->program->tasks[t].interrupted)
            return true;
    return false;
}

static bool is_listed(const struct function *f)
{
    return (f->is_handler || f->may_handle) && f->defined && f->param_count == 0;
}

// The number of a handler, from 1; 0: it is none.
static unsigned number_of(const struct program *program, size_t function)
{
    unsigned number = 0;
    for (size_t i = 0; i <= function; i++)
        number += is_listed(&program->functions[i]);
    return is_listed(&program->functions[function]) ? number : 0;
}

void interleave_point(struct scope *s)
{
    emit_line(s, "cz_interrupt();");
}

void interleave_begin(struct scope *s)
{
    struct buf names = BUF_INIT;
    if (!s->task->interrupted)
        return;
    for (size_t i = 0; i < s->emitter->program->function_count; i++)
        if (i != s->task->entry && is_listed(&s->emitter->program->functions[i]))
            buf_printf(&names, "%s%s()", names.length ? ", " : "",
                       s->emitter->program->functions[i].source_name);
    emit_line(s, "cz_interrupts_on = %u;", 1 + number_of(s->emitter->program, s->task->entry));
    root_declare(s, input_root_word(INPUT_INTERRUPT), 0, "which interrupt handler comes");
    emit_note(s, true, "interrupts come between calls and before volatile reads only: %s",
              buf_text(&names));
    buf_release(&names);
}

void interleave_write(struct emitter *e, struct buf *out)
{
    unsigned count = 0;
    if (!is_interrupted(e))
        return;
    for (size_t i = 0; i < e->program->function_count; i++)
        count += is_listed(&e->program->functions[i]);
    buf_puts(out, "/* Interrupts */\n\nvoid cz_interrupt(void)\n{\n");
    buf_puts(out, "    int task = cz_interrupts_on;\n    if (!task)\n        return;\n");
    buf_puts(out, "    cz_interrupts_on = 0;\n");
    buf_printf(out, "    switch (cz_next_interrupt(%u)) {\n", count);
    for (size_t i = 0; i < e->program->function_count; i++) {
        const struct function *f = &e->program->functions[i];
        unsigned number = number_of(e->program, i);
        if (number)
            buf_printf(out, "    case %u:%s %s%s(); break;\n", number,
                       f->is_handler ? "" : arena_printf(e->arena, " if (task != %u)", 1 + number),
                       f->type->target->kind == TYPE_VOID ? "" : "(void)", f->name);
    }
    buf_puts(out, "    default: break;\n    }\n    cz_interrupts_on = task;\n}\n\n");
}

void interleave_declare(struct emitter *e, struct buf *out)
{
    if (is_interrupted(e))
        buf_puts(out, "void cz_interrupt(void);\nstatic int cz_interrupts_on;\n\n");
}
