// SPDX-License-Identifier: Apache-2.0
// The driver generator. Drivers are generated for real C (examples/ and the type zoo
// of tests/golden/harness), compiled behind their unit, and run against
// fake_driver.c, which gives every input a value made from its path: the zoo checks
// that values arrive where the path says. Sizes are exact and the address sanitizer
// watches, so a driver that writes beyond an object fails too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fs.h"
#include "base/proc.h"
#include "frontend/frontend.h"
#include "harness/harness.h"
#include "program/libc.h"
#include "harness/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct harness_options usual = {.elements = 10, .depth = 4};

struct made {
    struct program program;
    struct arena arena;
    struct harness harness;
};

// A file of the repository, seen from this one.
static const char *repository(struct arena *arena, const char *file)
{
    const char *slash = strstr(__FILE__, "tests/unit/");
    return arena_printf(arena, "%.*s%s", slash ? (int)(slash - __FILE__) : 0, __FILE__, file);
}

// The driver as the engine compiles it: without the parts for clean builds.
static void leave_out_observations(struct harness *harness)
{
    struct buf kept = BUF_INIT;
    bool leave_out = false, inside = false;
    for (const char *line = buf_text(&harness->text), *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        bool begins = !strncmp(line, "#ifdef CZ_OBSERVE\n", 18);
        bool turns = inside && !strncmp(line, "#else\n", 6);
        bool ends = inside && !strncmp(line, "#endif\n", 7);
        leave_out = begins || (leave_out && !turns && !ends);
        if (!leave_out && !turns && !ends)
            buf_add(&kept, line, (size_t)(end - line));
        inside = begins || (inside && !ends);
    }
    buf_release(&harness->text);
    harness->text = kept;
}

static void make(struct made *made, const char *file, const struct harness_options *options)
{
    struct error err = {0};
    char *clang = proc_find_tool("clang", &err);
    program_init(&made->program);
    arena_init(&made->arena);
    struct frontend_request request = {.source = repository(&made->arena, file), .clang = clang};
    if (!frontend_parse(&request, &made->program, &err))
        fail_msg("%s: %s", file, err.text);
    harness_write(&made->program, options, &made->arena, &made->harness);
    free(clang);
}

static void unmake(struct made *made)
{
    buf_release(&made->harness.text);
    program_release(&made->program);
    arena_release(&made->arena);
}

static void run(const char *const *argv, struct buf *out)
{
    static const char *const env[] = {"ASAN_OPTIONS=detect_leaks=0", NULL};
    struct proc_options options = {.env = env, .out = out, .errors = out, .timeout_seconds = 120};
    struct proc_result result = {0};
    struct error err = {0};
    if (!proc_run(argv, &options, &result, &err))
        fail_msg("%s", err.text);
    if (!result.exited || result.exit_code != 0)
        fail_msg("%s failed: %.3000s", argv[0], buf_text(out));
}

// Compile the unit with its driver and the fake, run it, return what it prints.
static void behave(struct made *made, const char *mode, const char *task, struct buf *out)
{
    char directory[] = "/tmp/cz_harness_XXXXXX";
    struct error err = {0};
    struct buf text = BUF_INIT;
    assert_non_null(mkdtemp(directory));
    const char *source = arena_printf(&made->arena, "%s/unit.c", directory);
    const char *before = arena_printf(&made->arena, "%s/before.h", directory);
    const char *program = arena_printf(&made->arena, "%s/unit", directory);
    char *clang = proc_find_tool("clang", &err);
    buf_printf(&text, "%s\n%s", made->program.unit_text, buf_text(&made->harness.text));
    assert_true(fs_write(source, text.data, text.length, &err));
    assert_true(fs_write(before, made->harness.before, strlen(made->harness.before), &err));
    const char *include = arena_printf(&made->arena, "-I%s", repository(&made->arena, "include"));
    const char *fake = repository(&made->arena, "tests/golden/harness/fake_driver.c");
    run((const char *const[]){clang, "-w", "-g", "-fsanitize=address", include, "-include", before,
                              source, fake, "-o", program, NULL},
        out);
    buf_clear(out);
    run((const char *const[]){program, mode, task, NULL}, out);
    assert_true(fs_remove_tree(directory, &err));
    buf_release(&text);
    free(clang);
}

