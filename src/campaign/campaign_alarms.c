// SPDX-License-Identifier: Apache-2.0
// After the search: numbers at the ends of their ranges, in which alarms lie that no branch
// leads to; and for every alarm the simplest input, what matters in it, and the way there.
#include "campaign/campaign_internal.h"

#include "campaign/alarm_causes.h"
#include "program/faults.h"
#include "campaign/shrink.h"
#include "program/places.h"
#include <stdlib.h>
#include <string.h>

enum {
    EXTREMES = 300,          // executions with numbers at the ends of their ranges
    EXTREME_STEPS = 4000000, // of all of them
};

// ---- extremes ----

struct effort {
    unsigned runs;
    uint64_t steps;
};

// Put the number at a place of the test's input and run it.
static bool run_with(struct loop *loop, const struct kept_test *test,
                     const struct wire_place *place, uint64_t value, struct effort *left)
{
    size_t size = places_element_size(place), gain;
    struct campaign_records records;
    const struct wire_run *run = target_result(loop->request->target, 0);
    buf_clear(&loop->input);
    buf_add(&loop->input, test->input, test->input_size);
    while (loop->input.length < place->offset + size)
        buf_putc(&loop->input, 0);
    memcpy(loop->input.data + place->offset, &value, size);
    left->runs--;
    do {
        if (!campaign_run_input(loop, &gain, &records))
            return false;
        left->steps -= run->steps < left->steps ? run->steps : left->steps;
    } while (step_budget_learn(&loop->steps, run));
    return true;
}

// Set every number of the input to a value at an end of its range, one at a time, or to one
// that is too large for a byte or two. What the solver finds is just enough to take a branch;
// loops that go wrong only after many turns, and sums that overflow, want large numbers.
static bool run_extremes(struct loop *loop, const struct kept_test *test, struct effort *left)
{
    for (size_t u = 0; u < test->use_count; u++) {
        struct places places;
        places_view(&places, target_wire(loop->request->target));
        struct wire_place place = places.table[test->uses[u]];
        size_t size = places_element_size(&place);
        if ((place.type != WIRE_T_SIGNED && place.type != WIRE_T_UNSIGNED) || size > 8 ||
            place.count > 1)
            continue;
        uint64_t top = 1ull << (8 * size - 1);
        const uint64_t values[] = {256, 65536, top - 1, top, UINT64_MAX};
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            if (k < 2 && values[k] >= top)
                continue;
            if (!left->runs || !left->steps || campaign_budget_ended(loop))
                return true;
            if (!run_with(loop, test, &place, values[k], left))
                return false;
        }
    }
    return true;
}

// When every path is known, so is what lies on it. The runs are not part of the tree, which
// is over.
void campaign_stress(struct loop *loop)
{
    struct campaign *c = loop->campaign;
    if (explorer_exhausted(loop->explorer))
        return;
    struct effort left = {EXTREMES, EXTREME_STEPS};
    enum campaign_end end = c->end;
    for (size_t i = 0; i < c->kept.count && left.runs && left.steps && !campaign_budget_ended(loop);
         i++) {
        struct kept_test test = c->kept.items[i];
        if (test.status == WIRE_OK && !run_extremes(loop, &test, &left)) {
            end = CAMPAIGN_FAILED;
            break;
        }
    }
    c->end = end;
}

// ---- alarms ----

// The branch outcomes that the last run of the target, with WIRE_TRACE_ALL, went through.
static void note_way(struct loop *loop, struct kept_test *test)
{
    struct campaign *c = loop->campaign;
    const struct wire_header *wire = target_wire(loop->request->target);
    const struct wire_run *run = target_result(loop->request->target, 0);
    const struct wire_record *records =
        campaign_area(loop, &wire->records, run->first_record, sizeof *records);
    size_t goals = 2 * c->coverage.program->branch_count;
    struct way_step *way = arena_array(&c->arena, struct way_step, goals + 1);
    uint32_t *at = xcalloc(goals + 1, sizeof *at); // index + 1
    for (uint32_t i = 0; i < run->record_count; i++) {
        const struct wire_record *r = &records[i];
        if (r->kind != WIRE_COND && r->kind != WIRE_SWITCH)
            continue;
        size_t goal = r->kind == WIRE_COND ? 2 * (size_t)r->site + (r->outcome & 1)
                                           : 2 * (size_t)r->outcome + 1;
        if (goal >= goals)
            continue;
        if (!at[goal]) {
            way[test->way_count].goal = (uint32_t)goal;
            at[goal] = (uint32_t)++test->way_count;
        }
        way[at[goal] - 1].times++;
    }
    test->way = way;
    free(at);
}

static bool run_once(struct loop *loop, const struct kept_test *test, const struct buf *input,
                     uint32_t flags)
{
    struct target *target = loop->request->target;
    struct error ignored = {0};
    target_set_steps(target, test->steps);
    uint32_t all_steps = campaign_wants_steps(loop) ? WIRE_ALL_STEPS : 0;
    target_begin(target, (uint32_t)loop->request->task, WIRE_CONCOLIC | all_steps | flags);
    return target_add(target, input->data, input->length) && target_run(target, &ignored) &&
           shrink_shows(target_result(target, 0), test->fault, test->fault_site,
                        test->status != WIRE_FAULT);
}

// The test that found an alarm gives way to the simplest one. It stays, for its goals.
static void simplify(struct loop *loop, size_t index)
{
    struct campaign *c = loop->campaign;
    struct kept_test found = c->kept.items[index];
    struct shrink_request request = {loop->request->target, (uint32_t)loop->request->task,
                                     found.steps,           found.fault,
                                     found.fault_site,      found.status != WIRE_FAULT};
    struct buf input = BUF_INIT, matters = BUF_INIT;
    struct error ignored = {0};
    buf_add(&input, found.input, found.input_size);
    if (shrink_alarm(&request, &input, &matters, &ignored) && run_once(loop, &found, &input, 0)) {
        campaign_keep(loop, target_result(loop->request->target, 0),
                      &(struct wire_soft){found.fault, found.fault_site});
        struct kept_test *simple = &c->kept.items[c->kept.count - 1];
        simple->matters = arena_strdup(&c->arena, buf_text(&matters));
        simple->candidates = found.candidates;
        simple->guards = found.guards;
        causes_finish(loop->request, &c->arena, simple);
        c->kept.items[index].first_of_alarm = false;
        if (run_once(loop, &found, &input, WIRE_TRACE_ALL))
            note_way(loop, simple);
    }
    buf_release(&input);
    buf_release(&matters);
}

// A test that ends in another fault, while one of the same alarm does not.
static bool is_second_choice(const struct loop *loop, const struct kept_test *test)
{
    uint64_t key = (uint64_t)test->fault << 32 | test->fault_site;
    return fault_is_soft(test->fault) && test->status == WIRE_FAULT &&
           map_get(&loop->alarms, key, NULL);
}

void campaign_simplify(struct loop *loop)
{
    size_t count = loop->campaign->kept.count;
    for (size_t i = 0; i < count; i++) {
        struct kept_test *test = &loop->campaign->kept.items[i];
        if (!test->first_of_alarm)
            continue;
        if (is_second_choice(loop, test))
            test->first_of_alarm = false;
        else
            simplify(loop, i);
    }
}
