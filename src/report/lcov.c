// SPDX-License-Identifier: Apache-2.0
// lcov's tracefile (geninfo(1)): a record per source file. Branches are numbered as llvm-cov's own
// export does it: a block per condition or case of a line, branch 0 is true, 1 is false. A branch
// counts the tests that take it, a line how often tests execute it.
//
// lcov 2.2 counts an MC/DC condition twice, for its change to true and to false. A pair of vectors
// shows both. The format knows no escapes: control characters in a name become '_'.
#include "report/formats.h"

#include "report/coverage_files.h"
#include "report/escape.h"

static void put_line_text(const char *before, const char *text, struct buf *out)
{
    buf_puts(out, before);
    escape_line(text, out);
    buf_putc(out, '\n');
}

static void put_functions(const struct coverage_file *file, struct buf *out)
{
    size_t hit = 0;
    for (size_t i = 0; i < file->functions.count; i++) {
        const struct result_function *function = file->functions.items[i].function;
        buf_printf(out, "FN:%u,", function->source_line);
        put_line_text("", function->name, out);
    }
    for (size_t i = 0; i < file->functions.count; i++) {
        const struct coverage_function *function = &file->functions.items[i];
        buf_printf(out, "FNDA:%llu,", (unsigned long long)function->hits);
        put_line_text("", function->function->name, out);
        hit += function->hits > 0;
    }
    buf_printf(out, "FNF:%zu\nFNH:%zu\n", file->functions.count, hit);
}

static void put_branch(uint32_t line, size_t block, int branch, const struct coverage_goal *goal,
                       bool evaluated, struct buf *out)
{
    buf_printf(out, "BRDA:%u,%zu,%d,", line, block, branch);
    if (evaluated)
        buf_printf(out, "%zu\n", goal->tests);
    else
        buf_puts(out, "-\n");
}

static void put_branches(const struct coverage_file *file, struct buf *out)
{
    size_t hit = 0, block = 0;
    for (size_t i = 0; i + 1 < file->branches.count; i += 2) {
        const struct coverage_goal *no = &file->branches.items[i], *yes = no + 1;
        uint32_t line = no->goal->source_line;
        bool evaluated = no->tests || yes->tests;
        block = i && file->branches.items[i - 1].goal->source_line == line ? block + 1 : 0;
        put_branch(line, block, 0, yes, evaluated, out);
        put_branch(line, block, 1, no, evaluated, out);
        hit += (no->tests > 0) + (yes->tests > 0);
    }
    buf_printf(out, "BRF:%zu\nBRH:%zu\n", file->branches.count, hit);
}

// ---- MC/DC ----

// How many conditions of one decision follow from here on.
static size_t decision_length(const struct coverage_file *file, size_t first)
{
    size_t count = 1;
    while (first + count < file->mcdc_conditions.count &&
           file->mcdc_conditions.items[first + count].goal->decision ==
               file->mcdc_conditions.items[first].goal->decision)
        count++;
    return count;
}

static void put_condition(const struct coverage_goal *condition, uint32_t line, size_t size,
                          size_t index, struct buf *out)
{
    for (int sense = 0; sense < 2; sense++) {
        buf_printf(out, "MCDC:%u,%zu,%c,%d,%zu,", line, size, "tf"[sense], condition -> tests > 0,
                   index);
        put_line_text("", condition->goal->text, out);
    }
}

// All conditions of a decision stand at the line of the first.
static void put_mcdc(const struct coverage_file *file, struct buf *out)
{
    size_t hit = 0;
    for (size_t i = 0; i < file->mcdc_conditions.count;) {
        size_t size = decision_length(file, i);
        uint32_t line = file->mcdc_conditions.items[i].goal->source_line;
        for (size_t k = 0; k < size; k++) {
            put_condition(&file->mcdc_conditions.items[i + k], line, size, k, out);
            hit += file->mcdc_conditions.items[i + k].tests > 0;
        }
        i += size;
    }
    buf_printf(out, "MCF:%zu\nMCH:%zu\n", 2 * file->mcdc_conditions.count, 2 * hit);
}

static void put_lines(const struct coverage_file *file, struct buf *out)
{
    size_t hit = 0;
    for (size_t i = 0; i < file->lines.count; i++) {
        const struct result_line *line = &file->lines.items[i];
        buf_printf(out, "DA:%u,%llu\n", line->line, (unsigned long long)line->hits);
        hit += line->hits > 0;
    }
    buf_printf(out, "LF:%zu\nLH:%zu\n", file->lines.count, hit);
}

void report_as_lcov(const struct result *result, const struct format_settings *settings,
                    struct buf *out)
{
    struct coverage_files files;
    coverage_files_init(&files, result);
    for (size_t i = 0; i < files.items.count; i++) {
        const struct coverage_file *file = &files.items.items[i];
        buf_puts(out, "TN:cadenza\n");
        put_line_text("SF:", file->path, out);
        put_functions(file, out);
        put_branches(file, out);
        if (settings->mcdc)
            put_mcdc(file, out);
        put_lines(file, out);
        buf_puts(out, "end_of_record\n");
    }
    coverage_files_release(&files);
}
