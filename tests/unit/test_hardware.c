// SPDX-License-Identifier: Apache-2.0
// The parts of hardware support that can be looked at alone: how text of other compilers
// is adapted, what registers are called, and what the pass leaves in the bitcode.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/proc.h"
#include "frontend/frontend.h"
#include "frontend/dialect_tokens.h"
#include "instrument/instrument.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bench {
    char directory[256];
    char *clang;
    struct arena arena;
    struct program program;
};

static int set_up(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    const char *tmp = getenv("TMPDIR");
    snprintf(b->directory, sizeof b->directory, "%.200s/cz-hardware-XXXXXX", tmp ? tmp : "/tmp");
    *state = b;
    b->clang = proc_find_tool("clang", NULL);
    arena_init(&b->arena);
    program_init(&b->program);
    return mkdtemp(b->directory) && b->clang ? 0 : -1;
}

static int tear_down(void **state)
{
    struct bench *b = *state;
    fs_remove_tree(b->directory, NULL);
    program_release(&b->program);
    arena_release(&b->arena);
    free(b->clang);
    free(b);
    return 0;
}

static bool parse(struct bench *b, const char *text, struct error *err)
{
    const char *path = arena_printf(&b->arena, "%s/input.c", b->directory);
    struct frontend_request request = {.source = path, .clang = b->clang};
    assert_true(fs_write(path, text, strlen(text), err));
    return frontend_parse(&request, &b->program, err);
}

static void expect_parsed(struct bench *b, const char *text)
{
    struct error err = {0};
    if (!parse(b, text, &err))
        fail_msg("%s", err.text);
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void expect_text(const struct bench *b, const char *part)
{
    if (!strstr(b->program.unit_text, part))
        fail_msg("no \"%s\" in\n%s", part, b->program.unit_text);
}

// ---- tokens ----

static void test_tokens_leave_out_directives(void **state)
{
    (void)state;
    static const char text[] = "int a; /* */\n#pragma asm x\n 'q' \"x\\\"y\" 0x1E+2 1e+2 @";
    static const char *const words[] = {"int", "a",          ";",    "/", "*", "*",    "/",
                                        "'q'", "\"x\\\"y\"", "0x1E", "+", "2", "1e+2", "@"};
    struct tokens tokens;
    tokens_read(&tokens, text, sizeof text - 1);
    assert_int_equal(tokens.list.count, sizeof words / sizeof *words);
    for (size_t i = 0; i < tokens.list.count; i++)
        assert_true(token_is(&tokens, i, words[i]));
    tokens_release(&tokens);
}

static void test_brackets_have_partners(void **state)
{
    (void)state;
    static const char text[] = "f(a[1], (b)) { }";
    struct tokens tokens;
    tokens_read(&tokens, text, sizeof text - 1);
    assert_int_equal(token_partner(&tokens, 1), 10);
    assert_int_equal(token_partner(&tokens, 3), 5);
    assert_int_equal(token_partner(&tokens, 11), 12);
    tokens_release(&tokens);
    tokens_read(&tokens, "(", 1);
    assert_true(token_partner(&tokens, 0) == SIZE_MAX);
    tokens_release(&tokens);
}

// ---- dialects ----

static void test_text_that_compiles_is_left_alone(void **state)
{
    struct bench *b = *state;
    static const char text[] =
        "struct far { int __data, __weak; };\n"
        "int __interrupt(int __far) { return __far; }\n"
        "int asm_like(void) { int r; __asm__(\"nop\" : \"=r\"(r) : : \"memory\"); return r; }\n";
    expect_parsed(b, text);
    expect_text(b, text);
}

static void test_lines_keep_their_numbers(void **state)
{
    struct bench *b = *state;
    static const char text[] = "__irq void f(void) { __asm { a\n b\n c }\n}\n"
                               "__asm int g(int x) { mov r0,\n r1 }\nint h(void) { return 1; }\n";
    expect_parsed(b, text);
    assert_int_equal(count_lines(b->program.unit_text), count_lines(text) + 1);
    assert_int_equal(b->program.tasks[1].entry < b->program.function_count, 1);
    assert_string_equal(b->program.tasks[1].name, "h");
    assert_int_equal(b->program.functions[b->program.tasks[1].entry].at.source_line, 7);
}

static void test_constraints_become_ours(void **state)
{
    struct bench *b = *state;
    expect_parsed(b, "int f(int x, int *p) { int y, z; asm volatile(\"op %Q0, %1\" : \"=&l\"(y), "
                     "[z] \"=Q\"(*p) : \"I\"(300), \"0\"(x) : \"r0\", \"cc\"); return y; }\n");
    expect_text(b, "\"op %%Q0, %%1\" : \"=&r\"(y), [z] \"=m\"(*p) : \"r\"(300), \"0\"(x) :");
    assert_null(strstr(b->program.unit_text, "r0"));
}

static void test_handlers_are_known(void **state)
{
    struct bench *b = *state;
    expect_parsed(b,
                  "void __attribute__((interrupt(\"IRQ\"))) a(void) { }\n__irq void b(void) { }\n"
                  "void c(void) interrupt 3 using 1 { }\nvoid DMA1_IRQHandler(void) { }\n"
                  "void plain(void) { }\n");
    for (size_t i = 0; i < b->program.function_count; i++) {
        const struct function *f = &b->program.functions[i];
        bool by_name = !strcmp(f->name, "DMA1_IRQHandler"), plain = !strcmp(f->name, "plain");
        assert_int_equal(f->is_handler, !by_name && !plain);
        assert_int_equal(f->may_handle && !f->is_handler, by_name);
    }
}

static void test_errors_name_the_users_line(void **state)
{
    struct bench *b = *state;
    struct error err = {0};
    assert_false(parse(b, "__irq void f(void) { }\nint g(void) { return ; ; x }\n", &err));
    assert_non_null(strstr(err.text, "input.c:2: error:"));
    assert_null(strstr(err.text, "input.c:1: error:"));
}

// ---- names of registers ----

static const struct register_name *find_register(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->register_count; i++)
        if (strcmp(program->registers[i].name, name) == 0)
            return &program->registers[i];
    fail_msg("no register %s", name);
    return NULL;
}

