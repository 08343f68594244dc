// SPDX-License-Identifier: Apache-2.0
// Sources of values; sources.def lists them.
#ifndef ATTACK_SOURCES_H
#define ATTACK_SOURCES_H

#include "unit.h"

#define SOURCE(name, weight) void source_##name(struct fn *fn);
#include "sources.def"
#undef SOURCE

// Add a random source, or the one that is named by the environment (ATTACK_SOURCE).
void sources_add(struct fn *fn);

#endif
