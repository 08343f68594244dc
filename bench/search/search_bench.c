// SPDX-License-Identifier: Apache-2.0
// Experiments on search strategies, as Markdown tables:
//
//   search-bench table2 SEEDS ITERATIONS NAME FILE TASK ELEMENTS ...
//       CGS Table 2: covered branches at quarters of the budget, per subject and strategy;
//       TASK program:DIR is a whole program of the compile_commands.json in DIR, FILE has its
//       main, and ELEMENTS is then bytes of standard input and --arg: 12/3:6
//   search-bench filter SEEDS ITERATIONS FILE ...
//       CAUT Tables I and II: dfs with and without path filtering, branch and MC/DC, every
//       function of the files a unit; then all other strategies in total
//   search-bench budget SEEDS ITERATIONS FILE ...
//       CAUT Figures 4 and 5: pps, cfg, rp-md2u, auto on units with a small budget
//
// A file is built once; every search is one campaign on a fresh target in this process,
// so that thousands of searches take minutes.
#include "base/arena.h"
#include "base/fs.h"
#include "engine/campaign.h"
#include "engine/symbols.h"
#include "engine/whole.h"
#include <limits.h>
#include "search/strategy.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 4, MAX_SEEDS = 32 };

struct outcome {
    double at[POINTS]; // covered branches after each quarter of the budget
    double iterations, queries, items, total, seconds, choosing;
    bool ended; // before the budget did
};

static void fail(const struct error *err)
{
    fprintf(stderr, "search-bench: %s\n", err->text);
    exit(1);
}

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
    struct symbols *symbols = xcalloc(1, sizeof *symbols);
    struct harness_program *program = xcalloc(1, sizeof *program);
    bool by_default;
    arena_init(arena);
    arena_init(&project->arena);
    symbols_init(symbols, project);
    options->program = true;
    options->stdin_bytes = atoi(inputs);
    options->args = strchr(inputs, '/') + 1;
    struct buf out = BUF_INIT;
    buf_printf(&out, "build/bench-search/%s", name);
    if (!whole_inputs(options, arena, program, &by_default, &err) ||
        !project_load(directory, project, &err) || !fs_make_dirs(out.data, &err))
        fail(&err);
    const struct project_file *main_file = project_find(project, file);
    if (!main_file) {
        error_set(&err, ERROR_USAGE, "%s is not in %s", file, directory);
        fail(&err);
    }
    struct unit_file first = {main_file->path, main_file->flags};
    struct unit_request request = {.files = &first, .file_count = 1, .out_directory = out.data,
                                   .options = options, .find = symbols_find, .context = symbols,
                                   .extend = UINT_MAX, .program = program};
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
    out->ended = c->end != CAMPAIGN_ITERATIONS;
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
    struct campaign_request request = {.unit = unit, .task = task, .target = target,
                                       .options = options};
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

static void print_heading(unsigned iterations)
{
    printf("| subject | strategy |");
    for (unsigned p = 0; p < POINTS; p++)
        printf(" %u |", iterations * (p + 1) / POINTS);
    printf(" executions/s | choosing |\n|---|---|");
    for (unsigned p = 0; p < POINTS + 2; p++)
        printf("---:|");
    putchar('\n');
}

static int table2(unsigned seeds, unsigned iterations, int argc, char **argv)
{
    struct outcome totals[COLUMNS] = {0};
    const char *only = getenv("SEARCH_BENCH_ONLY"); // one column, while working on it
    print_heading(iterations);
    for (int i = 0; i + 3 < argc; i += 4) {
        struct options options;
        struct unit unit;
        defaults(&options, iterations);
        if (!strncmp(argv[i + 2], "program:", 8)) {
            build_program(&unit, argv[i], argv[i + 1], argv[i + 2] + 8, argv[i + 3], &options);
        } else {
            options.elements = atoi(argv[i + 3]);
            build(&unit, argv[i + 1], argv[i + 2], &options);
        }
        for (unsigned k = 0; k < COLUMNS; k++) {
            if (only && strcmp(only, columns[k].label))
                continue;
            options.strategy = columns[k].strategy;
            options.no_dominators = columns[k].no_dominators;
            options.fixed_k = columns[k].fixed_k;
            struct outcome mean = mean_of_seeds(&unit, &options, seeds);
            printf("| %s | %s |", argv[i], columns[k].label);
            for (unsigned p = 0; p < POINTS; p++)
                printf(" %.1f |", mean.at[p]);
            printf(" %.0f | %.1f %% |\n", mean.iterations / mean.seconds,
                   100 * mean.choosing / mean.seconds);
            fflush(stdout);
            add(&totals[k], &mean);
        }
        unit_release(&unit);
    }
    for (unsigned k = 0; k < COLUMNS; k++) {
        if (only && strcmp(only, columns[k].label))
            continue;
        printf("| total | %s |", columns[k].label);
        for (unsigned p = 0; p < POINTS; p++)
            printf(" %.1f |", totals[k].at[p]);
        printf(" %.0f | %.1f %% |\n", totals[k].iterations / totals[k].seconds,
               100 * totals[k].choosing / totals[k].seconds);
    }
    return 0;
}

