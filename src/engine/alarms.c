// SPDX-License-Identifier: Apache-2.0
// The engine's word is not enough for an alarm. The test runs once more on the clean build
// under ASan and UBSan, and one of their reports has to be of the same kind. For undefined
// behaviour that does not end the run it must be at the same line, and without one there is
// no alarm at all; for what ends it, the sanitizer's word on the place counts more than
// ours. An endless loop has to be one on the clean build, by its time limit.
#include "engine/alarms.h"

#include "base/fs.h"
#include "engine/faults.h"
#include "program/testfile.h"
#include <string.h>

struct place {
    const char *file, *function;
    uint32_t line;
};

void alarms_place(struct unit *unit, uint32_t site, const char **file, uint32_t *line,
                  const char **function)
{
    const struct instrument_site *s =
        site && site < unit->instrumented.site_count ? &unit->instrumented.sites[site] : NULL;
    *file = unit->program.source;
    *line = 0;
    *function = unit_site_function(unit, s);
    const struct line_origin *origin = s ? program_line(&unit->program, s->text, s->line) : NULL;
    if (origin) {
        *file = origin->file;
        *line = origin->line;
    }
}

// ---- the sanitizers' word ----

static bool is_of_class(uint32_t fault, enum sanitizer_class class)
{
    switch (fault) {
    case WIRE_FAULT_BOUNDS:
        return class == SANITIZER_MEMORY || class == SANITIZER_INDEX;
    case WIRE_FAULT_NULL:
    case WIRE_FAULT_FREED:
    case WIRE_FAULT_FREE:
    case WIRE_FAULT_SEGV:
        return class == SANITIZER_MEMORY;
    case WIRE_FAULT_MEMBER:
        return class == SANITIZER_INDEX;
    case WIRE_FAULT_DIVISION:
    case WIRE_FAULT_QUOTIENT:
    case WIRE_FAULT_FPE:
        return class == SANITIZER_DIVISION;
    case WIRE_FAULT_SHIFT:
        return class == SANITIZER_SHIFT;
    case WIRE_FAULT_OVERFLOW:
        return class == SANITIZER_OVERFLOW;
    case WIRE_FAULT_CONVERSION:
        return class == SANITIZER_CONVERSION;
    case WIRE_FAULT_UNREACHABLE:
        return class == SANITIZER_UNREACHABLE;
    case WIRE_FAULT_STACK:
        return class == SANITIZER_STACK;
    case WIRE_FAULT_ASSERT:
    case WIRE_FAULT_ABORT:
        return class == SANITIZER_ABORT;
    case WIRE_FAULT_ILLEGAL:
        return class == SANITIZER_ILLEGAL || class == SANITIZER_UNREACHABLE;
    default:
        return false;
    }
}

static struct place report_place(const struct verdicts_request *r,
                                 const struct sanitizer_report *report)
{
    const struct line_origin *origin =
        program_line(&r->unit->program, report->text_number, report->line);
    return origin ? (struct place){origin->file, report->function, origin->line}
                  : (struct place){0};
}

// The report that confirms the fault, or NULL. May correct the place.
static const struct sanitizer_report *confirm(const struct verdicts_request *r, uint32_t fault,
                                              const struct replay_crash *crash, struct place *at)
{
    const struct sanitizer_report *last = NULL;
    for (size_t i = 0; i < crash->count; i++) {
        if (!is_of_class(fault, crash->reports[i].class))
            continue;
        struct place place = report_place(r, &crash->reports[i]);
        if (at->line && place.line == at->line && !strcmp(place.file, at->file))
            return &crash->reports[i];
        last = &crash->reports[i];
    }
    if (!last || fault_is_soft(fault))
        return NULL;
    struct place place = report_place(r, last);
    if (place.line && (fault != WIRE_FAULT_STACK || !at->line))
        *at = place;
    return last;
}

// ---- how to get there ----

static bool matters(const char *list, const char *path)
{
    size_t length = strlen(path);
    for (; list && *list; list += strcspn(list, "\n") + (list[strcspn(list, "\n")] != '\0'))
        if (strcspn(list, "\n") == length && strncmp(list, path, length) == 0)
            return true;
    return false;
}

