// SPDX-License-Identifier: Apache-2.0
// A result that was stored and loaded again says the same in every report; a project does not
// depend on the order of its files; what cannot be read is refused with a sentence.
#include "base/fs.h"
#include "report/report.h"
#include "store/store.h"
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { GOALS = 6, TASKS = 2 };

struct sample {
    char root[64];
    struct result result;
};

static const char *const flags[] = {"-DX=1", "-I", "with space", NULL};

static void fill_goals(struct result *r)
{
    r->functions = arena_array(&r->arena, struct result_function, 2);
    r->function_count = 2;
    for (size_t i = 0; i < 2; i++)
        r->functions[i] = (struct result_function){.name = i ? "helper" : "entry",
                                                   .unit_name = i ? "helper" : "entry",
                                                   .file = i ? "/src/h.h" : "/src/a.c",
                                                   .source_line = 3,
                                                   .in_totals = true,
                                                   .in_header = i == 1,
                                                   .first_goal = 3 * i,
                                                   .goal_count = 3};
    r->goals = arena_array(&r->arena, struct result_goal, GOALS);
    r->goal_count = GOALS;
    for (size_t i = 0; i < GOALS; i++)
        r->goals[i] = (struct result_goal){.kind = i % 3 == 2 ? GOAL_CONDITION : GOAL_BRANCH,
                                           .function = i / 3,
                                           .branch = i == 5 ? RESULT_NONE : i / 2,
                                           .decision = i % 3 == 2 ? i / 3 : RESULT_NONE,
                                           .outcome = i % 3 == 1,
                                           .hooked = true,
                                           .count = 2,
                                           .at = {4, 9, 4, 10},
                                           .file = i < 3 ? "/src/a.c" : "/src/h.h",
                                           .source_line = 4,
                                           .text = "x \"quoted\" | \xc3\xa4 \xff",
                                           .shown_in_total = i == 4,
                                           .verdict_task = RESULT_NONE};
}

static void fill_details(struct result *r)
{
    struct result_task *task = r->tasks.items[0];
    struct result_test *test = task->tests.items[0];
    for (size_t i = 0; i < 2; i++)
        *VEC_PUSH(&r->decisions) = (struct result_decision){.function = i,
                                                            .file = "/src/a.c",
                                                            .source_line = 4,
                                                            .at = {4, 5, 6, 7},
                                                            .conditions = 2};
    *VEC_PUSH(&task->vectors) = (struct result_vector){0, "TT", true};
    *VEC_PUSH(&task->vectors) = (struct result_vector){0, "F-", false};
    *VEC_PUSH(&task->pairs) = (struct result_pair){2, 0, 1};
    test->vectors = arena_array(&r->arena, size_t, 2);
    test->vectors[1] = 1;
    test->vector_count = 2;
    test->inputs = arena_array(&r->arena, struct result_input, 1);
    test->inputs[0] = (struct result_input){"arg:c", "char", "65", false, "'A'"};
    test->input_count = 1;
    result_add_source(r, "/src/h.h", "00000000000000aa");
    struct result_source *source = result_add_source(r, "/src/a.c", "00000000000000bb");
    source->text = "int a;\n\xff\n";
    source->lines = arena_array(&r->arena, struct result_line, 2);
    source->lines[0] = (struct result_line){4, true, 3};
    source->lines[1] = (struct result_line){70000, false, UINT64_MAX};
    source->line_count = 2;
}

static const struct result_assumption presumed[] = {{ASSUMES_BOUND, "--elements 10"},
                                                    {ASSUMES_OBJECTS, "objects"}};
static const struct verdict verdicts[GOALS] = {
    {.kind = VERDICT_COVERED, .test = 2, .by_crash = true, .text = ""},
    {.kind = VERDICT_INFEASIBLE,
     .proof = PROOF_OPTIMISER,
     .evidence = "LLVM removes it",
     .text = ""},
    {.kind = VERDICT_ASSUMING,
     .proof = PROOF_EXHAUSTED,
     .assumes = ASSUMES_BOUND | ASSUMES_OBJECTS,
     .text = "--elements 10; objects",
     .assumptions = presumed,
     .assumption_count = 2},
    {.kind = VERDICT_COVERED, .test = 1, .other = 2, .text = ""},
    {.kind = VERDICT_UNDETERMINED, .text = "--time ended"},
    {.kind = VERDICT_JUSTIFIED, .text = "me, today: dead code"},
};

