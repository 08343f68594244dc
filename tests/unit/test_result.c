// SPDX-License-Identifier: Apache-2.0
// The result model on a hand-made program and coverage: goals, verdicts, the rules of
// aggregation, disagreements, alarms.
#include "result/result.h"
#include "judge/measured.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define UNIT "/w/unit.i"

// Two tasks (alpha, beta) that share helper(); from_header() stands in a header;
// nobody() is in no task. Branch ids: alpha 0, 1 (one decision), helper 2,
// from_header 3, nobody 4.
struct sample {
    struct program program;
    struct result result;
    struct llvmcov coverage;
    struct llvmcov_function functions[4];
    struct llvmcov_branch alpha[2], helper[1], header[1], nobody[1];
    struct llvmcov_condition conditions[3];
    struct llvmcov_decision decision[1];
};

static struct function program_functions[] = {
    {.name = "alpha",
     .source_name = "alpha",
     .defined = true,
     .at = {.file = "/src/a.c", .source_line = 10}},
    {.name = "helper",
     .source_name = "helper",
     .defined = true,
     .at = {.file = "/src/a.c", .source_line = 2}},
    {.name = "from_header",
     .source_name = "from_header",
     .defined = true,
     .in_header = true,
     .at = {.file = "/src/a.h", .source_line = 3}},
    {.name = "nobody",
     .source_name = "nobody",
     .defined = true,
     .is_static = true,
     .at = {.file = "/src/a.c", .source_line = 30}},
    {.name = "beta",
     .source_name = "beta",
     .defined = true,
     .at = {.file = "/src/a.c", .source_line = 40}},
};
static struct branch program_branches[] = {
    {.wrapped = true,
     .function = 0,
     .text = "x > 1",
     .at = {.file = "/src/a.c", .source_line = 11}},
    {.wrapped = true, .function = 0, .text = "y", .at = {.file = "/src/a.c", .source_line = 11}},
    {.wrapped = true, .function = 1, .text = "p", .at = {.file = "/src/a.c", .source_line = 3}},
    {.wrapped = true, .function = 2, .text = "h", .at = {.file = "/src/a.h", .source_line = 3}},
    {.wrapped = true,
     .function = 3,
     .text = "case 1",
     .kind = BRANCH_CASE,
     .at = {.file = "/src/a.c", .source_line = 31}},
};
static size_t alpha_functions[] = {0, 1, 2}, beta_functions[] = {4, 1};
static struct task program_tasks[] = {
    {.name = "alpha", .entry = 0, .functions = alpha_functions, .function_count = 3},
    {.name = "beta", .entry = 4, .functions = beta_functions, .function_count = 2},
};

static void add_function(struct sample *s, const char *name, size_t id,
                         struct llvmcov_branch *branches, size_t count, uint32_t line)
{
    s->functions[s->coverage.function_count++] = (struct llvmcov_function){.name = name,
                                                                           .file = UNIT,
                                                                           .function = id,
                                                                           .branches = branches,
                                                                           .branch_count = count,
                                                                           .first_line = line,
                                                                           .last_line = line + 5};
}

static int set_up(void **state)
{
    static struct sample sample;
    struct sample *s = &sample;
    memset(s, 0, sizeof *s);
    s->program = (struct program){.source = "/src/a.c",
                                  .functions = program_functions,
                                  .function_count = 5,
                                  .branches = program_branches,
                                  .branch_count = 5,
                                  .tasks = program_tasks,
                                  .task_count = 2};
    static const char *const texts[] = {UNIT, NULL};
    s->coverage.functions = s->functions;
    s->coverage.texts = texts;
    add_function(s, "alpha", 0, s->alpha, 2, 20);
    add_function(s, "helper", 1, s->helper, 1, 5);
    add_function(s, "from_header", 2, s->header, 1, 1);
    add_function(s, "nobody", 3, s->nobody, 1, 40);
    for (size_t i = 0; i < 2; i++)
        s->alpha[i] = (struct llvmcov_branch){.branch = i};
    s->helper[0].branch = 2;
    s->header[0].branch = 3;
    s->nobody[0].branch = 4;
    s->conditions[0].branch = 0;
    s->conditions[1].branch = 1;
    s->conditions[2] = (struct llvmcov_condition){.constant = true, .branch = LLVMCOV_NONE};
    s->decision[0] = (struct llvmcov_decision){.conditions = s->conditions, .condition_count = 3};
    s->functions[0].decisions = s->decision;
    s->functions[0].decision_count = 1;
    result_init(&s->result, "/src/a.c");
    measured_set_goals(&s->result, &s->program, &s->coverage);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct sample *s = *state;
    result_release(&s->result);
    return 0;
}

