// SPDX-License-Identifier: Apache-2.0
// cadenza run: parses the words, shows progress on a terminal, prints the table.
#include "cli.h"

#include "base/vec.h"
#include "engine/run.h"
#include "report/report.h"
#include "search/strategy.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void print_help(void)
{
    struct buf list = BUF_INIT;
    options_describe(&list);
    printf("cadenza run FILE.c [options] [-- compiler flags]\n\n"
           "Finds the functions of FILE.c that can be tested, writes drivers and stubs, generates\n"
           "tests by concolic testing, replays them on a clean build under llvm-cov, and reports\n"
           "for every branch and MC/DC condition whether it is covered, infeasible or open.\n\n"
           "  -o DIR                 directory for the results (default cadenza-out)\n"
           "  --task NAME            test only this function (repeatable; static ones and main too)\n"
           "%s"
           "  --json                 print summary.json instead of the table\n"
           "  -q, --quiet            print errors only\n"
           "  -v, --verbose          also print every goal that is not covered, and statistics\n"
           "  -h, --help             this text\n\n"
           "Exit codes: 0 done (alarms do not change it), 1 bugs, 2 usage, 3 nothing could be\n"
           "tested, 4 internal error.\n",
           list.data);
    buf_release(&list);
}

struct words {
    struct options options;
    const char *source, *directory;
    VEC(const char *) tasks, flags;
    bool json, quiet, verbose, help;
};

static const char *value_of(int argc, char **argv, int *i)
{
    return *i + 1 < argc ? argv[++*i] : NULL;
}

// One word of the command line. False: err says what is wrong with it.
static bool take_word(struct words *w, int argc, char **argv, int *i, struct error *err)
{
    const char *word = argv[*i];
    int taken = options_take(&w->options, argc, argv, i, err);
    if (taken)
        return taken > 0;
    if (!strcmp(word, "-h") || !strcmp(word, "--help")) {
        w->help = true;
    } else if (!strcmp(word, "--json")) {
        w->json = true;
    } else if (!strcmp(word, "-q") || !strcmp(word, "--quiet")) {
        w->quiet = true;
    } else if (!strcmp(word, "-v") || !strcmp(word, "--verbose")) {
        w->verbose = true;
    } else if (!strcmp(word, "-o")) {
        if (!(w->directory = value_of(argc, argv, i)))
            return error_set(err, ERROR_USAGE, "-o needs a directory");
    } else if (!strcmp(word, "-j") || (!strncmp(word, "-j", 2) && word[2] >= '0' && word[2] <= '9')) {
        const char *count = word[2] ? word + 2 : value_of(argc, argv, i);
        char *words[] = {(char *)"--jobs", (char *)count};
        return options_take(&w->options, count ? 2 : 1, words, &(int){0}, err) > 0;
    } else if (!strcmp(word, "--task") || !strncmp(word, "--task=", 7)) {
        const char *name = word[6] == '=' ? word + 7 : value_of(argc, argv, i);
        if (!name || !*name)
            return error_set(err, ERROR_USAGE, "--task needs a function's name");
        *VEC_PUSH(&w->tasks) = name;
    } else if (word[0] == '-' && word[1]) {
        return error_set(err, ERROR_USAGE,
                         "unknown option '%s' (compiler flags come after --)", word);
    } else if (w->source) {
        return error_set(err, ERROR_USAGE, "one file at a time: '%s' and '%s'", w->source, word);
    } else {
        w->source = word;
    }
    return true;
}

static bool take_words(struct words *w, int argc, char **argv, struct error *err)
{
    options_init(&w->options);
    w->directory = "cadenza-out";
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--")) {
            while (++i < argc)
                *VEC_PUSH(&w->flags) = argv[i];
            break;
        }
        if (!take_word(w, argc, argv, &i, err))
            return false;
    }
    *VEC_PUSH(&w->flags) = NULL;
    *VEC_PUSH(&w->tasks) = NULL;
    if (!w->help && !w->source)
        return error_set(err, ERROR_USAGE, "which file? (cadenza run FILE.c)");
    if (!strategy_by_name(w->options.strategy))
        return error_set(err, ERROR_USAGE, "there is no strategy '%s'", w->options.strategy);
    return true;
}

// The progress line: on a terminal only, rewritten at most ten times a second.
struct progress {
    bool shown, enabled;
    double last;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void show(struct progress *p, const char *text)
{
    if (!p->enabled)
        return;
    fprintf(stderr, "\r\033[K%.78s", text);
    fflush(stderr);
    p->shown = true;
    p->last = now();
}

static void on_stage(void *context, const char *what)
{
    show(context, what);
}

static void on_search(void *context, const char *task, const struct worker_state *state)
{
    struct progress *p = context;
    if (!p->enabled || now() - p->last < 0.1)
        return;
    char line[160];
    snprintf(line, sizeof line, "%s: %llu/%llu branches, %llu executions", task,
             (unsigned long long)state->covered, (unsigned long long)state->goals,
             (unsigned long long)state->iterations);
    show(p, line);
}

static void clear_progress(struct progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
}

static int print_result(const struct words *w, const struct result *result)
{
    if (w->json) {
        struct buf text = BUF_INIT;
        report_summary_json(result, &text);
        fwrite(text.data, 1, text.length, stdout);
        buf_release(&text);
    } else if (!w->quiet) {
        report_table(result, stdout, w->verbose);
    }
    return result->totals.bugs ? EXIT_BUGS : EXIT_DONE;
}

int cli_run(int argc, char **argv)
{
    struct words w = {0};
    struct error err = {0};
    if (!take_words(&w, argc, argv, &err))
        return cli_usage("run", "%s", err.text);
    if (w.help) {
        print_help();
        return EXIT_DONE;
    }
    struct progress progress = {.enabled = !w.quiet && !w.json && isatty(STDERR_FILENO)};
    struct run_request request = {
        .source = w.source,
        .directory = w.directory,
        .flags = w.flags.items,
        .task_names = w.tasks.count > 1 ? w.tasks.items : NULL,
        .options = &w.options,
        .observer = {on_search, on_stage, &progress},
    };
    struct result result;
    result_init(&result, w.source);
    bool good = run_file(&request, &result, &err);
    clear_progress(&progress);
    int code = good ? print_result(&w, &result) : cli_fail(&err);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "cadenza: cannot write to standard output\n");
        code = EXIT_INTERNAL;
    }
    result_release(&result);
    VEC_RELEASE(&w.tasks);
    VEC_RELEASE(&w.flags);
    return code;
}
