// SPDX-License-Identifier: Apache-2.0
// The one coverage structure of a task (CAUT, section III): the goals of a criterion on
// the control-flow graph, what runs have evaluated (Eval), and what is covered by that
// (Cov). It steers the search: strategies ask it what is wanted, how far away it is and
// whether a path candidate can still add anything. What is reported comes from
// llvm-cov.
//
// Criteria. `statement`: every stretch of code of the task; whether it ran is inferred
// from the branch outcomes that did (statements.c). `branch`: both outcomes of every
// branch point. `mcdc`: branches, and for every condition of a decision with several a
// pair of vectors that shows it.
//
// What only runs that crashed have reached is covered, but stays wanted: a test that runs through
// is worth more. It is given up after some such runs (COVERAGE_CRASHES), or by coverage_resign.
//
// MC/DC by llvm-cov's rule: two vectors of a decision show condition i if its value and
// the decision's outcome differ while every other condition has equal values or is
// unevaluated in one of them. Under short-circuit evaluation this is unique-cause
// MC/DC: up to i both evaluations are the same, and an operand that is not evaluated
// has no value that could differ. Masking MC/DC also accepts other conditions that
// differ as long as i decides the outcome in both vectors.
#ifndef CZ_COVERAGE_H
#define CZ_COVERAGE_H

#include "base/map.h"
#include "base/vec.h"
#include "cfg/cfg.h"
#include "program/program.h"
#include "wire/wire.h"

enum criterion { CRITERION_STATEMENT, CRITERION_BRANCH, CRITERION_MCDC };
enum mcdc_rule { MCDC_LLVM, MCDC_MASKING, MCDC_UNIQUE_CAUSE };

// By name; false: there is none of that name.

struct decision_vector {
    uint32_t decision;
    bool outcome;
    bool ran; // in a run that did not crash
    uint64_t evaluated, values;
};

struct coverage {
    const struct program *program;
    const struct task *task;
    enum criterion criterion;
    enum mcdc_rule rule;
    bool *is_goal;    // [2 * branch + outcome]: belongs to the task
    bool *covered;    // [2 * branch + outcome]
    bool *ran;        // ... by a run that did not crash
    uint8_t *crashes; // runs that reached it and crashed, while none ran through
    bool has_crashed; // there are such goals or pairs, and they are wanted sooner or later
    bool through;     // what only such runs reach is wanted now ...
    bool resigned;    // ... or no longer at all
    bool *dead;       // proven unreachable
    bool *target;     // NULL, or the only goals that are wanted (directed search)
    size_t goal_count, covered_count, dead_count; // of the task
    bool *in_task;                                // per function
    VEC(struct decision_vector) vectors;          // distinct, of the task's decisions
    VEC(size_t) * by_decision;                    // indices in vectors
    bool *pair_shown;                             // per branch id of a decision with 2+ conditions
    bool *pair_ran;                               // ... by vectors of runs that did not crash
    bool *pair_coupled;                           // no state at all allows the pair (coupling.c)
    size_t pair_total, pair_count;

    // The graph, or NULL: then nothing is irrelevant.
    struct cfg *cfg;
    bool *executed;     // per node: inferred (statements.c)
    bool *is_statement; // per node: a statement of the task
    size_t statement_total, statement_count;
    // What is wanted, and how far from everywhere, as of the epoch `known`. In large
    // graphs that may be a few epochs ago: less is wanted from epoch to epoch, so what
    // was out of reach then still is (but see coverage_set_through).
    uint64_t epoch, known;
    uint64_t asked;          // questions since then that were answered from old distances
    uint64_t complete_known; // epoch of `complete`
    bool complete;
    bool *wanted_node;
    uint32_t *up, *down;
    size_t wanted_count; // goals, pairs and statements
    struct cfg_walk walk;
    struct map helpful; // partial vectors -> do they help, as of the epoch
    uint64_t helpful_known;
};

void coverage_init(struct coverage *coverage, const struct program *program, size_t task);
void coverage_release(struct coverage *coverage);

// The criterion and the graph, which must outlive the structure; before anything is
// added. Without it: MC/DC, no graph.
void coverage_use(struct coverage *coverage, enum criterion criterion, enum mcdc_rule rule,
                  struct cfg *cfg);

