// SPDX-License-Identifier: Apache-2.0
#include "judge/claims.h"

#include "base/map.h"
#include "unit/assumptions.h"
#include "program/faults.h"
#include "program/losses.h"
#include "wire/hardware.h"
#include <string.h>

static void begin_item(struct buf *out)
{
    if (out->length)
        buf_puts(out, ", ");
}

// ---- assumptions ----

struct presumed {
    unsigned kinds;
    struct buf text;
};

static struct buf *presume(struct presumed *p, enum assumption kind)
{
    p->kinds |= kind;
    if (p->text.length)
        buf_puts(&p->text, "; ");
    return &p->text;
}

static struct assumptions finish(const struct verdicts_request *r, struct presumed *p)
{
    struct assumptions all = {p->kinds, arena_strdup(r->arena, buf_text(&p->text))};
    buf_release(&p->text);
    return all;
}

// Each type is looked at once: records lead back to themselves.
static bool holds(const struct type *type, enum type_kind kind, struct map *seen)
{
    if (type->kind == kind)
        return true;
    if (map_get(seen, (uintptr_t)type, NULL))
        return false;
    map_put(seen, (uintptr_t)type, 1);
    if ((type->kind == TYPE_ARRAY || type->kind == TYPE_POINTER) && type->target &&
        holds(type->target, kind, seen))
        return true;
    for (size_t i = 0; i < type->field_count; i++)
        if (holds(type->fields[i].type, kind, seen))
            return true;
    return false;
}

// Does the driver fill values of this kind, in parameters and variables of the task and behind
// them?
static bool is_filled(const struct verdicts_request *r, enum type_kind kind)
{
    const struct program *program = &r->unit->program;
    const struct task *task = &program->tasks[r->task->program_task];
    const struct function *entry = &program->functions[task->entry];
    struct map seen;
    map_init(&seen);
    bool any = false;
    for (size_t i = 0; i < entry->param_count; i++)
        any |= holds(entry->params[i].type, kind, &seen);
    for (size_t i = 0; i < task->global_count; i++)
        any |= holds(program->variables[task->globals[i]].type, kind, &seen);
    map_release(&seen);
    return any;
}

static bool has_note(const struct verdicts_request *r, enum note_kind kind)
{
    for (size_t i = 0; i < r->unit->note_count; i++)
        if (r->unit->notes[i].task == r->task->program_task && r->unit->notes[i].kind == kind)
            return true;
    return false;
}

// Code that looks at the byte of a _Bool can find any value there.
static void presume_bools(const struct verdicts_request *r, struct presumed *p)
{
    if (is_filled(r, TYPE_BOOL))
        buf_puts(presume(p, ASSUMES_OBJECTS), "the byte of a _Bool is 0 or 1");
}

// A driver builds pointers in a few ways only: fresh objects, and shared ones where the code can
// tell the difference.
static void presume_objects(const struct verdicts_request *r, struct presumed *p)
{
    if (is_filled(r, TYPE_POINTER) || has_note(r, NOTE_OBJECTS))
        buf_puts(presume(p, ASSUMES_OBJECTS), "objects are as the driver builds them");
    presume_bools(r, p);
}

static void presume_bounds(const struct verdicts_request *r, struct presumed *p)
{
    const struct campaign *c = r->campaign;
    for (int i = 0; i < WIRE_LOSS_COUNT; i++) {
        if (c->losses[i] && loss_class(i) == WIRE_LOSS_IS_ASSUME)
            buf_puts(presume(p, ASSUMES_ENVIRONMENT), loss_words(i));
        if (!c->losses[i] || loss_class(i) != WIRE_LOSS_IS_BOUND)
            continue;
        buf_printf(presume(p, ASSUMES_BOUND), "within %s", loss_words(i));
        if (i == WIRE_LOSS_DEPTH)
            buf_printf(&p->text, " %lld", (long long)r->options->depth);
        if (i == WIRE_LOSS_ELEMENTS)
            buf_printf(&p->text, " %lld%s", (long long)r->options->elements,
                       r->options->program ? ", or what --stdin, --arg and --file allow" : "");
    }
    for (size_t i = 0; i < r->unit->note_count; i++)
        if (r->unit->notes[i].task == r->task->program_task && r->unit->notes[i].kind == NOTE_CALLS)
            buf_puts(presume(p, ASSUMES_BOUND), r->unit->notes[i].text);
}

// What a handler changes while the task runs is an input only with --interleave. It can change
// variables and what pointers lead to.
static void presume_no_interrupts(const struct verdicts_request *r, struct presumed *p)
{
    const struct program *program = &r->unit->program;
    const struct task *task = &program->tasks[r->task->program_task];
    if (task->interrupted || !(task->global_count || is_filled(r, TYPE_POINTER)))
        return;
    for (size_t i = 0; i < program->function_count; i++) {
        if (!program->functions[i].is_handler || !program->functions[i].defined || i == task->entry)
            continue;
        buf_printf(presume(p, ASSUMES_ENVIRONMENT), "%s() does not interrupt it (--interleave)",
                   program->functions[i].name);
        return;
    }
}

static void presume_preconditions(const struct verdicts_request *r, struct presumed *p)
{
    const char *text = assumptions_text(r->unit, r->task->program_task);
    if (*text)
        buf_printf(presume(p, ASSUMES_PRECONDITION), "precondition: %s", text);
}

