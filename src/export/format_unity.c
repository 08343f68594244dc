// SPDX-License-Identifier: Apache-2.0
// Tests for Unity (ThrowTheSwitch). UNITY of the Makefile says where unity.c and unity.h are.
#include "export/c_writer.h"

static void write_main(const struct export_file *file, struct buf *out)
{
    size_t apart = 0;
    buf_puts(out, "void setUp(void)\n{\n}\n\nvoid tearDown(void)\n{\n}\n\n");
    for (size_t i = 0; i < file->tests.count; i++)
        apart += file->tests.items[i]->is_apart;
    if (apart)
        buf_puts(out, "/* In a process of its own: static locals keep their values. */\n"
                      "static int run_one(size_t test)\n{\n    size_t at = 0;\n    "
                      "UNITY_BEGIN();\n");
    for (size_t i = 0; i < file->tests.count; i++)
        if (file->tests.items[i]->is_apart)
            buf_printf(out, "    if (at++ == test)\n        RUN_TEST(test_%s);\n",
                       file->tests.items[i]->name);
    if (apart)
        buf_puts(out, "    return UNITY_END();\n}\n\n");
    buf_puts(out, "int main(void)\n{\n    int failed = 0;\n    UNITY_BEGIN();\n");
    for (size_t i = 0; i < file->tests.count; i++)
        if (!file->tests.items[i]->is_apart)
            buf_printf(out, "    RUN_TEST(test_%s);\n", file->tests.items[i]->name);
    buf_puts(out, "    failed |= UNITY_END();\n");
    if (apart)
        buf_printf(out,
                   "    size_t i;\n    for (i = 0; i < %zu; i++)\n        failed |= "
                   "run_apart(run_one, i);\n",
                   apart);
    buf_puts(out, "    return failed != 0;\n}\n");
}

static const struct c_dialect unity = {
    .includes = "#include \"unity.h\"\n",
    .head = "static void test_%s(void)",
    .begin = "",
    .skip = "TEST_IGNORE_MESSAGE(%s);",
    .equal = "TEST_ASSERT_EQUAL_INT64(%2$s, %1$s);",
    .same = "TEST_ASSERT_EQUAL_PTR(%2$s, %1$s);",
    .null = "TEST_ASSERT_NULL(%1$s);",
    .not_null = "TEST_ASSERT_NOT_NULL(%1$s);",
    .text = "TEST_ASSERT_EQUAL_STRING(%2$s, %1$s);",
    .memory = "TEST_ASSERT_EQUAL_MEMORY(%2$s, %1$s, %3$s);",
    .makefile_libs = "",
    .cmake_libs = "",
    .makefile_extra = "# Where unity.c and unity.h are.\nUNITY ?= unity\n"
                      "EXTRA_CFLAGS += -I$(UNITY)\nEXTRA_SOURCES += $(UNITY)/unity.c\n",
    .write_main = write_main,
};

export_writer export_unity;
bool export_unity(const struct export_request *request, struct export_tally *tally,
                  struct error *err)
{
    return c_suite(request, &unity, tally, err);
}
