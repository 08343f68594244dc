// SPDX-License-Identifier: Apache-2.0
// A hash of everything that a unit is built from and that is reported about it: the text of the
// file with the tasks; the preprocessed texts with their drivers, which hold what is known of the
// project's other files and what preconditions say; where every line comes from; code of other
// files that is linked; flags; notes. If it is the same, so is the target.
#ifndef CZ_UNIT_UNIT_DIGEST_H
#define CZ_UNIT_UNIT_DIGEST_H

#include "unit/unit.h"

// The drivers have been written, nothing has been compiled.
uint64_t unit_digest(const struct unit_request *request, const struct unit *unit);

#endif
