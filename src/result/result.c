// SPDX-License-Identifier: Apache-2.0
// Building the result model: tasks, tests and verdicts. Goals come from judge/measured_goals.c;
// counting is in result_totals.c.
#include "result/result.h"

#include "base/buf.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_init(struct result *result, const char *file)
{
    *result = (struct result){.reproducible = true,
                              .version = "",
                              .options = "",
                              .data_model = "lp64",
                              .directory = "",
                              .working_directory = ""};
    arena_init(&result->arena);
    result->file = arena_strdup(&result->arena, file);
}

static void release_task(struct result_task *task)
{
    VEC_RELEASE(&task->assumptions);
    VEC_RELEASE(&task->samples);
    VEC_RELEASE(&task->tests);
    VEC_RELEASE(&task->alarms);
    VEC_RELEASE(&task->checks);
    VEC_RELEASE(&task->vectors);
    VEC_RELEASE(&task->pairs);
}

void result_release(struct result *result)
{
    for (size_t i = 0; i < result->tasks.count; i++)
        release_task(result->tasks.items[i]);
    VEC_RELEASE(&result->tasks);
    VEC_RELEASE(&result->alarms);
    VEC_RELEASE(&result->parts);
    VEC_RELEASE(&result->shared_goals);
    for (size_t i = 0; i < result->preconditions.count; i++)
        VEC_RELEASE(&result->preconditions.items[i].alarms);
    VEC_RELEASE(&result->preconditions);
    VEC_RELEASE(&result->errors);
    VEC_RELEASE(&result->disagreements);
    VEC_RELEASE(&result->notes);
    VEC_RELEASE(&result->layers);
    VEC_RELEASE(&result->sources);
    VEC_RELEASE(&result->declarations);
    VEC_RELEASE(&result->decisions);
    arena_release(&result->arena);
}

static const char *format_text(struct result *result, const char *format, va_list args)
{
    struct buf text = BUF_INIT;
    buf_vprintf(&text, format, args);
    const char *copy = arena_strdup(&result->arena, buf_text(&text));
    buf_release(&text);
    return copy;
}

#define DEFINE_ADD(name, list)                                                                     \
    void name(struct result *result, const char *format, ...)                                      \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        *VEC_PUSH(&result->list) = format_text(result, format, args);                              \
        va_end(args);                                                                              \
    }
DEFINE_ADD(result_add_error, errors)
DEFINE_ADD(result_add_disagreement, disagreements)
DEFINE_ADD(result_add_note, notes)

void result_add_layer(struct result *result, const struct result_layer *layer)
{
    for (size_t i = 0; i < result->layers.count; i++) {
        struct result_layer *known = &result->layers.items[i];
        if (strcmp(known->name, layer->name) != 0)
            continue;
        known->queries += layer->queries;
        known->sat += layer->sat;
        known->unsat += layer->unsat;
        known->seconds += layer->seconds;
        return;
    }
    struct result_layer *added = VEC_PUSH(&result->layers);
    *added = *layer;
    added->name = arena_strdup(&result->arena, layer->name);
}

struct result_source *result_add_source(struct result *result, const char *path, const char *hash)
{
    for (size_t i = 0; i < result->sources.count; i++)
        if (!strcmp(result->sources.items[i].path, path))
            return &result->sources.items[i];
    struct result_source *source = VEC_PUSH(&result->sources);
    *source = (struct result_source){.path = arena_strdup(&result->arena, path),
                                     .hash = arena_strdup(&result->arena, hash)};
    return source;
}

void result_add_declaration(struct result *result, const struct result_declaration *declaration)
{
    struct arena *arena = &result->arena;
    *VEC_PUSH(&result->declarations) =
        (struct result_declaration){.kind = declaration->kind,
                                    .owner = arena_strdup(arena, declaration->owner),
                                    .name = arena_strdup(arena, declaration->name),
                                    .type = arena_strdup(arena, declaration->type),
                                    .text = arena_strdup(arena, declaration->text)};
}

const char *declaration_kind_name(int kind)
{
    static const char *const names[DECLARATION_KINDS] = {
        [DECLARED_DEFINITION] = "definition",
        [DECLARED_VARIABLE] = "variable",
        [DECLARED_STUB] = "stub",
        [DECLARED_PARAMETER] = "parameter",
        [DECLARED_RESULT] = "result",
        [DECLARED_ARGUMENT] = "argument",
        [DECLARED_STATE] = "state",
        [DECLARED_LINKED] = "linked",
        [DECLARED_FILE] = "file",
        [DECLARED_CONSTANT] = "constant",
        [DECLARED_ADAPTED] = "adapted",
    };
    return names[kind];
}

// Goals.

size_t result_branch_goal(const struct result *result, size_t branch, bool outcome)
{
    return branch < result->branch_count ? result->goal_of_branch[2 * branch + outcome]
                                         : RESULT_NONE;
}

size_t result_condition_goal(const struct result *result, size_t branch)
{
    return branch < result->branch_count ? result->goal_of_condition[branch] : RESULT_NONE;
}

// Tasks and tests.

static int compare_sizes(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return a < b ? -1 : a > b;
}

static void add_task_goals(struct result *result, struct result_task *task)
{
    for (size_t i = 0; i < task->function_count; i++)
        task->goal_count += result->functions[task->functions[i]].goal_count;
    task->goals = arena_array(&result->arena, size_t, task->goal_count);
    task->verdicts = arena_array(&result->arena, struct verdict, task->goal_count);
    size_t at = 0;
    for (size_t i = 0; i < task->function_count; i++) {
        struct result_function *function = &result->functions[task->functions[i]];
        function->tasks++;
        for (size_t g = 0; g < function->goal_count; g++) {
            task->verdicts[at].text = "not searched";
            task->goals[at++] = function->first_goal + g;
        }
    }
}

