// SPDX-License-Identifier: Apache-2.0
#include "campaign/alarm_tests.h"

#include "campaign/alarm_causes.h"
#include "inputs/shrink.h"
#include "program/faults.h"
#include <stdlib.h>

// The branch outcomes that the last run of the target, with WIRE_TRACE_ALL, went through.
static void note_way(const struct campaign_state *state, struct kept_test *test)
{
    struct campaign *c = state->campaign;
    const struct wire_header *wire = target_wire(state->request->target);
    const struct wire_run *run = target_result(state->request->target, 0);
    const struct wire_record *records =
        executor_area(state, &wire->records, run->first_record, sizeof *records);
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

static bool run_once(const struct campaign_request *request, const struct kept_test *test,
                     const struct buf *input, uint32_t flags)
{
    struct target *target = request->target;
    struct error ignored = {0};
    target_set_steps(target, test->steps);
    target_begin(target, (uint32_t)request->task, executor_flags(request) | flags);
    return target_add(target, input->data, input->length) && target_run(target, &ignored) &&
           shrink_shows(target_result(target, 0), test->fault, test->fault_site,
                        test->status != WIRE_FAULT);
}

// The test that found an alarm gives way to the simplest one. It stays, for its goals.
static void simplify(struct executor *executor, size_t index)
{
    const struct campaign_request *request = executor->state->request;
    struct campaign *c = executor->state->campaign;
    struct kept_test found = c->kept.items[index];
    struct shrink_request wanted = {request->target,  (uint32_t)request->task,
                                    found.steps,      found.fault,
                                    found.fault_site, found.status != WIRE_FAULT};
    struct buf input = BUF_INIT, matters = BUF_INIT;
    struct error ignored = {0};
    buf_add(&input, found.input, found.input_size);
    if (shrink_alarm(&wanted, &input, &matters, &ignored) && run_once(request, &found, &input, 0)) {
        struct execution simpler = {.origin = GENERATOR_COUNT, .number = CORPUS_NONE};
        executor_keep(executor, target_result(request->target, 0), &simpler,
                      &(struct wire_soft){found.fault, found.fault_site});
        struct kept_test *simple = &c->kept.items[c->kept.count - 1];
        simple->matters = arena_strdup(&c->arena, buf_text(&matters));
        simple->candidates = found.candidates;
        simple->guards = found.guards;
        causes_finish(request, &c->arena, simple);
        c->kept.items[index].first_of_alarm = false;
        if (run_once(request, &found, &input, WIRE_TRACE_ALL))
            note_way(executor->state, simple);
    }
    buf_release(&input);
    buf_release(&matters);
}

// A test that ends in another fault, while one of the same alarm does not.
static bool is_second_choice(const struct executor *executor, const struct kept_test *test)
{
    return fault_is_soft(test->fault) && test->status == WIRE_FAULT &&
           executor_saw_alarm(executor, test->fault, test->fault_site);
}

void alarm_tests_simplify(struct executor *executor)
{
    struct campaign *c = executor->state->campaign;
    size_t count = c->kept.count;
    for (size_t i = 0; i < count; i++) {
        struct kept_test *test = &c->kept.items[i];
        if (!test->first_of_alarm)
            continue;
        if (is_second_choice(executor, test))
            test->first_of_alarm = false;
        else
            simplify(executor, i);
    }
}
