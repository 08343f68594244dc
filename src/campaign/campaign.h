// SPDX-License-Identifier: Apache-2.0
// The search for one task: run, absorb, choose, solve, run again, until all goals
// are reached or proven dead, the tree is exhausted, or a budget ends. Keeps the
// runs that add a goal or a decision vector.
#ifndef CZ_CAMPAIGN_CAMPAIGN_H
#define CZ_CAMPAIGN_CAMPAIGN_H

#include "coverage/coverage.h"
#include "unit/unit.h"
#include "exec/target.h"
#include "expr/expr.h"
#include "inputs/bound_growth.h"
#include "inputs/seeds.h"
#include "solver/solver.h"

// A run worth keeping.
struct kept_test {
    const uint8_t *input;
    size_t input_size;
    const uint32_t *uses; // places that it asked for, in order
    size_t use_count;
    const uint32_t *goals; // all goals that it reaches, sorted
    size_t goal_count;
    const uint32_t *vectors; // indices in coverage.vectors
    size_t vector_count;
    uint32_t status, fault, fault_site; // fault: also one after which the run went on
    bool leaves;         // the run ended inside the task: exit, a stub that never returns
    bool at_bound;       // its end left an object that --elements had sized
    bool first_of_alarm; // stands for this fault at this place
    uint64_t steps;      // budget of the run
    // Of such a test, which is the simplest one: the paths of the inputs that matter, a line
    // each, and the goals on its way in the order of their first execution.
    const char *matters;
    const struct way_step *way;
    size_t way_count;
    const char *text;       // as a test file, or NULL (see campaign_request.render)
    const char *candidates; // first_of_alarm: preconditions that may rule it out, one per line
    const char *guards;     // ... and cases in which they need not hold (see alarm_causes.h)
};

struct way_step {
    uint32_t goal, times;
};

// A check that depended on inputs when it was met (search/check_hunts.h).
struct campaign_check {
    uint32_t site, fault;
    uint32_t tried;
    bool violated, refuted; // refuted: on every path on which it was met
    bool implied;           // ... by what the path decided before: there was nothing to try
};

enum campaign_end {
    CAMPAIGN_COMPLETE,  // every goal reached or proven dead
    CAMPAIGN_EXHAUSTED, // every path explored
    CAMPAIGN_TIME,
    CAMPAIGN_ITERATIONS,
    CAMPAIGN_PATIENCE,
    CAMPAIGN_GAVE_UP, // no open branch left, but some were given up
    CAMPAIGN_MEMORY,
    CAMPAIGN_INTERRUPTED,
    CAMPAIGN_FAILED, // the target could not be run
};

// Coverage after an iteration that added to it, and at the end.
struct campaign_sample {
    uint64_t iteration, queries;
    double seconds;
    uint32_t branches, conditions, statements;
};

struct campaign {
    struct arena arena;
    struct coverage coverage;
    VEC(struct kept_test) kept;
    VEC(struct campaign_check) checks;
    bool every_path; // all were followed, nothing was lost: what was refuted is safe
    // All paths were explored, within bounds (losses of class BOUND) and as far as executions
    // without a fault lead: uncovered goals are infeasible, see judge/standing.h.
    uint64_t violations; // executions that went on behind a violated check
    enum campaign_end end;
    bool exhausted;
    bool partial; // the driver leaves out inputs: no proofs by its means
    uint32_t
        can_grow; // bounds (1u << enum bound_id) whose largest value was not explored to the end
    uint32_t explored[BOUND_COUNT]; // bounds of the largest search that was; 0: where they start
    uint64_t unexplained_faults; // that ended a run and are no alarm because nobody asked for them
    bool reproducible;
    bool proofs_cut;    // the optimiser's proofs did not end in time
    bool *dead;         // goals proven dead by the optimiser ...
    bool *dead_always;  // ... for every call with any memory
    bool *assumed;      // ... only because assumptions hold
    bool *behind_fault; // goals that the graph can reach from where undefined behaviour was seen
    uint64_t iterations, runs, queries, sat, unsat, unknown, divergences, faults, cut_off;
    uint64_t open_ends; // executions that went beyond an array of unknown length
    uint64_t losses[WIRE_LOSS_COUNT];
    uint64_t rejected;          // executions in which an assumption did not hold
    uint64_t filtered, dropped; // candidates
    uint64_t vector_queries;    // for exactly the missing vector of a decision
    VEC(struct campaign_sample) samples;
    double seconds, solver_seconds, choosing_seconds;
    struct solver_counts layers[SOLVER_LAYER_COUNT];
    uint64_t slow_queries;
    unsigned restarts; // of the target
    unsigned spoilt;   // executions that overwrote the memory they share with the engine
    struct error failure;
};

struct campaign_request {
    struct unit *unit;
    size_t task;
    struct target *target;
    const struct options *options;
    double start;              // of the task's time, by the clock
    double seconds;            // of the search, in place of --time; 0: no limit
    const struct seeds *seeds; // inputs that run first, or NULL
    // Called now and then with the state so far, for a progress line; may be NULL.
    void (*progress)(const struct campaign *campaign, void *context);
    // Called once, with the first test that was kept; may be NULL.
    void (*first_kept)(const struct kept_test *test, void *context);
    void *context;
};

void campaign_run(const struct campaign_request *request, struct campaign *campaign);
void campaign_release(struct campaign *campaign);

// "--time ended after 60 s", "--patience ended ..." for verdicts.
const char *campaign_end_text(const struct campaign *campaign, const struct options *options,
                              struct arena *arena);

#endif
