// SPDX-License-Identifier: Apache-2.0
// Safety checks as goals of their own: every place and cause that a run met with operands
// that depend on inputs. Violations are hunted apart from the search for coverage, since
// nothing that is to be covered needs them. A place in a loop is met on every path, so
// attempts are ranked: everybody's first attempt comes before anybody's second.
#ifndef CZ_SEARCH_CHECK_HUNTS_H
#define CZ_SEARCH_CHECK_HUNTS_H

#include "base/map.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "search/strategy.h"

_Static_assert(SEARCH_HUNT_EAGER <= SEARCH_HUNT_RANKS, "eager ranks are some of all");

struct check_goal {
    uint32_t site, fault;
    uint32_t queued, tried; // attempts
    uint32_t refuted;       // the solver says no
    uint32_t failed;        // unknown, or the input went elsewhere
    bool violated;
    bool capped; // there were more than SEARCH_HUNTS
};

struct check_hunts {
    VEC(struct check_goal) goals; // in the order in which they were met
    struct map index;             // site and fault -> number
    struct hunt_queue {
        VEC(struct hunt) items;
        size_t next;
    } queues[SEARCH_HUNT_RANKS];
};
struct hunt {
    struct candidate candidate;
    uint32_t goal;
};

void check_hunts_init(struct check_hunts *hunts);
void check_hunts_release(struct check_hunts *hunts);
size_t check_hunts_bytes(const struct check_hunts *hunts);

struct check_goal *check_hunts_goal(struct check_hunts *hunts, uint32_t site, uint32_t fault);
bool check_hunts_want(const struct check_goal *goal); // another attempt
void check_hunts_add(struct check_hunts *hunts, struct check_goal *goal,
                     const struct candidate *candidate);
// The next attempt among the first `ranks` ranks whose goal is still open.
bool check_hunts_next(struct check_hunts *hunts, unsigned ranks, struct hunt *out);

// Is any attempt queued in these ranks? Its goal may be violated meanwhile.
bool check_hunts_has(const struct check_hunts *hunts, unsigned ranks);

// Was every violation that could be tried tried and refuted?
bool check_hunts_refuted(const struct check_goal *goal);

#endif
