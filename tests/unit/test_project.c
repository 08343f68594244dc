// SPDX-License-Identifier: Apache-2.0
// Reading compilation databases: words of commands, flags of other compilers, files.
#include "base/fs.h"
#include "project/project.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void commands_are_split_like_a_shell_does(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    const char **words;
    size_t count;
    project_split("cc  -DA=\\\"x\\ y\\\" '-DB=1 2' \"-DC=\\\"q\\\"\" a\\b \"\" f.c", &arena, &words, &count);
    assert_int_equal(count, 7);
    assert_string_equal(words[1], "-DA=\"x y\"");
    assert_string_equal(words[2], "-DB=1 2");
    assert_string_equal(words[3], "-DC=\"q\"");
    assert_string_equal(words[4], "ab");
    assert_string_equal(words[5], "");
    arena_release(&arena);
}

static void flags_of_other_compilers_are_dropped_with_a_note(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    const char *const words[] = {"arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-Iinc", "-I", "lib",
                                 "-isystem", "/abs", "-DX=1", "-D", "Y", "-Werror", "-O2", "-fsanitize=address",
                                 "-MD", "-MF", "x.d", "-std=gnu99", "-c", "a.c", "-o", "a.o",
                                 "-fshort-enums", "-g3", "-x", "c"};
    const char *note;
    const char *const *flags =
        project_flags(words, sizeof words / sizeof *words, "/build", "auto", &arena, &note);
    const char *const expected[] = {"-funsigned-char", "-fshort-enums", "-I/build/inc", "-I",
                                    "/build/lib", "-isystem", "/abs", "-DX=1",
                                    "-D", "Y", "-std=gnu99", "-fshort-enums", "-m32", NULL};
    size_t i = 0;
    for (; expected[i]; i++)
        assert_string_equal(flags[i], expected[i]);
    assert_string_equal(note, "dropped flags: -mcpu=cortex-m4 -mthumb" PROJECT_ILP32);
    flags = project_flags(words, sizeof words / sizeof *words, "/build", "lp64", &arena, &note);
    assert_null(flags[10]);
    assert_string_equal(note, "dropped flags: -mcpu=cortex-m4 -mthumb" PROJECT_LP64);
    arena_release(&arena);
}

