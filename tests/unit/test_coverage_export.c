// SPDX-License-Identifier: Apache-2.0
// Clean builds, replay and what llvm-cov says, on real clang and llvm-cov with a
// small stand-in for the replay library; and the reader on hand-made exports.
#include "base/fs.h"
#include "base/proc.h"
#include "flags/flags.h"
#include "program/libc.h"
#include "replay/replay.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// A replay library in miniature: a test file holds two numbers for cz_i32().
static const char library_text[] =
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <signal.h>\n"
    "#include <unistd.h>\n#include <sys/wait.h>\n#include <sys/mman.h>\n"
    "int __llvm_profile_runtime;\n"
    "extern unsigned long __llvm_profile_get_size_for_buffer(void) __attribute__((weak));\n"
    "extern int __llvm_profile_write_buffer(char *) __attribute__((weak));\n"
    "extern int __llvm_profile_merge_from_buffer(char *, unsigned long) __attribute__((weak));\n"
    "extern void __llvm_profile_reset_counters(void) __attribute__((weak));\n"
    "extern void drive(void);\n"
    "static char *shared;\nstatic unsigned long size;\n"
    "static void save(void) { if (shared) __llvm_profile_write_buffer(shared); }\n"
    "static void store(void) { const char *fd = getenv(\"CADENZA_PROFILE_FD\");\n"
    "  if (shared && fd && *fd) { save(); write(atoi(fd), shared, size); } }\n"
    "static int values[2], next;\n"
    "int cz_i32(unsigned at) { (void)at; return values[next++ & 1]; }\n"
    "static void fault(int s) { save(); _exit(100 + s); }\n"
    "int main(int argc, char **argv) {\n"
    "  while (argc > 2 && (!strcmp(argv[1], \"-t\") || !strcmp(argv[1], \"-T\"))) { argv += 2; "
    "argc -= 2; }\n"
    "  if (__llvm_profile_write_buffer) {\n"
    "    size = __llvm_profile_get_size_for_buffer();\n"
    "    shared = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }\n"
    "  for (int i = 1; i < argc; i++) {\n"
    "    FILE *f = fopen(argv[i], \"r\");\n"
    "    if (!f || fscanf(f, \"%d %d\", &values[0], &values[1]) != 2) {\n"
    "      printf(\"%s\\terror no numbers\\n\", argv[i]); continue; }\n"
    "    fclose(f);\n"
    "    if (values[0] == 99) { store(); _exit(7); }\n" // dies without an answer
    "    fflush(stdout);\n"
    "    pid_t child = fork();\n"
    "    if (!child) { if (shared) __llvm_profile_reset_counters();\n"
    "      signal(SIGFPE, fault); atexit(save); drive(); exit(0); }\n"
    "    int status; waitpid(child, &status, 0);\n"
    "    if (shared) { __llvm_profile_merge_from_buffer(shared, size); memset(shared, 0, size); }\n"
    "    int code = WEXITSTATUS(status);\n"
    "    printf(\"noise %s\\t\", argv[i]);\n"
    "    if (code > 100) printf(\"signal %d\\n\", code - 100);\n"
    "    else if (code) printf(\"exit %d\\tsaid so\\n\", code); else printf(\"ok\\n\");\n"
    "  }\n"
    "  store();\n  return 0;\n}\n";

static const char source_text[] = "#include \"limit.h\"\n"
                                  "#define cz_i32 broken\n" // the driver must not see it
                                  "void abort(void);\n"
                                  "static int unused(int x) { return x ? 1 : 2; }\n"
                                  "int check(int a, int b)\n"
                                  "{\n"
                                  "    int r = 0;\n"
                                  "    if (a > LIMIT && b)\n"
                                  "        r = 1;\n"
                                  "    if (a && 1)\n"
                                  "        r++;\n"
                                  "    if (0)\n"
                                  "        r = 9;\n"
                                  "    switch (b) {\n"
                                  "    case 1:\n"
                                  "        r = 10 / a;\n"
                                  "        break;\n"
                                  "    case 2 ... 4:\n"
                                  "        r = 3;\n"
                                  "        if (a == 50) abort();\n"
                                  "    }\n"
                                  "    return r + small(a);\n"
                                  "}\n";

static const char header_text[] = "#define LIMIT 5\n"
                                  "static int small(int x) { return x < 3; }\n";

static const char driver_text[] = "int cz_i32(unsigned);\n"
                                  "void drive(void) { int a = cz_i32(0); check(a, cz_i32(1)); }\n";

