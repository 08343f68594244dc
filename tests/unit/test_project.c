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
    project_split("cc  -DA=\\\"x\\ y\\\" '-DB=1 2' \"-DC=\\\"q\\\"\" a\\b \"\" f.c", &arena, &words,
                  &count);
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
    const char *const words[] = {"arm-none-eabi-gcc",
                                 "-mcpu=cortex-m4",
                                 "-mthumb",
                                 "-Iinc",
                                 "-I",
                                 "lib",
                                 "-isystem",
                                 "/abs",
                                 "-DX=1",
                                 "-D",
                                 "Y",
                                 "-Werror",
                                 "-O2",
                                 "-fsanitize=address",
                                 "-MD",
                                 "-MF",
                                 "x.d",
                                 "-std=gnu99",
                                 "-c",
                                 "a.c",
                                 "-o",
                                 "a.o",
                                 "-fshort-enums",
                                 "-g3",
                                 "-x",
                                 "c"};
    size_t count = sizeof words / sizeof *words;
    struct project_flags got;
    project_translate(words, count, true, "/build", PROJECT_WIDTH_AUTO, &arena, &got);
    const char *const expected[] = {
        "-funsigned-char", "-fshort-enums", "-I/build/inc", "-I", "/build/lib",
        "-isystem",        "/abs",          "-DX=1",        "-D", "Y",
        "-std=gnu99",      "-fshort-enums", "-m32",         NULL};
    size_t i = 0;
    for (; expected[i]; i++)
        assert_string_equal(got.flags[i], expected[i]);
    assert_string_equal(project_flags_note(&got, &arena),
                        "dropped flags: -mcpu=cortex-m4 -mthumb" PROJECT_ILP32);
    project_translate(words, count, true, "/build", PROJECT_WIDTH_64, &arena, &got);
    assert_null(got.flags[10]);
    assert_string_equal(project_flags_note(&got, &arena),
                        "dropped flags: -mcpu=cortex-m4 -mthumb" PROJECT_LP64);
    arena_release(&arena);
}

// "flags | dropped", each separated by blanks
static const char *translated(const char *command, struct arena *arena)
{
    const char **words, *text = "";
    size_t count;
    struct project_flags got;
    project_split(command, arena, &words, &count);
    project_translate(words, count, true, "/b", PROJECT_WIDTH_AUTO, arena, &got);
    for (; *got.flags; got.flags++)
        text = arena_printf(arena, "%s%s ", text, *got.flags);
    text = arena_printf(arena, "%s|", text);
    for (; *got.dropped; got.dropped++)
        text = arena_printf(arena, "%s %s", text, *got.dropped);
    return text;
}

