// SPDX-License-Identifier: Apache-2.0
// The tests in question are replayed together first: what they show is covered, by whomever.
// Halving that list then tells which test it is. Goals that only tests show which ended early
// (exit, a crash) may be counts that llvm-cov derived; they are dropped.
#include "judge/attribution.h"
#include "judge/measured.h"

#include "base/tunables.h"
#include "base/vec.h"

struct search {
    const struct verdicts_request *r;
    VEC(const char *) paths; // of tests that the engine stopped and that end on the clean build
    VEC(struct result_test *) tests;
    unsigned replays;
};

static void collect(struct search *s)
{
    for (size_t i = 0; i < s->r->count; i++) {
        struct result_test *test = s->r->task->tests.items[i];
        if (!test->cut_short || test->dies || test->leaves)
            continue;
        *VEC_PUSH(&s->paths) = s->r->paths[i];
        *VEC_PUSH(&s->tests) = test;
    }
}

static bool replay(struct search *s, size_t first, size_t count, struct replay_coverage *out,
                   struct error *err)
{
    s->replays++;
    return replay_apart(s->r->clean, s->paths.items + first, count, s->r->arena, out, err);
}

// `coverage` is that of the tests from `first`.
static bool narrow(struct search *s, size_t first, size_t count,
                   const struct replay_coverage *coverage, struct error *err)
{
    const struct verdicts_request *r = s->r;
    if (count == 1)
        measured_attribute(r->result, r->task, s->tests.items[first], coverage->unit);
    size_t half = count / 2;
    for (size_t part = 0; count > 1 && part < 2; part++) {
        size_t start = part ? first + half : first, length = part ? count - half : half;
        struct replay_coverage some;
        if (s->replays >= JUDGE_REPLAYS ||
            !measured_unattributed(r->result, r->task, coverage->unit))
            return true;
        if (!replay(s, start, length, &some, err) || !narrow(s, start, length, &some, err))
            return false;
    }
    return true;
}

bool attribution_find(const struct verdicts_request *r, struct error *err)
{
    struct search s = {.r = r};
    struct replay_coverage all = {0};
    collect(&s);
    bool good = !s.paths.count || replay(&s, 0, s.paths.count, &all, err);
    if (good)
        measured_drop_phantoms(r->result, r->task, all.unit);
    if (good && s.paths.count)
        good = narrow(&s, 0, s.paths.count, &all, err);
    VEC_RELEASE(&s.paths);
    VEC_RELEASE(&s.tests);
    return good;
}
