// SPDX-License-Identifier: Apache-2.0
// Flags are told once per run, however many files have them: a project of a thousand files
// for one microcontroller has the same five flags in each.
#include "notes.h"

#include "base/buf.h"
#include "base/map.h"
#include <stdio.h>
#include <string.h>

enum { FLAGS_NAMED = 8 };

struct summary {
    struct map seen;
    struct buf flags;
    const char *model;  // that of the first file that has one
    size_t named, more; // different flags
    size_t files, total;
};

static void add_file(struct summary *s, const struct project_file *file)
{
    const struct project_flags *how = &file->how;
    s->total++;
    if (!how->dropped || (!*how->dropped && !*how->model))
        return;
    s->files++;
    if (!s->model && *how->model)
        s->model = how->model;
    for (const char *const *flag = how->dropped; *flag; flag++) {
        if (map_get_text(&s->seen, *flag, NULL))
            continue;
        map_put_text(&s->seen, *flag, 1);
        if (s->named == FLAGS_NAMED) {
            s->more++;
            continue;
        }
        s->named++;
        buf_printf(&s->flags, " %s", *flag);
    }
}

static void print_flags(const struct summary *s, bool verbose)
{
    if (!s->files)
        return;
    fprintf(stderr, "cadenza: note: dropped flags:%s", s->named ? buf_text(&s->flags) : " none");
    if (s->more)
        fprintf(stderr, " and %zu more", s->more);
    fputs(s->model ? s->model : "", stderr);
    if (s->total > 1)
        fprintf(stderr, " (%zu of %zu files%s)", s->files, s->total,
                verbose ? "" : "; -v names them per file");
    fputc('\n', stderr);
}

static bool is_among(const struct project_file *const *files, const struct project_file *file)
{
    for (; *files; files++)
        if (*files == file)
            return true;
    return false;
}

// Those to be tested fail on their own.
static void print_problems(const struct project *project, const struct project_file *const *files)
{
    for (size_t i = 0; i < project->files.count; i++) {
        const struct project_file *file = &project->files.items[i];
        if (file->problem && !(files && is_among(files, file)))
            fprintf(stderr, "cadenza: note: %s is left out: %s\n", file->name, file->problem);
    }
}

void notes_print(const struct project *project, const struct project_file *const *files,
                 bool verbose)
{
    struct summary s = {.flags = BUF_INIT};
    map_init(&s.seen);
    for (size_t i = 0; i < project->notes.count; i++)
        fprintf(stderr, "cadenza: note: %s\n", project->notes.items[i]);
    for (size_t i = 0; verbose && i < project->details.count; i++)
        fprintf(stderr, "cadenza: note: %s\n", project->details.items[i]);
    for (size_t i = 0; files ? files[i] != NULL : i < project->files.count; i++)
        add_file(&s, files ? files[i] : &project->files.items[i]);
    print_flags(&s, verbose);
    print_problems(project, files);
    map_release(&s.seen);
    buf_release(&s.flags);
}
