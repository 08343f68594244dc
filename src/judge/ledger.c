// SPDX-License-Identifier: Apache-2.0
#include "judge/ledger.h"

#include "base/arena.h"
#include <assert.h>
#include <stdlib.h>

void ledger_init(struct ledger *ledger, size_t goal_count)
{
    *ledger = (struct ledger){.goal_count = goal_count};
    ledger->best = xcalloc(goal_count + 1, sizeof *ledger->best);
}

void ledger_release(struct ledger *ledger)
{
    VEC_RELEASE(&ledger->claims);
    VEC_RELEASE(&ledger->failures);
    free(ledger->best);
}

static bool presumes_less(const struct claim *a, const struct claim *b)
{
    return __builtin_popcount(a->presumes.kinds) < __builtin_popcount(b->presumes.kinds);
}

void ledger_add(struct ledger *ledger, const struct claim *claim)
{
    assert(claim->goal < ledger->goal_count && claim->proof != PROOF_NONE);
    assert(!claim->presumes.kinds == !claim->presumes.count);
    assert(claim->evidence && *claim->evidence);
    const struct claim *known = ledger_find(ledger, claim->goal);
    bool better = !known || presumes_less(claim, known);
    *VEC_PUSH(&ledger->claims) = *claim;
    if (better)
        ledger->best[claim->goal] = ledger->claims.count;
}

void ledger_fail(struct ledger *ledger, const char *what)
{
    *VEC_PUSH(&ledger->failures) = what;
}

const char *ledger_check(const struct ledger *ledger)
{
    for (size_t goal = 0; goal < ledger->goal_count; goal++)
        if (ledger->best[goal] > ledger->claims.count ||
            (ledger->best[goal] && ledger->claims.items[ledger->best[goal] - 1].goal != goal))
            return "the best claim about a goal is about another one";
    for (size_t i = 0; i < ledger->claims.count; i++) {
        const struct claim *claim = &ledger->claims.items[i];
        if (claim->goal >= ledger->goal_count || claim->proof == PROOF_NONE)
            return "a claim is about no goal, or has no proof";
        const struct claim *best = ledger_find(ledger, claim->goal);
        if (!best || presumes_less(claim, best))
            return "there is a better claim about a goal than the best one";
    }
    return NULL;
}

const struct claim *ledger_find(const struct ledger *ledger, size_t goal)
{
    assert(goal < ledger->goal_count);
    return ledger->best[goal] ? &ledger->claims.items[ledger->best[goal] - 1] : NULL;
}
