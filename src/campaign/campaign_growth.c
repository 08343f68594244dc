// SPDX-License-Identifier: Apache-2.0
// More calls of a task that keeps state (growth.h): a tree of its own for every number of
// calls, begun with tests that were kept, each with one more call.
#include "campaign/campaign_internal.h"

#include "program/faults.h"
#include "program/places.h"

enum {
    GROWN_TESTS = 8, // kept tests that get one more call when the number of calls grows
};

// A test that was kept, with one more call: its inputs are zero, then those of the call
// before, then all calls have those.
static bool run_grown(struct loop *loop, struct kept_test test, struct places_index *index)
{
    const struct wire_header *wire = target_wire(loop->request->target);
    struct places places;
    buf_clear(&loop->input);
    buf_add(&loop->input, test.input, test.input_size);
    places_view(&places, wire);
    places_index_update(index, &places);
    unsigned last = call_growth_apply(&loop->growth, &places, index, &loop->input);
    if (!last)
        return true;
    if (!campaign_execute(loop, NULL))
        return false;
    places_view(&places, wire);
    places_index_update(index, &places);
    const struct wire_run *run = target_result(loop->request->target, 0);
    const uint32_t *uses = campaign_area(loop, &wire->uses, run->first_use, sizeof *uses);
    struct call_growth_run grown = {
        last, &places, index,
        campaign_copy(&loop->campaign->arena, uses, run->use_count * sizeof *uses), run->use_count};
    for (int all = 0; all < 2; all++)
        if (call_growth_repeat(&loop->growth, &grown, all, &loop->input) &&
            !campaign_execute(loop, NULL))
            return false;
    return true;
}

bool campaign_list_checks(struct loop *loop)
{
    bool all_refuted = true, is_first = loop->explorer == &loop->first;
    for (size_t i = 0; i < loop->explorer->hunts.goals.count; i++) {
        const struct check_goal *goal = &loop->explorer->hunts.goals.items[i];
        struct campaign_check check = {.site = goal->site,
                                       .fault = goal->fault,
                                       .tried = goal->tried,
                                       .violated = goal->violated,
                                       .implied = !goal->queued && !goal->capped,
                                       .refuted = is_first && check_hunts_refuted(goal)};
        *VEC_PUSH(&loop->campaign->checks) = check;
        all_refuted &= check.refuted || !fault_is_soft(check.fault);
    }
    return all_refuted;
}

void campaign_leave_grown(struct loop *loop)
{
    if (loop->explorer == &loop->first)
        return;
    campaign_list_checks(loop);
    loop->first.divergences += loop->grown.divergences;
    loop->first.violations += loop->grown.violations;
    loop->first.choosing += loop->grown.choosing;
    loop->first.forked |= loop->grown.forked;
    explorer_release(&loop->grown);
    loop->explorer = &loop->first;
}

void campaign_note_calls(struct loop *loop)
{
    if (call_growth_is_most(&loop->growth) && explorer_exhausted(loop->explorer))
        loop->most_calls_explored = true;
}

bool campaign_grow(struct loop *loop)
{
    campaign_note_calls(loop);
    struct campaign *c = loop->campaign;
    struct places_index index;
    size_t count = c->kept.count, first = count > GROWN_TESTS ? count - GROWN_TESTS : 0;
    bool good = true, more = call_growth_next(&loop->growth);
    campaign_leave_grown(loop);
    if (!more)
        return true;
    loop->explorer = &loop->grown;
    explorer_init(loop->explorer, &loop->request->unit->program, &c->coverage, loop->pool,
                  &loop->how);
    places_index_init(&index);
    for (size_t i = first; good && i < count; i++)
        if (c->kept.items[i].status == WIRE_OK)
            good = run_grown(loop, c->kept.items[i], &index);
    places_index_release(&index);
    loop->growth.since = c->iterations;
    return good;
}
