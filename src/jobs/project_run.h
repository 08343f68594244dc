// SPDX-License-Identifier: Apache-2.0
// `cadenza run` on several files: each gets a complete run directory of its own below
// DIRECTORY/files, one that fails does not stop the rest, and DIRECTORY/summary.json,
// goals.txt and cadenza.db have all of them, the latter two after every file. Several files
// are tested at a time (file_jobs.h). With `resume`, files whose results are complete and were
// made from the same source with the same options are taken as they are.
#ifndef CZ_JOBS_PROJECT_RUN_H
#define CZ_JOBS_PROJECT_RUN_H

#include "jobs/run.h"
#include "project/project.h"

struct file_outcome {
    struct result_counts counts;
    double seconds;
    const char *table; // report_table_text() when `tables` asks for it, or ""
};

struct project_run_request {
    const struct project *project; // where --unit extended looks for callees; all its files are
                                   // read for what stubs write and pointers hold
    const struct project_file *const *files; // NULL-terminated
    const char *directory, *shown_directory; // as of struct run_request
    const char *const *task_names;           // NULL-terminated, or NULL for all
    const struct options *options;
    bool resume;
    struct run_observer observer;
    bool tables, colour;
    // A file begins; a file is done (outcome NULL: it failed, err says why; or it was taken
    // over from an earlier run, with err->kind ERROR_NONE).
    void (*file_begins)(void *context, const char *name, size_t number, size_t count);
    void (*file_done)(void *context, const char *name, const struct file_outcome *outcome,
                      const struct error *err);
    // What is not known of the project; may be NULL.
    void (*note)(void *context, const char *text);
    void *context; // of these three
};

struct project_totals {
    struct result_counts counts;
    size_t files, failed, taken_over;
    bool reproducible;
    exit_set exits; // all that apply
};

// False only when the directory cannot be used; failed files are counted.
bool project_run(const struct project_run_request *request, struct project_totals *totals,
                 struct error *err);

#endif
