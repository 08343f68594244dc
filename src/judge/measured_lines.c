// SPDX-License-Identifier: Apache-2.0
// Which lines of the tested files tests execute, by llvm-cov's counts. Functions of headers that
// count (result_function.in_totals) add lines of their headers. The lines of all functions are kept
// by source, those of headers that do not count, too.
#include "judge/measured.h"

#include "base/arena.h"
#include "base/fs.h"
#include "base/map.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A set of source lines. A line that several pieces of the text belong to has the largest count.
struct line_set {
    struct map index; // line -> index in `lines`
    VEC(struct result_line) lines;
    size_t covered;
};

static void add_line(struct line_set *set, uint32_t line, uint64_t hits)
{
    uint64_t at = set->lines.count;
    if (!map_get(&set->index, line, &at)) {
        map_put(&set->index, line, at);
        VEC_PUSH(&set->lines)->line = line;
    }
    uint64_t *old = &set->lines.items[at].hits;
    set->covered += hits && !*old;
    *old = hits > *old ? hits : *old;
}

static void release_set(struct line_set *set)
{
    map_release(&set->index);
    VEC_RELEASE(&set->lines);
}

static bool same_file(const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return true;
    if (strcmp(fs_basename(a), fs_basename(b)) != 0)
        return false;
    char *left = fs_absolute(a), *right = fs_absolute(b);
    bool same = left && right && strcmp(left, right) == 0;
    free(left);
    free(right);
    return same;
}

static const struct llvmcov_file *source_file(const struct llvmcov *coverage, const char *source)
{
    const struct llvmcov_file *exact = llvmcov_find_file(coverage, source);
    for (size_t i = 0; !exact && i < coverage->file_count; i++)
        if (same_file(coverage->files[i].name, source))
            exact = &coverage->files[i];
    return exact;
}

