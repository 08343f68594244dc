// SPDX-License-Identifier: Apache-2.0
// Messages between our processes: the stream of a file's process, and the campaign of a worker. The
// first byte chooses; a campaign gets a valid one as its base, which the input is laid over,
// because nothing random has its length.
#include "campaign/campaign_io.h"
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
    size_t length = size ? bytes.length - data[0] : bytes.length;
    char *exact = malloc(length); // so that ASan sees the end
    memcpy(exact, bytes.data, length);
    struct campaign c;
    struct error err = {0};
    if (campaign_load(&program, 0, exact, length, &c, &err)) {
        size_t sum = 0;
        for (size_t i = 0; i < c.kept.count; i++) {
            const struct kept_test *test = &c.kept.items[i];
            for (size_t k = 0; k < test->goal_count; k++)
                sum += c.coverage.covered[test->goals[k]] + test->leaves;
            for (size_t k = 0; k < test->vector_count; k++)
                sum += c.coverage.vectors.items[test->vectors[k]].ran;
            sum += strlen(test->text) + strlen(test->matters) + strlen(test->candidates);
        }
        if (sum == SIZE_MAX || strlen(c.failure.text) >= sizeof c.failure.text)
            abort();
        campaign_release(&c);
    } else if (err.kind == ERROR_NONE) {
        abort();
    }
    free(exact);
    buf_release(&bytes);
}

static void read_stream(const uint8_t *data, size_t size)
{
    struct buf received = BUF_INIT;
    struct message message;
    struct worker_state state;
    char task[16];
    size_t at = 0;
    buf_add(&received, (const char *)data, size);
    while (message_take(&received, &at, &message) == MESSAGE_WHOLE) {
        if (at > received.length || message.text + message.length > received.data + received.length)
            abort();
        if (message_state(&message, &state, task, sizeof task) && strlen(task) >= sizeof task)
            abort();
    }
    buf_release(&received);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && *data == 'S')
        read_stream(data + 1, size - 1);
    else if (size)
        read_campaign(data + 1, size - 1);
    return 0;
}
