// SPDX-License-Identifier: Apache-2.0
// Writes the result of one file: all tables in one go into a temporary file that is then renamed,
// so that a reader sees the old store or the new one.
#include "store/store.h"

#include "store/database.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { RUN = 1 }; // the only run of a store that is written from a result

static void write_head(struct store_writer *w, const struct result *result)
{
    struct store_head head = {.version = result->version, .directory = result->directory};
    writer_begin(w, STORE_RESULT);
    writer_row(w, NULL, &head);
    writer_end(w);
    writer_begin(w, STORE_RUNS);
    writer_row(w, (size_t[]){RUN}, result->parts.items[0]);
    writer_end(w);
}

static void write_declarations(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_DECLARATIONS);
    for (size_t i = 0; i < result->declarations.count; i++)
        writer_row(w, (size_t[]){RUN, i}, &result->declarations.items[i]);
    writer_end(w);
}

static void write_flags(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_FLAGS);
    for (size_t i = 0; result->flags && result->flags[i]; i++)
        writer_row(w, (size_t[]){RUN, i}, &(struct store_text){result->flags[i]});
    writer_end(w);
}

static void write_messages_of(struct store_writer *w, enum message_kind kind, size_t task,
                              const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        writer_row(w, (size_t[]){RESULT_NONE, RUN},
                   &(struct store_message){.kind = kind, .text = texts[i], .task = task});
}

static void write_messages(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_MESSAGES);
    write_messages_of(w, MESSAGE_ERROR, RESULT_NONE, result->errors.items, result->errors.count);
    write_messages_of(w, MESSAGE_DISAGREEMENT, RESULT_NONE, result->disagreements.items,
                      result->disagreements.count);
    write_messages_of(w, MESSAGE_NOTE, RESULT_NONE, result->notes.items, result->notes.count);
    for (size_t i = 0; i < result->tasks.count; i++)
        write_messages_of(w, MESSAGE_ASSUMPTION, i, result->tasks.items[i]->assumptions.items,
                          result->tasks.items[i]->assumptions.count);
    writer_end(w);
}

static void write_functions(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_FUNCTIONS);
    for (size_t i = 0; i < result->function_count; i++)
        writer_row(w, (size_t[]){i, RUN}, &result->functions[i]);
    writer_end(w);
}

static void write_tasks(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_TASKS);
    for (size_t i = 0; i < result->tasks.count; i++)
        writer_row(w, (size_t[]){i, RUN}, result->tasks.items[i]);
    writer_end(w);
    writer_begin(w, STORE_TASK_FUNCTIONS);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t f = 0; f < result->tasks.items[i]->function_count; f++)
            writer_row(w, (size_t[]){i, result->tasks.items[i]->functions[f]}, NULL);
    writer_end(w);
}

static void write_goals(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_GOALS);
    for (size_t i = 0; i < result->goal_count; i++)
        writer_row(w, (size_t[]){i}, &result->goals[i]);
    writer_end(w);
}

static void write_verdicts(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_VERDICTS);
    for (size_t i = 0; i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        for (size_t g = 0; g < task->goal_count; g++)
            writer_row(w, (size_t[]){i, task->goals[g]}, &task->verdicts[g]);
    }
    writer_end(w);
}

static void write_assumptions(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_VERDICT_ASSUMPTIONS);
    for (size_t i = 0; i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        for (size_t g = 0; g < task->goal_count; g++)
            for (size_t k = 0; k < task->verdicts[g].assumption_count; k++)
                writer_row(w, (size_t[]){i, task->goals[g], k}, &task->verdicts[g].assumptions[k]);
    }
    writer_end(w);
}

static void write_tests(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_TESTS);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t t = 0; t < result->tasks.items[i]->tests.count; t++) {
            const struct result_test *test = result->tasks.items[i]->tests.items[t];
            writer_row(w, (size_t[]){i, test->number}, test);
        }
    writer_end(w);
}

static void write_spans_of(struct store_writer *w, size_t task, const struct result_test *test)
{
    for (size_t g = 0, end; g < test->goal_count; g = end) {
        struct store_span span = {.first = test->goals[g], .last = test->goals[g], .step = 1};
        for (end = g + 1; end < test->goal_count; end++) {
            size_t distance = test->goals[end] - span.last;
            if (span.last == span.first && distance)
                span.step = distance;
            if (distance && distance != span.step)
                break;
            span.last = test->goals[end];
        }
        writer_row(w, (size_t[]){task, test->number, span.first}, &span);
    }
}

