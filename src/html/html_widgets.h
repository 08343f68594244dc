// SPDX-License-Identifier: Apache-2.0
// What several pages show in the same way: verdicts, bars, numbers, links, tables; and the frame
// of a page.
#ifndef CZ_HTML_WIDGETS_H
#define CZ_HTML_WIDGETS_H

#include "html/html_model.h"
#include "html/html_text.h"

enum html_state {
#define HTML_STATE(name, class, symbol, word) HTML_##name,
#include "html/states.def"
#undef HTML_STATE
    HTML_STATES
};
enum html_state html_state_of(const struct verdict *verdict);
const char *html_state_class(enum html_state state);
const char *html_state_symbol(enum html_state state);
const char *html_state_word(enum html_state state);

// How goals, or lines, are divided among states.
struct html_shares {
    size_t of[HTML_STATES];
};
struct html_shares html_branch_shares(const struct result_counts *counts);
struct html_shares html_condition_shares(const struct result_counts *counts);
struct html_shares html_line_shares(const struct result_counts *counts);
size_t html_shares_sum(const struct html_shares *shares);

// ---- pieces ----

void html_mark(struct buf *out, enum html_state state); // the symbol, in its colour
void html_bar(struct buf *out, const struct html_shares *shares);
// A number that summary.json has at `key` ("totals.branches"), by which tests find it.
void html_number(struct buf *out, const char *key, size_t number);
// A command to copy: cadenza VERB WORD WORD, quoted as a shell needs it.
void html_command(struct buf *out, const char *verb, const char *first, const char *second);
void html_seconds(struct buf *out, double seconds);
// A cell with "covered/all" that sorts by the share that is missing.
void html_ratio_cell(struct buf *out, size_t covered, size_t all);
void html_number_cell(struct buf *out, size_t number);
void html_bar_cell(struct buf *out, const struct html_shares *shares);

// ---- links ----

void html_line_link(const struct html_model *model, const char *path, uint32_t line,
                    struct buf *out); // "file.c:12", plain text if there is no page
void html_goal_link(const struct html_model *model, size_t goal, struct buf *out);
void html_test_link(const struct html_model *model, size_t task, size_t number, struct buf *out);
void html_task_link(const struct html_model *model, size_t task, struct buf *out);
void html_file_link(const struct html_file *file, struct buf *out);
// What a goal wants: "x > 3: true".
void html_goal_text(const struct result_goal *goal, struct buf *out);

// ---- frames ----

// `page` is the file name, by which the navigation knows where it is.
void html_page_begin(const struct html_model *model, const char *page, const char *title,
                     struct buf *out);
void html_page_end(struct buf *out);
void html_legend(struct buf *out);
// A table that can be sorted; its body follows, then html_table_end. `head` is cells, each
// "*title" for numbers. With a filter it gets a field to search for rows.
void html_table_begin(struct buf *out, const char *label, const char *const *head, bool filter);
void html_table_end(struct buf *out);

#endif
