// SPDX-License-Identifier: Apache-2.0
// Alarms, one per place and kind, and checks.
#include "result/result.h"

#include <string.h>

static size_t task_index(const struct result *result, const struct result_task *task)
{
    size_t index = 0;
    while (index < result->tasks.count && result->tasks.items[index] != task)
        index++;
    return index;
}

static const char *copy_text(struct result *result, const char *text)
{
    return arena_strdup(&result->arena, text ? text : "");
}

static size_t find_alarm(const struct result *result, const struct result_alarm *what)
{
    for (size_t id = 0; id < result->alarms.count; id++) {
        const struct result_alarm *old = result->alarms.items[id];
        if (old->line == what->line && !strcmp(old->kind, what->kind) &&
            !strcmp(old->file, what->file))
            return id;
    }
    return RESULT_NONE;
}

static size_t new_alarm(struct result *result, const struct result_task *task, unsigned test,
                        const struct result_alarm *what)
{
    struct result_alarm *alarm = arena_new(&result->arena, struct result_alarm);
    alarm->cause = what->cause;
    alarm->check = copy_text(result, what->check);
    alarm->kind = copy_text(result, what->kind);
    alarm->function = copy_text(result, what->function);
    alarm->file = copy_text(result, what->file);
    alarm->line = what->line;
    alarm->detail = "";
    alarm->test = test;
    alarm->task = task_index(result, task);
    *VEC_PUSH(&result->alarms) = alarm;
    return result->alarms.count - 1;
}

// How to get there, unless a shorter way is known.
static void tell_story(struct result *result, const struct result_task *task, unsigned test,
                       const struct result_alarm *what, struct result_alarm *alarm)
{
    if (!what->input_count || (alarm->input_count && alarm->input_count <= what->input_count))
        return;
    alarm->task = task_index(result, task);
    alarm->test = test;
    alarm->input_count = what->input_count;
    alarm->inputs = arena_array(&result->arena, struct result_input, what->input_count);
    for (size_t i = 0; i < what->input_count; i++) {
        const struct result_input *input = &what->inputs[i];
        alarm->inputs[i] = (struct result_input){
            copy_text(result, input->path), copy_text(result, input->type),
            copy_text(result, input->value), input->matters, copy_text(result, input->meaning)};
    }
    alarm->way_count = what->way_count;
    alarm->way = arena_array(&result->arena, struct result_step, what->way_count + 1);
    for (size_t i = 0; i < what->way_count; i++) {
        alarm->way[i] = what->way[i];
        alarm->way[i].function = copy_text(result, what->way[i].function);
        alarm->way[i].file = copy_text(result, what->way[i].file);
        alarm->way[i].text = copy_text(result, what->way[i].text);
    }
}

static void keep_stack(struct result *result, const struct result_alarm *what,
                       struct result_alarm *alarm)
{
    if (alarm->stack_count || !what->stack_count)
        return;
    alarm->stack_count = what->stack_count;
    alarm->stack = arena_array(&result->arena, struct result_frame, what->stack_count);
    for (size_t i = 0; i < what->stack_count; i++)
        alarm->stack[i] =
            (struct result_frame){copy_text(result, what->stack[i].function),
                                  copy_text(result, what->stack[i].file), what->stack[i].line};
}

struct result_alarm *result_add_alarm(struct result *result, struct result_task *task,
                                      unsigned test, const struct result_alarm *what)
{
    size_t id = find_alarm(result, what);
    if (id == RESULT_NONE)
        id = new_alarm(result, task, test, what);
    struct result_alarm *alarm = result->alarms.items[id];
    alarm->count++;
    if (what->proof > alarm->proof)
        alarm->proof = what->proof;
    alarm->is_bug |= what->is_bug;
    if (!alarm->function[0])
        alarm->function = copy_text(result, what->function);
    if (!alarm->detail[0])
        alarm->detail = copy_text(result, what->detail);
    tell_story(result, task, test, what, alarm);
    keep_stack(result, what, alarm);
    for (size_t i = 0; i < task->alarms.count; i++)
        if (task->alarms.items[i] == id)
            return alarm;
    *VEC_PUSH(&task->alarms) = id;
    return alarm;
}

size_t result_alarm_number(const struct result *result, size_t alarm)
{
    size_t number = 1;
    while (number <= alarm &&
           result->alarms.items[alarm - number]->part == result->alarms.items[alarm]->part)
        number++;
    return number;
}

const char *result_alarm_task(const struct result *result, const struct result_alarm *alarm)
{
    return alarm->task < result->tasks.count ? result->tasks.items[alarm->task]->function : "?";
}

// Checks.

static bool is_worse(enum check_verdict verdict, enum check_verdict than)
{
    static const int badness[] = {[CHECK_SAFE] = 0, [CHECK_UNDETERMINED] = 1, [CHECK_VIOLATED] = 2};
    return badness[verdict] > badness[than];
}

void result_add_check(struct result *result, struct result_task *task,
                      const struct result_check *check)
{
    for (size_t i = 0; i < task->checks.count; i++) {
        struct result_check *old = &task->checks.items[i];
        if (old->cause != check->cause || old->line != check->line ||
            strcmp(old->file, check->file) != 0)
            continue;
        old->tried += check->tried;
        if (is_worse(check->verdict, old->verdict)) {
            old->verdict = check->verdict;
            old->reason = copy_text(result, check->reason);
        }
        return;
    }
    struct result_check *copy = VEC_PUSH(&task->checks);
    *copy = *check;
    copy->check = copy_text(result, check->check);
    copy->kind = copy_text(result, check->kind);
    copy->function = copy_text(result, check->function);
    copy->file = copy_text(result, check->file);
    copy->reason = copy_text(result, check->reason);
}
