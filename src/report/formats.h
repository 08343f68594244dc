// SPDX-License-Identifier: Apache-2.0
// Formats for other programs, listed in formats.def. Each reads an aggregated result only. Their
// sums are those of summary.json, and file names and source text are escaped (escape.h).
#ifndef CZ_REPORT_FORMATS_H
#define CZ_REPORT_FORMATS_H

#include "base/buf.h"
#include "result/result.h"

struct format_settings {
    const char *root; // absolute; names of files below it are relative to it, except lcov's
    bool mcdc;        // lcov: with MC/DC records
    int64_t when;     // the time of the result, in seconds since 1970
};

#define TEXT_FORMAT(name, help)                                                                    \
    void report_as_##name(const struct result *result, const struct format_settings *settings,     \
                          struct buf *out);
#define FOLDER_FORMAT(name, function, help)
#include "report/formats.def"
#undef TEXT_FORMAT
#undef FOLDER_FORMAT

// The name of a file as these formats write it.
const char *format_path(const struct format_settings *settings, const char *path);

// What an alarm is worth. Nothing of ALARM_LEVEL_NONE is shown to somebody who reads a change: the
// callers rule it out.
enum alarm_level {
    ALARM_LEVEL_NONE,
    ALARM_LEVEL_NOTE,    // no build of the user's code has shown it
    ALARM_LEVEL_WARNING, // an alarm
    ALARM_LEVEL_ERROR,   // a bug
};
enum alarm_level format_alarm_level(const struct result_alarm *alarm);

#endif