static struct result_task *add_task(struct result *r, const char *name, size_t functions)
{
    struct result_task *task = arena_new(&r->arena, struct result_task);
    task->function = name;
    task->functions = arena_array(&r->arena, size_t, 2);
    task->function_count = functions;
    task->functions[1] = 1;
    task->goal_count = 3 * functions;
    task->goals = arena_array(&r->arena, size_t, GOALS);
    task->verdicts = arena_array(&r->arena, struct verdict, GOALS);
    for (size_t i = 0; i < task->goal_count; i++) {
        task->goals[i] = i;
        task->verdicts[i] = verdicts[i];
    }
    for (size_t i = 0; i < functions; i++)
        r->functions[i].tasks++;
    task->iterations = 42;
    task->seconds = 1.0 / 3;
    task->exhausted = true;
    task->counts.lines = 11;
    task->counts.lines_covered = 7;
    *VEC_PUSH(&task->samples) = (struct result_sample){3, 1, 0.5, 4, 5, 6};
    *VEC_PUSH(&r->tasks) = task;
    return task;
}

static void fill_alarms(struct result *r, struct result_task *task)
{
    struct result_input inputs[] = {{"arg:n", "int", "12", true, "'\\f'"},
                                    {"arg:m", "int", "0", false, ""}};
    struct result_step way[] = {{.function = "entry",
                                 .file = "/src/a.c",
                                 .line = 4,
                                 .text = "n > 3",
                                 .outcome = true,
                                 .times = 3}};
    struct result_alarm alarm = {.cause = 2,
                                 .check = "bounds",
                                 .kind = "out of bounds",
                                 .function = "entry",
                                 .file = "/src/a.c",
                                 .line = 5,
                                 .proof = ALARM_SANITIZED,
                                 .detail = "heap-buffer-overflow",
                                 .inputs = inputs,
                                 .input_count = 2,
                                 .way = way,
                                 .way_count = 1,
                                 .stack = &(struct result_frame){"entry", "/src/a.c", 5},
                                 .stack_count = 1};
    result_add_alarm(r, task, 2, &alarm)->precondition = "entry: n < 3";
    struct result_precondition *pre = VEC_PUSH(&r->preconditions);
    *pre = (struct result_precondition){.function = "entry",
                                        .expression = "n < 3",
                                        .file = "/src/a.c",
                                        .origin = "out of bounds at a.c:5",
                                        .violated = 1,
                                        .site_count = 1};
    pre->sites = arena_array(&r->arena, struct result_site, 1);
    pre->sites[0] = (struct result_site){SITE_MAY_VIOLATE, "main.c:40 in f: entry(9)"};
    *VEC_PUSH(&pre->alarms) = 0;
    result_add_check(r, task,
                     &(struct result_check){.cause = 2,
                                            .check = "bounds",
                                            .kind = "out of bounds",
                                            .function = "entry",
                                            .file = "/src/a.c",
                                            .line = 5,
                                            .verdict = CHECK_VIOLATED,
                                            .tried = 2,
                                            .reason = ""});
}

static void fill(struct result *r, const char *file)
{
    result_init(r, file);
    r->version = "1.2.3";
    r->directory = "cadenza-out";
    r->options = "--strategy dfs --seed 7";
    r->seed = 7;
    r->flags = flags;
    r->project_file = "/src/cadenza.pre";
    r->seconds = 0.1;
    r->setup_seconds = 0.7;
    r->lines = 20;
    r->lines_covered = 11;
    r->exits = exit_bit(EXIT_INCOMPLETE);
    fill_goals(r);
    struct result_task *task = add_task(r, "entry", 2);
    size_t covered[] = {0, 2, 4, 5};
    result_add_test(r, task, "tests/entry/0001.test", covered, 4)->outcome = "ok";
    struct result_test *test = result_add_test(r, task, "tests/entry/0002.test", covered, 1);
    test->outcome = "signal SIGSEGV";
    test->crashed = test->cut_short = test->dies = true;
    test->fault = "out of bounds";
    result_add_assumption(r, task, "get() is a stub");
    fill_alarms(r, task);
    add_task(r, "second", 1);
    result_add_error(r, "line one\nline \"two\"");
    result_add_note(r, "a note");
    result_add_disagreement(r, "they differ");
    result_add_layer(r, &(struct result_layer){"slice", 10, 4, 3, 0.25});
    fill_details(r);
    result_aggregate(r);
}

