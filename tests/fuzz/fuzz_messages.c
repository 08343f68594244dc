// SPDX-License-Identifier: Apache-2.0
// Messages between our processes: the stream of a file's process, and the campaign of a worker. The
// first byte chooses. A campaign gets a valid one as its base, which the input is laid over,
// because nothing random has its length; and a stream gets headers that fit it. Checksums are made
// right: what is behind them is to be reached.
#include "jobs/campaign_record.h"
#include "jobs/messages.h"

#include <stdlib.h>
#include <string.h>

static struct branch branches[3] = {
    {.kind = BRANCH_CONDITION}, {.kind = BRANCH_CONDITION, .index = 1}, {.kind = BRANCH_CONDITION}};
static size_t conditions[2] = {0, 1}, task_functions[1], alone[1] = {2};
static int next_condition[2][2] = {{DECISION_FALSE, 1}, {DECISION_FALSE, DECISION_TRUE}};
static int next_alone[1][2] = {{DECISION_FALSE, DECISION_TRUE}};
static struct decision decisions[2] = {
    {.conditions = conditions, .condition_count = 2, .next = next_condition},
    {.conditions = alone, .condition_count = 1, .next = next_alone}};
static struct task tasks[1] = {{.name = "f", .functions = task_functions, .function_count = 1}};
static struct function functions[1];
static struct program program = {.functions = functions,
                                 .function_count = 1,
                                 .branches = branches,
                                 .branch_count = 3,
                                 .decisions = decisions,
                                 .decision_count = 2,
                                 .tasks = tasks,
                                 .task_count = 1};

static void make_campaign(struct buf *out)
{
    static const uint32_t uses[] = {1, 2}, goals[] = {0, 3, 5}, vectors[] = {0, 1};
    static const struct way_step way[] = {{3, 1}, {5, 2}};
    static const struct wire_vector seen[] = {{0, 0, 3, 3}, {0, 0, 1, 0}};
    struct campaign c = {.end = CAMPAIGN_COMPLETE, .reproducible = true};
    arena_init(&c.arena);
    coverage_init(&c.coverage, &program, 0);
    coverage_use(&c.coverage, CRITERION_MCDC, MCDC_LLVM, NULL);
    coverage_add(&c.coverage, goals, 3, seen, 2, false);
    c.dead = arena_array(&c.arena, bool, 6);
    c.assumed = c.dead_always = c.behind_fault = c.dead;
    *VEC_PUSH(&c.checks) = (struct campaign_check){.site = 3, .fault = 1};
    *VEC_PUSH(&c.samples) = (struct campaign_sample){.iteration = 1};
    *VEC_PUSH(&c.kept) = (struct kept_test){.input = (const uint8_t *)"abcd",
                                            .input_size = 4,
                                            .uses = uses,
                                            .use_count = 2,
                                            .goals = goals,
                                            .goal_count = 3,
                                            .vectors = vectors,
                                            .vector_count = 2,
                                            .way = way,
                                            .way_count = 2,
                                            .text = "task f\n",
                                            .matters = "arg:x\n"};
    campaign_save(&c, out);
    campaign_release(&c);
}

static void use_campaign(struct campaign *c)
{
    size_t sum = 0;
    for (size_t i = 0; i < c->kept.count; i++) {
        const struct kept_test *test = &c->kept.items[i];
        for (size_t k = 0; k < test->goal_count; k++)
            sum += c->coverage.covered[test->goals[k]] + test->leaves;
        for (size_t k = 0; k < test->vector_count; k++)
            sum += c->coverage.vectors.items[test->vectors[k]].ran;
        sum += strlen(test->text) + strlen(test->matters) + strlen(test->candidates);
    }
    if (sum == SIZE_MAX || strlen(c->failure.text) >= sizeof c->failure.text)
        abort();
    campaign_release(c);
}

// Pairs of a place and a byte; what is left over cuts bytes off the end.
static void read_campaign(const uint8_t *data, size_t size)
{
    static struct buf valid = BUF_INIT;
    if (!valid.length)
        make_campaign(&valid);
    struct buf bytes = BUF_INIT;
    buf_add(&bytes, valid.data, valid.length);
    for (; size >= 3; data += 3, size -= 3)
        bytes.data[(data[0] | data[1] << 8) % bytes.length] = (char)data[2];
    size_t length = size ? bytes.length - data[0] : bytes.length, at = 0;
    record_seal(bytes.data, length);
    char *exact = malloc(length); // so that ASan sees the end
    memcpy(exact, bytes.data, length);
    struct campaign c;
    struct error err = {0};
    struct record_frame frame;
    enum record_found found = record_take(exact, length, &at, &frame, &err);
    if (found == RECORD_WHOLE && campaign_load(&program, 0, &frame, &c, &err))
        use_campaign(&c);
    else if (found != RECORD_NONE && err.kind == ERROR_NONE)
        abort();
    free(exact);
    buf_release(&bytes);
}

static void read_message(const struct record_type *type, const struct record_frame *frame)
{
    union {
        struct progress_message progress;
        struct stage_message stage;
        struct outcome_message outcome;
    } any;
    struct arena arena;
    struct error err = {0};
    arena_init(&arena);
    if (!record_read(type, frame, NULL, &arena, &any, &err)) {
        if (err.kind == ERROR_NONE)
            abort();
    } else if (type == &progress_record) {
        if (any.progress.state.worker >= 1 << 16 || strlen(any.progress.task) > frame->length)
            abort();
    } else if (type == &stage_record) {
        if (strlen(any.stage.text) > frame->length)
            abort();
    } else if (any.outcome.kind > ERROR_RETRY || strlen(any.outcome.text) > frame->length) {
        abort();
    }
    record_release(type, &any);
    arena_release(&arena);
}

// As it is, and as the members of every kind of message.
static void read_stream(const uint8_t *data, size_t size)
{
    static const struct record_type *const types[] = {&progress_record, &stage_record,
                                                      &outcome_record};
    size_t at = 0;
    char *exact = malloc(size + !size);
    memcpy(exact, data, size);
    struct record_frame frame;
    while (record_take(exact, size, &at, &frame, NULL) == RECORD_WHOLE)
        if (at > size || frame.bytes + frame.length > exact + size)
            abort();
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct buf valid = BUF_INIT;
        union {
            struct progress_message progress;
            struct outcome_message outcome;
        } none;
        memset(&none, 0, sizeof none);
        record_write(types[i], &none, &valid);
        at = 0;
        if (record_take(valid.data, valid.length, &at, &frame, NULL) != RECORD_WHOLE)
            abort();
        frame.bytes = exact;
        frame.length = size;
        read_message(types[i], &frame);
        buf_release(&valid);
    }
    free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && *data == 'S')
        read_stream(data + 1, size - 1);
    else if (size)
        read_campaign(data + 1, size - 1);
    return 0;
}