static void test_registers_have_names(void **state)
{
    struct bench *b = *state;
    expect_parsed(
        b, "typedef unsigned u32;\n"
           "struct p { volatile u32 in; union { u32 raw; struct { u32 a : 4; } b; } c; u32 "
           "lanes[2]; };\n"
           "#define BASE 0x40000000u\n#define PORT ((struct p *)(BASE + 0x400))\n"
           "#define FLAG (*(volatile u32 *)0xE000E010)\n#define NUMBER 5\n#define TEXT \"x\"\n"
           "static struct p *const other = (struct p *)0x50000000;\n"
           "int f(int x) { return PORT->in + FLAG + NUMBER + (int)TEXT[0] + other->in + BASE; }\n");
    const struct program *p = &b->program;
    assert_int_equal(find_register(p, "PORT->in")->address, 0x40000400);
    assert_string_equal(find_register(p, "PORT->in")->type, "u32");
    assert_int_equal(find_register(p, "PORT->c")->address, 0x40000404);
    assert_int_equal(find_register(p, "PORT->lanes[1]")->address, 0x4000040c);
    assert_int_equal(find_register(p, "FLAG")->address, 0xE000E010);
    assert_int_equal(find_register(p, "other->in")->address, 0x50000000);
    for (size_t i = 0; i < p->register_count; i++)
        assert_true(strcmp(p->registers[i].name, "NUMBER") && strcmp(p->registers[i].name, "BASE"));
}

// ---- the pass ----

static void run(const char *const *argv)
{
    struct buf out = BUF_INIT;
    struct proc_options options = {.out = &out, .errors = &out, .timeout_seconds = 60};
    struct proc_result result;
    assert_true(proc_run(argv, &options, &result, NULL));
    if (!result.exited || result.exit_code)
        fail_msg("%s: %s", argv[0], buf_text(&out));
    buf_release(&out);
}

// The rewritten IR of a text.
static const char *rewrite(struct bench *b, const char *text, struct hardware_result *result)
{
    expect_parsed(b, text);
    const char *source = arena_printf(&b->arena, "%s/unit.i", b->directory);
    const char *bitcode = arena_printf(&b->arena, "%s/unit.bc", b->directory);
    const char *ir = arena_printf(&b->arena, "%s/unit.ll", b->directory);
    struct error err = {0};
    assert_true(fs_write(source, b->program.unit_text, strlen(b->program.unit_text), &err));
    run((const char *const[]){b->clang, "-O0", "-gline-tables-only", "-w", "-emit-llvm", "-c", "-x",
                              "c", source, "-o", bitcode, NULL});
    struct hardware_request request = {.bitcode = bitcode, .program = &b->program, .turns = 3};
    if (!instrument_hardware(&request, &b->arena, result, &err))
        fail_msg("%s", err.text);
    run((const char *const[]){b->clang, "-S", "-emit-llvm", "-x", "ir", bitcode, "-o", ir, NULL});
    struct buf contents = BUF_INIT;
    assert_true(fs_read(ir, &contents, &err));
    const char *copy = arena_strdup(&b->arena, buf_text(&contents));
    buf_release(&contents);
    return copy;
}

