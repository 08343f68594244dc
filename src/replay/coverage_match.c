// SPDX-License-Identifier: Apache-2.0
// Gives llvm-cov's functions, branches and conditions the numbers that the front
// end gave them. Both speak of places in a text (unit.i), so equal places are the same
// thing; where only the start is equal, it decides when it is the only one (the
// end of an expression that ends in a macro is a matter of taste).
//
// clang also maps operands that are never evaluated (sizeof ...). The front end says where they
// are; what llvm-cov lists inside is taken out, and counted for the comparison with its summary.
#include "replay/coverage_export.h"

#include "base/map.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

#define AMBIGUOUS UINT64_MAX

struct index { // of one text
    const struct program *file;
    const size_t *functions; // number in the unit of each of the file's; NULL: the same
    struct map exact, starts, names;
};

static uint64_t start_key(uint32_t line, uint32_t column)
{
    return (uint64_t)line << 32 | column;
}

static uint64_t exact_key(const struct text_range *at)
{
    return hash_bytes(at, sizeof *at, 17);
}

static void put_branch(struct index *index, const struct branch *branch, size_t number)
{
    struct text_range at = {branch->at.line, branch->at.column, branch->at.end_line,
                            branch->at.end_column};
    uint64_t key = start_key(at.line, at.column), old;
    map_put(&index->exact, exact_key(&at), number);
    map_put(&index->starts, key, map_get(&index->starts, key, &old) ? AMBIGUOUS : number);
}

static void index_file(struct index *index, const struct program *program, size_t text)
{
    index->file = program_file(program, text);
    index->functions = program->file_count ? program->function_numbers[text] : NULL;
    map_init(&index->exact);
    map_init(&index->starts);
    map_init(&index->names);
    for (size_t i = 0; i < index->file->branch_count; i++)
        put_branch(index, &index->file->branches[i], i);
    for (size_t i = 0; i < index->file->function_count; i++)
        if (index->file->functions[i].defined)
            map_put_text(&index->names, index->file->functions[i].name, i);
}

static void release_index(struct index *index)
{
    map_release(&index->exact);
    map_release(&index->starts);
    map_release(&index->names);
}

static bool same_place(const struct location *a, const struct text_range *b)
{
    return a->line == b->line && a->column == b->column && a->end_line == b->end_line &&
           a->end_column == b->end_column;
}

// The index in the file of the branch at this place.
static size_t branch_at(const struct index *index, const struct text_range *at)
{
    uint64_t found;
    if (!at->line)
        return LLVMCOV_NONE;
    if (map_get(&index->exact, exact_key(at), &found) &&
        same_place(&index->file->branches[found].at, at))
        return found;
    if (map_get(&index->starts, start_key(at->line, at->column), &found) && found != AMBIGUOUS)
        return found;
    return LLVMCOV_NONE;
}

static size_t branch_id(const struct index *index, const struct text_range *at)
{
    size_t found = branch_at(index, at);
    return found == LLVMCOV_NONE ? found
           : index->functions    ? index->file->branches[found].id
                                 : found;
}

// A function with an assembler name ("asm" label) is known to llvm-cov by that one;
// then one of its branches tells which it is.
static size_t function_of(const struct index *index, const struct llvmcov_function *function)
{
    const struct program *file = index->file;
    uint64_t named;
    if (map_get_text(&index->names, function->name, &named))
        return named;
    for (size_t i = 0; i < function->branch_count; i++) {
        size_t branch = branch_at(index, &function->branches[i].at);
        if (branch != LLVMCOV_NONE)
            return file->branches[branch].function;
    }
    size_t best = LLVMCOV_NONE;
    for (size_t i = 0; i < file->function_count; i++) {
        const struct function *candidate = &file->functions[i];
        if (candidate->defined && candidate->at.line <= function->first_line &&
            (best == LLVMCOV_NONE || candidate->at.line > file->functions[best].at.line))
            best = i;
    }
    return best;
}

static int compare_points(uint32_t line, uint32_t column, uint32_t line2, uint32_t column2)
{
    if (line != line2)
        return line < line2 ? -1 : 1;
    return column == column2 ? 0 : column < column2 ? -1 : 1;
}

// The ranges are in order and apart, so only the last one that starts no later can hold it.
static bool is_unevaluated(const struct program *file, const struct text_range *at)
{
    size_t low = 0, high = file->unevaluated_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct text_range *range = &file->unevaluated[middle];
        if (compare_points(range->line, range->column, at->line, at->column) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct text_range *range = low ? &file->unevaluated[low - 1] : NULL;
    return range &&
           compare_points(at->end_line, at->end_column, range->end_line, range->end_column) <= 0;
}

static void take_out_unevaluated(const struct program *file, struct llvmcov_function *function)
{
    size_t branches = 0, decisions = 0;
    for (size_t i = 0; i < function->branch_count; i++) {
        const struct llvmcov_branch *branch = &function->branches[i];
        if (is_unevaluated(file, &branch->at)) {
            function->unevaluated_branches++;
            function->unevaluated_runs |= branch->count[0] && branch->count[1];
        } else {
            function->branches[branches++] = *branch;
        }
    }
    for (size_t i = 0; i < function->decision_count; i++) {
        const struct llvmcov_decision *decision = &function->decisions[i];
        if (is_unevaluated(file, &decision->at))
            function->unevaluated_conditions += llvmcov_conditions_of(decision);
        else
            function->decisions[decisions++] = *decision;
    }
    function->branch_count = branches;
    function->decision_count = decisions;
}

static size_t match_function(const struct index *index, struct llvmcov_function *function)
{
    size_t unmatched = 0;
    take_out_unevaluated(index->file, function);
    for (size_t i = 0; i < function->branch_count; i++) {
        struct llvmcov_branch *branch = &function->branches[i];
        branch->branch = branch_id(index, &branch->at);
        unmatched += branch->branch == LLVMCOV_NONE;
    }
    for (size_t i = 0; i < function->decision_count; i++)
        for (size_t c = 0; c < function->decisions[i].condition_count; c++) {
            struct llvmcov_condition *condition = &function->decisions[i].conditions[c];
            condition->branch = branch_id(index, &condition->at);
        }
    size_t found = function_of(index, function);
    function->function =
        found != LLVMCOV_NONE && index->functions ? index->functions[found] : found;
    return unmatched;
}

static size_t match_text(struct llvmcov *coverage, const struct program *program, size_t text)
{
    struct index index;
    size_t unmatched = 0;
    index_file(&index, program, text);
    for (size_t i = 0; i < coverage->function_count; i++) {
        struct llvmcov_function *function = &coverage->functions[i];
        if (strcmp(function->file, coverage->texts[text]) != 0)
            continue;
        function->text = text;
        unmatched += match_function(&index, function);
    }
    release_index(&index);
    return unmatched;
}

size_t llvmcov_match(struct llvmcov *coverage, const struct program *program,
                     const char *const *unit_paths)
{
    size_t unmatched = 0;
    coverage->texts = unit_paths;
    for (size_t text = 0; unit_paths[text]; text++)
        unmatched += match_text(coverage, program, text);
    return unmatched;
}
