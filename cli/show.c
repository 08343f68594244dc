// SPDX-License-Identifier: Apache-2.0
// cadenza show: what a run directory says, from its database.
#include "cli.h"

#include "base/fs.h"
#include "report/report.h"
#include <stdio.h>
#include <string.h>

static const char help[] =
    "cadenza show DIR [alarm-N] [--open]\n\n"
    "Prints the tests, the verdict of every goal and the alarms of a run directory; of a\n"
    "project's, file by file, and the totals.\n"
    "  alarm-N  only this alarm: its inputs, which of them matter, and the way to it (of a\n"
    "           project: give the directory of the file, DIR/files/NAME)\n"
    "  --open   only goals that are neither covered nor infeasible\n";

static void print_tests(const struct saved_task *task)
{
    printf("%s: %zu tests, %zu of %zu branches covered, %zu infeasible, %zu assuming something%s\n",
           task->function, task->test_count, task->counts.branches_covered, task->counts.branches,
           task->counts.branches_infeasible, task->counts.branches_infeasible_assuming,
           task->exhausted ? ", all paths explored" : "");
    for (size_t i = 0; i < task->test_count; i++)
        printf("  %s: %s%s%s\n", task->tests[i].path, task->tests[i].outcome,
               *task->tests[i].fault ? ", " : "", task->tests[i].fault);
}

static void print_goal(const struct saved_goal *goal)
{
    printf("%s:%u: %s: %s %s: %s", fs_basename(goal->file), goal->source_line, goal->function,
           goal->text,
           goal->kind == GOAL_CONDITION ? "(MC/DC)"
           : goal->outcome              ? "true"
                                        : "false",
           verdict_name(goal->verdict.kind));
    if (goal->verdict.kind == VERDICT_COVERED && goal->verdict.test)
        printf(" by %s/%04u", goal->task, goal->verdict.test);
    else if (goal->verdict.kind == VERDICT_INFEASIBLE || goal->verdict.kind == VERDICT_ASSUMING)
        printf(" (%s)", proof_name(goal->verdict.proof));
    if (goal->verdict.by_crash)
        printf(", only by tests that crash");
    if (goal->verdict.text && *goal->verdict.text)
        printf(": %s", goal->verdict.text);
    putchar('\n');
}

static void print_alarm(const struct saved_run *saved, size_t number)
{
    const struct result_alarm *alarm = &saved->alarms[number - 1];
    struct buf text = BUF_INIT;
    report_alarm(alarm, number,
                 alarm->task < saved->task_count ? saved->tasks[alarm->task].function : "?", &text);
    fputs(buf_text(&text), stdout);
    buf_release(&text);
}

static void print_run(const struct saved_run *saved, bool only_open)
{
    for (size_t i = 0; !only_open && i < saved->task_count; i++)
        print_tests(&saved->tasks[i]);
    for (size_t i = 0; i < saved->goal_count; i++)
        if (!only_open || saved->goals[i].verdict.kind == VERDICT_UNDETERMINED)
            print_goal(&saved->goals[i]);
    for (size_t i = 0; !only_open && i < saved->alarm_count; i++)
        print_alarm(saved, i + 1);
}

static void print_counts(const char *name, const struct result_counts *c)
{
    printf("%s: %zu tests, %zu of %zu branches covered, %zu infeasible, %zu assuming something, "
           "%zu open, %zu alarms, %zu bugs\n",
           name, c->tests, c->branches_covered, c->branches, c->branches_infeasible,
           c->branches_infeasible_assuming, c->branches_undetermined, c->alarms, c->bugs);
}

static void add_counts(struct result_counts *sum, const struct result_counts *counts)
{
#define ADD(name) sum->name += counts->name;
    RESULT_COUNTS(ADD)
#undef ADD
}

// The files of a project: each under a line of its own. One that cannot be read does not
// stop the others.
static int show_project(const char *directory, const struct saved_place *places, size_t count,
                        bool only_open)
{
    struct result_counts sum = {0};
    exit_set exits = 0;
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        struct arena arena;
        struct saved_run saved;
        struct error err = {0};
        arena_init(&arena);
        if (report_read_db(arena_printf(&arena, "%s/%s/cadenza.db", directory, places[i].directory),
                           &arena, &saved, &err)) {
            print_counts(places[i].directory, &saved.totals);
            print_run(&saved, only_open);
            putchar('\n');
            add_counts(&sum, &saved.totals);
            shown++;
        } else {
            cli_fail(&err);
            exits |= exit_for_part(err.kind);
        }
        arena_release(&arena);
    }
    // Goals that several files have count once.
    struct error err = {0};
    struct buf database = BUF_INIT, shared = BUF_INIT;
    size_t assuming[ASSUMPTION_KINDS];
    buf_printf(&database, "%s/cadenza.db", directory);
    if (!report_project_goals(buf_text(&database), &sum, assuming, &shared, &err))
        exits |= exit_bit(cli_fail(&err));
    if (shared.length)
        printf("%s\n", buf_text(&shared));
    buf_release(&database);
    buf_release(&shared);
    printf("%zu files, ", count);
    print_counts("total", &sum);
    return exit_first(exits | (shown ? 0 : exit_bit(EXIT_NOTHING)));
}

static int show_alarm(const struct saved_run *saved, const char *directory, size_t number)
{
    if (number > saved->alarm_count)
        return cli_usage("show", "%s has %zu alarms, no alarm-%zu", directory, saved->alarm_count,
                         number);
    print_alarm(saved, number);
    return EXIT_DONE;
}

// alarm: the number of one, or 0 for everything.
static int show_directory(const char *directory, size_t alarm, bool only_open)
{
    struct arena arena;
    struct saved_run saved;
    struct saved_place *places;
    size_t count;
    struct error err = {0};
    arena_init(&arena);
    const char *database = arena_printf(&arena, "%s/cadenza.db", directory);
    int code = EXIT_DONE;
    if (!report_read_runs(database, &arena, &places, &count, &err))
        code = cli_fail(&err);
    else if ((count != 1 || *places[0].directory) && alarm)
        code = cli_usage("show", "%s is a project's: give the directory of the alarm's file",
                         directory);
    else if (count != 1 || *places[0].directory)
        code = show_project(directory, places, count, only_open);
    else if (!report_read_db(database, &arena, &saved, &err))
        code = cli_fail(&err);
    else if (alarm)
        code = show_alarm(&saved, directory, alarm);
    else
        print_run(&saved, only_open);
    arena_release(&arena);
    return code;
}

int cli_show(int argc, char **argv)
{
    const char *directory = NULL;
    bool only_open = false;
    unsigned alarm = 0;
    char rest;
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (!strcmp(argv[i], "--open"))
            only_open = true;
        else if (directory && !alarm &&
                 (sscanf(argv[i], "alarm-%u%c", &alarm, &rest) == 1 ||
                  sscanf(argv[i], "bug-%u%c", &alarm, &rest) == 1) &&
                 alarm)
            continue;
        else if (argv[i][0] == '-' || directory)
            return cli_usage("show", "unexpected word '%s'", argv[i]);
        else
            directory = argv[i];
    }
    if (!directory)
        return cli_usage("show", "which run directory?");
    return show_directory(directory, alarm, only_open);
}
