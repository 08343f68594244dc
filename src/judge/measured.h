// SPDX-License-Identifier: Apache-2.0
// What llvm-cov measured on the clean build, entered into the result: goals, verdicts of goals that
// are covered, lines.
#ifndef CZ_JUDGE_MEASURED_H
#define CZ_JUDGE_MEASURED_H

#include "replay/coverage_export.h"
#include "result/result.h"

// Functions and goals from a (zero) coverage of unit.i that was matched to the program.
// Only functions of the unit's texts count; others belong to the driver.
void measured_set_goals(struct result *result, const struct program *program,
                        const struct llvmcov *coverage);

// Apply the replayed coverage of the task's tests. What llvm-cov saw is covered, by the first
// test that the engine names for it (the first two for a condition); where the engine's
// tests claim a goal that llvm-cov does not show, or no test claims one that it shows,
// that is a disagreement. llvm-cov computes some counts from others and takes every call
// for one that returns, so it counts goals behind a call of exit() and behind a crash: in a
// task whose tests end so, what only llvm-cov sees is not covered. Returns how many covered
// branch goals have no test yet: replay tests apart and call measured_attribute until none is
// left.
size_t measured_cover(struct result *result, struct result_task *task,
                      const struct llvmcov *coverage);
// Coverage of one single test: goals still without a test get this one. Returns how
// many remain without.
size_t measured_attribute(struct result *result, struct result_task *task, struct result_test *test,
                          const struct llvmcov *coverage);
// How many of them this coverage shows.
size_t measured_unattributed(const struct result *result, const struct result_task *task,
                             const struct llvmcov *coverage);
// In a task some of whose tests ended early they are covered only if those show them that
// ended well although the engine stopped them; NULL: there are none.
void measured_drop_phantoms(struct result *result, struct result_task *task,
                            const struct llvmcov *ended_well);

// The merged coverage of all tasks' tests: an MC/DC pair may need tests of two tasks, and
// is then covered for the file though not for a task.
void measured_cover_total(struct result *result, const struct llvmcov *coverage);

// Lines of the task's functions in the tested file. `lines` is the coverage of the original
// build, or NULL: then `unit`'s lines are mapped back.
void measured_set_task_lines(struct result *result, struct result_task *task,
                             const struct program *program, const struct llvmcov *lines,
                             const struct llvmcov *unit);
void measured_set_total_lines(struct result *result, const struct program *program,
                              const struct llvmcov *lines, const struct llvmcov *unit);

size_t measured_conditions_of(const struct llvmcov_function *function); // in all its decisions

#endif
