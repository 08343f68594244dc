// SPDX-License-Identifier: Apache-2.0
// Units of several files: what is one thing in them and what is not, and what the tasks
// of the first file reach in the others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/fs.h"
#include "base/proc.h"
#include "frontend/frontend.h"
#include "program/merge.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES = 3 };

static const char header[] =
    "static inline int limit(int v) { if (v > 9) return 9; return v; }\n"
    "static inline int odd(void) { return sizeof(struct s) > 4 ? 1 : 0; }\n"
    "int other(int v);\n"
    "int outside(int v);\n"
    "extern int shared;\n";
static const char *const sources[FILES] = {
    "struct s { int a; };\n#include \"h.h\"\n"
    "static int count;\n"
    "static int helper(int v) { return v ? count : 0; }\n"
    "int first(int v) { if (other(v)) return helper(v); return limit(v) + odd() + shared; }\n"
    "int same(void) { return 1; }\n",
    "struct s { int a, b; };\n#include \"h.h\"\n"
    "int shared = 3;\n"
    "static long count = 4;\n"
    "static int helper(long *v) { switch (*v) { case 1: return 2; } return outside(1); }\n"
    "int other(int v) { count += limit(v); return helper(&count) + odd(); }\n",
    ("int same(void) { return 2; }\n"
     "int alone(int v) { return v > 2 ? 1 : 0; }\n")};

struct bench {
    char directory[64];
    struct arena arena;
    struct program files[FILES], *list[FILES], unit;
    struct frontend_numbers numbers;
};

static int set_up(void **state)
{
    static struct bench bench;
    struct bench *b = &bench;
    struct error err = {0};
    memset(b, 0, sizeof *b);
    snprintf(b->directory, sizeof b->directory, "/tmp/cz-merge-XXXXXX");
    if (!mkdtemp(b->directory))
        return 1;
    arena_init(&b->arena);
    frontend_numbers_init(&b->numbers);
    char *clang = proc_find_tool("clang", &err);
    fs_write(arena_printf(&b->arena, "%s/h.h", b->directory), header, strlen(header), &err);
    for (size_t i = 0; i < FILES; i++) {
        const char *path = arena_printf(&b->arena, "%s/f%zu.c", b->directory, i);
        static const char *const none[] = {NULL};
        struct frontend_request request = {
            .source = path, .clang = clang, .task_names = i ? none : NULL, .numbers = &b->numbers};
        program_init(&b->files[i]);
        b->list[i] = &b->files[i];
        if (!fs_write(path, sources[i], strlen(sources[i]), &err) ||
            !frontend_parse(&request, &b->files[i], &err))
            fail_msg("%s", err.text);
    }
    free(clang);
    program_init(&b->unit);
    program_merge(b->list, FILES, b->numbers.branches, b->numbers.switches, &b->unit);
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;
    for (size_t i = 0; i < FILES; i++)
        program_release(&b->files[i]);
    program_release(&b->unit);
    frontend_numbers_release(&b->numbers);
    arena_release(&b->arena);
    return !fs_remove_tree(b->directory, NULL);
}

static size_t local(const struct program *file, const char *name)
{
    for (size_t i = 0; i < file->function_count; i++)
        if (strcmp(file->functions[i].name, name) == 0)
            return i;
    fail_msg("no function %s", name);
    return 0;
}

// The number in the unit of a file's function.
static size_t number(const struct bench *b, size_t file, const char *name)
{
    return b->unit.function_numbers[file][local(&b->files[file], name)];
}

static bool contains(const size_t *list, size_t count, size_t wanted)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == wanted)
            return true;
    return false;
}

static void a_declaration_is_the_definition_of_another_file(void **state)
{
    struct bench *b = *state;
    assert_int_equal(number(b, 0, "other"), number(b, 1, "other"));
    assert_true(b->unit.functions[number(b, 0, "other")].defined);
    assert_int_equal(b->unit.functions[number(b, 0, "other")].at.text, 1);
    assert_true(b->files[0].functions[local(&b->files[0], "other")].elsewhere);
    assert_false(b->files[1].functions[local(&b->files[1], "outside")].elsewhere);
}

