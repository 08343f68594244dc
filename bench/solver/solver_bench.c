// SPDX-License-Identifier: Apache-2.0
// The solver stack on recorded queries, against Z3 alone on the same queries, in one
// process and CPU time:
//
//     solver_bench DIRECTORY...      queries TASK-NNNNNN.smt2, as --dump-queries writes
//
// The queries of one task share a pool and a chain, as in the run that they come from.
// Every model is evaluated, every verdict compared. Exit code 1 when a target is missed.
#include "base/arena.h"
#include "base/fs.h"
#include "base/vec.h"
#include "expr/eval.h"
#include "expr/flat.h"
#include "expr/smt2_read.h"
#include "float_set.h"
#include "solver/solver.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MIN_QUERIES = 1000 };
#define BACKEND_TARGET 5.0
#define LAYERS_TARGET  10.0

struct file {
    char *path;
    bool floats;
    size_t group; // length of the part of the path that names its task
};
typedef VEC(struct file) file_list;

struct measure {
    const char *name;
    unsigned without;
    double *times;
    enum solver_answer *answers;
    double total, integers; // integers: of the queries without floats
    size_t sat, unsat, unknown, wrong_models;
    long memory; // kilobytes
};

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static long memory_peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static int compare_files(const void *p, const void *q)
{
    return strcmp(((const struct file *)p)->path, ((const struct file *)q)->path);
}

static void find_files(const char *directory, file_list *files)
{
    DIR *d = opendir(directory);
    struct dirent *entry;
    while (d && (entry = readdir(d))) {
        const char *dash = strrchr(entry->d_name, '-');
        struct buf path = BUF_INIT;
        if (!dash || !strstr(dash, ".smt2"))
            continue;
        buf_printf(&path, "%s/%s", directory, entry->d_name);
        *VEC_PUSH(files) =
            (struct file){path.data, false, strlen(directory) + 1 + (size_t)(dash - entry->d_name)};
    }
    if (d)
        closedir(d);
    else
        fprintf(stderr, "solver_bench: cannot read %s\n", directory);
}

// Evaluated by the plain evaluator, which no layer uses.
static bool model_holds(struct eval *eval, const struct solver_query *query,
                        const struct solver_model *model)
{
    struct buf merged = BUF_INIT;
    bool good = true;
    buf_add(&merged, query->input, query->input_size);
    solver_apply_model(model, &merged);
    eval_begin(eval, (const uint8_t *)merged.data, merged.length);
    for (size_t i = 0; i < query->count && good; i++)
        good = eval_true(eval, query->constraints[i]);
    buf_release(&merged);
    return good;
}

static void ask(struct measure *m, size_t number, struct solver *solver, struct eval *eval,
                const struct solver_query *query)
{
    struct solver_model model = {0};
    double begin = cpu_now();
    enum solver_answer answer = solver_check(solver, query, &model);
    m->times[number] = cpu_now() - begin;
    m->total += m->times[number];
    m->answers[number] = answer;
    m->sat += answer == SOLVER_SAT;
    m->unsat += answer == SOLVER_UNSAT;
    m->unknown += answer == SOLVER_UNKNOWN;
    m->wrong_models += answer == SOLVER_SAT && !model_holds(eval, query, &model);
    solver_model_release(&model);
}

static void read_query(struct expr_pool *pool, const char *path, struct smt2_query *out)
{
    struct buf text = BUF_INIT;
    struct error err = {0};
    if (!fs_read(path, &text, &err) || !smt2_read(pool, text.data, text.length, out, &err)) {
        fprintf(stderr, "solver_bench: %s: %s\n", path, err.text);
        exit(2);
    }
    buf_release(&text);
}

// One task: files[first..end).
static void run_group(struct measure *m, file_list *files, size_t first, size_t end,
                      struct solver_counts totals[SOLVER_LAYER_COUNT])
{
    struct solver_options options = SOLVER_OPTIONS_DEFAULT;
    struct expr_pool *pool = expr_pool_new();
    struct smt2_query *queries = xcalloc(end - first, sizeof *queries);
    struct eval eval;
    struct flat flat;
    flat_init(&flat, pool);
    for (size_t i = first; i < end; i++) {
        struct smt2_query *q = &queries[i - first];
        read_query(pool, files->items[i].path, q);
        flat_compile(&flat, q->constraints, q->count, NULL, 0);
        files->items[i].floats = flat.has_floats;
    }
    flat_release(&flat);
    options.without = m->without;
    struct solver *solver = solver_new(pool, &options);
    eval_init(&eval, pool);
    for (size_t i = first; i < end; i++) {
        struct smt2_query *q = &queries[i - first];
        struct solver_query query = {q->constraints, q->count, (const uint8_t *)q->input.data,
                                     q->input.length, NULL};
        ask(m, i, solver, &eval, &query);
        m->integers += files->items[i].floats ? 0 : m->times[i];
    }
    struct solver_counts counts[SOLVER_LAYER_COUNT];
    solver_count_layers(solver, counts);
    for (int i = 0; i < SOLVER_LAYER_COUNT; i++) {
        totals[i].queries += counts[i].queries;
        totals[i].sat += counts[i].sat;
        totals[i].unsat += counts[i].unsat;
        totals[i].seconds += counts[i].seconds;
    }
    for (size_t i = first; i < end; i++)
        smt2_query_release(&queries[i - first]);
    free(queries);
    eval_release(&eval);
    solver_free(solver);
    expr_pool_free(pool);
}