static void goals_are_what_llvm_cov_counts(void **state)
{
    struct sample *s = *state;
    assert_int_equal(s->result.goal_count, 4 + 2 + 2 + 2 + 2); // constant condition left out
    result_aggregate(&s->result);
    assert_int_equal(s->result.totals.branches, 8); // without the header
    assert_int_equal(s->result.totals.conditions, 2);
    assert_int_equal(s->result.totals.branches_undetermined, 8);
    size_t goal = result_branch_goal(&s->result, 4, true);
    assert_true(s->result.goals[goal].is_case);
    assert_string_equal(s->result.goals[goal].verdict.text, "no task calls this function");
    assert_int_equal(result_condition_goal(&s->result, 2), RESULT_NONE);
    assert_int_equal(result_branch_goal(&s->result, 999, true), RESULT_NONE);
}

static const struct assumptions nothing = {.text = ""},
                                within_depth = {.kinds = ASSUMES_BOUND, .text = "within --depth 4"},
                                built_objects = {.kinds = ASSUMES_OBJECTS,
                                                 .text = "objects as built"};

static void the_weakest_strength_of_all_tasks_holds(void **state)
{
    struct sample *s = *state;
    struct result_task *alpha = result_add_task(&s->result, &s->program, 0);
    struct result_task *beta = result_add_task(&s->result, &s->program, 1);
    size_t goal = result_branch_goal(&s->result, 2, false);
    result_set_infeasible(&s->result, alpha, goal, PROOF_EXHAUSTED, "shown", &nothing);
    result_set_infeasible(&s->result, beta, goal, PROOF_OPTIMISER, "shown", &nothing);
    result_aggregate(&s->result);
    assert_int_equal(s->result.goals[goal].verdict.kind, VERDICT_INFEASIBLE);
    assert_int_equal(s->result.totals.branches_infeasible, 1);
    for (int weak_first = 0; weak_first < 2; weak_first++) {
        result_set_infeasible(&s->result, weak_first ? alpha : beta, goal, PROOF_OPTIMISER, "shown",
                              &built_objects);
        result_set_infeasible(&s->result, weak_first ? beta : alpha, goal, PROOF_OPTIMISER, "shown",
                              &nothing);
        result_aggregate(&s->result);
        assert_int_equal(s->result.goals[goal].verdict.kind, VERDICT_ASSUMING);
        assert_string_equal(s->result.goals[goal].verdict.text, "objects as built");
        assert_int_equal(s->result.totals.branches_infeasible, 0);
        assert_int_equal(s->result.totals.branches_infeasible_assuming, 1);
    }
}

static void what_only_crashing_tests_cover_says_so(void **state)
{
    struct sample *s = *state;
    struct result_task *alpha = result_add_task(&s->result, &s->program, 0);
    size_t both[] = {result_branch_goal(&s->result, 0, true),
                     result_branch_goal(&s->result, 1, true)};
    result_add_test(&s->result, alpha, "tests/alpha/0001.test", both, 2)->crashed = true;
    result_add_test(&s->result, alpha, "tests/alpha/0002.test", both, 1);
    s->alpha[0].count[1] = s->alpha[1].count[1] = 1;
    measured_cover(&s->result, alpha, &s->coverage);
    result_aggregate(&s->result);
    assert_false(result_verdict(alpha, both[0])->by_crash);
    assert_int_equal(result_verdict(alpha, both[0])->test, 2); // the one that runs through
    assert_true(result_verdict(alpha, both[1])->by_crash);
    assert_int_equal(result_verdict(alpha, both[1])->test, 1);
    assert_int_equal(s->result.totals.branches_covered, 2);
    assert_int_equal(s->result.totals.branches_covered_by_crash, 1);
}

static void covered_by_any_task_is_covered(void **state)
{
    struct sample *s = *state;
    struct result_task *alpha = result_add_task(&s->result, &s->program, 0);
    struct result_task *beta = result_add_task(&s->result, &s->program, 1);
    size_t goal = result_branch_goal(&s->result, 2, true);
    result_set_infeasible(&s->result, alpha, goal, PROOF_EXHAUSTED, "shown", &nothing);
    result_add_test(&s->result, beta, "tests/beta/0001.test", &goal, 1);
    s->helper[0].count[1] = 3;
    assert_int_equal(measured_cover(&s->result, beta, &s->coverage), 0);
    result_aggregate(&s->result);
    assert_int_equal(s->result.goals[goal].verdict.kind, VERDICT_COVERED);
    assert_int_equal(s->result.goals[goal].verdict.test, 1);
    assert_int_equal(s->result.goals[goal].verdict_task, 1);
    assert_int_equal(s->result.totals.branches_covered, 1);
    assert_int_equal(alpha->counts.branches_infeasible, 1);
    assert_int_equal(beta->counts.branches_covered, 1);
    assert_int_equal(beta->counts.branches, 2);
    assert_int_equal(alpha->counts.branches, 6); // the header's two are not counted
    assert_int_equal(s->result.disagreements.count, 0);
}