static bool has_note(const struct made *made, const char *task, const char *text, bool partial)
{
    for (size_t i = 0; i < made->harness.note_count; i++) {
        const struct harness_note *note = &made->harness.notes[i];
        if (strcmp(made->program.tasks[note->task].name, task) == 0 && strstr(note->text, text) &&
            (note->kind != NOTE_INFORMS) == partial)
            return true;
    }
    return false;
}

// ---- Behaviour ----

static void test_values_arrive_where_the_path_says(void **state)
{
    (void)state;
    static const struct {
        const char *task;
        unsigned checks;
    } expected[] = {
        {"scalars", 16},  {"reals", 7},       {"unnamed", 3},       {"no_names", 1},
        {"by_value", 18}, {"unions", 6},      {"pointers", 20},     {"arrays", 4},
        {"globals", 16},  {"stubs", 13},      {"never_returns", 1}, {"returns_huge", 1},
        {"variadic", 1},  {"old", 2},         {"stateful", 2},      {"clash", 2},
        {"repeated", 5},  {"wide", 2},        {"frozen", 10},       {"others", 2},
        {"lists", 3},     {"indirect", 6},    {"reads_state", 1},   {"sharing", 2},
        {"typed", 3},     {"shared_row", 1},  {"ring", 1},          {"inside", 1},
        {"buffers", 5},   {"constructed", 3},
    };
    struct made made;
    struct buf out = BUF_INIT;
    make(&made, "tests/golden/harness/zoo.c", &usual);
    behave(&made, "all", NULL, &out);
    assert_null(strstr(buf_text(&out), "WRONG"));
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const char *line =
            arena_printf(&made.arena, "%s checked %u\n", expected[i].task, expected[i].checks);
        if (!strstr(buf_text(&out), line))
            fail_msg("missing: %s in\n%s", line, buf_text(&out));
    }
    buf_release(&out);
    unmake(&made);
}

static void test_absent_pointers_may_share(void **state)
{
    (void)state;
    struct made made;
    struct buf out = BUF_INIT;
    make(&made, "tests/golden/harness/zoo.c", &usual);
    behave(&made, "null", "shared_roots", &out);
    assert_string_equal(buf_text(&out), "shared_roots checked 1\n");
    behave(&made, "absent,row[2],row[3],", "shared_row", &out);
    assert_string_equal(buf_text(&out), "shared_row checked 1\n");
    behave(&made, "absent,arg:r->next->next->next,", "ring", &out);
    assert_string_equal(buf_text(&out), "ring checked 1\n");
    buf_release(&out);
    unmake(&made);
}

static void test_signs_and_notes_of_the_zoo(void **state)
{
    (void)state;
    struct made made;
    make(&made, "tests/golden/harness/zoo.c", &usual);
    assert_non_null(strstr(buf_text(&made.harness.text), "cz_sbits(cz_field(at, \"level\"), 5)"));
    assert_true(has_note(&made, "pointers", "parameter cb: function pointer without", true));
    assert_true(has_note(&made, "pointers", "struct ops.run: function pointer without", true));
    assert_false(has_note(&made, "arrays", "function pointer", true));
    assert_true(has_note(&made, "indirect",
                         "parameter f: function pointer, one of plus, times; other", true));
    assert_true(has_note(&made, "indirect",
                         "struct device.open: function pointer, one of plus, minus, times", false));
    assert_true(has_note(&made, "indirect", "only: function pointer, one of NULL, nothing", false));
    assert_true(has_note(&made, "indirect", "by_type: function pointer, one of", true));
    assert_true(has_note(&made, "reads_state", "level: set by other functions", false));
    assert_true(has_note(&made, "sharing", "parameter other: may share an earlier object", true));
    assert_true(has_note(&made, "sharing", "struct link: cycles, back links", true));
    assert_true(has_note(&made, "shared_row", "may share what one of the first 3", true));
    assert_true(has_note(&made, "typed", "parameter two: one of the 2 types", true));
    assert_true(has_note(&made, "buffers", "parameter n: the length of v, 0 to 10", true));
    assert_true(has_note(&made, "buffers", "parameter end: points into p", true));
    assert_true(has_note(&made, "constructed", "parameter port: made by zoo_open()", true));
    assert_true(has_note(&made, "globals", "big: only the first 4096 of 100000", true));
    assert_true(has_note(&made, "globals", "borrowed_constant: a constant of another", true));
    assert_true(has_note(&made, "stubs", "get_rpm() is a stub", false));
    assert_false(has_note(&made, "pointers", "get_rpm() is a stub", false));
    assert_true(has_note(&made, "clash", "cz_drive_clash", false));
    assert_true(has_note(&made, "wide", "struct trunk.right: one element", true));
    assert_true(has_note(&made, "variadic", "zeros as variable arguments", true));
    assert_true(has_note(&made, "stateful", "called twice", true));
    unmake(&made);
}

