// SPDX-License-Identifier: Apache-2.0
#include "just/justify.h"

#include "base/fs.h"
#include <ctype.h>
#include <string.h>

// ---- which goals are meant ----

static bool same_text(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (isspace((unsigned char)*a))
            a++;
        while (isspace((unsigned char)*b))
            b++;
        if (*a != *b || !*a)
            return *a == *b;
    }
}

static bool is_end_of(const char *file, const char *path)
{
    size_t length = strlen(path), tail = strlen(file);
    return length >= tail && !strcmp(path + length - tail, file) &&
           (length == tail || path[length - tail - 1] == '/');
}

static bool keeps_them_in(const struct result *result, size_t part, const char *path)
{
    const char *file = result->parts.items[part]->just_file;
    return file && !strcmp(file, path);
}

static enum just_outcome outcome_of(const struct result_goal *goal)
{
    return goal->kind == GOAL_CONDITION ? JUST_MCDC
           : goal->is_case              ? (goal->outcome ? JUST_TAKEN : JUST_NOT_TAKEN)
           : goal->outcome              ? JUST_TRUE
                                        : JUST_FALSE;
}

static const char *text_of(const struct result_goal *goal)
{
    return goal->text[0] ? goal->text : "(branch)";
}

static bool is_written_so(const struct justification *item, const struct result_goal *goal)
{
    return outcome_of(goal) == item->outcome && same_text(text_of(goal), item->text);
}

static bool is_function(const struct justification *item, const struct result_function *function)
{
    return !strcmp(item->function, function->name) && is_end_of(item->file, function->file);
}

// The goal of a function that is meant, or RESULT_NONE; `count`: how many are written so.
static size_t find_goal(const struct justification *item, const struct result *result,
                        const struct result_function *function, size_t *count)
{
    size_t found = RESULT_NONE;
    *count = 0;
    for (size_t i = 0; i < function->goal_count; i++) {
        if (!is_written_so(item, &result->goals[function->first_goal + i]))
            continue;
        ++*count;
        if (*count == (item->nth ? item->nth : 1))
            found = function->first_goal + i;
    }
    return *count > 1 && !item->nth ? RESULT_NONE : found;
}

struct justification justification_of_goal(const struct result *result, size_t goal)
{
    const struct result_goal *it = &result->goals[goal];
    const struct result_function *function = &result->functions[it->function];
    struct justification item = {.file = fs_basename(function->file),
                                 .function = function->name,
                                 .outcome = outcome_of(it),
                                 .text = text_of(it)};
    unsigned before = 0, all = 0;
    for (size_t i = function->first_goal; i < function->first_goal + function->goal_count; i++) {
        all += is_written_so(&item, &result->goals[i]);
        before += i <= goal && is_written_so(&item, &result->goals[i]);
    }
    item.nth = all > 1 ? before : 0;
    return item;
}

// ---- applying ----

static void apply_one(const struct justifications *list, const struct justification *item,
                      struct result *result)
{
    const char *text = NULL;
    for (size_t i = 0; i < result->function_count; i++) {
        const struct result_function *function = &result->functions[i];
        size_t count, goal;
        if (!keeps_them_in(result, function->part, list->path) || !is_function(item, function) ||
            (goal = find_goal(item, result, function, &count)) == RESULT_NONE)
            continue;
        if (!text)
            text =
                arena_printf(&result->arena, "%s, %s: %s", item->author, item->date, item->reason);
        result->goals[goal].justification = text;
    }
}

void justify_apply(const struct justifications *list, struct result *result)
{
    for (size_t i = 0; i < result->goal_count; i++)
        if (keeps_them_in(result, result->functions[result->goals[i].function].part, list->path))
            result->goals[i].justification = NULL;
    for (size_t i = 0; i < list->items.count; i++)
        apply_one(list, &list->items.items[i], result);
}

void justify_keep_in(struct result *result, const char *path)
{
    result->just_file = path ? arena_strdup(&result->arena, path) : NULL;
    for (size_t i = 0; i < result->parts.count; i++)
        result->parts.items[i]->just_file = result->just_file;
    for (size_t i = 0; !path && i < result->goal_count; i++)
        result->goals[i].justification = NULL;
}

// ---- checking ----

// What a result says about a justification.
struct finding {
    bool tested; // its file
    size_t most; // goals of a function that are written so
    size_t goal; // that is meant: a covered one, else an open one; or RESULT_NONE
};

