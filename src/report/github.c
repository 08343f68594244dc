// SPDX-License-Identifier: Apache-2.0
// Annotations of GitHub Actions, as workflow commands on standard output: an error per bug and per
// error of the run, a warning per alarm, a notice for what no build has confirmed.
#include "report/formats.h"

#include "report/escape.h"
#include "report/report.h"

static void put_alarm(const struct result *result, const struct format_settings *settings,
                      const struct result_alarm *alarm, struct buf *out)
{
    static const char *const commands[] = {[ALARM_LEVEL_NOTE] = "notice",
                                           [ALARM_LEVEL_WARNING] = "warning",
                                           [ALARM_LEVEL_ERROR] = "error"};
    struct buf message = BUF_INIT;
    buf_printf(out, "::%s file=", commands[format_alarm_level(alarm)]);
    escape_github_property(format_path(settings, alarm->file), out);
    if (alarm->line)
        buf_printf(out, ",line=%u", alarm->line);
    buf_puts(out, ",title=");
    escape_github_property(alarm->kind, out);
    buf_puts(out, "::");
    report_alarm_words(alarm, result_alarm_task(result, alarm), &message);
    if (alarm->detail[0])
        buf_printf(&message, "\n%s", alarm->detail);
    escape_github_message(message.data, out);
    buf_putc(out, '\n');
    buf_release(&message);
}

void report_as_github(const struct result *result, const struct format_settings *settings,
                      struct buf *out)
{
    for (size_t i = 0; i < result->errors.count; i++) {
        buf_puts(out, "::error title=cadenza::");
        escape_github_message(result->errors.items[i], out);
        buf_putc(out, '\n');
    }
    for (size_t i = 0; i < result->alarms.count; i++)
        if (format_alarm_level(result->alarms.items[i]) != ALARM_LEVEL_NONE)
            put_alarm(result, settings, result->alarms.items[i], out);
}