static unsigned count_lines(const char *text, const char *start)
{
    unsigned count = 0;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        count += strncmp(line, start, strlen(start)) == 0;
    }
    return count;
}

static void test_a_list_has_depth_and_one_more_nodes(void **state)
{
    (void)state;
    static const char expected[] = "shape:head\n"
                                   "head->c\n"
                                   "shape:head->next\n"
                                   "head->next->c\n"
                                   "deep head->next->next\n"
                                   "arg:v\n"
                                   "add_last checked 0\n";
    struct made made;
    struct buf out = BUF_INIT;
    make(&made, "examples/fig5.c",
         &(struct harness_options){.elements = 10, .depth = 1}); // MAESTRO's Figure 5
    behave(&made, "log", NULL, &out);
    assert_string_equal(buf_text(&out), expected);
    buf_release(&out);
    unmake(&made);
}

// ---- The schema ----

// A line of the fake's log: "shape:arg:p", "array arg:v", "deep arg:p->next", "stream arg:f".
static void check_path(struct made *made, size_t task, const char *line)
{
    const char *space = strchr(line, ' '), *text = space ? space + 1 : line;
    bool is_array = space && *line == 'a';
    struct input_path path;
    struct schema_thing thing;
    if (!input_path_parse(text, &made->arena, &path))
        fail_msg("%s is no path", text);
    assert_string_equal(input_path_text(&path, &made->arena), text);
    path.elements = is_array ? 2 : 1;
    if (space && !is_array) // a pointer
        path.says = INPUT_SHAPE;
    if (!schema_resolve(&made->harness.schemas[task], &path, &thing))
        fail_msg("%s asks for %s, which the schema does not have", made->program.tasks[task].name,
                 line);
    assert_non_null(thing.root);
    assert_true(thing.nature == SCHEMA_DECISION || thing.type);
}

// What the tasks ask for, one after the other; how many inputs.
static unsigned check_log(struct made *made, const char *log)
{
    size_t task = 0;
    unsigned count = 0;
    while (*log) {
        size_t length = strcspn(log, "\n");
        const char *line = arena_strndup(&made->arena, log, length);
        const char *end = arena_printf(&made->arena, "%s checked ", made->program.tasks[task].name);
        if (strncmp(line, end, strlen(end)) == 0) {
            task++;
        } else {
            check_path(made, task, line);
            count++;
        }
        log += length + (log[length] == '\n');
    }
    assert_int_equal(task, made->program.task_count);
    return count;
}

static void test_drivers_ask_for_what_the_schema_has(void **state)
{
    (void)state;
    static const char *const files[] = {
        "tests/golden/harness/zoo.c",
        "examples/quickstart.c",
        "examples/fig1.c",
        "examples/fig2.c",
        "examples/fig3.c",
        "examples/fig5.c",
        "examples/fig6.c",
        "examples/bystruct.c",
        "examples/valves.c",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct made made;
        struct buf out = BUF_INIT;
        make(&made, files[i], &usual);
        behave(&made, "log", NULL, &out);
        assert_true(check_log(&made, buf_text(&out)) > 0);
        buf_release(&out);
        unmake(&made);
    }
}

