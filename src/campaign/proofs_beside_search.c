// SPDX-License-Identifier: Apache-2.0
#include "campaign/proofs_beside_search.h"

#include "base/clock.h"
#include "base/tunables.h"
#include "unit/assumptions.h"

static void forget_dead_goals(struct campaign *c)
{
    for (uint32_t goal = 0; goal < 2 * c->coverage.program->branch_count; goal++)
        if (c->dead[goal])
            coverage_set_dead(&c->coverage, goal);
}

// First for every call with any memory, then, unless the search has explored all that, by the
// driver, with its assumptions and without. One process answers all of it; what is not wanted
// any more when it comes to that is not waited for.
static bool start(struct proofs_beside_search *proofs, const struct campaign_state *state)
{
    const struct campaign *c = state->campaign;
    struct unit *unit = state->request->unit;
    bool by_driver = !c->partial && !c->exhausted;
    bool assumes = by_driver && *assumptions_text(unit, state->request->task);
    // A handler may come at any time, which the function alone does not show.
    bool interrupted = unit->program.tasks[state->request->task].interrupted;
    proofs->process =
        proofs_start(state->request, (bool[PROOFS_STEPS]){!interrupted, by_driver, assumes});
    return proofs->process;
}

// Take over what is decided by `end`. True: everything that is wanted is.
static bool take(struct proofs *process, struct campaign_state *state, double end)
{
    struct campaign *c = state->campaign;
    size_t goals = 2 * c->coverage.program->branch_count;
    bool assumes = *assumptions_text(state->request->unit, state->request->task);
    if (!proofs_wait(process, PROOFS_FUNCTION, end))
        return false;
    const bool *always = proofs_dead(process, PROOFS_FUNCTION);
    for (size_t goal = 0; always && goal < goals; goal++)
        c->dead[goal] = c->dead_always[goal] = always[goal];
    forget_dead_goals(c);
    if (c->partial || c->exhausted || coverage_complete(&c->coverage))
        return true;
    // What is dead without assumptions, too, does not presume them: both, or none.
    if (!proofs_wait(process, assumes ? PROOFS_DRIVER_ALONE : PROOFS_DRIVER, end))
        return false;
    const bool *dead = proofs_dead(process, PROOFS_DRIVER);
    const bool *without = proofs_dead(process, PROOFS_DRIVER_ALONE);
    for (size_t goal = 0; dead && goal < goals; goal++) {
        c->assumed[goal] = assumes && dead[goal] && !(without && without[goal]) && !c->dead[goal];
        c->dead[goal] |= dead[goal];
    }
    forget_dead_goals(c);
    return true;
}

static bool are_wanted(const struct proofs_beside_search *proofs,
                       const struct campaign_state *state)
{
    struct coverage *coverage = &state->campaign->coverage;
    return !proofs->done && !state->request->options->no_proofs && !coverage_complete(coverage) &&
           !coverage_only_crashed(coverage);
}

// How long the search waits for them. Only where runs are to be reproducible as long as they need.
static double patience_of(const struct campaign_state *state)
{
    double share = state->request->seconds * TUNABLE_FRACTION(CAMPAIGN_PROOFS_SHARE_PERMILLE);
    if (state->request->options->iterations || !state->request->seconds)
        return CAMPAIGN_PROOFS_SECONDS;
    return share < CAMPAIGN_PROOFS_SECONDS ? share : CAMPAIGN_PROOFS_SECONDS;
}

// Those of a small task are waited for, since dead goals would be searched for in vain; those of
// a large one when nothing else gets on.
void proofs_beside_search(struct proofs_beside_search *proofs, struct campaign_state *state)
{
    const struct campaign *c = state->campaign;
    if (c->iterations < CAMPAIGN_PROOF_AFTER || !are_wanted(proofs, state))
        return;
    if (!proofs->process && !start(proofs, state)) {
        proofs->done = true;
        return;
    }
    if (c->coverage.goal_count > CAMPAIGN_PROOFS_LARGE &&
        campaign_idle(state) < CAMPAIGN_PROOFS_STANDSTILL)
        return;
    if (!proofs->wait_ended) {
        proofs->wait_ended = true;
        proofs->done = take(proofs->process, state, clock_now() + patience_of(state));
        proofs->hit_clock |= !proofs->done;
    } else if (!state->request->options->iterations) {
        proofs->done = take(proofs->process, state, 0); // the clock has decided anyway
    }
}

void proofs_after_search(struct proofs_beside_search *proofs, struct campaign_state *state)
{
    double seconds = state->request->seconds;
    if (are_wanted(proofs, state) && (proofs->process || start(proofs, state))) {
        double end = proofs_begin(proofs->process) + CAMPAIGN_PROOFS_SECONDS;
        if (seconds > 0 && end > state->start + seconds + OPTIONS_TIME_PROOFS)
            end = state->start + seconds + OPTIONS_TIME_PROOFS;
        proofs->done = take(proofs->process, state, end);
        state->campaign->proofs_cut = !proofs->done;
        proofs->hit_clock |= !proofs->done;
    }
    proofs_stop(proofs->process);
    proofs->process = NULL;
}
