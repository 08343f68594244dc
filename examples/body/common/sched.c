// SPDX-License-Identifier: Apache-2.0
// The scheduler. A task that keeps failing is suspended and leaves a fault, so that one
// broken module does not eat the cycle of the others.
#include "sched.h"
#include "fault.h"

static sched_task_t table[SCHED_SLOTS];
static uint8_t used;
static sched_idle_t idle_hook;

void sched_init(sched_idle_t idle)
{
    used = 0U;
    idle_hook = idle;
}

status_t sched_add(sched_fn_t run, uint16_t period_ms, uint16_t offset_ms, uint8_t max_failures)
{
    sched_task_t *task;

    if (run == NULL) {
        return ST_NULL;
    }
    if ((period_ms == 0U) || (offset_ms >= period_ms)) {
        return ST_RANGE;
    }
    if (used >= SCHED_SLOTS) {
        return ST_FULL;
    }
    task = &table[used];
    task->run = run;
    task->period_ms = period_ms;
    task->due_ms = offset_ms;
    task->failures = 0U;
    task->max_failures = max_failures;
    task->enabled = true;
    used++;
    return ST_OK;
}

status_t sched_enable(uint8_t slot, bool on)
{
    if ((slot >= used) || (slot >= SCHED_SLOTS)) {
        return ST_RANGE;
    }
    table[slot].enabled = on;
    if (on) {
        table[slot].failures = 0U;
    }
    return ST_OK;
}

static void note_result(sched_task_t *task, status_t status)
{
    if ((status == ST_OK) || (status == ST_PENDING)) {
        task->failures = 0U;
        return;
    }
    task->failures = sat_inc_u8(task->failures);
    if ((task->max_failures != 0U) && (task->failures >= task->max_failures)) {
        task->enabled = false;
        (void)fault_set(FAULT_SCHED, FAULT_SAFETY);
    }
}

status_t sched_run_one(sched_task_t *task, uint16_t elapsed_ms)
{
    status_t status;

    if ((task == NULL) || (task->run == NULL)) {
        return ST_NULL;
    }
    if (!task->enabled) {
        return ST_DENIED;
    }
    if (task->due_ms > elapsed_ms) {
        task->due_ms = (uint16_t)(task->due_ms - elapsed_ms);
        return ST_PENDING;
    }
    task->due_ms = task->period_ms;
    status = task->run();
    note_result(task, status);
    return ST_OK;
}

uint8_t sched_tick(uint16_t elapsed_ms)
{
    uint8_t i;
    uint8_t ran = 0U;

    for (i = 0U; (i < used) && (i < SCHED_SLOTS); i++) {
        if (sched_run_one(&table[i], elapsed_ms) == ST_OK) {
            ran++;
        }
    }
    if ((ran == 0U) && (idle_hook != NULL)) {
        idle_hook(elapsed_ms);
    }
    return ran;
}
