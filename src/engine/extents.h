// SPDX-License-Identifier: Apache-2.0
// Arrays that the unit declares without bounds (`extern unsigned char window[];`).
#ifndef CZ_ENGINE_EXTENTS_H
#define CZ_ENGINE_EXTENTS_H

#include "engine/unit.h"

// They get the bounds with which another file of the project defines them. Where none does,
// the driver has to choose.
void extents_find(const struct unit_request *request, struct unit *unit);

#endif
