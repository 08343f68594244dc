// SPDX-License-Identifier: Apache-2.0
// A worker's campaign as bytes. The reader is the same program, but what it reads was written by a
// process beside hostile code: numbers that are used as an index are checked, and so are enums
// and bools, which must not even be looked at otherwise.
#include "campaign/campaign_io.h"

#include "base/vec.h"
#include <stddef.h>
#include <string.h>

static void put_array(struct buf *out, const void *items, uint64_t count, size_t size)
{
    buf_add(out, &count, sizeof count);
    buf_add(out, items, count * size);
}

static void put_text(struct buf *out, const char *text)
{
    put_array(out, text ? text : "", text ? strlen(text) : 0, 1);
}

static void put_test(struct buf *out, const struct kept_test *test)
{
    struct kept_test plain = *test;
    buf_add(out, &plain, sizeof plain); // its pointers are replaced by the reader
    put_array(out, test->input, test->input_size, 1);
    put_array(out, test->uses, test->use_count, sizeof *test->uses);
    put_array(out, test->goals, test->goal_count, sizeof *test->goals);
    put_array(out, test->vectors, test->vector_count, sizeof *test->vectors);
    put_array(out, test->way, test->way_count, sizeof *test->way);
    put_text(out, test->matters);
    put_text(out, test->text);
    put_text(out, test->candidates);
}

void campaign_save(const struct campaign *c, struct buf *out)
{
    buf_add(out, c, sizeof *c); // its pointers are replaced by the reader
    size_t goals = 2 * c->coverage.program->branch_count;
    put_array(out, c->coverage.covered, goals, sizeof(bool));
    put_array(out, c->dead, goals, sizeof(bool));
    put_array(out, c->assumed, goals, sizeof(bool));
    put_array(out, c->dead_always, goals, sizeof(bool));
    put_array(out, c->behind_fault, goals, sizeof(bool));
    put_array(out, c->coverage.vectors.items, c->coverage.vectors.count,
              sizeof *c->coverage.vectors.items);
    put_array(out, c->coverage.pair_coupled, goals / 2, sizeof(bool));
    put_array(out, c->samples.items, c->samples.count, sizeof *c->samples.items);
    put_array(out, c->checks.items, c->checks.count, sizeof *c->checks.items);
    uint64_t tests = c->kept.count;
    buf_add(out, &tests, sizeof tests);
    for (size_t i = 0; i < c->kept.count; i++)
        put_test(out, &c->kept.items[i]);
}

struct reader {
    const char *at, *end;
    struct arena *arena;
    bool good;
};

static void take(struct reader *r, void *to, size_t size)
{
    if (!r->good || (size_t)(r->end - r->at) < size) {
        r->good = false;
        memset(to, 0, size);
        return;
    }
    memcpy(to, r->at, size);
    r->at += size;
}

static const void *take_array(struct reader *r, size_t *count, size_t size)
{
    uint64_t items;
    take(r, &items, sizeof items);
    if (items > (size_t)(r->end - r->at) / size)
        r->good = false;
    *count = r->good ? items : 0;
    char *copy = arena_alloc(r->arena, *count * size + 1);
    take(r, copy, *count * size);
    return copy;
}

// The bytes of bools, wherever they stand.
static void check_bools(struct reader *r, const void *bools, size_t count)
{
    const unsigned char *byte = bools;
    for (size_t i = 0; i < count; i++)
        r->good &= byte[i] <= 1;
}

static const bool *take_bools(struct reader *r, size_t *count)
{
    const void *bools = take_array(r, count, sizeof(bool));
    check_bools(r, bools, *count);
    *count = r->good ? *count : 0;
    return bools;
}

static void check_numbers(struct reader *r, const uint32_t *numbers, size_t count, size_t limit)
{
    for (size_t i = 0; i < count; i++)
        r->good &= numbers[i] < limit;
}

#define CHECK_BOOL(reader, object, member)                                                         \
    check_bools(reader, (const char *)(object) + offsetof(__typeof__(*(object)), member), 1)

static void take_test(struct reader *r, const struct coverage *coverage, struct kept_test *test)
{
    size_t length, goals = 2 * coverage->program->branch_count;
    take(r, test, sizeof *test);
    CHECK_BOOL(r, test, leaves);
    CHECK_BOOL(r, test, at_bound);
    CHECK_BOOL(r, test, first_of_alarm);
    r->good &= test->fault < WIRE_FAULT_COUNT;
    test->input = take_array(r, &test->input_size, 1);
    test->uses = take_array(r, &test->use_count, sizeof *test->uses);
    test->goals = take_array(r, &test->goal_count, sizeof *test->goals);
    test->vectors = take_array(r, &test->vector_count, sizeof *test->vectors);
    test->way = take_array(r, &test->way_count, sizeof *test->way);
    test->matters = take_array(r, &length, 1);
    test->text = take_array(r, &length, 1); // one byte more than its length: ends in 0
    test->candidates = take_array(r, &length, 1);
    test->guards = NULL; // of the worker only
    check_numbers(r, test->goals, test->goal_count, goals);
    check_numbers(r, test->vectors, test->vector_count, coverage->vectors.count);
    for (size_t i = 0; i < test->way_count; i++)
        r->good &= test->way[i].goal < goals;
}

