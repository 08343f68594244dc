// SPDX-License-Identifier: Apache-2.0
// The goals of a project, each once although several of its files have it: a function of a header,
// or of another file in extended units. It is the same goal if it has the same place and text in
// the same function. The line of the preprocessed unit differs from file to file, that within the
// function does not.
#include "result/result.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include <string.h>

// The first line of a function's goals in the preprocessed text.
static uint32_t first_line(const struct result *result, const struct result_function *function)
{
    uint32_t first = UINT32_MAX;
    for (size_t i = 0; i < function->goal_count; i++) {
        uint32_t line = result->goals[function->first_goal + i].at.line;
        first = line < first ? line : first;
    }
    return first;
}

static void write_key(const struct result_function *function, const struct result_goal *goal,
                      uint32_t line, struct buf *out)
{
    buf_clear(out);
    buf_printf(out, "%s\n%u\n%s\n%d\n%s\n%u\n%u\n%u\n%d\n%d\n%u\n%s", function->file,
               function->source_line, function->name, goal->kind, goal->file, goal->source_line,
               line, goal->at.column, goal->outcome, goal->is_case, goal->index, goal->text);
}

// Goals of one function with the same key (a macro that holds two branches) are told apart by
// their order.
static void number_key(struct map *twins, struct buf *key)
{
    uint64_t nth = 0;
    map_get_text(twins, buf_text(key), &nth);
    map_put_text(twins, buf_text(key), nth + 1);
    buf_printf(key, "\n%llu", (unsigned long long)nth);
}

static void add_to(struct result *result, size_t at, size_t goal)
{
    struct result_shared_goal *shared = &result->shared_goals.items[at];
    const struct verdict *verdict = &result->goals[goal].verdict;
    const struct result_function *function = &result->functions[result->goals[goal].function];
    result->goals[goal].shared = at;
    shared->part_count += function->part != shared->last_part;
    shared->last_part = function->part;
    shared->in_totals |= function->in_totals;
    shared->assumes |= verdict->assumes;
    if (verdict_rank(verdict) < verdict_rank(&result->goals[shared->best].verdict))
        shared->best = goal;
    if (verdict_rank(verdict) > verdict_rank(&result->goals[shared->worst].verdict))
        shared->worst = goal;
}

static void share_function(struct result *result, struct map *known, size_t number)
{
    const struct result_function *function = &result->functions[number];
    uint32_t first = first_line(result, function);
    struct map twins;
    struct buf key = BUF_INIT;
    map_init(&twins);
    for (size_t i = 0; i < function->goal_count; i++) {
        size_t goal = function->first_goal + i;
        const struct result_goal *it = &result->goals[goal];
        uint64_t at;
        write_key(function, it, it->at.line - first, &key);
        number_key(&twins, &key);
        if (!map_get_text(known, buf_text(&key), &at)) {
            at = result->shared_goals.count;
            map_put_text(known, buf_text(&key), at);
            *VEC_PUSH(&result->shared_goals) = (struct result_shared_goal){
                .goal = goal, .best = goal, .worst = goal, .last_part = RESULT_NONE};
        }
        add_to(result, at, goal);
    }
    map_release(&twins);
    buf_release(&key);
}

static void forget_goal_counts(struct result_counts *counts)
{
    struct result_counts kept = {.lines = counts->lines,
                                 .lines_covered = counts->lines_covered,
                                 .tests = counts->tests,
                                 .alarms = counts->alarms,
                                 .bugs = counts->bugs,
                                 .checks = counts->checks,
                                 .checks_violated = counts->checks_violated,
                                 .checks_safe = counts->checks_safe};
    *counts = kept;
}

void result_share_goals(struct result *result)
{
    struct map known;
    map_init(&known);
    result->shared_goals.count = 0;
    for (size_t i = 0; i < result->function_count; i++)
        share_function(result, &known, i);
    map_release(&known);
    forget_goal_counts(&result->totals);
    memset(result->assuming, 0, sizeof result->assuming);
    memset(result->open, 0, sizeof result->open);
    for (size_t i = 0; i < result->shared_goals.count; i++) {
        const struct result_shared_goal *shared = &result->shared_goals.items[i];
        const struct result_goal *best = &result->goals[shared->best];
        if (!shared->in_totals)
            continue;
        result_count_goal(&result->totals, best->kind, &best->verdict);
        for (unsigned kind = 0; kind < ASSUMPTION_KINDS; kind++)
            result->assuming[kind] +=
                best->verdict.kind == VERDICT_ASSUMING && (shared->assumes >> kind & 1);
        for (int cause = 0; cause < OPEN_CAUSES; cause++)
            result->open[cause] += best->verdict.causes >> cause & 1;
    }
}