static struct finding look_at(const struct justifications *list, const struct justification *item,
                              const struct result *result)
{
    struct finding f = {.goal = RESULT_NONE};
    for (size_t i = 0; i < result->parts.count; i++)
        f.tested |= keeps_them_in(result, i, list->path) &&
                    is_end_of(item->file, result->parts.items[i]->file);
    for (size_t i = 0; i < result->function_count; i++) {
        const struct result_function *function = &result->functions[i];
        size_t count;
        if (!keeps_them_in(result, function->part, list->path))
            continue;
        f.tested |= is_end_of(item->file, function->file);
        if (!is_function(item, function))
            continue;
        size_t goal = find_goal(item, result, function, &count);
        f.most = count > f.most ? count : f.most;
        if (goal != RESULT_NONE &&
            (f.goal == RESULT_NONE || verdict_rank(&result->goals[goal].verdict) <
                                          verdict_rank(&result->goals[f.goal].verdict)))
            f.goal = goal;
    }
    return f;
}

static const struct justification *same_before(const struct justifications *list, size_t index)
{
    const struct justification *item = &list->items.items[index];
    for (size_t i = 0; i < index; i++) {
        const struct justification *other = &list->items.items[i];
        if (!strcmp(other->file, item->file) && !strcmp(other->function, item->function) &&
            other->outcome == item->outcome && other->nth == item->nth &&
            same_text(other->text, item->text))
            return other;
    }
    return NULL;
}

static void put_covering_test(const struct result *result, size_t goal, struct buf *out)
{
    const struct result_goal *it = &result->goals[goal];
    if (it->verdict_task < result->tasks.count && it->verdict.test)
        buf_printf(out, "test %s/%04u covers it", result->tasks.items[it->verdict_task]->function,
                   it->verdict.test);
    else
        buf_puts(out, "tests cover it");
}

// Appends what is wrong with it, if anything is.
static void check_one(const struct justifications *list, size_t index, const struct result *result,
                      struct buf *out)
{
    const struct justification *item = &list->items.items[index], *same = same_before(list, index);
    struct finding f = look_at(list, item, result);
    enum verdict_kind kind =
        f.goal == RESULT_NONE ? VERDICT_UNDETERMINED : result->goals[f.goal].verdict.kind;
    if (same)
        buf_printf(out, "repeated: line %u says the same", same->line);
    else if (!f.tested)
        return;
    else if (f.goal == RESULT_NONE && f.most > 1 && !item->nth)
        buf_printf(out, "ambiguous: %zu goals are written so; '%s #1 of' means the first", f.most,
                   just_outcome_name(item->outcome));
    else if (f.goal == RESULT_NONE)
        buf_puts(out, "stale: there is no such goal");
    else if (kind == VERDICT_COVERED)
        buf_puts(out, "contradicted: "), put_covering_test(result, f.goal, out);
    else if (kind == VERDICT_INFEASIBLE || kind == VERDICT_ASSUMING)
        buf_printf(out, "unused: the goal is %s", verdict_name(kind));
}

void justify_check(const struct justifications *list, const struct result *result,
                   struct just_problems *problems)
{
    for (size_t i = 0; i < list->items.count; i++) {
        struct buf problem = BUF_INIT, goal = BUF_INIT;
        check_one(list, i, result, &problem);
        justification_write_goal(&list->items.items[i], &goal);
        if (problem.length)
            *VEC_PUSH(&problems->items) =
                arena_printf(&problems->arena, "%s:%u: %s: %s", list->path,
                             list->items.items[i].line, problem.data, goal.data);
        buf_release(&problem);
        buf_release(&goal);
    }
}

void just_problems_init(struct just_problems *problems)
{
    *problems = (struct just_problems){0};
    arena_init(&problems->arena);
}

void just_problems_release(struct just_problems *problems)
{
    VEC_RELEASE(&problems->items);
    arena_release(&problems->arena);
}

// ---- all files of a result ----

static bool is_first_with_file(const struct result *result, size_t part)
{
    const char *file = result->parts.items[part]->just_file;
    for (size_t i = 0; file && i < part; i++)
        if (keeps_them_in(result, i, file))
            return false;
    return file != NULL;
}

bool justify_result(struct result *result, bool again, struct just_problems *problems,
                    struct error *err)
{
    bool good = true;
    for (int checking = !again; good && checking < 2; checking++) {
        for (size_t i = 0; good && i < result->parts.count; i++) {
            const char *file = result->parts.items[i]->just_file;
            struct justifications list;
            if (!is_first_with_file(result, i) || !fs_exists(file))
                continue;
            justifications_init(&list);
            good = justifications_load(&list, file, err);
            if (good && checking)
                justify_check(&list, result, problems);
            else if (good)
                justify_apply(&list, result);
            justifications_release(&list);
        }
        if (good && !checking)
            result_aggregate(result);
    }
    return good;
}
