// SPDX-License-Identifier: Apache-2.0
// Refuting claims. All functions are run in the plain builds; a claim whose goal was seen is
// then looked at closely: without which features the attack still succeeds (the others are
// needed), and whether it also succeeds under ASan and UBSan, and under MSan, which end an
// execution at the first undefined behaviour, so that a goal seen there was reached without.
#include "attacker.h"
#include "rt/attack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const feature_texts[] = {
#define FEATURE(name, text) text,
#include "rt/features.def"
#undef FEATURE
};
enum { ALL_FEATURES = (1 << FEATURE_COUNT) - 1 };

// What the words of an assumption exclude.
static const struct {
    const char *words;
    unsigned features;
} excluded[] = {
    {"objects are as", 1 << FEATURE_ALIAS | 1 << FEATURE_SENTINEL | 1 << FEATURE_BIG},
    {"byte of a _Bool", 1 << FEATURE_PADDING},
    {"pointers are built", 1 << FEATURE_ALIAS | 1 << FEATURE_SENTINEL | 1 << FEATURE_BIG},
    {"--depth", 1 << FEATURE_BIG},
    {"--elements", 1 << FEATURE_BIG},
    {"call", 1 << FEATURE_CALLS},
    {"locale", 1 << FEATURE_LOCALE},
    {"rounds to nearest", 1 << FEATURE_ROUNDING},
};

int attack_task(const char *function)
{
    int number;
    char end;
    return sscanf(function, "fn%d%c", &number, &end) == 1 ? number : -1;
}

// The pair of vectors that shows the condition's independence and took the fewest features.
static bool find_pair(const struct sighting (*vectors)[64], int position, unsigned *features)
{
    bool found = false;
    for (unsigned a = 0; a < 64; a++) {
        for (unsigned b = 0; b < 64; b++) {
            if (!vectors[0][a].iteration || !vectors[1][b].iteration)
                continue;
            bool pair = true;
            for (int i = 0; i < 3; i++) {
                unsigned x = a >> 2 * i & 3, y = b >> 2 * i & 3;
                pair = pair && (i == position ? x && y && x != y : !x || !y || x == y);
            }
            unsigned both = vectors[0][a].features | vectors[1][b].features;
            if (pair && (!found || __builtin_popcount(both) < __builtin_popcount(*features)))
                *features = both;
            found = found || pair;
        }
    }
    return found;
}

bool attack_saw(const struct attack *attack, const struct claim *claim, unsigned task,
                unsigned *features)
{
    *features = 0;
    if (claim->goal < 0)
        return false;
    const struct marks *marks = attack->builds.marks;
    if (!claim->vectors) {
        const struct sighting *seen = &marks->seen[task][claim->goal][claim->outcome];
        *features = seen->features;
        return seen->iteration != 0;
    }
    const struct goal *goal = &attack->claims.goals.items[claim->goal];
    return goal->decision >= 0 &&
           find_pair(marks->vectors[task][goal->decision], goal->position, features);
}

// Does a build reach the claim's goal with these features only? Otherwise attack->reports is
// how many executions a sanitizer ended.
static bool reaches(struct attack *attack, const struct claim *claim, enum build build,
                    unsigned features)
{
    struct error err = {0};
    int task = attack_task(claim->task);
    if (!builds_make(&attack->builds, build, &err))
        BUG("%s", err.text);
    attack->reports = 0;
    for (int strong = 0; strong <= attack->builds.has_strong; strong++) {
        struct run run = {.build = build,
                          .strong = strong,
                          .seed = attack->seed,
                          .features = features,
                          .count = attack->iterations,
                          .function = task,
                          .goal = claim->vectors ? -1 : claim->goal,
                          .outcome = claim->outcome};
        builds_clear(&attack->builds);
        if (!builds_run(&attack->builds, &run, &err))
            BUG("%s", err.text);
        unsigned took;
        if (attack_saw(attack, claim, (unsigned)task, &took))
            return true;
        attack->reports += attack->builds.marks->reports;
    }
    return false;
}

// A goal that a sanitizer's build does not reach although the sanitizer has nothing to report
// depends on addresses, which differ there.
static bool reaches_cleanly(struct attack *attack, const struct claim *claim, enum build build,
                            unsigned features)
{
    return reaches(attack, claim, build, features) || attack->reports == 0;
}

// Leave out one feature after the other.
static unsigned needed_features(struct attack *attack, const struct claim *claim, unsigned features,
                                enum build *build)
{
    if (!reaches(attack, claim, *build, features))
        *build = BUILD_CLANG;
    if (*build == BUILD_CLANG && !reaches(attack, claim, *build, features)) {
        *build = BUILD_GCC; // what an earlier iteration left took part
        features = ALL_FEATURES;
    }
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        if (features >> i & 1 && reaches(attack, claim, *build, features & ~(1u << i)))
            features &= ~(1u << i);
    return features;
}