struct bench {
    char root[64];
    struct arena arena;
    struct program program;
    struct clean_build build;
};

static const char *put_file(struct bench *bench, const char *name, const char *text)
{
    struct error err = {0};
    const char *path = arena_printf(&bench->arena, "%s/%s", bench->root, name);
    if (!fs_write(path, text, strlen(text), &err))
        fail_msg("%s", err.text);
    return path;
}

static void run_tool(const char *const *argv)
{
    struct proc_result result;
    struct proc_options options = {0};
    struct error err = {0};
    if (!proc_run(argv, &options, &result, &err) || result.exit_code != 0)
        fail_msg("%s failed: %s", argv[0], err.text);
}

static void make_library(struct bench *bench)
{
    char *clang = proc_find_tool("clang", NULL), *ar = proc_find_tool("llvm-ar", NULL);
    assert_non_null(clang);
    assert_non_null(ar);
    struct buf text = BUF_INIT;
    buf_add(&text, library_text, strlen(library_text));
    for (size_t i = 0; i < libc_count(); i++)
        if (libc_at(i)->wrapped)
            buf_printf(&text, "__asm__(\".globl __wrap_%s\\n__wrap_%s: jmp __real_%s@PLT\");\n",
                       libc_at(i)->name, libc_at(i)->name, libc_at(i)->name);
    const char *source = put_file(bench, "library.c", buf_text(&text));
    buf_release(&text);
    const char *object = arena_printf(&bench->arena, "%s/library.o", bench->root);
    const char *archive = arena_printf(&bench->arena, "%s/libczreplay.a", bench->root);
    run_tool((const char *const[]){clang, "-c", source, "-o", object, NULL});
    run_tool((const char *const[]){ar, "rcs", archive, object, NULL});
    free(clang);
    free(ar);
    struct error err = {0};
    assert_true(fs_make_dirs(arena_printf(&bench->arena, "%s/include/cz", bench->root), &err));
    put_file(bench, "include/cz/driver.h", "#ifndef CZ_DRIVER_H\n#define CZ_DRIVER_H\n#endif\n");
}

// The unit's text as the front end would write it: no macros, no directives.
static const char *preprocess(struct bench *bench, const char *source)
{
    char *clang = proc_find_tool("clang", NULL);
    struct buf text = BUF_INIT;
    struct proc_options options = {.out = &text};
    struct proc_result result;
    struct error err = {0};
    assert_true(
        proc_run((const char *const[]){clang, "-E", "-P", source, NULL}, &options, &result, &err));
    const char *copy = arena_strdup(&bench->arena, buf_text(&text));
    buf_release(&text);
    free(clang);
    return copy;
}

static int set_up(void **state)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    const char *base = getenv("TMPDIR");
    snprintf(bench.root, sizeof bench.root, "%.40s/cz-replay-XXXXXX",
             base && *base ? base : "/tmp");
    if (!mkdtemp(bench.root))
        return 1;
    arena_init(&bench.arena);
    make_library(&bench);
    put_file(&bench, "limit.h", header_text);
    bench.program.source = put_file(&bench, "check.c", source_text);
    bench.program.unit_text = preprocess(&bench, bench.program.source);
    *state = &bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    arena_release(&bench->arena);
    return !fs_remove_tree(bench->root, NULL);
}

static void build(struct bench *bench, const char *driver)
{
    struct error err = {0};
    struct clean_build_request request = {
        .program = &bench->program,
        .texts = &(struct clean_text){.driver = driver},
        .directory = arena_printf(&bench->arena, "%s/work", bench->root),
        .library = bench->root,
    };
    if (!clean_build(&request, &bench->arena, &bench->build, &err))
        fail_msg("%s", err.text);
}

static const struct llvmcov_function *function_named(const struct llvmcov *coverage,
                                                     const char *name)
{
    for (size_t i = 0; i < coverage->function_count; i++)
        if (strcmp(coverage->functions[i].name, name) == 0)
            return &coverage->functions[i];
    fail_msg("no function %s in the export", name);
    return NULL;
}

static const struct llvmcov_branch *branch_at(const struct llvmcov_function *function, size_t index)
{
    assert_true(index < function->branch_count);
    return &function->branches[index];
}

static uint64_t count_of_line(const struct llvmcov *coverage, const char *file, uint32_t line)
{
    const struct llvmcov_file *found = llvmcov_find_file(coverage, file);
    assert_non_null(found);
    for (size_t i = 0; i < found->line_count; i++)
        if (found->lines[i].line == line)
            return found->lines[i].count;
    return UINT64_MAX;
}

