// SPDX-License-Identifier: Apache-2.0
// The engine's word is not enough for an alarm. All tests run once more on the clean build
// under ASan and UBSan, and a report of the same kind at the same place has to be there.
// Undefined behaviour that does not end the run is no alarm without one; what ends it is
// listed as not reproduced. What the sanitizers report beyond that is an alarm of its own. An
// endless loop has to be one on the clean build, by its time limit.
#include "judge/alarms.h"

#include "base/fs.h"
#include "base/tunables.h"
#include "judge/alarm_match.h"
#include "program/faults.h"
#include "program/testfile.h"
#include <string.h>

enum { SANITIZED_SECONDS = REPLAY_SANITIZED_FACTOR * REPLAY_SECONDS }; // sanitizers are slow

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

// Tests whose plain replay ran into its time limit get no more than that.
static bool run_some(const struct verdicts_request *r,
                     bool (*wanted)(const struct verdicts_request *, size_t), bool endless,
                     struct replay_crash *crashes, struct error *err)
{
    const char **paths = arena_array(r->arena, const char *, r->count + 1);
    size_t *index = arena_array(r->arena, size_t, r->count + 1), count = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (!wanted(r, i) || (r->outcomes[i].status == REPLAY_TIMEOUT) != endless)
            continue;
        index[count] = i;
        paths[count++] = r->paths[i];
    }
    struct replay_crash *out = arena_array(r->arena, struct replay_crash, count + 1);
    if (count &&
        !replay_sanitized(r->clean, paths, count, endless ? REPLAY_SECONDS : SANITIZED_SECONDS,
                          r->arena, out, err))
        return false;
    for (size_t i = 0; i < count; i++)
        crashes[index[i]] = out[i];
    return true;
}

static bool shows_a_fault(const struct verdicts_request *r, size_t index)
{
    const struct kept_test *kept = &r->campaign->kept.items[r->chosen[index]];
    return kept->status == WIRE_FAULT || kept->first_of_alarm;
}

static bool is_any(const struct verdicts_request *r, size_t index)
{
    (void)r;
    (void)index;
    return true;
}

