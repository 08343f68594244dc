// SPDX-License-Identifier: Apache-2.0
// The table at the end of a run: one line per task, the totals, and then in plain
// words whatever a reader must not miss (alarms, open goals and why, disagreements,
// a run that cannot be reproduced). Fits 80 columns.
#include "report/report.h"

#include "base/fs.h"
#include "base/map.h"
#include "base/tunables.h"
#include "report/next_steps.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 80, NAME = 19 };

enum colour { PLAIN, BOLD, RED, GREEN, YELLOW };

struct table {
    struct buf *out;
    bool colour;
};

// On a terminal, and nobody asked for none.
static bool may_colour(int fd)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(fd) && (!no_colour || !*no_colour) &&
           (!terminal || strcmp(terminal, "dumb") != 0);
}

// Text in a column; escapes stand around the padding so that columns stay aligned.
static void cell(const struct table *table, const char *text, int width, enum colour colour)
{
    static const char *const codes[] = {"", "\033[1m", "\033[31m", "\033[32m", "\033[33m"};
    bool coloured = table->colour && colour != PLAIN;
    buf_printf(table->out, "%s%*s%s", coloured ? codes[colour] : "", width, text,
               coloured ? "\033[0m" : "");
}

static void number_cell(const struct table *table, size_t number, int width, enum colour colour)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", number);
    cell(table, text, width, number ? colour : PLAIN);
}

static void ratio_cell(const struct table *table, size_t part, size_t all, int width)
{
    char text[64];
    snprintf(text, sizeof text, "%zu/%zu", part, all);
    cell(table, text, width, part == all ? GREEN : PLAIN);
}

static void time_cell(const struct table *table, double seconds, int width)
{
    char text[32];
    if (seconds < 99.95)
        snprintf(text, sizeof text, "%.1fs", seconds);
    else if (seconds < 6000)
        snprintf(text, sizeof text, "%.0fs", seconds);
    else
        snprintf(text, sizeof text, "%.0fmin", seconds / 60);
    cell(table, text, width, PLAIN);
}

// A long name loses its middle: the ends tell more.
static void name_cell(const struct table *table, const char *name, enum colour colour)
{
    char text[NAME + 1];
    size_t length = strlen(name), tail = 9;
    if (length <= NAME)
        snprintf(text, sizeof text, "%s", name);
    else
        snprintf(text, sizeof text, "%.*s..%s", (int)(NAME - 2 - tail), name, name + length - tail);
    cell(table, text, -NAME, colour);
}

static void row(const struct table *table, const char *name, const struct result_counts *counts,
                double seconds, enum colour colour)
{
    name_cell(table, name, colour);
    ratio_cell(table, counts->branches_covered, counts->branches, 11);
    number_cell(table, counts->branches_infeasible, 8, PLAIN);
    number_cell(table, counts->branches_infeasible_assuming, 7, PLAIN);
    number_cell(table, counts->branches_undetermined, 5, YELLOW);
    ratio_cell(table, counts->conditions_covered, counts->conditions, 11);
    number_cell(table, counts->tests, 6, PLAIN);
    number_cell(table, counts->alarms, 7, RED);
    time_cell(table, seconds, 6);
    buf_putc(table->out, '\n');
}

static void rule(const struct table *table)
{
    for (int i = 0; i < WIDTH; i++)
        buf_putc(table->out, '-');
    buf_putc(table->out, '\n');
}

// Wrapped at blanks; following lines are indented. A longer word stands alone. The
// first `column` columns are taken already.
static void paragraph(const struct table *table, const char *text, const char *indent,
                      size_t column)
{
    for (; *text == ' '; text++, column++)
        buf_putc(table->out, ' ');
    for (bool first = true; *text; first = false) {
        size_t blanks = first ? 0 : strspn(text, " \n");
        size_t length = strcspn(text + blanks, " \n");
        if (!first && column + blanks + length > WIDTH) {
            buf_printf(table->out, "\n%s", indent);
            column = strlen(indent);
        } else {
            buf_printf(table->out, "%*s", (int)blanks, "");
            column += blanks;
        }
        buf_add(table->out, text + blanks, length);
        column += length;
        text += blanks + length;
    }
    buf_putc(table->out, '\n');
}

