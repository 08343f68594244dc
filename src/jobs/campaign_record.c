// SPDX-License-Identifier: Apache-2.0
// The tables of what a campaign consists of, and what is not in it as it is: what belongs to the
// unit (goals, vectors of decisions) is rebuilt in the reader.
#include "jobs/campaign_record.h"

#include "base/vec.h"
#include <string.h>

static const struct record_field way_fields[] = {
    RECORD_NUMBER(struct way_step, goal),
    RECORD_NUMBER(struct way_step, times),
    RECORD_END,
};
static const struct record_type way_record =
    RECORD_TYPE("step of a way", 'w', 1, struct way_step, way_fields);

static const struct record_field test_fields[] = {
    RECORD_LIST_OF_NUMBERS(struct kept_test, input, input_size),
    RECORD_LIST_OF_NUMBERS(struct kept_test, uses, use_count),
    RECORD_LIST_OF_NUMBERS(struct kept_test, goals, goal_count),
    RECORD_LIST_OF_NUMBERS(struct kept_test, vectors, vector_count),
    RECORD_NUMBER(struct kept_test, status),
    RECORD_ENUM(struct kept_test, fault, WIRE_FAULT_COUNT),
    RECORD_NUMBER(struct kept_test, fault_site),
    RECORD_BOOL(struct kept_test, leaves),
    RECORD_BOOL(struct kept_test, at_bound),
    RECORD_BOOL(struct kept_test, first_of_alarm),
    RECORD_NUMBER(struct kept_test, steps),
    RECORD_TEXT(struct kept_test, matters),
    RECORD_LIST_OF(struct kept_test, way, way_count, &way_record),
    RECORD_TEXT(struct kept_test, text),
    RECORD_TEXT(struct kept_test, candidates),
    RECORD_LOCAL(struct kept_test, guards),
    RECORD_END,
};
static const struct record_type test_record =
    RECORD_TYPE("test", 't', 1, struct kept_test, test_fields);

static const struct record_field check_fields[] = {
    RECORD_NUMBER(struct campaign_check, site),
    RECORD_ENUM(struct campaign_check, fault, WIRE_FAULT_COUNT),
    RECORD_NUMBER(struct campaign_check, tried),
    RECORD_BOOL(struct campaign_check, violated),
    RECORD_BOOL(struct campaign_check, refuted),
    RECORD_BOOL(struct campaign_check, implied),
    RECORD_END,
};
static const struct record_type check_record =
    RECORD_TYPE("check", 'k', 1, struct campaign_check, check_fields);

static const struct record_field sample_fields[] = {
    RECORD_NUMBER(struct campaign_sample, iteration),
    RECORD_NUMBER(struct campaign_sample, queries),
    RECORD_REAL(struct campaign_sample, seconds),
    RECORD_NUMBER(struct campaign_sample, branches),
    RECORD_NUMBER(struct campaign_sample, conditions),
    RECORD_NUMBER(struct campaign_sample, statements),
    RECORD_END,
};
static const struct record_type sample_record =
    RECORD_TYPE("sample", 's', 1, struct campaign_sample, sample_fields);

static const struct record_field layer_fields[] = {
    RECORD_NUMBER(struct solver_counts, queries),
    RECORD_NUMBER(struct solver_counts, sat),
    RECORD_NUMBER(struct solver_counts, unsat),
    RECORD_REAL(struct solver_counts, seconds),
    RECORD_END,
};
static const struct record_type layer_record =
    RECORD_TYPE("solver layer", 'l', 1, struct solver_counts, layer_fields);