static size_t count_calls(const char *ir, const char *callee)
{
    size_t count = 0;
    char mark[64];
    snprintf(mark, sizeof mark, "@%s(", callee);
    for (const char *at = ir; (at = strstr(at, mark)); at++) {
        const char *line = at;
        while (line > ir && line[-1] != '\n')
            line--;
        count += strncmp(line, "declare", 7) != 0;
    }
    return count;
}

static void test_ordinary_code_is_not_changed(void **state)
{
    struct hardware_result result;
    rewrite(*state,
            "#include <string.h>\nstatic int x[3]; struct s { int *p; };\n"
            "int f(struct s *s) { volatile int k = 0; for (;;) { if (k++ > 3) break; }\n"
            "  if (s == (void *)-1 || s == (void *)8) return 0; return s->p[0] + x[1]; }\n",
            &result);
    assert_false(result.changed);
    assert_int_equal(result.use_count, 0);
}

static void test_reads_are_announced(void **state)
{
    struct hardware_result result;
    const char *ir = rewrite(*state,
                             "volatile int v; int f(volatile int *p) { volatile int l = 1;\n"
                             "  v = 3; return v + v + *p + l + *(volatile int *)0x4000; }\n",
                             &result);
    assert_true(result.changed);
    assert_int_equal(count_calls(ir, "cz_hw_read"), 4);
    assert_int_equal(count_calls(ir, "cz_hw_address"), 1);
    assert_int_equal(count_calls(ir, "cz_hw_turn"), 0);
}

static void test_assembly_is_gone_and_listed(void **state)
{
    struct hardware_result result;
    const char *ir = rewrite(*state,
                             "int f(int x) { int y; asm(\"mrs %0, x\" : \"=r\"(y));\n"
                             "  asm volatile(\"\" ::: \"memory\"); return y; }\n",
                             &result);
    assert_null(strstr(ir, "asm sideeffect"));
    assert_int_equal(result.use_count, 1);
    assert_string_equal(result.uses[0].what, "assembly \"mrs %0, x\" is left out");
    assert_string_equal(result.uses[0].function, "f");
    assert_int_equal(result.uses[0].line, 2); // line 1 of the text is empty
}

static void test_only_endless_loops_count_turns(void **state)
{
    struct hardware_result result;
    const char *ir = rewrite(
        *state,
        "extern int get(void);\nvoid a(void) { while (get()) { } for (;;) { while (get()) { } } }\n"
        "void b(void) { for (;;) { if (get()) return; } }\n"
        "void c(void) { if (get()) for (;;) { } while (get()) { } }\n"
        "void d(void) { again: get(); if (get()) __builtin_trap(); goto again; }\n",
        &result);
    assert_int_equal(count_calls(ir, "cz_hw_turn"), 3);
    assert_int_equal(result.use_count, 0);
}

static void test_a_loop_before_an_exit_is_not_endless(void **state)
{
    struct hardware_result result;
    rewrite(*state,
            "#include <stdlib.h>\nvoid f(int n) { for (int i = 0; i < n; i++) { } exit(n); }\n",
            &result);
    assert_false(result.changed);
}

int test_hardware(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens_leave_out_directives),
        cmocka_unit_test(test_brackets_have_partners),
        TEST(test_text_that_compiles_is_left_alone),
        TEST(test_lines_keep_their_numbers),
        TEST(test_constraints_become_ours),
        TEST(test_handlers_are_known),
        TEST(test_errors_name_the_users_line),
        TEST(test_registers_have_names),
        TEST(test_ordinary_code_is_not_changed),
        TEST(test_reads_are_announced),
        TEST(test_assembly_is_gone_and_listed),
        TEST(test_only_endless_loops_count_turns),
        TEST(test_a_loop_before_an_exit_is_not_endless),
    };
    return cmocka_run_group_tests_name("hardware", tests, NULL, NULL);
}
