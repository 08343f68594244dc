// SPDX-License-Identifier: Apache-2.0
#include "jobs/messages.h"

// More workers than any machine has.
enum { MOST_WORKERS = 1 << 16 };

static bool is_state_possible(const void *object, const void *context)
{
    const struct worker_state *state = object;
    (void)context;
    return state->worker < MOST_WORKERS;
}

static const struct record_field state_fields[] = {
    RECORD_NUMBER(struct worker_state, task),
    RECORD_NUMBER(struct worker_state, covered),
    RECORD_NUMBER(struct worker_state, goals),
    RECORD_NUMBER(struct worker_state, iterations),
    RECORD_NUMBER(struct worker_state, worker),
    RECORD_BOOL(struct worker_state, ended),
    RECORD_NUMBER(struct worker_state, tasks),
    RECORD_NUMBER(struct worker_state, tasks_ended),
    RECORD_END,
};
static const struct record_type state_record = RECORD_TYPE_WITH_CHECK(
    "worker's state", 'W', 1, struct worker_state, state_fields, is_state_possible);

static const struct record_field progress_fields[] = {
    RECORD_STRUCT(struct progress_message, state, &state_record),
    RECORD_TEXT(struct progress_message, task),
    RECORD_END,
};
const struct record_type progress_record =
    RECORD_TYPE("progress message", 'P', 1, struct progress_message, progress_fields);

static const struct record_field stage_fields[] = {
    RECORD_TEXT(struct stage_message, text),
    RECORD_END,
};
const struct record_type stage_record =
    RECORD_TYPE("stage message", 'S', 1, struct stage_message, stage_fields);

#define COUNT(name) RECORD_NUMBER(struct result_counts, name),
static const struct record_field count_fields[] = {RESULT_COUNTS(COUNT) RECORD_END};
#undef COUNT
static const struct record_type counts_record =
    RECORD_TYPE("list of counts", 'N', 1, struct result_counts, count_fields);

static const struct record_field outcome_fields[] = {
    RECORD_ENUM(struct outcome_message, kind, ERROR_RETRY + 1),
    RECORD_BOOL(struct outcome_message, taken_over),
    RECORD_STRUCT(struct outcome_message, counts, &counts_record),
    RECORD_REAL(struct outcome_message, seconds),
    RECORD_TEXT(struct outcome_message, text),
    RECORD_END,
};
const struct record_type outcome_record =
    RECORD_TYPE("file's outcome", 'O', 1, struct outcome_message, outcome_fields);
