// SPDX-License-Identifier: Apache-2.0
// Interrupts (--interleave): cz_interrupt() is called between two calls of a task and
// before volatile reads (by the hardware pass); an input says which handler of the file
// runs there, if any. Handlers do not interrupt each other. Only tasks that are not
// handlers themselves are interrupted, so a flag of the run says whether it may be.
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
    return f->is_handler && f->defined && f->param_count == 0;
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
        if (is_listed(&s->emitter->program->functions[i]))
            buf_printf(&names, "%s%s()", names.length ? ", " : "",
                       s->emitter->program->functions[i].source_name);
    emit_line(s, "cz_interrupts_on = 1;");
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
    buf_puts(out, "    if (!cz_interrupts_on)\n        return;\n    cz_interrupts_on = 0;\n");
    buf_printf(out, "    switch (cz_next_interrupt(%u)) {\n", count);
    count = 0;
    for (size_t i = 0; i < e->program->function_count; i++)
        if (is_listed(&e->program->functions[i]))
            buf_printf(out, "    case %u: %s%s(); break;\n", ++count,
                       e->program->functions[i].type->target->kind == TYPE_VOID ? "" : "(void)",
                       e->program->functions[i].name);
    buf_puts(out, "    default: break;\n    }\n    cz_interrupts_on = 1;\n}\n\n");
}

void interleave_declare(struct emitter *e, struct buf *out)
{
    if (is_interrupted(e))
        buf_puts(out, "void cz_interrupt(void);\nstatic int cz_interrupts_on;\n\n");
}
