// SPDX-License-Identifier: Apache-2.0
// cadenza just: the open goals of a run directory as lines for cadenza.just.
#include "cli.h"

#include "just/justify.h"
#include "store/store.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char help[] =
    "cadenza just DIR\n\n"
    "Prints the open goals of a run directory as lines for the file cadenza.just, which turns\n"
    "them into justified ones. It stands beside compile_commands.json or the source, under\n"
    "version control. AUTHOR and REASON are to be filled in; lines that begin with # say where a\n"
    "goal is and why it is open. cadenza report reads the file anew: that needs no new search.\n";

static bool is_open(const struct result *result, size_t goal)
{
    const struct result_goal *it = &result->goals[goal];
    return it->verdict.kind == VERDICT_UNDETERMINED && result->functions[it->function].in_totals;
}

// A goal of a header may be open in several files of a project, and covered in another.
static bool is_to_be_listed(const struct result *result, size_t goal)
{
    bool listed = !result->is_project && is_open(result, goal);
    for (size_t i = 0; i < result->shared_goals.count; i++)
        listed |= result->shared_goals.items[i].best == goal && is_open(result, goal);
    return listed;
}

static void print_goals(const struct result *result, const char *date)
{
    for (size_t i = 0; i < result->goal_count; i++) {
        const struct result_goal *goal = &result->goals[i];
        struct buf line = BUF_INIT;
        if (!is_to_be_listed(result, i))
            continue;
        struct justification item = justification_of_goal(result, i);
        item.author = "AUTHOR";
        item.date = date;
        item.reason = "REASON";
        justification_write(&item, &line);
        printf("# %s:%u: %s\n%s", goal->file, goal->source_line, goal->verdict.text, line.data);
        buf_release(&line);
    }
}

static int list_directory(const char *directory)
{
    struct result result;
    struct error err = {0};
    struct buf store = BUF_INIT;
    time_t now = time(NULL);
    char date[32] = "";
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    buf_printf(&store, "%s/cadenza.db", directory);
    int code = store_load(store.data, &result, &err) ? EXIT_DONE : cli_fail(&err);
    if (code == EXIT_DONE)
        print_goals(&result, date);
    result_release(&result);
    buf_release(&store);
    return code;
}

int cli_just(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (argv[i][0] == '-' || i)
            return cli_usage("just", "unexpected word '%s'", argv[i]);
    }
    return argc ? list_directory(argv[0]) : cli_usage("just", "which run directory?");
}
