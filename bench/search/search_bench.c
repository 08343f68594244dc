// SPDX-License-Identifier: Apache-2.0
// Experiments on search strategies. Each search is a row of tab-separated values that is
// appended to ROWS at once; rows that ROWS has already are not searched again, so an
// experiment that was interrupted goes on where it stopped. run.sh makes tables of them.
//
//   search-bench strategies ROWS SEEDS ITERATIONS NAME FILE TASK ELEMENTS
//       CGS Table 2: covered branches at quarters of the budget, per strategy; TASK
//       program:DIR is a whole program of the compile_commands.json in DIR, FILE has its
//       main, and ELEMENTS is then bytes of standard input and --arg: 12/3:6
//   search-bench filter ROWS SEEDS ITERATIONS FLAGS... FILE
//       CAUT Tables I and II: with and without path filtering, branch and MC/DC, every
//       function of the file a unit
//   search-bench budget ROWS SEEDS ITERATIONS FLAGS... FILE
//       CAUT Figures 4 and 5: pps, cfg, rp-md2u and others on units with a small budget
//   search-bench scale ROWS SEEDS ITERATIONS FILE TASK ELEMENTS
//       the time of as many executions of one task, for comparing sizes
//
// A file is built once; every search is one campaign on a fresh target in this process,
// so that thousands of searches take minutes.
#include "base/arena.h"
#include "base/fs.h"
#include "campaign/campaign.h"
#include "unit/symbol_index.h"
#include "unit/program_inputs.h"
#include "search/strategy.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { POINTS = 4 };

struct outcome {
    double at[POINTS]; // covered branches after each quarter of the budget
    double iterations, queries, items, total, seconds, choosing;
};

static void fail(const struct error *err)
{
    fprintf(stderr, "search-bench: %s\n", err->text);
    exit(1);
}

// ---- rows ----

struct rows {
    const char *path;
    struct buf before; // what the file held when we began
};

static void rows_open(struct rows *rows, const char *path)
{
    struct error err = {0};
    *rows = (struct rows){.path = path, .before = BUF_INIT};
    if (fs_exists(path) && !fs_read(path, &rows->before, &err))
        fail(&err);
}

// Is there a row that begins with these words?
static bool rows_have(const struct rows *rows, const char *words)
{
    size_t length = strlen(words);
    for (const char *at = rows->before.data; at && *at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (!strncmp(at, words, length) && at[length] == '\t')
            return true;
    }
    return false;
}

static void rows_add(const struct rows *rows, const char *row)
{
    FILE *file = fopen(rows->path, "a");
    if (!file || fprintf(file, "%s\n", row) < 0 || fclose(file)) {
        perror(rows->path);
        exit(1);
    }
}

// ---- builds and searches ----

// Words that begin with '-' in front of the files are the compiler's.
static VEC(const char *) flags;

static void build(struct unit *unit, const char *file, const char *task, struct options *options)
{
    struct error err = {0};
    const char *names[] = {task, NULL};
    struct buf directory = BUF_INIT;
    buf_printf(&directory, "build/bench-search/%s", task ? task : fs_basename(file));
    struct unit_file only = {file, flags.items};
    struct unit_request request = {.files = &only,
                                   .file_count = 1,
                                   .out_directory = directory.data,
                                   .task_names = task ? names : NULL,
                                   .options = options};
    if (!fs_make_dirs(directory.data, &err) || !unit_build(&request, unit, &err))
        fail(&err);
    buf_release(&directory);
}

