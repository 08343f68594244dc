// SPDX-License-Identifier: Apache-2.0
// Stride scheduling: the lane that has spent least is next, and work counts less in a lane that
// gains more. See scheduler.h.
#include "campaign/scheduler.h"

#include "base/tunables.h"
#include <assert.h>

void scheduler_init(struct scheduler *scheduler)
{
    static const double shares[] = {
#define GENERATOR(name, share) share,
#include "campaign/generators.def"
#undef GENERATOR
    };
    *scheduler = (struct scheduler){0};
    for (int i = 0; i < GENERATOR_COUNT; i++)
        scheduler->lanes[i].share = shares[i];
}

static double rate_of(double gain, double work)
{
    return (gain + 1) / (work + CAMPAIGN_UNTRIED);
}

static double weight_of(const struct scheduler *s, const struct scheduler_lane *lane)
{
    double gain = 0, work = 0;
    for (int i = 0; i < GENERATOR_COUNT; i++) {
        gain += s->lanes[i].share > 0 ? s->lanes[i].gain : 0;
        work += s->lanes[i].share > 0 ? s->lanes[i].work : 0;
    }
    double ratio = rate_of(lane->gain, lane->work) / rate_of(gain, work);
    double least = TUNABLE_FRACTION(CAMPAIGN_WEIGHT_LEAST_PERMILLE);
    double most = TUNABLE_FRACTION(CAMPAIGN_WEIGHT_MOST_PERMILLE);
    return lane->share * (ratio < least ? least : ratio > most ? most : ratio);
}

// A lane that comes back does not catch up on the turns that it could not use.
static void admit(struct scheduler *s, const enum generator_status *statuses)
{
    double least = -1;
    for (int i = 0; i < GENERATOR_COUNT; i++) {
        const struct scheduler_lane *lane = &s->lanes[i];
        if (statuses[i] == GENERATOR_READY && lane->was_ready && (least < 0 || lane->spent < least))
            least = lane->spent;
    }
    for (int i = 0; i < GENERATOR_COUNT; i++) {
        struct scheduler_lane *lane = &s->lanes[i];
        bool ready = statuses[i] == GENERATOR_READY;
        if (ready && !lane->was_ready && lane->spent < least)
            lane->spent = least;
        lane->was_ready = ready;
    }
}

enum generator_id scheduler_next(struct scheduler *s, const enum generator_status *statuses)
{
    int next = SCHEDULER_NOBODY;
    admit(s, statuses);
    for (int i = 0; i < GENERATOR_COUNT; i++) {
        assert(statuses[i] != GENERATOR_READY || s->lanes[i].share > 0);
        if (statuses[i] <= GENERATOR_WAITING)
            continue;
        bool before = next != SCHEDULER_NOBODY && statuses[i] == GENERATOR_READY &&
                      s->lanes[i].spent < s->lanes[next].spent;
        if (next == SCHEDULER_NOBODY || statuses[i] > statuses[next] ||
            (statuses[i] == statuses[next] && before))
            next = i;
    }
    return (enum generator_id)next;
}

static void forget_half(struct scheduler *s)
{
    double work = 0;
    for (int i = 0; i < GENERATOR_COUNT; i++)
        work += s->lanes[i].work;
    for (int i = 0; work > CAMPAIGN_WINDOW && i < GENERATOR_COUNT; i++) {
        s->lanes[i].work /= 2;
        s->lanes[i].gain /= 2;
    }
}

void scheduler_account(struct scheduler *s, enum generator_id id, uint64_t work, uint64_t gain)
{
    assert(id < GENERATOR_COUNT);
    struct scheduler_lane *lane = &s->lanes[id];
    if (lane->share > 0)
        lane->spent += (double)work / weight_of(s, lane);
    lane->work += (double)work;
    lane->gain += (double)gain;
    lane->turns++;
    lane->all_work += work;
    lane->all_gain += gain;
    forget_half(s);
}
