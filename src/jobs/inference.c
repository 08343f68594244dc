// SPDX-License-Identifier: Apache-2.0
// Candidates, trials, choice, proof by search; see inference.h.
#include "jobs/inference.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/tunables.h"
#include "judge/alarms.h"
#include "unit/assumptions.h"
#include "judge/call_sites.h"
#include "campaign/campaign_setup.h"
#include "program/faults.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_PROBE UINT32_MAX

// ---- collecting ----

void questions_init(struct questions *questions)
{
    *questions = (struct questions){0};
    arena_init(&questions->arena);
}

void questions_release(struct questions *questions)
{
    VEC_RELEASE(&questions->list);
    arena_release(&questions->arena);
}

void questions_add(struct questions *q, struct unit *unit, size_t task, const struct campaign *c,
                   const size_t *chosen, size_t count, const char *const *paths)
{
    for (size_t i = 0; i < count; i++) {
        const struct kept_test *kept = &c->kept.items[chosen[i]];
        if (!kept->first_of_alarm)
            continue;
        struct question *question = VEC_PUSH(&q->list);
        *question = (struct question){
            .task = arena_strdup(&q->arena, unit->program.tasks[task].name),
            .fault = kept->fault,
            .number = (unsigned)i + 1,
            .test = arena_strdup(&q->arena, paths[i]),
            .candidates = arena_strdup(&q->arena, kept->candidates ? kept->candidates : "")};
        const char *file, *function;
        alarms_place(unit, kept->fault_site, &file, &question->line, &function);
        question->file = arena_strdup(&q->arena, file);
    }
}

// ---- trying ----

struct trial { // of one question
    const struct question *question;
    uint32_t probes[JOBS_INFERENCE_CANDIDATES], probe_count; // its candidates, best first
    uint32_t chosen;                                         // or NO_PROBE
    bool came_back;
    size_t task, alarm;  // in the result, or RESULT_NONE
    size_t precondition; // what was accepted, or RESULT_NONE
};

struct trials {
    const struct inference_request *request;
    struct arena arena;
    VEC(struct trial) list;
    VEC(struct harness_assumption) probes;
    VEC(const char *) tasks; // names, NULL-terminated later
    struct unit unit;
};

static unsigned count_of_task(const struct trials *t, const char *task)
{
    unsigned count = 0;
    for (size_t i = 0; i < t->probes.count; i++)
        count += !strcmp(t->probes.items[i].function, task);
    return count;
}

// The user has said no to this before.
static bool is_settled(const struct trials *t, const char *task, const char *text)
{
    struct precondition like = {.function = task, .expression = text};
    const struct pre_list *list = t->request->build->preconditions;
    const struct precondition *known = list ? pre_find(list, &like) : NULL;
    return known && known->state == PRE_REJECTED;
}

static void add_probe(struct trials *t, struct trial *trial, const char *text)
{
    const char *task = trial->question->task;
    uint32_t at = 0;
    while (at < t->probes.count && (strcmp(t->probes.items[at].function, task) != 0 ||
                                    strcmp(t->probes.items[at].text, text) != 0))
        at++;
    if (at == t->probes.count) {
        unsigned number = count_of_task(t, task);
        if (number >= JOBS_INFERENCE_CANDIDATES)
            return;
        *VEC_PUSH(&t->probes) = (struct harness_assumption){
            task, text, arena_printf(&t->arena, "candidate %u", at), (int)number};
    }
    trial->probes[trial->probe_count++] = at;
}

static size_t find_task(const struct result *result, const char *name)
{
    for (size_t i = 0; i < result->tasks.count; i++)
        if (!strcmp(result->tasks.items[i]->function, name))
            return i;
    return RESULT_NONE;
}

// Seconds that are left of the task's time; 0: no limit.
static double left_of(const struct trials *t, const char *name)
{
    const struct inference_request *r = t->request;
    size_t task = r->left ? find_task(r->result, name) : RESULT_NONE;
    return task == RESULT_NONE ? 0 : r->left[r->result->tasks.items[task]->program_task];
}

// Whether the time that is left of the tasks with alarms is worth another build.
static bool has_time_to_build(const struct inference_request *r)
{
    double left = 0;
    for (size_t i = 0; r->left && i < r->result->tasks.count; i++) {
        const struct result_task *task = r->result->tasks.items[i];
        bool asks = false;
        for (size_t k = 0; k < r->questions->list.count && !asks; k++)
            asks = !strcmp(r->questions->list.items[k].task, task->function);
        if (asks && r->left[task->program_task] > 0)
            left += r->left[task->program_task];
    }
    return !r->left || r->build_seconds < left / 2;
}