static void goals_without_tests_are_those_of_llvm_cov(void **state)
{
    struct bench *bench = *state;
    struct replay_coverage coverage;
    struct error err = {0};
    build(bench, driver_text);
    assert_true(replay_total(&bench->build, &bench->arena, &coverage, &err));
    const struct llvmcov_function *check = function_named(coverage.unit, "check");
    // a > 5, b; a (the 1 is folded, so is the 0); case 1, case 2...4, no case; a == 50
    assert_int_equal(check->branch_count, 7);
    assert_int_equal(function_named(coverage.unit, "unused")->branch_count, 0);
    assert_int_equal(check->decision_count, 2);
    assert_false(check->decisions[0].conditions[0].constant);
    assert_false(check->decisions[0].conditions[1].constant);
    assert_false(check->decisions[1].conditions[0].constant);
    assert_true(check->decisions[1].conditions[1].constant);
    const struct llvmcov_file *unit = llvmcov_find_file(coverage.unit, bench->build.unit_paths[0]);
    assert_non_null(unit);
    assert_int_equal(unit->branches,
                     2 * (7 + function_named(coverage.unit, "small")->branch_count));
    assert_int_equal(unit->conditions, 3);
    assert_int_equal(unit->branches_covered, 0);
}

static void replay_counts_what_ran_and_says_how_it_ended(void **state)
{
    struct bench *bench = *state;
    struct replay_outcome outcomes[5];
    struct replay_coverage coverage;
    struct error err = {0};
    build(bench, driver_text);
    const char *tests[] = {put_file(bench, "1.test", "9 1\n"), put_file(bench, "2.test", "0 1\n"),
                           put_file(bench, "3.test", "99 0\n"), put_file(bench, "4.test", "x\n"),
                           put_file(bench, "5.test", "9 0\n")};
    assert_true(
        replay_task(&bench->build, 0, tests, 5, NULL, &bench->arena, outcomes, &coverage, &err));
    assert_int_equal(outcomes[0].status, REPLAY_OK);
    assert_int_equal(outcomes[1].status, REPLAY_SIGNAL);
    assert_true(replay_crashed(&outcomes[1]));
    assert_int_equal(outcomes[2].status, REPLAY_LOST);
    assert_int_equal(outcomes[3].status, REPLAY_ERROR);
    assert_int_equal(outcomes[4].status, REPLAY_OK);
    assert_null(coverage.note);
    const struct llvmcov_function *check = function_named(coverage.unit, "check");
    assert_int_equal(branch_at(check, 0)->count[1], 2); // a > 5
    assert_true(branch_at(check, 0)->count[0] > 0);     // the crash, which ran again alone
    assert_int_equal(branch_at(check, 1)->count[1], 1); // b
    assert_int_equal(branch_at(check, 1)->count[0], 1);
    assert_true(branch_at(check, 3)->count[1] + branch_at(check, 4)->count[1] > 1); // case 1
    assert_true(check->decisions[0].conditions[0].covered);
    assert_true(check->decisions[0].conditions[1].covered);
    // Lines are those of the user's files.
    assert_non_null(coverage.lines);
    assert_int_equal(count_of_line(coverage.lines, bench->program.source, 9), 1);
    assert_int_equal(count_of_line(coverage.lines, bench->program.source, 4), 0);
    assert_int_equal(count_of_line(coverage.lines, bench->program.source, 19), 0);
    assert_int_equal(count_of_line(coverage.lines, bench->program.source, 1), UINT64_MAX);
    assert_int_equal(
        count_of_line(coverage.lines, arena_printf(&bench->arena, "%s/limit.h", bench->root), 2),
        2);
}

static void tests_run_alone_from_relative_paths(void **state)
{
    struct bench *bench = *state;
    struct replay_outcome outcomes[2];
    struct error err = {0};
    char here[4096];
    build(bench, driver_text);
    const char *tests[] = {"1.test", "2.test"};
    put_file(bench, "1.test", "9 1\n");
    put_file(bench, "2.test", "0 1\n");
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(bench->root), 0);
    bool good = replay_run("work/replay", "work/other", tests, 2, &bench->arena, outcomes, &err);
    assert_int_equal(chdir(here), 0);
    if (!good)
        fail_msg("%s", err.text);
    assert_string_equal(outcomes[0].text, "ok");
    assert_string_equal(outcomes[1].text, "signal 8");
    assert_false(
        fs_exists(arena_printf(&bench->arena, "%s/work/other/ignored.profraw", bench->root)));
    assert_false(fs_exists(arena_printf(&bench->arena, "%s/work/profiles", bench->root)));
}

