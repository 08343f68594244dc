// SPDX-License-Identifier: Apache-2.0
// Test files and places: a place table is made by hand as a target would write it,
// values go from bytes to text and back, and malformed files are refused with the
// line that is wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "program/places.h"
#include "program/testfile.h"

#include <stdlib.h>
#include <string.h>

// ---- A place table ----

struct table {
    struct wire_header header;
    struct wire_place places[64];
    char strings[1024];
};

static uint32_t string(struct table *t, const char *text)
{
    uint32_t at = t->header.string_count;
    strcpy(t->strings + at, text);
    t->header.string_count += (uint32_t)strlen(text) + 1;
    return at;
}

static void table_init(struct table *t)
{
    memset(t, 0, sizeof *t);
    t->header.places = (struct wire_area){offsetof(struct table, places), 64};
    t->header.strings = (struct wire_area){offsetof(struct table, strings), sizeof t->strings};
    t->header.place_count = 1;
    t->header.string_count = 1;
}

static uint32_t place(struct table *t, uint32_t parent, uint8_t link, const char *name,
                      uint32_t index)
{
    uint32_t id = t->header.place_count++;
    t->places[id] = (struct wire_place){
        .parent = parent, .link = link, .index = index, .name = name ? string(t, name) : 0};
    return id;
}

static uint32_t leaf(struct table *t, uint32_t id, uint8_t type, uint16_t bits, uint32_t count)
{
    struct wire_place *p = &t->places[id];
    p->type = type;
    p->bits = bits;
    p->count = count;
    p->offset = (t->header.input_size + 15) & ~15u;
    t->header.input_size = p->offset + places_size(p);
    return id;
}

static uint32_t simple(struct table *t, uint8_t type, uint16_t bits, uint32_t count)
{
    return leaf(t, place(t, 0, WIRE_L_ROOT, "x", 0), type, bits, count);
}

static struct places view(struct table *t)
{
    struct places places;
    places_view(&places, &t->header);
    return places;
}

static void check_path(struct table *t, uint32_t id, const char *expected)
{
    struct places places = view(t);
    struct buf text = BUF_INIT;
    places_path(&places, id, &text);
    assert_string_equal(buf_text(&text), expected);
    buf_release(&text);
}

static void test_paths_read_like_c(void **state)
{
    (void)state;
    struct table t;
    table_init(&t);
    uint32_t list = place(&t, 0, WIRE_L_ROOT, "arg:list", 0);
    uint32_t next = place(&t, list, WIRE_L_ARROW, "next", 0);
    uint32_t c = leaf(&t, place(&t, next, WIRE_L_ARROW, "c", 0), WIRE_T_SIGNED, 8, 1);
    uint32_t stub = place(&t, 0, WIRE_L_ROOT, "stub:get_rpm", 0);
    uint32_t call = place(&t, stub, WIRE_L_CALL, NULL, 2);
    uint32_t result = leaf(&t, place(&t, call, WIRE_L_PART, "return", 0), WIRE_T_SIGNED, 32, 1);
    uint32_t table = place(&t, 0, WIRE_L_ROOT, "table", 0);
    uint32_t element = place(&t, table, WIRE_L_INDEX, NULL, 3);
    uint32_t field = leaf(&t, place(&t, element, WIRE_L_FIELD, "x", 0), WIRE_T_UNSIGNED, 16, 1);
    uint32_t deref = leaf(&t, place(&t, table, WIRE_L_DEREF, NULL, 0), WIRE_T_UNSIGNED, 16, 1);
    leaf(&t, list, WIRE_T_SHAPE, 1, 1);
    leaf(&t, element, WIRE_T_CHOICE, 8, 3);
    leaf(&t, next, WIRE_T_UNSIGNED, 8, 10);
    check_path(&t, c, "arg:list->next->c");
    check_path(&t, list, "shape:arg:list");
    check_path(&t, next, "arg:list->next[0..9]");
    check_path(&t, result, "stub:get_rpm#2:return");
    check_path(&t, field, "table[3].x");
    check_path(&t, element, "choice:table[3]");
    check_path(&t, deref, "(*table)");
}

