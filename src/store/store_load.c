// SPDX-License-Identifier: Apache-2.0
// Reads a store back into a result: what it is made of here and in the files load_*.c;
// then the verdicts of files and the totals are computed as they were for the run, and have to be
// those that were written.
#include "store/load.h"

#include "store/store.h"
#include <stdlib.h>
#include <string.h>

void *load_append(struct result *result, void *items, size_t count, size_t size)
{
    if (count & (count - 1)) // there is room up to the next power of two
        return items;
    void *grown = arena_alloc(&result->arena, (count ? 2 * count : 1) * size);
    if (count)
        memcpy(grown, items, count * size);
    return grown;
}

static void load_head(struct store_reader *r, struct store_head *head)
{
    struct store_rows rows = rows_open(r, STORE_RESULT);
    if (!rows_next(&rows, NULL, head))
        reader_damaged(r, "it holds no result");
    rows_close(&rows);
}

static void load_parts(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_RUNS);
    struct result_part part;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &part)) {
        rows_number(r, STORE_RUNS, keys[0], result->parts.count);
        *VEC_PUSH(&result->parts) = arena_new(&result->arena, struct result_part);
        *result->parts.items[result->parts.count - 1] = part;
    }
    rows = rows_open(r, STORE_FLAGS);
    struct store_text flag;
    while (rows_next(&rows, keys, &flag)) {
        struct result_part *of = result->parts.items[keys[0]];
        size_t count = 0;
        while (of->flags && of->flags[count])
            count++;
        const char **flags = arena_array(&result->arena, const char *, count + 2);
        for (size_t i = 0; i < count; i++)
            flags[i] = of->flags[i];
        flags[count] = flag.text;
        of->flags = flags;
    }
}

static void load_functions(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_FUNCTIONS);
    struct result_function function;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &function)) {
        function.part = keys[1];
        function.unit_name = function.name;
        function.program_function = RESULT_NONE;
        rows_number(r, STORE_FUNCTIONS, keys[0], result->function_count);
        result->functions =
            load_append(result, result->functions, result->function_count, sizeof function);
        result->functions[result->function_count++] = function;
    }
}

// ---- goals: by function, those of a function in the order of their ids ----

struct goal_row {
    size_t id;
    struct result_goal goal;
};

static int compare_goals(const void *left, const void *right)
{
    const struct goal_row *a = left, *b = right;
    if (a->goal.function != b->goal.function)
        return a->goal.function < b->goal.function ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static void place_goals(struct store_reader *r, struct result *result, const struct goal_row *items,
                        size_t count)
{
    result->goals = arena_array(&result->arena, struct result_goal, count + 1);
    result->goal_count = count;
    for (size_t i = 0; i < count; i++) {
        struct result_function *function = &result->functions[items[i].goal.function];
        if (!function->goal_count++)
            function->first_goal = i;
        result->goals[i] = items[i].goal;
        rows_number(r, STORE_GOALS, items[i].id, i);
    }
}

static void load_goals(struct store_reader *r, struct result *result)
{
    VEC(struct goal_row) goals = {0};
    struct store_rows rows = rows_open(r, STORE_GOALS);
    struct result_goal goal;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &goal)) {
        if (goal.function >= result->function_count)
            reader_damaged(r, "a goal without a function");
        *VEC_PUSH(&goals) = (struct goal_row){keys[0], goal};
    }
    if (!r->failed) {
        if (goals.count)
            qsort(goals.items, goals.count, sizeof *goals.items, compare_goals);
        place_goals(r, result, goals.items, goals.count);
    }
    VEC_RELEASE(&goals);
}

// ---- messages ----

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

// The messages of the parts behind this one (RESULT_NONE: of all) begin where its own end.
static void end_messages(struct result *result, size_t part)
{
    for (size_t i = part == RESULT_NONE ? 0 : part + 1; i < result->parts.count; i++) {
        result->parts.items[i]->first_error = result->errors.count;
        result->parts.items[i]->first_disagreement = result->disagreements.count;
        result->parts.items[i]->first_note = result->notes.count;
    }
}

static void load_message(struct store_reader *r, struct result *result,
                         const struct store_message *message)
{
    if (message->kind == MESSAGE_ERROR)
        *VEC_PUSH(&result->errors) = message->text;
    else if (message->kind == MESSAGE_DISAGREEMENT)
        *VEC_PUSH(&result->disagreements) = message->text;
    else if (message->kind == MESSAGE_NOTE)
        *VEC_PUSH(&result->notes) = message->text;
    else if (message->task < result->tasks.count)
        *VEC_PUSH(&result->tasks.items[message->task]->assumptions) = message->text;
    else
        reader_damaged(r, "an assumption of no task");
}

