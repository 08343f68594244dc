// SPDX-License-Identifier: Apache-2.0
// Differences between two results, for people and as JSON.
#include "report/differences.h"

#include "base/json.h"

static const struct {
    const char *word, *heading;
    bool is_worse;
} kinds[DIFFERENCE_KINDS] = {
#define DIFFERENCE(name, word, heading, worse) {word, heading, worse},
#include "report/differences.def"
#undef DIFFERENCE
};

bool differences_are_worse(const struct differences *differences)
{
    for (int kind = 0; kind < DIFFERENCE_KINDS; kind++)
        if (kinds[kind].is_worse && differences->counts[kind])
            return true;
    return false;
}

static void write_difference(const struct difference *d, struct buf *out)
{
    buf_printf(out, "  %s: %s", d->place, d->what);
    if (*d->before && *d->after)
        buf_printf(out, "\n      before: %s\n      now:    %s", d->before, d->after);
    else if (*d->before || *d->after)
        buf_printf(out, " (%s)", *d->before ? d->before : d->after);
    buf_putc(out, '\n');
}

static void write_kind(const struct differences *d, int kind, struct buf *out)
{
    if (!d->counts[kind])
        return;
    buf_printf(out, "%s: %zu\n", kinds[kind].heading, d->counts[kind]);
    for (size_t i = 0; i < d->items.count; i++)
        if ((int)d->items.items[i].kind == kind)
            write_difference(&d->items.items[i], out);
}

void differences_text(const struct differences *d, struct buf *out)
{
    for (int kind = 0; kind < DIFFERENCE_KINDS; kind++)
        write_kind(d, kind, out);
    if (!d->items.count)
        buf_puts(out, "No difference.\n");
    buf_printf(out,
               "Tests with the same inputs: %zu behave as before, %zu differently. Only the old "
               "run has %zu further tests, only the new one %zu.\n",
               d->tests_same, d->counts[DIFFERENCE_TEST_CHANGED], d->tests_only_old,
               d->tests_only_new);
}

void differences_json(const struct differences *d, struct buf *out)
{
    struct json_writer w;
    json_begin(&w, out, true);
    json_open(&w, NULL, '{');
    json_bool(&w, "worse", differences_are_worse(d));
    json_open(&w, "counts", '{');
    for (int kind = 0; kind < DIFFERENCE_KINDS; kind++)
        json_int(&w, kinds[kind].word, (int64_t)d->counts[kind]);
    json_close(&w, '}');
    json_int(&w, "tests_same", (int64_t)d->tests_same);
    json_int(&w, "tests_only_old", (int64_t)d->tests_only_old);
    json_int(&w, "tests_only_new", (int64_t)d->tests_only_new);
    json_open(&w, "differences", '[');
    for (size_t i = 0; i < d->items.count; i++) {
        const struct difference *item = &d->items.items[i];
        json_open(&w, NULL, '{');
        json_text(&w, "kind", kinds[item->kind].word);
        json_text(&w, "place", item->place);
        json_text(&w, "what", item->what);
        json_text(&w, "before", item->before);
        json_text(&w, "after", item->after);
        json_close(&w, '}');
    }
    json_close(&w, ']');
    json_close(&w, '}');
    buf_putc(out, '\n');
}