static void totals_are_the_union_of_the_tasks(void **state)
{
    struct bench *bench = *state;
    struct replay_outcome outcome;
    struct replay_coverage coverage;
    struct error err = {0};
    build(bench, driver_text);
    const char *first = put_file(bench, "1.test", "9 1\n"),
               *second = put_file(bench, "2.test", "9 0\n");
    assert_true(
        replay_task(&bench->build, 0, &first, 1, NULL, &bench->arena, &outcome, &coverage, &err));
    assert_int_equal(branch_at(function_named(coverage.unit, "check"), 1)->count[0], 0);
    assert_true(
        replay_task(&bench->build, 1, &second, 1, NULL, &bench->arena, &outcome, &coverage, &err));
    assert_int_equal(branch_at(function_named(coverage.unit, "check"), 1)->count[1], 0);
    assert_true(replay_apart(&bench->build, &second, 1, &bench->arena, &coverage, &err));
    assert_int_equal(branch_at(function_named(coverage.unit, "check"), 1)->count[0], 1);
    assert_true(replay_total(&bench->build, &bench->arena, &coverage, &err));
    const struct llvmcov_function *check = function_named(coverage.unit, "check");
    assert_int_equal(branch_at(check, 1)->count[0], 1);
    assert_int_equal(branch_at(check, 1)->count[1], 1);
    assert_true(check->decisions[0].conditions[1].covered); // a pair across tasks
}

static void a_damaged_profile_is_left_out_and_said(void **state)
{
    struct bench *bench = *state;
    struct replay_outcome outcome;
    struct replay_coverage coverage;
    struct error err = {0};
    build(bench, driver_text);
    const char *test = put_file(bench, "1.test", "9 1\n");
    assert_true(
        replay_task(&bench->build, 0, &test, 1, NULL, &bench->arena, &outcome, &coverage, &err));
    put_file(bench, "work/profiles/0000/unit/broken.profraw", "half a file");
    assert_true(replay_total(&bench->build, &bench->arena, &coverage, &err));
    assert_non_null(coverage.note);
    assert_int_equal(branch_at(function_named(coverage.unit, "check"), 0)->count[1], 1);
}

static void a_sanitizer_names_the_fault_and_its_place(void **state)
{
    struct bench *bench = *state;
    struct replay_crash crash;
    struct error err = {0};
    build(bench, driver_text);
    if (!clean_build_sanitized(&bench->build, &err))
        fail_msg("%s", err.text);
    const char *test = put_file(bench, "2.test", "0 1\n");
    assert_true(replay_sanitized(&bench->build, &test, 1, 4, &bench->arena, &crash, &err));
    assert_true(crash.count >= 1); // the undefined behaviour, perhaps the signal it leads to
    assert_string_equal(crash.reports[0].text, "division by zero");
    assert_int_equal(crash.reports[0].class, SANITIZER_DIVISION);
    assert_int_equal(crash.outcome.status, REPLAY_SANITIZER);
    const char *at = bench->program.unit_text;
    for (uint32_t line = 1; line < crash.reports[0].at.line; line++)
        at = strchr(at, '\n') + 1;
    assert_non_null(strstr(at, "10 / a"));
    assert_true(strstr(at, "10 / a") < strchr(at, '\n'));
    test = put_file(bench, "3.test", "50 2\n");
    assert_true(replay_sanitized(&bench->build, &test, 1, 4, &bench->arena, &crash, &err));
    assert_int_equal(crash.count, 1); // an abort has a place, too
    assert_int_equal(crash.reports[0].class, SANITIZER_ABORT);
    assert_true(crash.reports[0].at.line > 0);
    test = put_file(bench, "1.test", "9 1\n");
    assert_true(replay_sanitized(&bench->build, &test, 1, 4, &bench->arena, &crash, &err));
    assert_int_equal(crash.count, 0);
    assert_int_equal(crash.outcome.status, REPLAY_OK);
}

static void lines_fall_back_to_the_preprocessed_text(void **state)
{
    struct bench *bench = *state;
    struct replay_coverage coverage;
    struct error err = {0};
    bench->program.source = put_file(bench, "bad.c", "#error no\n");
    build(bench, driver_text);
    assert_null(bench->build.lines);
    assert_non_null(strstr(bench->build.lines_note, "did not build"));
    assert_null(strchr(bench->build.lines_note, '\n'));
    assert_true(replay_total(&bench->build, &bench->arena, &coverage, &err));
    assert_null(coverage.lines);
}

