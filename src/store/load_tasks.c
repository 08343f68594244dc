// SPDX-License-Identifier: Apache-2.0
// Tasks with their functions, verdicts, tests, checks and statistics.
#include "store/load.h"

#include <string.h>

void load_tasks(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_TASKS);
    struct result_task task;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &task)) {
        task.part = keys[1];
        task.program_task = RESULT_NONE;
        rows_number(r, STORE_TASKS, keys[0], result->tasks.count);
        struct result_task *copy = arena_new(&result->arena, struct result_task);
        *copy = task;
        *VEC_PUSH(&result->tasks) = copy;
    }
    rows = rows_open(r, STORE_TASK_FUNCTIONS);
    struct store_nothing none;
    while (rows_next(&rows, keys, &none)) {
        struct result_task *of = result->tasks.items[keys[0]];
        of->functions =
            load_append(result, of->functions, of->function_count, sizeof *of->functions);
        of->functions[of->function_count++] = keys[1];
        result->functions[keys[1]].tasks++;
    }
}

static void load_assumptions(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_VERDICT_ASSUMPTIONS);
    struct result_assumption assumption;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &assumption)) {
        struct verdict *of =
            (struct verdict *)result_verdict(result->tasks.items[keys[0]], keys[1]);
        if (!of) {
            reader_damaged(r, "an assumption of no claim");
            break;
        }
        struct result_assumption *items =
            load_append(result, (void *)of->assumptions, of->assumption_count, sizeof assumption);
        items[of->assumption_count++] = assumption;
        of->assumptions = items;
    }
    rows_close(&rows);
}

void load_verdicts(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_VERDICTS);
    struct verdict verdict;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &verdict)) {
        struct result_task *of = result->tasks.items[keys[0]];
        if (of->goal_count && keys[1] <= of->goals[of->goal_count - 1]) {
            reader_damaged(r, "verdicts out of order");
            break;
        }
        of->goals = load_append(result, of->goals, of->goal_count, sizeof *of->goals);
        of->verdicts = load_append(result, of->verdicts, of->goal_count, sizeof *of->verdicts);
        of->goals[of->goal_count] = keys[1];
        of->verdicts[of->goal_count++] = verdict;
    }
    rows_close(&rows);
    load_assumptions(r, result);
}

// ---- tests ----

static struct result_test *find_test(struct store_reader *r, const struct result *result,
                                     size_t task, size_t number)
{
    const struct result_task *of = result->tasks.items[task];
    if (number && number <= of->tests.count)
        return of->tests.items[number - 1];
    reader_damaged(r, "a row belongs to a test that is not there");
    return NULL;
}

// Goals of the file follow each other in the result as in the file.
static void add_span(struct store_reader *r, struct result *result, struct result_test *test,
                     const struct store_span *span)
{
    if (span->last < span->first || span->last >= result->goal_count || !span->step) {
        reader_damaged(r, "a test covers what is no goal");
        return;
    }
    for (size_t goal = span->first; goal <= span->last; goal += span->step) {
        test->goals = load_append(result, test->goals, test->goal_count, sizeof *test->goals);
        test->goals[test->goal_count++] = goal;
    }
}

static void load_spans(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_TEST_SPANS);
    struct store_span span;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &span)) {
        struct result_test *test = find_test(r, result, keys[0], keys[1]);
        span.first = keys[2];
        if (test)
            add_span(r, result, test, &span);
    }
}

static void load_test_inputs(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_TEST_INPUTS);
    struct result_input input;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &input)) {
        struct result_test *test = find_test(r, result, keys[0], keys[1]);
        if (!test)
            break;
        test->inputs = load_append(result, test->inputs, test->input_count, sizeof input);
        test->inputs[test->input_count++] = input;
    }
    rows_close(&rows);
}

static void load_test_outputs(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_TEST_OUTPUTS);
    struct result_output output;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &output)) {
        struct result_test *test = find_test(r, result, keys[0], keys[1]);
        if (!test)
            break;
        test->outputs = load_append(result, test->outputs, test->output_count, sizeof output);
        test->outputs[test->output_count++] = output;
    }
    rows_close(&rows);
}

