// SPDX-License-Identifier: Apache-2.0
// Reports from a hand-made result: the keys of summary.json, a table that fits 80
// columns, the goals listing.
#include "base/fs.h"
#include "base/json.h"
#include "report/next_steps.h"
#include "report/report.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct sample {
    char root[64];
    struct result result;
    struct verdict verdicts[3];
    size_t goals[3], functions[1];
};

static const char long_name[] = "a_function_with_a_very_long_name_that_fits_nowhere_at_all";
static const char *const flags[] = {"-DX=1", "-I", "with space", NULL};

static void fill(struct sample *s)
{
    struct result *r = &s->result;
    result_init(r, "/src/a.c");
    r->version = "1.2.3";
    r->directory = "cadenza-out";
    r->options = "--seed 7";
    r->seed = 7;
    r->flags = flags;
    r->functions = arena_array(&r->arena, struct result_function, 1);
    r->functions[0] = (struct result_function){.name = long_name,
                                               .unit_name = long_name,
                                               .file = "/src/a.c",
                                               .source_line = 3,
                                               .in_totals = true,
                                               .goal_count = 3,
                                               .tasks = 1};
    r->function_count = 1;
    r->goals = arena_array(&r->arena, struct result_goal, 3);
    r->goal_count = 3;
    for (size_t i = 0; i < 3; i++)
        r->goals[i] = (struct result_goal){.kind = i == 2 ? GOAL_CONDITION : GOAL_BRANCH,
                                           .branch = i / 2,
                                           .outcome = i == 1,
                                           .count = 2,
                                           .at = {4, 9, 4, 10},
                                           .file = "/src/a.c",
                                           .source_line = 4,
                                           .text = "x \"quoted\"",
                                           .verdict.text = ""};
    struct result_task *task = arena_new(&r->arena, struct result_task);
    task->function = long_name;
    task->functions = s->functions;
    task->function_count = 1;
    task->goals = s->goals;
    task->verdicts = s->verdicts;
    task->goal_count = 3;
    for (size_t i = 0; i < 3; i++)
        s->goals[i] = i;
    s->verdicts[0] = (struct verdict){.kind = VERDICT_COVERED, .test = 1, .text = ""};
    s->verdicts[1] =
        (struct verdict){.kind = VERDICT_INFEASIBLE, .proof = PROOF_EXHAUSTED, .text = ""};
    s->verdicts[2] = (struct verdict){.kind = VERDICT_UNDETERMINED, .text = "bound --elements 10"};
    task->iterations = 42;
    task->seconds = 1.25;
    *VEC_PUSH(&r->tasks) = task;
    struct result_test *test = result_add_test(r, task, "tests/f/0001.test", s->goals, 1);
    test->outcome = "signal SIGSEGV";
    test->crashed = true;
    test->fault = "out of bounds";
    result_add_assumption(r, task, "get() is a stub");
    struct result_input inputs[] = {{"arg:n", "int", "12", true, "'\\f'"},
                                    {"arg:m", "int", "0", false, ""}};
    struct result_step way[] = {{.function = "main",
                                 .file = "/src/a.c",
                                 .line = 4,
                                 .text = "n > 3",
                                 .outcome = true,
                                 .times = 1}};
    struct result_alarm alarm = {.cause = 2,
                                 .check = "bounds",
                                 .kind = "out of bounds",
                                 .function = long_name,
                                 .file = "/src/a.c",
                                 .line = 5,
                                 .proof = ALARM_SANITIZED,
                                 .detail = "",
                                 .inputs = inputs,
                                 .input_count = 2,
                                 .way = way,
                                 .way_count = 1};
    result_add_alarm(r, task, 1, &alarm);
    result_aggregate(r);
}

static int set_up(void **state)
{
    static struct sample sample;
    memset(&sample, 0, sizeof sample);
    const char *base = getenv("TMPDIR");
    snprintf(sample.root, sizeof sample.root, "%.40s/cz-report-XXXXXX",
             base && *base ? base : "/tmp");
    if (!mkdtemp(sample.root))
        return 1;
    fill(&sample);
    *state = &sample;
    return 0;
}

static int tear_down(void **state)
{
    struct sample *s = *state;
    result_release(&s->result);
    return !fs_remove_tree(s->root, NULL);
}

static int64_t number(const struct json *object, const char *key)
{
    const struct json *value = json_member(object, key);
    if (!value || value->kind != JSON_NUMBER)
        fail_msg("no number %s", key);
    return value->integer;
}

static void check_counts(const struct json *object)
{
#define PRESENT(name) number(object, #name);
    RESULT_COUNTS(PRESENT)
#undef PRESENT
    static const char *const kinds[] = {"branches", "conditions"};
    for (int i = 0; i < 2; i++) {
        char keys[5][64];
        static const char *const verdicts[] = {"covered", "infeasible", "infeasible_assuming",
                                               "undetermined", "justified"};
        int64_t sum = 0;
        for (int v = 0; v < 5; v++) {
            snprintf(keys[v], sizeof keys[v], "%s_%s", kinds[i], verdicts[v]);
            sum += number(object, keys[v]);
        }
        assert_int_equal(sum, number(object, kinds[i]));
    }
}

