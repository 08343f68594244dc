// SPDX-License-Identifier: Apache-2.0
// Arrays that the unit declares without bounds (`extern unsigned char window[];`).
#ifndef CZ_UNIT_EXTERN_BOUNDS_H
#define CZ_UNIT_EXTERN_BOUNDS_H

#include "unit/unit.h"

// They get the bounds with which another file of the project defines them. Where none does,
// the driver has to choose.
void extern_bounds_find(const struct unit_request *request, struct unit *unit);

#endif
