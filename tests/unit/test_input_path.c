// SPDX-License-Identifier: Apache-2.0
// Access paths: what is printed is parsed to the same pieces, what is parsed is printed as it was,
// and what is no path is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "program/input_path.h"

#include <string.h>

// Of every kind, as drivers, the runtime and the hardware pass make them.
static const char *const good[] = {
    "arg:x",
    "arg:#0",
    "arg:list->next->c",
    "arg:s.bits.low",
    "arg:v[0..9]",
    "arg:m[3][0..7]",
    "arg:p[0].x",
    "shape:arg:p->next",
    "choice:arg:p",
    "choice:arg:p:union0",
    "arg:p:struct_box->tag",
    "arg:s:padding[4][0..3]",
    "choice:arg:s->start:used",
    "arg:p:over_q:rest[0..9]",
    "(*arg:p)",
    "shape:(*(*arg:p)->q)",
    "(*call2:arg:p).x",
    "call2:arg:x",
    "choice:call2:arg:c:new",
    "choice:call12:changes",
    "call2:sensor",
    "call2:errno",
    "choice:call2:before",
    "before1:arg:l",
    "shape:call3:before2:arg:p",
    "make1:arg:size",
    "mode",
    "table[3].x",
    "env_count",
    "global:env",
    "global:before->next",
    "shape:global:call2",
    "global:more_calls[0..3]",
    "global:b.c::level",
    "global:my%20file%3A2.c::level.x",
    "stub:get_rpm#2:return",
    "stub:get#1:*out",
    "stub:get#1:*out.x",
    "stub:get#1:buf[3]",
    "(*stub:get#1:p)[0..3]",
    "choice:stub:insert#1:g_list:written",
    "stub:each#1:f[0]",
    "stub:malloc#1:fails",
    "stub:#1:return",
    "choice:weak:hook",
    "errno",
    "optind",
    "shape:strtok",
    "strtok[0..15]",
    "stdin[0..63]",
    "stdin:length",
    "descriptor:position",
    "file:data.txt:length",
    "file:/etc/a-b+c,d@e~[0..63]",
    "file:#1:length",
    "file:%231:length", // its name is #1
    "file:a%20b%3A%5B[0..7]",
    "shape:env:MODE",
    "env:MODE[0..15]",
    "signal:2:ignored",
    "argc",
    "argv[1][0..7]",
    "ready#2",
    "uart.status#1",
    "UART->status#1",
    "regs[3].data#2",
    "table[]#1",
    "GPIOA->IDR+2#1",
    "reg_0x40021000#1",
    "f:volatile#1",
    "device#1[0..15]",
    "asm:mrs#1",
    "asm:vmov.f32#3",
    "asm#1",
    "choice:interrupt#1",
    "more_calls",
    "choice:before",
    "ma\xc3\x9f",
    "arg:a$b",
    "arg:p[4294967295]",
};

static const char *const bad[] = {
    "",
    "arg:",
    "arg:#",
    "arg:#01",
    "arg:x[",
    "arg:x[3",
    "arg:x[03]",
    "arg:x[4294967296]",
    "arg:x[99999999999]",
    "arg:x[0..0]",
    "arg:x[0..4294967295]",
    "arg:x[1..4]",
    "arg:x[0..9].y",
    "arg:x[0..9][1]",
    "arg:x.",
    "arg:x->",
    "arg:x-y",
    "arg:x y",
    "arg:x | int",
    "arg:x:",
    "arg:x::y",
    "arg:x#1",
    "(arg:x)",
    "(*arg:x",
    "arg:x)",
    "(*arg:x))",
    "(*arg:x[0..9])",
    "shape:",
    "shape:choice:arg:x",
    "shape:shape:arg:x",
    "call2:",
    "call2:call3:arg:x",
    "call2:stub:f#1:return",
    "call2:stdin:length",
    "before1:mode",
    "make1:before1:arg:x",
    "stub:f",
    "stub:f:return",
    "stub:f#0:return",
    "stub:f#1#2",
    "stub:f:return#1",
    "interrupt",
    "errno#1",
    "ready#1[3]",
    "ready#1.x",
    "ready#1[]",
    "ready#",
    "(*ready)#1",
    "global:mode", // needs no prefix
    "global:",
    "global:::x",
    "global:b.c::",
    "call2",
    "env",
    "file:",
    "file:#",
    "file:a#1",
    "file:a%2",
    "file:a%41", // written A
    "file:a%2f",
    "file:a%00",
    "[3]",
    "->x",
    ".x",
    ":x",
    "*x",
    "x+",
    "x\n",
    "\"x\"",
};

static void test_what_is_parsed_is_printed_as_it_was(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct input_path path, again;
        if (!input_path_parse(good[i], &arena, &path))
            fail_msg("refused: %s", good[i]);
        assert_string_equal(input_path_text(&path, &arena), good[i]);
        assert_true(input_path_parse(input_path_text(&path, &arena), &arena, &again));
        assert_true(input_path_equal(&path, &again));
    }
    arena_release(&arena);
}