static void build_program(struct unit *unit, const char *name, const char *file,
                          const char *directory, const char *inputs, struct options *options)
{
    struct error err = {0};
    struct arena *arena = xcalloc(1, sizeof *arena);
    struct project *project = xcalloc(1, sizeof *project);
    struct symbol_index *symbols = xcalloc(1, sizeof *symbols);
    struct harness_program *program = xcalloc(1, sizeof *program);
    bool by_default;
    arena_init(arena);
    arena_init(&project->arena);
    symbol_index_init(symbols, project);
    options->program = true;
    options->stdin_bytes = atoi(inputs);
    options->args = strchr(inputs, '/') + 1;
    struct buf out = BUF_INIT;
    buf_printf(&out, "build/bench-search/%s", name);
    if (!program_inputs_inputs(options, arena, program, &by_default, &err) ||
        !project_load(directory, "auto", project, &err) || !fs_make_dirs(out.data, &err))
        fail(&err);
    const struct project_file *main_file = project_find(project, file);
    if (!main_file) {
        error_set(&err, ERROR_USAGE, "%s is not in %s", file, directory);
        fail(&err);
    }
    struct unit_file first = {main_file->path, main_file->flags};
    struct unit_request request = {.files = &first,
                                   .file_count = 1,
                                   .out_directory = out.data,
                                   .options = options,
                                   .find = symbol_index_find,
                                   .context = symbols,
                                   .extend = UINT_MAX,
                                   .program = program};
    if (!unit_build(&request, unit, &err))
        fail(&err);
    buf_release(&out);
}

static void measure(const struct campaign *c, uint64_t budget, struct outcome *out)
{
    for (size_t i = 0; i < c->samples.count; i++)
        for (unsigned p = 0; p < POINTS; p++)
            if (c->samples.items[i].iteration <= budget * (p + 1) / POINTS)
                out->at[p] = c->samples.items[i].branches;
    size_t total;
    out->items = (double)coverage_items(&c->coverage, &total);
    out->total = (double)total;
    out->iterations = (double)c->iterations;
    out->queries = (double)c->queries;
    out->seconds = c->seconds;
    out->choosing = c->choosing_seconds;
}

static struct outcome search(struct unit *unit, size_t task, const struct options *options)
{
    struct error err = {0};
    struct buf scratch = BUF_INIT;
    buf_printf(&scratch, "%s/scratch", unit->directory);
    char *absolute = fs_make_dirs(scratch.data, &err) ? fs_absolute(scratch.data) : NULL;
    struct target_options how = {.executable = unit->target,
                                 .scratch = absolute ? absolute : scratch.data,
                                 .step_budget = (uint64_t)options->steps,
                                 .heap_budget = 256u << 20,
                                 .record_budget = (uint64_t)options->path,
                                 .watchdog_seconds = 60};
    struct target *target = target_start(&how, &err);
    if (!target)
        fail(&err);
    struct campaign_request request = {
        .unit = unit, .task = task, .target = target, .options = options};
    struct campaign campaign;
    struct outcome out = {0};
    campaign_run(&request, &campaign);
    if (campaign.end == CAMPAIGN_FAILED)
        fail(&campaign.failure);
    measure(&campaign, (uint64_t)options->iterations, &out);
    campaign_release(&campaign);
    target_stop(target);
    free(absolute);
    buf_release(&scratch);
    return out;
}

static void defaults(struct options *options, unsigned iterations)
{
    options_init(options);
    options->iterations = iterations;
    options->patience = 1000000000;
    options->seconds = 0;
    options->afterglow = 0;
    options->no_proofs = true;
    options->criterion = "branch";
    options->steps = 100000;
    options->path = 5000;
}

static void add(struct outcome *sum, const struct outcome *one)
{
    for (unsigned p = 0; p < POINTS; p++)
        sum->at[p] += one->at[p];
    sum->iterations += one->iterations;
    sum->queries += one->queries;
    sum->items += one->items;
    sum->total += one->total;
    sum->seconds += one->seconds;
    sum->choosing += one->choosing;
}