// What an execution that reaches the goal was given, as far as the caller notes it.
static void tell_inputs(struct attack *attack, const struct claim *claim, enum build build,
                        unsigned features)
{
    int task = attack_task(claim->task);
    struct error err = {0};
    if (claim->vectors || !reaches(attack, claim, build, features))
        return;
    const struct sighting seen = attack->builds.marks->seen[task][claim->goal][claim->outcome];
    struct buf notes = BUF_INIT;
    struct run run = {.build = build,
                      .seed = attack->seed,
                      .features = features,
                      .first = seen.iteration - 1,
                      .count = 1,
                      .function = task,
                      .goal = -1,
                      .notes = &notes};
    buf_printf(&attack->findings,
               "    seen by %s with seed %llu in iteration %u (features 0x%x), with\n",
               build == BUILD_GCC ? "gcc" : "clang", attack->seed, seen.iteration - 1, features);
    if (builds_run(&attack->builds, &run, &err) && strchr(buf_text(&notes), '\n'))
        buf_printf(&attack->findings, "%.2000s", strchr(buf_text(&notes), '\n') + 1);
    buf_release(&notes);
}

static void tell_claim(struct attack *attack, const struct claim *claim, const char *what,
                       unsigned features)
{
    struct buf *to = &attack->findings;
    buf_printf(to, "%s: %s/unit.c:%u %s() %s%s: %s -- %s%s%s%s\n", what, attack->directory,
               claim->line, claim->task, claim->vectors ? "condition " : "", claim->text,
               claim->vectors   ? "independent"
               : claim->outcome ? "true"
                                : "false",
               claim->strength == CLAIM_WEAK ? "(weak) " : "", claim->proof,
               *claim->reason ? ", " : "", claim->reason);
    const char *sources = attack_sources(attack, claim->task);
    if (sources)
        buf_printf(to, "    sources:%.*s\n", (int)strcspn(sources, "\n"), sources);
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        if (features >> i & 1)
            buf_printf(to, "    needs: %s\n", feature_texts[i]);
}

// A claim whose assumption excludes what the attack needs is not false.
static bool within_assumption(const struct claim *claim, unsigned features)
{
    for (unsigned i = 0; i < sizeof excluded / sizeof *excluded; i++)
        if (claim->strength == CLAIM_WEAK && strstr(claim->reason, excluded[i].words) &&
            features & excluded[i].features)
            return false;
    return true;
}

static void judge(struct attack *attack, const struct claim *claim, unsigned features)
{
    enum build build = BUILD_GCC;
    features = needed_features(attack, claim, features, &build);
    bool within = within_assumption(claim, features);
    bool defined = within && reaches_cleanly(attack, claim, BUILD_ADDRESS, features);
    bool initialised = defined && reaches_cleanly(attack, claim, BUILD_MEMORY, features);
    bool named = strstr(claim->reason, "alarm") || strstr(claim->reason, "uninitialised");
    enum count count = COUNT_FALSE_STRONG;
    const char *what = "FALSE strong claim";
    if (!within) {
        count = COUNT_OUTSIDE;
        what = "outside the assumption";
    } else if (!initialised && defined) {
        count = named ? COUNT_OUTSIDE : COUNT_UNINITIALISED;
        what = named ? "outside the assumption, uninitialised"
                     : "FALSE claim over an uninitialised read";
    } else if (!defined) {
        count = COUNT_UNDEFINED;
        what = "only after undefined behaviour";
    } else if (claim->strength == CLAIM_WEAK) {
        count = COUNT_FALSE_WEAK;
        what = "FALSE weak claim";
    }
    attack->counts[count]++;
    tell_claim(attack, claim, what, features);
    tell_inputs(attack, claim, build, features);
}

static bool run_all(struct attack *attack, struct error *err)
{
    for (enum build build = BUILD_GCC; build <= BUILD_CLANG; build++) {
        if (!builds_make(&attack->builds, build, err))
            return false;
        for (int strong = 0; strong <= attack->builds.has_strong; strong++)
            if (!builds_run(&attack->builds,
                            &(struct run){.build = build,
                                          .strong = strong,
                                          .seed = attack->seed,
                                          .features = ALL_FEATURES,
                                          .count = attack->iterations,
                                          .function = -1,
                                          .goal = -1},
                            err))
                return false;
    }
    return true;
}

bool refute_claims(struct attack *attack, struct error *err)
{
    builds_clear(&attack->builds);
    if (!run_all(attack, err))
        return false;
    size_t count = attack->claims.claims.count;
    struct {
        bool refuted;
        unsigned features;
    } *seen = calloc(count + 1, sizeof *seen);
    for (size_t i = 0; i < count; i++) {
        const struct claim *claim = &attack->claims.claims.items[i];
        int task = attack_task(claim->task);
        if (task < 0 || (claim->strength != CLAIM_STRONG && claim->strength != CLAIM_WEAK))
            continue;
        attack->counts[COUNT_ATTACKED]++;
        seen[i].refuted = attack_saw(attack, claim, (unsigned)task, &seen[i].features);
    }
    for (size_t i = 0; i < count; i++)
        if (seen[i].refuted)
            judge(attack, &attack->claims.claims.items[i], seen[i].features);
    free(seen);
    return true;
}