static void infeasible_only_if_every_task_says_so(void **state)
{
    struct sample *s = *state;
    struct result_task *alpha = result_add_task(&s->result, &s->program, 0);
    struct result_task *beta = result_add_task(&s->result, &s->program, 1);
    size_t goal = result_branch_goal(&s->result, 2, false);
    result_set_infeasible(&s->result, alpha, goal, PROOF_EXHAUSTED, "shown", &within_depth);
    result_set_undetermined(&s->result, beta, goal,
                            &(struct open_reason){"--time ended", 1u << OPEN_BUDGET});
    result_aggregate(&s->result);
    assert_int_equal(s->result.goals[goal].verdict.kind, VERDICT_UNDETERMINED);
    assert_string_equal(s->result.goals[goal].verdict.text, "--time ended");
    assert_int_equal(s->result.open[OPEN_BUDGET], 1);
    result_set_infeasible(&s->result, beta, goal, PROOF_OPTIMISER, "shown", &built_objects);
    result_aggregate(&s->result);
    assert_int_equal(s->result.goals[goal].verdict.kind, VERDICT_ASSUMING);
    assert_int_equal(s->result.open[OPEN_BUDGET], 0);
    assert_string_equal(s->result.goals[goal].verdict.text, "within --depth 4; objects as built");
    assert_int_equal(s->result.goals[goal].verdict.assumes, ASSUMES_BOUND | ASSUMES_OBJECTS);
    assert_int_equal(s->result.totals.branches_infeasible, 0);
    assert_int_equal(s->result.totals.branches_infeasible_assuming, 1);
    assert_int_equal(s->result.assuming[0], 1); // objects
    assert_int_equal(s->result.assuming[1], 1); // bounds
    assert_int_equal(s->result.assuming[2], 0);
    assert_int_equal(s->result.totals.branches, 8);
    assert_int_equal(s->result.totals.branches_undetermined, 7);
}

static void coverage_wins_and_the_claim_is_a_disagreement(void **state)
{
    struct sample *s = *state;
    struct result_task *alpha = result_add_task(&s->result, &s->program, 0);
    size_t seen = result_branch_goal(&s->result, 0, true),
           claimed = result_branch_goal(&s->result, 1, true);
    result_add_test(&s->result, alpha, "tests/alpha/0001.test", &claimed, 1);
    s->alpha[0].count[1] = 1;
    assert_int_equal(measured_cover(&s->result, alpha, &s->coverage), 1);
    // One covered that no test claims, one claimed that is not covered.
    assert_int_equal(s->result.disagreements.count, 2);
    result_set_infeasible(&s->result, alpha, seen, PROOF_FOLDED, "shown", &nothing);
    assert_int_equal(s->result.disagreements.count, 3);
    assert_int_equal(result_verdict(alpha, seen)->kind, VERDICT_COVERED);
    assert_int_equal(result_verdict(alpha, claimed)->kind, VERDICT_UNDETERMINED);
    assert_non_null(strstr(s->result.disagreements.items[0], "x > 1"));
    // Replaying the test alone tells which one it was.
    assert_int_equal(measured_attribute(&s->result, alpha, alpha->tests.items[0], &s->coverage), 0);
    assert_int_equal(result_verdict(alpha, seen)->test, 1);
}

static void conditions_need_a_pair_of_tests(void **state)
{
    struct sample *s = *state;
    struct result_task *alpha = result_add_task(&s->result, &s->program, 0);
    size_t goal = result_condition_goal(&s->result, 1);
    alpha->claims_conditions = true;
    result_add_test(&s->result, alpha, "1", NULL, 0);
    result_add_test(&s->result, alpha, "2", &goal, 1);
    result_add_test(&s->result, alpha, "3", &goal, 1);
    s->conditions[1].covered = true;
    measured_cover(&s->result, alpha, &s->coverage);
    assert_int_equal(result_verdict(alpha, goal)->test, 2);
    assert_int_equal(result_verdict(alpha, goal)->other, 3);
    assert_int_equal(s->result.disagreements.count, 0);
    s->conditions[0].covered = true;
    measured_cover(&s->result, alpha, &s->coverage);
    assert_int_equal(s->result.disagreements.count, 1);
    result_aggregate(&s->result);
    assert_int_equal(s->result.totals.conditions_covered, 2);
}