static double seconds_of(int who)
{
    struct rusage used;
    getrusage(who, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

// Processor time of this process and the target, without the build.
static double processor_seconds(void)
{
    return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN);
}

// ---- CGS Table 2 ----

static const struct {
    const char *label, *strategy;
    bool no_dominators;
    int fixed_k;
} columns[] = {
    {"auto", "auto", false, 0},
    {"cgs", "cgs", false, 0},
    {"cgs, no dominators", "cgs", true, 0},
    {"cgs, fixed k = 5", "cgs", false, 5},
    {"cfg", "cfg", false, 0},
    {"random-branch", "random-branch", false, 0},
    {"generational", "generational", false, 0},
    {"dfs", "dfs", false, 0},
    {"carfast", "carfast", false, 0},
    {"pps", "pps", false, 0},
    {"rp-md2u", "rp-md2u", false, 0},
    {"bfs", "bfs", false, 0},
    {"uniform-random", "uniform-random", false, 0},
    {"weighted-random", "weighted-random", false, 0},
    {"directed", "directed", false, 0},
    {"reverse-dfs", "reverse-dfs", false, 0},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static struct outcome mean_of_seeds(struct unit *unit, struct options *options, unsigned seeds)
{
    struct outcome sum = {0};
    for (unsigned seed = 1; seed <= seeds; seed++) {
        options->seed = seed;
        struct outcome one = search(unit, 0, options);
        add(&sum, &one);
    }
    for (unsigned p = 0; p < POINTS; p++)
        sum.at[p] /= seeds;
    return sum;
}

// The goals of the criterion that the row's units have, what was covered at the quarters,
// executions per second of processor time, and the strategy's share of the time.
static void strategies_row(const struct rows *rows, const char *words, struct unit *unit,
                           struct options *options, unsigned seeds)
{
    double before = processor_seconds();
    struct outcome mean = mean_of_seeds(unit, options, seeds);
    double used = processor_seconds() - before;
    struct buf row = BUF_INIT;
    buf_printf(&row, "%s\t%.0f", words, mean.total / seeds);
    for (unsigned p = 0; p < POINTS; p++)
        buf_printf(&row, "\t%.1f", mean.at[p]);
    buf_printf(&row, "\t%.1f\t%.2f", mean.iterations / used, 100 * mean.choosing / mean.seconds);
    rows_add(rows, row.data);
    buf_release(&row);
}

static int strategies_mode(const struct rows *rows, unsigned seeds, unsigned iterations,
                           char **argv)
{
    struct options options;
    struct unit unit;
    bool built = false;
    defaults(&options, iterations);
    for (unsigned k = 0; k < COLUMNS; k++) {
        struct buf words = BUF_INIT;
        buf_printf(&words, "%s\t%s", argv[0], columns[k].label);
        if (!rows_have(rows, words.data)) {
            if (!built && !strncmp(argv[2], "program:", 8)) {
                build_program(&unit, argv[0], argv[1], argv[2] + 8, argv[3], &options);
            } else if (!built) {
                options.elements = atoi(argv[3]);
                build(&unit, argv[1], argv[2], &options);
            }
            built = true;
            options.strategy = columns[k].strategy;
            options.no_dominators = columns[k].no_dominators;
            options.fixed_k = columns[k].fixed_k;
            strategies_row(rows, words.data, &unit, &options, seeds);
        }
        buf_release(&words);
    }
    if (built)
        unit_release(&unit);
    return 0;
}

// ---- units ----

// All functions of a file as units of their own; means of seeds.
static struct outcome all_units(struct unit *unit, struct options *options, unsigned seeds)
{
    struct outcome sum = {0};
    for (unsigned seed = 1; seed <= seeds; seed++)
        for (size_t t = 0; t < unit->program.task_count; t++) {
            options->seed = seed;
            struct outcome one = search(unit, t, options);
            add(&sum, &one);
        }
    sum.iterations /= seeds;
    sum.queries /= seeds;
    sum.items /= seeds;
    sum.total /= seeds;
    return sum;
}

struct unit_search {
    const char *strategy, *criterion;
    bool no_filter;
};

// file, strategy, criterion, filtered or not; goals, covered, executions, queries
static void units_row(const struct rows *rows, const char *words, struct unit *unit,
                      const struct options *defaults, const struct unit_search *how, unsigned seeds)
{
    struct options options = *defaults;
    options.strategy = how->strategy;
    options.criterion = how->criterion;
    options.no_filter = how->no_filter;
    struct outcome out = all_units(unit, &options, seeds);
    struct buf row = BUF_INIT;
    buf_printf(&row, "%s\t%.0f\t%.1f\t%.1f\t%.1f", words, out.total, out.items, out.iterations,
               out.queries);
    rows_add(rows, row.data);
    buf_release(&row);
}

static int units_mode(const struct rows *rows, unsigned seeds, unsigned iterations,
                      const char *file, const struct unit_search *searches, size_t count)
{
    struct options options;
    struct unit unit;
    bool built = false;
    defaults(&options, iterations);
    options.static_tasks = true;
    options.patience = iterations; // queries count, too: some units ask thousands per execution
    for (size_t i = 0; i < count; i++) {
        struct buf words = BUF_INIT;
        buf_printf(&words, "%s\t%s\t%s\t%s", fs_basename(file), searches[i].strategy,
                   searches[i].criterion, searches[i].no_filter ? "without" : "with");
        if (!rows_have(rows, words.data)) {
            if (!built)
                build(&unit, file, NULL, &options);
            built = true;
            units_row(rows, words.data, &unit, &options, &searches[i], seeds);
        }
        buf_release(&words);
    }
    if (built)
        unit_release(&unit);
    return 0;
}

static const struct unit_search filter_searches[] = {
    {"dfs", "branch", true}, {"dfs", "branch", false}, {"dfs", "mcdc", true},
    {"dfs", "mcdc", false},  {"auto", "branch", true}, {"auto", "branch", false},
    {"auto", "mcdc", true},  {"auto", "mcdc", false},
};

static const struct unit_search budget_searches[] = {
    {"pps", "branch", false}, {"cfg", "branch", false},   {"rp-md2u", "branch", false},
    {"cgs", "branch", false}, {"auto", "branch", false},  {"pps", "mcdc", false},
    {"cfg", "mcdc", false},   {"rp-md2u", "mcdc", false}, {"cgs", "mcdc", false},
    {"auto", "mcdc", false},
};

// ---- scale ----

static int scale_mode(const struct rows *rows, unsigned seeds, unsigned iterations, char **argv)
{
    struct options options;
    struct unit unit;
    defaults(&options, iterations);
    options.steps = options.path = 100000000;
    options.elements = atoi(argv[2]);
    build(&unit, argv[0], argv[1], &options);
    double before = processor_seconds();
    struct outcome mean = mean_of_seeds(&unit, &options, seeds);
    struct buf row = BUF_INIT;
    buf_printf(&row, "%s\t%.0f\t%.3f", argv[1], mean.iterations, processor_seconds() - before);
    rows_add(rows, row.data);
    buf_release(&row);
    unit_release(&unit);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr,
                "usage: search-bench strategies|filter|budget|scale ROWS SEEDS ITERATIONS ...\n");
        return 2;
    }
    const char *mode = argv[1];
    struct rows rows;
    rows_open(&rows, argv[2]);
    unsigned seeds = (unsigned)atoi(argv[3]), iterations = (unsigned)atoi(argv[4]);
    for (; argc > 5 && argv[5][0] == '-'; argc--, argv++)
        *VEC_PUSH(&flags) = argv[5];
    *VEC_PUSH(&flags) = NULL;
    int result = 2;
    if (!strcmp(mode, "strategies") && argc == 9)
        result = strategies_mode(&rows, seeds, iterations, argv + 5);
    else if (!strcmp(mode, "filter") && argc == 6)
        result = units_mode(&rows, seeds, iterations, argv[5], filter_searches,
                            sizeof filter_searches / sizeof *filter_searches);
    else if (!strcmp(mode, "budget") && argc == 6)
        result = units_mode(&rows, seeds, iterations, argv[5], budget_searches,
                            sizeof budget_searches / sizeof *budget_searches);
    else if (!strcmp(mode, "scale") && argc == 8)
        result = scale_mode(&rows, seeds, iterations, argv + 5);
    buf_release(&rows.before);
    VEC_RELEASE(&flags);
    return result;
}