static void test_what_is_no_path_is_refused(void **state)
{
    (void)state;
    struct arena arena;
    struct input_path path;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (input_path_parse(bad[i], &arena, &path))
            fail_msg("accepted: %s as %s", bad[i], input_path_text(&path, &arena));
    arena_release(&arena);
}

static void test_paths_have_pieces(void **state)
{
    (void)state;
    struct arena arena;
    struct input_path p;
    arena_init(&arena);
    assert_true(input_path_parse("shape:call3:before2:arg:p->q[7]", &arena, &p));
    assert_int_equal(p.says, INPUT_SHAPE);
    assert_int_equal(p.root.kind, INPUT_PARAMETER);
    assert_int_equal(p.root.call, 3);
    assert_int_equal(p.root.caller, INPUT_OF_SETTER);
    assert_int_equal(p.root.caller_number, 2);
    assert_string_equal(p.root.name, "p");
    assert_int_equal(p.link_count, 2);
    assert_int_equal(p.links[0].kind, INPUT_ARROW);
    assert_string_equal(p.links[0].name, "q");
    assert_int_equal(p.links[1].kind, INPUT_INDEX);
    assert_int_equal(p.links[1].index, 7);
    assert_int_equal(p.elements, 1);
    assert_true(input_path_parse("UART->status#12[0..3]", &arena, &p));
    assert_int_equal(p.root.kind, INPUT_DEVICE);
    assert_int_equal(p.root.number, 12);
    assert_int_equal(p.elements, 4);
    assert_true(input_path_parse("stub:get#2:*out.x", &arena, &p));
    assert_int_equal(p.root.kind, INPUT_STUB);
    assert_int_equal(p.root.number, 2);
    assert_string_equal(input_path_stub_part(&p), "*out");
    assert_true(input_path_parse("global:my%20file.c::level", &arena, &p));
    assert_int_equal(p.root.kind, INPUT_GLOBAL);
    assert_string_equal(p.root.file, "my file.c");
    assert_string_equal(p.root.name, "level");
    assert_true(input_path_parse("file:a%20b:length", &arena, &p));
    assert_string_equal(p.root.name, "a b");
    arena_release(&arena);
}

// Kinds are told by the whole name: these are variables.
static void test_names_that_only_begin_like_a_kind(void **state)
{
    (void)state;
    static const char *const names[] = {"stdin_buffer", "argument", "errno2",   "callback",
                                        "call",         "call1",    "before",   "beforehand",
                                        "shaper",       "envelope", "global_x", "interrupts"};
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct input_root root = input_root_of(INPUT_GLOBAL, names[i]);
        struct input_path path = input_path_of(root), again;
        assert_true(input_path_parse(input_path_text(&path, &arena), &arena, &again));
        assert_true(input_path_equal(&path, &again));
        assert_string_equal(input_root_text(&root, &arena),
                            strcmp(names[i], "before") == 0 ? "global:before" : names[i]);
    }
    arena_release(&arena);
}

static void test_a_place_table_gives_a_path_in_pieces(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct input_path path = input_path_begin("call2", &arena), same;
    input_path_add(&path, (struct input_link){.kind = INPUT_PART, .name = "arg:p"}, &arena);
    input_path_add(&path, (struct input_link){.kind = INPUT_DEREF}, &arena);
    input_path_add(&path, (struct input_link){.kind = INPUT_FIELD, .name = "x"}, &arena);
    assert_true(input_path_parse("(*call2:arg:p).x", &arena, &same));
    assert_true(input_path_equal(&path, &same));
    path = input_path_begin("UART->status", &arena);
    input_path_set_number(&path, 3);
    assert_true(input_path_parse("UART->status#3", &arena, &same));
    assert_true(input_path_equal(&path, &same));
    path = input_path_begin("stub:f", &arena);
    input_path_set_number(&path, 1);
    input_path_add(&path, (struct input_link){.kind = INPUT_PART, .name = "return"}, &arena);
    assert_string_equal(input_path_text(&path, &arena), "stub:f#1:return");
    path = input_path_begin("no root (", &arena); // printed all the same
    assert_int_equal(path.root.kind, INPUT_NOWHERE);
    assert_string_equal(input_path_text(&path, &arena), "no root (");
    arena_release(&arena);
}

