// SPDX-License-Identifier: Apache-2.0
// Tests for cmocka.
#include "export/c_writer.h"

static size_t put_list(const struct export_file *file, bool is_apart, const char *name,
                       struct buf *out)
{
    size_t count = 0;
    for (size_t i = 0; i < file->tests.count; i++) {
        if (file->tests.items[i]->is_apart != is_apart)
            continue;
        if (!count++)
            buf_printf(out, "static const struct CMUnitTest %s[] = {\n", name);
        buf_printf(out, "    cmocka_unit_test(test_%s),\n", file->tests.items[i]->name);
    }
    if (count)
        buf_puts(out, "};\n\n");
    return count;
}

static void write_main(const struct export_file *file, struct buf *out)
{
    size_t together = put_list(file, false, "tests", out);
    size_t apart = put_list(file, true, "tests_apart", out);
    if (apart)
        buf_puts(out,
                 "/* In a process of its own: static locals keep their values. */\n"
                 "static int run_one(size_t test)\n{\n"
                 "    const struct CMUnitTest one[] = {tests_apart[test]};\n"
                 "    return cmocka_run_group_tests_name(one[0].name, one, NULL, NULL);\n}\n\n");
    buf_puts(out, "int main(void)\n{\n    int failed = 0;\n");
    if (together)
        buf_puts(out, "    failed |= cmocka_run_group_tests(tests, NULL, NULL);\n");
    if (apart)
        buf_printf(out,
                   "    size_t i;\n    for (i = 0; i < %zu; i++)\n        failed |= "
                   "run_apart(run_one, i);\n",
                   apart);
    buf_puts(out, "    return failed != 0;\n}\n");
}

static const struct c_dialect cmocka = {
    .includes = "#include <setjmp.h>\n#include <stdarg.h>\n#include <stdint.h>\n"
                "#include <cmocka.h>\n",
    .head = "static void test_%s(void **state)",
    .begin = "    (void)state;\n",
    .skip = "print_message(\"%%s\\n\", %s);\n    skip();",
    .equal = "assert_int_equal(%1$s, %2$s);",
    .same = "assert_ptr_equal(%1$s, %2$s);",
    .null = "assert_null(%1$s);",
    .not_null = "assert_non_null(%1$s);",
    .text = "assert_string_equal(%1$s, %2$s);",
    .memory = "assert_memory_equal(%1$s, %2$s, %3$s);",
    .makefile_libs = "-lcmocka",
    .cmake_libs = "cmocka",
    .makefile_extra = "",
    .write_main = write_main,
};

export_writer export_cmocka;
bool export_cmocka(const struct export_request *request, struct export_tally *tally,
                   struct error *err)
{
    return c_suite(request, &cmocka, tally, err);
}