static void add_trial(struct trials *t, const struct question *question)
{
    struct trial *trial = VEC_PUSH(&t->list);
    *trial = (struct trial){.question = question,
                            .chosen = NO_PROBE,
                            .task = RESULT_NONE,
                            .alarm = RESULT_NONE,
                            .precondition = RESULT_NONE};
    for (const char *at = question->candidates; *at;) {
        size_t length = strcspn(at, "\n");
        const char *text = arena_strndup(&t->arena, at, length);
        if (trial->probe_count < JOBS_INFERENCE_CANDIDATES && !is_settled(t, question->task, text))
            add_probe(t, trial, text);
        at += length + (at[length] == '\n');
    }
    for (size_t i = 0; i < t->tasks.count; i++)
        if (!strcmp(t->tasks.items[i], question->task))
            return;
    if (trial->probe_count)
        *VEC_PUSH(&t->tasks) = question->task;
}

static bool build_once(struct trials *t, struct error *err)
{
    const struct inference_request *r = t->request;
    struct unit_request request = *r->build;
    request.out_directory = arena_printf(&t->arena, "%s/inference", r->build->out_directory);
    request.task_names = t->tasks.items;
    request.probes = t->probes.items;
    request.probe_count = t->probes.count;
    return fs_make_dirs(request.out_directory, err) && unit_build(&request, &t->unit, err);
}

// A candidate that C does not accept here (a name that is hidden, a type that is only
// declared) becomes one that always holds, which is never chosen.
static bool build(struct trials *t, struct error *err)
{
    *VEC_PUSH(&t->tasks) = NULL;
    for (unsigned tries = 0; !build_once(t, err); tries++) {
        unsigned bad;
        if (tries == JOBS_INFERENCE_BAD || sscanf(err->text, "candidate %u:", &bad) != 1 ||
            bad >= t->probes.count)
            return false;
        t->probes.items[bad].text = "1";
        unit_release(&t->unit);
        error_clear(err);
    }
    return true;
}

// ---- choosing ----

struct held {
    uint64_t probed, held; // in one test
    bool crashed;
    const char *path;
};

static bool run_test(struct trials *t, struct target *target, size_t task, const char *path,
                     struct held *out, struct error *err)
{
    struct campaign_request request = {
        .unit = &t->unit, .task = task, .target = target, .options = t->request->build->options};
    struct buf input = BUF_INIT;
    bool good = campaign_test_input(&request, path, &input, err);
    if (good) {
        target_begin(target, (uint32_t)task, 0);
        target_add(target, input.data, input.length);
        good = target_run(target, err);
    }
    if (good) {
        const struct wire_run *run = target_result(target, 0);
        bool fine = (run->status == WIRE_OK || run->status == WIRE_EXIT) && !run->soft_count;
        *out = (struct held){run->probed, run->held, !fine, path};
    }
    buf_release(&input);
    return good;
}

static bool fits(const struct trials *t, const struct trial *trial, uint32_t probe,
                 const struct held *tests, size_t count)
{
    uint64_t bit = 1ull << t->probes.items[probe].probe;
    bool shown = false;
    for (size_t i = 0; i < count; i++) {
        bool own = !strcmp(tests[i].path, trial->question->test);
        if (own && !(tests[i].probed & bit && !(tests[i].held & bit)))
            return false;
        if (!tests[i].crashed && tests[i].probed & bit && !(tests[i].held & bit))
            return false; // an execution that is fine
        shown |= own;
    }
    return shown;
}

static void choose_preconditions(struct trials *t, const char *task, const struct held *tests,
                                 size_t count)
{
    for (size_t i = 0; i < t->list.count; i++) {
        struct trial *trial = &t->list.items[i];
        if (strcmp(trial->question->task, task) != 0)
            continue;
        for (uint32_t k = 0; k < trial->probe_count && trial->chosen == NO_PROBE; k++)
            if (fits(t, trial, trial->probes[k], tests, count))
                trial->chosen = trial->probes[k];
    }
}

static bool try_task(struct trials *t, struct target *target, size_t task, struct error *err)
{
    const struct inference_request *r = t->request;
    const char *name = t->unit.program.tasks[task].name;
    VEC(struct held) tests = {0};
    double left = left_of(t, name);
    target_set_deadline(target, left > 0 ? clock_now() + left / 2 : 0);
    bool good = target_renew(target, err);
    for (size_t i = 0; good && i < r->result->tasks.count; i++) {
        const struct result_task *of = r->result->tasks.items[i];
        for (size_t k = 0; good && !strcmp(of->function, name) && k < of->tests.count; k++)
            good = run_test(
                t, target, task,
                arena_printf(&t->arena, "%s/%s", r->build->out_directory, of->tests.items[k]->path),
                VEC_PUSH(&tests), err);
    }
    if (good)
        choose_preconditions(t, name, tests.items, tests.count);
    VEC_RELEASE(&tests);
    return good;
}

