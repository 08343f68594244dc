// SPDX-License-Identifier: Apache-2.0
// Bugs and failures come first, whatever their number. The rest is sorted by how much it is about.
#include "report/next_steps.h"

#include <stdarg.h>
#include <stdlib.h>

enum rank { RANK_FIRST, RANK_USUAL };

struct ranked {
    enum rank rank;
    struct next_step step;
    size_t order; // equal ones stay in the order in which they were found
};

struct list {
    struct arena *arena;
    struct ranked items[OPEN_CAUSES + 8];
    size_t count;
};

static void __attribute__((format(printf, 4, 5))) add(struct list *list, enum rank rank,
                                                      size_t weight, const char *format, ...)
{
    va_list arguments;
    struct buf text = BUF_INIT;
    if (!weight)
        return;
    va_start(arguments, format);
    buf_vprintf(&text, format, arguments);
    va_end(arguments);
    list->items[list->count] =
        (struct ranked){rank, {weight, arena_strdup(list->arena, buf_text(&text))}, list->count};
    list->count++;
    buf_release(&text);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static const char *directory_of(const struct result *result)
{
    return *result->directory ? result->directory : "DIR";
}

static void add_open(struct list *list, const struct result *result)
{
    for (int cause = 0; cause < OPEN_CAUSES; cause++)
        add(list, RANK_USUAL, result->open[cause], "%zu open goal%s, because %s: %s",
            result->open[cause], plural(result->open[cause]), open_cause_title(cause),
            open_cause_advice(cause));
}

static void add_questions(struct list *list, const struct result *result)
{
    size_t questions = 0;
    for (size_t i = 0; i < result->preconditions.count; i++)
        questions += !result->preconditions.items[i].ruled_out;
    add(list, RANK_USUAL, questions, "%zu precondition%s for an answer: cadenza pre list %s",
        questions, questions == 1 ? " waits" : "s wait", directory_of(result));
}

static void add_failures(struct list *list, const struct result *result)
{
    size_t bugs = result->totals.bugs, errors = result->errors.count,
           disagreements = result->disagreements.count;
    add(list, RANK_FIRST, bugs, "%zu bug%s to mend: cadenza show %s", bugs, plural(bugs),
        directory_of(result));
    add(list, RANK_FIRST, errors, "%zu error%s: part of the code was not tested, see above", errors,
        plural(errors));
    add(list, RANK_FIRST, disagreements,
        "%zu disagreement%s of engine and clean build: please report", disagreements,
        plural(disagreements));
}

static void add_crashes(struct list *list, const struct result *result)
{
    size_t goals =
        result->totals.branches_covered_by_crash + result->totals.conditions_covered_by_crash;
    add(list, RANK_USUAL, goals,
        "%zu goal%s covered only by tests that crash: mend the alarms, or confirm preconditions",
        goals, goals == 1 ? " is" : "s are");
}

static int compare(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->step.weight != b->step.weight)
        return a->step.weight > b->step.weight ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

size_t next_steps_find(const struct result *result, struct next_step steps[REPORT_NEXT_STEPS],
                       struct arena *arena)
{
    struct list list = {.arena = arena};
    add_failures(&list, result);
    add_open(&list, result);
    add_questions(&list, result);
    add_crashes(&list, result);
    qsort(list.items, list.count, sizeof *list.items, compare);
    size_t count = list.count < REPORT_NEXT_STEPS ? list.count : REPORT_NEXT_STEPS;
    for (size_t i = 0; i < count; i++)
        steps[i] = list.items[i].step;
    return count;
}
