// SPDX-License-Identifier: Apache-2.0
// The instrumenter and the symbolic core end to end: the programs in
// tests/golden/instrument are compiled, instrumented, linked with the runtime and
// run; they must behave as natively, fault where they should, and what the runtime
// says of them must be true (selfcheck.c) or as the EXPECT comments say.
#include "base/arena.h"
#include "base/fs.h"
#include "base/proc.h"
#include "instrument/instrument.h"
#include "program/data_model.h"
#include "project/project.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define GOLDEN "tests/golden/instrument"

struct bench {
    struct arena arena;
    char directory[64];
    char *library, *clang;
    struct program model; // narrow or not; nothing else counts
};

static int set_up(void **state)
{
    struct bench *t = calloc(1, sizeof *t);
    const char *root = getenv("TMPDIR");
    struct error err;
    arena_init(&t->arena);
    snprintf(t->directory, sizeof t->directory, "%.40s/cz-instr-XXXXXX", root ? root : "/tmp");
    if (!mkdtemp(t->directory))
        return -1;
    t->library = fs_library_dir();
    t->clang = proc_find_tool("clang", &err);
    *state = t;
    return t->clang ? 0 : -1;
}

// The same with 32-bit pointers.
static int set_up_narrow(void **state)
{
    int code = set_up(state);
    if (code == 0)
        ((struct bench *)*state)->model.narrow = true;
    return code;
}

static int tear_down(void **state)
{
    struct bench *t = *state;
    fs_remove_tree(t->directory, NULL);
    arena_release(&t->arena);
    free(t->library);
    free(t->clang);
    free(t);
    return 0;
}

// ---- building and running ----

static struct proc_result run(struct bench *t, const char *const *argv, struct buf *out,
                              struct buf *errors)
{
    struct proc_options options = {.out = out, .errors = errors, .timeout_seconds = 120};
    struct proc_result result;
    struct error err = {0};
    (void)t;
    if (!proc_run(argv, &options, &result, &err))
        fail_msg("%s", err.text);
    return result;
}

static void must_run(struct bench *t, const char *const *argv)
{
    struct buf errors = BUF_INIT;
    struct proc_result r = run(t, argv, NULL, &errors);
    if (!r.exited || r.exit_code != 0)
        fail_msg("%s ... %s", argv[0], buf_text(&errors));
    buf_release(&errors);
}

static const char *path(struct bench *t, const char *name)
{
    return arena_printf(&t->arena, "%s/%s", t->directory, name);
}

static const char *in_library(struct bench *t, const char *name)
{
    return arena_printf(&t->arena, "%s/%s", model_parts(&t->model, t->library, &t->arena), name);
}

// clang with these words, for the data model.
static void must_compile(struct bench *t, const char *const *words, bool links)
{
    struct project_model model = {.narrow = t->model.narrow};
    const char *const *lists[] = {words, project_apply_model(NULL, model, &t->arena),
                                  links ? model_link_flags(&t->model) : NULL};
    const char *argv[64] = {t->clang};
    size_t count = 1;
    for (size_t i = 0; i < 3; i++)
        for (const char *const *word = lists[i]; word && *word && count < 60; word++)
            argv[count++] = *word;
    if (links)
        argv[count++] = "-fuse-ld=lld";
    must_run(t, argv);
}

// Without the 32-bit C library there is nothing to test.
static void needs_parts(struct bench *t)
{
    if (!fs_exists(in_library(t, "libczrt.a")))
        skip();
}

static void compile_bitcode(struct bench *t, const char *source, const char *bitcode)
{
    must_compile(t,
                 (const char *[]){"-O0", "-Xclang", "-disable-O0-optnone", "-fwrapv",
                                  "-fno-strict-aliasing", "-fno-delete-null-pointer-checks",
                                  "-gline-tables-only", "-fPIE", "-fno-builtin", "-w", "-Iinclude",
                                  "-emit-llvm", "-c", source, "-o", bitcode, NULL},
                 false);
}

static struct instrument_result instrument(struct bench *t, const char *source, const char *object,
                                           const struct program *program)
{
    const char *bitcode = path(t, "unit.bc");
    compile_bitcode(t, source, bitcode);
    struct instrument_request request = {
        .bitcode = bitcode, .object = object, .shim = in_library(t, "shim.bc"), .program = program};
    struct instrument_result result;
    struct error err = {0};
    if (!instrument_module(&request, &t->arena, &result, &err))
        fail_msg("%s", err.text);
    return result;
}