static bool try_all(struct trials *t, struct error *err)
{
    struct target_options options = *t->request->target;
    options.executable = t->unit.target;
    struct target *target = target_start(&options, err);
    bool good = target != NULL;
    for (size_t task = 0; good && task < t->unit.program.task_count; task++)
        good = try_task(t, target, task, err);
    target_stop(target);
    return good;
}

// ---- searching for it again ----

static bool searched(size_t task, const struct campaign *c, void *context, struct error *err)
{
    struct trials *t = context;
    (void)err;
    const char *name = t->unit.program.tasks[task].name;
    bool nothing = c->end == CAMPAIGN_FAILED || c->rejected == c->runs;
    for (size_t i = 0; i < t->list.count; i++) {
        struct trial *trial = &t->list.items[i];
        const struct question *q = trial->question;
        if (strcmp(q->task, name) != 0)
            continue;
        trial->came_back |= nothing;
        for (size_t k = 0; k < c->kept.count; k++) {
            const char *file, *function;
            uint32_t line;
            bool shows = c->kept.items[k].status == WIRE_FAULT || c->kept.items[k].first_of_alarm;
            if (!shows || c->kept.items[k].fault != q->fault)
                continue;
            alarms_place(&t->unit, c->kept.items[k].fault_site, &file, &line, &function);
            trial->came_back |= line == q->line && !strcmp(file, q->file);
        }
    }
    return true;
}

static uint64_t assumed_of(const struct trials *t, const char *task)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < t->list.count; i++)
        if (!strcmp(t->list.items[i].question->task, task) && t->list.items[i].chosen != NO_PROBE)
            bits |= 1ull << t->probes.items[t->list.items[i].chosen].probe;
    return bits;
}

static bool search_again(struct trials *t, struct error *err)
{
    const struct inference_request *r = t->request;
    struct options options = *r->build->options;
    uint64_t *assumed = arena_array(&t->arena, uint64_t, t->unit.program.task_count);
    double *seconds = arena_array(&t->arena, double, t->unit.program.task_count);
    for (size_t i = 0; i < t->unit.program.task_count; i++) {
        const char *name = t->unit.program.tasks[i].name;
        assumed[i] = assumed_of(t, name);
        seconds[i] = left_of(t, name) / 2;
    }
    options.no_inference = true;
    options.seed_test = "";
    if (!options.iterations || options.iterations > JOBS_INFERENCE_ITERATIONS)
        options.iterations = JOBS_INFERENCE_ITERATIONS;
    struct workers_request request = {.unit = &t->unit,
                                      .options = &options,
                                      .target = *r->target,
                                      .assumed = assumed,
                                      .seconds = r->left ? seconds : NULL,
                                      .jobs = r->jobs,
                                      .tokens = r->tokens,
                                      .done = searched,
                                      .context = t};
    request.target.executable = t->unit.target;
    return workers_run(&request, err);
}

// ---- what came of it ----

static struct result_precondition *find_precondition(struct result *result, const char *function,
                                                     const char *expression)
{
    for (size_t i = 0; i < result->preconditions.count; i++) {
        struct result_precondition *pre = &result->preconditions.items[i];
        if (!strcmp(pre->function, function) && !strcmp(pre->expression, expression))
            return pre;
    }
    return NULL;
}

static const struct function *entry_of(const struct trials *t, const char *task)
{
    const struct program *program = &t->unit.program;
    for (size_t i = 0; i < program->task_count; i++)
        if (!strcmp(program->tasks[i].name, task))
            return &program->functions[program->tasks[i].entry];
    return NULL;
}