// The graph is gone.
void coverage_forget_graph(struct coverage *coverage);

// Want only this goal (and others that were given before).
void coverage_aim(struct coverage *coverage, uint32_t goal);

// What a run adds. `goals` are 2 * branch + outcome as the target reports them; the
// false outcomes of switch cases follow from the case that was taken. `items`: goals of
// the criterion (branches, pairs or statements).
// `ran`: goals and vectors that only crashed runs had before. `crashed`: this run crashed.
struct coverage_gain {
    size_t goals, vectors, pairs, statements, items, ran;
};
struct coverage_gain coverage_add(struct coverage *coverage, const uint32_t *goals,
                                  size_t goal_count, const struct wire_vector *vectors,
                                  size_t vector_count, bool crashed);

// Is all that is still wanted covered by runs that crashed? (Updates has_crashed.) Whether it is
// wanted just now: what nothing has reached comes first. Want it no longer.
bool coverage_only_crashed(struct coverage *coverage);
void coverage_set_through(struct coverage *coverage, bool through);
void coverage_resign(struct coverage *coverage);

// Goals that were proven unreachable since the last call are no longer wanted.
void coverage_set_dead(struct coverage *coverage, uint32_t goal);

// All goals that a run's hits stand for, sorted, without doubles and without goals
// of other tasks. Returns the count; `out` has room for 2 * branch_count.
size_t coverage_expand(const struct coverage *coverage, const uint32_t *goals, size_t goal_count,
                       uint32_t *out);

// Neither covered by a run that ran through, nor dead, nor given up.
bool coverage_wants(const struct coverage *coverage, uint32_t goal);
bool coverage_wants_pair(const struct coverage *coverage, size_t branch);
bool coverage_wants_decision(const struct coverage *coverage, size_t decision);
bool coverage_complete(struct coverage *coverage); // nothing is left to want

// What is wrong with the structure, or NULL (base/check.h).
const char *coverage_check(const struct coverage *coverage);

// Covered and possible items of the criterion, for statistics.
size_t coverage_items(const struct coverage *coverage, size_t *total);

// ---- mcdc.c ----

// Index of a vector in `vectors`, or SIZE_MAX.
size_t coverage_find_vector(const struct coverage *coverage, const struct wire_vector *vector);

// The pair of vectors that shows condition `branch`, if there is one; `prefer` marks
// vectors (by index) that are chosen already and is consulted first.
bool coverage_pair(const struct coverage *coverage, size_t branch, const bool *prefer,
                   size_t pair[2]);

// Can an evaluation that begins with these values of the decision's first conditions
// end in a vector that shows a condition for the first time, together with one that was
// seen? *target: such a vector.
bool coverage_vector_helps(struct coverage *coverage, const struct wire_vector *begun,
                           struct wire_vector *target);

// Internal to the folder.
bool mcdc_outcome(const struct decision *decision, uint64_t evaluated, uint64_t values,
                  bool *outcome);
bool mcdc_shows(const struct coverage *coverage, const struct decision_vector *a,
                const struct decision_vector *b, unsigned index);
void mcdc_add(struct coverage *coverage, const struct wire_vector *vector, bool crashed,
              struct coverage_gain *gain);
void mcdc_find_coupled(struct coverage *coverage); // coupling.c
size_t statements_infer(struct coverage *coverage, uint32_t goal);
void statements_init(struct coverage *coverage);

// ---- relevance.c ----

enum relevance { IRRELEVANT, MAY_RELEVANT, MUST_RELEVANT };

// Of a path candidate: the node that it arrives at (CFG_NONE: not known), the goal it
// hits there (or none: UINT32_MAX), and the evaluation it is in (decision CFG_NONE:
// none). Irrelevant is a proof: no path in the graph leads from there to anything
// wanted.
enum relevance coverage_relevance(struct coverage *coverage, uint32_t place, uint32_t goal,
                                  const struct wire_vector *begun);

// Branches to take from a node to the nearest wanted one, 0: it is wanted itself;
// CFG_FAR: there is none. An unknown node counts as far away, but possible.
uint32_t coverage_distance(struct coverage *coverage, uint32_t place);

// How many wanted goals lie within some levels of branch points below a node.
size_t coverage_potential(struct coverage *coverage, uint32_t place, unsigned levels);

#endif