// Adding goals and vectors in their old order gives them their old numbers.
static void restore_coverage(struct reader *r, struct campaign *c)
{
    size_t goals, dead, assumed, always, behind, vectors;
    const bool *covered = take_bools(r, &goals);
    const bool *is_dead = take_bools(r, &dead);
    const bool *is_assumed = take_bools(r, &assumed);
    const bool *is_dead_always = take_bools(r, &always);
    const bool *is_behind_fault = take_bools(r, &behind);
    const struct decision_vector *seen = take_array(r, &vectors, sizeof *seen);
    size_t expected = 2 * c->coverage.program->branch_count;
    if (goals != expected || dead != expected || assumed != expected || always != expected ||
        behind != expected) {
        r->good = false;
        return;
    }
    c->dead = arena_array(&c->arena, bool, expected);
    c->assumed = arena_array(&c->arena, bool, expected);
    memcpy(c->assumed, is_assumed, expected * sizeof(bool));
    c->dead_always = arena_array(&c->arena, bool, expected);
    memcpy(c->dead_always, is_dead_always, expected * sizeof(bool));
    c->behind_fault = arena_array(&c->arena, bool, expected);
    memcpy(c->behind_fault, is_behind_fault, expected * sizeof(bool));
    for (uint32_t goal = 0; goal < expected; goal++) {
        if (covered[goal])
            coverage_add(&c->coverage, &goal, 1, NULL, 0, false);
        c->dead[goal] = is_dead[goal];
        c->coverage.dead[goal] = is_dead[goal] && c->coverage.is_goal[goal];
        c->coverage.dead_count += c->coverage.dead[goal];
    }
    for (size_t i = 0; i < vectors; i++) {
        CHECK_BOOL(r, &seen[i], ran);
        if (!r->good)
            return;
        coverage_add(&c->coverage, NULL, 0,
                     &(struct wire_vector){seen[i].decision, 0, seen[i].evaluated, seen[i].values},
                     1, !seen[i].ran);
    }
}

static void take_samples(struct reader *r, struct campaign *c)
{
    size_t coupled, count;
    const bool *is_coupled = take_bools(r, &coupled);
    for (size_t i = 0; i < coupled && i < c->coverage.program->branch_count; i++)
        c->coverage.pair_coupled[i] = is_coupled[i];
    const struct campaign_sample *samples = take_array(r, &count, sizeof *samples);
    for (size_t i = 0; i < count; i++)
        *VEC_PUSH(&c->samples) = samples[i];
    const struct campaign_check *checks = take_array(r, &count, sizeof *checks);
    for (size_t i = 0; i < count; i++) {
        CHECK_BOOL(r, &checks[i], violated);
        CHECK_BOOL(r, &checks[i], refuted);
        CHECK_BOOL(r, &checks[i], implied);
        r->good &= checks[i].fault < WIRE_FAULT_COUNT;
        if (!r->good)
            return;
        *VEC_PUSH(&c->checks) = checks[i];
    }
}

// What is in the struct itself. Enums are compared as numbers, since any may stand there.
static void check_plain(struct reader *r, struct campaign *c)
{
    CHECK_BOOL(r, c, every_path);
    CHECK_BOOL(r, c, exhausted);
    CHECK_BOOL(r, c, partial);
    CHECK_BOOL(r, c, calls_can_grow);
    CHECK_BOOL(r, c, reproducible);
    CHECK_BOOL(r, c, proofs_cut);
    r->good &= (unsigned)c->end <= CAMPAIGN_FAILED &&
               (unsigned)c->coverage.criterion <= CRITERION_MCDC &&
               (unsigned)c->coverage.rule <= MCDC_UNIQUE_CAUSE;
    c->failure.text[sizeof c->failure.text - 1] = '\0';
}

bool campaign_load(const struct program *program, size_t task, const char *bytes, size_t length,
                   struct campaign *c, struct error *err)
{
    struct reader r = {bytes, bytes + length, &c->arena, true};
    take(&r, c, sizeof *c);
    check_plain(&r, c);
    if (!r.good) {
        *c = (struct campaign){0};
        return error_set(err, ERROR_INTERNAL, "a worker's answer is broken");
    }
    enum criterion criterion = c->coverage.criterion;
    enum mcdc_rule rule = c->coverage.rule;
    arena_init(&c->arena);
    coverage_init(&c->coverage, program, task);
    coverage_use(&c->coverage, criterion, rule, NULL);
    memset(&c->kept, 0, sizeof c->kept);
    memset(&c->samples, 0, sizeof c->samples);
    memset(&c->checks, 0, sizeof c->checks);
    restore_coverage(&r, c);
    take_samples(&r, c);
    uint64_t tests;
    take(&r, &tests, sizeof tests);
    for (uint64_t i = 0; r.good && i < tests; i++)
        take_test(&r, &c->coverage, VEC_PUSH(&c->kept));
    if (r.good && r.at == r.end)
        return true;
    campaign_release(c);
    return error_set(err, ERROR_INTERNAL, "a worker's answer is cut short or broken");
}
