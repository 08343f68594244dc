// SPDX-License-Identifier: Apache-2.0
// cadenza show: what a run directory says, from its store.
#include "cli.h"

#include "report/report.h"
#include "store/store.h"
#include <stdio.h>
#include <string.h>

static const char help[] =
    "cadenza show DIR [alarm-N] [--open] [--as VIEW]\n\n"
    "Prints the tests, the verdict of every goal and the alarms of a run directory; of a\n"
    "project's, file by file, and the totals.\n"
    "  alarm-N    only this alarm: its inputs, which of them matter, and the way to it (of a\n"
    "             project: pass the directory of the file, DIR/files/NAME)\n"
    "  --open     only goals that are neither covered nor infeasible\n"
    "  --as VIEW  the result as summary (summary.json), goals (goals.txt), preconditions\n"
    "             (preconditions.txt) or table (what cadenza run prints at its end)\n";

static void view_listing(const struct result *result, struct buf *out)
{
    report_listing(result, false, out);
}

static void view_open(const struct result *result, struct buf *out)
{
    report_listing(result, true, out);
}

static void view_table(const struct result *result, struct buf *out)
{
    report_table_text(result, report_in_colour(stdout), out);
}

typedef void view(const struct result *result, struct buf *out);

static view *find_view(const char *name)
{
    static const struct {
        const char *name;
        view *make;
    } views[] = {{"summary", report_summary_json},
                 {"goals", report_goals},
                 {"preconditions", report_preconditions},
                 {"table", view_table}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (!strcmp(name, views[i].name))
            return views[i].make;
    return NULL;
}

static int show_alarm(const struct result *result, const char *directory, size_t number)
{
    if (result->is_project)
        return cli_usage("show",
                         "%s belongs to a project run; pass the directory of the alarm's file, "
                         "%s/files/NAME",
                         directory, directory);
    if (number > result->alarms.count)
        return cli_usage("show", "%s has %zu alarms, no alarm-%zu", directory, result->alarms.count,
                         number);
    const struct result_alarm *alarm = result->alarms.items[number - 1];
    struct buf text = BUF_INIT;
    report_alarm(alarm, number, result_alarm_task(result, alarm), &text);
    fputs(buf_text(&text), stdout);
    buf_release(&text);
    return EXIT_DONE;
}

// alarm: the number of one, or 0 for everything.
static int show_directory(const char *directory, size_t alarm, view *make)
{
    struct result result;
    struct error err = {0};
    struct buf store = BUF_INIT, text = BUF_INIT;
    int code = EXIT_DONE;
    buf_printf(&store, "%s/cadenza.db", directory);
    if (!store_load(store.data, &result, &err))
        code = cli_fail(&err);
    else if (alarm)
        code = show_alarm(&result, directory, alarm);
    else
        make(&result, &text);
    fwrite(buf_text(&text), 1, text.length, stdout);
    if (code == EXIT_DONE && result.is_project && !result.parts.count)
        code = EXIT_NOTHING;
    result_release(&result);
    buf_release(&store);
    buf_release(&text);
    return code;
}

int cli_show(int argc, char **argv)
{
    const char *directory = NULL;
    view *make = view_listing;
    unsigned alarm = 0;
    char rest;
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (!strcmp(argv[i], "--open")) {
            make = view_open;
        } else if (!strcmp(argv[i], "--as")) {
            make = i + 1 < argc ? find_view(argv[++i]) : NULL;
            if (!make)
                return cli_usage("show", "--as summary, goals, preconditions or table?");
        } else if (directory && !alarm &&
                   (sscanf(argv[i], "alarm-%u%c", &alarm, &rest) == 1 ||
                    sscanf(argv[i], "bug-%u%c", &alarm, &rest) == 1) &&
                   alarm) {
            continue;
        } else if (argv[i][0] == '-' || directory) {
            return cli_usage("show", "unexpected word '%s'", argv[i]);
        } else {
            directory = argv[i];
        }
    }
    if (!directory)
        return cli_usage("show", "which run directory?");
    return show_directory(directory, alarm, make);
}
