// SPDX-License-Identifier: Apache-2.0
// What a sanitizer's report on the clean build says about faults that the engine knows.
#ifndef CZ_JUDGE_ALARM_MATCH_H
#define CZ_JUDGE_ALARM_MATCH_H

#include "replay/replay.h"
#include <stdint.h>

struct alarm_place { // in the user's source; line 0: not known
    const char *file, *function;
    uint32_t line;
};

struct alarm_place alarm_report_place(const struct program *program,
                                      const struct sanitizer_report *report);

// The same defect: a report of the fault's class, at its place. Of a stack overflow, whose
// place is one of many, the function has to be among the report's.
bool alarm_matches(const struct program *program, uint32_t fault, const struct alarm_place *at,
                   const struct sanitizer_report *report);

// Is the report of the fault's class?
bool alarm_is_of_class(uint32_t fault, enum sanitizer_class class);

// The cause of an alarm that only the report tells of, an enum wire_fault; NONE: it is the
// doing of the driver, or of the sanitizer itself. `dies`: the plain build dies, too.
uint32_t alarm_cause(const struct sanitizer_report *report, bool dies);

#endif