static void tell_inputs(const struct verdicts_request *r, const struct kept_test *kept,
                        struct result_alarm *out)
{
    struct testfile test;
    struct error ignored = {0};
    if (!kept->text || !testfile_read(&test, "", kept->text, strlen(kept->text), r->arena, &ignored))
        return;
    out->inputs = arena_array(r->arena, struct result_input, test.input_count + 1);
    for (size_t i = 0; i < test.input_count; i++) {
        const struct testfile_input *input = &test.inputs[i];
        out->inputs[i] = (struct result_input){input->path, input->type, input->values,
                                               matters(kept->matters, input->path)};
    }
    out->input_count = test.input_count;
}

static void tell_way(const struct verdicts_request *r, const struct kept_test *kept,
                     struct result_alarm *out)
{
    out->way = arena_array(r->arena, struct result_step, kept->way_count + 1);
    for (size_t i = 0; i < kept->way_count; i++) {
        uint32_t id = kept->way[i].goal;
        size_t goal = result_branch_goal(r->result, id / 2, id & 1);
        if (goal == RESULT_NONE)
            continue;
        const struct result_goal *g = &r->result->goals[goal];
        out->way[out->way_count++] =
            (struct result_step){.function = r->result->functions[g->function].name,
                                 .file = g->file,
                                 .line = g->source_line,
                                 .text = g->text,
                                 .outcome = g->outcome,
                                 .is_case = g->is_case,
                                 .times = kept->way[i].times};
    }
}

// ---- alarms ----

// Has another test shown the same under the sanitizers? Running them takes a process per
// test, and many tests end at the same place.
static bool is_shown(const struct result *result, uint32_t fault, const struct place *at)
{
    for (size_t i = 0; at->line && i < result->alarms.count; i++) {
        const struct result_alarm *alarm = result->alarms.items[i];
        if (alarm->proof == ALARM_SANITIZED && alarm->line == at->line && alarm->cause == fault &&
            !strcmp(alarm->file, at->file))
            return true;
    }
    return false;
}

// Anybody may call a function that the user declares public, with any arguments: if those
// alone bring about the crash, and not the size of our buffers, it is a bug.
static bool is_bug(const struct verdicts_request *r, const struct kept_test *kept,
                   const struct result_alarm *alarm)
{
    const struct program *program = &r->unit->program;
    const struct task *task = &program->tasks[r->task->program_task];
    bool bug = alarm->proof == ALARM_SANITIZED && kept->first_of_alarm && !kept->at_bound &&
               program->functions[task->entry].is_public;
    for (size_t i = 0; bug && i < alarm->input_count; i++) {
        const char *path = alarm->inputs[i].path;
        if (!strncmp(path, "shape:", 6))
            path += 6;
        else if (!strncmp(path, "choice:", 7))
            path += 7;
        bug = !strncmp(path, "arg:", 4);
    }
    return bug;
}

// An index beyond an inner array may be beyond the whole object, too: one defect, which has
// the cause under which it was seen first.
static uint32_t grouped_cause(const struct result *result, uint32_t fault, const struct place *at)
{
    uint32_t other = fault == WIRE_FAULT_BOUNDS   ? WIRE_FAULT_MEMBER
                     : fault == WIRE_FAULT_MEMBER ? WIRE_FAULT_BOUNDS
                                                  : WIRE_FAULT_NONE;
    return other != WIRE_FAULT_NONE && is_shown(result, other, at) &&
                   !is_shown(result, fault, at)
               ? other
               : fault;
}

static void add(const struct verdicts_request *r, size_t index, const struct place *at,
                enum alarm_proof proof, const char *detail)
{
    const struct kept_test *kept = &r->campaign->kept.items[r->chosen[index]];
    uint32_t cause = grouped_cause(r->result, kept->fault, at);
    struct result_alarm alarm = {.cause = cause,
                                 .check = fault_check(cause),
                                 .kind = fault_words(cause),
                                 .function = at->function,
                                 .file = at->file,
                                 .line = at->line,
                                 .proof = proof,
                                 .detail = detail};
    if (kept->first_of_alarm) {
        tell_inputs(r, kept, &alarm);
        tell_way(r, kept, &alarm);
    }
    alarm.is_bug = is_bug(r, kept, &alarm);
    const struct result_alarm *added =
        result_add_alarm(r->result, r->task, (unsigned)index + 1, &alarm);
    for (size_t i = 0; i < r->result->alarms.count; i++)
        if (r->result->alarms.items[i] == added)
            r->task->tests.items[index]->alarm = i;
}

