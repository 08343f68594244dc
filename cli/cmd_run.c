// SPDX-License-Identifier: Apache-2.0
// cadenza run: parses the words, shows progress on a terminal, prints the table.
#include "cli.h"
#include "notes.h"
#include "progress.h"
#include "report_folder.h"

#include "base/alias.h"
#include "base/vec.h"
#include "base/fs.h"
#include "program/faults.h"
#include "unit/project_facts.h"
#include "jobs/gate_options.h"
#include "jobs/project_run.h"
#include "unit/symbol_index.h"
#include "unit/program_inputs.h"
#include "report/report.h"
#include "store/store.h"
#include "campaign/campaign_options.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(void)
{
    struct buf list = BUF_INIT;
    struct buf codes = BUF_INIT;
    options_describe(&list);
    exit_describe(&codes);
    printf(
        "cadenza run FILE.c... [options] [-- compiler flags]\n"
        "cadenza run -p compile_commands.json [FILE.c...] [options]\n"
        "cadenza run --program FILE.c... [options] [-- compiler flags]\n"
        "cadenza run --program -p compile_commands.json [FILE.c...] [options]\n\n"
        "Finds the functions of FILE.c that can be tested, writes drivers and stubs, generates\n"
        "tests by concolic testing, replays them on a clean build under llvm-cov, and reports\n"
        "for every branch and MC/DC condition whether it is covered, infeasible or open.\n\n"
        "  -p PATH                compile_commands.json, or a directory that holds one: test its\n"
        "                         files, or those named\n"
        "  --resume               keep the results of files that an earlier run finished\n"
        "  -o DIR                 directory for the results (default cadenza-out)\n"
        "  --task NAME            test only this function (repeatable; static ones and main too)\n"
        "%s"
        "  --json                 print summary.json instead of the table\n"
        "  -q, --quiet            print errors only\n"
        "  -v, --verbose          also print every goal that is not covered, and statistics\n"
        "  -h, --help             this text\n\n"
        "%s"
        "Bugs are what goes wrong from main, or in a function declared cz_public.\n",
        list.data, buf_text(&codes));
    buf_release(&list);
    buf_release(&codes);
}

struct words {
    struct options options;
    const char *project, *directory;
    struct alias place; // the directory, by a name that all programs understand
    VEC(const char *) sources, tasks, flags;
    struct project_flags given; // the flags, for clang
    struct gate gate;
    bool json, quiet, verbose, help, resume;
    struct arena arena;
};

static const char *value_of(int argc, char **argv, int *i)
{
    return *i + 1 < argc ? argv[++*i] : NULL;
}

static enum project_width width_of(const struct options *options)
{
    static const enum project_width widths[] = {
        [OPTION_DATA_MODEL_AUTO] = PROJECT_WIDTH_AUTO,
        [OPTION_DATA_MODEL_LP64] = PROJECT_WIDTH_64,
        [OPTION_DATA_MODEL_ILP32] = PROJECT_WIDTH_32,
    };
    return widths[options->data_model];
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
    } else if (!strcmp(word, "--resume")) {
        w->resume = true;
    } else if (!strcmp(word, "-p")) {
        if (!(w->project = value_of(argc, argv, i)))
            return error_set(err, ERROR_USAGE, "-p needs a compile_commands.json or its directory");
    } else if (!strcmp(word, "-o")) {
        w->directory = value_of(argc, argv, i);
        if (!w->directory || !*w->directory || *w->directory == '-')
            return error_set(err, ERROR_USAGE, "-o needs a directory%s%s",
                             w->directory && *w->directory ? "; one of that name is written ./"
                                                           : "",
                             w->directory ? w->directory : "");
    } else if (!strcmp(word, "-j") ||
               (!strncmp(word, "-j", 2) && word[2] >= '0' && word[2] <= '9')) {
        const char *count = word[2] ? word + 2 : value_of(argc, argv, i);
        char *words[] = {(char *)"--jobs", (char *)count};
        return options_take(&w->options, count ? 2 : 1, words, &(int){0}, err) > 0;
    } else if (!strcmp(word, "--task") || !strncmp(word, "--task=", 7)) {
        const char *name = word[6] == '=' ? word + 7 : value_of(argc, argv, i);
        if (!name || !*name)
            return error_set(err, ERROR_USAGE, "--task needs a function's name");
        *VEC_PUSH(&w->tasks) = name;
    } else if (word[0] == '-' && word[1]) {
        return error_set(err, ERROR_USAGE, "unknown option '%s' (%s%s)", word,
                         fs_exists(word) ? "if you mean the file, write ./"
                                         : "compiler flags come after --",
                         fs_exists(word) ? word : "");
    } else {
        *VEC_PUSH(&w->sources) = word;
    }
    return true;
}

