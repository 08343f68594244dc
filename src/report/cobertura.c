// SPDX-License-Identifier: Apache-2.0
// Cobertura's XML (coverage-04.dtd): a package per directory, a class per file, a method per
// function. The conditions of a line are those of our branches, each with two outcomes: "jump" for
// a condition, "switch" for a case.
#include "report/formats.h"

#include "base/fs.h"
#include "report/coverage_files.h"
#include "report/xml.h"
#include <stdio.h>
#include <string.h>

struct ratio {
    size_t covered, all;
};

static void put_rate(struct xml_writer *w, const char *name, struct ratio ratio)
{
    xml_format(w, name, "%.4f", ratio.all ? (double)ratio.covered / (double)ratio.all : 1.0);
}

// Of lines from `first` up to `end`.
static struct ratio lines_between(const struct coverage_file *file, uint32_t first, uint32_t end)
{
    struct ratio ratio = {0};
    for (size_t i = 0; i < file->lines.count; i++)
        if (file->lines.items[i].line >= first && file->lines.items[i].line < end) {
            ratio.all++;
            ratio.covered += file->lines.items[i].hits > 0;
        }
    return ratio;
}

static struct ratio branches_between(const struct coverage_file *file, uint32_t first, uint32_t end)
{
    struct ratio ratio = {0};
    for (size_t i = 0; i < file->branches.count; i++) {
        uint32_t line = file->branches.items[i].goal->source_line;
        if (line >= first && line < end) {
            ratio.all++;
            ratio.covered += file->branches.items[i].tests > 0;
        }
    }
    return ratio;
}

// What is written of a file from `first` up to `end`: rates, and "0" for what nobody counts here.
static void put_rates(struct xml_writer *w, const struct coverage_file *file, uint32_t first,
                      uint32_t end)
{
    put_rate(w, "line-rate", lines_between(file, first, end));
    put_rate(w, "branch-rate", branches_between(file, first, end));
    xml_attribute(w, "complexity", "0");
}

// The conditions of a line: pairs of outcomes from `first` on.
static void put_conditions(struct xml_writer *w, const struct coverage_file *file, size_t first,
                           size_t count)
{
    size_t covered = 0;
    for (size_t i = 0; i < count; i++)
        covered += file->branches.items[first + i].tests > 0;
    xml_attribute(w, "branch", "true");
    xml_format(w, "condition-coverage", "%zu%% (%zu/%zu)", covered * 100 / count, covered, count);
    xml_open(w, "conditions");
    for (size_t i = 0; i + 1 < count; i += 2) {
        const struct coverage_goal *no = &file->branches.items[first + i], *yes = no + 1;
        xml_open(w, "condition");
        xml_int(w, "number", (int64_t)(i / 2));
        xml_attribute(w, "type", no->goal->is_case ? "switch" : "jump");
        xml_format(w, "coverage", "%d%%", 50 * ((no->tests > 0) + (yes->tests > 0)));
        xml_close(w);
    }
    xml_close(w);
}

// Lines from `first` up to `end`. A line with branches that llvm-cov does not list as one (a macro
// of another file) is listed with the tests of its branches.
static void put_lines(struct xml_writer *w, const struct coverage_file *file, uint32_t first,
                      uint32_t end)
{
    size_t line = 0, branch = 0;
    xml_open(w, "lines");
    while (line < file->lines.count || branch < file->branches.count) {
        uint32_t next_line = line < file->lines.count ? file->lines.items[line].line : UINT32_MAX;
        uint32_t next_branch = branch < file->branches.count
                                   ? file->branches.items[branch].goal->source_line
                                   : UINT32_MAX;
        uint32_t number = next_line < next_branch ? next_line : next_branch;
        uint64_t hits = number == next_line ? file->lines.items[line++].hits : 0;
        size_t count = 0;
        while (branch + count < file->branches.count &&
               file->branches.items[branch + count].goal->source_line == number) {
            size_t tests = file->branches.items[branch + count++].tests;
            hits = number != next_line && tests > hits ? tests : hits;
        }
        branch += count;
        if (number < first || number >= end)
            continue;
        xml_open(w, "line");
        xml_int(w, "number", number);
        xml_format(w, "hits", "%llu", (unsigned long long)hits);
        if (count)
            put_conditions(w, file, branch - count, count);
        xml_close(w);
    }
    xml_close(w);
}

