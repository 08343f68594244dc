// SPDX-License-Identifier: Apache-2.0
// The interface of whatever proposes inputs (generators.def). The loop in campaign.c asks each for
// its status, the scheduler gives one a turn, and every execution is told to all of them.
#ifndef CZ_CAMPAIGN_GENERATOR_H
#define CZ_CAMPAIGN_GENERATOR_H

#include "exec/target.h"
#include "search/strategy.h"

struct campaign_state;

enum generator_id {
#define GENERATOR(name, share) GENERATOR_##name,
#include "campaign/generators.def"
#undef GENERATOR
    GENERATOR_COUNT
};

// Has it something to propose? Later ones go before earlier ones.
enum generator_status {
    GENERATOR_EXHAUSTED, // never again
    GENERATOR_WAITING,   // not now
    GENERATOR_AFTER,     // when the search is over; no budget but the clock limits these turns
    GENERATOR_STUCK,     // when nobody else gets on
    GENERATOR_READY,     // in turn, by gain per work
    GENERATOR_FIRST,     // before everything else: a short series of inputs
};

enum proposal_kind {
    PROPOSAL_NONE,   // there was nothing after all: somebody else may have the turn
    PROPOSAL_SPENT,  // it worked, but there is no input (no solution, for example)
    PROPOSAL_INPUT,  // run state->input
    PROPOSAL_FAILED, // the campaign ends; campaign->failure says why
};

struct proposal {
    enum proposal_kind kind;
    bool is_solved;          // for an edge of the execution tree:
    struct candidate chosen; // ... this one
    uint32_t parent;         // number in the corpus of what it was made from, or CORPUS_NONE
    bool outside_tree;       // its decisions do not become part of the execution tree
};
#define PROPOSE_NOTHING ((struct proposal){.kind = PROPOSAL_NONE})
#define PROPOSE_INPUT   ((struct proposal){.kind = PROPOSAL_INPUT, .parent = UINT32_MAX})

// What became of an input. Valid until the next execution.
struct execution {
    enum generator_id origin;
    const struct proposal *proposal;
    const struct wire_run *run;
    const struct wire_record *records; // of its decisions; NULL: they are damaged
    uint32_t record_count;
    uint32_t number; // in the corpus, or CORPUS_NONE
    uint64_t steps;  // repetitions included
    size_t items;    // new by the criterion
    size_t gain;     // all that it was worth: items, alarms, the first test that runs through
};

struct generator {
    const char *name;
    // Before the first execution and after the last; both NULL: it keeps nothing.
    void *(*create)(struct campaign_state *state);
    void (*destroy)(void *self, struct campaign_state *state);
    enum generator_status (*status)(void *self, struct campaign_state *state);
    // May ask the solver: the work is charged to it.
    struct proposal (*propose)(void *self, struct campaign_state *state);
    // After every execution, whoever proposed it; may be NULL.
    void (*learn)(void *self, struct campaign_state *state, const struct execution *execution);
};

// All of them, by enum generator_id.
extern const struct generator *const generators[GENERATOR_COUNT];

#define GENERATOR(name, share) extern const struct generator generate_##name;
#include "campaign/generators.def"
#undef GENERATOR

#endif
