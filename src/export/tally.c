// SPDX-License-Identifier: Apache-2.0
// The formats, and how many tests an export has, with the reasons why some are disabled.
#include "export/c_writer.h"
#include "base/fs.h"

#include <stdio.h>
#include <string.h>

#define FORMAT(name, function) export_writer function;
#include "export/formats.def"
#undef FORMAT

static const struct {
    const char *name;
    export_writer *write;
} formats[] = {
#define FORMAT(name, function) {#name, function},
#include "export/formats.def"
#undef FORMAT
};

export_writer *export_find(const char *format)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(formats[i].name, format))
            return formats[i].write;
    return NULL;
}

const char *export_formats(struct arena *arena)
{
    struct buf text = BUF_INIT;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        buf_printf(&text, "%s%s", i ? ", " : "", formats[i].name);
    const char *names = arena_strdup(arena, buf_text(&text));
    buf_release(&text);
    return names;
}

const char *export_task_directory(const struct export_request *request,
                                  const struct result_task *task)
{
    const struct result_part *part = request->result->parts.items[task->part];
    return arena_printf(request->arena, "%s/%s/%s", request->directory,
                        *part->name ? part->name : fs_basename(part->file), task->function);
}

bool export_check_sources(const struct result *result, struct error *err)
{
    for (size_t i = 0; i < result->sources.count; i++) {
        const struct result_source *source = &result->sources.items[i];
        uint64_t hash;
        char text[17];
        if (!*source->hash)
            continue;
        if (!fs_hash(source->path, &hash, err))
            return error_context(err, "a source of the run");
        snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
        if (strcmp(text, source->hash) != 0)
            return error_set(err, ERROR_SOURCE,
                             "%s has changed since the run: run cadenza again before the export",
                             source->path);
    }
    return true;
}

void tally_add(struct export_tally *tally, const struct export_test *test, struct arena *arena)
{
    tally->tests++;
    if (!test->disabled)
        return;
    tally->disabled++;
    for (size_t i = 0; i < tally->reason_count; i++)
        if (!strcmp(tally->reasons[i].text, test->disabled)) {
            tally->reasons[i].tests++;
            return;
        }
    struct export_reason *more = arena_array(arena, struct export_reason, tally->reason_count + 1);
    if (tally->reason_count)
        memcpy(more, tally->reasons, tally->reason_count * sizeof *more);
    more[tally->reason_count++] = (struct export_reason){arena_strdup(arena, test->disabled), 1};
    tally->reasons = more;
}

void export_describe(const struct export_tally *tally, struct buf *out)
{
    buf_printf(out, "%zu of %zu tests exported", tally->tests - tally->disabled, tally->tests);
    if (tally->disabled)
        buf_printf(out, ", %zu disabled:", tally->disabled);
    buf_putc(out, '\n');
    for (size_t i = 0; i < tally->reason_count; i++)
        buf_printf(out, "  %zu: %s\n", tally->reasons[i].tests, tally->reasons[i].text);
}