static bool take_words(struct words *w, int argc, char **argv, struct error *err)
{
    options_init(&w->options);
    arena_init(&w->arena);
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
    *VEC_PUSH(&w->tasks) = NULL;
    if (w->options.no_sandbox)
        cli_leave_sandbox();
    if (!project_given_flags(w->flags.items, w->flags.count, width_of(&w->options), &w->arena,
                             &w->given, err))
        return false;
    if (w->options.program && w->tasks.count > 1)
        return error_set(err, ERROR_USAGE, "the task of a whole program is main; no --task");
    if (!w->help && !w->sources.count && !w->project)
        return error_set(err, ERROR_USAGE, "which file? (cadenza run FILE.c)");
    if (w->project && w->flags.count)
        return error_set(err, ERROR_USAGE, "compiler flags come from %s, not from after --",
                         w->project);
    if (!w->project && w->options.entries.count)
        return error_set(err, ERROR_USAGE,
                         "--entry chooses among a compilation database's: give -p");
    if (!gate_of_options(&w->options, &w->gate, err))
        return false;
    if (!campaign_check_options(&w->options, err))
        return false;
    if (!program_inputs_check(&w->options, err))
        return false;
    if (w->options.unit == OPTION_UNIT_EXTENDED && !w->project && w->sources.count < 2)
        return error_set(err, ERROR_USAGE,
                         "--unit extended looks for callees in the other files of a project: give "
                         "-p or several files");
    return true;
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
    for (size_t i = 0; (w->json || w->quiet) && i < result->errors.count; i++)
        fprintf(stderr, "cadenza: %s\n", result->errors.items[i]);
    cli_print_gate(&w->gate, &result->totals, w->quiet);
    return exit_first(result_exits(result));
}

// Everything else is written by now: what goes wrong here adds an exit code.
static int write_html(const struct words *w, int code)
{
    struct error err = {0};
    if (w->options.no_report)
        return code;
    if (!report_folder_write(w->place.path, NULL, &err))
        return exit_first(exit_bit((enum exit_code)code) |
                          exit_bit((enum exit_code)cli_fail(&err)));
    if (!w->quiet && !w->json)
        printf("Report: %s/report/index.html\n", w->directory);
    return code;
}

// Functions alone: those that they call in their own file are stubs, too.
static struct facts *facts_of_file(const struct words *w, const struct unit_file *file)
{
    struct project project = {0};
    struct facts *facts = NULL;
    struct buf directory = BUF_INIT;
    if (w->options.unit != OPTION_UNIT_FUNCTION)
        return NULL;
    arena_init(&project.arena);
    *VEC_PUSH(&project.files) =
        (struct project_file){.path = file->source, .name = file->source, .flags = file->flags};
    buf_printf(&directory, "%s/facts", w->place.path);
    if (run_claim_directory(w->place.path, NULL))
        project_facts_build(&project, directory.data, 1, &facts, NULL);
    buf_release(&directory);
    project_release(&project);
    return facts;
}

