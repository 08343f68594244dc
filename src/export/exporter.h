// SPDX-License-Identifier: Apache-2.0
// Exported tests: what a run has found as tests that do without Cadenza. Everything comes from a
// result, as the store holds it. formats.def lists the formats; a format is one file here.
//
// "Expected" means "observed": the clean build did this when the run replayed the test.
#ifndef CZ_EXPORTER_H
#define CZ_EXPORTER_H

#include "base/error.h"
#include "result/result.h"

struct export_tally {
    size_t tests, disabled; // disabled are among the tests
    // Why, each reason once, in the order of their first test.
    struct export_reason {
        const char *text;
        size_t tests;
    } *reasons;
    size_t reason_count;
};

struct export_request {
    const struct result *result;
    const char *directory; // where it goes; it is made
    struct arena *arena;   // of the tally
};

typedef bool export_writer(const struct export_request *request, struct export_tally *tally,
                           struct error *err);
export_writer *export_find(const char *format);  // or NULL
const char *export_formats(struct arena *arena); // "c, cmocka ..."

// For formats with a file per test: OUT/FILE/TASK.
const char *export_task_directory(const struct export_request *request,
                                  const struct result_task *task);

// Are the sources that the result speaks of what the run has read?
bool export_check_sources(const struct result *result, struct error *err);

// "17 of 20 tests exported, 3 disabled:" and the reasons.
void export_describe(const struct export_tally *tally, struct buf *out);

#endif
