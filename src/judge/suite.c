// SPDX-License-Identifier: Apache-2.0
// Greedy set cover. Elements are goals (0 .. 2B-1) and decision vectors (2B + index).
// Runs that were cut off or crashed cover only what no clean run covers: their
// replays are slow or end early, so they come into play in a second round.
#include "judge/suite.h"

#include "base/check.h"

#include <stdlib.h>
#include <string.h>

struct cover {
    const struct campaign *campaign;
    size_t vector_base;
    bool *needed; // elements that still have to be covered
    bool *chosen; // tests
};

static bool clean(const struct kept_test *test)
{
    return test->status == WIRE_OK || test->status == WIRE_EXIT;
}

static size_t count_needed(const struct cover *cover, const struct kept_test *test)
{
    size_t gain = 0;
    for (size_t i = 0; i < test->goal_count; i++)
        gain += cover->needed[test->goals[i]];
    for (size_t i = 0; i < test->vector_count; i++)
        gain += cover->needed[cover->vector_base + test->vectors[i]];
    return gain;
}

static void suite_take_run(struct cover *cover, size_t index)
{
    const struct kept_test *test = &cover->campaign->kept.items[index];
    cover->chosen[index] = true;
    for (size_t i = 0; i < test->goal_count; i++)
        cover->needed[test->goals[i]] = false;
    for (size_t i = 0; i < test->vector_count; i++)
        cover->needed[cover->vector_base + test->vectors[i]] = false;
}

// Equal gain: the smaller input is easier to read.
static bool is_better(const struct kept_test *test, size_t gain, const struct kept_test *best,
                      size_t best_gain)
{
    return gain > best_gain || (gain && gain == best_gain && test->use_count < best->use_count);
}

// A test's gain only shrinks, so that its last one is a bound: most need not be counted again.
static void greedy(struct cover *cover, bool only_clean)
{
    const struct kept_test *tests = cover->campaign->kept.items;
    size_t count = cover->campaign->kept.count;
    size_t *bounds = xcalloc(count + 1, sizeof *bounds);
    for (size_t i = 0; i < count; i++)
        bounds[i] = SIZE_MAX;
    for (;;) {
        size_t best = 0, best_gain = 0;
        for (size_t i = 0; i < count; i++) {
            if (cover->chosen[i] || (only_clean && !clean(&tests[i])) ||
                !is_better(&tests[i], bounds[i], &tests[best], best_gain))
                continue;
            bounds[i] = count_needed(cover, &tests[i]);
            if (is_better(&tests[i], bounds[i], &tests[best], best_gain)) {
                best = i;
                best_gain = bounds[i];
            }
        }
        if (!best_gain)
            break;
        suite_take_run(cover, best);
    }
    free(bounds);
}

// Mark the vectors of one pair per shown condition; reuse vectors among conditions.
static void need_pairs(struct cover *cover)
{
    const struct coverage *coverage = &cover->campaign->coverage;
    bool *prefer = xcalloc(coverage->vectors.count + 1, sizeof(bool));
    bool *ran = xcalloc(coverage->vectors.count + 1, sizeof(bool));
    for (size_t i = 0; i < coverage->vectors.count; i++)
        ran[i] = coverage->vectors.items[i].ran;
    for (size_t b = 0; b < coverage->program->branch_count; b++) {
        size_t pair[2];
        if (!coverage->pair_shown[b] || !coverage_pair(coverage, b, prefer, pair))
            continue;
        if (!ran[pair[0]] || !ran[pair[1]]) // perhaps there is one without crashes
            coverage_pair(coverage, b, ran, pair);
        for (int i = 0; i < 2; i++) {
            prefer[pair[i]] = true;
            cover->needed[cover->vector_base + pair[i]] = true;
        }
    }
    free(prefer);
    free(ran);
}

// Is everything that this test is needed for in other clean tests of the suite?
static bool redundant(const struct cover *cover, size_t index, const unsigned *uses,
                      const bool *required)
{
    const struct kept_test *test = &cover->campaign->kept.items[index];
    unsigned own = clean(test);
    if (test->first_of_alarm)
        return false;
    for (size_t i = 0; i < test->goal_count; i++)
        if (required[test->goals[i]] && uses[test->goals[i]] <= own)
            return false;
    for (size_t i = 0; i < test->vector_count; i++) {
        size_t element = cover->vector_base + test->vectors[i];
        if (required[element] && uses[element] <= own)
            return false;
    }
    return true;
}

static void tally(const struct cover *cover, size_t index, unsigned *uses, int by)
{
    const struct kept_test *test = &cover->campaign->kept.items[index];
    for (size_t i = 0; i < test->goal_count; i++)
        uses[test->goals[i]] += (unsigned)by;
    for (size_t i = 0; i < test->vector_count; i++)
        uses[cover->vector_base + test->vectors[i]] += (unsigned)by;
}