static int run_one_file(const struct words *w, struct progress *progress, struct error *err)
{
    struct unit_file file = {w->sources.items[0], w->given.flags};
    struct facts *facts = facts_of_file(w, &file);
    struct run_request request = {
        .unit = {.files = &file,
                 .file_count = 1,
                 .out_directory = w->place.path,
                 .task_names = w->tasks.count > 1 ? w->tasks.items : NULL,
                 .options = &w->options,
                 .facts = facts},
        .shown_directory = w->directory,
        .observer = {progress_search, progress_stage, progress},
    };
    struct result result;
    result_init(&result, file.source);
    const char *note = project_flags_note(&w->given, &result.arena);
    if (note)
        result_add_note(&result, "%s", note);
    if (note && !w->quiet)
        fprintf(stderr, "cadenza: note: %s\n", note);
    bool good = run_unit(&request, &result, err);
    progress_clear(progress);
    int code = good ? write_html(w, print_result(w, &result)) : cli_fail(err);
    result_release(&result);
    facts_free(facts);
    return code;
}

// ---- several files ----

struct project_view {
    struct progress *progress;
    const struct words *words;
    struct buf rows;
};

static void on_file(void *context, const char *name, size_t number, size_t count)
{
    const struct project_view *view = context;
    progress_file(view->progress, name, number, count);
}

static void on_note(void *context, const char *text)
{
    const struct project_view *view = context;
    progress_clear(view->progress);
    fprintf(stderr, "cadenza: note: %s\n", text);
}

static void on_file_done(void *context, const char *name, const struct file_outcome *outcome,
                         const struct error *err)
{
    struct project_view *view = context;
    progress_file_done(view->progress);
    if (!outcome && err->kind != ERROR_NONE && err->kind != ERROR_NO_TASKS) {
        progress_clear(view->progress);
        fprintf(stderr, "cadenza: %s: %s\n", name, err->text);
    }
    if (!outcome) {
        buf_printf(&view->rows, "%-28.28s %s\n", name,
                   err->kind == ERROR_NONE       ? "taken over from the earlier run"
                   : err->kind == ERROR_NO_TASKS ? "no function to test"
                                                 : "failed");
        return;
    }
    const struct result_counts *c = &outcome->counts;
    buf_printf(&view->rows, "%-28.28s %5zu/%-5zu %5zu %5zu %5zu %5zu/%-4zu %5zu %5zu %5.1fs\n",
               name, c->branches_covered, c->branches, c->branches_infeasible,
               c->branches_infeasible_assuming, c->branches_undetermined, c->conditions_covered,
               c->conditions, c->tests, c->alarms, outcome->seconds);
    if (view->words->verbose) {
        progress_clear(view->progress);
        fputs(outcome->table, stdout);
    }
}

// From the store, which has all files.
static void print_next_steps(const char *directory)
{
    struct result result;
    struct buf path = BUF_INIT, text = BUF_INIT;
    buf_printf(&path, "%s/cadenza.db", directory);
    if (store_load(buf_text(&path), &result, NULL))
        report_next_steps(&result, &text);
    fputs(buf_text(&text), stdout);
    result_release(&result);
    buf_release(&path);
    buf_release(&text);
}

static int print_project(const struct project_view *view, const struct project_totals *t)
{
    const struct words *w = view->words;
    const struct result_counts *c = &t->counts;
    if (w->json) {
        struct buf path = BUF_INIT, text = BUF_INIT;
        buf_printf(&path, "%s/summary.json", w->directory);
        fs_read(path.data, &text, NULL);
        fwrite(buf_text(&text), 1, text.length, stdout);
        buf_release(&path);
        buf_release(&text);
    } else if (!w->quiet) {
        printf("%-28s %11s %5s %5s %5s %10s %5s %6s %6s\n%s%-28s %5zu/%-5zu %5zu %5zu %5zu "
               "%5zu/%-4zu %5zu %5zu\n%zu files, %zu failed, %zu bugs. Results: %s\n",
               "file", "branches", "inf.", "ass.", "open", "conditions", "tests", "alarms", "time",
               buf_text(&view->rows), "total", c->branches_covered, c->branches,
               c->branches_infeasible, c->branches_infeasible_assuming, c->branches_undetermined,
               c->conditions_covered, c->conditions, c->tests, c->alarms, t->files, t->failed,
               c->bugs, w->directory);
        print_next_steps(w->directory);
    }
    cli_print_gate(&w->gate, c, w->quiet);
    return exit_first(t->exits);
}