static void run_all(struct measure *m, file_list *files,
                    struct solver_counts totals[SOLVER_LAYER_COUNT])
{
    m->times = xcalloc(files->count + 1, sizeof *m->times);
    m->answers = xcalloc(files->count + 1, sizeof *m->answers);
    memset(totals, 0, SOLVER_LAYER_COUNT * sizeof *totals);
    for (size_t first = 0, end; first < files->count; first = end) {
        const struct file *group = &files->items[first];
        for (end = first + 1; end < files->count; end++)
            if (files->items[end].group != group->group ||
                strncmp(files->items[end].path, group->path, group->group) != 0)
                break;
        run_group(m, files, first, end, totals);
    }
    m->memory = memory_peak();
}

static int compare_times(const void *p, const void *q)
{
    double a = *(const double *)p, b = *(const double *)q;
    return a < b ? -1 : a > b;
}

static void print_measure(const struct measure *m, size_t count)
{
    double *sorted = xcalloc(count + 1, sizeof *sorted);
    memcpy(sorted, m->times, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_times);
    printf("%-22s %9.3f %9.3f %9.3f %9.1f %6zu %6zu %7zu %6.0f\n", m->name, m->total,
           1e3 * sorted[count / 2], 1e3 * sorted[count * 95 / 100], 1e3 * sorted[count - 1], m->sat,
           m->unsat, m->unknown, (double)m->memory / 1024);
    free(sorted);
}

static bool target(const char *what, double ratio, double wanted)
{
    printf("%-46s %7.1fx   target %.0fx: %s\n", what, ratio, wanted,
           ratio >= wanted ? "met" : "MISSED");
    return ratio >= wanted;
}

static size_t contradictions(const struct measure *a, const struct measure *b,
                             const file_list *files)
{
    size_t wrong = 0;
    for (size_t i = 0; i < files->count; i++)
        if ((a->answers[i] == SOLVER_SAT && b->answers[i] == SOLVER_UNSAT) ||
            (a->answers[i] == SOLVER_UNSAT && b->answers[i] == SOLVER_SAT)) {
            printf("WRONG: %s and %s disagree on %s\n", a->name, b->name, files->items[i].path);
            wrong++;
        }
    return wrong;
}

static void print_layers(const struct solver_counts totals[SOLVER_LAYER_COUNT])
{
    printf("\n%-12s %8s %8s %8s %10s\n", "layer", "asked", "sat", "unsat", "ms");
    for (int i = 0; i < SOLVER_LAYER_COUNT; i++)
        if (totals[i].queries)
            printf("%-12s %8llu %8llu %8llu %10.1f\n", solver_layer_name((enum solver_layer)i),
                   (unsigned long long)totals[i].queries, (unsigned long long)totals[i].sat,
                   (unsigned long long)totals[i].unsat, 1e3 * totals[i].seconds);
}