// Greedy choices can become superfluous through later ones.
static void drop_redundant(struct cover *cover, const bool *required, size_t elements)
{
    const struct campaign *c = cover->campaign;
    unsigned *uses = xcalloc(elements, sizeof *uses); // by clean tests
    for (size_t i = 0; i < c->kept.count; i++)
        if (cover->chosen[i] && clean(&c->kept.items[i]))
            tally(cover, i, uses, 1);
    for (size_t i = c->kept.count; i-- > 0;) {
        if (!cover->chosen[i] || !redundant(cover, i, uses, required))
            continue;
        cover->chosen[i] = false;
        if (clean(&c->kept.items[i]))
            tally(cover, i, uses, -1);
    }
    free(uses);
}

// A task whose branches all lie in front of a crash, or that has none, still gets a test
// that shows it working.
static void choose_a_clean_one(struct cover *cover)
{
    const struct campaign *c = cover->campaign;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < c->kept.count; i++) {
        if (!clean(&c->kept.items[i]))
            continue;
        if (cover->chosen[i])
            return;
        if (best == SIZE_MAX || c->kept.items[i].use_count < c->kept.items[best].use_count)
            best = i;
    }
    if (best != SIZE_MAX)
        cover->chosen[best] = true;
}

// Everything that is required and some kept test shows, a chosen one shows.
static const char *check_suite(const struct cover *cover, const bool *required, size_t elements)
{
    const struct campaign *c = cover->campaign;
    bool *there = xcalloc(2 * elements, sizeof *there), *shown = there + elements;
    for (size_t i = 0; i < c->kept.count; i++) {
        const struct kept_test *test = &c->kept.items[i];
        for (size_t g = 0; g < test->goal_count; g++) {
            there[test->goals[g]] = true;
            shown[test->goals[g]] |= cover->chosen[i];
        }
        for (size_t v = 0; v < test->vector_count; v++) {
            there[cover->vector_base + test->vectors[v]] = true;
            shown[cover->vector_base + test->vectors[v]] |= cover->chosen[i];
        }
    }
    const char *wrong = NULL;
    for (size_t e = 0; e < elements && !wrong; e++)
        if (required[e] && there[e] && !shown[e])
            wrong = "the suite does not cover what the kept tests cover";
    free(there);
    return wrong;
}

// Of one task: the goals of a test are sorted and different, and all numbers are in range.
static const char *check_kept(const struct campaign *c)
{
    size_t goals = 2 * c->coverage.program->branch_count;
    for (size_t i = 0; i < c->kept.count; i++) {
        const struct kept_test *test = &c->kept.items[i];
        for (size_t g = 0; g < test->goal_count; g++)
            if (test->goals[g] >= goals || (g && test->goals[g] <= test->goals[g - 1]))
                return "the goals of a kept test are not sorted";
        for (size_t v = 0; v < test->vector_count; v++)
            if (test->vectors[v] >= c->coverage.vectors.count)
                return "a kept test shows a vector that is not there";
    }
    return NULL;
}

size_t suite_choose(const struct campaign *c, struct arena *arena, size_t **chosen)
{
    MUST_HOLD(check_kept(c)); // another process has sent them
    size_t goals = 2 * c->coverage.program->branch_count;
    size_t elements = goals + c->coverage.vectors.count + 1;
    struct cover cover = {.campaign = c,
                          .vector_base = goals,
                          .needed = xcalloc(elements, sizeof(bool)),
                          .chosen = xcalloc(c->kept.count + 1, sizeof(bool))};
    for (size_t i = 0; i < goals; i++)
        cover.needed[i] = c->coverage.covered[i];
    need_pairs(&cover);
    bool *required = xcalloc(elements, sizeof(bool));
    memcpy(required, cover.needed, elements * sizeof(bool));
    for (size_t i = 0; i < c->kept.count; i++)
        if (c->kept.items[i].first_of_alarm)
            cover.chosen[i] = true; // its goals still want a clean test
    greedy(&cover, true);
    for (size_t i = 0; i < c->kept.count; i++)
        if (cover.chosen[i])
            suite_take_run(&cover, i);
    greedy(&cover, false);
    drop_redundant(&cover, required, elements);
    choose_a_clean_one(&cover);
    MUST_HOLD(check_suite(&cover, required, elements));

    *chosen = arena_array(arena, size_t, c->kept.count);
    size_t count = 0;
    for (size_t i = 0; i < c->kept.count; i++)
        if (cover.chosen[i])
            (*chosen)[count++] = i;
    if (!count && c->kept.count) // code without branches still gets one test
        (*chosen)[count++] = 0;
    free(required);
    free(cover.needed);
    free(cover.chosen);
    return count;
}