static void a_driver_that_does_not_compile_is_an_error_with_clangs_words(void **state)
{
    struct bench *bench = *state;
    struct error err = {0};
    struct clean_build_request request = {
        .program = &bench->program,
        .texts = &(struct clean_text){.driver = "void drive(void) { nonsense; }\n"},
        .directory = arena_printf(&bench->arena, "%s/work", bench->root),
        .library = bench->root,
    };
    assert_false(clean_build(&request, &bench->arena, &bench->build, &err));
    assert_non_null(strstr(err.text, "nonsense"));
}

static void branches_are_matched_by_place(void **state)
{
    struct bench *bench = *state;
    struct replay_coverage coverage;
    struct error err = {0};
    build(bench, driver_text);
    assert_true(replay_total(&bench->build, &bench->arena, &coverage, &err));
    const struct llvmcov_function *check = function_named(coverage.unit, "check");
    struct branch branches[2] = {{.function = 0}, {.function = 0}};
    struct function functions[1] = {{.name = "check", .defined = true}};
    struct coverage_at {
        struct text_range p;
    } exact = {check->branches[2].at}, start = {check->branches[0].at};
    branches[0].at = (struct location){.line = exact.p.line,
                                       .column = exact.p.column,
                                       .end_line = exact.p.end_line,
                                       .end_column = exact.p.end_column};
    branches[1].at = (struct location){.line = start.p.line,
                                       .column = start.p.column,
                                       .end_line = start.p.end_line,
                                       .end_column = 9999};
    bench->program.branches = branches;
    bench->program.branch_count = 2;
    bench->program.functions = functions;
    bench->program.function_count = 1;
    size_t unmatched = llvmcov_match(coverage.unit, &bench->program, bench->build.unit_paths);
    assert_int_equal(check->branches[2].branch, 0);
    assert_int_equal(check->branches[0].branch, 1);
    assert_int_equal(check->branches[1].branch, LLVMCOV_NONE);
    assert_int_equal(check->function, 0);
    assert_int_equal(check->decisions[0].conditions[0].branch, 1);
    size_t others = function_named(coverage.unit, "small")->branch_count;
    assert_int_equal(unmatched, 5 + others);
}

static void text_that_is_no_export_is_refused(void **state)
{
    (void)state;
    struct arena arena;
    struct error err = {0};
    static const char *const texts[] = {"", "{", "[]", "{\"data\":[],\"type\":\"x\"}",
                                        "{\"data\":[{}],\"type\":\"other\"}"};
    arena_init(&arena);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        error_clear(&err);
        assert_null(llvmcov_parse(&arena, texts[i], strlen(texts[i]), &err));
        assert_non_null(strstr(err.text, "llvm-cov"));
    }
    // Missing parts are empty parts.
    static const char empty[] = "{\"data\":[{\"functions\":[{\"name\":\"f\"}]}],"
                                "\"type\":\"llvm.coverage.json.export\"}";
    struct llvmcov *coverage = llvmcov_parse(&arena, empty, strlen(empty), &err);
    assert_non_null(coverage);
    assert_int_equal(coverage->function_count, 1);
    arena_release(&arena);
}

static void a_function_with_two_records_counts_once(void **state)
{
    (void)state;
    struct arena arena;
    struct error err = {0};
    arena_init(&arena);
#define RECORD(t, f)                                                                               \
    "{\"name\":\"a.c:f\",\"count\":1,\"filenames\":[\"/u.i\"],\"regions\":[[1,1,9,2,1,0,0,0]],"    \
    "\"branches\":[[2,3,2,4," t "," f ",0,0,4]],\"mcdc_records\":[]}"
    static const char text[] = "{\"data\":[{\"files\":[],\"functions\":[" RECORD(
        "1", "0") "," RECORD("0", "2") "]}],\"type\":\"llvm.coverage.json.export\"}";
    struct llvmcov *coverage = llvmcov_parse(&arena, text, strlen(text), &err);
    assert_non_null(coverage);
    assert_int_equal(coverage->function_count, 1);
    assert_string_equal(coverage->functions[0].name, "f");
    assert_int_equal(coverage->functions[0].branches[0].count[0], 2);
    assert_int_equal(coverage->functions[0].branches[0].count[1], 1);
    arena_release(&arena);
}

