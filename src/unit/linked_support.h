// SPDX-License-Identifier: Apache-2.0
// Functions of the project's other files that a unit needs as they are (facts/support.h).
#ifndef CZ_UNIT_LINKED_SUPPORT_H
#define CZ_UNIT_LINKED_SUPPORT_H

#include "unit/unit.h"

// Fills unit->support and marks the functions; files are not changed. Never fails: what
// cannot be had is stubbed.
void linked_support_find(const struct unit_request *request, struct unit *unit);

#endif
