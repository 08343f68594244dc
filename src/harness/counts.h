// SPDX-License-Identifier: Apache-2.0
// How many elements the driver builds. Most of these numbers are known when the driver is
// written; those that --elements sizes are known in each execution, because an input can raise
// that bound (cz_elements() in include/cz/driver.h).
#ifndef CZ_HARNESS_COUNTS_H
#define CZ_HARNESS_COUNTS_H

#include "base/tunables.h"
#include <stdbool.h>
#include <stdint.h>

struct arena;

// The smallest of one or more lines. A line is plus + times * E, where E is the bound in force,
// but no less than `least` and no more than `most`. A number that no bound moves is one line with
// times == 0; zero, or no line, stands for "nothing is said".
struct count {
    unsigned lines;
    struct count_line {
        uint64_t plus, times;
        uint64_t least, most;
    } line[HARNESS_COUNT_LINES];
};

struct count count_fixed(uint64_t number);
// From `start`, with --elements as it is given, up to `most`; fixed if that is no more.
struct count count_bounded(uint64_t start, uint64_t most);
struct count count_plus(struct count count, uint64_t more);
struct count count_times(struct count count, uint64_t factor);
// As before, but not above `limit`, unless it starts there.
struct count count_limit(struct count count, uint64_t limit);
// The smaller of them, whatever the bound.
struct count count_smaller(struct count a, struct count b);

bool count_is_fixed(struct count count);
uint64_t count_start(struct count count); // with --elements as it is given
uint64_t count_most(struct count count);
// True: a is no less than b, whatever the bound.
bool count_covers(struct count a, struct count b);

// C: "10", "cz_elements(10, 256)", "(3 * cz_elements(10, 256) + 1)"; of several lines
// "(20 < cz_elements(15, 256) ? 20 : cz_elements(15, 256))".
const char *count_text(struct arena *arena, struct count count);
// For a note, which speaks of the start, as claims do: "10", "10 (--elements)".
const char *count_spoken(struct arena *arena, struct count count);

#endif