static void write_test_spans(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_TEST_SPANS);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t t = 0; t < result->tasks.items[i]->tests.count; t++)
            write_spans_of(w, i, result->tasks.items[i]->tests.items[t]);
    writer_end(w);
}

static void write_test_values(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_TEST_INPUTS);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t t = 0; t < result->tasks.items[i]->tests.count; t++) {
            const struct result_test *test = result->tasks.items[i]->tests.items[t];
            for (size_t k = 0; k < test->input_count; k++)
                writer_row(w, (size_t[]){i, test->number, k}, &test->inputs[k]);
        }
    writer_end(w);
    writer_begin(w, STORE_TEST_OUTPUTS);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t t = 0; t < result->tasks.items[i]->tests.count; t++) {
            const struct result_test *test = result->tasks.items[i]->tests.items[t];
            for (size_t k = 0; k < test->output_count; k++)
                writer_row(w, (size_t[]){i, test->number, k}, &test->outputs[k]);
        }
    writer_end(w);
    writer_begin(w, STORE_TEST_SETUP);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t t = 0; t < result->tasks.items[i]->tests.count; t++) {
            const struct result_test *test = result->tasks.items[i]->tests.items[t];
            for (size_t k = 0; k < test->found_count; k++)
                writer_row(w, (size_t[]){i, test->number, k}, &test->found[k]);
        }
    writer_end(w);
}

static void write_vectors(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_DECISIONS);
    for (size_t i = 0; i < result->decisions.count; i++)
        writer_row(w, (size_t[]){i, RUN}, &result->decisions.items[i]);
    writer_end(w);
    writer_begin(w, STORE_VECTORS);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t k = 0; k < result->tasks.items[i]->vectors.count; k++)
            writer_row(w, (size_t[]){i, k}, &result->tasks.items[i]->vectors.items[k]);
    writer_end(w);
    writer_begin(w, STORE_TEST_VECTORS);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t t = 0; t < result->tasks.items[i]->tests.count; t++) {
            const struct result_test *test = result->tasks.items[i]->tests.items[t];
            for (size_t k = 0; k < test->vector_count; k++)
                writer_row(w, (size_t[]){i, test->number, test->vectors[k]}, NULL);
        }
    writer_end(w);
    writer_begin(w, STORE_PAIRS);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t k = 0; k < result->tasks.items[i]->pairs.count; k++) {
            const struct result_pair *pair = &result->tasks.items[i]->pairs.items[k];
            writer_row(w, (size_t[]){i, pair->goal}, pair);
        }
    writer_end(w);
}

static void write_sources(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_SOURCES);
    for (size_t i = 0; i < result->sources.count; i++)
        writer_row(w, (size_t[]){i, RUN}, &result->sources.items[i]);
    writer_end(w);
    writer_begin(w, STORE_SOURCE_LINES);
    for (size_t i = 0; i < result->sources.count; i++)
        for (size_t k = 0; k < result->sources.items[i].line_count; k++) {
            const struct result_line *line = &result->sources.items[i].lines[k];
            writer_row(w, (size_t[]){i, line->line},
                       &(struct store_line){line->in_totals, line->hits});
        }
    writer_end(w);
}

static void write_alarms(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_ALARMS);
    for (size_t i = 0; i < result->alarms.count; i++)
        writer_row(w, (size_t[]){i, RUN}, result->alarms.items[i]);
    writer_end(w);
    writer_begin(w, STORE_TASK_ALARMS);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t k = 0; k < result->tasks.items[i]->alarms.count; k++)
            writer_row(w, (size_t[]){i, result->tasks.items[i]->alarms.items[k]}, NULL);
    writer_end(w);
    writer_begin(w, STORE_ALARM_INPUTS);
    for (size_t i = 0; i < result->alarms.count; i++)
        for (size_t k = 0; k < result->alarms.items[i]->input_count; k++)
            writer_row(w, (size_t[]){i, k}, &result->alarms.items[i]->inputs[k]);
    writer_end(w);
    writer_begin(w, STORE_ALARM_STEPS);
    for (size_t i = 0; i < result->alarms.count; i++)
        for (size_t k = 0; k < result->alarms.items[i]->way_count; k++)
            writer_row(w, (size_t[]){i, k}, &result->alarms.items[i]->way[k]);
    writer_end(w);
    writer_begin(w, STORE_ALARM_FRAMES);
    for (size_t i = 0; i < result->alarms.count; i++)
        for (size_t k = 0; k < result->alarms.items[i]->stack_count; k++)
            writer_row(w, (size_t[]){i, k}, &result->alarms.items[i]->stack[k]);
    writer_end(w);
}