static const struct record_field campaign_fields[] = {
    RECORD_LOCAL(struct campaign, arena),
    RECORD_LOCAL(struct campaign, coverage),
    RECORD_VECTOR_OF(struct campaign, kept, &test_record),
    RECORD_VECTOR_OF(struct campaign, checks, &check_record),
    RECORD_BOOL(struct campaign, every_path),
    RECORD_NUMBER(struct campaign, violations),
    RECORD_ENUM(struct campaign, end, CAMPAIGN_FAILED + 1),
    RECORD_BOOL(struct campaign, exhausted),
    RECORD_BOOL(struct campaign, partial),
    RECORD_NUMBER(struct campaign, can_grow),
    RECORD_NUMBERS(struct campaign, explored),
    RECORD_NUMBER(struct campaign, unexplained_faults),
    RECORD_BOOL(struct campaign, reproducible),
    RECORD_BOOL(struct campaign, proofs_cut),
    RECORD_LOCAL(struct campaign, dead),
    RECORD_LOCAL(struct campaign, dead_always),
    RECORD_LOCAL(struct campaign, assumed),
    RECORD_LOCAL(struct campaign, behind_fault),
    RECORD_NUMBER(struct campaign, iterations),
    RECORD_NUMBER(struct campaign, runs),
    RECORD_NUMBER(struct campaign, queries),
    RECORD_NUMBER(struct campaign, sat),
    RECORD_NUMBER(struct campaign, unsat),
    RECORD_NUMBER(struct campaign, unknown),
    RECORD_NUMBER(struct campaign, divergences),
    RECORD_NUMBER(struct campaign, faults),
    RECORD_NUMBER(struct campaign, cut_off),
    RECORD_NUMBER(struct campaign, open_ends),
    RECORD_NUMBERS(struct campaign, losses),
    RECORD_NUMBER(struct campaign, rejected),
    RECORD_NUMBER(struct campaign, filtered),
    RECORD_NUMBER(struct campaign, dropped),
    RECORD_NUMBER(struct campaign, vector_queries),
    RECORD_VECTOR_OF(struct campaign, samples, &sample_record),
    RECORD_REAL(struct campaign, seconds),
    RECORD_REAL(struct campaign, solver_seconds),
    RECORD_REAL(struct campaign, choosing_seconds),
    RECORD_STRUCTS(struct campaign, layers, &layer_record),
    RECORD_NUMBER(struct campaign, slow_queries),
    RECORD_NUMBER(struct campaign, restarts),
    RECORD_NUMBER(struct campaign, spoilt),
    RECORD_STRUCT(struct campaign, failure, &error_record),
    RECORD_END,
};
static const struct record_type campaign_record =
    RECORD_TYPE("campaign", 'c', 2, struct campaign, campaign_fields);

static const struct record_field vector_fields[] = {
    RECORD_NUMBER(struct decision_vector, decision),
    RECORD_BOOL(struct decision_vector, outcome),
    RECORD_BOOL(struct decision_vector, ran),
    RECORD_NUMBER(struct decision_vector, evaluated),
    RECORD_NUMBER(struct decision_vector, values),
    RECORD_END,
};
static const struct record_type vector_record =
    RECORD_TYPE("decision vector", 'v', 1, struct decision_vector, vector_fields);

// A campaign, and what has as many entries as the unit has goals.
struct saved_campaign {
    struct campaign plain;
    enum criterion criterion;
    enum mcdc_rule rule;
    size_t goal_count, dead_count, always_count, assumed_count, behind_count, coupled_count;
    const bool *covered, *dead, *dead_always, *assumed, *behind_fault;
    const bool *pair_coupled; // per branch
    const struct decision_vector *vectors;
    size_t vector_count;
};

static bool fits_program(const void *object, const void *context);

static const struct record_field saved_fields[] = {
    RECORD_STRUCT(struct saved_campaign, plain, &campaign_record),
    RECORD_ENUM(struct saved_campaign, criterion, CRITERION_MCDC + 1),
    RECORD_ENUM(struct saved_campaign, rule, MCDC_UNIQUE_CAUSE + 1),
    RECORD_LIST_OF_BOOLS(struct saved_campaign, covered, goal_count),
    RECORD_LIST_OF_BOOLS(struct saved_campaign, dead, dead_count),
    RECORD_LIST_OF_BOOLS(struct saved_campaign, dead_always, always_count),
    RECORD_LIST_OF_BOOLS(struct saved_campaign, assumed, assumed_count),
    RECORD_LIST_OF_BOOLS(struct saved_campaign, behind_fault, behind_count),
    RECORD_LIST_OF_BOOLS(struct saved_campaign, pair_coupled, coupled_count),
    RECORD_LIST_OF(struct saved_campaign, vectors, vector_count, &vector_record),
    RECORD_END,
};
const struct record_type saved_campaign_record =
    RECORD_TYPE_WITH_CHECK("campaign", 'C', 1, struct saved_campaign, saved_fields, fits_program);

// ---- checks that need the unit ----

static bool are_below(const uint32_t *numbers, size_t count, size_t limit)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] >= limit)
            return false;
    return true;
}

