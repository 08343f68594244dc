// SPDX-License-Identifier: Apache-2.0
// How many lines of the tested files tests execute, by llvm-cov's counts.
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

// The lines of one function of a text, mapped back.
static void add_mapped(struct line_set *set, const struct program *program,
                       const struct llvmcov_file *unit, const struct llvmcov_function *function)
{
    for (size_t i = first_line_at(unit, function->first_line);
         i < unit->line_count && unit->lines[i].line <= function->last_line; i++) {
        const struct line_origin *origin =
            program_line(program, function->text, unit->lines[i].line);
        if (!origin)
            break;
        if (origin->line && !origin->included)
            add_line(set, origin->line, unit->lines[i].count > 0);
    }
}

// The functions (flags per result function) of one tested file, by either way.
static void collect_lines(const struct result *result, const bool *wanted,
                          const struct program *program, const struct llvmcov *coverage,
                          bool original, size_t text, const char *file_name, struct line_set *set)
{
    struct map names;
    map_init(&names);
    const struct llvmcov_file *file =
        original ? source_file(coverage, file_name) : llvmcov_find_file(coverage, file_name);
    for (size_t i = 0; i < result->function_count; i++)
        if (wanted[i] && result->functions[i].in_totals && result->functions[i].text == text)
            map_put_text(&names, result->functions[i].unit_name, 1);
    for (size_t i = 0; file && i < coverage->function_count; i++) {
        const struct llvmcov_function *function = &coverage->functions[i];
        uint64_t ignored;
        if (!map_get_text(&names, function->name, &ignored) ||
            strcmp(function->file, file->name) != 0)
            continue;
        if (original)
            add_original(set, file, function);
        else
            add_mapped(set, program, file, function);
    }
    map_release(&names);
}

static void count_lines(const struct result *result, const bool *wanted,
                        const struct program *program, const struct llvmcov *lines,
                        const struct llvmcov *unit, size_t *count, size_t *covered)
{
    *count = *covered = 0;
    for (size_t text = 0; text < program_file_count(program); text++) {
        struct line_set set = {0};
        map_init(&set.lines);
        collect_lines(result, wanted, program, lines ? lines : unit, lines != NULL, text,
                      lines ? program_file(program, text)->source : unit->texts[text], &set);
        *count += set.count;
        *covered += set.covered;
        map_release(&set.lines);
    }
}

void measured_set_task_lines(struct result *result, struct result_task *task,
                           const struct program *program, const struct llvmcov *lines,
                           const struct llvmcov *unit)
{
    bool *wanted = xcalloc(result->function_count + 1, sizeof *wanted);
    for (size_t i = 0; i < task->function_count; i++)
        wanted[task->functions[i]] = true;
    count_lines(result, wanted, program, lines, unit, &task->counts.lines,
                &task->counts.lines_covered);
    free(wanted);
}

void measured_set_total_lines(struct result *result, const struct program *program,
                            const struct llvmcov *lines, const struct llvmcov *unit)
{
    bool *wanted = xcalloc(result->function_count + 1, sizeof *wanted);
    for (size_t i = 0; i < result->function_count; i++)
        wanted[i] = true;
    count_lines(result, wanted, program, lines, unit, &result->lines,
                &result->lines_covered);
    free(wanted);
}