static void write_preconditions(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_PRECONDITIONS);
    for (size_t i = 0; i < result->preconditions.count; i++)
        writer_row(w, (size_t[]){i, RUN}, &result->preconditions.items[i]);
    writer_end(w);
    writer_begin(w, STORE_PRECONDITION_ALARMS);
    for (size_t i = 0; i < result->preconditions.count; i++)
        for (size_t k = 0; k < result->preconditions.items[i].alarms.count; k++)
            writer_row(w, (size_t[]){i, result->preconditions.items[i].alarms.items[k]}, NULL);
    writer_end(w);
    writer_begin(w, STORE_PRECONDITION_SITES);
    for (size_t i = 0; i < result->preconditions.count; i++)
        for (size_t k = 0; k < result->preconditions.items[i].site_count; k++)
            writer_row(w, (size_t[]){i, k}, &result->preconditions.items[i].sites[k]);
    writer_end(w);
}

static void write_checks(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_CHECKS);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t k = 0; k < result->tasks.items[i]->checks.count; k++)
            writer_row(w, (size_t[]){i, k}, &result->tasks.items[i]->checks.items[k]);
    writer_end(w);
}

static void write_statistics(struct store_writer *w, const struct result *result)
{
    writer_begin(w, STORE_STATISTICS);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t m = 0; m < store_measure_count; m++) {
            const struct store_measure *measure = &store_measures[m];
            const char *field = (const char *)result->tasks.items[i] + measure->offset;
            double value = measure->is_real ? *(const double *)(const void *)field
                                            : (double)*(const size_t *)(const void *)field;
            writer_row(w, (size_t[]){i, m}, &(struct store_statistic){measure->name, value});
        }
    writer_end(w);
    writer_begin(w, STORE_PROGRESS);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t k = 0; k < result->tasks.items[i]->samples.count; k++)
            writer_row(w, (size_t[]){i, k}, &result->tasks.items[i]->samples.items[k]);
    writer_end(w);
    writer_begin(w, STORE_LAYERS);
    for (size_t i = 0; i < result->layers.count; i++)
        writer_row(w, (size_t[]){RUN, i}, &result->layers.items[i]);
    writer_end(w);
}

static void write_tables(struct store_writer *w, const struct result *result)
{
    writer_execute(w, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;");
    if (!w->failed)
        w->failed = !database_create(w->db, w->err);
    write_head(w, result);
    write_flags(w, result);
    write_declarations(w, result);
    write_messages(w, result);
    write_functions(w, result);
    write_tasks(w, result);
    write_goals(w, result);
    write_verdicts(w, result);
    write_assumptions(w, result);
    write_tests(w, result);
    write_test_spans(w, result);
    write_test_values(w, result);
    write_vectors(w, result);
    write_sources(w, result);
    write_alarms(w, result);
    write_preconditions(w, result);
    write_checks(w, result);
    write_statistics(w, result);
    writer_execute(w, "COMMIT;");
}

// SQLite's own syncing is off because the file is private until it is complete.
static bool sync_and_rename(const char *from, const char *to, struct error *err)
{
    int fd = open(from, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;
    int saved = errno;
    if (fd >= 0)
        close(fd);
    errno = saved;
    return (good && rename(from, to) == 0) || error_errno(err, "cannot write %s", to);
}

bool store_write(const struct result *result, const char *path, struct error *err)
{
    if (result->is_project || result->parts.count != 1)
        BUG("the store of a project is a merge");
    struct buf temporary = BUF_INIT;
    struct store_writer w = {.err = err};
    buf_printf(&temporary, "%s.tmp.%ld", path, (long)getpid());
    unlink(temporary.data);
    if (sqlite3_open_v2(temporary.data, &w.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK)
        writer_fail(&w);
    write_tables(&w, result);
    if (sqlite3_close(w.db) != SQLITE_OK)
        writer_fail(&w);
    bool good = !w.failed && sync_and_rename(temporary.data, path, err);
    if (!good)
        unlink(temporary.data);
    buf_release(&temporary);
    return good;
}