static void summary_has_every_key_of_the_contract(void **state)
{
    struct sample *s = *state;
    struct buf text = BUF_INIT;
    struct arena arena;
    struct error err = {0};
    arena_init(&arena);
    result_add_error(&s->result, "line one\nline \"two\"");
    report_summary_json(&s->result, &text);
    const struct json *root = json_parse(&arena, text.data, text.length, &err);
    assert_non_null(root);
    assert_string_equal(json_member(root, "version")->text, "1.2.3");
    assert_true(json_member(root, "reproducible")->boolean);
    assert_string_equal(json_item(json_member(root, "errors"), 0)->text, "line one\nline \"two\"");
    assert_int_equal(json_member(root, "disagreements")->count, 0);
    check_counts(json_member(root, "totals"));
    const struct json *task = json_item(json_member(root, "tasks"), 0);
    check_counts(task);
    assert_string_equal(json_member(task, "file")->text, "/src/a.c");
    assert_string_equal(json_member(task, "function")->text, long_name);
    assert_int_equal(number(task, "iterations"), 42);
    number(task, "runs");
    number(task, "queries");
    number(task, "concretised");
    assert_true(json_member(task, "seconds")->number == 1.25);
    assert_false(json_member(task, "exhausted")->boolean);
    assert_int_equal(number(task, "alarms"), 1);
    arena_release(&arena);
    buf_release(&text);
}

static void the_table_fits_and_says_what_matters(void **state)
{
    struct sample *s = *state;
    struct buf text = BUF_INIT;
    s->result.reproducible = false;
    result_add_disagreement(&s->result,
                            "a very long sentence about a disagreement between the engine "
                            "and the clean build which has to be wrapped to be readable");
    report_table_text(&s->result, false, &text);
    assert_null(strchr(text.data, '\033'));
    for (const char *line = text.data; *line;) {
        size_t length = strcspn(line, "\n");
        if (length > 80 && memchr(line, ' ', length - 4)) // a single long word may stick out
            fail_msg("line of %zu columns: %.*s", length, (int)length, line);
        line += length + (line[length] == '\n');
    }
    assert_non_null(strstr(text.data, "Not reproducible"));
    assert_non_null(strstr(text.data, "disagree"));
    assert_non_null(strstr(text.data, "bound --elements 10"));
    assert_non_null(strstr(text.data, "cadenza-out"));
    assert_non_null(strstr(text.data, "alarm-1 a.c:5: out of bounds"));
    assert_non_null(strstr(text.data, "reproduced"));
    assert_non_null(strstr(text.data, "if arg:n = 12"));
    assert_null(strstr(text.data, "a_function_with_a_very_long_name_that_fits_nowhere_at_all  "));
    buf_clear(&text);
    report_table_text(&s->result, true, &text);
    assert_non_null(strstr(text.data, "\033[31m"));
    buf_release(&text);
}

static void every_goal_is_listed_with_its_reason(void **state)
{
    struct sample *s = *state;
    struct buf text = BUF_INIT;
    report_goals(&s->result, &text);
    assert_non_null(strstr(text.data, "covered              a.c:4  x \"quoted\": false  -- test "));
    assert_non_null(
        strstr(text.data, "infeasible           a.c:4  x \"quoted\": true  -- all paths explored"));
    assert_non_null(
        strstr(text.data, "undetermined         a.c:4  condition 1 of 2: x \"quoted\"  -- bound"));
    assert_non_null(strstr(text.data, "get() is a stub"));
    buf_release(&text);
}

static void an_unwritable_directory_is_an_error(void **state)
{
    struct sample *s = *state;
    struct error err = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/file", s->root);
    assert_true(fs_write(path, "x", 1, &err));
    assert_false(report_write_all(&s->result, path, &err));
    assert_true(err.text[0] != '\0');
}

// Bugs and errors come first, then what is about the most; five at most.
static void next_steps_are_the_most_rewarding_ones(void **state)
{
    struct sample *s = *state;
    struct result *r = &s->result;
    struct next_step steps[REPORT_NEXT_STEPS];
    r->errors.count = r->disagreements.count = r->preconditions.count = 0;
    r->totals = (struct result_counts){.bugs = 1, .branches_covered_by_crash = 20};
    memset(r->open, 0, sizeof r->open);
    r->open[OPEN_BUDGET] = 3;
    r->open[OPEN_BOUND] = 11;
    r->open[OPEN_STUB] = 2;
    r->open[OPEN_SOLVER] = 1;
    assert_int_equal(next_steps_find(r, steps, &r->arena), REPORT_NEXT_STEPS);
    assert_string_equal(steps[0].text, "1 bug to mend: cadenza show cadenza-out");
    assert_int_equal(steps[1].weight, 20);
    assert_string_equal(steps[2].text,
                        "11 open goals, because a bound can still grow: let bounds grow further "
                        "(--most-elements, --most-depth, --most-calls)");
    assert_int_equal(steps[3].weight, 3);
    assert_int_equal(steps[4].weight, 2);
    r->totals = (struct result_counts){0};
    memset(r->open, 0, sizeof r->open);
    assert_int_equal(next_steps_find(r, steps, &r->arena), 0);
}

#define SAMPLE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int test_report(void)
{
    const struct CMUnitTest tests[] = {
        SAMPLE(summary_has_every_key_of_the_contract),
        SAMPLE(the_table_fits_and_says_what_matters),
        SAMPLE(every_goal_is_listed_with_its_reason),
        SAMPLE(next_steps_are_the_most_rewarding_ones),
        SAMPLE(an_unwritable_directory_is_an_error),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
