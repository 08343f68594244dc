// SPDX-License-Identifier: Apache-2.0
#include "judge/presumptions.h"

#include "base/map.h"
#include "base/tunables.h"
#include "inputs/bound_growth.h"
#include "program/losses.h"
#include "unit/assumptions.h"
#include <stdarg.h>
#include <string.h>

static void __attribute__((format(printf, 4, 5))) presume(const struct verdicts_request *r,
                                                          struct presumptions *list,
                                                          enum assumption kind, const char *format,
                                                          ...)
{
    va_list arguments;
    struct buf text = BUF_INIT;
    va_start(arguments, format);
    buf_vprintf(&text, format, arguments);
    va_end(arguments);
    struct presumption *items =
        arena_array(r->arena, struct presumption, list->count + 1); // a handful at most
    memcpy(items, list->items, list->count * sizeof *items);
    items[list->count++] = (struct presumption){kind, arena_strdup(r->arena, buf_text(&text))};
    list->items = items;
    list->kinds |= kind;
    buf_release(&text);
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
static void presume_bools(const struct verdicts_request *r, struct presumptions *p)
{
    if (is_filled(r, TYPE_BOOL))
        presume(r, p, ASSUMES_OBJECTS, "the byte of a _Bool is 0 or 1");
}

// A driver builds pointers in a few ways only: fresh objects, and shared ones where the code can
// tell the difference.
static void presume_objects(const struct verdicts_request *r, struct presumptions *p)
{
    if (is_filled(r, TYPE_POINTER) || has_note(r, NOTE_OBJECTS) || has_note(r, NOTE_LENGTHS))
        presume(r, p, ASSUMES_OBJECTS, "objects are as the driver builds them");
    presume_bools(r, p);
    for (size_t i = 0; i < r->unit->note_count; i++)
        if (r->unit->notes[i].task == r->task->program_task &&
            r->unit->notes[i].kind == NOTE_LENGTHS)
            presume(r, p, ASSUMES_OBJECTS, "%s", r->unit->notes[i].text);
}

static void presume_calls(const struct verdicts_request *r, struct presumptions *p)
{
    for (size_t i = 0; i < r->unit->note_count; i++)
        if (r->unit->notes[i].task == r->task->program_task && r->unit->notes[i].kind == NOTE_CALLS)
            presume(r, p, ASSUMES_BOUND, "%s", r->unit->notes[i].text);
}

// The value of a bound within which the search followed every path.
static long long bound_value(const struct verdicts_request *r, enum bound_id id, int64_t start)
{
    return r->campaign->explored[id] ? (long long)r->campaign->explored[id] : (long long)start;
}

// For some objects the driver has no room for as many inputs as the bound asks for.
static const char *smaller_bound(const struct verdicts_request *r, enum note_kind kind,
                                 long long value)
{
    const struct harness_note *least = NULL;
    for (size_t i = 0; i < r->unit->note_count; i++) {
        const struct harness_note *note = &r->unit->notes[i];
        if (note->task == r->task->program_task && note->kind == kind &&
            (long long)note->most < value && (!least || note->most < least->most))
            least = note;
    }
    return least ? arena_printf(r->arena, " (%s)", least->text) : "";
}

static void presume_bounds(const struct verdicts_request *r, struct presumptions *p)
{
    const struct campaign *c = r->campaign;
    for (int i = 0; i < WIRE_LOSS_COUNT; i++) {
        bool met = c->losses[i] || (i == WIRE_LOSS_ELEMENTS && has_note(r, NOTE_LENGTHS));
        if (met && loss_class(i) == WIRE_LOSS_IS_ASSUME)
            presume(r, p, ASSUMES_ENVIRONMENT, "%s", loss_words(i));
        if (!met || loss_class(i) != WIRE_LOSS_IS_BOUND)
            continue;
        long long depth = bound_value(r, BOUND_depth, r->options->depth),
                  elements = bound_value(r, BOUND_elements, r->options->elements);
        if (i == WIRE_LOSS_DEPTH)
            presume(r, p, ASSUMES_BOUND, "within %s %lld as the driver applies it%s", loss_words(i),
                    depth, smaller_bound(r, NOTE_DEPTH, depth));
        else if (i == WIRE_LOSS_ELEMENTS)
            presume(r, p, ASSUMES_BOUND, "within %s %lld as the driver applies it%s%s",
                    loss_words(i), elements, smaller_bound(r, NOTE_ELEMENTS, elements),
                    r->options->program ? ", or what --stdin, --arg and --file allow" : "");
        else
            presume(r, p, ASSUMES_BOUND, "within %s", loss_words(i));
    }
    presume_calls(r, p);
}

// What a handler changes while the task runs is an input only with --interleave. It can change
// variables and what pointers lead to.
static void presume_no_interrupts(const struct verdicts_request *r, struct presumptions *p)
{
    const struct program *program = &r->unit->program;
    const struct task *task = &program->tasks[r->task->program_task];
    if (task->interrupted || !(task->global_count || is_filled(r, TYPE_POINTER)))
        return;
    for (size_t i = 0; i < program->function_count; i++) {
        const struct function *f = &program->functions[i];
        if (!(f->is_handler || f->may_handle) || !f->defined || i == task->entry)
            continue;
        presume(r, p, ASSUMES_ENVIRONMENT, "%s() does not interrupt it (--interleave)", f->name);
        return;
    }
}

static void presume_preconditions(const struct verdicts_request *r, struct presumptions *p)
{
    const char *text = assumptions_text(r->unit, r->task->program_task);
    if (*text)
        presume(r, p, ASSUMES_PRECONDITION, "precondition: %s", text);
}

// Undefined behaviour that was seen on the way is excluded by name.
static void presume_defined(const struct verdicts_request *r, size_t goal, struct presumptions *p)
{
    size_t count = r->task->alarms.count;
    if (goal != PRESUMPTIONS_ALL && !r->campaign->behind_fault[goal])
        return;
    if (goal == PRESUMPTIONS_ALL && !r->campaign->faults && !r->campaign->violations)
        return;
    struct buf text = BUF_INIT;
    buf_puts(&text, "no undefined behaviour before it");
    for (size_t i = 0; i < count && i < JUDGE_ALARMS_NAMED; i++)
        buf_printf(&text, "%salarm-%zu", i ? ", " : " as in ", r->task->alarms.items[i] + 1);
    if (count > JUDGE_ALARMS_NAMED)
        buf_printf(&text, " and %zu more alarms of %s()", count - JUDGE_ALARMS_NAMED,
                   r->task->function);
    presume(r, p, ASSUMES_DEFINED, "%s", text.data);
    buf_release(&text);
}

struct presumptions presumptions_of_search(const struct verdicts_request *r, size_t goal)
{
    struct presumptions p = {0};
    presume_objects(r, &p);
    presume_bounds(r, &p);
    presume_no_interrupts(r, &p);
    if (r->campaign->rejected)
        presume_preconditions(r, &p);
    presume_defined(r, goal, &p);
    return p;
}

struct presumptions presumptions_of_optimiser(const struct verdicts_request *r, size_t goal)
{
    struct presumptions p = {0};
    if (!r->campaign->dead_always[goal]) {
        presume(r, &p, ASSUMES_OBJECTS, "objects are as the driver builds them");
        presume_bools(r, &p);
        presume_calls(r, &p);
        if (r->campaign->assumed[goal])
            presume_preconditions(r, &p);
    }
    if (r->campaign->losses[WIRE_LOSS_ROUNDING]) // constants are folded that way
        presume(r, &p, ASSUMES_ENVIRONMENT, "%s", loss_words(WIRE_LOSS_ROUNDING));
    presume_no_interrupts(r, &p);
    presume_defined(r, goal, &p);
    return p;
}

const char *presumptions_text(const struct presumptions *list, struct arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < list->count; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? "; " : "", list->items[i].text);
    return text;
}