static void test_a_damaged_table_gives_text_and_no_crash(void **state)
{
    (void)state;
    struct table t;
    table_init(&t);
    uint32_t id = place(&t, 0, WIRE_L_FIELD, "x", 0);
    t.places[id].name = 0xFFFFFFF0u;
    t.places[id].parent = id;
    check_path(&t, id, ".?");
    check_path(&t, 63, "?");
}

static void test_types_have_names(void **state)
{
    (void)state;
    static const struct {
        uint8_t type;
        uint16_t bits;
        const char *name;
    } cases[] = {
        {WIRE_T_BOOL, 1, "_Bool"},
        {WIRE_T_SIGNED, 8, "char"},
        {WIRE_T_UNSIGNED, 8, "unsigned char"},
        {WIRE_T_SIGNED, 32, "int"},
        {WIRE_T_UNSIGNED, 64, "unsigned long"},
        {WIRE_T_SIGNED, 128, "__int128"},
        {WIRE_T_UNSIGNED, 3, "unsigned:3"},
        {WIRE_T_SIGNED, 1, "int:1"},
        {WIRE_T_FLOAT, 32, "float"},
        {WIRE_T_FLOAT, 64, "double"},
        {WIRE_T_SHAPE, 1, "shape"},
        {WIRE_T_CHOICE, 8, "choice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table t;
        struct buf text = BUF_INIT;
        table_init(&t);
        uint32_t id = simple(&t, cases[i].type, cases[i].bits, 1);
        struct places places = view(&t);
        places_type(&places, id, &text);
        assert_string_equal(buf_text(&text), cases[i].name);
        buf_release(&text);
    }
}

// ---- Values ----

static void check_value(uint8_t type, uint16_t bits, uint32_t count, const void *bytes, size_t size,
                        const char *expected, const char *meaning)
{
    struct table t;
    struct buf text = BUF_INIT;
    uint8_t input[64] = {0}, back[64];
    struct error err = {0};
    table_init(&t);
    uint32_t id = simple(&t, type, bits, count);
    struct places places = view(&t);
    memcpy(input, bytes, size);
    places_value(&places, id, input, size, &text);
    assert_string_equal(buf_text(&text), expected);
    memset(back, 0xAA, sizeof back);
    assert_true(places_parse(&places, id, buf_text(&text), back, sizeof back, &err));
    places_canonical(&places, id, input, sizeof input);
    assert_memory_equal(back, input, places_size(&t.places[id]));
    buf_clear(&text);
    places_meaning(&places, id, input, size, NULL, &text);
    assert_string_equal(buf_text(&text), meaning);
    buf_release(&text);
}

static void test_values_both_ways(void **state)
{
    (void)state;
    float f = 1.5f;
    double d = -0.0;
    uint32_t nan32 = 0x7fc00001, inf32 = 0xff800000;
    uint64_t nan64 = 0xfff0000000000001;
    unsigned __int128 big = ((unsigned __int128)1 << 127) | 5;
    __int128 small = -7;
    check_value(WIRE_T_SIGNED, 8, 1, "A", 1, "65", "'A'");
    check_value(WIRE_T_SIGNED, 8, 1, "\xff", 1, "-1", "");
    check_value(WIRE_T_UNSIGNED, 8, 1, "'", 1, "39", "'\\''");
    check_value(WIRE_T_SIGNED, 32, 1, "\0\0\0\x80", 4, "-2147483648", "");
    check_value(WIRE_T_UNSIGNED, 64, 1, "\xff\xff\xff\xff\xff\xff\xff\xff", 8,
                "18446744073709551615", "");
    check_value(WIRE_T_UNSIGNED, 3, 1, "\xfd", 1, "5", "");
    check_value(WIRE_T_SIGNED, 3, 1, "\x04", 1, "-4", "");
    check_value(WIRE_T_BOOL, 1, 1, "\x03", 1, "1", "");
    check_value(WIRE_T_SHAPE, 1, 1, "\x01", 1, "present", "");
    check_value(WIRE_T_SHAPE, 1, 1, "\x02", 1, "NULL", "");
    check_value(WIRE_T_CHOICE, 8, 3, "\x05", 1, "2", "");
    check_value(WIRE_T_FLOAT, 32, 1, &f, 4, "0x1.8p+0", "1.5");
    check_value(WIRE_T_FLOAT, 64, 1, &d, 8, "-0x0p+0", "-0");
    check_value(WIRE_T_FLOAT, 32, 1, &nan32, 4, "nan:0x7fc00001", "");
    check_value(WIRE_T_FLOAT, 64, 1, &nan64, 8, "nan:0xfff0000000000001", "");
    check_value(WIRE_T_FLOAT, 32, 1, &inf32, 4, "-inf", "");
    check_value(WIRE_T_UNSIGNED, 128, 1, &big, 16, "0x80000000000000000000000000000005", "");
    check_value(WIRE_T_SIGNED, 128, 1, &big, 16, "-0x7ffffffffffffffffffffffffffffffb", "");
    check_value(WIRE_T_SIGNED, 128, 1, &small, 16, "-7", "");
    check_value(WIRE_T_SIGNED, 128, 1, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80", 16,
                "-0x80000000000000000000000000000000", "");
    check_value(WIRE_T_UNSIGNED, 8, 4, "a\n\0", 3, "97 10 0 0", "\"a\\n\"");
    check_value(WIRE_T_SIGNED, 16, 3, "\x01\0\xff\xff", 4, "1 -1 0", "");
}

static void test_any_bits_survive_the_text(void **state)
{
    (void)state;
    static const uint16_t widths[] = {1, 5, 8, 16, 24, 32, 47, 64, 128};
    struct rng rng = {42};
    for (unsigned round = 0; round < 2000; round++) {
        struct table t;
        struct buf text = BUF_INIT, again = BUF_INIT;
        uint8_t input[64], back[64] = {0};
        uint8_t type = (uint8_t)(WIRE_T_SIGNED + rng_below(&rng, 3));
        uint16_t bits = type == WIRE_T_FLOAT ? 32 << rng_below(&rng, 2)
                                             : widths[rng_below(&rng, sizeof widths / 2)];
        table_init(&t);
        uint32_t id = simple(&t, type, bits, 1 + (uint32_t)rng_below(&rng, 4));
        struct places places = view(&t);
        for (size_t i = 0; i < sizeof input; i++)
            input[i] = rng_below(&rng, 3) ? (uint8_t)rng_next(&rng) : 0xff;
        places_value(&places, id, input, sizeof input, &text);
        assert_true(places_parse(&places, id, buf_text(&text), back, sizeof back, NULL));
        places_canonical(&places, id, input, sizeof input);
        assert_memory_equal(back, input, places_size(&t.places[id]));
        places_value(&places, id, back, sizeof back, &again);
        assert_string_equal(buf_text(&text), buf_text(&again));
        buf_release(&text);
        buf_release(&again);
    }
}

static void test_values_that_do_not_fit(void **state)
{
    (void)state;
    static const struct {
        uint8_t type;
        uint16_t bits;
        uint32_t count;
        const char *text;
    } cases[] = {
        {WIRE_T_SIGNED, 8, 1, "128"},     {WIRE_T_SIGNED, 8, 1, "-129"},
        {WIRE_T_UNSIGNED, 8, 1, "256"},   {WIRE_T_UNSIGNED, 8, 1, "-1"},
        {WIRE_T_UNSIGNED, 3, 1, "8"},     {WIRE_T_BOOL, 1, 1, "2"},
        {WIRE_T_SIGNED, 32, 1, "12a"},    {WIRE_T_SIGNED, 32, 1, "-"},
        {WIRE_T_SIGNED, 32, 1, ""},       {WIRE_T_SIGNED, 32, 1, "1 2"},
        {WIRE_T_SHAPE, 1, 1, "1"},        {WIRE_T_CHOICE, 8, 3, "3"},
        {WIRE_T_FLOAT, 32, 1, "abc"},     {WIRE_T_FLOAT, 32, 1, "nan:0x0"},
        {WIRE_T_UNSIGNED, 8, 2, "1 2 3"}, {WIRE_T_SIGNED, 8, 1, "0x80"},
        {WIRE_T_UNSIGNED, 8, 2, "1"},     {WIRE_T_SIGNED, 8, 1, "true"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table t;
        struct error err = {0};
        uint8_t input[64] = {0};
        table_init(&t);
        uint32_t id = simple(&t, cases[i].type, cases[i].bits, cases[i].count);
        struct places places = view(&t);
        if (places_parse(&places, id, cases[i].text, input, sizeof input, &err))
            fail_msg("\"%s\" was accepted", cases[i].text);
        assert_int_equal(err.kind, ERROR_USAGE);
    }
}

static void test_enumerators_are_shown(void **state)
{
    (void)state;
    struct enumerator names[] = {{"MODE_OFF", 0}, {"MODE_ON", -2}};
    struct type mode = {
        .kind = TYPE_ENUM, .spelling = "enum mode", .enumerators = names, .enumerator_count = 2};
    struct type *types[] = {&mode};
    struct program program = {.types = types, .type_count = 1};
    struct table t;
    struct buf text = BUF_INIT;
    uint8_t input[] = {0xfe, 0xff, 0xff, 0xff};
    table_init(&t);
    uint32_t id = simple(&t, WIRE_T_SIGNED, 32, 1);
    t.places[id].type_name = string(&t, "enum mode");
    struct places places = view(&t);
    places_meaning(&places, id, input, sizeof input, &program, &text);
    assert_string_equal(buf_text(&text), "MODE_ON");
    buf_clear(&text);
    places_type(&places, id, &text);
    assert_string_equal(buf_text(&text), "enum mode");
    buf_release(&text);
}

// ---- Files ----

static const char good[] = "# cadenza test, format 1; inputs that are not listed are zero\n"
                           "task add_last\n"
                           "file fig5.c\n"
                           "outcome null dereference, fig5.c:20 # not a comment here\n"
                           "# note: by hand\n"
                           "input shape:head | shape | present\n"
                           "input head->c | char | 65 # 'A'\n"
                           "input stub:get_rpm#1:return | int | -3\n"
                           "input arg:#0 | float | 0x1.8p+0 # 1.5\n";

static void test_reading_and_writing_are_inverse(void **state)
{
    (void)state;
    struct arena arena;
    struct testfile test;
    struct error err = {0};
    struct buf out = BUF_INIT;
    arena_init(&arena);
    assert_true(testfile_read(&test, "t", good, sizeof good - 1, &arena, &err));
    assert_string_equal(test.task, "add_last");
    assert_int_equal(test.input_count, 4);
    assert_string_equal(test.inputs[2].path, "stub:get_rpm#1:return");
    assert_string_equal(test.inputs[1].values, "65");
    assert_string_equal(test.note, "by hand");
    testfile_write(&test, &out);
    assert_string_equal(buf_text(&out), good);
    buf_release(&out);
    arena_release(&arena);
}

static void test_hand_written_files_may_be_untidy(void **state)
{
    (void)state;
    static const char text[] = "\n  # mine\r\n\ttask   f \r\n\n"
                               "input   arg:x  |  int |   5   #five\r\ninput y | int | 6";
    struct arena arena;
    struct testfile test;
    arena_init(&arena);
    assert_true(testfile_read(&test, "t", text, sizeof text - 1, &arena, NULL));
    assert_string_equal(test.task, "f");
    assert_int_equal(test.input_count, 2);
    assert_string_equal(test.inputs[0].path, "arg:x");
    assert_string_equal(test.inputs[0].values, "5");
    assert_string_equal(test.inputs[1].values, "6");
    arena_release(&arena);
}

static void test_errors_name_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"task f\ninput x | int\n", "a.test:2: an input is written"},
        {"task f\n\ntask g\n", "a.test:3: a second line \"task\""},
        {"task\n", "a.test:1: \"task\" without a text"},
        {"task f\nfoo bar\n", "a.test:2: expected task"},
        {"file x.c\n", "a.test:1: the line \"task NAME\" is missing"},
        {"task f\ninput x | int | # 3\n", "a.test:2: path, type and value"},
        {"task f\ninput x | int | 1\ninput x | int | 2\n", "a.test:3: the same path twice"},
        {"", "a.test:0: the line"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena;
        struct testfile test;
        struct error err = {0};
        arena_init(&arena);
        assert_false(
            testfile_read(&test, "a.test", cases[i].text, strlen(cases[i].text), &arena, &err));
        assert_memory_equal(err.text, cases[i].message, strlen(cases[i].message));
        arena_release(&arena);
    }
    struct arena arena;
    struct testfile test;
    struct error err = {0};
    arena_init(&arena);
    assert_false(testfile_read(&test, "b", "task f\ninput\0x", 14, &arena, &err));
    assert_non_null(strstr(err.text, "b:2: a NUL byte"));
    arena_release(&arena);
}