// Files of the command line are a project, too.
static void add_named_files(const struct words *w, struct project *project)
{
    for (size_t i = 0; !w->project && i < w->sources.count; i++) {
        const char *name = w->sources.items[i];
        char *path = fs_absolute(name);
        *VEC_PUSH(&project->files) =
            (struct project_file){.path = path ? arena_strdup(&project->arena, path) : name,
                                  .name = name,
                                  .flags = w->given.flags,
                                  .how = w->given};
        free(path);
    }
}

// The files to test: those named, with the flags after -- or the project's; or all.
static bool choose_files(const struct words *w, struct project *project,
                         const struct project_file ***files, struct error *err)
{
    VEC(const struct project_file *) chosen = {0};
    bool good = true;
    add_named_files(w, project);
    for (size_t i = 0; good && i < w->sources.count; i++) {
        const char *name = w->sources.items[i];
        if (w->project) {
            *VEC_PUSH(&chosen) = project_find(project, name);
            if (!chosen.items[i])
                good = error_set(err, ERROR_USAGE, "%s is not in %s, or several files end so", name,
                                 w->project);
        } else {
            *VEC_PUSH(&chosen) = &project->files.items[i];
        }
    }
    for (size_t i = 0; w->project && !w->sources.count && i < project->files.count; i++)
        *VEC_PUSH(&chosen) = &project->files.items[i];
    *VEC_PUSH(&chosen) = NULL;
    *files = chosen.items;
    return good;
}

static bool load_project(const struct words *w, struct project *project, struct error *err)
{
    const struct project_request request = {.path = w->project,
                                            .width = width_of(&w->options),
                                            .entries = w->options.entries.items,
                                            .entry_count = w->options.entries.count};
    return !w->project || project_load(&request, project, err);
}

static int run_project(const struct words *w, struct progress *progress, struct error *err)
{
    struct project project = {0};
    arena_init(&project.arena);
    const struct project_file **files = NULL;
    struct project_view view = {.progress = progress, .words = w};
    int code;
    if (!load_project(w, &project, err) || !choose_files(w, &project, &files, err)) {
        code = cli_fail(err);
    } else {
        if (!w->quiet)
            notes_print(&project, files, w->verbose);
        struct project_run_request request = {
            .project = &project,
            .files = files,
            .directory = w->place.path,
            .shown_directory = w->directory,
            .task_names = w->tasks.count > 1 ? w->tasks.items : NULL,
            .options = &w->options,
            .resume = w->resume,
            .observer = {progress_search, progress_stage, progress},
            .tables = w->verbose,
            .colour = report_in_colour(stdout),
            .file_begins = on_file,
            .file_done = on_file_done,
            .note = w->quiet || w->json ? NULL : on_note,
            .context = &view,
        };
        struct project_totals totals;
        bool good = project_run(&request, &totals, err);
        progress_clear(progress);
        code = good ? write_html(w, print_project(&view, &totals)) : cli_fail(err);
    }
    buf_release(&view.rows);
    free(files);
    project_release(&project);
    return code;
}

// ---- whole programs ----

// Without names: the one file of the project that defines main.
static bool choose_main(struct symbol_index *symbols, const struct project_file ***files,
                        struct error *err)
{
    const struct project_file **found;
    size_t count = symbol_index_files(symbols, "main", &found);
    free(*files);
    *files = xcalloc(2, sizeof **files);
    if (count == 1) {
        (*files)[0] = found[0];
        return true;
    }
    struct buf names = BUF_INIT;
    for (size_t i = 0; i < count; i++)
        buf_printf(&names, "%s%s", i ? ", " : "", found[i]->name);
    error_set(err, ERROR_USAGE,
              count ? "%zu files of the project define main; name the one to test: %s"
                    : "no file of the project defines main%.0zu%s",
              count, buf_text(&names));
    buf_release(&names);
    return false;
}