// An instrumented program with selfcheck.c; cz_tasks is what a driver would define.
static const char *build(struct bench *t, const char *source, const struct program *program)
{
    const char *object = path(t, "unit.o"), *tasks = path(t, "tasks.c"),
               *program_path = path(t, "program");
    instrument(t, source, object, program);
    static const char text[] = "#include \"cz/driver.h\"\nconst struct cz_task cz_tasks[1];\n"
                               "const unsigned cz_task_count = 0;\n";
    struct error err = {0};
    assert_true(fs_write(tasks, text, strlen(text), &err));
    must_compile(t,
                 (const char *[]){"-O1", "-pie", "-fPIE", "-I.", "-Iinclude", object,
                                  GOLDEN "/selfcheck.c", tasks, in_library(t, "libczrt.a"),
                                  in_library(t, "libczmodels.a"), in_library(t, "libczrt.a"), "-lm",
                                  "-o", program_path, NULL},
                 true);
    return program_path;
}

// ---- tests ----

static void test_behaves_as_natively(void **state)
{
    struct bench *t = *state;
    const char *stub = path(t, "stub.c"), *native = path(t, "native");
    static const char text[] =
        "void cz_test_input(void *p, unsigned long n) { (void)p; (void)n; }\n";
    struct error err = {0};
    struct buf expected = BUF_INIT, out = BUF_INIT, errors = BUF_INIT;
    assert_true(fs_write(stub, text, strlen(text), &err));
    needs_parts(t);
    must_compile(t,
                 (const char *[]){"-O0", "-fwrapv", "-w", GOLDEN "/language.c", stub, "-lm", "-o",
                                  native, NULL},
                 true);
    run(t, (const char *[]){native, NULL}, &expected, NULL);
    const char *program = build(t, GOLDEN "/language.c", NULL);
    struct proc_result r = run(t, (const char *[]){program, NULL}, &out, &errors);
    assert_string_equal(buf_text(&out), buf_text(&expected));
    if (!r.exited || r.exit_code != 0)
        fail_msg("%s", buf_text(&errors));
    assert_non_null(strstr(buf_text(&errors), " 0 failures")); // and labels are true
    buf_release(&expected);
    buf_release(&out);
    buf_release(&errors);
}

static void test_faults(void **state)
{
    struct bench *t = *state;
    struct buf source = BUF_INIT;
    struct error err = {0};
    unsigned tried = 0, number;
    needs_parts(t);
    const char *program = build(t, GOLDEN "/faults.c", NULL);
    assert_true(fs_read(GOLDEN "/faults.c", &source, &err));
    for (const char *at = buf_text(&source); (at = strstr(at, "// FAULT ")); tried++) {
        char kind[40], digits[8];
        assert_int_equal(sscanf(at, "// FAULT %u: %39[^\n]", &number, kind), 2);
        snprintf(digits, sizeof digits, "%u", number);
        struct buf errors = BUF_INIT;
        run(t, (const char *[]){program, digits, NULL}, NULL, &errors);
        const char *said = strstr(buf_text(&errors), "fault: ");
        if (!said || strncmp(said + 7, kind, strlen(kind)) != 0)
            fail_msg("fault %u: expected %s, got %s", number, kind, buf_text(&errors));
        buf_release(&errors);
        at += 9;
    }
    assert_int_equal(tried, 11);
    struct proc_result r = run(t, (const char *[]){program, NULL}, NULL, NULL);
    assert_true(r.exited);
    assert_int_equal(r.exit_code, 0);
    buf_release(&source);
}

// The branch points of hooks.c: decision 0 is 0 && (1 || 2), condition 3 stands alone.
static struct branch hooks_branches[7] = {
    {.kind = BRANCH_CONDITION, .decision = 0, .index = 0},
    {.kind = BRANCH_CONDITION, .decision = 0, .index = 1},
    {.kind = BRANCH_CONDITION, .decision = 0, .index = 2},
    {.kind = BRANCH_CONDITION, .decision = 1, .index = 0},
    {.kind = BRANCH_CASE, .switch_id = 0, .low = 5, .high = 5},
    {.kind = BRANCH_CASE, .switch_id = 0, .low = 6, .high = 7},
    {.kind = BRANCH_DEFAULT, .switch_id = 0},
};
static size_t hooks_conditions[] = {0, 1, 2, 3}, hooks_cases[] = {4, 5, 6};
static int hooks_next[][2] = {
    {DECISION_FALSE, 1}, {2, DECISION_TRUE}, {DECISION_FALSE, DECISION_TRUE}};
static int hooks_last[][2] = {{DECISION_FALSE, DECISION_TRUE}};

static struct program hooks_program(struct decision *decisions, struct switch_point *s)
{
    decisions[0] =
        (struct decision){.conditions = hooks_conditions, .condition_count = 3, .next = hooks_next};
    decisions[1] = (struct decision){
        .conditions = hooks_conditions + 3, .condition_count = 1, .next = hooks_last};
    *s = (struct switch_point){.branches = hooks_cases, .branch_count = 3};
    return (struct program){.branches = hooks_branches,
                            .branch_count = 7,
                            .decisions = decisions,
                            .decision_count = 2,
                            .switches = s,
                            .switch_count = 1};
}

