// SPDX-License-Identifier: Apache-2.0
// Facts of a project (src/facts) from its list of files.
#ifndef CZ_ENGINE_KNOWLEDGE_H
#define CZ_ENGINE_KNOWLEDGE_H

#include "facts/facts.h"
#include "project/project.h"

// Read all files; `directory` is made for it and removed. False: there are no facts.
bool knowledge_build(const struct project *project, const char *directory, unsigned jobs,
                     struct facts **out, struct error *err);

#endif
