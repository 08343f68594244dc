// SPDX-License-Identifier: Apache-2.0
// The MC/DC table of a decision: one row per vector, with the tests that show it, and for every
// condition the two vectors that show its independence. Vectors of several tasks with the same
// values are one row.
#include "html/html_pages.h"

#include "base/tunables.h"
#include "html/html_widgets.h"

#include <string.h>

struct row {
    const struct result_vector *vector;
    VEC(struct html_test_ref) tests;
};

struct table {
    const struct html_model *model;
    const struct html_decision *decision;
    VEC(struct row) rows;
    size_t *row_of;     // [vector of the decision]
    size_t (*pairs)[2]; // rows, by the position of the condition; RESULT_NONE: there is none
};

static size_t find_row(struct table *t, const struct result_vector *vector)
{
    for (size_t i = 0; i < t->rows.count; i++)
        if (t->rows.items[i].vector->outcome == vector->outcome &&
            !strcmp(t->rows.items[i].vector->values, vector->values))
            return i;
    *VEC_PUSH(&t->rows) = (struct row){.vector = vector};
    return t->rows.count - 1;
}

static bool test_shows(const struct result_test *test, size_t vector)
{
    for (size_t i = 0; i < test->vector_count; i++)
        if (test->vectors[i] == vector)
            return true;
    return false;
}

static void fill_rows(struct table *t)
{
    const struct html_decision *d = t->decision;
    t->row_of = xcalloc(d->vectors.count + 1, sizeof *t->row_of);
    for (size_t i = 0; i < d->vectors.count; i++) {
        size_t number = d->vectors.items[i].task, vector = d->vectors.items[i].vector;
        const struct result_task *task = t->model->result->tasks.items[number];
        size_t row = t->row_of[i] = find_row(t, &task->vectors.items[vector]);
        for (size_t k = 0; k < task->tests.count; k++)
            if (test_shows(task->tests.items[k], vector))
                *VEC_PUSH(&t->rows.items[row].tests) = (struct html_test_ref){number, k};
    }
}

static size_t row_of_vector(const struct table *t, size_t task, size_t vector)
{
    for (size_t i = 0; i < t->decision->vectors.count; i++)
        if (t->decision->vectors.items[i].task == task &&
            t->decision->vectors.items[i].vector == vector)
            return t->row_of[i];
    return RESULT_NONE;
}

// The first pair that a task has for each condition.
static void find_pairs(struct table *t)
{
    const struct result *r = t->model->result;
    for (size_t i = 0; i < t->decision->decision->conditions; i++)
        t->pairs[i][0] = t->pairs[i][1] = RESULT_NONE;
    for (size_t i = 0; i < t->decision->vectors.count; i++) {
        size_t number = t->decision->vectors.items[i].task;
        const struct result_task *task = r->tasks.items[number];
        bool again = i && t->decision->vectors.items[i - 1].task == number;
        for (size_t p = 0; !again && p < task->pairs.count; p++) {
            const struct result_pair *pair = &task->pairs.items[p];
            const struct html_goal *goal = &t->model->goals.items[t->model->goal_of[pair->goal]];
            if (goal->decision == RESULT_NONE ||
                &t->model->decisions.items[goal->decision] != t->decision)
                continue;
            size_t *rows = t->pairs[goal->goal->index];
            if (rows[0] != RESULT_NONE)
                continue;
            rows[0] = row_of_vector(t, number, pair->first);
            rows[1] = row_of_vector(t, number, pair->second);
        }
    }
}

static void put_value(char value, bool in_pair, struct buf *out)
{
    buf_printf(out, "<td class=\"v%s%s\">%s</td>",
               value == 'T'   ? " t"
               : value == 'F' ? " f"
                              : "",
               in_pair ? " pair" : "",
               value == 'T'   ? "T"
               : value == 'F' ? "F"
                              : "·");
}

static void put_row(const struct table *t, size_t number, struct buf *out)
{
    const struct row *row = &t->rows.items[number];
    buf_printf(out, "<tr><th scope=\"row\">%zu</th>", number + 1);
    for (size_t i = 0; i < t->decision->decision->conditions && row->vector->values[i]; i++) {
        bool in_pair = t->pairs[i][0] == number || t->pairs[i][1] == number;
        put_value(row->vector->values[i], in_pair, out);
    }
    put_value(row->vector->outcome ? 'T' : 'F', false, out);
    buf_puts(out, "<td>");
    for (size_t i = 0; i < row->tests.count && i < HTML_VECTOR_TESTS; i++) {
        buf_puts(out, i ? ", " : "");
        html_test_link(t->model, row->tests.items[i].task, row->tests.items[i].test + 1, out);
    }
    if (row->tests.count > HTML_VECTOR_TESTS)
        buf_printf(out, " and %zu more", row->tests.count - HTML_VECTOR_TESTS);
    buf_puts(out, "</td></tr>\n");
}

static void put_vectors(const struct table *t, struct buf *out)
{
    buf_puts(out, "<table class=\"mcdc\"><caption>Vectors in tests: T true, F false, · not "
                  "evaluated; framed values form the pair that shows the condition"
                  "</caption><thead><tr><th scope=\"col\">Vector</th>");
    for (unsigned i = 0; i < t->decision->decision->conditions; i++)
        buf_printf(out, "<th scope=\"col\">C%u</th>", i + 1);
    buf_puts(out, "<th scope=\"col\">Outcome</th><th scope=\"col\">Tests</th></tr></thead>"
                  "<tbody>\n");
    for (size_t i = 0; i < t->rows.count; i++)
        put_row(t, i, out);
    buf_puts(out, "</tbody></table>\n");
}

static void put_conditions(const struct table *t, struct buf *out)
{
    buf_puts(out, "<dl class=\"verdicts\">\n");
    for (size_t i = 0; i < t->decision->goals.count; i++) {
        size_t number = t->decision->goals.items[i];
        const struct result_goal *goal = t->model->goals.items[number].goal;
        const size_t *pair = t->pairs[goal->index];
        html_printf(out, "<div id=\"g%zu\" class=\"goal\"><dt>C%u <code>%s</code></dt><dd>",
                    number + 1, goal->index + 1, goal->text[0] ? goal->text : "(condition)");
        html_verdict(t->model, number, out);
        if (pair[0] != RESULT_NONE && pair[1] != RESULT_NONE)
            buf_printf(out, "<p>Independence pair: vectors %zu and %zu.</p>", pair[0] + 1,
                       pair[1] + 1);
        buf_puts(out, "</dd></div>\n");
    }
    buf_puts(out, "</dl>\n");
}

void html_decision_table(const struct html_model *m, size_t number, struct buf *out)
{
    struct table t = {.model = m, .decision = &m->decisions.items[number]};
    t.pairs = xcalloc(t.decision->decision->conditions + 1, sizeof *t.pairs);
    fill_rows(&t);
    find_pairs(&t);
    buf_printf(out, "<div class=\"decision\"><h3>MC/DC of a decision of %u conditions</h3>\n",
               t.decision->decision->conditions);
    if (t.rows.count)
        put_vectors(&t, out);
    else
        buf_puts(out, "<p>No test evaluates the decision.</p>\n");
    put_conditions(&t, out);
    buf_puts(out, "</div>\n");
    for (size_t i = 0; i < t.rows.count; i++)
        VEC_RELEASE(&t.rows.items[i].tests);
    VEC_RELEASE(&t.rows);
    free(t.row_of);
    free(t.pairs);
}
