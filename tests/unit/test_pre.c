// SPDX-License-Identifier: Apache-2.0
// Preconditions as text: reading, errors, comparing, names, editing.
#include "pre/pre.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
// cmocka needs those before it
#include <cmocka.h>

static const char sample[] =
    "# by hand\n"
    "\n"
    "precondition adjust: p != NULL\n"
    "confirmed precondition fill: len <= count(buffer) // out of bounds at fill.c:33\n"
    "rejected precondition src/drive.c:step: c != '/' && strcmp(s, \"a // b\")\n"
    "  inferred precondition lookup: index < 16\n"
    "    violates main.c:40 in start: lookup(99)\n"
    "    may violate main.c:41 in start: lookup(n)\n"
    "    respects main.c:42 in start: lookup(3)\n";

static void read_sample(struct pre_list *list)
{
    struct error err = {0};
    pre_init(list);
    assert_true(pre_parse(list, "cadenza.pre", sample, &err));
    assert_int_equal(list->items.count, 4);
}

static void reads_states_files_and_origins(void **state)
{
    (void)state;
    struct pre_list list;
    read_sample(&list);
    const struct precondition *p = list.items.items;
    assert_int_equal(p[0].state, PRE_CONFIRMED);
    assert_string_equal(p[0].function, "adjust");
    assert_string_equal(p[0].expression, "p != NULL");
    assert_int_equal(p[0].line, 3);
    assert_string_equal(p[1].origin, "out of bounds at fill.c:33");
    assert_string_equal(p[1].expression, "len <= count(buffer)");
    assert_int_equal(p[2].state, PRE_REJECTED);
    assert_string_equal(p[2].file, "src/drive.c");
    assert_string_equal(p[2].function, "step");
    assert_string_equal(p[2].expression, "c != '/' && strcmp(s, \"a // b\")");
    assert_string_equal(p[2].origin, "");
    assert_int_equal(p[3].state, PRE_INFERRED);
    assert_int_equal(p[3].sites.count, 3);
    assert_int_equal(p[3].sites.items[0].respect, PRE_VIOLATES);
    assert_string_equal(p[3].sites.items[1].text, "main.c:41 in start: lookup(n)");
    assert_false(pre_is_respected(&p[3]));
    pre_release(&list);
}

static void a_conditional_expression_is_no_file(void **state)
{
    (void)state;
    struct pre_list list;
    struct error err = {0};
    pre_init(&list);
    assert_true(
        pre_parse(&list, "x", "precondition f: a ? b : c\nprecondition a.c:g: a ? b : c", &err));
    assert_null(list.items.items[0].file);
    assert_string_equal(list.items.items[0].expression, "a ? b : c");
    assert_string_equal(list.items.items[1].function, "g");
    pre_release(&list);
}

static void errors_name_the_line(void **state)
{
    (void)state;
    static const char *const bad[] = {"\nadjust: p != NULL\n", "\nprecondition p != NULL\n",
                                      "\nprecondition adjust:\n", "\nprecondition 3x: a\n",
                                      "\nmaybe precondition f: a\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct pre_list list;
        struct error err = {0};
        pre_init(&list);
        assert_false(pre_parse(&list, "some.pre", bad[i], &err));
        assert_non_null(strstr(err.text, "some.pre:2: "));
        assert_non_null(strstr(err.text, "precondition FUNCTION: EXPRESSION"));
        pre_release(&list);
    }
}

static void applies_by_function_and_end_of_path(void **state)
{
    (void)state;
    struct pre_list list;
    read_sample(&list);
    assert_true(pre_applies(&list.items.items[0], "adjust", "/any/file.c"));
    assert_false(pre_applies(&list.items.items[0], "adjust2", "/any/file.c"));
    assert_true(pre_applies(&list.items.items[2], "step", "/x/src/drive.c"));
    assert_false(pre_applies(&list.items.items[2], "step", "/x/src/overdrive.c"));
    assert_false(pre_applies(&list.items.items[2], "step", "/x/other/drive.c"));
    pre_release(&list);
}

static void the_same_whatever_the_spaces(void **state)
{
    (void)state;
    struct pre_list list;
    read_sample(&list);
    struct precondition like = {.function = "adjust", .expression = "p!=NULL", .origin = ""};
    assert_ptr_equal(pre_find(&list, &like), &list.items.items[0]);
    char one[PRE_ID], other[PRE_ID];
    pre_id(&like, one);
    pre_id(&list.items.items[0], other);
    assert_string_equal(one, other);
    pre_id(&list.items.items[1], other);
    assert_string_not_equal(one, other);
    like.expression = "p == NULL";
    assert_null(pre_find(&list, &like));
    pre_release(&list);
}

static void editing_changes_one_line(void **state)
{
    (void)state;
    struct precondition pre = {.state = PRE_REJECTED,
                               .function = "adjust",
                               .expression = "p != NULL",
                               .origin = "NULL at a.c:1"};
    struct buf out = BUF_INIT;
    pre_edit("# mine\nprecondition adjust: p  !=  NULL\nprecondition b: x", &pre, &out);
    assert_string_equal(buf_text(&out),
                        "# mine\nrejected precondition adjust: p != NULL // NULL at a.c:1\n"
                        "precondition b: x\n");
    buf_clear(&out);
    pre.function = "fresh";
    pre_edit("# mine\n", &pre, &out);
    assert_string_equal(buf_text(&out),
                        "# mine\nrejected precondition fresh: p != NULL // NULL at a.c:1\n");
    buf_release(&out);
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    struct pre_list list, again;
    struct error err = {0};
    struct buf out = BUF_INIT, second = BUF_INIT;
    read_sample(&list);
    for (size_t i = 0; i < list.items.count; i++)
        pre_write(&list.items.items[i], true, &out);
    pre_init(&again);
    assert_true(pre_parse(&again, "x", buf_text(&out), &err));
    for (size_t i = 0; i < again.items.count; i++)
        pre_write(&again.items.items[i], true, &second);
    assert_int_equal(again.items.count, 4);
    assert_string_equal(buf_text(&out), buf_text(&second));
    buf_release(&out);
    buf_release(&second);
    pre_release(&list);
    pre_release(&again);
}

int test_pre(void);
int test_pre(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_states_files_and_origins),
        cmocka_unit_test(a_conditional_expression_is_no_file),
        cmocka_unit_test(errors_name_the_line),
        cmocka_unit_test(applies_by_function_and_end_of_path),
        cmocka_unit_test(the_same_whatever_the_spaces),
        cmocka_unit_test(editing_changes_one_line),
        cmocka_unit_test(what_is_written_reads_back),
    };
    return cmocka_run_group_tests_name("pre", tests, NULL, NULL);
}