static void only_flags_that_may_change_the_meaning_are_listed(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    static const char *const cases[][2] = {
        {"cc -Werror=all -Wno-x -g3 -O2 -flto=auto -fno-tree-vectorize -fsanitize=address -fPIC "
         "-pg -s",
         "|"},
        {"cc --param x=1 -shared -static-libgcc -pipe -fstack-protector-strong -ffunction-sections",
         "|"},
        {"cc -specs=nano.specs --specs=x -fplugin=p.so -funknown -munknown",
         "| -specs=nano.specs --specs=x -fplugin=p.so -funknown -munknown"},
        {"cc -target arm64-apple-ios -Xclang -x", "| -target arm64-apple-ios -Xclang -x"},
        {"cc -ffast-math -fsingle-precision-constant", "| -ffast-math -fsingle-precision-constant"},
        {"cc -Wp,-DX=1 -Wp,-MD,x.d", "-DX=1 |"},
        {"cc -mavx2 -march=haswell -mtune=native -march=armv8-a",
         "-mavx2 -march=haswell | -march=armv8-a"},
        {"cc -fplan9-extensions -finput-charset=UTF-8 -finput-charset=latin1",
         "-fms-extensions -finput-charset=UTF-8 | -finput-charset=latin1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(translated(cases[i][0], &arena), cases[i][1]);
    arena_release(&arena);
}

static void flags_of_the_command_line_are_translated_as_well(void **state)
{
    (void)state;
    struct arena arena;
    struct error err = {0};
    struct project_flags got;
    arena_init(&arena);
    const char *const words[] = {"-DX", "-fweird", "-Wlogical-op", "stray.o", "-mthumb"};
    assert_true(project_given_flags(words, 5, PROJECT_WIDTH_64, &arena, &got, &err));
    assert_string_equal(got.flags[0], "-DX");
    assert_null(got.flags[1]);
    assert_string_equal(project_flags_note(&got, &arena),
                        "dropped flags: -fweird stray.o -mthumb" PROJECT_LP64);
    const char *const missing[] = {"-DX", "@nowhere.rsp"};
    assert_false(project_given_flags(missing, 2, PROJECT_WIDTH_AUTO, &arena, &got, &err));
    assert_non_null(strstr(err.text, "/nowhere.rsp cannot be read"));
    arena_release(&arena);
}

static void the_data_model_is_what_flags_and_names_say(void **state)
{
    (void)state;
    static const struct {
        const char *words[4];
        enum project_width width;
        bool narrow, as_arm;
        const char *note;
    } cases[] = {
        {{"gcc", "-c"}, PROJECT_WIDTH_AUTO, false, false, ""},
        {{"gcc", "-c"}, PROJECT_WIDTH_32, true, false, ""},
        {{"gcc", "-m32"}, PROJECT_WIDTH_AUTO, true, false, ""},
        {{"gcc", "-mx32"}, PROJECT_WIDTH_AUTO, true, false, ""},
        {{"gcc", "-m32", "-m64"}, PROJECT_WIDTH_AUTO, false, false, ""},
        {{"gcc", "-m32"}, PROJECT_WIDTH_64, false, false, PROJECT_LP64},
        {{"/opt/bin/arm-none-eabi-gcc", "-c"}, PROJECT_WIDTH_AUTO, true, true, PROJECT_ILP32},
        {{"tricore-gcc", "-c"}, PROJECT_WIDTH_AUTO, true, false, PROJECT_ILP32},
        {{"clang", "-target", "armv7m-none-eabi"}, PROJECT_WIDTH_AUTO, true, true, PROJECT_ILP32},
        {{"clang", "--target=riscv32-unknown-elf"}, PROJECT_WIDTH_AUTO, true, true, PROJECT_ILP32},
        {{"clang", "--target=riscv64-unknown-elf"}, PROJECT_WIDTH_AUTO, false, false, ""},
        {{"gcc", "-mcpu=cortex-a53"}, PROJECT_WIDTH_AUTO, false, false, ""},
        {{"gcc", "-mcpu=cortex-m0"}, PROJECT_WIDTH_64, false, false, PROJECT_LP64},
        {{"avr-gcc", "-mmcu=atmega328p"}, PROJECT_WIDTH_AUTO, true, false, PROJECT_SMALL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = 0;
        while (count < 4 && cases[i].words[count])
            count++;
        struct project_model got =
            project_choose_model(cases[i].words, count, true, cases[i].width);
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
    arena_release(&arena);
}

static void put(const char *directory, const char *name, const char *text)
{
    char path[300];
    struct error err = {0};
    snprintf(path, sizeof path, "%s/%s", directory, name);
    assert_true(fs_write(path, text, strlen(text), &err));
}

static bool load(const char *path, const char *entry, struct project *project, struct error *err)
{
    const struct project_request request = {
        .path = path, .width = PROJECT_WIDTH_AUTO, .entries = &entry, .entry_count = entry != NULL};
    return project_load(&request, project, err);
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
        " {\"directory\": \".\", \"file\": \"c.cpp\", \"command\": \"c++ c.cpp\"}, {\"file\": "
        "\"d.c\"}]");
    struct project project;
    struct error err = {0};
    assert_true(load(directory, NULL, &project, &err));
    assert_int_equal(project.files.count, 3);
    assert_int_equal(project.notes.count, 2);
    assert_non_null(strstr(project.files.items[2].problem, "number 5 of "));
    assert_non_null(
        strstr(project.files.items[2].problem, "neither \"arguments\" nor \"command\""));
    assert_string_equal(project.files.items[0].name, "a.c");
    assert_string_equal(project.files.items[0].flags[0], "-DA");
    assert_string_equal(project.files.items[0].flags[1], "-DFROM_FILE");
    assert_ptr_equal(project_find(&project, "b.c"), &project.files.items[1]);
    assert_null(project_find(&project, "z.c"));
    project_release(&project);
    put(directory, "compile_commands.json", "{\"not\": \"a list\"}");
    assert_false(load(directory, NULL, &project, &err));
    assert_non_null(strstr(err.text, "it is an object, and a list of entries is expected"));
    project_release(&project);
    put(directory, "compile_commands.json", "[{\"file\"");
    assert_false(load(directory, NULL, &project, &err));
    assert_non_null(strstr(err.text, "malformed JSON"));
    project_release(&project);
    assert_false(load("/nonexistent", NULL, &project, &err));
    project_release(&project);
    assert_true(fs_remove_tree(directory, &err));
}

static const char *note_with(const struct project *project, const char *text)
{
    for (size_t i = 0; i < project->notes.count; i++)
        if (strstr(project->notes.items[i], text))
            return project->notes.items[i];
    return NULL;
}

static void of_several_entries_one_can_be_chosen(void **state)
{
    (void)state;
    char directory[] = "/tmp/cadenza-project.XXXXXX";
    assert_non_null(mkdtemp(directory));
    put(directory, "a.c", "int a;");
    put(directory, "b.c", "int b;");
    put(directory, "compile_commands.json",
        "[{\"directory\": \".\", \"file\": \"a.c\", \"command\": \"cc -O2 -DA=1 -c a.c -o 1.o\"},"
        " {\"directory\": \".\", \"file\": \"a.c\", \"command\": \"cc -O3 -DA=1 -c a.c -o 2.o\"},"
        " {\"directory\": \".\", \"file\": \"b.c\", \"command\": \"cc -c b.c\"},"
        " {\"directory\": \".\", \"file\": \"./b.c\", \"command\": \"cc -g -c b.c\"},"
        " {\"directory\": \".\", \"file\": \"a.c\", \"command\": \"cc -DA=3 -c a.c\", \"output\": "
        "\"3.o\"}]");
    struct project project;
    struct error err = {0};
    assert_true(load(directory, NULL, &project, &err));
    assert_string_equal(project.files.items[0].flags[0], "-DA=1");
    assert_int_equal(project.notes.count, 1); // those of b.c are the same
    assert_string_equal(project.notes.items[0],
                        "a.c has 2 entries that differ; entry 1 is used (-DA=1, 1.o); "
                        "--entry a.c:3 takes (-DA=3, 3.o)");
    project_release(&project);
    static const char *const good[] = {"a.c:3", "3"};
    for (size_t i = 0; i < 2; i++) {
        assert_true(load(directory, good[i], &project, &err));
        assert_string_equal(project.files.items[0].flags[0], "-DA=3");
        assert_int_equal(project.notes.count, 0);
        project_release(&project);
    }
    static const char *const bad[][2] = {
        {"a.c:4", "a.c has only 3 in "}, {"b.c:3", "b.c has only 2 in "},
        {"z.c:1", "z.c is not in "},     {"4", "no file has more than 3 in "},
        {"a.c", "is FILE:N or N"},       {"a.c:0", "is FILE:N or N"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(load(directory, bad[i][0], &project, &err));
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_non_null(strstr(err.text, bad[i][1]));
        project_release(&project);
    }
    assert_true(fs_remove_tree(directory, &err));
}

static void what_an_entry_refers_to_must_be_there(void **state)
{
    (void)state;
    char directory[] = "/tmp/cadenza-project.XXXXXX";
    char text[1200];
    assert_non_null(mkdtemp(directory));
    put(directory, "a.c", "int a;");
    put(directory, "b.c", "int b;");
    put(directory, "c.c", "int c;");
    put(directory, "loop", "@loop");
    snprintf(text, sizeof text,
             "[{\"directory\": \".\", \"file\": \"a.c\", \"command\": \"cc @gone.rsp -c a.c\"},"
             " {\"directory\": \"away\", \"file\": \"%s/b.c\", \"command\": \"cc -c b.c\"},"
             " {\"directory\": \"away\", \"file\": \"x.c\", \"command\": \"cc -c x.c\"},"
             " {\"directory\": \".\", \"file\": \"c.c\", \"command\": \"cc @loop -c c.c\"},"
             " {\"directory\": \".\", \"file\": \"c.c\", \"command\": \"cc -DGOOD -c c.c\"}]",
             directory);
    put(directory, "compile_commands.json", text);
    struct project project;
    struct error err = {0};
    assert_true(load(directory, NULL, &project, &err));
    assert_int_equal(project.files.count, 4);
    assert_non_null(strstr(project.files.items[0].problem, "/gone.rsp cannot be read"));
    assert_null(project.files.items[1].problem);
    assert_non_null(note_with(&project, "/away of entries in "));
    assert_non_null(strstr(project.files.items[2].problem, "/away of its entry in "));
    assert_null(project.files.items[3].problem); // the second entry is good
    assert_string_equal(project.files.items[3].flags[0], "-DGOOD");
    assert_non_null(note_with(
        &project, "c.c: entry 2 is used, those before it cannot be: its response files refer"));
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
        cmocka_unit_test(only_flags_that_may_change_the_meaning_are_listed),
        cmocka_unit_test(flags_of_the_command_line_are_translated_as_well),
        cmocka_unit_test(of_several_entries_one_can_be_chosen),
        cmocka_unit_test(what_an_entry_refers_to_must_be_there),
    };
    return cmocka_run_group_tests_name("project", tests, NULL, NULL);
}
