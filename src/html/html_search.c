// SPDX-License-Identifier: Apache-2.0
// How the search went: coverage over executions and time, layers of the solver, time per task.
#include "html/html_pages.h"

#include "base/tunables.h"
#include "html/html_plot.h"
#include "html/html_widgets.h"

#include "report/report.h"
#include <stdlib.h>
#include <string.h>

// ---- curves: tasks of one strategy add up ----

struct gain {
    double x;
    long branches, conditions;
};

struct gains {
    const char *strategy;
    VEC(struct gain) by_execution, by_time;
};

static int compare_gains(const void *a, const void *b)
{
    const struct gain *left = a, *right = b;
    return left->x < right->x ? -1 : left->x > right->x;
}

static void add_task(struct gains *gains, const struct result_task *task)
{
    const struct result_sample *last = NULL;
    for (size_t i = 0; i < task->samples.count; i++) {
        const struct result_sample *s = &task->samples.items[i];
        struct gain gain = {.branches = (long)s->branches - (last ? (long)last->branches : 0),
                            .conditions =
                                (long)s->conditions - (last ? (long)last->conditions : 0)};
        gain.x = s->iteration ? (double)s->iteration : 1;
        *VEC_PUSH(&gains->by_execution) = gain;
        gain.x = s->seconds > 0.0001 ? s->seconds : 0.0001;
        *VEC_PUSH(&gains->by_time) = gain;
        last = s;
    }
}

static struct gains *gains_of(const struct result_part *part, struct gains *list, size_t *count,
                              struct arena *arena)
{
    struct buf name = BUF_INIT;
    report_strategy(part->options, &name);
    struct gains *found = NULL;
    for (size_t i = 0; i < *count; i++)
        if (!strcmp(list[i].strategy, buf_text(&name)))
            found = &list[i];
    if (!found) {
        found = &list[(*count)++];
        *found = (struct gains){.strategy = arena_strdup(arena, buf_text(&name))};
    }
    buf_release(&name);
    return found;
}

static void add_curves(const struct gain *gains, size_t count, struct html_curve curves[2])
{
    double branches = 0, conditions = 0;
    for (size_t i = 0; i < count; i++) {
        branches += (double)gains[i].branches;
        conditions += (double)gains[i].conditions;
        *VEC_PUSH(&curves[0].points) = (struct html_point){gains[i].x, branches};
        *VEC_PUSH(&curves[1].points) = (struct html_point){gains[i].x, conditions};
    }
}

static void put_plot(struct gains *gains, size_t count, bool by_time, struct arena *arena,
                     struct buf *out)
{
    struct html_curve *curves = xcalloc(2 * count + 1, sizeof *curves);
    for (size_t i = 0; i < count; i++) {
        struct gain *items = by_time ? gains[i].by_time.items : gains[i].by_execution.items;
        size_t number = by_time ? gains[i].by_time.count : gains[i].by_execution.count;
        if (number)
            qsort(items, number, sizeof *items, compare_gains);
        curves[2 * i].name = arena_printf(arena, "branches, %s", gains[i].strategy);
        curves[2 * i + 1].name = arena_printf(arena, "conditions, %s", gains[i].strategy);
        add_curves(items, number, &curves[2 * i]);
    }
    html_curves(&(struct html_plot){.id = by_time ? "plot-time" : "plot-executions",
                                    .title = by_time ? "Coverage over time, by strategy"
                                                     : "Coverage over executions, by strategy",
                                    .x_label = by_time ? "seconds of search per task"
                                                       : "executions per task",
                                    .y_label = "goals covered",
                                    .curves = curves,
                                    .count = 2 * count},
                out);
    for (size_t i = 0; i < 2 * count; i++)
        VEC_RELEASE(&curves[i].points);
    free(curves);
}

static void put_progress(const struct result *r, struct buf *out)
{
    struct arena arena;
    arena_init(&arena);
    struct gains *list = xcalloc(r->parts.count + 1, sizeof *list);
    size_t count = 0;
    for (size_t i = 0; i < r->tasks.count; i++)
        add_task(gains_of(r->parts.items[r->tasks.items[i]->part], list, &count, &arena),
                 r->tasks.items[i]);
    buf_puts(out, "<h2 id=\"progress\">Coverage while searching</h2>\n<p>What the engine had "
                  "covered, summed over all tasks. Each task counts its own executions and "
                  "time.</p>\n<div class=\"columns\">\n");
    put_plot(list, count, false, &arena, out);
    put_plot(list, count, true, &arena, out);
    buf_puts(out, "</div>\n");
    for (size_t i = 0; i < count; i++) {
        VEC_RELEASE(&list[i].by_execution);
        VEC_RELEASE(&list[i].by_time);
    }
    free(list);
    arena_release(&arena);
}

