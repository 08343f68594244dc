// SPDX-License-Identifier: Apache-2.0
#ifndef CZ_RESULT_INTERNAL_H
#define CZ_RESULT_INTERNAL_H

#include "result/result.h"

// The engine and the clean build do not say the same about a goal of this task.
void result_disagree(struct result *result, const struct result_task *task, size_t goal,
                     const char *what);

size_t result_conditions_of(const struct llvmcov_function *function); // in all its decisions

#endif
