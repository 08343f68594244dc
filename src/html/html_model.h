// SPDX-License-Identifier: Apache-2.0
// What the pages of a report show, by reference to a result: its files, functions, goals and
// decisions, each once. Files of a project may share a header, or code of another file in extended
// units: such a goal has the verdict that holds for the project, which is also the one that the
// totals count.
#ifndef CZ_HTML_MODEL_H
#define CZ_HTML_MODEL_H

#include "result/result.h"

struct html_goal {
    const struct result_goal *goal; // whose verdict holds
    size_t function;                // index in functions
    size_t file;                    // index in files, of its place
    size_t decision;                // of a condition: index in decisions, else RESULT_NONE
    size_t part_count;              // tested files that have it
    bool in_totals;
};

struct html_function {
    const struct result_function *function; // the first of them
    size_t file;
    size_t task; // whose entry it is: index in result.tasks, or RESULT_NONE
    bool in_totals;
    struct result_counts counts; // branches and conditions
};

struct html_vector_ref {
    size_t task, vector;
};

struct html_decision {
    const struct result_decision *decision; // the first of them
    VEC(size_t) goals;                      // its conditions, by position
    VEC(struct html_vector_ref) vectors;
};

struct html_file {
    const char *path;
    const char *name;              // as shown: below the directory that all files share
    const char *page;              // file name in the report
    const char *text;              // or NULL
    size_t part;                   // that tests this file, or RESULT_NONE
    VEC(struct result_line) lines; // sorted; hits of all parts
    VEC(size_t) goals;             // sorted by place: outcomes of a condition together
    VEC(size_t) functions;         // sorted by line
};

struct html_test_ref {
    size_t task; // index in result.tasks
    size_t test; // index in its tests
};

struct html_model {
    const struct result *result;
    const char *subject; // what was tested, in short
    struct arena arena;
    VEC(struct html_goal) goals;
    VEC(struct html_function) functions;
    VEC(struct html_decision) decisions;
    VEC(struct html_file) files;
    size_t *goal_of;             // [index in result.goals]
    size_t *function_of;         // [index in result.functions]
    const char **task_pages;     // [index in result.tasks]
    size_t *first_test;          // [goal]: where its tests begin in `tests`, up to the next goal's
    struct html_test_ref *tests; // that cover goals
};

void html_model_init(struct html_model *model, const struct result *result);
void html_model_release(struct html_model *model);

// The file with this path, or NULL.
const struct html_file *html_model_file(const struct html_model *model, const char *path);

#endif
