// SPDX-License-Identifier: Apache-2.0
// Running other programs (clang, llvm-cov, replay binaries) without a shell.
#ifndef CZ_BASE_PROC_H
#define CZ_BASE_PROC_H

#include "base/buf.h"
#include "base/error.h"

struct proc_options {
    const char *directory;    // working directory, or NULL
    const char *const *env;   // extra NAME=VALUE, NULL-terminated, or NULL
    struct buf *out, *errors; // captured when not NULL, else /dev/null
    unsigned timeout_seconds; // 0: none
    bool deep_stack;          // a compiler: it calls itself once per level of nesting
    bool jailed;              // argv is a jail_command
};

struct proc_result {
    bool exited; // false: killed by `signal`
    int exit_code;
    int signal;
    bool timed_out;
};

// Run argv (NULL-terminated, found on PATH) to its end. Returns false only
// when it could not be started; a failing exit code is an outcome.
bool proc_run(const char *const *argv, const struct proc_options *options,
              struct proc_result *result, struct error *err);

// Run several, at most `parallel` at a time (0: one per core).
struct proc_job {
    const char *const *argv;
    struct proc_options options;
    struct proc_result result;
    struct error error; // kind ERROR_NONE when it could be started
};
void proc_run_all(struct proc_job *jobs, size_t count, unsigned parallel);

// The first of the names that is on PATH, as malloc'd absolute path, or NULL.
char *proc_find(const char *const *names);

// clang-19 / llvm-cov-19 ... whichever is installed; err names the package.
char *proc_find_tool(const char *tool, struct error *err);

// A status of waitpid: killed from outside, or one of ours that had no memory or disk.
bool proc_may_work_later(int status);

#endif
