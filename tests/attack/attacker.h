// SPDX-License-Identifier: Apache-2.0
// One attack on one unit.
#ifndef ATTACK_ATTACKER_H
#define ATTACK_ATTACKER_H

#include "base/buf.h"
#include "builds.h"
#include "claims.h"

enum count {
#define COUNT(name, word) COUNT_##name,
#include "counts.def"
#undef COUNT
    COUNT_COUNT
};

struct attack {
    const char *directory, *cadenza;
    unsigned long long seed;
    unsigned iterations; // of each function in each plain build
    struct claims claims;
    struct builds builds;
    struct buf sources; // the text of sources.txt
    unsigned counts[COUNT_COUNT];
    unsigned reports;    // of sanitizers in the last run, see refute.c
    struct buf findings; // text, a paragraph for each
};

// The number of the function in the caller's table, or -1.
int attack_task(const char *function);
// Do the marks of a task hold what the claim speaks of? `features` are those that it took.
bool attack_saw(const struct attack *attack, const struct claim *claim, unsigned task,
                unsigned *features);

// The sources of a function, " a b\n" ..., from sources.txt; NULL if it has none.
const char *attack_sources(const struct attack *attack, const char *task);
// Is there one among them whose effect differs from build to build? Addresses do, and values
// that nobody set.
bool attack_varies(const struct attack *attack, const char *task);

bool refute_claims(struct attack *attack, struct error *err);
bool confirm_covered(struct attack *attack, struct error *err);
bool confirm_independently(struct attack *attack, struct error *err);
bool confirm_alarms(struct attack *attack, struct error *err);

#endif