// Those of no part come first: files that could not be tested.
static void load_messages(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_MESSAGES);
    struct store_message message;
    size_t keys[STORE_KEYS], part = RESULT_NONE, failures = 0;
    while (rows_next(&rows, keys, &message)) {
        failures += keys[1] == RESULT_NONE;
        if (keys[1] != part)
            end_messages(result, part);
        part = keys[1];
        load_message(r, result, &message);
    }
    end_messages(result, part);
    if (!r->failed && failures && failures <= result->errors.count)
        qsort(result->errors.items, failures, sizeof *result->errors.items, compare_texts);
}

static void load_layers(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_LAYERS);
    struct result_layer layer;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &layer))
        result_add_layer(result, &layer);
}

// ---- what the parts make together ----

static void take_only_part(struct result *result)
{
    const struct result_part *part = result->parts.items[0];
    result->file = part->file;
    result->directory = part->home;
    result->working_directory = part->working_directory;
    result->project_file = part->project_file;
    result->just_file = part->just_file;
    result->version = part->version;
    result->options = part->options;
    result->data_model = part->data_model;
    result->flags = part->flags;
    result->seed = part->seed;
    result->reproducible = part->reproducible;
    result->unfinished = part->unfinished;
    result->exits = part->exits;
    result->seconds = part->seconds;
    result->setup_seconds = part->setup_seconds;
    result->lines = part->totals.lines;
    result->lines_covered = part->totals.lines_covered;
    result->phantoms = part->phantoms;
    result->slow_queries = part->slow_queries;
}

static const char *common(const char *all, const char *one, const char *mixed)
{
    return !all || !strcmp(all, one) ? one : mixed;
}

static void add_part(struct result *result, const struct result_part *part, bool first)
{
    result->options = common(first ? NULL : result->options, part->options, "");
    result->data_model = common(first ? NULL : result->data_model, part->data_model, "mixed");
    result->seed = first ? part->seed : result->seed;
    result->project_file = result->project_file ? result->project_file : part->project_file;
    result->reproducible &= part->reproducible;
    result->unfinished |= part->unfinished;
    result->exits |= part->exits;
    result->seconds += part->seconds;
    result->setup_seconds += part->setup_seconds;
    result->slow_queries += part->slow_queries;
}

static void join_parts(struct result *result, const struct store_head *head)
{
    result->is_project = true;
    result->version = head->version;
    result->directory = head->directory;
    result->exits = head->exits;
    result->unfinished = head->unfinished;
    result->setup_seconds = head->setup_seconds;
    for (size_t i = 0; i < result->parts.count; i++)
        add_part(result, result->parts.items[i], !i);
}

// Verdicts of files and counts are computed anew: they must be what the writer computed.
static void check_counts(struct store_reader *r, struct result *result)
{
    size_t parts = result->parts.count, tasks = result->tasks.count;
    struct result_counts *stored =
        arena_array(&result->arena, struct result_counts, parts + tasks + 1);
    for (size_t i = 0; i < parts; i++) {
        struct result_part *part = result->parts.items[i];
        stored[i] = part->totals;
        part->lines = stored[i].lines;
        part->lines_covered = stored[i].lines_covered;
    }
    for (size_t i = 0; i < tasks; i++)
        stored[parts + i] = result->tasks.items[i]->counts;
    result_aggregate(result);
    for (size_t i = 0; i < parts + tasks; i++) {
        const struct result_counts *now =
            i < parts ? &result->parts.items[i]->totals : &result->tasks.items[i - parts]->counts;
        if (memcmp(&stored[i], now, sizeof *stored) != 0)
            reader_damaged(r, "its numbers do not add up");
    }
}

static void load_tables(struct store_reader *r, struct result *result)
{
    struct store_head head = {0};
    load_head(r, &head);
    load_parts(r, result);
    load_functions(r, result);
    load_tasks(r, result);
    load_decisions(r, result);
    load_goals(r, result);
    load_verdicts(r, result);
    load_alarms(r, result);
    load_preconditions(r, result);
    load_tests(r, result);
    load_vectors(r, result);
    load_statistics(r, result);
    load_messages(r, result);
    load_layers(r, result);
    load_sources(r, result);
    if (r->failed)
        return;
    if (head.is_project)
        join_parts(result, &head);
    else if (result->parts.count == 1)
        take_only_part(result);
    else
        reader_damaged(r, "it holds no run");
    if (!r->failed)
        check_counts(r, result);
}

bool store_load(const char *path, struct result *out, struct error *err)
{
    struct store_reader reader;
    result_init(out, "");
    if (reader_open(&reader, path, &out->arena, err))
        load_tables(&reader, out);
    reader_close(&reader);
    return !reader.failed;
}