struct result_task *result_add_task(struct result *result, const struct program *program,
                                    size_t program_task)
{
    const struct task *from = &program->tasks[program_task];
    struct result_task *task = arena_new(&result->arena, struct result_task);
    bool *inside = xcalloc(program->function_count + 1, sizeof *inside);
    for (size_t i = 0; i < from->function_count; i++)
        inside[from->functions[i]] = true;
    task->function = arena_strdup(&result->arena, from->name);
    task->program_task = program_task;
    task->functions = arena_array(&result->arena, size_t, from->function_count);
    // In the order of result.functions, so that the goals ascend.
    for (size_t i = 0; i < result->function_count; i++) {
        size_t id = result->functions[i].program_function;
        if (id != RESULT_NONE && inside[id] && task->function_count < from->function_count)
            task->functions[task->function_count++] = i;
    }
    free(inside);
    add_task_goals(result, task);
    *VEC_PUSH(&result->tasks) = task;
    return task;
}

struct result_test *result_add_test(struct result *result, struct result_task *task,
                                    const char *path, const size_t *goals, size_t goal_count)
{
    struct result_test *test = arena_new(&result->arena, struct result_test);
    test->number = (unsigned)task->tests.count + 1;
    test->path = arena_strdup(&result->arena, path);
    test->outcome = test->fault = test->fault_file = "";
    test->alarm = RESULT_NONE;
    test->goals = arena_array(&result->arena, size_t, goal_count);
    for (size_t i = 0; i < goal_count; i++)
        if (goals[i] != RESULT_NONE)
            test->goals[test->goal_count++] = goals[i];
    if (test->goal_count)
        qsort(test->goals, test->goal_count, sizeof *test->goals, compare_sizes);
    *VEC_PUSH(&task->tests) = test;
    return test;
}

void result_add_assumption(struct result *result, struct result_task *task, const char *text)
{
    for (size_t i = 0; i < task->assumptions.count; i++)
        if (strcmp(task->assumptions.items[i], text) == 0)
            return;
    *VEC_PUSH(&task->assumptions) = arena_strdup(&result->arena, text);
}

// Verdicts.

static struct verdict *find_verdict(const struct result_task *task, size_t goal)
{
    if (!task->goal_count)
        return NULL;
    const size_t *found = bsearch(&goal, task->goals, task->goal_count, sizeof goal, compare_sizes);
    return found ? &task->verdicts[found - task->goals] : NULL;
}

const struct verdict *result_verdict(const struct result_task *task, size_t goal)
{
    return find_verdict(task, goal);
}

static void describe_place(const struct result *result, size_t goal, struct buf *out)
{
    const struct result_goal *it = &result->goals[goal];
    buf_printf(out, "%s:%u: %s%s%s of %s()", it->file, it->source_line,
               it->kind == GOAL_CONDITION ? "condition "
               : it->outcome              ? "true side of "
                                          : "false side of ",
               it->text[0] ? it->text : "a branch", it->kind == GOAL_CONDITION ? " (MC/DC)" : "",
               result->functions[it->function].name);
}

void result_disagree(struct result *result, const struct result_task *task, size_t goal,
                     const char *what)
{
    struct buf place = BUF_INIT;
    describe_place(result, goal, &place);
    result_add_disagreement(result, "task %s: %s: %s", task->function, buf_text(&place), what);
    buf_release(&place);
}

void result_set_infeasible(struct result *result, struct result_task *task, size_t goal,
                           enum proof_kind proof, const char *evidence,
                           const struct assumptions *assumptions)
{
    struct verdict *verdict = find_verdict(task, goal);
    if (!verdict)
        return;
    if (!assumptions->kinds != !assumptions->text[0])
        BUG("a claim is weak if and only if it names what it presumes");
    if (verdict->kind == VERDICT_COVERED) {
        result_disagree(result, task, goal, "claimed infeasible, but a replayed test covers it");
        return;
    }
    struct result_assumption *items =
        arena_array(&result->arena, struct result_assumption, assumptions->count + 1);
    for (size_t i = 0; i < assumptions->count; i++)
        items[i] = (struct result_assumption){
            assumptions->items[i].kind, arena_strdup(&result->arena, assumptions->items[i].text)};
    *verdict = (struct verdict){.kind = assumptions->kinds ? VERDICT_ASSUMING : VERDICT_INFEASIBLE,
                                .proof = proof,
                                .evidence = arena_strdup(&result->arena, evidence),
                                .assumes = assumptions->kinds,
                                .text = arena_strdup(&result->arena, assumptions->text),
                                .assumptions = items,
                                .assumption_count = assumptions->count};
}

void result_set_undetermined(struct result *result, struct result_task *task, size_t goal,
                             const struct open_reason *reason)
{
    struct verdict *verdict = find_verdict(task, goal);
    if (verdict && verdict->kind != VERDICT_COVERED)
        *verdict = (struct verdict){.kind = VERDICT_UNDETERMINED,
                                    .causes = reason->causes,
                                    .text = arena_strdup(&result->arena, reason->text)};
}

void result_set_open_reason(struct result *result, struct result_task *task,
                            const struct open_reason *reason)
{
    const char *copy = arena_strdup(&result->arena, reason->text);
    for (size_t i = 0; i < task->goal_count; i++)
        if (task->verdicts[i].kind == VERDICT_UNDETERMINED) {
            task->verdicts[i].text = copy;
            task->verdicts[i].causes = reason->causes;
        }
}
