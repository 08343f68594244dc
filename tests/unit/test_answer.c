// SPDX-License-Identifier: Apache-2.0
// Answers from shared memory that the code under test has overwritten: whatever stands there, what
// is taken over fits, and nothing outside of the copy is read (the address sanitizer watches).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "exec/answer.h"

enum { ROOM = 64, RUNS = 3 };

struct memory {
    struct wire_header *own, *shared;
    size_t size;
};

static size_t lay_out(struct wire_header *h)
{
    const struct {
        struct wire_area *area;
        size_t item;
    } areas[] = {
        {&h->runs, sizeof(struct wire_run)},
        {&h->inputs, 16},
        {&h->records, sizeof(struct wire_record)},
        {&h->vectors, sizeof(struct wire_vector)},
        {&h->hits, 4},
        {&h->uses, 4},
        {&h->nodes, sizeof(struct wire_node)},
        {&h->snapshots, sizeof(struct wire_snapshot)},
        {&h->bytes, 1},
        {&h->labels, sizeof(wire_label)},
        {&h->places, sizeof(struct wire_place)},
        {&h->strings, 1},
    };
    size_t at = (sizeof *h + 63) & ~(size_t)63;
    for (size_t i = 0; i < sizeof areas / sizeof *areas; i++) {
        *areas[i].area = (struct wire_area){at, ROOM};
        at += (ROOM * areas[i].item + 63) & ~(size_t)63;
    }
    return at;
}

// A batch of RUNS runs that a target has answered well: a place, a use, a record.
static void make(struct memory *m)
{
    struct wire_header plan = {
        .magic = WIRE_MAGIC, .version = WIRE_VERSION, .goal_count = 8, .task_count = 1};
    m->size = lay_out(&plan);
    plan.size = m->size;
    plan.node_count = plan.place_count = plan.string_count = 1;
    plan.run_count = RUNS;
    m->own = xcalloc(1, m->size);
    m->shared = xcalloc(1, m->size);
    *m->own = *m->shared = plan;
    struct wire_header *h = m->shared;
    struct wire_place *places = (void *)((char *)h + h->places.offset);
    struct wire_run *runs = (void *)((char *)h + h->runs.offset);
    places[1] = (struct wire_place){.name = 1, .type = WIRE_T_SIGNED, .bits = 32, .count = 1};
    memcpy((char *)h + h->strings.offset + 1, "arg:x", 6);
    ((uint32_t *)((char *)h + h->uses.offset))[0] = 1;
    h->place_count = 2;
    h->string_count = 7;
    h->use_count = h->record_count = h->hit_count = 1;
    h->input_size = 4;
    h->node_count = 2;
    h->runs_done = RUNS;
    for (unsigned i = 0; i < RUNS; i++)
        runs[i] =
            (struct wire_run){.status = WIRE_OK, .use_count = 1, .record_count = 1, .hit_count = 1};
}

static void release(struct memory *m)
{
    free(m->own);
    free(m->shared);
}

static void a_good_answer_is_taken_over(void **state)
{
    (void)state;
    struct memory m;
    make(&m);
    assert_true(answer_take(m.shared, m.own));
    assert_int_equal(m.own->runs_done, RUNS);
    assert_int_equal(m.own->place_count, 2);
    assert_string_equal((char *)m.own + m.own->strings.offset + 1, "arg:x");
    release(&m);
}

static void a_place_may_become_a_leaf_later(void **state)
{
    (void)state;
    struct memory m;
    make(&m);
    struct wire_place *theirs = (void *)((char *)m.shared + m.shared->places.offset);
    const struct wire_place *ours = (void *)((char *)m.own + m.own->places.offset);
    theirs[1].type = WIRE_T_NONE;
    assert_true(answer_take(m.shared, m.own));
    theirs[1].type = WIRE_T_SHAPE;
    assert_true(answer_take(m.shared, m.own));
    assert_int_equal(ours[1].type, WIRE_T_SHAPE);
    release(&m);
}

static void a_place_never_moves(void **state)
{
    (void)state;
    struct memory m;
    make(&m);
    struct wire_place *theirs = (void *)((char *)m.shared + m.shared->places.offset);
    assert_true(answer_take(m.shared, m.own));
    theirs[1].offset = 8;
    assert_false(answer_take(m.shared, m.own));
    theirs[1].offset = 0;
    theirs[1].name = 2;
    assert_false(answer_take(m.shared, m.own));
    theirs[1].name = 1;
    assert_true(answer_take(m.shared, m.own));
    release(&m);
}

static void what_the_engine_wrote_must_stand(void **state)
{
    (void)state;
    struct memory m;
    make(&m);
    m.shared->hits.offset += 8;
    assert_false(answer_take(m.shared, m.own));
    m.shared->hits.offset -= 8;
    m.shared->run_count++;
    assert_false(answer_take(m.shared, m.own));
    m.shared->run_count--;
    m.shared->runs_done--; // not all
    assert_false(answer_take(m.shared, m.own));
    answer_take_done(m.shared, m.own);
    assert_int_equal(m.own->runs_done, RUNS - 1);
    release(&m);
}

static void check_fits(const struct wire_header *own)
{
    const struct wire_run *runs = (const void *)((const char *)own + own->runs.offset);
    const uint32_t *uses = (const void *)((const char *)own + own->uses.offset);
    assert_true(own->use_count <= ROOM && own->record_count <= ROOM && own->place_count <= ROOM);
    for (uint32_t i = 0; i < own->runs_done; i++) {
        assert_true((uint64_t)runs[i].first_use + runs[i].use_count <= own->use_count);
        assert_true((uint64_t)runs[i].first_record + runs[i].record_count <= own->record_count);
        assert_true((uint64_t)runs[i].first_hit + runs[i].hit_count <= own->hit_count);
        assert_true((uint64_t)runs[i].first_vector + runs[i].vector_count <= own->vector_count);
        assert_true(runs[i].fault < WIRE_FAULT_COUNT && runs[i].soft_count <= WIRE_MAX_SOFT);
        for (uint32_t k = 0; k < runs[i].use_count; k++)
            assert_true(uses[runs[i].first_use + k] < own->place_count);
    }
}

static void any_noise_fits_or_is_refused(void **state)
{
    (void)state;
    struct rng rng = {4711};
    unsigned taken = 0, refused = 0;
    for (unsigned round = 0; round < 20000; round++) {
        struct memory m;
        make(&m);
        for (unsigned i = 0, n = 1 + (unsigned)(rng_next(&rng) % 3); i < n; i++) {
            // The header and the runs come first, and are met most often.
            size_t room = rng_next(&rng) % 2 ? sizeof(struct wire_header) : m.size;
            uint32_t noise =
                rng_next(&rng) % 2 ? (uint32_t)rng_next(&rng) : (uint32_t)rng_next(&rng) % 80;
            memcpy((char *)m.shared + rng_next(&rng) % (room / 4) * 4, &noise, 4);
        }
        bool fits = answer_take(m.shared, m.own);
        taken += fits;
        refused += !fits;
        check_fits(m.own);
        release(&m);
    }
    assert_true(taken > 100);
    assert_true(refused > 100);
}

int test_answer(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_answer_is_taken_over),
        cmocka_unit_test(a_place_may_become_a_leaf_later),
        cmocka_unit_test(a_place_never_moves),
        cmocka_unit_test(what_the_engine_wrote_must_stand),
        cmocka_unit_test(any_noise_fits_or_is_refused),
    };
    return cmocka_run_group_tests_name("answer", tests, NULL, NULL);
}
