// SPDX-License-Identifier: Apache-2.0
// Facts of a project (src/facts) from its list of files.
#ifndef CZ_UNIT_PROJECT_FACTS_H
#define CZ_UNIT_PROJECT_FACTS_H

#include "facts/facts.h"
#include "project/project.h"

// Read all files; `directory` is made for it and removed. False: there are no facts.
bool project_facts_build(const struct project *project, const char *directory, unsigned jobs,
                         struct facts **out, struct error *err);

#endif