static int set_up(void **state)
{
    static struct sample sample;
    memset(&sample, 0, sizeof sample);
    const char *base = getenv("TMPDIR");
    snprintf(sample.root, sizeof sample.root, "%.40s/cz-store-XXXXXX",
             base && *base ? base : "/tmp");
    if (!mkdtemp(sample.root))
        return 1;
    fill(&sample.result, "/src/a.c");
    *state = &sample;
    return 0;
}

static int tear_down(void **state)
{
    struct sample *s = *state;
    result_release(&s->result);
    return !fs_remove_tree(s->root, NULL);
}

static void write_views(const struct result *result, struct buf *out)
{
    report_summary_json(result, out);
    report_goals(result, out);
    report_table_text(result, false, out);
    report_preconditions(result, out);
    report_listing(result, false, out);
    report_progress_csv(result, out);
}

static void load(const char *path, struct result *out)
{
    struct error err = {0};
    if (!store_load(path, out, &err))
        fail_msg("%s", err.text);
}

static void same_views(const struct result *a, const struct result *b)
{
    struct buf left = BUF_INIT, right = BUF_INIT;
    write_views(a, &left);
    write_views(b, &right);
    assert_string_equal(buf_text(&left), buf_text(&right));
    buf_release(&left);
    buf_release(&right);
}

// What no text shows yet.
static void check_details(const struct result *r)
{
    const struct result_task *task = r->tasks.items[0];
    const struct result_test *test = task->tests.items[0];
    const struct result_source *source = &r->sources.items[1];
    const struct verdict *claim = &r->goals[2].verdict;
    assert_string_equal(r->goals[1].verdict.evidence, "LLVM removes it");
    assert_int_equal(claim->assumption_count, 2);
    assert_int_equal(claim->assumptions[0].kind, ASSUMES_BOUND);
    assert_string_equal(claim->assumptions[1].text, "objects");
    assert_string_equal(task->vectors.items[1].values, "F-");
    assert_int_equal(task->pairs.items[0].goal, 2);
    assert_int_equal(task->pairs.items[0].second, 1);
    assert_int_equal(test->vector_count, 2);
    assert_int_equal(test->vectors[1], 1);
    assert_string_equal(test->inputs[0].meaning, "'A'");
    assert_int_equal(r->decisions.items[r->goals[5].decision].function, 1);
    assert_string_equal(r->alarms.items[0]->stack[0].function, "entry");
    assert_null(r->sources.items[0].text);
    assert_string_equal(source->text, "int a;\n\xff\n");
    assert_int_equal(source->lines[1].line, 70000);
    assert_true(source->lines[1].hits == UINT64_MAX && !source->lines[1].in_totals);
}

static void what_is_stored_loads_back(void **state)
{
    struct sample *s = *state;
    struct error err = {0};
    struct result loaded;
    char path[128];
    snprintf(path, sizeof path, "%s/cadenza.db", s->root);
    for (int twice = 0; twice < 2; twice++) // an old one is replaced
        if (!store_write(&s->result, path, &err))
            fail_msg("%s", err.text);
    load(path, &loaded);
    same_views(&s->result, &loaded);
    assert_memory_equal(&loaded.totals, &s->result.totals, sizeof loaded.totals);
    assert_string_equal(loaded.flags[2], "with space");
    assert_null(loaded.flags[3]);
    assert_int_equal(loaded.tasks.items[0]->tests.items[0]->goal_count, 4);
    assert_int_equal(loaded.tasks.items[0]->tests.items[0]->goals[3], 5);
    assert_true(loaded.tasks.items[0]->tests.items[1]->dies);
    assert_int_equal(loaded.goals[5].branch, RESULT_NONE);
    assert_int_equal(result_exits(&loaded), result_exits(&s->result));
    assert_int_equal(loaded.preconditions.items[0].alarms.count, 1);
    check_details(&loaded);
    // What was loaded can be stored again, to the same bytes.
    struct buf first = BUF_INIT, second = BUF_INIT;
    assert_true(fs_read(path, &first, &err) && store_write(&loaded, path, &err) &&
                fs_read(path, &second, &err));
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.data, second.data, first.length);
    buf_release(&first);
    buf_release(&second);
    result_release(&loaded);
}

static void an_empty_result_loads_back(void **state)
{
    struct sample *s = *state;
    struct error err = {0};
    struct result empty, loaded;
    char path[128];
    snprintf(path, sizeof path, "%s/empty.db", s->root);
    result_init(&empty, "/src/e.c");
    empty.unfinished = true;
    result_aggregate(&empty);
    assert_true(store_write(&empty, path, &err));
    load(path, &loaded);
    same_views(&empty, &loaded);
    assert_true(loaded.unfinished);
    result_release(&empty);
    result_release(&loaded);
}

