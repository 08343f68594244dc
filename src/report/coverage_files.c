// SPDX-License-Identifier: Apache-2.0
#include "report/coverage_files.h"

#include "base/buf.h"
#include "base/map.h"
#include <stdlib.h>
#include <string.h>

struct builder {
    const struct result *result;
    struct coverage_files *files;
    struct map index; // "part path" -> index in files
    size_t *tests;    // per goal: how many cover it
};

static struct coverage_file *file_of(struct builder *b, size_t part, const char *path)
{
    struct buf key = BUF_INIT;
    uint64_t at = b->files->items.count;
    buf_printf(&key, "%zu %s", part, path);
    if (!map_get_text(&b->index, key.data, &at)) {
        map_put_text(&b->index, key.data, at);
        *VEC_PUSH(&b->files->items) = (struct coverage_file){.part = part, .path = path};
    }
    buf_release(&key);
    return &b->files->items.items[at];
}

static void add_lines(struct builder *b)
{
    for (size_t i = 0; i < b->result->sources.count; i++) {
        const struct result_source *source = &b->result->sources.items[i];
        for (size_t k = 0; k < source->line_count; k++)
            if (source->lines[k].in_totals)
                *VEC_PUSH(&file_of(b, source->part, source->path)->lines) = source->lines[k];
    }
}

static void add_functions(struct builder *b)
{
    for (size_t i = 0; i < b->result->function_count; i++) {
        const struct result_function *function = &b->result->functions[i];
        if (function->in_totals && function->source_line)
            VEC_PUSH(&file_of(b, function->part, function->file)->functions)->function = function;
    }
}

static void count_tests(struct builder *b)
{
    b->tests = xcalloc(b->result->goal_count + 1, sizeof *b->tests);
    for (size_t t = 0; t < b->result->tasks.count; t++) {
        const struct result_task *task = b->result->tasks.items[t];
        for (size_t i = 0; i < task->tests.count; i++)
            for (size_t g = 0; g < task->tests.items[i]->goal_count; g++)
                b->tests[task->tests.items[i]->goals[g]]++;
    }
}

// `best` is the goal whose verdict holds.
static void add_goal(struct builder *b, size_t number, size_t best)
{
    const struct result_goal *goal = &b->result->goals[number];
    const struct verdict *verdict = &b->result->goals[best].verdict;
    size_t part = b->result->functions[goal->function].part;
    struct coverage_file *file = file_of(b, part, goal->file);
    size_t tests = verdict->kind != VERDICT_COVERED ? 0 : b->tests[best] ? b->tests[best] : 1;
    *(goal->kind == GOAL_BRANCH ? VEC_PUSH(&file->branches) : VEC_PUSH(&file->mcdc_conditions)) =
        (struct coverage_goal){goal, verdict, tests};
}

static void add_goals(struct builder *b)
{
    const struct result *result = b->result;
    count_tests(b);
    if (result->is_project) {
        for (size_t i = 0; i < result->shared_goals.count; i++)
            if (result->shared_goals.items[i].in_totals)
                add_goal(b, result->shared_goals.items[i].goal, result->shared_goals.items[i].best);
    } else {
        for (size_t i = 0; i < result->goal_count; i++)
            if (result->functions[result->goals[i].function].in_totals)
                add_goal(b, i, i);
    }
    free(b->tests);
}

// ---- in order ----

static int compare_lines(const void *left, const void *right)
{
    const struct result_line *a = left, *b = right;
    return a->line < b->line ? -1 : a->line > b->line;
}

static int compare_functions(const void *left, const void *right)
{
    const struct coverage_function *a = left, *b = right;
    uint32_t x = a->function->source_line, y = b->function->source_line;
    return x != y ? (x < y ? -1 : 1) : a->function < b->function ? -1 : 1;
}

// Goals of a line stay in the order of the result, so that both outcomes stay together.
static int compare_goals(const void *left, const void *right)
{
    const struct coverage_goal *a = left, *b = right;
    uint32_t x = a->goal->source_line, y = b->goal->source_line;
    return x != y ? (x < y ? -1 : 1) : a->goal < b->goal ? -1 : a->goal > b->goal;
}

// A function ends where the next one begins, but not in its first line.
static void finish_functions(struct coverage_file *file)
{
    size_t line = 0;
    for (size_t i = 0; i < file->functions.count; i++) {
        struct coverage_function *function = &file->functions.items[i];
        uint32_t next = i + 1 < file->functions.count
                            ? file->functions.items[i + 1].function->source_line
                            : UINT32_MAX;
        function->end = next > function->function->source_line ? next : next + 1;
        while (line < file->lines.count &&
               file->lines.items[line].line < function->function->source_line)
            line++;
        if (line < file->lines.count && file->lines.items[line].line < function->end)
            function->hits = file->lines.items[line].hits;
    }
}

#define SORT(vec, compare)                                                                         \
    ((vec)->count ? qsort((vec)->items, (vec)->count, sizeof *(vec)->items, compare) : (void)0)

void coverage_files_init(struct coverage_files *files, const struct result *result)
{
    struct builder b = {.result = result, .files = files};
    *files = (struct coverage_files){0};
    map_init(&b.index);
    add_lines(&b);
    add_functions(&b);
    add_goals(&b);
    map_release(&b.index);
    for (size_t i = 0; i < files->items.count; i++) {
        struct coverage_file *file = &files->items.items[i];
        SORT(&file->lines, compare_lines);
        SORT(&file->functions, compare_functions);
        SORT(&file->branches, compare_goals);
        finish_functions(file);
    }
}

void coverage_files_release(struct coverage_files *files)
{
    for (size_t i = 0; i < files->items.count; i++) {
        VEC_RELEASE(&files->items.items[i].lines);
        VEC_RELEASE(&files->items.items[i].functions);
        VEC_RELEASE(&files->items.items[i].branches);
        VEC_RELEASE(&files->items.items[i].mcdc_conditions);
    }
    VEC_RELEASE(&files->items);
}