// Undefined behaviour that was seen on the way is excluded by name.
static void presume_defined(const struct verdicts_request *r, size_t goal, struct presumed *p)
{
    enum { MOST = 5 };
    size_t count = r->task->alarms.count;
    if (goal != CLAIMS_ALL && !r->campaign->behind_fault[goal])
        return;
    if (goal == CLAIMS_ALL && !r->campaign->faults && !r->campaign->violations)
        return;
    struct buf *out = presume(p, ASSUMES_DEFINED);
    buf_puts(out, "no undefined behaviour before it");
    for (size_t i = 0; i < count && i < MOST; i++)
        buf_printf(out, "%salarm-%zu", i ? ", " : " as in ", r->task->alarms.items[i] + 1);
    if (count > MOST)
        buf_printf(out, " and %zu more alarms of %s()", count - MOST, r->task->function);
}

struct assumptions claims_of_search(const struct verdicts_request *r, size_t goal)
{
    struct presumed p = {0};
    presume_objects(r, &p);
    presume_bounds(r, &p);
    presume_no_interrupts(r, &p);
    if (r->campaign->rejected)
        presume_preconditions(r, &p);
    presume_defined(r, goal, &p);
    return finish(r, &p);
}

struct assumptions claims_of_optimiser(const struct verdicts_request *r, size_t goal)
{
    struct presumed p = {0};
    if (!r->campaign->dead_always[goal]) {
        buf_puts(presume(&p, ASSUMES_OBJECTS), "objects are as the driver builds them");
        presume_bools(r, &p);
        for (size_t i = 0; i < r->unit->note_count; i++)
            if (r->unit->notes[i].task == r->task->program_task &&
                r->unit->notes[i].kind == NOTE_CALLS)
                buf_puts(presume(&p, ASSUMES_BOUND), r->unit->notes[i].text);
        if (r->campaign->assumed[goal])
            presume_preconditions(r, &p);
    }
    if (r->campaign->losses[WIRE_LOSS_ROUNDING]) // constants are folded that way
        buf_puts(presume(&p, ASSUMES_ENVIRONMENT), loss_words(WIRE_LOSS_ROUNDING));
    presume_no_interrupts(r, &p);
    presume_defined(r, goal, &p);
    return finish(r, &p);
}

// ---- may the claim be made? ----

// A fault that the engine saw ends an execution. That it was undefined behaviour, and not the
// engine's mistake, is what the alarm says that the clean build confirmed. Leaving an object that
// --elements had sized is a bound.
static bool faults_are_confirmed(const struct verdicts_request *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct kept_test *kept = &r->campaign->kept.items[r->chosen[i]];
        const struct result_test *test = r->task->tests.items[i];
        if (kept->status != WIRE_FAULT || kept->at_bound || !fault_hides_paths(kept->fault))
            continue;
        if (test->alarm == RESULT_NONE ||
            r->result->alarms.items[test->alarm]->proof <= ALARM_NOT_REPRODUCED)
            return false;
    }
    return true;
}

const char *claims_losses(const struct verdicts_request *r)
{
    const struct campaign *c = r->campaign;
    struct buf out = BUF_INIT;
    for (int i = 0; i < WIRE_LOSS_COUNT; i++) {
        if (!c->losses[i] || loss_class(i) != WIRE_LOSS_IS_OPEN)
            continue;
        begin_item(&out);
        buf_puts(&out, loss_words(i));
    }
    if (c->partial) {
        begin_item(&out);
        buf_puts(&out, "the driver leaves out inputs (see its notes)");
    }
    if (c->calls_can_grow) {
        begin_item(&out);
        buf_puts(&out, "more calls might reach it (--most-calls)");
    }
    if (c->unknown) {
        begin_item(&out);
        buf_printf(&out, "solver limit on %llu queries (--solver-limit)",
                   (unsigned long long)c->unknown);
    }
    if (c->cut_off) {
        begin_item(&out);
        buf_printf(&out, "%llu execution%s cut off (bounds --steps %lld, %u stub calls, %u reads of registers)",
                   (unsigned long long)c->cut_off, c->cut_off == 1 ? "" : "s",
                   (long long)r->options->steps, WIRE_MAX_CALLS, HW_MAX_READS);
    }
    if (c->open_ends) {
        begin_item(&out);
        buf_printf(&out, "%llu execution%s stopped behind an array of unknown length (bound --elements)",
                   (unsigned long long)c->open_ends, c->open_ends == 1 ? "" : "s");
    }
    if (c->unexplained_faults || !faults_are_confirmed(r)) {
        begin_item(&out);
        buf_puts(&out, "an execution ended early, which the clean build does not confirm");
    }
    if (c->divergences) {
        begin_item(&out);
        buf_printf(&out, "%llu execution%s took another path than predicted",
                   (unsigned long long)c->divergences, c->divergences == 1 ? "" : "s");
    }
    const char *text = arena_strdup(r->arena, buf_text(&out));
    buf_release(&out);
    return text;
}

bool claims_search_stands(const struct verdicts_request *r, enum goal_kind kind)
{
    const struct campaign *c = r->campaign;
    if (!c->exhausted || !faults_are_confirmed(r))
        return false;
    if (!c->filtered)
        return true;
    // Path filtering leaves out those that lead only to goals that nobody asked for.
    enum criterion least = kind == GOAL_BRANCH ? CRITERION_BRANCH : CRITERION_MCDC;
    return c->coverage.criterion >= least && !*r->options->goals;
}