static void a_pair_across_tasks_counts_for_the_file(void **state)
{
    struct sample *s = *state;
    result_add_task(&s->result, &s->program, 0);
    s->conditions[0].covered = true;
    measured_cover_total(&s->result, &s->coverage);
    result_aggregate(&s->result);
    assert_int_equal(s->result.totals.conditions_covered, 1);
    assert_int_equal(s->result.tasks.items[0]->counts.conditions_covered, 0);
    assert_int_equal(s->result.totals.conditions_undetermined, 1);
}

static void the_open_reason_reaches_only_open_goals(void **state)
{
    struct sample *s = *state;
    struct result_task *alpha = result_add_task(&s->result, &s->program, 0);
    size_t proven = result_branch_goal(&s->result, 0, true),
           open = result_branch_goal(&s->result, 0, false);
    size_t accepted = result_branch_goal(&s->result, 1, false);
    result_set_infeasible(&s->result, alpha, proven, PROOF_FOLDED, "shown", &nothing);
    s->result.goals[accepted].justification = "jd, 2026-01-02: hardware fault only";
    s->result.goals[proven].justification = "jd, 2026-01-02: nobody asked";
    result_set_open_reason(&s->result, alpha,
                           &(struct open_reason){"--iterations ended", 1u << OPEN_BUDGET});
    assert_int_equal(result_verdict(alpha, proven)->kind, VERDICT_INFEASIBLE);
    assert_string_equal(result_verdict(alpha, open)->text, "--iterations ended");
    result_aggregate(&s->result);
    assert_int_equal(s->result.totals.branches_justified, 1);
    assert_int_equal(alpha->counts.branches_justified, 1);
    assert_string_equal(result_verdict(alpha, accepted)->text, "--iterations ended");
    assert_null(result_verdict(alpha, result_branch_goal(&s->result, 4, true)));
}

static void alarms_at_one_place_are_one(void **state)
{
    struct sample *s = *state;
    struct result_task *alpha = result_add_task(&s->result, &s->program, 0);
    struct result_task *beta = result_add_task(&s->result, &s->program, 1);
    result_add_alarm(&s->result, alpha, 1,
                     &(struct result_alarm){.kind = "out of bounds",
                                            .function = "",
                                            .file = "/src/a.c",
                                            .line = 3,
                                            .proof = ALARM_NOT_REPRODUCED,
                                            .detail = ""});
    result_aggregate(&s->result);
    assert_int_equal(s->result.totals.alarms, 0);
    result_add_alarm(&s->result, alpha, 2,
                     &(struct result_alarm){.kind = "out of bounds",
                                            .function = "helper",
                                            .file = "/src/a.c",
                                            .line = 3,
                                            .proof = ALARM_SANITIZED,
                                            .detail = "heap"});
    result_add_alarm(&s->result, beta, 1,
                     &(struct result_alarm){.kind = "out of bounds",
                                            .function = "helper",
                                            .file = "/src/a.c",
                                            .line = 3,
                                            .proof = ALARM_REPLAYED,
                                            .detail = ""});
    result_add_alarm(&s->result, beta, 2,
                     &(struct result_alarm){.kind = "division by zero",
                                            .function = "helper",
                                            .file = "/src/a.c",
                                            .line = 3,
                                            .proof = ALARM_REPLAYED,
                                            .detail = ""})
        ->is_bug = true;
    result_aggregate(&s->result);
    assert_int_equal(s->result.totals.alarms, 1); // a bug is no alarm, too
    assert_int_equal(s->result.totals.bugs, 1);
    assert_int_equal(alpha->counts.alarms, 1);
    assert_int_equal(beta->counts.alarms, 1);
    assert_int_equal(beta->counts.bugs, 1);
    assert_int_equal(s->result.alarms.items[0]->count, 3);
    assert_int_equal(s->result.alarms.items[0]->proof, ALARM_SANITIZED);
    assert_string_equal(s->result.alarms.items[0]->detail, "heap");
    assert_string_equal(s->result.alarms.items[0]->function, "helper");
    assert_int_equal(s->result.alarms.items[0]->test, 1);
}

