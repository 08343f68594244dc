// SPDX-License-Identifier: Apache-2.0
// Queries as files, in SMT-LIB 2 (expr/print.h): all of them for experiments
// (--dump-queries), or those that took more than a second. A file that cannot be
// written is not an error of the search; the layer stops writing.
#include "solver/solver_internal.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/tunables.h"
#include "expr/print.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

struct record {
    struct solver base;
    char *dump_directory, *slow_directory, *name;
    unsigned dumped, slow;
    double slow_seconds;
};

static bool write_query(struct record *r, const struct solver_query *query, const char *directory,
                        const char *prefix, unsigned number, const char *remark)
{
    struct buf path = BUF_INIT, text = BUF_INIT;
    struct error err = {0};
    buf_printf(&path, "%s/%s%s-%0*u.smt2", directory, prefix, r->name, remark ? 3 : 6, number);
    if (remark)
        buf_printf(&text, "; %s\n", remark);
    expr_print_smt2_query(r->base.pool, query->constraints, query->count, query->input,
                          query->input_size, &text);
    if (remark && text.length > SOLVER_SLOW_BYTES) { // the remark says enough
        size_t all = text.length;
        buf_clear(&text);
        buf_printf(&text, "; %s\n; %zu bytes, which is too much to keep\n", remark, all);
    }
    bool good = fs_make_dirs(directory, &err) && fs_write(path.data, text.data, text.length, &err);
    buf_release(&path);
    buf_release(&text);
    return good;
}

static bool is_full(const char *directory)
{
    DIR *entries = opendir(directory);
    size_t count = 0;
    while (entries && count < SOLVER_SLOW_FILES_ALL + 2 && readdir(entries)) // "." and ".." too
        count++;
    if (entries)
        closedir(entries);
    return count >= SOLVER_SLOW_FILES_ALL + 2;
}

static void write_slow(struct record *r, const struct solver_query *query,
                       enum solver_answer answer, double seconds)
{
    static const char *const names[] = {"sat", "unsat", "unknown"};
    char remark[96];
    if (r->slow >= SOLVER_SLOW_FILES || is_full(r->slow_directory))
        return;
    snprintf(remark, sizeof remark, "%s after %.2f s", names[answer], seconds);
    write_query(r, query, r->slow_directory, "slow-", ++r->slow, remark);
}

static enum solver_answer record_check(struct solver *solver, const struct solver_query *query,
                                       struct solver_model *model)
{
    struct record *r = (struct record *)solver;
    if (r->dump_directory && !write_query(r, query, r->dump_directory, "", ++r->dumped, NULL)) {
        free(r->dump_directory);
        r->dump_directory = NULL;
    }
    double begin = clock_now();
    enum solver_answer answer = solver_ask(solver->next, query, model);
    double seconds = clock_now() - begin;
    if (r->slow_directory && seconds > r->slow_seconds) {
        solver->stats.slow++;
        write_slow(r, query, answer, seconds);
    }
    return answer;
}

static void record_free(struct solver *solver)
{
    struct record *r = (struct record *)solver;
    free(r->dump_directory);
    free(r->name);
    free(r->slow_directory);
    free(r);
}

struct solver *solver_record_new(struct expr_pool *pool, const struct solver_options *options,
                                 struct solver *next)
{
    static const struct solver_ops ops = {"record", record_check, record_free};
    struct record *r = xcalloc(1, sizeof *r);
    r->base = (struct solver){.ops = &ops, .pool = pool, .next = next, .layer = SOLVER_LAYER_COUNT};
    if (options->dump_directory)
        r->dump_directory = xstrdup(options->dump_directory);
    if (options->slow_directory)
        r->slow_directory = xstrdup(options->slow_directory);
    r->slow_seconds = (options->slow_ms ? options->slow_ms : SOLVER_SLOW_MS) * 1e-3;
    r->name = xstrdup(options->dump_name ? options->dump_name : "query");
    return &r->base;
}
