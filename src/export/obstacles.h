// SPDX-License-Identifier: Apache-2.0
// Why a test cannot be plain C, or does not pass as such.
#ifndef CZ_EXPORT_OBSTACLES_H
#define CZ_EXPORT_OBSTACLES_H

#include "export/test_model.h"

// The test cannot be written in C. The first reason counts; the text is the same for all tests
// that have it.
void obstacle_set(struct export_test *test, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// An input that only the driver can make. `known_call`: it belongs to a call of a stub that the
// test makes.
void obstacle_find_input(struct export_test *test, const struct input_path *path,
                         const struct result_input *input, bool known_call);

// What the finished model of a test shows, and the outcome of the test.
void obstacle_find(const struct result *result, const struct export_file *file,
                   struct export_test *test);

bool obstacle_keeps_state(const struct result *result, const struct result_task *task);

#endif