// Every root that a driver names is one of the schema, whether it is asked for or not.
static void test_roots_of_the_text_are_roots_of_the_schema(void **state)
{
    (void)state;
    static const char start[] = "cz_root(\"";
    struct made made;
    make(&made, "tests/golden/harness/zoo.c", &usual);
    leave_out_observations(&made.harness);
    unsigned count = 0;
    for (const char *at = buf_text(&made.harness.text); (at = strstr(at, start)); count++) {
        struct input_path path;
        at += strlen(start);
        const char *text = arena_strndup(&made.arena, at, strcspn(at, "\""));
        bool found = false;
        assert_true(input_path_parse(text, &made.arena, &path));
        for (size_t t = 0; t < made.harness.schema_count; t++)
            found |= schema_find_root(&made.harness.schemas[t], &path) != NULL;
        if (!found)
            fail_msg("no schema has %s", text);
    }
    assert_true(count > 100);
    unmake(&made);
}

// With a bound that may grow the driver asks for it, and builds as much as it is told.
static void test_bounds_are_asked_for(void **state)
{
    (void)state;
    static const char expected[] = "shape:head\n"
                                   "head->c\n"
                                   "shape:head->next\n"
                                   "head->next->c\n"
                                   "shape:head->next->next\n"
                                   "head->next->next->c\n"
                                   "deep head->next->next->next\n"
                                   "arg:v\n"
                                   "add_last checked 0\n";
    struct made made;
    struct buf out = BUF_INIT;
    struct harness_options options = {
        .elements = 10, .most_elements = 20, .depth = 1, .most_depth = 3};
    make(&made, "examples/fig5.c", &options);
    assert_non_null(strstr(buf_text(&made.harness.text), "cz_depth(1, 3)"));
    behave(&made, "log", NULL, &out); // one more than the start
    assert_string_equal(buf_text(&out), expected);
    buf_release(&out);
    unmake(&made);
    make(&made, "tests/golden/harness/zoo.c", &options);
    assert_non_null(strstr(buf_text(&made.harness.text), "cz_elements(10, 20)"));
    unmake(&made);
}

static void test_lengths_and_calls_are_options(void **state)
{
    (void)state;
    struct made made;
    struct harness_options options = {.elements = 3, .depth = 1, .calls = 4, .free_lengths = true};
    make(&made, "tests/golden/harness/zoo.c", &options);
    assert_non_null(strstr(buf_text(&made.harness.text), "size_t arg_bytes = cz_u64("));
    assert_null(strstr(buf_text(&made.harness.text), "/* the length of"));
    assert_non_null(strstr(buf_text(&made.harness.text), "cz_calls(4, 4)"));
    assert_true(has_note(&made, "stateful", "called 4 times", true));
    assert_false(has_note(&made, "buffers", "the length of", true));
    unmake(&made);
}

static void test_null_everywhere(void **state)
{
    (void)state;
    static const char *const files[] = {"examples/quickstart.c", "examples/fig5.c",
                                        "examples/fig3.c", "examples/fig1.c"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct made made;
        struct buf out = BUF_INIT;
        make(&made, files[i], &usual);
        behave(&made, "null", NULL, &out);
        assert_true(count_lines(buf_text(&out), made.program.tasks[0].name) > 0);
        buf_release(&out);
        unmake(&made);
    }
}

static void test_extern_variables_get_a_definition(void **state)
{
    (void)state;
    struct made made;
    make(&made, "examples/valves.c", &usual);
    assert_non_null(strstr(buf_text(&made.harness.text), "\nint size;\n"));
    assert_non_null(strstr(buf_text(&made.harness.text), "\nint valvesStatus[10];\n"));
    assert_non_null(
        strstr(buf_text(&made.harness.text),
               "cz_array(cz_root(\"valvesStatus\"), (void *)valvesStatus, CZ_I32, 10)"));
    assert_null(strstr(buf_text(&made.harness.text), "printf"));
    unmake(&made);
}

static void test_the_driver_of_the_quick_start(void **state)
{
    (void)state;
    struct made made;
    struct buf golden = BUF_INIT;
    struct error err = {0};
    make(&made, "examples/quickstart.c", &usual);
    if (!fs_read(repository(&made.arena, "tests/golden/harness/quickstart.driver.c"), &golden,
                 &err))
        fail_msg("%s", err.text);
    leave_out_observations(&made.harness);
    assert_string_equal(buf_text(&made.harness.text), buf_text(&golden));
    buf_release(&golden);
    unmake(&made);
}