static void print_inputs(const struct words *w, const struct harness_program *inputs)
{
    struct buf text = BUF_INIT;
    program_inputs_describe(inputs, &text);
    if (!w->quiet && !w->json)
        fprintf(stderr, "cadenza: note: the program gets %s\n", text.data);
    buf_release(&text);
}

static int run_files(const struct words *w, struct progress *progress, struct symbol_index *symbols,
                     const struct project_file *const *files, const struct harness_program *inputs,
                     struct error *err)
{
    VEC(struct unit_file) list = {0};
    for (; *files; files++)
        *VEC_PUSH(&list) = (struct unit_file){(*files)->path, (*files)->flags};
    struct run_request request = {
        .unit = {.files = list.items,
                 .file_count = list.count,
                 .out_directory = w->place.path,
                 .options = &w->options,
                 .find = w->project ? symbol_index_find : NULL,
                 .context = symbols,
                 .extend = UINT_MAX,
                 .program = inputs},
        .shown_directory = w->directory,
        .observer = {progress_search, progress_stage, progress},
    };
    struct result result;
    result_init(&result, list.items[0].source);
    bool good = run_unit(&request, &result, err);
    progress_clear(progress);
    int code = good ? write_html(w, print_result(w, &result)) : cli_fail(err);
    result_release(&result);
    VEC_RELEASE(&list);
    return code;
}

// With -p the files that main needs are found, as a linker finds them in an archive;
// otherwise exactly those named are the program.
static int run_whole(const struct words *w, struct progress *progress, struct error *err)
{
    struct project project = {0};
    struct symbol_index symbols;
    struct harness_program inputs;
    const struct project_file **files = NULL;
    bool by_default;
    arena_init(&project.arena);
    symbol_index_init(&symbols, &project);
    bool good = program_inputs_inputs(&w->options, &project.arena, &inputs, &by_default, err) &&
                load_project(w, &project, err) && choose_files(w, &project, &files, err) &&
                (w->sources.count || choose_main(&symbols, &files, err));
    for (size_t i = 0; good && files[i]; i++)
        good = !files[i]->problem ||
               error_set(err, ERROR_IO, "%s: %s", files[i]->name, files[i]->problem);
    if (good && !w->quiet)
        notes_print(&project, files, w->verbose);
    if (good && by_default)
        print_inputs(w, &inputs);
    int code = good ? run_files(w, progress, &symbols, files, &inputs, err) : cli_fail(err);
    free(files);
    symbol_index_release(&symbols);
    project_release(&project);
    return code;
}

// A directory with an odd name is made now, so that a link can lead to it.
static bool find_place(struct words *w, struct error *err)
{
    char *here = fs_absolute(".");
    bool odd =
        alias_is_needed(w->directory) || (w->directory[0] != '/' && here && alias_is_needed(here));
    free(here);
    return (!odd || run_claim_directory(w->directory, err)) &&
           alias_make(&w->place, w->directory, err);
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
    struct progress progress;
    progress_init(&progress, !w.quiet && !w.json);
    int code = !find_place(&w, &err)              ? cli_fail(&err)
               : w.options.program                ? run_whole(&w, &progress, &err)
               : w.project || w.sources.count > 1 ? run_project(&w, &progress, &err)
                                                  : run_one_file(&w, &progress, &err);
    progress_release(&progress);
    alias_remove(&w.place);
    VEC_RELEASE(&w.sources);
    VEC_RELEASE(&w.tasks);
    VEC_RELEASE(&w.flags);
    arena_release(&w.arena);
    return code;
}