static bool raise_sanitized(const struct verdicts_request *r, size_t index, struct place at,
                            struct error *err)
{
    const struct kept_test *kept = &r->campaign->kept.items[r->chosen[index]];
    struct replay_crash crash;
    if (!clean_build_sanitized(r->clean, err) ||
        !replay_sanitized(r->clean, r->paths[index], r->arena, &crash, err))
        return false;
    const struct sanitizer_report *report = confirm(r, kept->fault, &crash, &at);
    bool soft = fault_is_soft(kept->fault);
    if (!report && soft)
        return true; // defined after all
    enum alarm_proof proof = report || (!crash.count && replay_crashed(&crash.outcome))
                                 ? ALARM_SANITIZED
                             : replay_crashed(&r->outcomes[index]) ? ALARM_REPLAYED
                                                                   : ALARM_NOT_REPRODUCED;
    add(r, index, &at, proof, report ? report->text : "");
    // The sanitizers do not see every access outside its object: one that lands in another
    // object, or in a table of libc; and frames have other sizes. The report says that it
    // was not reproduced.
    bool stricter = kept->fault == WIRE_FAULT_BOUNDS || kept->fault == WIRE_FAULT_FREED ||
                    kept->fault == WIRE_FAULT_FREE || kept->fault == WIRE_FAULT_STACK;
    if (proof == ALARM_NOT_REPRODUCED && !stricter)
        result_add_disagreement(r->result,
                                "task %s, test %zu: the engine saw %s at %s:%u, the clean build did "
                                "not",
                                r->task->function, index + 1, fault_words(kept->fault),
                                fs_basename(at.file), at.line);
    return true;
}

bool alarms_raise(const struct verdicts_request *r, size_t index, struct error *err)
{
    const struct kept_test *kept = &r->campaign->kept.items[r->chosen[index]];
    struct place at;
    if (!(r->unit->checks >> kept->fault & 1))
        return true;
    alarms_place(r->unit, kept->fault_site, &at.file, &at.line, &at.function);
    if (kept->fault == WIRE_FAULT_ENDLESS || kept->fault == WIRE_FAULT_STEPS) {
        bool same = r->outcomes[index].status == REPLAY_TIMEOUT;
        const char *detail = kept->fault == WIRE_FAULT_ENDLESS
                                 ? "the state repeats itself"
                                 : arena_printf(r->arena, "did not end within %lld steps",
                                                (long long)r->options->steps);
        add(r, index, &at, same ? ALARM_REPLAYED : ALARM_NOT_REPRODUCED, detail);
        return true;
    }
    if (is_shown(r->result, kept->fault, &at)) {
        add(r, index, &at, ALARM_SANITIZED, "");
        return true;
    }
    return raise_sanitized(r, index, at, err);
}

// ---- checks ----

static bool has_alarm(const struct result *result, uint32_t fault, const struct place *at)
{
    for (size_t i = 0; i < result->alarms.count; i++) {
        const struct result_alarm *alarm = result->alarms.items[i];
        if (alarm->proof != ALARM_NOT_REPRODUCED && alarm->cause == fault &&
            alarm->line == at->line && !strcmp(alarm->file, at->file))
            return true;
    }
    return false;
}

// Why a check that never failed is not known to be safe.
static const char *undetermined(const struct verdicts_request *r, const struct campaign_check *c,
                                const char *reason)
{
    if (c->violated)
        return "the engine saw it fail, the clean build did not confirm it";
    if (c->implied)
        return arena_printf(r->arena, "it cannot fail on the paths that were run; %s", reason);
    return arena_printf(r->arena, "tried %u times; %s", c->tried, reason);
}

void alarms_judge_checks(const struct verdicts_request *r, const char *assumptions,
                         const char *reason)
{
    for (size_t i = 0; i < r->campaign->checks.count; i++) {
        const struct campaign_check *c = &r->campaign->checks.items[i];
        struct place at;
        alarms_place(r->unit, c->site, &at.file, &at.line, &at.function);
        if (!at.line || !(r->unit->checks >> c->fault & 1))
            continue; // in the driver, or not asked for
        struct result_check check = {.cause = c->fault,
                                     .check = fault_check(c->fault),
                                     .kind = fault_words(c->fault),
                                     .function = at.function,
                                     .file = at.file,
                                     .line = at.line,
                                     .tried = c->tried};
        if (has_alarm(r->result, c->fault, &at)) {
            check.verdict = CHECK_VIOLATED;
            check.reason = "";
        } else if (c->refuted && r->campaign->every_path) {
            check.verdict = CHECK_SAFE;
            check.reason = assumptions;
        } else {
            check.reason = undetermined(r, c, reason);
        }
        result_add_check(r->result, r->task, &check);
    }
}
