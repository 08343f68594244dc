// SPDX-License-Identifier: Apache-2.0
// The HTML report of a result: a folder of pages that a browser opens from the disk, without a
// network. The pages come from the result alone, which may be that of a run or read from a store;
// equal results give equal bytes.
#ifndef CZ_HTML_REPORT_H
#define CZ_HTML_REPORT_H

#include "base/error.h"
#include "result/result.h"

// Writes `directory`/index.html and the rest. All pages are written to a temporary folder beside
// it, which then takes its place; on failure an older report stays as it was. A directory that is
// neither empty nor a report of ours is not replaced.
bool html_report_write(const struct result *result, const char *directory, struct error *err);

#endif