static void test_from_a_run_and_back(void **state)
{
    (void)state;
    struct table t;
    struct arena arena;
    struct testfile test = {.task = "f"};
    struct places_index index;
    uint8_t input[64] = {0}, back[64] = {0};
    size_t unknown;
    table_init(&t);
    arena_init(&arena);
    places_index_init(&index);
    uint32_t p = place(&t, 0, WIRE_L_ROOT, "arg:p", 0);
    uint32_t x = leaf(&t, place(&t, p, WIRE_L_ARROW, "x", 0), WIRE_T_SIGNED, 32, 1);
    struct places places = view(&t);
    places_index_update(&index, &places);
    assert_int_equal(places_find(&index, "arg:p->x"), x);
    leaf(&t, p, WIRE_T_SHAPE, 1, 1); // becomes a leaf after it was indexed
    places_index_update(&index, &places);
    assert_int_equal(places_find(&index, "shape:arg:p"), p);
    assert_int_equal(places_find(&index, "arg:q"), 0);
    input[t.places[p].offset] = 1;
    input[t.places[x].offset] = 77;
    uint32_t uses[] = {p, x};
    testfile_from_run(&test, &places, uses, 2, input, sizeof input, NULL, &arena);
    assert_int_equal(test.input_count, 2);
    assert_string_equal(test.inputs[0].path, "shape:arg:p");
    assert_string_equal(test.inputs[1].values, "77");
    assert_true(testfile_to_input(&test, &places, &index, back, sizeof back, &unknown, NULL));
    assert_int_equal(unknown, 0);
    assert_memory_equal(back, input, sizeof input);
    test.inputs[1].path = "arg:gone";
    assert_true(testfile_to_input(&test, &places, &index, back, sizeof back, &unknown, NULL));
    assert_int_equal(unknown, 1);
    places_index_release(&index);
    arena_release(&arena);
}

