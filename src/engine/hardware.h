// SPDX-License-Identifier: Apache-2.0
// Hardware in a unit: its bitcode is rewritten once for the engine; see also unit_rewrite.
#ifndef CZ_ENGINE_HARDWARE_H
#define CZ_ENGINE_HARDWARE_H

#include "engine/unit.h"

bool unit_take_hardware(const struct options *options, struct unit *unit, struct error *err);

#endif