static bool fits_test(const struct kept_test *test, size_t goals, size_t vectors)
{
    for (size_t i = 0; i < test->way_count; i++)
        if (test->way[i].goal >= goals)
            return false;
    return are_below(test->goals, test->goal_count, goals) &&
           are_below(test->vectors, test->vector_count, vectors);
}

// `context` is the program; NULL: nobody knows it, and nothing will be done with the numbers.
static bool fits_program(const void *object, const void *context)
{
    const struct saved_campaign *saved = object;
    const struct program *program = context;
    if (!program)
        return true;
    size_t goals = 2 * program->branch_count;
    bool good = saved->goal_count == goals && saved->dead_count == goals &&
                saved->always_count == goals && saved->assumed_count == goals &&
                saved->behind_count == goals && saved->coupled_count == program->branch_count;
    for (size_t i = 0; good && i < saved->vector_count; i++)
        good = saved->vectors[i].decision < program->decision_count;
    for (size_t i = 0; good && i < saved->plain.kept.count; i++)
        good = fits_test(&saved->plain.kept.items[i], goals, saved->vector_count);
    return good;
}

// ---- there and back ----

void campaign_save(const struct campaign *c, struct buf *out)
{
    size_t branches = c->coverage.program->branch_count;
    struct saved_campaign saved = {
        .plain = *c,
        .criterion = c->coverage.criterion,
        .rule = c->coverage.rule,
        .goal_count = 2 * branches,
        .dead_count = 2 * branches,
        .always_count = 2 * branches,
        .assumed_count = 2 * branches,
        .behind_count = 2 * branches,
        .coupled_count = branches,
        .covered = c->coverage.covered,
        .dead = c->dead,
        .dead_always = c->dead_always,
        .assumed = c->assumed,
        .behind_fault = c->behind_fault,
        .pair_coupled = c->coverage.pair_coupled,
        .vectors = c->coverage.vectors.items,
        .vector_count = c->coverage.vectors.count,
    };
    record_write(&saved_campaign_record, &saved, out);
}

static bool *copy_bools(struct arena *arena, const bool *from, size_t count)
{
    bool *copy = arena_array(arena, bool, count + 1);
    memcpy(copy, from, count * sizeof *copy);
    return copy;
}

// Adding goals and vectors in their old order gives them their old numbers. False: they got others.
static bool restore_coverage(const struct saved_campaign *saved, struct coverage *coverage)
{
    for (uint32_t goal = 0; goal < saved->goal_count; goal++) {
        if (saved->covered[goal])
            coverage_add(coverage, &goal, 1, NULL, 0, false);
        coverage->dead[goal] = saved->dead[goal] && coverage->is_goal[goal];
        coverage->dead_count += coverage->dead[goal];
    }
    for (size_t i = 0; i < saved->vector_count; i++) {
        const struct decision_vector *seen = &saved->vectors[i];
        coverage_add(coverage, NULL, 0,
                     &(struct wire_vector){seen->decision, 0, seen->evaluated, seen->values}, 1,
                     !seen->ran);
    }
    for (size_t i = 0; i < saved->coupled_count; i++)
        coverage->pair_coupled[i] = saved->pair_coupled[i];
    return coverage->vectors.count == saved->vector_count;
}

bool campaign_load(const struct program *program, size_t task, const struct record_frame *frame,
                   struct campaign *c, struct error *err)
{
    struct saved_campaign saved;
    struct arena arena;
    arena_init(&arena);
    *c = (struct campaign){0};
    if (!record_read(&saved_campaign_record, frame, program, &arena, &saved, err)) {
        arena_release(&arena);
        return false;
    }
    *c = saved.plain;
    c->arena = arena;
    c->dead = copy_bools(&c->arena, saved.dead, saved.goal_count);
    c->dead_always = copy_bools(&c->arena, saved.dead_always, saved.goal_count);
    c->assumed = copy_bools(&c->arena, saved.assumed, saved.goal_count);
    c->behind_fault = copy_bools(&c->arena, saved.behind_fault, saved.goal_count);
    coverage_init(&c->coverage, program, task);
    coverage_use(&c->coverage, saved.criterion, saved.rule, NULL);
    if (restore_coverage(&saved, &c->coverage))
        return true;
    campaign_release(c);
    *c = (struct campaign){0};
    return error_set(err, ERROR_INTERNAL, "a campaign whose decision vectors are not distinct");
}