static void accept(struct trials *t, struct trial *trial)
{
    struct result *result = t->request->result;
    const struct question *q = trial->question;
    trial->task = find_task(result, q->task);
    const struct result_task *of_task =
        trial->task == RESULT_NONE ? NULL : result->tasks.items[trial->task];
    trial->alarm = of_task && q->number <= of_task->tests.count
                       ? of_task->tests.items[q->number - 1]->alarm
                       : RESULT_NONE;
    if (trial->chosen == NO_PROBE || trial->came_back || trial->alarm == RESULT_NONE)
        return;
    // The words of the candidate, before macros were expanded.
    const char *words = t->probes.items[trial->chosen].text;
    struct result_precondition *pre = find_precondition(result, q->task, words);
    if (!pre) {
        const struct function *entry = entry_of(t, q->task);
        pre = VEC_PUSH(&result->preconditions);
        *pre = (struct result_precondition){
            .function = arena_strdup(&result->arena, q->task),
            .expression = arena_strdup(&result->arena, words),
            .file = entry && entry->is_static ? arena_strdup(&result->arena, t->unit.program.source)
                                              : NULL,
            .origin = "",
            .task = trial->task};
    }
    trial->precondition = (size_t)(pre - result->preconditions.items);
    for (size_t i = 0; i < pre->alarms.count; i++)
        if (pre->alarms.items[i] == trial->alarm)
            return;
    const struct result_alarm *of = result->alarms.items[trial->alarm];
    pre->origin = arena_printf(&result->arena, "%s%s%s at %s:%u", pre->origin,
                               *pre->origin ? ", " : "", of->kind, fs_basename(of->file), of->line);
    *VEC_PUSH(&pre->alarms) = trial->alarm;
}

// Every way in which the task was seen to raise it has a precondition that all calls respect.
static bool is_ruled_out(const struct trials *t, size_t task, size_t alarm)
{
    const struct result *result = t->request->result;
    bool any = false;
    for (size_t i = 0; i < t->list.count; i++) {
        const struct trial *trial = &t->list.items[i];
        if (trial->task != task || trial->alarm != alarm)
            continue;
        if (trial->precondition == RESULT_NONE ||
            !result->preconditions.items[trial->precondition].ruled_out)
            return false;
        any = true;
    }
    return any;
}

static void name_preconditions(struct result *result, size_t alarm)
{
    struct buf text = BUF_INIT;
    for (size_t i = 0; i < result->preconditions.count; i++) {
        const struct result_precondition *pre = &result->preconditions.items[i];
        for (size_t k = 0; k < pre->alarms.count; k++)
            if (pre->alarms.items[k] == alarm)
                buf_printf(&text, "%s%s: %s", text.length ? "; " : "", pre->function,
                           pre->expression);
    }
    if (text.length)
        result->alarms.items[alarm]->precondition = arena_strdup(&result->arena, text.data);
    buf_release(&text);
}

// An alarm that several tasks show is ruled out when the calls of all of them do.
static void mark_alarms(const struct trials *t)
{
    struct result *result = t->request->result;
    for (size_t a = 0; a < result->alarms.count; a++) {
        size_t shown = 0, out = 0;
        for (size_t i = 0; i < result->tasks.count; i++)
            for (size_t k = 0; k < result->tasks.items[i]->alarms.count; k++)
                if (result->tasks.items[i]->alarms.items[k] == a) {
                    shown++;
                    out += is_ruled_out(t, i, a);
                }
        result->alarms.items[a]->ruled_out = shown && out == shown;
        name_preconditions(result, a);
    }
}

static bool try_and_search(struct trials *t, struct error *err)
{
    const struct inference_request *r = t->request;
    if (r->stage)
        r->stage(r->context, "looking for preconditions");
    return build(t, err) && try_all(t, err) && search_again(t, err);
}

void inference_run(const struct inference_request *request)
{
    struct trials t = {.request = request};
    struct error err = {0};
    arena_init(&t.arena);
    size_t late = 0;
    bool can_build = has_time_to_build(request);
    for (size_t i = 0; i < request->questions->list.count; i++) {
        const struct question *question = &request->questions->list.items[i];
        bool has_time =
            !request->left || (can_build && left_of(&t, question->task) >= JOBS_INFERENCE_SECONDS);
        late += !has_time;
        if (has_time)
            add_trial(&t, question);
    }
    if (late)
        result_add_note(request->result, "preconditions of %zu alarms were not looked for: --time",
                        late);
    bool good = !t.probes.count || try_and_search(&t, &err);
    if (!good)
        result_add_note(request->result, "preconditions could not be looked for: %s", err.text);
    for (size_t i = 0; good && t.probes.count && i < t.list.count; i++)
        accept(&t, &t.list.items[i]);
    if (good && t.probes.count)
        call_sites_judge(request->build, &t.unit, request->result);
    mark_alarms(&t);
    if (t.probes.count) {
        unit_release(&t.unit);
        fs_remove_tree(arena_printf(&t.arena, "%s/inference", request->build->out_directory), NULL);
    }
    VEC_RELEASE(&t.list);
    VEC_RELEASE(&t.probes);
    VEC_RELEASE(&t.tasks);
    arena_release(&t.arena);
}