static void test_c_has_names_for_what_the_task_finds(void **state)
{
    (void)state;
    static const struct {
        const char *path, *name;
    } cases[] = {
        {"arg:x", "x"},
        {"call2:arg:x", "x"},
        {"shape:arg:p[0].next", "p->next"},
        {"arg:p[0].a[0].b", "p->a[0].b"},
        {"arg:p[1].next", "p[1].next"},
        {"(*arg:p)", "(*p)"},
        {"(*arg:p).x", "(*p).x"},
        {"mode", "mode"},
        {"table[0].x", "table[0].x"},
        {"global:before", "before"},
        {"arg:text[0..9]", "text"},
        {"choice:arg:n", "n"},
        {"errno", "errno"},
        {"call2:mode", NULL},
        {"global:b.c::mode", NULL},
        {"stub:get#1:return", NULL},
        {"arg:#0", NULL},
        {"arg:p:tag", NULL},
        {"before1:arg:x", NULL},
        {"stdin[0..9]", NULL},
        {"more_calls", NULL},
        {"ready#1", NULL},
        {"weak:hook", NULL},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct input_path path;
        assert_true(input_path_parse(cases[i].path, &arena, &path));
        const char *name = input_path_expression(&path, &arena);
        if (cases[i].name)
            assert_string_equal(name ? name : "nothing", cases[i].name);
        else if (name)
            fail_msg("%s is no %s", cases[i].path, name);
    }
    arena_release(&arena);
}

// ---- all kinds, at random ----

static struct input_root any_root(struct rng *rng)
{
    static const enum input_root_kind kinds[] = {INPUT_PARAMETER, INPUT_GLOBAL, INPUT_STUB,
                                                 INPUT_WEAK,      INPUT_FILE,   INPUT_ENVIRONMENT,
                                                 INPUT_DEVICE};
    static const char *const names[] = {"x", "before", "stdin", "call2", "arg", "p_1", "file"};
    struct input_root root = input_root_of(kinds[rng_below(rng, sizeof kinds / sizeof *kinds)],
                                           names[rng_below(rng, sizeof names / sizeof *names)]);
    if (root.kind == INPUT_STUB || root.kind == INPUT_DEVICE)
        root.number = 1 + (unsigned)rng_below(rng, 9);
    if (root.kind == INPUT_PARAMETER && rng_below(rng, 2)) {
        root.caller = INPUT_OF_SETTER + (unsigned)rng_below(rng, 2);
        root.caller_number = 1 + (unsigned)rng_below(rng, 12);
    }
    if (root.kind == INPUT_GLOBAL && rng_below(rng, 2))
        root.file = "a b::c%.c";
    if (root.kind == INPUT_PARAMETER || root.kind == INPUT_GLOBAL)
        root.call = 1 + (unsigned)rng_below(rng, 3);
    return root;
}

static struct input_path any_path(struct rng *rng, struct arena *arena)
{
    static const char *const names[] = {"next", "x", "*out", "shape"};
    struct input_path path = input_path_of(any_root(rng));
    path.says = (enum input_says)rng_below(rng, 3);
    path.elements = rng_below(rng, 3) ? 1 : 2 + (uint32_t)rng_below(rng, 99);
    for (size_t n = rng_below(rng, 6); n > 0; n--) {
        struct input_link link = {.kind = (enum input_link_kind)rng_below(rng, 7)};
        bool named =
            link.kind == INPUT_FIELD || link.kind == INPUT_ARROW || link.kind == INPUT_PART;
        if (named)
            link.name = names[rng_below(rng, link.kind == INPUT_PART ? 4 : 2)];
        else if (link.kind != INPUT_DEREF && link.kind != INPUT_ANY)
            link.index = (uint32_t)rng_below(rng, 1000);
        bool file = path.root.kind == INPUT_FILE || path.root.kind == INPUT_ENVIRONMENT;
        if (link.kind == INPUT_DEREF && path.root.kind == INPUT_DEVICE)
            continue;
        if (file && link.kind != INPUT_INDEX && link.kind != INPUT_PART) // its name would go on
            continue;
        input_path_add(&path, link, arena);
    }
    return path;
}

static void test_any_path_comes_back(void **state)
{
    (void)state;
    struct rng rng = {.state = 17};
    for (int i = 0; i < 20000; i++) {
        struct arena arena;
        struct input_path again;
        arena_init(&arena);
        struct input_path path = any_path(&rng, &arena);
        const char *text = input_path_text(&path, &arena);
        if (!input_path_parse(text, &arena, &again) || !input_path_equal(&path, &again))
            fail_msg("%s came back as %s", text, input_path_text(&again, &arena));
        arena_release(&arena);
    }
}

int test_input_path(void);
int test_input_path(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_parsed_is_printed_as_it_was),
        cmocka_unit_test(test_what_is_no_path_is_refused),
        cmocka_unit_test(test_paths_have_pieces),
        cmocka_unit_test(test_names_that_only_begin_like_a_kind),
        cmocka_unit_test(test_a_place_table_gives_a_path_in_pieces),
        cmocka_unit_test(test_c_has_names_for_what_the_task_finds),
        cmocka_unit_test(test_any_path_comes_back),
    };
    return cmocka_run_group_tests_name("input_path", tests, NULL, NULL);
}
