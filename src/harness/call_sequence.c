// SPDX-License-Identifier: Apache-2.0
// A task with static locals, its own or a callee's, is called several times (MAESTRO
// section 3.3.2 calls it twice). Each call has inputs of its own: all that it is given is
// asked for again, under the number of the call. Between two calls the world goes on:
//   - variables that the task reads and never writes (what other tasks, interrupts and
//     sensors set) may change; the others are its own state and keep what it left there;
//   - setters of the file may be called, as before the first call;
//   - a pointer leads to the object of the call before, as it was left, or to a new one.
// Unless an input says so, nothing of this happens: zero means "as before".
//
// How often it is called is an input, too, which the engine raises while goals are open.
#include "harness/emit.h"

#include "program/libc.h"
#include <string.h>

bool call_sequence_wanted(const struct emitter *e, const struct task *task)
{
    return part_is_first(e) && task->keeps_state && !e->options->program &&
           task->entry != TASK_ENTRY_ELSEWHERE && !e->program->functions[task->entry].is_main &&
           call_is_possible(&e->program->functions[task->entry]);
}

void call_sequence_bounds(const struct emitter *e, const struct task *task, unsigned *least,
                          unsigned *most)
{
    *least = *most = 1;
    if (!call_sequence_wanted(e, task))
        return;
    *least = e->options->calls ? e->options->calls : 2;
    *most = e->options->most_calls > *least ? e->options->most_calls : *least;
}

// Data of others. What holds pointers stays, for what it points to was built around it.
bool call_sequence_change(const struct emitter *e, const struct task *task, size_t variable)
{
    const struct variable *v = &e->program->variables[variable];
    return call_sequence_wanted(e, task) && !plan_has_pointer(v->type) &&
           !(plan_is_record(v->type) && !v->type->complete) &&
           states_is_read_only(e->program, task, variable);
}

// May the task give back what it was given? Then the next call must not get it again.
static bool may_release(const struct emitter *e, const struct task *task)
{
    for (size_t i = 0; i < task->external_count; i++) {
        const struct function *function = &e->program->functions[task->externals[i]];
        const struct libc_function *known = libc_find(function->name);
        if (function->supported || known->frees || known->releases)
            return true;
    }
    return false;
}

bool call_sequence_keep(const struct scope *s, const struct type *type)
{
    return s->turn && type->kind == TYPE_POINTER && !may_release(s->emitter, s->task);
}

static void write_changes(struct scope *s, const struct task *task,
                          void (*fill_global)(struct scope *, size_t variable))
{
    const struct emitter *e = s->emitter;
    bool any = false;
    for (size_t i = 0; i < task->global_count; i++) {
        if (!call_sequence_change(e, task, task->globals[i]) ||
            states_is_set_elsewhere(s, task, task->globals[i]))
            continue;
        if (!any)
            emit_line(s, "if (%s == 1 || cz_choice(%s, 2)) {", s->turn,
                      root_decision(s, INPUT_CHANGES,
                                    "whether variables that it only reads change before"));
        any = true;
        s->level++;
        fill_global(s, task->globals[i]);
        s->level--;
    }
    if (any)
        emit_line(s, "}");
}

static void note(struct scope *s, const struct function *function, unsigned least, unsigned most)
{
    struct arena *arena = s->emitter->arena;
    const char *calls = least == 1   ? "once"
                        : least == 2 ? "twice"
                                     : arena_printf(arena, "%u times", least);
    const char *grows = most > least ? arena_printf(arena, ", up to %u times", most) : "";
    emit_note(s, NOTE_CALLS, "%s() %s: it is called %s%s, not more", function->source_name,
              s->task->interrupted ? "is interrupted" : "keeps state in static locals", calls,
              grows);
}

void call_sequence_write(struct scope *s, const struct task *task,
                         void (*fill_global)(struct scope *, size_t variable),
                         void (*call)(struct scope *, const struct function *))
{
    struct emitter *e = s->emitter;
    const struct function *function = &e->program->functions[task->entry];
    unsigned least, most;
    call_sequence_bounds(e, task, &least, &most);
    const char *turn = names_local(e, "call"), *calls = names_local(e, "calls");
    size_t roots = s->roots->list.count, places = s->roots->places.count;
    root_declare(s, input_root_word(INPUT_MORE_CALLS), 0, "how many more calls there are");
    emit_line(s, "unsigned %s = cz_calls(%u, %u); /* static locals keep state */", calls, least,
              most);
    emit_line(s, "unsigned %s;", turn);
    emit_line(s, "for (%s = 1; %s <= %s; %s++) {", turn, turn, calls, turn);
    s->level++;
    s->turn = turn;
    if (task->interrupted) {
        emit_line(s, "if (%s > 1)", turn);
        s->level++;
        interleave_point(s);
        s->level--;
    }
    write_changes(s, task, fill_global);
    states_before(s, task, fill_global);
    call(s, function);
    s->turn = s->returned = NULL;
    s->level--;
    emit_line(s, "}");
    s->roots->list.count = roots; // the block's variables end here
    s->roots->places.count = places;
    note(s, function, least, most);
}