static void expectations(const char *source, struct buf *out)
{
    struct buf text = BUF_INIT;
    struct error err = {0};
    assert_true(fs_read(source, &text, &err));
    for (const char *at = buf_text(&text); (at = strstr(at, "// EXPECT: "));) {
        at += strlen("// EXPECT: ");
        const char *end = strchr(at, '\n');
        buf_add(out, at, (size_t)(end - at) + 1);
    }
    buf_release(&text);
}

static void test_hooks(void **state)
{
    struct bench *t = *state;
    struct decision decisions[2];
    struct switch_point s;
    struct program program = hooks_program(decisions, &s);
    struct buf expected = BUF_INIT, out = BUF_INIT, errors = BUF_INIT;
    needs_parts(t);
    const char *binary = build(t, GOLDEN "/hooks.c", &program);
    struct proc_result r = run(t, (const char *[]){binary, NULL}, &out, &errors);
    expectations(GOLDEN "/hooks.c", &expected);
    assert_string_equal(buf_text(&out), buf_text(&expected));
    assert_true(r.exited);
    assert_int_equal(r.exit_code, 0);
    buf_release(&expected);
    buf_release(&out);
    buf_release(&errors);
}

static void test_result_names_sites_and_survivors(void **state)
{
    struct bench *t = *state;
    struct decision decisions[2];
    struct switch_point s;
    struct program program = hooks_program(decisions, &s);
    struct branch more[8];
    memcpy(more, hooks_branches, sizeof hooks_branches);
    more[7] = hooks_branches[3]; // a condition that the text does not have
    program.branches = more;
    program.branch_count = 8;
    struct instrument_result result = instrument(t, GOLDEN "/hooks.c", path(t, "unit.o"), &program);
    for (unsigned i = 0; i < 7; i++)
        assert_true(result.branch_survives[i]);
    assert_false(result.branch_survives[7]);
    bool found = false;
    for (size_t i = 1; i < result.site_count; i++) {
        assert_non_null(result.sites[i].function);
        found |= result.sites[i].kind == 0 && strcmp(result.sites[i].function, "main") == 0 &&
                 result.sites[i].line > 0;
    }
    assert_true(found); // the branch without a hook
}

static void test_missing_bitcode_is_an_error(void **state)
{
    struct bench *t = *state;
    struct instrument_request request = {.bitcode = path(t, "none.bc"),
                                         .object = path(t, "none.o"),
                                         .shim = in_library(t, "shim.bc")};
    struct instrument_result result;
    struct error err = {0};
    assert_false(instrument_module(&request, &t->arena, &result, &err));
    assert_non_null(strstr(err.text, "none.bc"));
}

// BiTe, Figure 1: i < 0 and i >= size cannot be true in getStatusOfValve when only
// checkValves calls it, and can when it is the entry itself.
static void test_proves_the_valves(void **state)
{
    struct bench *t = *state;
    struct branch branches[7] = {{.function = 0}, {.function = 0}, {.function = 1}, {.function = 1},
                                 {.function = 1}, {.function = 1}, {.function = 1}};
    size_t both[] = {1, 0}, inner[] = {0};
    struct task tasks[2] = {{.functions = both, .function_count = 2},
                            {.functions = inner, .function_count = 1}};
    struct program program = {
        .branches = branches, .branch_count = 7, .tasks = tasks, .task_count = 2};
    const char *bitcode = path(t, "valves.bc");
    struct error err = {0};
    needs_parts(t);
    compile_bitcode(t, GOLDEN "/valves.c", bitcode);
    for (size_t task = 0; task < 2; task++) {
        bool dead[14] = {0};
        if (!instrument_prove_dead(bitcode, &program, task, in_library(t, "proof_shim.bc"),
                                   PROOF_ROOT_DRIVER, dead, &err))
            fail_msg("%s", err.text);
        for (unsigned goal = 0; goal < 14; goal++) {
            bool expected = task == 0 && (goal == 1 || goal == 3);
            if (dead[goal] != expected)
                fail_msg("task %zu goal %u", task, goal);
        }
    }
}

int test_instrument(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_behaves_as_natively, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_faults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hooks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_behaves_as_natively, set_up_narrow, tear_down),
        cmocka_unit_test_setup_teardown(test_faults, set_up_narrow, tear_down),
        cmocka_unit_test_setup_teardown(test_hooks, set_up_narrow, tear_down),
        cmocka_unit_test_setup_teardown(test_proves_the_valves, set_up_narrow, tear_down),
        cmocka_unit_test_setup_teardown(test_result_names_sites_and_survivors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_bitcode_is_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_proves_the_valves, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("instrument", tests, NULL, NULL);
}