// Branches at the borders of such an operand, around it, across a line, and a decision inside.
static void what_is_never_evaluated_is_taken_out(void **state)
{
    (void)state;
    struct arena arena;
    struct error err = {0};
    arena_init(&arena);
    static const char text[] =
        "{\"data\":[{\"files\":[],\"functions\":[{\"name\":\"f\",\"count\":1,"
        "\"filenames\":[\"/u.i\"],\"regions\":[[1,1,9,2,1,0,0,0]],\"branches\":["
        "[2,10,2,15,0,7,0,0,4],[2,5,2,9,1,1,0,0,4],[2,5,2,21,1,1,0,0,4],[2,15,2,20,0,0,0,0,4],"
        "[2,20,2,25,1,1,0,0,4],[3,1,4,2,0,1,0,0,4],[4,9,4,10,1,1,0,0,4]],"
        "\"mcdc_records\":[[2,10,2,20,5,[false,true]],[2,5,2,21,5,[true,true]]]}]}],"
        "\"type\":\"llvm.coverage.json.export\"}";
    struct text_range operands[] = {{2, 10, 2, 20}, {3, 1, 4, 9}};
    struct program program = {.unevaluated = operands, .unevaluated_count = 2};
    struct llvmcov *coverage = llvmcov_parse(&arena, text, strlen(text), &err);
    assert_non_null(coverage);
    llvmcov_match(coverage, &program, (const char *const[]){"/u.i", NULL});
    const struct llvmcov_function *f = &coverage->functions[0];
    assert_int_equal(f->branch_count, 4);
    assert_int_equal(f->unevaluated_branches, 3);
    assert_int_equal(f->branches[0].at.end_column, 9);
    assert_int_equal(f->branches[1].at.end_column, 21);
    assert_int_equal(f->branches[2].at.column, 20);
    assert_int_equal(f->branches[3].at.column, 9);
    assert_int_equal(f->decision_count, 1);
    assert_int_equal(f->decisions[0].at.column, 5);
    assert_int_equal(f->unevaluated_conditions, 2);
    assert_false(f->unevaluated_runs);
    operands[0] = (struct text_range){2, 5, 2, 9}; // it was evaluated
    coverage = llvmcov_parse(&arena, text, strlen(text), &err);
    llvmcov_match(coverage, &program, (const char *const[]){"/u.i", NULL});
    assert_true(coverage->functions[0].unevaluated_runs);
    arena_release(&arena);
}

static void flags_keep_meaning_and_drop_outputs(void **state)
{
    (void)state;
    static const char *const user[] = {"-c",
                                       "-O2",
                                       "-I",
                                       "inc",
                                       "-DX=1",
                                       "-std=c99",
                                       "-o",
                                       "out.o",
                                       "-MMD",
                                       "-MF",
                                       "x.d",
                                       "-Wall",
                                       "-Wl,-T,x.ld",
                                       "a.c",
                                       "-lfoo",
                                       "-fsanitize=address",
                                       "-include",
                                       "pre.h",
                                       "-funsigned-char",
                                       NULL};
    static const char *const expected[] = {"-I",       "inc",   "-DX=1",          "-std=c99",
                                           "-include", "pre.h", "-funsigned-char"};
    struct flag_list kept = {0};
    flags_of_source(user, &kept);
    assert_int_equal(kept.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < kept.count; i++)
        assert_string_equal(kept.items[i], expected[i]);
    free(kept.items);
}

#define ON_BENCH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int test_coverage_export(void)
{
    const struct CMUnitTest tests[] = {
        ON_BENCH(goals_without_tests_are_those_of_llvm_cov),
        ON_BENCH(replay_counts_what_ran_and_says_how_it_ended),
        ON_BENCH(tests_run_alone_from_relative_paths),
        ON_BENCH(totals_are_the_union_of_the_tasks),
        ON_BENCH(a_damaged_profile_is_left_out_and_said),
        ON_BENCH(a_sanitizer_names_the_fault_and_its_place),
        ON_BENCH(lines_fall_back_to_the_preprocessed_text),
        ON_BENCH(a_driver_that_does_not_compile_is_an_error_with_clangs_words),
        ON_BENCH(branches_are_matched_by_place),
        cmocka_unit_test(text_that_is_no_export_is_refused),
        cmocka_unit_test(a_function_with_two_records_counts_once),
        cmocka_unit_test(what_is_never_evaluated_is_taken_out),
        cmocka_unit_test(flags_keep_meaning_and_drop_outputs),
    };
    return cmocka_run_group_tests_name("coverage_export", tests, NULL, NULL);
}
