// SPDX-License-Identifier: Apache-2.0
// The gate that --require and --count describe.
#ifndef CZ_JOBS_GATE_OPTIONS_H
#define CZ_JOBS_GATE_OPTIONS_H

#include "options/options.h"
#include "report/gate.h"

bool gate_of_options(const struct options *options, struct gate *gate, struct error *err);

// The exit codes that the gate adds. The options were checked before.
exit_set gate_exits(const struct options *options, const struct result_counts *counts);

#endif