static void test_zero_elements_are_left_out(void **state)
{
    (void)state;
    struct table t;
    struct arena arena;
    struct testfile test = {.task = "f"};
    uint8_t input[256] = {0};
    uint32_t uses[8], count = 0;
    table_init(&t);
    arena_init(&arena);
    uint32_t p = place(&t, 0, WIRE_L_ROOT, "arg:p", 0);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t element = place(&t, p, WIRE_L_INDEX, NULL, i);
        uses[count++] = leaf(&t, place(&t, element, WIRE_L_FIELD, "x", 0), WIRE_T_SIGNED, 32, 1);
        uses[count++] = leaf(&t, place(&t, element, WIRE_L_FIELD, "y", 0), WIRE_T_SIGNED, 32, 1);
    }
    input[t.places[uses[5]].offset] = 9; // arg:p[2].y
    struct places places = view(&t);
    testfile_from_run(&test, &places, uses, count, input, sizeof input, NULL, &arena);
    assert_int_equal(test.input_count, 4);
    assert_string_equal(test.inputs[0].path, "arg:p[0].x");
    assert_string_equal(test.inputs[1].path, "arg:p[0].y");
    assert_string_equal(test.inputs[2].path, "arg:p[2].x");
    assert_string_equal(test.inputs[3].path, "arg:p[2].y");
    arena_release(&arena);
}

int test_testfile(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths_read_like_c),
        cmocka_unit_test(test_a_damaged_table_gives_text_and_no_crash),
        cmocka_unit_test(test_types_have_names),
        cmocka_unit_test(test_values_both_ways),
        cmocka_unit_test(test_any_bits_survive_the_text),
        cmocka_unit_test(test_values_that_do_not_fit),
        cmocka_unit_test(test_enumerators_are_shown),
        cmocka_unit_test(test_reading_and_writing_are_inverse),
        cmocka_unit_test(test_hand_written_files_may_be_untidy),
        cmocka_unit_test(test_errors_name_the_line),
        cmocka_unit_test(test_from_a_run_and_back),
        cmocka_unit_test(test_zero_elements_are_left_out),
    };
    return cmocka_run_group_tests_name("testfile", tests, NULL, NULL);
}