static void test_equal_programs_give_equal_drivers(void **state)
{
    (void)state;
    struct made first, second;
    make(&first, "tests/golden/harness/zoo.c", &usual);
    make(&second, "tests/golden/harness/zoo.c", &usual);
    assert_string_equal(buf_text(&first.harness.text), buf_text(&second.harness.text));
    unmake(&first);
    unmake(&second);
}

// ---- Programs made by hand ----

static struct type type_int = {.kind = TYPE_INT,
                               .spelling = "int",
                               .nameable = true,
                               .is_signed = true,
                               .complete = true,
                               .size = 4,
                               .align = 4};
static struct type type_void = {.kind = TYPE_VOID, .spelling = "void", .nameable = true};

struct tiny { // int f(void) calls an undefined function
    struct type f_type, g_type;
    struct function functions[2];
    struct task task;
    size_t entry, external;
    struct program program;
};

static void tiny_init(struct tiny *tiny, const char *external, bool system)
{
    *tiny = (struct tiny){.entry = 0, .external = 1};
    tiny->f_type = (struct type){
        .kind = TYPE_FUNCTION, .spelling = "int (void)", .target = &type_int, .nameable = true};
    tiny->functions[0] =
        (struct function){.name = "f", .source_name = "f", .defined = true, .type = &tiny->f_type};
    tiny->functions[1] = (struct function){.name = external,
                                           .source_name = external,
                                           .type = &tiny->f_type,
                                           .in_system_header = system};
    tiny->task = (struct task){.name = "f",
                               .functions = &tiny->entry,
                               .function_count = 1,
                               .externals = &tiny->external,
                               .external_count = 1};
    tiny->program = (struct program){.source = "tiny.c",
                                     .functions = tiny->functions,
                                     .function_count = 2,
                                     .tasks = &tiny->task,
                                     .task_count = 1};
}

static bool tiny_has(struct tiny *tiny, const char *text)
{
    struct arena arena;
    struct harness harness;
    arena_init(&arena);
    harness_write(&tiny->program, &usual, &arena, &harness);
    leave_out_observations(&harness);
    bool found = strstr(buf_text(&harness.text), text) || strstr(harness.before, text);
    buf_release(&harness.text);
    arena_release(&arena);
    return found;
}

static void test_which_externals_get_stubs(void **state)
{
    (void)state;
    struct tiny tiny;
    tiny_init(&tiny, "get_rpm", false);
    assert_true(tiny_has(&tiny, "int get_rpm(void)"));
    assert_false(tiny_has(&tiny, "redefine_extname"));
    tiny_init(&tiny, "getgrgid", true); // of the C library
    assert_false(tiny_has(&tiny, "getgrgid"));
    tiny_init(&tiny, "deflateEnd", true); // of another one, which no target is linked with
    assert_true(tiny_has(&tiny, "int deflateEnd(void)"));
    tiny_init(&tiny, "__builtin_popcount", false);
    assert_false(tiny_has(&tiny, "__builtin_popcount"));
    assert_int_equal(libc_class_of("rand"), LIBC_INPUT);
    tiny_init(&tiny, "rand", true);
    assert_true(tiny_has(&tiny, "int rand(void)"));
    assert_true(tiny_has(&tiny, "#pragma redefine_extname rand czs_rand"));
    tiny_init(&tiny, "memcpy", false); // declared by hand: still the C library's
    assert_false(tiny_has(&tiny, "memcpy"));
}

