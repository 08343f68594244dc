// SPDX-License-Identifier: Apache-2.0
#include "campaign/conclusion.h"

#include "program/faults.h"
#include "program/losses.h"
#include <string.h>

// A volatile pointer may change between two reads, which the driver does not do; other
// volatile variables are inputs at each read.
static bool may_change(const struct variable *variable)
{
    const struct type *type = variable->type;
    while (type->kind == TYPE_ARRAY)
        type = type->target;
    return variable->is_volatile && type->kind != TYPE_INT && type->kind != TYPE_BOOL &&
           type->kind != TYPE_ENUM && type->kind != TYPE_FLOAT;
}

bool conclusion_driver_is_partial(const struct campaign_request *request)
{
    const struct unit *unit = request->unit;
    const struct program *program = &unit->program;
    const struct task *task = &program->tasks[request->task];
    for (size_t i = 0; i < task->global_count; i++)
        if (may_change(&program->variables[task->globals[i]]))
            return true;
    for (size_t i = 0; i < unit->note_count; i++)
        if (unit->notes[i].task == request->task && unit->notes[i].kind == NOTE_PARTIAL)
            return true;
    for (size_t i = 0; i < unit->hardware.use_count; i++)
        if (unit->hardware.uses[i].partial &&
            unit_left_out(request->unit, task, &unit->hardware.uses[i]))
            return true;
    return false;
}

static bool counts_calls(const struct campaign_request *request)
{
    for (size_t i = 0; i < request->unit->note_count; i++)
        if (request->unit->notes[i].task == request->task &&
            request->unit->notes[i].kind == NOTE_CALLS)
            return true;
    return false;
}

struct reached {
    const struct cfg *cfg;
    bool *goals;
};

static void mark_goal(uint32_t node, unsigned level, void *context)
{
    struct reached *reached = context;
    (void)level;
    if (reached->cfg->nodes[node].kind == CFG_OUTCOME)
        reached->goals[reached->cfg->nodes[node].subject] = true;
}

// Marks the goals that can be reached from the line of a site. False: the graph has no such line.
static bool mark_behind(const struct campaign_state *state, uint32_t site)
{
    const struct instrument_result *instrumented = &state->request->unit->instrumented;
    const struct cfg *cfg = state->cfg;
    struct reached reached = {cfg, state->campaign->behind_fault};
    bool found = false;
    if (!cfg || !site || site >= instrumented->site_count)
        return false;
    for (size_t i = 0; i < cfg->line_count; i++) {
        const struct cfg_line *line = &cfg->lines[i];
        if (line->line != instrumented->sites[site].line ||
            line->text != instrumented->sites[site].text)
            continue;
        cfg_walk_down(cfg, &state->campaign->coverage.walk, line->node, UINT32_MAX, mark_goal,
                      &reached);
        found = true;
    }
    return found;
}

// Where undefined behaviour was seen, an execution can go on to what the graph reaches from there.
static void find_goals_behind_faults(struct campaign_state *state)
{
    struct campaign *c = state->campaign;
    bool all = c->unexplained_faults > 0;
    for (size_t i = 0; i < c->kept.count && !all; i++)
        if (c->kept.items[i].first_of_alarm && fault_hides_paths(c->kept.items[i].fault))
            all = !mark_behind(state, c->kept.items[i].fault_site);
    if (all)
        memset(c->behind_fault, true, 2 * c->coverage.program->branch_count * sizeof(bool));
}

bool conclusion_list_checks(struct campaign_state *state, const struct explorer *explorer,
                            bool refutes)
{
    bool all_refuted = true;
    for (size_t i = 0; i < explorer->hunts.goals.count; i++) {
        const struct check_goal *goal = &explorer->hunts.goals.items[i];
        struct campaign_check check = {.site = goal->site,
                                       .fault = goal->fault,
                                       .tried = goal->tried,
                                       .violated = goal->violated,
                                       .implied = !goal->queued && !goal->capped,
                                       .refuted = refutes && check_hunts_refuted(goal)};
        *VEC_PUSH(&state->campaign->checks) = check;
        all_refuted &= check.refuted || !fault_is_soft(check.fault);
    }
    return all_refuted;
}

static void take_counts(struct campaign *c, const struct explorer *explorer)
{
    c->divergences = explorer->divergences;
    c->filtered += explorer->tree.filtered;
    c->dropped += explorer->tree.dropped;
    c->choosing_seconds = explorer->choosing;
    c->violations = explorer->violations;
}

void conclusion_draw(struct campaign_state *state)
{
    struct campaign *c = state->campaign;
    bool ended =
        c->end == CAMPAIGN_EXHAUSTED || c->end == CAMPAIGN_GAVE_UP || c->end == CAMPAIGN_PATIENCE;
    if (ended && coverage_only_crashed(&c->coverage))
        c->end = CAMPAIGN_COMPLETE; // crashing tests have to do
    uint64_t lost = c->cut_off + c->open_ends + c->unexplained_faults, bounds = 0;
    for (int i = 0; i < WIRE_LOSS_COUNT; i++)
        *(loss_class(i) == WIRE_LOSS_IS_OPEN ? &lost : &bounds) += c->losses[i];
    take_counts(c, &state->tree);
    find_goals_behind_faults(state);
    bool all_refuted = conclusion_list_checks(state, &state->tree, true);
    if (counts_calls(state->request) && !state->most_explored)
        c->can_grow |= 1u << BOUND_calls;
    bool all_followed = !lost && !c->partial && !c->can_grow && !c->divergences && !c->unknown &&
                        c->rejected < c->runs && explorer_exhausted(&state->tree);
    c->every_path = all_followed && !bounds && !c->faults && all_refuted && !c->filtered;
    c->exhausted = c->end == CAMPAIGN_EXHAUSTED && all_followed;
}

// Where no execution at all satisfies the assumptions, everything would be infeasible: no proof is
// to rest on them.
void conclusion_forget_assumed(struct campaign *c)
{
    for (size_t goal = 0; c->rejected == c->runs && goal < 2 * c->coverage.program->branch_count;
         goal++)
        c->dead[goal] &= !c->assumed[goal];
}
