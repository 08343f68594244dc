// SPDX-License-Identifier: Apache-2.0
// What the files of a search share: campaign.c chooses and solves, campaign_execute.c runs,
// campaign_growth.c adds calls, campaign_alarms.c makes the most of what went wrong.
#ifndef CZ_CAMPAIGN_CAMPAIGN_INTERNAL_H
#define CZ_CAMPAIGN_CAMPAIGN_INTERNAL_H

#include "campaign/campaign.h"
#include "campaign/call_growth.h"
#include "campaign/step_budget.h"
#include "search/explorer.h"
#include "trace/trace.h"

struct stored_input {
    const uint8_t *bytes;
    size_t size;
};

struct loop {
    const struct campaign_request *request;
    struct campaign *campaign;
    struct expr_pool *pool;
    struct trace_decoder decoder;
    struct solver *solver;
    struct explorer first, grown; // of the first number of calls and of more, see call_growth.h
    struct explorer *explorer;    // the one in use
    VEC(struct stored_input) inputs;
    struct map alarms; // fault and site seen
    struct buf input;  // the next input
    struct cfg *cfg;
    uint32_t *goals; // scratch
    struct step_budget steps;
    struct call_growth growth;
    struct explorer_options how;
    double start;
    uint64_t last_gain, last_queries; // iteration of the last gain, queries until then
    uint64_t last_new;                // ... that was more than a test that runs through
    uint64_t ran_dry;                 // last_new + 1 when there was nothing else to try
    uint64_t aim_epoch;
    bool only_crashed;  // coverage_only_crashed() at that epoch
    size_t input_bytes; // of `inputs`
    size_t resident;    // memory of the process at the start
    uint64_t relieved;  // step at which memory was last freed, or 0
    struct solver_options solver_limits;
    bool memory_decided;    // what the system says of memory changed the search
    uint32_t parent;        // number of the input that the next one was made from
    struct proofs *proofs;  // NULL before they are asked for
    bool proofs_done;       // all that was wanted is decided, or nothing is wanted
    bool proofs_wait_ended; // they are not waited for any more before the end of the search
    bool proofs_hit_clock, solver_hit_clock;
    bool most_calls_explored; // to the end
    bool hurry;               // hard queries are postponed
    unsigned fork_checks;     // executions repeated since one took another way than those before it
    bool not_deterministic;
    bool kept_clean;       // a test that neither crashes nor is cut off
    struct buf stumbled;   // input of the last run that ended at a NULL pointer ...
    uint32_t stumble;      // ... offset of its shape, plus one; 0: none (campaign_null_chains.c)
    uint64_t next_attempt; // to get through, after so many runs
};

// campaign_execute.c

// Items of an area of the target's memory, from number `first` on.
const void *campaign_area(const struct loop *loop, const struct wire_area *which, uint32_t first,
                          size_t size);
// Keep the run. `alarm`: what it stands for, or NULL.
void campaign_keep(struct loop *loop, const struct wire_run *run, const struct wire_soft *alarm);
// Run loop->input, count what it covers, keep what is worth it. The records (items NULL: they
// are damaged) live until the next run. False: the target failed.
struct campaign_records {
    const struct wire_record *items;
    uint32_t count;
};
bool campaign_run_input(struct loop *loop, size_t *gain, struct campaign_records *records);
// Run loop->input, which was made for `chosen` (or NULL), and take in what happened.
bool campaign_execute(struct loop *loop, const struct candidate *chosen);
void campaign_sample(struct loop *loop); // the coverage now
void *campaign_copy(struct arena *arena, const void *from, size_t size);

// campaign_null_chains.c
void campaign_note_stumble(struct loop *loop, const struct wire_run *run);
bool campaign_get_through(struct loop *loop); // false: the target failed
// campaign_growth.c

void campaign_note_calls(struct loop *loop);  // was the tree of the most calls explored?
bool campaign_grow(struct loop *loop);        // the next number of calls; false: the target failed
void campaign_leave_grown(struct loop *loop); // back to the first number
// What the search knows of the checks. A refutation is for one number of calls only. Were all
// refuted?
bool campaign_list_checks(struct loop *loop);

// campaign.c

bool campaign_budget_ended(struct loop *loop); // sets campaign->end
bool campaign_wants_steps(const struct loop *loop);

// campaign_alarms.c
void campaign_stress(struct loop *loop);   // after the search: extreme numbers
void campaign_simplify(struct loop *loop); // the simplest test of each alarm

#endif