static void say(const struct table *table, const char *indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void say(const struct table *table, const char *indent, const char *format, ...)
{
    struct buf text = BUF_INIT;
    va_list args;
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    paragraph(table, buf_text(&text), indent, 0);
    buf_release(&text);
}

static void say_list(const struct table *table, const char *title, const char *const *texts,
                     size_t count)
{
    if (!count)
        return;
    say(table, "", "%s (%zu):", title, count);
    for (size_t i = 0; i < count && i < REPORT_LINES; i++)
        say(table, "    ", "  - %s", texts[i]);
    if (count > REPORT_LINES)
        say(table, "    ", "  - and %zu more, see summary.json", count - REPORT_LINES);
}

static void say_alarm(const struct table *table, const struct result *result, size_t index)
{
    const struct result_alarm *alarm = result->alarms.items[index];
    struct buf text = BUF_INIT;
    char name[32];
    snprintf(name, sizeof name, "%s-%zu", alarm->is_bug ? "bug" : "alarm",
             result_alarm_number(result, index));
    cell(table, name, 0, RED);
    buf_putc(&text, ' ');
    report_alarm_line(alarm, result_alarm_task(result, alarm), &text);
    paragraph(table, text.data, "      ", strlen(name));
    buf_release(&text);
}

static void say_alarms(const struct table *table, const struct result *result)
{
    size_t shown = 0, unconfirmed = 0;
    for (size_t i = 0; i < result->alarms.count; i++) {
        const struct result_alarm *alarm = result->alarms.items[i];
        if (alarm->proof <= ALARM_NOT_REPRODUCED)
            unconfirmed++;
        else if (!alarm->ruled_out && shown++ < REPORT_LINES)
            say_alarm(table, result, i);
    }
    if (result->totals.bugs)
        say(table, "  ", "  %zu %s (exit code 1)", result->totals.bugs,
            result->totals.bugs == 1 ? "bug" : "bugs");
    if (shown > REPORT_LINES)
        say(table, "    ", "  and %zu more alarms, see goals.txt", shown - REPORT_LINES);
    if (shown)
        say(table, "  ", "  (cadenza show %s alarm-N tells the inputs and the way)",
            result->directory ? result->directory : "DIR");
    if (unconfirmed)
        say(table, "  ",
            "%zu faults that the engine saw did not reproduce on a clean build and are "
            "not counted.",
            unconfirmed);
}

// Why goals are open, the most frequent reason first.
struct reason {
    const char *text;
    size_t count;
};

static int compare_reasons(const void *left, const void *right)
{
    const struct reason *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return strcmp(a->text, b->text);
}

static void say_open(const struct table *table, const struct result *result)
{
    struct map index;
    VEC(struct reason) reasons = {0};
    map_init(&index);
    for (size_t i = 0; i < result->goal_count; i++) {
        const struct result_goal *goal = &result->goals[i];
        if (goal->verdict.kind != VERDICT_UNDETERMINED ||
            !result->functions[goal->function].in_totals)
            continue;
        uint64_t at;
        if (!map_get_text(&index, goal->verdict.text, &at)) {
            at = reasons.count;
            map_put_text(&index, goal->verdict.text, at);
            VEC_PUSH(&reasons)->text = goal->verdict.text;
        }
        reasons.items[at].count++;
    }
    if (reasons.count) {
        qsort(reasons.items, reasons.count, sizeof *reasons.items, compare_reasons);
        say(table, "", "Open goals and why:");
    }
    for (size_t i = 0; i < reasons.count && i < REPORT_LINES; i++)
        say(table, "        ", "  %4zu  %s", reasons.items[i].count, reasons.items[i].text);
    if (reasons.count > REPORT_LINES)
        say(table, "", "  and %zu more reasons, see goals.txt", reasons.count - REPORT_LINES);
    map_release(&index);
    VEC_RELEASE(&reasons);
}

// Questions to the user, those that a call violates first.
static void say_preconditions(const struct table *table, const struct result *result)
{
    size_t count = result->preconditions.count, shown = 0, out = 0;
    for (size_t i = 0; i < result->alarms.count; i++)
        out += result->alarms.items[i]->ruled_out;
    if (out)
        say(table, "  ", "%zu alarm%s ruled out by all call sites (cadenza pre list).", out,
            out == 1 ? " is" : "s are");
    for (int violated = 1; violated >= 0; violated--)
        for (size_t i = 0; i < count; i++) {
            const struct result_precondition *pre = &result->preconditions.items[i];
            if (pre->ruled_out || (pre->violated > 0) != violated || shown++ >= REPORT_LINES)
                continue;
            say(table, "      ", "  precondition? %s: %s (%s; %zu call%s, %zu violate it, %zu may)",
                pre->function, pre->expression, pre->origin, pre->site_count,
                pre->site_count == 1 ? "" : "s", pre->violated, pre->doubtful);
        }
    if (shown > REPORT_LINES)
        say(table, "", "  and %zu more, see cadenza pre list", shown - REPORT_LINES);
}

static void say_headers(const struct table *table, const struct result *result)
{
    size_t functions = 0, branches = 0, covered = 0;
    for (size_t i = 0; i < result->function_count; i++) {
        const struct result_function *function = &result->functions[i];
        if (function->in_totals || !function->tasks)
            continue;
        functions++;
        for (size_t g = function->first_goal; g < function->first_goal + function->goal_count; g++)
            if (result->goals[g].kind == GOAL_BRANCH) {
                branches++;
                covered += result->goals[g].verdict.kind == VERDICT_COVERED;
            }
    }
    if (functions)
        say(table, "  ",
            "Not in the totals: %zu function%s from headers, %zu of %zu branches covered "
            "(goals.txt).",
            functions, functions == 1 ? "" : "s", covered, branches);
}

// Infeasible in the weak sense, by what is presumed. The numbers are not disjoint.
static void say_assuming(const struct table *table, const struct result *result)
{
    static const char *const words[ASSUMPTION_KINDS] = {
        "objects as the driver builds them", "bounds", "preconditions",
        "no undefined behaviour where an alarm shows some", "the C locale, a system that works"};
    struct buf text = BUF_INIT;
    for (unsigned kind = 0; kind < ASSUMPTION_KINDS; kind++)
        if (result->assuming[kind])
            buf_printf(&text, "%s%s: %zu", text.length ? ", " : "", words[kind],
                       result->assuming[kind]);
    if (text.length)
        say(table, "  ", "Infeasible goals that assume %s.", text.data);
    buf_release(&text);
}

static void say_totals(const struct table *table, const struct result *result)
{
    const struct result_counts *t = &result->totals;
    say(table, "  ",
        "%zu of %zu lines covered. MC/DC: %zu shown, %zu infeasible, %zu infeasible assuming "
        "something, %zu open.%s",
        t->lines_covered, t->lines, t->conditions_covered, t->conditions_infeasible,
        t->conditions_infeasible_assuming, t->conditions_undetermined,
        t->branches_justified + t->conditions_justified ? " Some goals are justified by the user."
                                                        : "");
    if (t->branches_covered_by_crash + t->conditions_covered_by_crash)
        say(table, "  ",
            "Only tests that crash cover %zu of the branches and %zu of the conditions.",
            t->branches_covered_by_crash, t->conditions_covered_by_crash);
    say_assuming(table, result);
    say_headers(table, result);
    say_alarms(table, result);
    say_preconditions(table, result);
    say_open(table, result);
}

void report_next_steps(const struct result *result, struct buf *out)
{
    const struct table table = {out, false};
    struct next_step steps[REPORT_NEXT_STEPS];
    struct arena arena;
    arena_init(&arena);
    size_t count = next_steps_find(result, steps, &arena);
    if (count)
        say(&table, "", "What to do next:");
    for (size_t i = 0; i < count; i++)
        say(&table, "    ", "  - %s", steps[i].text);
    arena_release(&arena);
}

static void header(const struct table *table)
{
    static const struct {
        const char *text;
        int width;
    } columns[] = {{"task", -NAME},    {"branches", 11}, {"infeas.", 8}, {"assum.", 7}, {"open", 5},
                   {"conditions", 11}, {"tests", 6},     {"alarms", 7},  {"time", 6}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        cell(table, columns[i].text, columns[i].width, BOLD);
    buf_putc(table->out, '\n');
}

void report_table_text(const struct result *result, bool colour, struct buf *out)
{
    struct table table = {out, colour};
    double seconds = 0;
    header(&table);
    for (size_t i = 0; i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        row(&table, task->function, &task->counts, task->seconds, PLAIN);
        seconds += task->seconds;
    }
    rule(&table);
    row(&table, "total", &result->totals, seconds, BOLD);
    say_totals(&table, result);
    say_list(&table, "Errors", result->errors.items, result->errors.count);
    say_list(&table, "Engine and clean build disagree - please report", result->disagreements.items,
             result->disagreements.count);
    say_list(&table, "Notes", result->notes.items, result->notes.count);
    if (!result->reproducible)
        say(&table, "",
            "Not reproducible: a clock ended part of the work, so another run may "
            "differ. Use --iterations for a run that can be repeated.");
    report_next_steps(result, out);
    if (result->directory[0])
        say(&table, "  ", "Results: %s (tests/, harness/, goals.txt, summary.json, cadenza.db)",
            result->directory);
}

static void solver_lines(const struct result *result, struct buf *out)
{
    buf_printf(out, "%-12s %9s %9s %9s %9s\n", "solver layer", "asked", "sat", "unsat", "seconds");
    for (size_t i = 0; i < result->layers.count; i++) {
        const struct result_layer *layer = &result->layers.items[i];
        if (layer->queries)
            buf_printf(out, "%-12s %9llu %9llu %9llu %9.3f\n", layer->name,
                       (unsigned long long)layer->queries, (unsigned long long)layer->sat,
                       (unsigned long long)layer->unsat, layer->seconds);
    }
    if (result->slow_queries)
        buf_printf(out, "%zu slow queries: %s/queries\n", result->slow_queries, result->directory);
}

bool report_in_colour(FILE *out)
{
    return may_colour(fileno(out));
}

void report_table(const struct result *result, FILE *out, bool verbose)
{
    struct buf text = BUF_INIT;
    if (verbose)
        report_goals(result, &text);
    report_table_text(result, report_in_colour(out), &text);
    if (verbose)
        solver_lines(result, &text);
    fwrite(buf_text(&text), 1, text.length, out);
    buf_release(&text);
}
