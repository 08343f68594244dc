// SPDX-License-Identifier: Apache-2.0
#include "judge/test_record.h"

#include "program/testfile.h"
#include <stdlib.h>
#include <string.h>

void test_record_inputs(struct result *result, struct result_test *test,
                        const struct kept_test *kept)
{
    struct testfile file;
    struct error err = {0};
    if (!kept->text)
        return;
    if (!testfile_read(&file, "", kept->text, strlen(kept->text), &result->arena, &err))
        BUG("a test that was written cannot be read: %s", err.text);
    test->inputs = arena_array(&result->arena, struct result_input, file.input_count + 1);
    test->input_count = file.input_count;
    for (size_t i = 0; i < file.input_count; i++)
        test->inputs[i] =
            (struct result_input){.path = file.inputs[i].path,
                                  .type = file.inputs[i].type,
                                  .value = file.inputs[i].values,
                                  .meaning = file.inputs[i].meaning ? file.inputs[i].meaning : ""};
}

void test_record_outputs(struct result *result, struct result_test *test,
                         const struct replay_outcome *outcome)
{
    test->outputs = arena_array(&result->arena, struct result_output, outcome->output_count + 1);
    test->output_count = outcome->output_count;
    test->outputs_cut = outcome->outputs_cut;
    for (size_t i = 0; i < outcome->output_count; i++)
        test->outputs[i] =
            (struct result_output){arena_strdup(&result->arena, outcome->outputs[i].path),
                                   arena_strdup(&result->arena, outcome->outputs[i].type),
                                   arena_strdup(&result->arena, outcome->outputs[i].value)};
}

void test_record_found(struct result *result, struct result_test *test,
                       const struct replay_outcome *outcome)
{
    struct arena *arena = &result->arena;
    test->found = arena_array(arena, struct result_found, outcome->found_count + 1);
    test->found_count = outcome->found_count;
    test->found_cut = outcome->found_cut;
    for (size_t i = 0; i < outcome->found_count; i++) {
        const struct replay_found *row = &outcome->found[i];
        test->found[i] =
            (struct result_found){arena_strdup(arena, row->path), arena_strdup(arena, row->member),
                                  arena_strdup(arena, row->type), arena_strdup(arena, row->value)};
    }
}

// ---- vectors ----

static size_t find_decision(const struct result *result, size_t program_decision)
{
    for (size_t i = 0; i < result->decisions.count; i++)
        if (result->decisions.items[i].program_decision == program_decision)
            return i;
    return RESULT_NONE;
}

static const char *values_text(struct result *result, const struct decision_vector *vector,
                               unsigned conditions)
{
    char *text = arena_alloc(&result->arena, conditions + 1);
    for (unsigned i = 0; i < conditions; i++)
        text[i] = i >= 64 || !(vector->evaluated >> i & 1) ? '-'
                  : vector->values >> i & 1                ? 'T'
                                                           : 'F';
    return text;
}

static size_t find_vector(const struct result_task *task, size_t decision, const char *values)
{
    for (size_t i = 0; i < task->vectors.count; i++)
        if (task->vectors.items[i].decision == decision &&
            !strcmp(task->vectors.items[i].values, values))
            return i;
    return RESULT_NONE;
}

// Its index in the task's vectors; RESULT_NONE: no decision that MC/DC counts.
static size_t enter_vector(struct result *result, struct result_task *task,
                           const struct decision_vector *vector)
{
    size_t decision = find_decision(result, vector->decision);
    if (decision == RESULT_NONE)
        return RESULT_NONE;
    const char *values = values_text(result, vector, result->decisions.items[decision].conditions);
    size_t found = find_vector(task, decision, values);
    if (found != RESULT_NONE)
        return found;
    *VEC_PUSH(&task->vectors) = (struct result_vector){decision, values, vector->outcome};
    return task->vectors.count - 1;
}

static int compare_sizes(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return a < b ? -1 : a > b;
}

void test_record_vectors(struct result *result, struct result_task *task,
                         const struct campaign *campaign, const size_t *chosen)
{
    const struct coverage *coverage = &campaign->coverage;
    size_t *known = xcalloc(coverage->vectors.count + 1, sizeof *known); // index plus two; 1: none
    for (size_t t = 0; t < task->tests.count; t++) {
        struct result_test *test = task->tests.items[t];
        const struct kept_test *kept = &campaign->kept.items[chosen[t]];
        test->vectors = arena_array(&result->arena, size_t, kept->vector_count + 1);
        for (size_t i = 0; i < kept->vector_count; i++) {
            size_t id = kept->vectors[i];
            if (!known[id])
                known[id] = enter_vector(result, task, &coverage->vectors.items[id]) + 2;
            if (known[id] > 1)
                test->vectors[test->vector_count++] = known[id] - 2;
        }
        if (test->vector_count)
            qsort(test->vectors, test->vector_count, sizeof *test->vectors, compare_sizes);
    }
    free(known);
}

void test_record_pair(struct result *result, struct result_task *task,
                      const struct campaign *campaign, size_t goal, const size_t pair[2])
{
    const struct decision_vector *vectors = campaign->coverage.vectors.items;
    size_t first = enter_vector(result, task, &vectors[pair[0]]);
    size_t second = enter_vector(result, task, &vectors[pair[1]]);
    if (first != RESULT_NONE && second != RESULT_NONE)
        *VEC_PUSH(&task->pairs) = (struct result_pair){goal, first, second};
}