static void statics_of_one_name_stay_apart(void **state)
{
    struct bench *b = *state;
    assert_int_not_equal(number(b, 0, "helper"), number(b, 1, "helper"));
    size_t counts = 0;
    const char *place = NULL;
    for (size_t i = 0; i < b->unit.variable_count; i++)
        if (strcmp(b->unit.variables[i].name, "count") == 0) {
            counts++;
            place = b->unit.variables[i].of_file ? b->unit.variables[i].of_file : place;
        }
    assert_int_equal(counts, 2);
    assert_string_equal(place, "f1.c"); // their inputs have different names
}

static void a_headers_function_is_one_as_long_as_it_is_the_same(void **state)
{
    struct bench *b = *state;
    assert_int_equal(number(b, 0, "limit"), number(b, 1, "limit"));
    // sizeof differs, so the condition is constant with another value; both are constant.
    assert_int_equal(number(b, 0, "odd"), number(b, 1, "odd"));
    size_t goals = 0;
    for (size_t i = 0; i < b->unit.branch_count; i++)
        goals += b->unit.branches[i].function == number(b, 0, "limit");
    assert_int_equal(goals, 1);
}

static void branches_are_numbered_through(void **state)
{
    struct bench *b = *state;
    assert_int_equal(b->unit.branch_count, b->numbers.branches);
    for (size_t i = 0; i < b->unit.branch_count; i++) {
        const struct branch *branch = &b->unit.branches[i];
        assert_int_equal(branch->id, i);
        assert_true(branch->function < b->unit.function_count);
        if (branch->kind == BRANCH_CONDITION)
            assert_int_equal(b->unit.decisions[branch->decision].conditions[branch->index], i);
        else
            assert_int_equal(b->unit.switches[branch->switch_id].branches[branch->index], i);
    }
    char hook[64];
    size_t last = b->unit.branch_count - 1; // alone's condition
    snprintf(hook, sizeof hook, "__cz_cond(%zu, ", last);
    assert_non_null(strstr(b->files[2].wrapped_text, hook));
}

static void tasks_reach_into_other_files(void **state)
{
    struct bench *b = *state;
    const struct task *task = &b->unit.tasks[0];
    assert_string_equal(task->name, "first");
    assert_true(contains(task->functions, task->function_count, number(b, 1, "other")));
    assert_true(contains(task->functions, task->function_count, number(b, 1, "helper")));
    assert_false(contains(task->functions, task->function_count, number(b, 2, "alone")));
    assert_int_equal(task->external_count, 1);
    assert_int_equal(task->externals[0], number(b, 1, "outside"));
    // The parts: each file fills the variables that it defines.
    assert_int_equal(b->files[0].tasks[0].global_count, 1);
    assert_int_equal(b->files[1].tasks[0].global_count, 2);
    assert_int_equal(b->files[1].tasks[0].entry, TASK_ENTRY_ELSEWHERE);
    assert_int_equal(b->files[2].tasks[0].function_count, 0);
}

static void two_definitions_of_a_symbol_are_told(void **state)
{
    struct bench *b = *state;
    assert_int_equal(b->unit.clash_count, 1);
    assert_string_equal(b->unit.clashes[0].name, "same");
    assert_int_equal(b->unit.clashes[0].first, 0);
    assert_int_equal(b->unit.clashes[0].second, 2);
}

static void names_of_texts_tell_their_numbers(void **state)
{
    struct bench *b = *state;
    for (size_t i = 0; i < 120; i += 17)
        assert_int_equal(
            program_text_number(program_text_path(&b->arena, "/a_7/b", "unit", i, "i")), i);
    assert_int_equal(program_text_number("my_file.c"), 0);
}

int test_merge(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_declaration_is_the_definition_of_another_file),
        cmocka_unit_test(statics_of_one_name_stay_apart),
        cmocka_unit_test(a_headers_function_is_one_as_long_as_it_is_the_same),
        cmocka_unit_test(branches_are_numbered_through),
        cmocka_unit_test(tasks_reach_into_other_files),
        cmocka_unit_test(two_definitions_of_a_symbol_are_told),
        cmocka_unit_test(names_of_texts_tell_their_numbers),
    };
    return cmocka_run_group_tests_name("merge", tests, set_up, tear_down);
}
