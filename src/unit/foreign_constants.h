// SPDX-License-Identifier: Apache-2.0
// Constants that the unit uses and other files of the project define (facts/constants.h).
#ifndef CZ_UNIT_FOREIGN_CONSTANTS_H
#define CZ_UNIT_FOREIGN_CONSTANTS_H

#include "unit/unit.h"

// Adds to unit->support and marks the variables, and the functions that need a stub
// because a table names them. Never fails: what cannot be had stays zero and is noted.
void foreign_constants_find(const struct unit_request *request, struct unit *unit);

#endif
