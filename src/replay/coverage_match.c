// SPDX-License-Identifier: Apache-2.0
// Gives llvm-cov's functions, branches and conditions the numbers that the front
// end gave them. Both speak of places in unit.i, so equal places are the same
// thing; where only the start is equal, it decides when it is the only one (the
// end of an expression that ends in a macro is a matter of taste).
#include "replay/coverage_export.h"

#include "base/map.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

#define AMBIGUOUS UINT64_MAX

struct index {
    struct map exact, starts, names;
};

static uint64_t start_key(uint32_t line, uint32_t column)
{
    return (uint64_t)line << 32 | column;
}

static uint64_t exact_key(const struct llvmcov_place *at)
{
    return hash_bytes(at, sizeof *at, 17);
}

static void put_branch(struct index *index, const struct branch *branch, size_t id)
{
    struct llvmcov_place at = {branch->at.line, branch->at.column, branch->at.end_line,
                               branch->at.end_column};
    uint64_t key = start_key(at.line, at.column), old;
    map_put(&index->exact, exact_key(&at), id);
    map_put(&index->starts, key, map_get(&index->starts, key, &old) ? AMBIGUOUS : id);
}

static void index_program(struct index *index, const struct program *program)
{
    map_init(&index->exact);
    map_init(&index->starts);
    map_init(&index->names);
    for (size_t i = 0; i < program->branch_count; i++)
        put_branch(index, &program->branches[i], i);
    for (size_t i = 0; i < program->function_count; i++)
        if (program->functions[i].defined)
            map_put_text(&index->names, program->functions[i].name, i);
}

static void release_index(struct index *index)
{
    map_release(&index->exact);
    map_release(&index->starts);
    map_release(&index->names);
}

static bool same_place(const struct location *a, const struct llvmcov_place *b)
{
    return a->line == b->line && a->column == b->column && a->end_line == b->end_line &&
           a->end_column == b->end_column;
}

static size_t branch_at(const struct index *index, const struct program *program,
                        const struct llvmcov_place *at)
{
    uint64_t id;
    if (!at->line)
        return LLVMCOV_NONE;
    if (map_get(&index->exact, exact_key(at), &id) && same_place(&program->branches[id].at, at))
        return id;
    if (map_get(&index->starts, start_key(at->line, at->column), &id) && id != AMBIGUOUS)
        return id;
    return LLVMCOV_NONE;
}

// A function with an assembler name ("asm" label) is known to llvm-cov by that one;
// then one of its branches tells which it is.
static size_t function_of(const struct index *index, const struct program *program,
                          const struct llvmcov_function *function)
{
    uint64_t id;
    if (map_get_text(&index->names, function->name, &id))
        return id;
    for (size_t i = 0; i < function->branch_count; i++)
        if (function->branches[i].branch != LLVMCOV_NONE)
            return program->branches[function->branches[i].branch].function;
    size_t best = LLVMCOV_NONE;
    for (size_t i = 0; i < program->function_count; i++) {
        const struct function *candidate = &program->functions[i];
        if (candidate->defined && candidate->at.line <= function->first_line &&
            (best == LLVMCOV_NONE || candidate->at.line > program->functions[best].at.line))
            best = i;
    }
    return best;
}

static size_t match_function(const struct index *index, const struct program *program,
                             struct llvmcov_function *function)
{
    size_t unmatched = 0;
    for (size_t i = 0; i < function->branch_count; i++) {
        struct llvmcov_branch *branch = &function->branches[i];
        branch->branch = branch_at(index, program, &branch->at);
        unmatched += branch->branch == LLVMCOV_NONE;
    }
    for (size_t i = 0; i < function->decision_count; i++)
        for (size_t c = 0; c < function->decisions[i].condition_count; c++) {
            struct llvmcov_condition *condition = &function->decisions[i].conditions[c];
            condition->branch = branch_at(index, program, &condition->at);
        }
    function->function = function_of(index, program, function);
    return unmatched;
}

size_t llvmcov_match(struct llvmcov *coverage, const struct program *program, const char *unit_path)
{
    struct index index;
    size_t unmatched = 0;
    index_program(&index, program);
    for (size_t i = 0; i < coverage->function_count; i++)
        if (strcmp(coverage->functions[i].file, unit_path) == 0)
            unmatched += match_function(&index, program, &coverage->functions[i]);
    release_index(&index);
    return unmatched;
}
