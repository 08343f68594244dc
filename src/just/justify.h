// SPDX-License-Identifier: Apache-2.0
// Justifications and the goals of a result. A justification is laid over a goal; the verdicts of
// searches stay what they are, so that another justification needs no new search.
//
// One that no goal needs is a problem: the reader of a report must be able to rely on all of them.
//   stale         no goal of the file is written so (any more)
//   ambiguous     several are; a number must say which
//   repeated      a line before says the same
//   contradicted  a test covers the goal
//   unused        the goal is proven infeasible
// One that names a file which the run did not test says nothing about it, and is no problem.
#ifndef CZ_JUST_JUSTIFY_H
#define CZ_JUST_JUSTIFY_H

#include "just/justifications.h"
#include "result/result.h"

// Lay the justifications over the goals of the parts that keep them in list->path, and take away
// what those had before. The caller aggregates the result.
void justify_apply(const struct justifications *list, struct result *result);

// From now on the parts of the result keep their justifications in this file, or in none (NULL).
void justify_keep_in(struct result *result, const char *path);

// What is wrong with justifications: "cadenza.just:12: stale: ...".
struct just_problems {
    struct arena arena; // of the texts
    VEC(const char *) items;
};
void just_problems_init(struct just_problems *problems);
void just_problems_release(struct just_problems *problems);

// Adds what is wrong. The result is aggregated.
void justify_check(const struct justifications *list, const struct result *result,
                   struct just_problems *problems);

// All parts of a result, by the files that they name: checks, and with `again` reads and applies
// them anew first (a file that is gone changes nothing), and aggregates. False: a file cannot be
// read.
bool justify_result(struct result *result, bool again, struct just_problems *problems,
                    struct error *err);

// What would justify this goal; the texts belong to the result, but author, date and reason are
// left out.
struct justification justification_of_goal(const struct result *result, size_t goal);

#endif
