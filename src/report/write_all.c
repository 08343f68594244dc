// SPDX-License-Identifier: Apache-2.0
// Puts all reports into the run directory.
#include "report/report.h"

#include "base/fs.h"

static bool write_text(const struct result *result, const char *directory, const char *name,
                       void (*make)(const struct result *, struct buf *), struct error *err)
{
    struct buf text = BUF_INIT, path = BUF_INIT;
    buf_printf(&path, "%s/%s", directory, name);
    make(result, &text);
    bool good = fs_write(path.data, buf_text(&text), text.length, err);
    buf_release(&text);
    buf_release(&path);
    return good;
}

bool report_write_all(const struct result *result, const char *directory, struct error *err)
{
    bool good = fs_make_dirs(directory, err) &&
                write_text(result, directory, "goals.txt", report_goals, err) &&
                write_text(result, directory, "preconditions.txt", report_preconditions, err) &&
                write_text(result, directory, "summary.json", report_summary_json, err);
    return good || error_context(err, "writing the results");
}
