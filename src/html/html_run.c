// SPDX-License-Identifier: Apache-2.0
// What the results rest on: versions, options, seeds, sources; assumptions, stubs and limits.
#include "html/html_pages.h"
#include "html/html_widgets.h"

#include "base/map.h"

static void put_list(const char *id, const char *title, const char *const *texts, size_t count,
                     struct buf *out)
{
    html_printf(out, "<h2 id=\"%s\">%s <span class=\"count\">%zu</span></h2>\n", id, title, count);
    if (!count) {
        buf_puts(out, "<p>None.</p>\n");
        return;
    }
    buf_puts(out, "<ul>\n");
    for (size_t i = 0; i < count; i++)
        html_printf(out, "<li>%s</li>\n", texts[i]);
    buf_puts(out, "</ul>\n");
}

static void put_exits(const struct result *r, struct buf *out)
{
    enum exit_code list[EXIT_CODE_COUNT];
    size_t count = exit_list(result_exits(r), list);
    for (size_t i = 0; i < count; i++)
        buf_printf(out, "%s%d", i ? ", " : "", (int)list[i]);
}

static void put_about(const struct result *r, struct buf *out)
{
    html_printf(out,
                "<dl class=\"about\">\n<dt>Cadenza</dt><dd>version %s</dd>\n"
                "<dt>Run directory</dt><dd><code>%s</code></dd>\n",
                r->version, r->directory);
    if (!r->is_project)
        html_printf(out, "<dt>Tested file</dt><dd><code>%s</code></dd>\n", r->file);
    html_printf(out,
                "<dt>Data model</dt><dd>%s</dd>\n<dt>Reproducible</dt><dd>%s</dd>\n"
                "<dt>Finished</dt><dd>%s</dd>\n<dt>Exit codes</dt><dd>",
                r->data_model,
                r->reproducible ? "yes: the same seed gives the same tests"
                                : "no: a clock ended a search or a query, or an execution did not "
                                  "repeat itself",
                r->unfinished ? "no" : "yes");
    put_exits(r, out);
    buf_puts(out, "</dd>\n<dt>Time to build</dt><dd>");
    html_seconds(out, r->setup_seconds);
    buf_puts(out, " of processor time</dd>\n</dl>\n");
}

static void put_parts(const struct html_model *m, struct buf *out)
{
    static const char *const head[] = {"File",           "*Seed",   "Data model",
                                       "Compiler flags", "Options", NULL};
    const struct result *r = m->result;
    buf_puts(out, "<h2 id=\"options\">Options and flags</h2>\n");
    html_table_begin(out, "By file", head, r->parts.count > 5);
    for (size_t i = 0; i < r->parts.count; i++) {
        const struct result_part *part = r->parts.items[i];
        const struct html_file *file = html_model_file(m, part->file);
        buf_puts(out, "<tr><td>");
        if (file)
            html_file_link(file, out);
        html_printf(out, "</td><td class=\"n\">%llu</td><td>%s</td><td class=\"words\">",
                    (unsigned long long)part->seed, part->data_model);
        for (const char *const *flag = part->flags; flag && *flag; flag++)
            html_printf(out, "<code>%s</code> ", *flag);
        html_printf(out, "</td><td class=\"words\"><code>%s</code></td></tr>\n", part->options);
    }
    html_table_end(out);
}

static void put_assumptions(const struct html_model *m, struct buf *out)
{
    static const char *const head[] = {"Task", "Assumption", NULL};
    const struct result *r = m->result;
    size_t count = 0;
    for (size_t i = 0; i < r->tasks.count; i++)
        count += r->tasks.items[i]->assumptions.count;
    buf_printf(out,
               "<h2 id=\"assumptions\">Assumptions of tasks <span class=\"count\">%zu</span>"
               "</h2>\n",
               count);
    if (!count) {
        buf_puts(out, "<p>None.</p>\n");
        return;
    }
    html_table_begin(out, "What drivers and stubs assume", head, true);
    for (size_t i = 0; i < r->tasks.count; i++)
        for (size_t k = 0; k < r->tasks.items[i]->assumptions.count; k++) {
            buf_puts(out, "<tr><td>");
            html_task_link(m, i, out);
            html_printf(out, "</td><td>%s</td></tr>\n", r->tasks.items[i]->assumptions.items[k]);
        }
    html_table_end(out);
}

static void put_claims(const struct result *r, struct buf *out)
{
    buf_puts(out, "<h2 id=\"claims\">Assumptions of infeasible goals</h2>\n<ul>\n");
    for (unsigned kind = 0; kind < ASSUMPTION_KINDS; kind++) {
        const char *name = assumption_name(1u << kind);
        html_printf(out, "<li>%s: <span data-n=\"assuming.%s\">%zu</span></li>\n", name, name,
                    r->assuming[kind]);
    }
    buf_puts(out, "</ul>\n");
}

// Files of a project share headers: each content once.
static void put_sources(const struct html_model *m, struct buf *out)
{
    static const char *const head[] = {"File", "Hash", NULL};
    const struct result *r = m->result;
    struct buf key = BUF_INIT;
    struct map known;
    map_init(&known);
    buf_puts(out, "<h2 id=\"sources\">Sources</h2>\n");
    html_table_begin(out, "Files that were read, with hashes of their contents", head, true);
    for (size_t i = 0; i < r->sources.count; i++) {
        const struct result_source *source = &r->sources.items[i];
        const struct html_file *file = html_model_file(m, source->path);
        uint64_t before;
        buf_clear(&key);
        buf_printf(&key, "%s %s", source->hash, source->path);
        if (map_get_text(&known, key.data, &before))
            continue;
        map_put_text(&known, key.data, i);
        if (file)
            html_printf(out, "<tr><td><a href=\"%s\">%s</a></td>", file->page, source->path);
        else
            html_printf(out, "<tr><td>%s</td>", source->path);
        html_printf(out, "<td><code>%s</code></td></tr>\n", source->hash);
    }
    html_table_end(out);
    map_release(&known);
    buf_release(&key);
}

void html_run_page(const struct html_model *m, struct buf *out)
{
    const struct result *r = m->result;
    html_page_begin(m, "run.html", "This run", out);
    put_about(r, out);
    put_list("errors", "Errors", r->errors.items, r->errors.count, out);
    put_list("disagreements", "Disagreements of search and clean build", r->disagreements.items,
             r->disagreements.count, out);
    put_list("notes", "Notes and limits", r->notes.items, r->notes.count, out);
    put_claims(r, out);
    buf_puts(out, "<h2 id=\"stubs\">Stubs</h2>\n"
                  "<p>Functions that are not part of the unit; a stub stands for each.</p>\n");
    html_stub_list(r, out);
    put_assumptions(m, out);
    put_parts(m, out);
    put_sources(m, out);
    html_page_end(out);
}
