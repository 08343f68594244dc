// SPDX-License-Identifier: Apache-2.0
// cadenza report: the result of a run directory in a format for people or other programs, from its
// store. Formats are lines of report/formats.def.
#include "cli.h"

#include "base/fs.h"
#include "html/html_report.h"
#include "jobs/gate_options.h"
#include "just/justify.h"
#include "report/formats.h"
#include "store/store.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct format {
    const char *name, *help;
    // One of them:
    void (*text)(const struct result *, const struct format_settings *, struct buf *);
    bool (*folder)(const struct result *, const char *directory, struct error *);
};

static const struct format formats[] = {
#define TEXT_FORMAT(name, help)             {#name, help, report_as_##name, NULL},
#define FOLDER_FORMAT(name, function, help) {#name, help, NULL, function},
#include "report/formats.def"
#undef TEXT_FORMAT
#undef FOLDER_FORMAT
};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

struct words {
    const char *directory, *out, *root;
    const struct format *format; // NULL: only the gate
    struct options options;      // --require, --count and --just
    struct gate gate;
    bool mcdc, help;
};

static void list_formats(const char *before_last, struct buf *out)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        buf_printf(out, "%s%s",
                   !i                     ? ""
                   : i + 1 < FORMAT_COUNT ? ", "
                                          : before_last,
                   formats[i].name);
}

static void print_help(void)
{
    struct buf names = BUF_INIT;
    list_formats(", ", &names);
    printf(
        "cadenza report DIR [--format NAME] [-o OUT] [options]\n\n"
        "Writes the result of a run directory, of one file or a project, finished or not, in\n"
        "another format. Everything comes from its cadenza.db, and justifications from\n"
        "cadenza.just as it is now.\n"
        "  --format NAME  one of: %s\n"
        "  -o OUT         the file, or the directory for a format of several files, to write\n"
        "                 (default: standard output; DIR/report for a directory)\n"
        "  --root DIR     names of files below DIR are relative to it (default: the current\n"
        "                 directory); lcov's are absolute\n"
        "  --mcdc         lcov: with the MC/DC records of lcov 2.2\n"
        "  --require LIST exit code 5 unless the result is as good, like that of cadenza run:\n"
        "                 statement=90,branch=95,mcdc=80,bugs=0,alarms=3\n"
        "  --count LIST   for --require: goals that no test covers and that count as done:\n"
        "                 infeasible, assuming, justified\n"
        "  --just FILE    justifications, in place of the cadenza.just that the run found; none\n"
        "                 for none. The file is read anew: another one needs no new search\n\n"
        "Formats:\n",
        buf_text(&names));
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        printf("  %-10s %s\n", formats[i].name, formats[i].help);
    buf_release(&names);
}

// ---- the command line ----

static bool take_format(struct words *w, const char *name, struct error *err)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (!strcmp(name, formats[i].name))
            w->format = &formats[i];
    if (w->format && !strcmp(name, w->format->name))
        return true;
    struct buf names = BUF_INIT;
    list_formats(" or ", &names);
    error_set(err, ERROR_USAGE, "--format is %s, not '%s'", buf_text(&names), name);
    buf_release(&names);
    return false;
}

// Without --format: the first that fills a directory, for people.
static const struct format *usual_format(void)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (formats[i].folder)
            return &formats[i];
    return NULL;
}

static bool take_value(const char **to, int argc, char **argv, int *i, struct error *err)
{
    const char *option = argv[*i];
    *to = *i + 1 < argc ? argv[++*i] : "";
    return **to || error_set(err, ERROR_USAGE, "%s needs a value", option);
}

// Of the options of a run, those that judge its result.
static bool is_option_of_runs(const char *word)
{
    size_t length = strcspn(word, "=");
    return (length == 9 && !strncmp(word, "--require", length)) ||
           (length == 7 && !strncmp(word, "--count", length)) ||
           (length == 6 && !strncmp(word, "--just", length));
}

static bool take_word(struct words *w, int argc, char **argv, int *i, struct error *err)
{
    const char *word = argv[*i], *name;
    if (is_option_of_runs(word))
        return options_take(&w->options, argc, argv, i, err) > 0;
    if (!strcmp(word, "-h") || !strcmp(word, "--help"))
        return w->help = true;
    if (!strcmp(word, "--mcdc"))
        return w->mcdc = true;
    if (!strcmp(word, "--format"))
        return take_value(&name, argc, argv, i, err) && take_format(w, name, err);
    if (!strncmp(word, "--format=", 9))
        return take_format(w, word + 9, err);
    if (!strcmp(word, "-o"))
        return take_value(&w->out, argc, argv, i, err);
    if (!strcmp(word, "--root"))
        return take_value(&w->root, argc, argv, i, err);
    if (word[0] == '-' || w->directory)
        return error_set(err, ERROR_USAGE, "unexpected word '%s'", word);
    w->directory = word;
    return true;
}

