// SPDX-License-Identifier: Apache-2.0
// Hardware in a unit: its bitcode is rewritten once for the engine; see also unit_rewrite.
#ifndef CZ_UNIT_HARDWARE_REWRITE_H
#define CZ_UNIT_HARDWARE_REWRITE_H

#include "unit/unit.h"

// A driver that was given, not generated, sets the volatile variables that it wants set.
bool unit_take_hardware(const struct options *options, bool has_own_driver, struct unit *unit,
                        struct error *err);

#endif
