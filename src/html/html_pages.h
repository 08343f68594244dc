// SPDX-License-Identifier: Apache-2.0
// The pages of a report. Each function appends one whole page, or a section that others share.
#ifndef CZ_HTML_PAGES_H
#define CZ_HTML_PAGES_H

#include "html/html_model.h"
#include "html/html_text.h"

void html_overview_page(const struct html_model *model, struct buf *out);
void html_functions_page(const struct html_model *model, struct buf *out);
void html_goals_page(const struct html_model *model, struct buf *out);
void html_tests_page(const struct html_model *model, struct buf *out);
void html_alarms_page(const struct html_model *model, struct buf *out);
void html_search_page(const struct html_model *model, struct buf *out);
void html_run_page(const struct html_model *model, struct buf *out);
void html_source_page(const struct html_model *model, size_t file, struct buf *out);
void html_task_page(const struct html_model *model, size_t task, struct buf *out);

// Tables that stand on several pages: worst first.
void html_files_table(const struct html_model *model, struct buf *out);
// Of one file, or of all files with RESULT_NONE.
void html_functions_table(const struct html_model *model, size_t file, struct buf *out);

// ---- sections of the pages above ----

// The source text with hits, verdicts and what they rest on.
void html_source_text(const struct html_model *model, const struct html_file *file,
                      struct buf *out);
// What there is to say about a goal: proof, assumptions, reason, tests.
void html_verdict(const struct html_model *model, size_t goal, struct buf *out);
// The MC/DC table of a decision.
void html_decision_table(const struct html_model *model, size_t decision, struct buf *out);
// A line of C with its words marked; *in_comment is carried from line to line.
void html_c_line(const char *line, size_t length, bool *in_comment, struct buf *out);
// Inputs as a tree in C terms, with the column "matters" if asked for; outputs likewise.
void html_inputs(const struct result_input *inputs, size_t count, bool matters, struct buf *out);
void html_outputs(const struct result_test *test, struct buf *out);
// The functions that stubs stand for, by the inputs of all tests; each once.
void html_stub_list(const struct result *result, struct buf *out);

#endif