// ---- units ----

// All functions of a file as units of their own.
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

static void print_pair(const char *name, const char *criterion, const struct outcome *without,
                       const struct outcome *with)
{
    printf("| %s | %s | %.0f | %.0f/%.0f | %.0f/%.0f | %.1f %%/%.1f %% |\n", name, criterion,
           without->total, without->iterations, with->iterations, without->queries, with->queries,
           100 * without->items / without->total, 100 * with->items / with->total);
    fflush(stdout);
}

enum { OTHERS = 2 };

static int filter(unsigned seeds, unsigned iterations, int argc, char **argv)
{
    static const char *const criteria[] = {"branch", "mcdc"};
    static const char *const others[] = {"dfs", "auto"};
    struct outcome total[OTHERS][2][2] = {0};
    printf("| file | criterion | items | executions without/with | queries without/with | covered "
           "without/with |\n|---|---|---:|---:|---:|---:|\n");
    for (int i = 0; i < argc; i++) {
        struct options options;
        struct unit unit;
        defaults(&options, iterations);
        options.static_tasks = true;
        build(&unit, argv[i], NULL, &options);
        for (unsigned s = 0; s < OTHERS; s++)
            for (unsigned c = 0; c < 2; c++) {
                struct outcome both[2];
                options.strategy = others[s];
                options.criterion = criteria[c];
                for (unsigned on = 0; on < 2; on++) {
                    options.no_filter = !on;
                    both[on] = all_units(&unit, &options, seeds);
                    add(&total[s][c][on], &both[on]);
                }
                if (s == 0)
                    print_pair(fs_basename(argv[i]), criteria[c], &both[0], &both[1]);
            }
        unit_release(&unit);
    }
    for (unsigned s = 0; s < OTHERS; s++)
        for (unsigned c = 0; c < 2; c++) {
            struct buf name = BUF_INIT;
            buf_printf(&name, "total, %s", others[s]);
            print_pair(name.data, criteria[c], &total[s][c][0], &total[s][c][1]);
            buf_release(&name);
        }
    return 0;
}

static int budget(unsigned seeds, unsigned iterations, int argc, char **argv)
{
    static const char *const strategies[] = {"pps", "cfg", "rp-md2u", "cgs", "auto"};
    printf("| file | criterion | items |");
    for (unsigned s = 0; s < 5; s++)
        printf(" %s |", strategies[s]);
    printf("\n|---|---|---:|---:|---:|---:|---:|---:|\n");
    double total[2][6] = {0};
    for (int i = 0; i < argc; i++) {
        struct options options;
        struct unit unit;
        defaults(&options, iterations);
        options.static_tasks = true;
        build(&unit, argv[i], NULL, &options);
        for (unsigned c = 0; c < 2; c++) {
            options.criterion = c ? "mcdc" : "branch";
            for (unsigned s = 0; s < 5; s++) {
                options.strategy = strategies[s];
                struct outcome out = all_units(&unit, &options, seeds);
                if (s == 0)
                    printf("| %s | %s | %.0f |", fs_basename(argv[i]), options.criterion, out.total);
                printf(" %.1f |", out.items);
                total[c][s] += out.items;
                total[c][5] += s ? 0 : out.total;
            }
            printf("\n");
            fflush(stdout);
        }
        unit_release(&unit);
    }
    for (unsigned c = 0; c < 2; c++) {
        printf("| total | %s | %.0f |", c ? "mcdc" : "branch", total[c][5]);
        for (unsigned s = 0; s < 5; s++)
            printf(" %.1f |", total[c][s]);
        printf("\n");
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: search-bench table2|filter|budget SEEDS ITERATIONS ...\n");
        return 2;
    }
    unsigned seeds = (unsigned)atoi(argv[2]), iterations = (unsigned)atoi(argv[3]);
    const char *mode = argv[1];
    for (; argc > 4 && argv[4][0] == '-'; argc--, argv++)
        *VEC_PUSH(&flags) = argv[4];
    *VEC_PUSH(&flags) = NULL;
    if (!strcmp(mode, "table2"))
        return table2(seeds, iterations, argc - 4, argv + 4);
    if (!strcmp(mode, "filter"))
        return filter(seeds, iterations, argc - 4, argv + 4);
    return budget(seeds, iterations, argc - 4, argv + 4);
}