// ---- projects ----

static const char *part_names[] = {"b.c", "a.c", "sub/c.c"};

static void write_part(struct sample *s, const char *name)
{
    struct error err = {0};
    struct result part;
    char directory[160], file[64];
    snprintf(directory, sizeof directory, "%s/files/%s", s->root, name);
    snprintf(file, sizeof file, "/src/%s", name);
    fill(&part, file);
    part.functions[0].file = part.file; // the other function is of a header that all share
    for (size_t i = 0; i < 3; i++)
        part.goals[i].file = part.file;
    if (strcmp(name, "a.c") == 0) // covers what is open elsewhere
        part.tasks.items[0]->verdicts[4] =
            (struct verdict){.kind = VERDICT_COVERED, .test = 1, .text = ""};
    for (size_t i = 0; strcmp(name, "a.c") != 0 && i < GOALS; i++)
        part.goals[i].shown_in_total = false;
    result_aggregate(&part);
    strcat(directory, "/cadenza.db");
    char *slash = strrchr(directory, '/');
    *slash = '\0';
    assert_true(fs_make_dirs(directory, &err));
    *slash = '/';
    if (!store_write(&part, directory, &err))
        fail_msg("%s", err.text);
    result_release(&part);
}

static void merge(const char *path, const size_t order[3])
{
    struct error err = {0};
    bool good = store_begin_project(path, &err);
    for (int i = 0; good && i < 3; i++) {
        char directory[64];
        snprintf(directory, sizeof directory, "files/%s", part_names[order[i]]);
        good = store_merge(path, directory, part_names[order[i]], &err) &&
               store_add_failure(path, order[i] ? "y.c: no" : "z.c: does not compile", &err);
    }
    good = good && store_describe_project(path,
                                          &(struct store_project){.version = "1.2.3",
                                                                  .directory = "out",
                                                                  .exits = exit_bit(EXIT_RETRY),
                                                                  .setup_seconds = 0.3},
                                          &err);
    if (!good)
        fail_msg("%s", err.text);
}

static void a_project_does_not_depend_on_the_order_of_its_files(void **state)
{
    static const size_t orders[][3] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {2, 0, 1}};
    struct sample *s = *state;
    struct result first, other;
    char path[128];
    snprintf(path, sizeof path, "%s/cadenza.db", s->root);
    for (int i = 0; i < 3; i++)
        write_part(s, part_names[i]);
    merge(path, orders[0]);
    load(path, &first);
    for (size_t i = 1; i < sizeof orders / sizeof *orders; i++) {
        merge(path, orders[i]); // replaces the old one
        load(path, &other);
        same_views(&first, &other);
        result_release(&other);
    }
    result_release(&first);
}

static void a_project_has_what_its_files_have(void **state)
{
    struct sample *s = *state;
    struct error err = {0};
    struct result r;
    char path[128];
    snprintf(path, sizeof path, "%s/cadenza.db", s->root);
    for (int i = 0; i < 3; i++)
        write_part(s, part_names[i]);
    merge(path, (size_t[]){0, 1, 2});
    assert_false(store_merge(path, "files/missing.c", "missing.c", &err)); // and nothing changes
    load(path, &r);
    assert_true(r.is_project);
    assert_int_equal(r.parts.count, 3);
    assert_string_equal(r.parts.items[0]->directory, "files/a.c");
    assert_int_equal(r.tasks.count, 3 * TASKS);
    assert_string_equal(r.tasks.items[2]->tests.items[0]->path, "files/b.c/tests/entry/0001.test");
    assert_string_equal(r.errors.items[0], "y.c: no");
    assert_int_equal(r.errors.count, 6);
    assert_int_equal(r.parts.items[1]->first_error, 4);
    assert_int_equal(r.totals.tests, 6);
    assert_int_equal(r.totals.lines, 60);
    // The three goals of the header count once: 3 files with 2 + 2 shared branches, 3 + 1
    // conditions.
    assert_int_equal(r.totals.branches, 8);
    assert_int_equal(r.totals.conditions, 4);
    assert_int_equal(r.shared_goals.count, 12);
    assert_int_equal(r.totals.branches_undetermined, 0); // one file covers what others do not
    assert_int_equal(result_exits(&r) & exit_bit(EXIT_RETRY), exit_bit(EXIT_RETRY));
    assert_true(r.setup_seconds > 2.3 && r.setup_seconds < 2.5);
    result_release(&r);
}

