// SPDX-License-Identifier: Apache-2.0
// What a run leaves for people and programs. Everything here only reads the result
// model (aggregated); files are written to a temporary name and renamed.
#ifndef CZ_REPORT_H
#define CZ_REPORT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "result/result.h"
#include <stdio.h>

// All files of a run directory: summary.json, goals.txt, cadenza.db. The database comes
// last: when it is there, so are the others.
bool report_write_all(const struct result *result, const char *directory, struct error *err);

// The text of summary.json, see docs/formats.md.
void report_summary_json(const struct result *result, struct buf *out);

// "exit_codes": all that apply, by rank.
void report_exit_codes(struct json_writer *w, exit_set set);

// The terminal table: at most 80 columns, long names shortened. Colours only when `out`
// is a terminal and NO_COLOR is not set; verbose adds the goals.
void report_table(const struct result *result, FILE *out, bool verbose);
bool report_in_colour(FILE *out);
void report_table_text(const struct result *result, bool colour, struct buf *out);

// The text of goals.txt: every goal with its verdict and reason, by function.
void report_goals(const struct result *result, struct buf *out);

// The text of preconditions.txt.
void report_preconditions(const struct result *result, struct buf *out);
// An alarm in one line, and its whole story; `task` is the function of its test.
void report_alarm_line(const struct result_alarm *alarm, const char *task, struct buf *out);
void report_alarm(const struct result_alarm *alarm, size_t number, const char *task,
                  struct buf *out);

// cadenza.db. A finished file replaces an older one in one step.
#define REPORT_DB_VERSION 8
bool report_write_db(const struct result *result, const char *path, struct error *err);

// The cadenza.db of a project: all files' databases in one. A row of `runs` per file, ids
// shifted, paths of tests relative to the project's directory. Each file is added in one
// transaction, at a cost that depends on that file alone.
bool report_begin_project(const char *path, struct error *err);
// `directory`: the file's run directory, relative to the project's.
bool report_add_to_project(const char *path, const char *directory, struct error *err);
// A file that could not be tested.
bool report_add_failure(const char *path, const char *text, struct error *err);
// The goals of all files, each once: the counts of goals in `counts` (others stay as they are),
// and how many goals presume something of each kind. `list`: NULL, or gets those that files
// disagree about.
bool report_project_goals(const char *path, struct result_counts *counts,
                          size_t assuming[ASSUMPTION_KINDS], struct buf *list, struct error *err);

// What `cadenza replay DIR` and `cadenza show DIR` need from it.
struct saved_test {
    unsigned number;
    const char *path; // relative to the run directory
    const char *outcome;
    bool crashed;
    const char *fault;
};
struct saved_task {
    const char *function;
    struct result_counts counts;
    double seconds;
    bool exhausted;
    struct saved_test *tests;
    size_t test_count;
};
struct saved_goal {
    const char *function, *file, *text;
    enum goal_kind kind;
    bool outcome;
    uint32_t source_line, line, column; // line, column: in unit.i
    struct verdict verdict;
    const char *task; // whose test or proof it is, "" for none
};
struct saved_run {
    const char *version, *file, *options;
    uint64_t seed;
    bool reproducible;
    struct result_counts totals;
    struct saved_task *tasks;
    size_t task_count;
    struct saved_goal *goals;
    size_t goal_count;
    struct result_alarm *alarms; // task: index in tasks
    size_t alarm_count;
    const char **flags; // compiler flags of the run, NULL-terminated
};

// The files of a run directory, of a project in the order in which they were run.
struct saved_place {
    const char *file;
    const char *directory; // relative to the run directory, "" for itself
};
bool report_read_runs(const char *path, struct arena *arena, struct saved_place **out,
                      size_t *count, struct error *err);

// The first run of a database. False with a clear sentence for a file that is missing, damaged, no
// database of Cadenza, or one of a later version.
bool report_read_db(const char *path, struct arena *arena, struct saved_run *out,
                    struct error *err);

// Coverage over iterations and time, one line per change, without a heading:
// file,strategy,seed,task,iteration,queries,seconds,branches,conditions,statements
bool report_progress_csv(const char *path, struct buf *out, struct error *err);

#endif