static void load_test_setup(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_TEST_SETUP);
    struct result_found found;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &found)) {
        struct result_test *test = find_test(r, result, keys[0], keys[1]);
        if (!test)
            break;
        test->found = load_append(result, test->found, test->found_count, sizeof found);
        test->found[test->found_count++] = found;
    }
    rows_close(&rows);
}

void load_tests(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_TESTS);
    struct result_test test;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &test)) {
        struct result_task *of = result->tasks.items[keys[0]];
        struct result_test *copy = arena_new(&result->arena, struct result_test);
        *copy = test;
        copy->number = (unsigned)of->tests.count + 1;
        *VEC_PUSH(&of->tests) = copy;
        if (keys[1] != copy->number) {
            reader_damaged(r, "a test is missing");
            break;
        }
    }
    rows_close(&rows);
    load_spans(r, result);
    load_test_inputs(r, result);
    load_test_outputs(r, result);
    load_test_setup(r, result);
}

// ---- vectors ----

void load_decisions(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_DECISIONS);
    struct result_decision decision;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &decision)) {
        decision.part = keys[1];
        decision.program_decision = RESULT_NONE;
        if (decision.function >= result->function_count)
            reader_damaged(r, "a decision without a function");
        rows_number(r, STORE_DECISIONS, keys[0], result->decisions.count);
        *VEC_PUSH(&result->decisions) = decision;
    }
}

static void load_test_vectors(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_TEST_VECTORS);
    struct store_nothing none;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &none)) {
        struct result_test *test = find_test(r, result, keys[0], keys[1]);
        if (!test || keys[2] >= result->tasks.items[keys[0]]->vectors.count) {
            reader_damaged(r, "a test shows a vector that is not there");
            break;
        }
        test->vectors =
            load_append(result, test->vectors, test->vector_count, sizeof *test->vectors);
        test->vectors[test->vector_count++] = keys[2];
    }
    rows_close(&rows);
}

void load_vectors(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_VECTORS);
    struct result_vector vector;
    struct result_pair pair;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &vector)) {
        struct result_task *of = result->tasks.items[keys[0]];
        if (vector.decision >= result->decisions.count || keys[1] != of->vectors.count)
            reader_damaged(r, "a vector of no decision");
        *VEC_PUSH(&of->vectors) = vector;
    }
    load_test_vectors(r, result);
    rows = rows_open(r, STORE_PAIRS);
    while (rows_next(&rows, keys, &pair)) {
        struct result_task *of = result->tasks.items[keys[0]];
        pair.goal = keys[1];
        if (pair.first >= of->vectors.count || pair.second >= of->vectors.count)
            reader_damaged(r, "a pair of vectors that are not there");
        *VEC_PUSH(&of->pairs) = pair;
    }
}

// ---- checks and statistics ----

static void set_statistic(struct result_task *task, const struct store_statistic *statistic)
{
    for (size_t i = 0; i < store_measure_count; i++) {
        char *field = (char *)task + store_measures[i].offset;
        if (strcmp(store_measures[i].name, statistic->name) != 0)
            continue;
        if (store_measures[i].is_real)
            *(double *)(void *)field = statistic->value;
        else if (statistic->value >= 0 && statistic->value < 0x1p63)
            *(size_t *)(void *)field = (size_t)statistic->value;
    }
}

void load_statistics(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_STATISTICS);
    struct store_statistic statistic;
    struct result_sample sample;
    struct result_check check;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &statistic))
        set_statistic(result->tasks.items[keys[0]], &statistic);
    rows = rows_open(r, STORE_PROGRESS);
    while (rows_next(&rows, keys, &sample))
        *VEC_PUSH(&result->tasks.items[keys[0]]->samples) = sample;
    rows = rows_open(r, STORE_CHECKS);
    while (rows_next(&rows, keys, &check))
        *VEC_PUSH(&result->tasks.items[keys[0]]->checks) = check;
}