// The report that confirms the fault, or NULL. May find the place.
static const struct sanitizer_report *confirm(const struct verdicts_request *r, uint32_t fault,
                                              const struct replay_crash *crash,
                                              struct alarm_place *at)
{
    const struct program *program = &r->unit->program;
    for (size_t i = 0; i < crash->count; i++)
        if (alarm_matches(program, fault, at, &crash->reports[i]))
            return &crash->reports[i];
    for (size_t i = crash->count; !at->line && !fault_is_soft(fault) && i-- > 0;) {
        struct alarm_place place = alarm_report_place(program, &crash->reports[i]);
        if (!alarm_is_of_class(fault, crash->reports[i].class))
            continue;
        if (place.line)
            *at = place;
        return &crash->reports[i];
    }
    return NULL;
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
    if (!kept->text ||
        !testfile_read(&test, "", kept->text, strlen(kept->text), r->arena, &ignored))
        return;
    out->inputs = arena_array(r->arena, struct result_input, test.input_count + 1);
    for (size_t i = 0; i < test.input_count; i++) {
        const struct testfile_input *input = &test.inputs[i];
        out->inputs[i] = (struct result_input){.path = input->path,
                                               .type = input->type,
                                               .value = input->values,
                                               .matters = matters(kept->matters, input->path),
                                               .meaning = input->meaning};
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

static void tell_stack(const struct verdicts_request *r, const struct sanitizer_report *report,
                       struct result_alarm *out)
{
    size_t count = report ? report->frame_count : 0;
    out->stack = arena_array(r->arena, struct result_frame, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct sanitizer_frame *frame = &report->frames[i];
        const struct line_origin *origin =
            program_line(&r->unit->program, frame->at.text_number, frame->at.line);
        if (origin)
            out->stack[out->stack_count++] =
                (struct result_frame){frame->function, origin->file, origin->line};
    }
}

// ---- alarms ----

// Has another test shown the same under the sanitizers?
static bool is_shown(const struct result *result, uint32_t fault, const struct alarm_place *at)
{
    for (size_t i = 0; at->line && i < result->alarms.count; i++) {
        const struct result_alarm *alarm = result->alarms.items[i];
        if (alarm->proof == ALARM_SANITIZED && alarm->line == at->line && alarm->cause == fault &&
            !strcmp(alarm->file, at->file))
            return true;
    }
    return false;
}

// Inputs of a whole program come from outside of it. Results of stubs do not: those stand for
// functions that are not there.
static bool is_from_outside(const struct program *program, const struct input_root *root)
{
    for (size_t i = 0; root->kind == INPUT_STUB && i < program->function_count; i++) {
        const struct function *f = &program->functions[i];
        if (strcmp(f->source_name, root->name) == 0)
            return f->in_system_header;
    }
    return input_kind_is_outside(root->kind);
}

static bool is_argument(const struct input_root *root)
{
    return root->kind == INPUT_PARAMETER && root->caller == INPUT_OF_TASK && root->call == 1;
}

// Anybody may call a function that the user declares public, with any arguments, and start a
// program with any input: if those alone bring about what goes wrong, and not the size of our
// buffers, nor a length that they are presumed to have, it is a bug. A program that calls abort()
// means to.
static bool is_bug(const struct verdicts_request *r, const struct result_alarm *alarm)
{
    const struct program *program = &r->unit->program;
    const struct task *task = &program->tasks[r->task->program_task];
    bool whole = r->options->program && alarm->cause != WIRE_FAULT_ABORT;
    bool bug = alarm->proof == ALARM_SANITIZED && alarm->cause != WIRE_FAULT_LENGTH &&
               (whole || program->functions[task->entry].is_public);
    for (size_t i = 0; bug && i < alarm->input_count; i++) {
        struct input_path path;
        bug = input_path_parse(alarm->inputs[i].path, r->arena, &path) &&
              (whole ? is_from_outside(program, &path.root) : is_argument(&path.root));
    }
    return bug;
}

static bool is_about_bounds(uint32_t fault)
{
    return fault == WIRE_FAULT_BOUNDS || fault == WIRE_FAULT_MEMBER || fault == WIRE_FAULT_LENGTH;
}

// An index beyond an inner array, or beyond a length, may be beyond the whole object, too: one
// defect, which has the cause under which it was seen first.
static uint32_t grouped_cause(const struct result *result, uint32_t fault,
                              const struct alarm_place *at)
{
    static const uint32_t others[] = {WIRE_FAULT_BOUNDS, WIRE_FAULT_MEMBER, WIRE_FAULT_LENGTH};
    if (!is_about_bounds(fault) || is_shown(result, fault, at))
        return fault;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_shown(result, others[i], at))
            return others[i];
    return fault;
}

// The alarm's index.
static size_t add(const struct verdicts_request *r, size_t index, struct result_alarm *alarm,
                  bool is_the_tests)
{
    alarm->check = fault_check(alarm->cause);
    alarm->kind = fault_words(alarm->cause);
    const struct result_alarm *added =
        result_add_alarm(r->result, r->task, (unsigned)index + 1, alarm);
    size_t id = 0;
    while (r->result->alarms.items[id] != added)
        id++;
    if (is_the_tests) // the one that a precondition is inferred from
        r->task->tests.items[index]->alarm = id;
    return id;
}

// `report`: the sanitizer's that confirms it, or NULL.
static size_t add_fault(const struct verdicts_request *r, size_t index,
                        const struct alarm_place *at, enum alarm_proof proof, const char *detail,
                        const struct sanitizer_report *report)
{
    const struct kept_test *kept = &r->campaign->kept.items[r->chosen[index]];
    struct result_alarm alarm = {.cause = grouped_cause(r->result, kept->fault, at),
                                 .function = at->function,
                                 .file = at->file,
                                 .line = at->line,
                                 .proof = proof,
                                 .detail = detail};
    tell_stack(r, report, &alarm);
    if (kept->first_of_alarm) {
        tell_inputs(r, kept, &alarm);
        tell_way(r, kept, &alarm);
        alarm.is_bug = !kept->at_bound && is_bug(r, &alarm);
    }
    return add(r, index, &alarm, true);
}

// What ended the test on the sanitized build, if it is not what the engine saw.
static const struct sanitizer_report *other_end(const struct replay_crash *crash)
{
    const struct sanitizer_report *last = crash->count ? &crash->reports[crash->count - 1] : NULL;
    return last && !last->undefined ? last : NULL;
}

static const char *told_instead(const struct verdicts_request *r,
                                const struct sanitizer_report *report)
{
    struct alarm_place at = alarm_report_place(&r->unit->program, report);
    return at.line ? arena_printf(r->arena, "not this, but %s at %s:%u", report->text,
                                  fs_basename(at.file), at.line)
                   : arena_printf(r->arena, "not this, but %s", report->text);
}

// The sanitizers do not see every access outside its object: one that lands in another object,
// or in a table of libc; and frames have other sizes. The report says that it was not
// reproduced.
static bool is_stricter(uint32_t fault)
{
    return fault == WIRE_FAULT_BOUNDS || fault == WIRE_FAULT_FREED || fault == WIRE_FAULT_FREE ||
           fault == WIRE_FAULT_STACK;
}

// The time was over before its turn: nothing spoke for it or against it.
static size_t raise_skipped(const struct verdicts_request *r, size_t index,
                            const struct alarm_place *at)
{
    const struct kept_test *kept = &r->campaign->kept.items[r->chosen[index]];
    if (fault_is_soft(kept->fault))
        return RESULT_NONE;
    return add_fault(r, index, at, ALARM_NOT_REPLAYED, "", NULL);
}

static size_t raise_sanitized(const struct verdicts_request *r, size_t index, struct alarm_place at,
                              const struct replay_crash *crash)
{
    const struct kept_test *kept = &r->campaign->kept.items[r->chosen[index]];
    if (crash->outcome.status == REPLAY_SKIPPED && !replay_crashed(&r->outcomes[index]))
        return raise_skipped(r, index, &at);
    const struct sanitizer_report *report = confirm(r, kept->fault, crash, &at);
    const struct sanitizer_report *other = report ? NULL : other_end(crash);
    if (!report && fault_is_soft(kept->fault))
        return RESULT_NONE; // defined after all
    bool died = !crash->count && crash->outcome.status == REPLAY_SIGNAL;
    enum alarm_proof proof = report || died                        ? ALARM_SANITIZED
                             : other                               ? ALARM_NOT_REPRODUCED
                             : replay_crashed(&r->outcomes[index]) ? ALARM_REPLAYED
                                                                   : ALARM_NOT_REPRODUCED;
    if (proof == ALARM_NOT_REPRODUCED && !other && !is_stricter(kept->fault))
        result_add_disagreement(
            r->result,
            "task %s, test %zu: the engine saw %s at %s:%u, the clean build did "
            "not",
            r->task->function, index + 1, fault_words(kept->fault), fs_basename(at.file), at.line);
    return add_fault(r, index, &at, proof,
                     report  ? report->text
                     : other ? told_instead(r, other)
                             : "",
                     report);
}

// ASan and UBSan do not see uninitialised values. MemorySanitizer does, where it is there and
// its run takes the same way; the engine's word counts without it, and the alarm says so.
static size_t raise_uninitialised(const struct verdicts_request *r, size_t index,
                                  struct alarm_place at)
{
    struct replay_crash crash;
    struct error ignored = {0};
    if (!at.line)
        return RESULT_NONE; // in the driver
    if (!clean_build_memory(r->clean) ||
        !replay_uninitialised(r->clean, r->paths[index], r->arena, &crash, &ignored))
        return add_fault(r, index, &at, ALARM_UNCONFIRMED,
                         "MemorySanitizer is not available for this code", NULL);
    if (crash.outcome.status == REPLAY_SKIPPED)
        return add_fault(r, index, &at, ALARM_UNCONFIRMED, "not replayed: --time", NULL);
    const struct sanitizer_report *report = confirm(r, WIRE_FAULT_UNINIT, &crash, &at);
    return add_fault(r, index, &at, report ? ALARM_SANITIZED : ALARM_UNCONFIRMED,
                     report ? report->text : "MemorySanitizer did not report it", report);
}

// Without sanitizers only what kills the plain build is confirmed.
static size_t raise_plain(const struct verdicts_request *r, size_t index,
                          const struct alarm_place *at)
{
    const struct kept_test *kept = &r->campaign->kept.items[r->chosen[index]];
    bool dies = !fault_is_soft(kept->fault) && replay_crashed(&r->outcomes[index]);
    return add_fault(r, index, at, dies ? ALARM_REPLAYED : ALARM_NOT_REPRODUCED, "", NULL);
}

// What the engine saw in a test. Returns the alarm, or RESULT_NONE.
static size_t raise_fault(const struct verdicts_request *r, size_t index,
                          const struct replay_crash *crash)
{
    const struct kept_test *kept = &r->campaign->kept.items[r->chosen[index]];
    struct alarm_place at;
    if (!(r->unit->checks >> kept->fault & 1))
        return RESULT_NONE;
    alarms_place(r->unit, kept->fault_site, &at.file, &at.line, &at.function);
    if (kept->fault == WIRE_FAULT_ENDLESS || kept->fault == WIRE_FAULT_STEPS) {
        if (r->outcomes[index].status == REPLAY_SKIPPED)
            return raise_skipped(r, index, &at);
        bool same = r->outcomes[index].status == REPLAY_TIMEOUT;
        const char *detail = kept->fault == WIRE_FAULT_ENDLESS
                                 ? "the state repeats itself"
                                 : arena_printf(r->arena, "did not end within %lld steps",
                                                (long long)r->options->steps);
        return add_fault(r, index, &at, same ? ALARM_REPLAYED : ALARM_NOT_REPRODUCED, detail, NULL);
    }
    if (kept->fault == WIRE_FAULT_UNINIT)
        return raise_uninitialised(r, index, at);
    return crash ? raise_sanitized(r, index, at, crash) : raise_plain(r, index, &at);
}

// ---- what only the sanitizers saw ----

// An alarm that the report is about.
static size_t alarm_of_report(const struct verdicts_request *r,
                              const struct sanitizer_report *report)
{
    for (size_t i = 0; i < r->result->alarms.count; i++) {
        const struct result_alarm *alarm = r->result->alarms.items[i];
        struct alarm_place at = {alarm->file, alarm->function, alarm->line};
        if (alarm_matches(&r->unit->program, alarm->cause, &at, report) ||
            (is_about_bounds(alarm->cause) &&
             alarm_matches(&r->unit->program, WIRE_FAULT_BOUNDS, &at, report)))
            return i;
    }
    return RESULT_NONE;
}

static size_t raise_report(const struct verdicts_request *r, size_t index,
                           const struct sanitizer_report *report, size_t known)
{
    const struct kept_test *kept = &r->campaign->kept.items[r->chosen[index]];
    struct alarm_place at = alarm_report_place(&r->unit->program, report);
    struct result_alarm alarm = {.cause = alarm_cause(report, replay_crashed(&r->outcomes[index])),
                                 .function = at.function,
                                 .file = at.file,
                                 .line = at.line,
                                 .proof = ALARM_SANITIZED};
    tell_stack(r, report, &alarm);
    if (known != RESULT_NONE) {
        const struct result_alarm *old = r->result->alarms.items[known];
        alarm.cause = old->cause;
        alarm.file = old->file;
        alarm.line = old->line;
        alarm.detail = report->text;
    } else {
        alarm.detail = arena_printf(r->arena, "%s; only the sanitizers saw it", report->text);
        tell_inputs(r, kept, &alarm);
        alarm.is_bug = !(report->on_heap && !r->options->program) && is_bug(r, &alarm);
    }
    return add(r, index, &alarm, !shows_a_fault(r, index));
}

static bool is_in(const size_t *list, size_t count, size_t item)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == item)
            return true;
    return false;
}

