// SPDX-License-Identifier: Apache-2.0
// What can go wrong in a run, by name (wire/faults.def), and which of it the user wants to
// know about.
#ifndef CZ_PROGRAM_FAULTS_H
#define CZ_PROGRAM_FAULTS_H

#include "base/error.h"
#include "wire/wire.h"
#include <stdint.h>

const char *fault_words(uint32_t fault); // "division by zero"
const char *fault_check(uint32_t fault); // name for --check, "" for one that is no alarm
bool fault_is_soft(uint32_t fault);      // the run goes on
bool fault_hides_paths(uint32_t fault);  // the clean build may run on where the engine stops

// The faults that are alarms, one bit each: the usual ones and those of `more`, without
// those of `less` (names separated by commas, "all"). False: a name that is none.
bool faults_choose(const char *more, const char *less, uint32_t *out, struct error *err);

#endif