static bool bench_recorded(file_list *files)
{
    struct measure all = {.name = "all layers"};
    struct measure backend = {.name = "slice + bitblast",
                              .without = SOLVER_QUICK_LAYERS | SOLVER_LAYER(VALIDATE)};
    struct measure z3 = {.name = "slice + z3",
                         .without =
                             SOLVER_QUICK_LAYERS | SOLVER_LAYER(VALIDATE) | SOLVER_LAYER(BITBLAST)};
    struct solver_counts unused[SOLVER_LAYER_COUNT], layers[SOLVER_LAYER_COUNT];
    run_all(&all, files, layers);
    run_all(&backend, files, unused);
    run_all(&z3, files, unused);
    printf("%zu recorded queries, CPU time\n", files->count);
    printf("%-22s %9s %9s %9s %9s %6s %6s %7s %6s\n", "", "total s", "median ms", "p95 ms",
           "max ms", "sat", "unsat", "unknown", "MB");
    print_measure(&z3, files->count);
    print_measure(&backend, files->count);
    print_measure(&all, files->count);
    print_layers(layers);
    printf("\n");
    size_t floats = 0;
    for (size_t i = 0; i < files->count; i++)
        floats += files->items[i].floats;
    printf("%zu queries have floats\n", floats);
    bool good = target("backend against Z3, total time", z3.total / backend.total, BACKEND_TARGET);
    printf("%-46s %7.1fx\n", "backend against Z3, time without floats",
           z3.integers / backend.integers);
    printf("%-46s %7.1fx\n", "all layers against Z3, time without floats",
           z3.integers / all.integers);
    good &= target("all layers against Z3, total time", z3.total / all.total, LAYERS_TARGET);
    size_t wrong = contradictions(&z3, &backend, files) + contradictions(&z3, &all, files) +
                   z3.wrong_models + backend.wrong_models + all.wrong_models;
    printf("%-46s %7zu    target 0: %s\n", "wrong answers", wrong, wrong ? "MISSED" : "met");
    bool fewer = backend.unknown <= z3.unknown && all.unknown <= z3.unknown;
    printf("%-46s %7zu    target at most %zu: %s\n", "unknown with all layers", all.unknown,
           z3.unknown, fewer ? "met" : "MISSED");
    bool enough = files->count >= MIN_QUERIES;
    printf("%-46s %7zu    target %d: %s\n", "queries", files->count, MIN_QUERIES,
           enough ? "met" : "MISSED");
    struct measure *measures[] = {&all, &backend, &z3};
    for (int i = 0; i < 3; i++) {
        free(measures[i]->times);
        free(measures[i]->answers);
    }
    return good && !wrong && fewer && enough;
}

// Solve a formula in a pool of its own. *by: the layer that answered.
static bool solve_formula(unsigned index, unsigned without, struct float_formula *f,
                          double *seconds, const char **by)
{
    static const uint8_t parent[24];
    struct expr_pool *pool = expr_pool_new();
    struct solver_options options = SOLVER_OPTIONS_DEFAULT;
    options.without = without;
    bool solved = false;
    *by = NULL;
    if (float_set(pool, index, f)) {
        struct solver *solver = solver_new(pool, &options);
        struct solver_model model = {0};
        struct solver_query query = {f->constraints, f->count, parent, sizeof parent, NULL};
        struct solver_counts counts[SOLVER_LAYER_COUNT];
        struct eval eval;
        eval_init(&eval, pool);
        double begin = cpu_now();
        enum solver_answer answer = solver_check(solver, &query, &model);
        *seconds = cpu_now() - begin;
        solved = answer == SOLVER_SAT && model_holds(&eval, &query, &model);
        solver_count_layers(solver, counts);
        *by = "nobody";
        for (int k = 0; k < SOLVER_LAYER_COUNT; k++)
            if (counts[k].sat)
                *by = solver_layer_name((enum solver_layer)k);
        solver_model_release(&model);
        eval_release(&eval);
        solver_free(solver);
    }
    expr_pool_free(pool);
    return solved;
}

// All layers must solve each within a second; the backend alone shows what the circuits
// are worth where search fails.
static bool bench_floats(void)
{
    const unsigned alone = SOLVER_QUICK_LAYERS | SOLVER_LAYER(Z3);
    unsigned count = 0, solved = 0, by_backend = 0;
    double slowest = 0;
    printf("\nsatisfiable float formulas%31s\n%-24s %6s %10s  %-10s %10s\n", "all layers", "",
           "bits", "ms", "by", "backend ms");
    for (;; count++) {
        struct float_formula f;
        const char *by, *backend;
        double seconds = 0, alone_seconds = 0;
        bool good = solve_formula(count, 0, &f, &seconds, &by);
        if (!by)
            break;
        bool backend_good = solve_formula(count, alone, &f, &alone_seconds, &backend);
        printf("%-24s %6u %10.2f  %-10s %10.1f%s%s\n", f.name, f.width, 1e3 * seconds, by,
               1e3 * alone_seconds, backend_good ? "" : " unknown",
               good && seconds < 1 ? "" : "   MISSED");
        solved += good && seconds < 1;
        by_backend += backend_good && alone_seconds < 1;
        slowest = seconds > slowest ? seconds : slowest;
    }
    bool met = solved == count;
    printf(
        "%u of %u solved within a second each: %s; slowest %.2f ms; the backend alone solves %u\n",
        solved, count, met ? "met" : "MISSED", 1e3 * slowest, by_backend);
    return met;
}

int main(int argc, char **argv)
{
    file_list files = {0};
    for (int i = 1; i < argc; i++)
        find_files(argv[i], &files);
    if (files.count)
        qsort(files.items, files.count, sizeof *files.items, compare_files);
    bool good = !files.count || bench_recorded(&files);
    good &= bench_floats();
    for (size_t i = 0; i < files.count; i++)
        free(files.items[i].path);
    VEC_RELEASE(&files);
    return good ? 0 : 1;
}