static bool take_words(struct words *w, int argc, char **argv, struct error *err)
{
    options_init(&w->options);
    for (int i = 0; i < argc; i++)
        if (!take_word(w, argc, argv, &i, err))
            return false;
    if (w->help)
        return true;
    if (!w->directory)
        return error_set(err, ERROR_USAGE, "which run directory?");
    if (!gate_of_options(&w->options, &w->gate, err))
        return false;
    if (!w->format && !w->gate.required)
        w->format = usual_format();
    return w->format || w->gate.required || error_set(err, ERROR_USAGE, "which --format?");
}

// ---- the report ----

static bool make_text(const struct words *w, const struct result *result,
                      const struct format_settings *settings, struct error *err)
{
    struct buf text = BUF_INIT;
    bool good = true;
    w->format->text(result, settings, &text);
    if (w->out)
        good = fs_write(w->out, buf_text(&text), text.length, err);
    else
        fwrite(buf_text(&text), 1, text.length, stdout);
    buf_release(&text);
    return good;
}

static bool make_folder(const struct words *w, const struct result *result, struct error *err)
{
    struct buf usual = BUF_INIT;
    buf_printf(&usual, "%s/report", w->directory);
    const char *place = w->out ? w->out : usual.data;
    bool good = w->format->folder(result, place, err);
    if (good)
        printf("%s%sindex.html\n", place, place[strlen(place) - 1] == '/' ? "" : "/");
    buf_release(&usual);
    return good;
}

// The time of a result is that of its store, so that the same store gives the same report.
static int64_t time_of(const char *store)
{
    struct stat info;
    return stat(store, &info) == 0 ? (int64_t)info.st_mtime : 0;
}

// The justifications of now, not those of the run: another one needs no new search.
static bool justify(const struct words *w, struct result *result, exit_set *exits,
                    struct error *err)
{
    const char *given = w->options.just;
    struct just_problems problems;
    if (*given && strcmp(given, "none") != 0 && !fs_exists(given))
        return error_set(err, ERROR_IO, "--just %s: No such file or directory", given);
    if (*given)
        justify_keep_in(result, strcmp(given, "none") ? given : NULL);
    just_problems_init(&problems);
    bool good = justify_result(result, true, &problems, err);
    for (size_t i = 0; i < problems.items.count; i++)
        fprintf(stderr, "cadenza: %s\n", problems.items.items[i]);
    *exits |= problems.items.count ? exit_bit(EXIT_GATE) : 0;
    just_problems_release(&problems);
    return good;
}

// A gate speaks about a whole run: what is not finished, or has failures, does not pass it.
static exit_set check_gate(const struct words *w, const struct result *result)
{
    if (!w->gate.required)
        return 0;
    exit_set exits = result_exits(result) & (exit_bit(EXIT_INCOMPLETE) | exit_bit(EXIT_RETRY) |
                                             exit_bit(EXIT_INTERNAL) | exit_bit(EXIT_NOTHING));
    if (exits)
        fprintf(stderr, "cadenza: gate failed: the run in %s is incomplete\n", w->directory);
    cli_print_gate(&w->gate, &result->totals, false);
    return exits | gate_exits(&w->options, &result->totals);
}

static int make_report(const struct words *w)
{
    struct result result;
    struct error err = {0};
    struct buf store = BUF_INIT;
    exit_set exits = 0;
    buf_printf(&store, "%s/cadenza.db", w->directory);
    char *root = fs_absolute(w->root ? w->root : ".");
    bool good = store_load(store.data, &result, &err) && justify(w, &result, &exits, &err);
    if (good && !root)
        good = error_set(&err, ERROR_IO, "there is no directory %s", w->root ? w->root : ".");
    struct format_settings settings = {
        .root = root ? root : "", .mcdc = w->mcdc, .when = time_of(store.data)};
    if (good && w->format)
        good = w->format->text ? make_text(w, &result, &settings, &err)
                               : make_folder(w, &result, &err);
    int code = good ? (int)exit_first(exits | check_gate(w, &result)) : cli_fail(&err);
    result_release(&result);
    buf_release(&store);
    free(root);
    return code;
}

int cli_report(int argc, char **argv)
{
    struct words w = {0};
    struct error err = {0};
    if (!take_words(&w, argc, argv, &err))
        return cli_usage("report", "%s", err.text);
    if (w.help) {
        print_help();
        return EXIT_DONE;
    }
    return make_report(&w);
}
