// SPDX-License-Identifier: Apache-2.0
// How many lines of the tested files tests execute, by llvm-cov's counts. Functions of headers that
// count (result_function.in_totals) add lines of their headers.
#include "judge/measured.h"

#include "base/arena.h"
#include "base/fs.h"
#include "base/map.h"
#include <stdlib.h>
#include <string.h>

// A set of source lines with "was it executed".
struct line_set {
    struct map lines; // line -> 0 or 1
    size_t count, covered;
};

static void add_line(struct line_set *set, uint32_t line, bool executed)
{
    uint64_t old = 0;
    bool known = map_get(&set->lines, line, &old);
    set->count += !known;
    set->covered += executed && !old;
    map_put(&set->lines, line, old || executed);
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
        add_line(set, file->lines[i].line, file->lines[i].count > 0);
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
            add_line(set, origin->line, unit->lines[i].count > 0);
    }
}

struct line_request {
    const struct result *result;
    const bool *wanted; // per function of the result
    const struct program *program;
    const struct llvmcov *lines, *unit; // lines: the original build, or NULL
};

// Does it count, and belong to the tested file of this text (header: NULL) or to this header of it?
static bool belongs(const struct line_request *r, size_t function, size_t text, const char *header)
{
    const struct result_function *f = &r->result->functions[function];
    return r->wanted[function] && f->in_totals && f->text == text &&
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
    map_init(&set.lines);
    collect_lines(r, text, header, &set);
    *count += set.count;
    *covered += set.covered;
    map_release(&set.lines);
}

// Is it the first function of its header that counts?
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
    count_lines(&(struct line_request){result, wanted, program, lines, unit}, &task->counts.lines,
                &task->counts.lines_covered);
    free(wanted);
}

void measured_set_total_lines(struct result *result, const struct program *program,
                              const struct llvmcov *lines, const struct llvmcov *unit)
{
    bool *wanted = xcalloc(result->function_count + 1, sizeof *wanted);
    for (size_t i = 0; i < result->function_count; i++)
        wanted[i] = true;
    count_lines(&(struct line_request){result, wanted, program, lines, unit}, &result->lines,
                &result->lines_covered);
    free(wanted);
}
