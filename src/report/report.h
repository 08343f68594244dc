// SPDX-License-Identifier: Apache-2.0
// What a run leaves for people and programs. Everything here only reads an aggregated result,
// which may come from the run itself or from its store; files are written to a temporary name and
// renamed.
#ifndef CZ_REPORT_H
#define CZ_REPORT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "result/result.h"
#include <stdio.h>

// The texts of a run directory: summary.json, goals.txt, preconditions.txt.
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

// What is worth doing next (report/next_steps.h), as lines of the table; nothing if all is done.
void report_next_steps(const struct result *result, struct buf *out);

// The text of goals.txt: every goal with its verdict and reason, by function; and its end: goals
// of a project that files do not agree about.
void report_goals(const struct result *result, struct buf *out);
void report_shared_goals(const struct result *result, struct buf *out);

// The text of preconditions.txt.
void report_preconditions(const struct result *result, struct buf *out);
// An alarm in one line, the same without its place, a step of the way to it, and its whole story;
// `task` is the function of its test.
void report_alarm_line(const struct result_alarm *alarm, const char *task, struct buf *out);
void report_alarm_words(const struct result_alarm *alarm, const char *task, struct buf *out);
void report_alarm_step(const struct result_step *step, struct buf *out);
void report_alarm(const struct result_alarm *alarm, size_t number, const char *task,
                  struct buf *out);

// Coverage over iterations and time, one line per change, without a heading:
// file,strategy,seed,task,iteration,queries,seconds,branches,conditions,statements
void report_progress_csv(const struct result *result, struct buf *out);
// The value of --strategy in a run's options.
void report_strategy(const char *options, struct buf *out);

// What `cadenza show` prints: tests, goals (`only_open`: those that are neither covered nor
// infeasible, and nothing else) and alarms; of a project by file, and then the totals.
void report_listing(const struct result *result, bool only_open, struct buf *out);

#endif
