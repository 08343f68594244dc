// SPDX-License-Identifier: Apache-2.0
// Writes the folder: pages, the style sheet and the script.
#include "html/html_report.h"
#include "html/html_pages.h"

#include "base/fs.h"
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
static const char style[] = {
#embed "assets/report.css"
};
static const char script[] = {
#embed "assets/report.js"
};
#pragma clang diagnostic pop

// Marks the folder as ours.
#define MARK "report.css"

static bool put_file(const char *directory, const char *name, const void *data, size_t length,
                     struct error *err)
{
    struct buf path = BUF_INIT;
    buf_printf(&path, "%s/%s", directory, name);
    bool good = fs_write(path.data, data, length, err);
    buf_release(&path);
    return good;
}

static bool put_page(const struct html_model *m, const char *directory, const char *name,
                     void (*make)(const struct html_model *, struct buf *), struct error *err)
{
    struct buf text = BUF_INIT;
    make(m, &text);
    bool good = put_file(directory, name, text.data, text.length, err);
    buf_release(&text);
    return good;
}

static bool put_numbered(const struct html_model *m, const char *directory, const char *name,
                         size_t number,
                         void (*make)(const struct html_model *, size_t, struct buf *),
                         struct error *err)
{
    struct buf text = BUF_INIT;
    make(m, number, &text);
    bool good = put_file(directory, name, text.data, text.length, err);
    buf_release(&text);
    return good;
}

static bool put_pages(const struct html_model *m, const char *directory, struct error *err)
{
    static const struct {
        const char *name;
        void (*make)(const struct html_model *, struct buf *);
    } pages[] = {{"index.html", html_overview_page}, {"functions.html", html_functions_page},
                 {"goals.html", html_goals_page},    {"tests.html", html_tests_page},
                 {"alarms.html", html_alarms_page},  {"search.html", html_search_page},
                 {"run.html", html_run_page}};
    bool good = put_file(directory, MARK, style, sizeof style, err) &&
                put_file(directory, "report.js", script, sizeof script, err);
    for (size_t i = 0; good && i < sizeof pages / sizeof *pages; i++)
        good = put_page(m, directory, pages[i].name, pages[i].make, err);
    for (size_t i = 0; good && i < m->files.count; i++)
        good = put_numbered(m, directory, m->files.items[i].page, i, html_source_page, err);
    for (size_t i = 0; good && i < m->result->tasks.count; i++)
        good = put_numbered(m, directory, m->task_pages[i], i, html_task_page, err);
    return good;
}

// Absent, empty, or a report of ours.
static bool may_replace(const char *directory, struct error *err)
{
    struct buf mark = BUF_INIT;
    bool ours, empty = true;
    DIR *entries = opendir(directory);
    if (!entries)
        return errno == ENOENT || error_errno(err, "cannot write to %s", directory);
    for (struct dirent *entry; (entry = readdir(entries));)
        empty &= !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
    closedir(entries);
    buf_printf(&mark, "%s/" MARK, directory);
    ours = fs_exists(mark.data);
    buf_release(&mark);
    return empty || ours ||
           error_set(err, ERROR_USAGE,
                     "%s holds something else than a report; choose another directory", directory);
}

bool html_report_write(const struct result *result, const char *directory, struct error *err)
{
    struct html_model model;
    struct buf place = BUF_INIT, fresh = BUF_INIT;
    buf_puts(&place, directory);
    while (place.length > 1 && place.data[place.length - 1] == '/')
        place.data[--place.length] = '\0';
    buf_printf(&fresh, "%s.part.%ld", place.data, (long)getpid());
    bool good = may_replace(place.data, err) && fs_make_dirs(fresh.data, err);
    if (good) {
        html_model_init(&model, result);
        good = put_pages(&model, fresh.data, err) && fs_replace_tree(fresh.data, place.data, err);
        html_model_release(&model);
        if (!good)
            fs_remove_tree(fresh.data, NULL);
    }
    buf_release(&place);
    buf_release(&fresh);
    return good || error_context(err, "writing the report");
}
