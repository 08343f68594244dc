// SPDX-License-Identifier: Apache-2.0
// Tests as C text. The dialect is what test frameworks differ in: how a check is written, what a
// test looks like, how all of them are run. A format of C tests is a dialect.
#ifndef CZ_EXPORT_C_WRITER_H
#define CZ_EXPORT_C_WRITER_H

#include "export/exporter.h"
#include "export/test_model.h"

struct c_dialect {
    const char *includes; // lines
    const char *head;     // of a test, with %s for its name
    const char *begin;    // its first lines
    const char *skip;     // statement: the rest is not executed, with %s for the reason
    // Checks, with %1$s for the actual value and %2$s for the expected one.
    const char *equal, *same, *null, *not_null, *text;
    const char *memory;                     // with %3$s for the size
    const char *makefile_libs, *cmake_libs; // what programs are linked with
    const char *makefile_extra;             // objects or flags that the framework needs, or ""
    void (*write_main)(const struct export_file *file, struct buf *out);
};

struct c_writer {
    const struct export_file *file;
    const struct export_test *test;
    const struct result_declaration *result; // of its task
    const struct c_dialect *dialect;
    struct arena *arena;
    struct buf *out;
    unsigned level;
    struct map declared;     // objects that can be named already
    VEC(const char *) later; // statements behind the declarations
};

// c_values.c: values and types
const char *c_literal(struct c_writer *w, const char *type, const char *value);
bool c_is_real(const char *value);
bool c_is_number(const char *type);                                             // by its name
const char *c_real_comment(struct c_writer *w, const char *value);              // " /* 1.5 */"
const char *c_pointer(struct c_writer *w, const char *type, const char *value); // NULL: not known
const char *c_declare(struct c_writer *w, const char *type, const char *name);
const char *c_list(struct c_writer *w, const char *type, const char *values, size_t *count);
const char *c_quoted(struct c_writer *w, const char *text);

// c_objects.c: objects and assignments
void c_line(struct c_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *c_member(struct c_writer *w, const struct export_object *object, const char *member);
void c_declare_objects(struct c_writer *w, bool statics);
void c_declare_argument(struct c_writer *w, const struct export_argument *argument);
void c_flush_later(struct c_writer *w);
void c_assign(struct c_writer *w, const char *base, const struct export_value *value);

// c_checks.c: what is compared
void c_check(struct c_writer *w, const char *expression, const char *type, const char *value,
             uint32_t elements);
void c_check_output(struct c_writer *w, size_t call, const struct result_output *output);

// c_stubs.c: stubs of the file, and what they do in a test
void c_write_stubs(const struct export_file *file, struct arena *arena, struct buf *out);
void c_write_scripts(struct c_writer *w);
void c_set_scripts(struct c_writer *w);
void c_check_calls(struct c_writer *w);

// c_test.c: up to the end of the body, without its closing brace
void c_write_test(struct c_writer *w, const char *requirement);

// c_suite.c: all files of an export
bool c_suite(const struct export_request *request, const struct c_dialect *dialect,
             struct export_tally *tally, struct error *err);

// tally.c
void tally_add(struct export_tally *tally, const struct export_test *test, struct arena *arena);

#endif
