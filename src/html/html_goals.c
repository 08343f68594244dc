// SPDX-License-Identifier: Apache-2.0
// The goals that no test covers in a normal execution: open ones by cause, infeasible ones by
// assumption and proof, justified ones, and those that only crashing tests cover. A goal with
// several causes, or assumptions, stands under each of them, as the counts of summary.json do.
#include "html/html_pages.h"
#include "html/html_widgets.h"

struct list {
    const char *id, *title;
    const char *key;  // of summary.json, or NULL
    const char *text; // below the heading, or NULL
    enum html_state state;
    unsigned causes;  // one of them, 0: none at all, ~0u: it does not matter
    unsigned assumes; // one of them
};

static bool belongs(const struct html_goal *goal, const struct list *list)
{
    const struct verdict *verdict = &goal->goal->verdict;
    if (html_state_of(verdict) != list->state)
        return false;
    if (list->state == HTML_ASSUMING)
        return verdict->assumes & list->assumes;
    if (list->causes == ~0u)
        return true;
    return list->causes ? (verdict->causes & list->causes) != 0 : !verdict->causes;
}

static void put_reason(const struct verdict *verdict, struct buf *out)
{
    if (verdict->kind == VERDICT_INFEASIBLE || verdict->kind == VERDICT_ASSUMING) {
        html_text(out, proof_name(verdict->proof));
        if (verdict->evidence)
            html_printf(out, ": %s", verdict->evidence);
        if (verdict->kind == VERDICT_ASSUMING)
            html_printf(out, ", assuming %s", verdict->text);
    } else if (verdict->kind != VERDICT_COVERED) {
        html_text(out, verdict->text);
    }
}

static void put_row(const struct html_model *m, size_t number, struct buf *out)
{
    const struct html_goal *goal = &m->goals.items[number];
    html_printf(out, "<tr class=\"%s\"><td>%s:%u</td><td>%s()</td><td>",
                goal->in_totals ? "in" : "beside", m->files.items[goal->file].name,
                goal->goal->source_line, m->functions.items[goal->function].function->name);
    html_mark(out, html_state_of(&goal->goal->verdict));
    buf_putc(out, ' ');
    html_goal_link(m, number, out);
    buf_puts(out, "</td><td>");
    if (goal->goal->verdict.kind == VERDICT_COVERED && goal->goal->verdict.test &&
        goal->goal->verdict_task != RESULT_NONE)
        html_test_link(m, goal->goal->verdict_task, goal->goal->verdict.test, out);
    else
        put_reason(&goal->goal->verdict, out);
    buf_puts(out, "</td></tr>\n");
}

// Goals outside the totals are listed and not counted. Returns how many there are in all.
static size_t put_list(const struct html_model *m, const struct list *list, struct buf *out)
{
    static const char *const head[] = {"Place", "Function", "Goal", "Why", NULL};
    size_t count = 0, all = 0;
    for (size_t i = 0; i < m->goals.count; i++)
        if (belongs(&m->goals.items[i], list)) {
            all++;
            count += m->goals.items[i].in_totals;
        }
    if (!all)
        return 0;
    html_printf(out, "<section class=\"later goals\"><h2 id=\"%s\">%s <span class=\"count\"",
                list->id, list->title);
    if (list->key)
        html_printf(out, " data-n=\"%s\"", list->key);
    buf_printf(out, ">%zu</span></h2>\n", count);
    if (list->text)
        html_printf(out, "<p>%s</p>\n", list->text);
    if (all > count)
        buf_printf(out, "<p>Further goals, in grey, are not in the totals: %zu.</p>\n",
                   all - count);
    html_table_begin(out, list->title, head, true);
    for (size_t f = 0; f < m->files.count; f++)
        for (size_t i = 0; i < m->files.items[f].goals.count; i++) {
            size_t goal = m->files.items[f].goals.items[i];
            if (belongs(&m->goals.items[goal], list))
                put_row(m, goal, out);
        }
    html_table_end(out);
    buf_puts(out, "</section>\n");
    return all;
}

static size_t put_open(const struct html_model *m, struct buf *out)
{
    size_t count = 0;
    for (int cause = 0; cause < OPEN_CAUSES; cause++) {
        struct arena arena;
        arena_init(&arena);
        const char *name = open_cause_name(cause);
        count += put_list(
            m,
            &(struct list){.id = arena_printf(&arena, "open-%s", name),
                           .title = arena_printf(&arena, "Open: %s", open_cause_title(cause)),
                           .key = arena_printf(&arena, "open.%s", name),
                           .text = arena_printf(&arena, "To do: %s.", open_cause_advice(cause)),
                           .state = HTML_OPEN,
                           .causes = 1u << cause},
            out);
        arena_release(&arena);
    }
    return count + put_list(m,
                            &(struct list){.id = "open-other",
                                           .title = "Open: not searched for",
                                           .state = HTML_OPEN},
                            out);
}

static size_t put_assuming(const struct html_model *m, struct buf *out)
{
    static const char *const titles[] = {"Infeasible if objects are as the driver builds them",
                                         "Infeasible within bounds",
                                         "Infeasible under confirmed preconditions",
                                         "Infeasible without undefined behaviour that alarms show",
                                         "Infeasible in the usual environment"};
    size_t count = 0;
    for (unsigned kind = 0; kind < ASSUMPTION_KINDS; kind++) {
        struct arena arena;
        arena_init(&arena);
        const char *name = assumption_name(1u << kind);
        count += put_list(m,
                          &(struct list){.id = arena_printf(&arena, "assuming-%s", name),
                                         .title = titles[kind],
                                         .key = arena_printf(&arena, "assuming.%s", name),
                                         .state = HTML_ASSUMING,
                                         .assumes = 1u << kind},
                          out);
        arena_release(&arena);
    }
    return count;
}

void html_goals_page(const struct html_model *m, struct buf *out)
{
    static const struct list rest[] = {
        {.id = "justified", .title = "Justified", .state = HTML_JUSTIFIED, .causes = ~0u},
        {.id = "crash",
         .title = "Covered by crashing tests only",
         .state = HTML_CRASH,
         .causes = ~0u},
        {.id = "infeasible", .title = "Infeasible", .state = HTML_INFEASIBLE, .causes = ~0u}};
    html_page_begin(m, "goals.html", "Goals that need attention", out);
    buf_puts(out, "<p>Branches and MC/DC conditions that are open, infeasible, justified, or "
                  "covered by crashing tests only. A goal with several causes or assumptions is "
                  "listed under each. All others are covered; the "
                  "<a href=\"index.html\">source pages</a> show them.</p>\n");
    html_legend(out);
    size_t count = put_open(m, out);
    for (size_t i = 0; i < 2; i++)
        count += put_list(m, &rest[i], out);
    count += put_assuming(m, out);
    count += put_list(m, &rest[2], out);
    if (!count)
        buf_puts(out, "<p>There are none: every goal is covered.</p>\n");
    html_page_end(out);
}