static size_t first_line_at(const struct llvmcov_file *file, uint32_t line)
{
    size_t low = 0, high = file->line_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (file->lines[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The lines of one function of the original build.
static void add_original(struct line_set *set, const struct llvmcov_file *file,
                         const struct llvmcov_function *function)
{
    for (size_t i = first_line_at(file, function->first_line);
         i < file->line_count && file->lines[i].line <= function->last_line; i++)
        add_line(set, file->lines[i].line, file->lines[i].count);
}

// The lines of one function of a text, mapped back to the tested file or the header.
static void add_mapped(struct line_set *set, const struct program *program, const char *header,
                       const struct llvmcov_file *unit, const struct llvmcov_function *function)
{
    for (size_t i = first_line_at(unit, function->first_line);
         i < unit->line_count && unit->lines[i].line <= function->last_line; i++) {
        const struct line_origin *origin =
            program_line(program, function->text, unit->lines[i].line);
        if (!origin)
            break;
        if (origin->line &&
            (header ? origin->included && strcmp(origin->file, header) == 0 : !origin->included))
            add_line(set, origin->line, unit->lines[i].count);
    }
}

struct line_request {
    const struct result *result;
    const bool *wanted; // per function of the result
    const struct program *program;
    const struct llvmcov *lines, *unit; // lines: the original build, or NULL
    bool in_totals;                     // functions that count, or those that do not
};

// Is it wanted, and does it belong to the tested file of this text (header: NULL) or to this header
// of it?
static bool belongs(const struct line_request *r, size_t function, size_t text, const char *header)
{
    const struct result_function *f = &r->result->functions[function];
    return r->wanted[function] && f->in_totals == r->in_totals && f->text == text &&
           (header ? f->in_header && strcmp(f->file, header) == 0 : !f->in_header);
}

// The functions of one tested file or header, by either way. clang does not map system headers:
// lines of those come from the text.
static void collect_lines(const struct line_request *r, size_t text, const char *header,
                          struct line_set *set)
{
    bool original = r->lines && (!header || source_file(r->lines, header));
    const struct llvmcov *coverage = original ? r->lines : r->unit;
    const char *source = header ? header : program_file(r->program, text)->source;
    const struct llvmcov_file *file = original ? source_file(coverage, source)
                                               : llvmcov_find_file(coverage, r->unit->texts[text]);
    struct map names;
    map_init(&names);
    for (size_t i = 0; i < r->result->function_count; i++)
        if (belongs(r, i, text, header))
            map_put_text(&names, r->result->functions[i].unit_name, 1);
    for (size_t i = 0; file && i < coverage->function_count; i++) {
        const struct llvmcov_function *function = &coverage->functions[i];
        uint64_t ignored;
        if (!map_get_text(&names, function->name, &ignored) ||
            strcmp(function->file, file->name) != 0)
            continue;
        if (original)
            add_original(set, file, function);
        else
            add_mapped(set, r->program, header, file, function);
    }
    map_release(&names);
}

static void count_file(const struct line_request *r, size_t text, const char *header, size_t *count,
                       size_t *covered)
{
    struct line_set set = {0};
    map_init(&set.index);
    collect_lines(r, text, header, &set);
    *count += set.lines.count;
    *covered += set.covered;
    release_set(&set);
}

// Is it the first function of its header that is wanted?
static bool opens_header(const struct line_request *r, size_t function)
{
    const struct result_function *f = &r->result->functions[function];
    if (!f->in_header || !belongs(r, function, f->text, f->file))
        return false;
    for (size_t i = 0; i < function; i++)
        if (belongs(r, i, f->text, f->file))
            return false;
    return true;
}

static void count_lines(const struct line_request *r, size_t *count, size_t *covered)
{
    *count = *covered = 0;
    for (size_t text = 0; text < program_file_count(r->program); text++)
        count_file(r, text, NULL, count, covered);
    for (size_t i = 0; i < r->result->function_count; i++)
        if (opens_header(r, i))
            count_file(r, r->result->functions[i].text, r->result->functions[i].file, count,
                       covered);
}

void measured_set_task_lines(struct result *result, struct result_task *task,
                             const struct program *program, const struct llvmcov *lines,
                             const struct llvmcov *unit)
{
    bool *wanted = xcalloc(result->function_count + 1, sizeof *wanted);
    for (size_t i = 0; i < task->function_count; i++)
        wanted[task->functions[i]] = true;
    count_lines(&(struct line_request){result, wanted, program, lines, unit, true},
                &task->counts.lines, &task->counts.lines_covered);
    free(wanted);
}

// ---- lines by source ----

static int compare_lines(const void *left, const void *right)
{
    const struct result_line *a = left, *b = right;
    return a->line < b->line ? -1 : a->line > b->line;
}

// Texts that share a header execute it apart: counts add up.
static void merge_lines(struct result *result, struct result_source *source,
                        const struct line_set *set, bool in_totals)
{
    size_t known = source->line_count;
    struct result_line *lines =
        arena_array(&result->arena, struct result_line, known + set->lines.count);
    if (known)
        memcpy(lines, source->lines, known * sizeof *lines);
    for (size_t i = 0; i < set->lines.count; i++) {
        const struct result_line *line = &set->lines.items[i];
        struct result_line *old =
            known ? bsearch(line, lines, known, sizeof *lines, compare_lines) : NULL;
        if (old)
            old->hits += line->hits;
        else
            lines[source->line_count++] = (struct result_line){line->line, in_totals, line->hits};
    }
    qsort(lines, source->line_count, sizeof *lines, compare_lines);
    source->lines = lines;
}

static void keep_file(struct result *result, const struct line_request *r, size_t text,
                      const char *header)
{
    struct line_set set = {0};
    map_init(&set.index);
    collect_lines(r, text, header, &set);
    const char *name = header ? header : program_file(r->program, text)->source;
    char *path = set.lines.count ? fs_absolute(name) : NULL;
    if (set.lines.count)
        merge_lines(result, result_add_source(result, path ? path : name, ""), &set, r->in_totals);
    free(path);
    release_set(&set);
}

static void keep_lines(struct result *result, const struct line_request *r)
{
    for (size_t text = 0; text < program_file_count(r->program); text++)
        keep_file(result, r, text, NULL);
    for (size_t i = 0; i < result->function_count; i++)
        if (opens_header(r, i))
            keep_file(result, r, result->functions[i].text, result->functions[i].file);
}

// The text that the lines are of: that which was read, if it is still there.
static void finish_source(struct result *result, struct result_source *source)
{
    struct buf text = BUF_INIT;
    char hash[17];
    if (!source->line_count)
        return;
    if (!source->text && fs_read(source->path, &text, NULL)) {
        snprintf(hash, sizeof hash, "%016llx",
                 (unsigned long long)hash_bytes(buf_text(&text), text.length, 3));
        if (!strcmp(hash, source->hash))
            source->text = arena_strndup(&result->arena, buf_text(&text), text.length);
    }
    buf_release(&text);
}

void measured_set_total_lines(struct result *result, const struct program *program,
                              const struct llvmcov *lines, const struct llvmcov *unit)
{
    bool *wanted = xcalloc(result->function_count + 1, sizeof *wanted);
    for (size_t i = 0; i < result->function_count; i++)
        wanted[i] = true;
    count_lines(&(struct line_request){result, wanted, program, lines, unit, true}, &result->lines,
                &result->lines_covered);
    for (size_t i = 0; i < result->sources.count; i++)
        result->sources.items[i].line_count = 0;
    for (int in_totals = 1; in_totals >= 0; in_totals--)
        keep_lines(result,
                   &(struct line_request){result, wanted, program, lines, unit, in_totals == 1});
    for (size_t i = 0; i < result->sources.count; i++)
        finish_source(result, &result->sources.items[i]);
    free(wanted);
}