// ---- what cannot be read ----

static void refuse(const char *path, const char *words)
{
    struct error err = {0};
    struct result result;
    assert_false(store_load(path, &result, &err));
    if (!strstr(err.text, words))
        fail_msg("expected '%s' in: %s", words, err.text);
    result_release(&result);
}

static void a_damaged_or_foreign_store_is_refused_in_words(void **state)
{
    struct sample *s = *state;
    struct error err = {0};
    struct buf whole = BUF_INIT;
    char path[128];
    snprintf(path, sizeof path, "%s/x.db", s->root);
    refuse(path, "does not exist");
    assert_true(fs_write(path, "not a database, but text that is long enough to be one", 54, &err));
    refuse(path, "damaged or not a database");
    assert_true(fs_write(path, "", 0, &err)); // SQLite takes an empty file for an empty database
    refuse(path, "not a database of cadenza");
    assert_true(store_write(&s->result, path, &err) && fs_read(path, &whole, &err));
    char *page = xmalloc(whole.length);
    memcpy(page, whole.data, whole.length);
    memset(page + 4096, 0xEE, whole.length - 4096); // all pages but the first
    assert_true(fs_write(path, page, whole.length, &err));
    refuse(path, "damaged");
    for (size_t length = 4096; length < whole.length; length += 4096) { // and cut short
        assert_true(fs_write(path, whole.data, length, &err));
        refuse(path, "damaged");
    }
    whole.data[63] = 99; // user_version, big-endian at byte 60
    assert_true(fs_write(path, whole.data, whole.length, &err));
    refuse(path, "newer cadenza (schema version 99");
    whole.data[63] = 8;
    assert_true(fs_write(path, whole.data, whole.length, &err));
    refuse(path, "older cadenza (schema version 8");
    refuse(path, "run cadenza again");
    free(page);
    buf_release(&whole);
}

// Somebody has been there with sqlite3: rows that contradict each other are not believed.
static void rows_that_contradict_each_other_are_refused(void **state)
{
    static const char *const changes[] = {
        "UPDATE verdicts SET verdict = 'infeasible' WHERE goal = 4",
        "UPDATE verdicts SET verdict = 'certain'",
        "UPDATE verdicts SET assumes = 'luck' WHERE goal = 2",
        "UPDATE goals SET function = 77 WHERE id = 1",
        "UPDATE goals SET function = NULL WHERE id = 1",
        "UPDATE test_spans SET step = 0",
        "UPDATE tests SET number = 9 WHERE number = 2",
        "UPDATE alarms SET task = 9",
        "UPDATE runs SET branches_covered = 9",
        "UPDATE goals SET line = -3",
        "UPDATE messages SET kind = 'rumour' WHERE kind = 'note'",
        "DELETE FROM tasks",
        "DELETE FROM runs",
        "DELETE FROM result",
        "DROP TABLE verdicts",
        "ALTER TABLE goals RENAME COLUMN text TO words",
    };
    struct sample *s = *state;
    struct error err = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/x.db", s->root);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        sqlite3 *db;
        char *why = NULL;
        assert_true(store_write(&s->result, path, &err));
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        sqlite3_exec(db, "DROP VIEW test_goals; DROP VIEW project_goals", NULL, NULL, NULL);
        sqlite3_exec(db, changes[i], NULL, NULL, &why);
        if (why)
            fail_msg("%s: %s", changes[i], why);
        sqlite3_close(db);
        refuse(path, "damaged");
    }
}

static void an_unwritable_directory_is_an_error_and_leaves_nothing(void **state)
{
    struct sample *s = *state;
    struct error err = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/missing/cadenza.db", s->root);
    assert_false(store_write(&s->result, path, &err));
    assert_true(err.text[0] != '\0');
    assert_false(fs_exists(path));
}

#define SAMPLE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int test_store(void)
{
    const struct CMUnitTest tests[] = {
        SAMPLE(what_is_stored_loads_back),
        SAMPLE(an_empty_result_loads_back),
        SAMPLE(a_project_does_not_depend_on_the_order_of_its_files),
        SAMPLE(a_project_has_what_its_files_have),
        SAMPLE(a_damaged_or_foreign_store_is_refused_in_words),
        SAMPLE(rows_that_contradict_each_other_are_refused),
        SAMPLE(an_unwritable_directory_is_an_error_and_leaves_nothing),
    };
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