static void the_data_model_is_what_flags_and_names_say(void **state)
{
    (void)state;
    static const struct {
        const char *words[4], *model;
        bool narrow, as_arm;
        const char *note;
    } cases[] = {
        {{"gcc", "-c"}, "auto", false, false, ""},
        {{"gcc", "-c"}, "ilp32", true, false, ""},
        {{"gcc", "-m32"}, "auto", true, false, ""},
        {{"gcc", "-mx32"}, "auto", true, false, ""},
        {{"gcc", "-m32", "-m64"}, "auto", false, false, ""},
        {{"gcc", "-m32"}, "lp64", false, false, PROJECT_LP64},
        {{"/opt/bin/arm-none-eabi-gcc", "-c"}, "auto", true, true, PROJECT_ILP32},
        {{"tricore-gcc", "-c"}, "auto", true, false, PROJECT_ILP32},
        {{"clang", "-target", "armv7m-none-eabi"}, "auto", true, true, PROJECT_ILP32},
        {{"clang", "--target=riscv32-unknown-elf"}, "auto", true, true, PROJECT_ILP32},
        {{"clang", "--target=riscv64-unknown-elf"}, "auto", false, false, ""},
        {{"gcc", "-mcpu=cortex-a53"}, "auto", false, false, ""},
        {{"gcc", "-mcpu=cortex-m0"}, "lp64", false, false, PROJECT_LP64},
        {{"avr-gcc", "-mmcu=atmega328p"}, "auto", true, false, PROJECT_SMALL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = 0;
        while (count < 4 && cases[i].words[count])
            count++;
        struct project_model got = project_choose_model(cases[i].words, count, true, cases[i].model);
        assert_int_equal(got.narrow, cases[i].narrow);
        assert_int_equal(got.as_arm, cases[i].as_arm);
        assert_string_equal(got.words, cases[i].note);
    }
}

static void the_data_model_replaces_what_the_flags_had(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    const char *const flags[] = {"-m64", "-DX", "-mx32", NULL};
    const char *const *wide = project_apply_model(flags, (struct project_model){0}, &arena);
    assert_string_equal(wide[0], "-DX");
    assert_null(wide[1]);
    const struct project_model arm = {.narrow = true, .as_arm = true};
    const char *const *narrow = project_apply_model(flags, arm, &arena);
    assert_string_equal(narrow[0], "-funsigned-char");
    assert_string_equal(narrow[1], "-DX");
    assert_string_equal(narrow[2], "-m32");
    size_t last = 2;
    while (narrow[last + 1])
        last++;
    assert_string_equal(narrow[last], "-malign-double");
    const char *note;
    const char *const device[] = {"-target", "arm-none-eabi", "-DY", "-mthumb", NULL};
    narrow = project_native_flags(device, "auto", &arena, &note);
    assert_string_equal(narrow[1], "-DY");
    assert_string_equal(narrow[2], "-m32");
    assert_string_equal(note, "dropped flags: -target arm-none-eabi -mthumb" PROJECT_ILP32);
    arena_release(&arena);
}

static void put(const char *directory, const char *name, const char *text)
{
    char path[300];
    struct error err = {0};
    snprintf(path, sizeof path, "%s/%s", directory, name);
    assert_true(fs_write(path, text, strlen(text), &err));
}

static void a_database_gives_each_c_file_once(void **state)
{
    (void)state;
    char directory[] = "/tmp/cadenza-project.XXXXXX";
    assert_non_null(mkdtemp(directory));
    put(directory, "a.c", "int a;");
    put(directory, "b.c", "int b;");
    put(directory, "words", "-DFROM_FILE -Iw");
    put(directory, "compile_commands.json",
        "[{\"directory\": \".\", \"file\": \"a.c\", \"command\": \"cc -DA @words -c a.c\"},"
        " {\"directory\": \".\", \"file\": \"b.c\", \"arguments\": [\"cc\", \"-DB\", \"b.c\"]},"
        " {\"directory\": \".\", \"file\": \"a.c\", \"command\": \"cc -DOTHER a.c\"},"
        " {\"directory\": \".\", \"file\": \"c.cpp\", \"command\": \"c++ c.cpp\"}, {\"file\": \"d.c\"}]");
    struct project project;
    struct error err = {0};
    assert_true(project_load(directory, "auto", &project, &err));
    assert_int_equal(project.files.count, 2);
    assert_int_equal(project.notes.count, 3);
    assert_string_equal(project.files.items[0].name, "a.c");
    assert_string_equal(project.files.items[0].flags[0], "-DA");
    assert_string_equal(project.files.items[0].flags[1], "-DFROM_FILE");
    assert_ptr_equal(project_find(&project, "b.c"), &project.files.items[1]);
    assert_null(project_find(&project, "z.c"));
    project_release(&project);
    put(directory, "compile_commands.json", "{\"not\": \"a list\"}");
    assert_false(project_load(directory, "auto", &project, &err));
    assert_non_null(strstr(err.text, "a list is expected"));
    project_release(&project);
    put(directory, "compile_commands.json", "[{\"file\"");
    assert_false(project_load(directory, "auto", &project, &err));
    assert_non_null(strstr(err.text, "malformed JSON"));
    project_release(&project);
    assert_false(project_load("/nonexistent", "auto", &project, &err));
    project_release(&project);
    assert_true(fs_remove_tree(directory, &err));
}

int test_project(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_split_like_a_shell_does),
        cmocka_unit_test(flags_of_other_compilers_are_dropped_with_a_note),
        cmocka_unit_test(the_data_model_is_what_flags_and_names_say),
        cmocka_unit_test(the_data_model_replaces_what_the_flags_had),
        cmocka_unit_test(a_database_gives_each_c_file_once),
    };
    return cmocka_run_group_tests_name("project", tests, NULL, NULL);
}