static void test_own_names_of_libc_get_symbols(void **state)
{
    (void)state;
    struct tiny tiny;
    tiny_init(&tiny, "strlen", false);
    tiny.functions[1].is_own = true; // a function of the project
    assert_true(tiny_has(&tiny, "int strlen(void)"));
    assert_true(tiny_has(&tiny, "#pragma redefine_extname strlen czs_strlen\n"));
    tiny_init(&tiny, "daemon", false); // not listed, but there
    assert_true(tiny_has(&tiny, "#pragma redefine_extname daemon czs_daemon\n"));
    tiny_init(&tiny, "abs", true); // another file of the unit defines it
    tiny.functions[1].elsewhere = true;
    assert_false(tiny_has(&tiny, "int abs(void)"));
    assert_true(tiny_has(&tiny, "#pragma redefine_extname abs czs_abs\n"));
    tiny_init(&tiny, "get_rpm", false);
    tiny.functions[0].name = "_exit"; // the task itself
    assert_true(tiny_has(&tiny, "#pragma redefine_extname _exit czs__exit\n"));
    tiny.functions[0].keeps_symbol = true;
    assert_false(tiny_has(&tiny, "redefine_extname"));
    tiny.functions[0].keeps_symbol = false;
    tiny.functions[0].is_static = true;
    assert_false(tiny_has(&tiny, "redefine_extname"));
}

static bool renames(const char *name, bool is_extern_only, bool in_system_header, bool is_own)
{
    struct variable variable = {.name = name,
                                .type = &type_int,
                                .is_extern_only = is_extern_only,
                                .in_system_header = in_system_header,
                                .is_own = is_own};
    return symbols_renames(&variable, false);
}

static void test_variables_with_names_of_libc(void **state)
{
    (void)state;
    assert_true(renames("time", false, false, false)); // the file defines it
    assert_true(renames("time", true, false, false));  // the driver does
    assert_false(renames("rpm", false, false, false));
    assert_false(renames("environ", true, true, false)); // from <unistd.h>
    assert_true(renames("environ", true, false, false)); // declared by hand: the driver defines it
    assert_true(renames("environ", true, false, true));  // a file of the project defines it
    assert_true(renames("environ", false, false, false));
    assert_true(libc_has_variable("optarg"));
    assert_false(libc_has_variable("time"));
    assert_string_equal(program_plain_symbol("czs_time"), "time");
    assert_string_equal(program_plain_symbol("time"), "time");
}

static void test_no_return_no_result_no_prototype(void **state)
{
    (void)state;
    struct tiny tiny;
    tiny_init(&tiny, "stop", false);
    tiny.functions[1].is_noreturn = true;
    assert_true(tiny_has(&tiny, "cz_exit();"));
    tiny_init(&tiny, "old", false);
    tiny.g_type = tiny.f_type;
    tiny.g_type.variadic = true;
    tiny.functions[1].type = &tiny.g_type;
    assert_true(tiny_has(&tiny, "int old(long double unknown)"));
    tiny_init(&tiny, "log_it", false);
    tiny.g_type = tiny.f_type;
    tiny.g_type.target = &type_void;
    tiny.functions[1].type = &tiny.g_type;
    assert_true(tiny_has(&tiny, "void log_it(void)\n{\n    cz_call(\"log_it\");\n}"));
}

static void test_a_program_without_tasks(void **state)
{
    (void)state;
    struct tiny tiny;
    tiny_init(&tiny, "g", false);
    tiny.program.task_count = 0;
    assert_true(tiny_has(&tiny, "const unsigned cz_task_count = 0;"));
}

int test_harness(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_arrive_where_the_path_says),
        cmocka_unit_test(test_absent_pointers_may_share),
        cmocka_unit_test(test_signs_and_notes_of_the_zoo),
        cmocka_unit_test(test_a_list_has_depth_and_one_more_nodes),
        cmocka_unit_test(test_drivers_ask_for_what_the_schema_has),
        cmocka_unit_test(test_roots_of_the_text_are_roots_of_the_schema),
        cmocka_unit_test(test_bounds_are_asked_for),
        cmocka_unit_test(test_lengths_and_calls_are_options),
        cmocka_unit_test(test_null_everywhere),
        cmocka_unit_test(test_extern_variables_get_a_definition),
        cmocka_unit_test(test_the_driver_of_the_quick_start),
        cmocka_unit_test(test_equal_programs_give_equal_drivers),
        cmocka_unit_test(test_which_externals_get_stubs),
        cmocka_unit_test(test_own_names_of_libc_get_symbols),
        cmocka_unit_test(test_variables_with_names_of_libc),
        cmocka_unit_test(test_no_return_no_result_no_prototype),
        cmocka_unit_test(test_a_program_without_tasks),
    };
    return cmocka_run_group_tests_name("harness", tests, NULL, NULL);
}
