// SPDX-License-Identifier: Apache-2.0
// The HTML report of a run directory, from its store.
#ifndef CZ_REPORT_FOLDER_H
#define CZ_REPORT_FOLDER_H

#include "base/error.h"

// Writes the report to `out`, or to DIRECTORY/report without one.
bool report_folder_write(const char *directory, const char *out, struct error *err);

#endif