// ---- the solver ----

static void put_layers(const struct result *r, struct buf *out)
{
    static const char *const head[] = {
        "Layer", "*Reached it", "*Satisfiable", "*Unsatisfiable", "*Time", "Answered, passed on",
        NULL};
    double most = 0;
    for (size_t i = 0; i < r->layers.count; i++)
        most =
            (double)r->layers.items[i].queries > most ? (double)r->layers.items[i].queries : most;
    buf_puts(out, "<h2 id=\"solver\">Layers of the solver</h2>\n<p>In the order in which queries "
                  "pass them, with the queries that each answered itself. Slow queries, of more "
                  "than a second: ");
    html_number(out, "solver.slow", r->slow_queries);
    buf_puts(out, ".</p>\n");
    html_table_begin(out, "Layers", head, false);
    for (size_t i = 0; i < r->layers.count; i++) {
        const struct result_layer *layer = &r->layers.items[i];
        uint64_t answered = layer->sat + layer->unsat;
        double rest = layer->queries > answered ? (double)(layer->queries - answered) : 0;
        struct html_bar_part parts[] = {{"one", "satisfiable", (double)layer->sat},
                                        {"two", "unsatisfiable", (double)layer->unsat},
                                        {"rest", "passed on", rest}};
        html_printf(
            out,
            "<tr><td>%s</td><td class=\"n\"><span data-n=\"solver.layers[%zu].queries\">%llu"
            "</span></td><td class=\"n\">%llu</td><td class=\"n\">%llu</td>"
            "<td class=\"n\" data-v=\"%.9f\">",
            layer->name, i, (unsigned long long)layer->queries, (unsigned long long)layer->sat,
            (unsigned long long)layer->unsat, layer->seconds);
        html_seconds(out, layer->seconds);
        buf_puts(out, "</td><td>");
        html_stacked_bar(parts, 3, most, out);
        buf_puts(out, "</td></tr>\n");
    }
    html_table_end(out);
}

// ---- time ----

static int compare_seconds(const void *a, const void *b, void *context)
{
    const struct result *r = context;
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    double x = r->tasks.items[left]->seconds, y = r->tasks.items[right]->seconds;
    return x > y ? -1 : x < y ? 1 : left < right ? -1 : left > right;
}

static void put_task_time(const struct html_model *m, size_t number, double most, struct buf *out)
{
    const struct result_task *task = m->result->tasks.items[number];
    double rest = task->seconds - task->solver_seconds - task->choosing_seconds;
    struct html_bar_part parts[] = {{"one", "seconds of solving", task->solver_seconds},
                                    {"two", "of choosing", task->choosing_seconds},
                                    {"rest", "of executing and the rest", rest > 0 ? rest : 0}};
    buf_puts(out, "<tr><td>");
    html_task_link(m, number, out);
    buf_printf(out, "</td><td class=\"n\" data-v=\"%.6f\">", task->seconds);
    html_seconds(out, task->seconds);
    buf_printf(out, "</td><td class=\"n\" data-v=\"%.6f\">", task->solver_seconds);
    html_seconds(out, task->solver_seconds);
    buf_puts(out, "</td><td>");
    html_stacked_bar(parts, 3, most, out);
    buf_puts(out, "</td></tr>\n");
}

static void put_times(const struct html_model *m, struct buf *out)
{
    static const char *const head[] = {"Task", "*Time", "*Solving",
                                       "Solving, choosing, executing and the rest", NULL};
    const struct result *r = m->result;
    size_t count = r->tasks.count, *order = xcalloc(count + 1, sizeof *order);
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof *order, compare_seconds, (void *)r);
    buf_puts(out, "<h2 id=\"time\">Time per task</h2>\n");
    if (count > HTML_PLOTTED_TASKS)
        buf_printf(out, "<p>The %d longest of %zu; <a href=\"tests.html\">all tasks</a>.</p>\n",
                   HTML_PLOTTED_TASKS, count);
    html_table_begin(out, "Longest first", head, false);
    for (size_t i = 0; i < count && i < HTML_PLOTTED_TASKS; i++)
        put_task_time(m, order[i], r->tasks.items[order[0]]->seconds, out);
    html_table_end(out);
    free(order);
}

void html_search_page(const struct html_model *m, struct buf *out)
{
    html_page_begin(m, "search.html", "Search", out);
    put_progress(m->result, out);
    put_layers(m->result, out);
    put_times(m, out);
    html_page_end(out);
}
