// SPDX-License-Identifier: Apache-2.0
// Options whose values only the search can check: goals, causes of alarms, layers of the solver.
#ifndef CZ_CAMPAIGN_CAMPAIGN_OPTIONS_H
#define CZ_CAMPAIGN_CAMPAIGN_OPTIONS_H

#include "base/error.h"
#include "options/options.h"
#include <stdbool.h>

// ERROR_USAGE: one of them is not known.
bool campaign_check_options(const struct options *options, struct error *err);

#endif