static void the_shortest_way_to_an_alarm_is_kept(void **state)
{
    struct sample *s = *state;
    struct result_task *alpha = result_add_task(&s->result, &s->program, 0);
    struct result_task *beta = result_add_task(&s->result, &s->program, 1);
    struct result_input inputs[] = {{"arg:n", "int", "12", true, ""},
                                    {"arg:m", "int", "0", false, ""}};
    struct result_step way = {
        .function = "f", .file = "/src/a.c", .line = 2, .text = "n", .times = 3};
    struct result_alarm what = {.kind = "out of bounds",
                                .function = "f",
                                .file = "/src/a.c",
                                .line = 3,
                                .detail = "",
                                .inputs = inputs,
                                .input_count = 2,
                                .way = &way,
                                .way_count = 1};
    const struct result_alarm *alarm = result_add_alarm(&s->result, alpha, 4, &what);
    what.input_count = 1;
    what.way_count = 0;
    result_add_alarm(&s->result, beta, 7, &what);
    what.input_count = 2;
    result_add_alarm(&s->result, alpha, 5, &what);
    assert_int_equal(alarm->count, 3);
    assert_int_equal(alarm->task, 1);
    assert_int_equal(alarm->test, 7);
    assert_int_equal(alarm->input_count, 1);
    assert_string_equal(alarm->inputs[0].value, "12");
    assert_true(alarm->inputs[0].matters);
    assert_int_equal(alarm->way_count, 0);
}

static void lines_come_from_the_original_or_are_mapped_back(void **state)
{
    struct sample *s = *state;
    struct result_task *alpha = result_add_task(&s->result, &s->program, 0);
    // Original: helper at 2-4, alpha at 10-12, nobody at 30.
    struct llvmcov_line lines[] = {{2, 1}, {3, 0}, {4, 1}, {10, 1}, {11, 1}, {12, 0}, {30, 0}};
    struct llvmcov_file file = {.name = "/src/a.c", .lines = lines, .line_count = 7};
    struct llvmcov_function functions[] = {
        {.name = "helper", .file = "/src/a.c", .first_line = 2, .last_line = 4},
        {.name = "alpha", .file = "/src/a.c", .first_line = 10, .last_line = 12},
        {.name = "nobody", .file = "/src/a.c", .first_line = 30, .last_line = 30},
        {.name = "drive_alpha", .file = "/w/lines_unit.c", .first_line = 1, .last_line = 99}};
    struct llvmcov original = {
        .functions = functions, .function_count = 4, .files = &file, .file_count = 1};
    measured_set_task_lines(&s->result, alpha, &s->program, &original, &s->coverage);
    measured_set_total_lines(&s->result, &s->program, &original, &s->coverage);
    result_aggregate(&s->result);
    assert_int_equal(alpha->counts.lines, 6);
    assert_int_equal(alpha->counts.lines_covered, 4);
    assert_int_equal(s->result.totals.lines, 7);
    // unit.i: alpha at 20-25, of which 20 and 21 are one line of the user's.
    struct line_origin origins[60] = {0};
    for (uint32_t i = 0; i < 60; i++)
        origins[i] = (struct line_origin){.file = "/src/a.c", .line = i + 1};
    origins[20].line = 20;
    s->program.lines = origins;
    s->program.line_count = 60;
    struct llvmcov_line unit_lines[] = {{1, 1}, {20, 0}, {21, 5}, {22, 0}};
    struct llvmcov_file unit = {.name = UNIT, .lines = unit_lines, .line_count = 4};
    s->coverage.files = &unit;
    s->coverage.file_count = 1;
    measured_set_task_lines(&s->result, alpha, &s->program, NULL, &s->coverage);
    assert_int_equal(alpha->counts.lines, 2);
    assert_int_equal(alpha->counts.lines_covered, 1);
}

#define SAMPLE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int test_result(void)
{
    const struct CMUnitTest tests[] = {
        SAMPLE(goals_are_what_llvm_cov_counts),
        SAMPLE(covered_by_any_task_is_covered),
        SAMPLE(infeasible_only_if_every_task_says_so),
        SAMPLE(the_weakest_strength_of_all_tasks_holds),
        SAMPLE(what_only_crashing_tests_cover_says_so),
        SAMPLE(coverage_wins_and_the_claim_is_a_disagreement),
        SAMPLE(conditions_need_a_pair_of_tests),
        SAMPLE(a_pair_across_tasks_counts_for_the_file),
        SAMPLE(the_open_reason_reaches_only_open_goals),
        SAMPLE(alarms_at_one_place_are_one),
        SAMPLE(the_shortest_way_to_an_alarm_is_kept),
        SAMPLE(lines_come_from_the_original_or_are_mapped_back),
    };
    return cmocka_run_group_tests_name("result", tests, NULL, NULL);
}
