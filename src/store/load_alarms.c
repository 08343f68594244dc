// SPDX-License-Identifier: Apache-2.0
// Alarms with their inputs and ways, and the preconditions that would rule them out.
#include "store/load.h"

static void load_alarm_inputs(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_ALARM_INPUTS);
    struct result_input input;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &input)) {
        struct result_alarm *of = result->alarms.items[keys[0]];
        of->inputs = load_append(result, of->inputs, of->input_count, sizeof input);
        of->inputs[of->input_count++] = input;
    }
}

static void load_alarm_steps(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_ALARM_STEPS);
    struct result_step step;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &step)) {
        struct result_alarm *of = result->alarms.items[keys[0]];
        of->way = load_append(result, of->way, of->way_count, sizeof step);
        of->way[of->way_count++] = step;
    }
}

static void load_alarm_frames(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_ALARM_FRAMES);
    struct result_frame frame;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &frame)) {
        struct result_alarm *of = result->alarms.items[keys[0]];
        of->stack = load_append(result, of->stack, of->stack_count, sizeof frame);
        of->stack[of->stack_count++] = frame;
    }
}

void load_alarms(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_ALARMS);
    struct result_alarm alarm;
    struct store_nothing none;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &alarm)) {
        alarm.part = keys[1];
        rows_number(r, STORE_ALARMS, keys[0], result->alarms.count);
        struct result_alarm *copy = arena_new(&result->arena, struct result_alarm);
        *copy = alarm;
        *VEC_PUSH(&result->alarms) = copy;
    }
    rows = rows_open(r, STORE_TASK_ALARMS);
    while (rows_next(&rows, keys, &none))
        *VEC_PUSH(&result->tasks.items[keys[0]]->alarms) = keys[1];
    load_alarm_inputs(r, result);
    load_alarm_steps(r, result);
    load_alarm_frames(r, result);
}

void load_preconditions(struct store_reader *r, struct result *result)
{
    struct store_rows rows = rows_open(r, STORE_PRECONDITIONS);
    struct result_precondition precondition;
    struct store_nothing none;
    struct result_site site;
    size_t keys[STORE_KEYS];
    while (rows_next(&rows, keys, &precondition)) {
        precondition.part = keys[1];
        rows_number(r, STORE_PRECONDITIONS, keys[0], result->preconditions.count);
        *VEC_PUSH(&result->preconditions) = precondition;
    }
    rows = rows_open(r, STORE_PRECONDITION_ALARMS);
    while (rows_next(&rows, keys, &none))
        *VEC_PUSH(&result->preconditions.items[keys[0]].alarms) = keys[1];
    rows = rows_open(r, STORE_PRECONDITION_SITES);
    while (rows_next(&rows, keys, &site)) {
        struct result_precondition *of = &result->preconditions.items[keys[0]];
        of->sites = load_append(result, of->sites, of->site_count, sizeof *of->sites);
        of->sites[of->site_count++] = site;
    }
}
