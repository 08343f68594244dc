// SPDX-License-Identifier: Apache-2.0
#include "judge/open_reasons.h"

#include "inputs/bound_growth.h"
#include "judge/standing.h"
#include "program/losses.h"
#include "unit/assumptions.h"
#include "wire/devices.h"
#include <stdarg.h>

// A list of clauses, and what they amount to.
struct clauses {
    struct buf text;
    unsigned causes;
};

__attribute__((format(printf, 3, 4))) static void
add_clause(struct clauses *clauses, enum open_cause cause, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (clauses->text.length)
        buf_puts(&clauses->text, ", ");
    buf_vprintf(&clauses->text, format, args);
    va_end(args);
    clauses->causes |= 1u << cause;
}

static enum open_cause cause_of_loss(int loss)
{
    switch ((enum wire_loss)loss) {
    case WIRE_LOSS_DEPTH:
    case WIRE_LOSS_ELEMENTS:
    case WIRE_LOSS_TEXTS:
    case WIRE_LOSS_CALLS: return OPEN_BOUND;
    case WIRE_LOSS_STUB: return OPEN_STUB;
    case WIRE_LOSS_UNINIT: return OPEN_UNINITIALISED;
    case WIRE_LOSS_NODES:
    case WIRE_LOSS_ROOM: return OPEN_LENGTH;
    case WIRE_LOSS_CONCRETISED:
    case WIRE_LOSS_WIDE:
    case WIRE_LOSS_ARGUMENTS:
    case WIRE_LOSS_ADDRESS: return OPEN_VALUE;
    default: return OPEN_LIBRARY;
    }
}

static void add_executions(struct clauses *clauses, enum open_cause cause, uint64_t count,
                           const char *what)
{
    if (count)
        add_clause(clauses, cause, "%llu execution%s %s", (unsigned long long)count,
                   count == 1 ? "" : "s", what);
}

// Everything that forbids a claim by an exhausted search.
static void add_losses(const struct verdicts_request *r, struct clauses *clauses)
{
    const struct campaign *c = r->campaign;
    for (int i = 0; i < WIRE_LOSS_COUNT; i++)
        if (c->losses[i] && loss_class(i) == WIRE_LOSS_IS_OPEN)
            add_clause(clauses, cause_of_loss(i), "%s", loss_words(i));
    if (c->partial)
        add_clause(clauses, OPEN_DRIVER, "the driver leaves out inputs (see its notes)");
    for (int i = 0; i < BOUND_COUNT; i++)
        if (c->can_grow >> i & 1)
            add_clause(clauses, OPEN_BOUND, "%s", bound_words(i));
    if (c->unknown)
        add_clause(clauses, OPEN_SOLVER, "solver limit on %llu quer%s (--solver-limit)",
                   (unsigned long long)c->unknown, c->unknown == 1 ? "y" : "ies");
    add_executions(
        clauses, OPEN_LENGTH, c->cut_off,
        arena_printf(r->arena,
                     "cut off (bounds --steps %lld, %u stub calls, %u reads of registers)",
                     (long long)r->options->steps, WIRE_MAX_CALLS, HW_MAX_READS));
    add_executions(clauses, OPEN_BOUND, c->open_ends,
                   "stopped behind an array of unknown length (bound --elements)");
    if (c->unexplained_faults || !standing_of_faults(r))
        add_clause(clauses, OPEN_CRASH,
                   "an execution ended early, which the clean build does not confirm");
    add_executions(clauses, OPEN_DIVERGED, c->divergences, "took another path than predicted");
}

static unsigned causes_of_end(const struct campaign *c)
{
    bool solver = c->end == CAMPAIGN_GAVE_UP && !c->dropped && c->unknown;
    return 1u << (solver ? OPEN_SOLVER : OPEN_BUDGET);
}

static struct open_reason reason_of_end(const struct verdicts_request *r,
                                        const struct ledger *ledger)
{
    const char *text = campaign_end_text(r->campaign, r->options, r->arena);
    for (size_t i = 0; i < ledger->failures.count; i++)
        text = arena_printf(r->arena, "%s; %s", text, ledger->failures.items[i]);
    return (struct open_reason){arena_strdup(r->arena, text), causes_of_end(r->campaign)};
}

struct open_reason open_reason_of_search(const struct verdicts_request *r,
                                         const struct ledger *ledger)
{
    const struct campaign *c = r->campaign;
    if (c->rejected && c->rejected == c->runs)
        return (struct open_reason){arena_printf(r->arena,
                                                 "no execution satisfied the preconditions: %s",
                                                 assumptions_text(r->unit, r->task->program_task)),
                                    1u << OPEN_PRECONDITION};
    struct clauses losses = {.text = BUF_INIT};
    add_losses(r, &losses);
    struct open_reason reason = reason_of_end(r, ledger);
    bool explored = c->end == CAMPAIGN_EXHAUSTED || c->end == CAMPAIGN_GAVE_UP;
    if (explored && losses.text.length)
        reason = (struct open_reason){
            arena_printf(r->arena, "all paths explored within limits: %s", buf_text(&losses.text)),
            losses.causes};
    buf_release(&losses.text);
    return reason;
}

// What the engine reached and the replay did not show.
static struct open_reason not_shown(const struct verdicts_request *r, const char *text)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->outcomes[i].status == REPLAY_SKIPPED)
            return (struct open_reason){"the engine reached it; not replayed: --time",
                                        1u << OPEN_REPLAY | 1u << OPEN_BUDGET};
        else if (r->outcomes[i].status == REPLAY_LOST)
            return (struct open_reason){
                "the engine reached it; the process that replays tests ended too early",
                1u << OPEN_REPLAY};
    return (struct open_reason){text, 1u << OPEN_REPLAY};
}

struct open_reason open_reason_of_goal(const struct verdicts_request *r,
                                       const struct result_goal *g)
{
    const struct open_reason none = {0};
    const struct coverage *seen = &r->campaign->coverage;
    // What is executed without a hook is known by llvm-cov's counts alone.
    if (g->branch == RESULT_NONE || r->unit->program.branches[g->branch].unseen)
        return (struct open_reason){"the front end has no hook there", 1u << OPEN_UNSEEN};
    if (g->kind == GOAL_BRANCH)
        return seen->covered[2 * g->branch + g->outcome]
                   ? not_shown(r, "the engine reached it, the replay on the clean build did not")
                   : none;
    if (!seen->pair_shown[g->branch])
        return none;
    if (g->unrecorded)
        return (struct open_reason){
            "the engine saw its pair; clang records no vectors of a decision in a ?: that is the "
            "condition of another",
            1u << OPEN_UNSEEN};
    if (seen->rule == MCDC_MASKING)
        return (struct open_reason){"shown by masking MC/DC, which llvm-cov does not count",
                                    1u << OPEN_UNSEEN};
    return not_shown(r, "the engine saw its pair, the replay on the clean build did not");
}