static void put_class(struct xml_writer *w, const struct format_settings *settings,
                      const struct coverage_file *file)
{
    xml_open(w, "class");
    xml_attribute(w, "name", fs_basename(file->path));
    xml_attribute(w, "filename", format_path(settings, file->path));
    put_rates(w, file, 0, UINT32_MAX);
    xml_open(w, "methods");
    for (size_t i = 0; i < file->functions.count; i++) {
        const struct coverage_function *function = &file->functions.items[i];
        xml_open(w, "method");
        xml_attribute(w, "name", function->function->name);
        xml_attribute(w, "signature", "");
        put_rates(w, file, function->function->source_line, function->end);
        put_lines(w, file, function->function->source_line, function->end);
        xml_close(w);
    }
    xml_close(w);
    put_lines(w, file, 0, UINT32_MAX);
    xml_close(w);
}

// ---- packages: the directories of files ----

static size_t directory_length(const char *path)
{
    const char *name = fs_basename(path);
    return name > path + 1 ? (size_t)(name - path - 1) : (size_t)(name - path);
}

static bool same_directory(const struct coverage_file *a, const struct coverage_file *b)
{
    size_t length = directory_length(a->path);
    return length == directory_length(b->path) && !strncmp(a->path, b->path, length);
}

static bool is_first_of_directory(const struct coverage_files *files, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (same_directory(&files->items.items[i], &files->items.items[index]))
            return false;
    return true;
}

static void add(struct ratio *sum, struct ratio more)
{
    sum->covered += more.covered;
    sum->all += more.all;
}

static void put_package_name(struct xml_writer *w, const struct format_settings *settings,
                             const char *path)
{
    const char *shown = format_path(settings, path);
    struct buf name = BUF_INIT;
    buf_add(&name, shown, directory_length(shown));
    xml_attribute(w, "name", name.length ? buf_text(&name) : ".");
    buf_release(&name);
}

// The files of the directory of files->items[first].
static void put_package(struct xml_writer *w, const struct format_settings *settings,
                        const struct coverage_files *files, size_t first)
{
    const struct coverage_file *like = &files->items.items[first];
    struct ratio lines = {0}, branches = {0};
    for (size_t i = first; i < files->items.count; i++)
        if (same_directory(like, &files->items.items[i])) {
            add(&lines, lines_between(&files->items.items[i], 0, UINT32_MAX));
            add(&branches, branches_between(&files->items.items[i], 0, UINT32_MAX));
        }
    xml_open(w, "package");
    put_package_name(w, settings, like->path);
    put_rate(w, "line-rate", lines);
    put_rate(w, "branch-rate", branches);
    xml_attribute(w, "complexity", "0");
    xml_open(w, "classes");
    for (size_t i = first; i < files->items.count; i++)
        if (same_directory(like, &files->items.items[i]))
            put_class(w, settings, &files->items.items[i]);
    xml_close(w);
    xml_close(w);
}

static void put_totals(struct xml_writer *w, const struct result_counts *t)
{
    put_rate(w, "line-rate", (struct ratio){t->lines_covered, t->lines});
    put_rate(w, "branch-rate", (struct ratio){t->branches_covered, t->branches});
    xml_int(w, "lines-covered", (int64_t)t->lines_covered);
    xml_int(w, "lines-valid", (int64_t)t->lines);
    xml_int(w, "branches-covered", (int64_t)t->branches_covered);
    xml_int(w, "branches-valid", (int64_t)t->branches);
    xml_attribute(w, "complexity", "0");
}

void report_as_cobertura(const struct result *result, const struct format_settings *settings,
                         struct buf *out)
{
    struct coverage_files files;
    struct xml_writer w;
    coverage_files_init(&files, result);
    xml_begin(&w, out);
    buf_puts(out, "<!DOCTYPE coverage SYSTEM "
                  "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n");
    xml_open(&w, "coverage");
    put_totals(&w, &result->totals);
    xml_format(&w, "version", "cadenza %s", result->version);
    xml_int(&w, "timestamp", settings->when);
    xml_open(&w, "sources");
    xml_open(&w, "source");
    xml_text(&w, settings->root);
    xml_close(&w);
    xml_close(&w);
    xml_open(&w, "packages");
    for (size_t i = 0; i < files.items.count; i++)
        if (is_first_of_directory(&files, i))
            put_package(&w, settings, &files, i);
    xml_close(&w);
    xml_close(&w);
    coverage_files_release(&files);
}
