// SPDX-License-Identifier: Apache-2.0
// C tests without a framework: support.c runs them and prints lines of the Test Anything Protocol.
#include "export/c_writer.h"

static void write_main(const struct export_file *file, struct buf *out)
{
    buf_puts(out, "static const struct test tests[] = {\n");
    for (size_t i = 0; i < file->tests.count; i++)
        buf_printf(out, "    {\"%s\", test_%s, %d},\n", file->tests.items[i]->name,
                   file->tests.items[i]->name, file->tests.items[i]->is_apart);
    buf_printf(out,
               "    {NULL, NULL, 0},\n};\n\nint main(void)\n{\n    return run_tests(tests, %zu);\n"
               "}\n",
               file->tests.count);
}

static const struct c_dialect plain_c = {
    .includes = "",
    .head = "static void test_%s(void)",
    .begin = "",
    .skip = "skip_test(%s);\n    return;",
    .equal = "CHECK_EQUAL(%1$s, %2$s);",
    .same = "CHECK_SAME(%1$s, %2$s);",
    .null = "CHECK_NULL(%1$s);",
    .not_null = "CHECK_NOT_NULL(%1$s);",
    .text = "CHECK_TEXT(%1$s, %2$s);",
    .memory = "CHECK_MEMORY(%1$s, %2$s, %3$s);",
    .makefile_libs = "",
    .cmake_libs = "",
    .makefile_extra = "",
    .write_main = write_main,
};

export_writer export_c;
bool export_c(const struct export_request *request, struct export_tally *tally, struct error *err)
{
    return c_suite(request, &plain_c, tally, err);
}
