// SPDX-License-Identifier: Apache-2.0
// Coverage by source file, as lcov and Cobertura tell it: the lines, functions and goals that the
// totals count, and no others, so that the sums of these formats are those of summary.json.
//
// A goal that several files of a project share is listed once, with the verdict that holds for the
// project. Lines are those of each tested file: a source that two of them share is listed twice.
#ifndef CZ_REPORT_COVERAGE_FILES_H
#define CZ_REPORT_COVERAGE_FILES_H

#include "base/vec.h"
#include "result/result.h"

struct coverage_function {
    const struct result_function *function;
    uint32_t end;  // the line before which it ends, as far as is known
    uint64_t hits; // of its first line
};

struct coverage_goal {
    const struct result_goal *goal;
    const struct verdict *verdict;
    size_t tests; // that cover it; at least one if it is covered, else none
};

struct coverage_file {
    size_t part;
    const char *path;
    VEC(struct result_line) lines;             // ascending
    VEC(struct coverage_function) functions;   // by line
    VEC(struct coverage_goal) branches;        // by line; false, then true of each condition
    VEC(struct coverage_goal) mcdc_conditions; // those of a decision follow each other
};

struct coverage_files {
    VEC(struct coverage_file) items;
};

// The result must outlive the files.
void coverage_files_init(struct coverage_files *files, const struct result *result);
void coverage_files_release(struct coverage_files *files);

#endif
