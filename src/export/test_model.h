// SPDX-License-Identifier: Apache-2.0
// A test in terms of C, which all writers of C tests share: objects to build, pointers between
// them, calls of the task with what comes before and behind each, and what stubs do in their
// calls. It is made from what the replay of the clean build saw (result_found, result_output);
// only what stubs return and write as scalars comes from the inputs.
//
// What plain C cannot bring about makes the test `disabled`, with a reason. Then it is not
// `expressible`, unless only its outcome stands against it (a crash): the body is written, too.
#ifndef CZ_EXPORT_TEST_MODEL_H
#define CZ_EXPORT_TEST_MODEL_H

#include "base/map.h"
#include "program/input_path.h"
#include "result/result.h"

struct export_value {   // of a member of an object
    const char *member; // ".next", "[3].c"; "" for a scalar
    const char *type, *value;
};
typedef VEC(struct export_value) export_values;

// Something that the driver made for a pointer.
struct export_object {
    const char *path; // of the pointer
    const char *name; // in C
    const char *type; // of an element; "": it has no type
    size_t elements, bytes;
    bool is_freed;  // by the code: it must come from malloc()
    bool is_static; // stubs refer to it: it lives outside of the test function
    export_values values;
};

struct export_argument {
    const struct result_declaration *declaration;
    const char *name; // in C, of a variable that holds it; NULL: it is passed as it is
    export_values values;
};

// A value of a variable, or of an object that was there before, set in front of a call.
struct export_change {
    const struct export_object *object; // or NULL
    const char *variable;
    struct export_value value;
};

struct export_call { // of the task
    struct export_argument *arguments;
    size_t argument_count;
    VEC(struct export_change) changes;
    VEC(const struct result_output *) checks; // behind it, stubs left out
};

struct export_stub { // of the file
    const struct result_declaration *declaration;
    const struct result_declaration **parameters;
    size_t parameter_count;
};

struct export_stub_call {
    size_t stub;     // index in the file's
    unsigned number; // in this test, from 1
    export_values returned;
    VEC(const struct result_input *) writes;
    VEC(const struct result_output *) checks; // of its arguments
};

struct export_test {
    const struct result_task *task;
    const struct result_test *test;
    const char *name;     // "pump_step_3"
    const char *key;      // the same in the next export if it has the same inputs
    const char *disabled; // why; NULL: it is not
    char reason[160];
    bool expressible;
    bool is_apart; // it needs a process of its own: static locals keep state
    VEC(struct export_object *) objects;
    VEC(struct export_call) calls;
    VEC(struct export_stub_call) stub_calls; // in their order
};

struct export_file { // a part of the result
    const struct result_part *part;
    const char *name; // "quickstart", for file names and identifiers
    struct export_stub *stubs;
    size_t stub_count;
    VEC(const struct result_declaration *) variables, definitions, linked, constants;
    VEC(struct export_test *) tests;
    struct map words; // type=value -> index in names of enumerators, plus one
    VEC(const char *) enumerators;
    struct map taken; // names that a test must not hide
};

struct export_model {
    struct arena arena;
    const struct result *result;
    VEC(struct export_file *) files;
};

void model_build(const struct result *result, struct export_model *out);
void model_release(struct export_model *model);

// The name of an enumerator with this value, or NULL.
const char *model_enumerator(const struct export_file *file, const char *type, const char *value);
const struct export_object *model_object(const struct export_test *test, const char *path);
// Where the value of a pointer leads, "-> arg:list + 8 bytes"; NULL: to no object or variable.
const char *model_target(const char *value, unsigned long *offset, struct arena *arena);
bool model_is_identifier(const char *text);

#endif