// ASan's report is the last and says more than UBSan's about the same. `shown` is the alarm
// that the test was found to show.
static void raise_reports(const struct verdicts_request *r, size_t index, size_t shown,
                          const struct replay_crash *crash)
{
    const struct kept_test *kept = &r->campaign->kept.items[r->chosen[index]];
    size_t *done = arena_array(r->arena, size_t, crash->count + 1), count = 0;
    if (kept->at_bound && kept->status == WIRE_STEPS)
        return; // the clean build goes on where only the driver has a bound
    if (shown != RESULT_NONE)
        done[count++] = shown;
    for (size_t i = crash->count; i-- > 0;) {
        const struct sanitizer_report *report = &crash->reports[i];
        size_t known = alarm_of_report(r, report);
        uint32_t cause = alarm_cause(report, replay_crashed(&r->outcomes[index]));
        bool asked =
            known != RESULT_NONE || (cause != WIRE_FAULT_NONE && r->unit->checks >> cause & 1);
        if (asked && !is_in(done, count, known))
            done[count++] = raise_report(r, index, report, known);
    }
}

bool alarms_raise(const struct verdicts_request *r, struct error *err)
{
    bool (*wanted)(const struct verdicts_request *, size_t) =
        r->options->no_sanitize ? shows_a_fault : is_any;
    struct replay_crash *crashes = arena_array(r->arena, struct replay_crash, r->count + 1);
    size_t *shown = arena_array(r->arena, size_t, r->count + 1);
    struct error ignored = {0}; // the result has a note
    bool any = false;
    for (size_t i = 0; i < r->count; i++)
        any |= wanted(r, i);
    bool sanitized = any && clean_build_sanitized(r->clean, &ignored);
    if (sanitized &&
        (!run_some(r, wanted, false, crashes, err) || !run_some(r, wanted, true, crashes, err)))
        return false;
    for (size_t i = 0; i < r->count; i++)
        shown[i] =
            shows_a_fault(r, i) ? raise_fault(r, i, sanitized ? &crashes[i] : NULL) : RESULT_NONE;
    for (size_t i = 0; i < r->count; i++)
        raise_reports(r, i, shown[i], &crashes[i]);
    return true;
}

// ---- checks ----

static bool has_alarm(const struct result *result, uint32_t fault, const struct alarm_place *at)
{
    for (size_t i = 0; i < result->alarms.count; i++) {
        const struct result_alarm *alarm = result->alarms.items[i];
        if (alarm->proof > ALARM_NOT_REPRODUCED && alarm->cause == fault &&
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
        struct alarm_place at;
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
