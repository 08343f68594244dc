// SPDX-License-Identifier: Apache-2.0
// What several formats need.
#include "report/formats.h"

#include <string.h>

const char *format_path(const struct format_settings *settings, const char *path)
{
    size_t length = strlen(settings->root);
    while (length && settings->root[length - 1] == '/')
        length--;
    return strncmp(path, settings->root, length) == 0 && path[length] == '/' && path[length + 1]
               ? path + length + 1
               : path;
}

enum alarm_level format_alarm_level(const struct result_alarm *alarm)
{
    return alarm->ruled_out                ? ALARM_LEVEL_NONE
           : alarm->proof < ALARM_REPLAYED ? ALARM_LEVEL_NOTE
           : alarm->is_bug                 ? ALARM_LEVEL_ERROR
                                           : ALARM_LEVEL_WARNING;
}
