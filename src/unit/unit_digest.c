// SPDX-License-Identifier: Apache-2.0
#include "unit/unit_digest.h"

#include "base/fs.h"
#include "base/map.h"
#include <string.h>

static void add_number(uint64_t *hash, uint64_t number)
{
    *hash = hash_mix(*hash ^ number) + 1;
}

static void add_text(uint64_t *hash, const char *text)
{
    *hash = hash_bytes(text ? text : "", text ? strlen(text) : 0, *hash);
}

static void add_file(uint64_t *hash, const char *path)
{
    struct buf text = BUF_INIT;
    add_number(hash, fs_read(path, &text, NULL));
    *hash = hash_bytes(buf_text(&text), text.length, *hash);
    buf_release(&text);
}

// Runs of lines of one file are one number.
static void add_lines(uint64_t *hash, const struct program *program)
{
    const struct line_origin *last = NULL;
    for (size_t i = 0; i < program->line_count; i++) {
        const struct line_origin *line = &program->lines[i];
        if (!last || line->file != last->file)
            add_text(hash, line->file);
        if (!last || line->line != last->line + 1 || line->file != last->file)
            add_number(hash, (uint64_t)i << 32 | line->line);
        last = line;
    }
}

static void add_program(uint64_t *hash, const struct unit_text *text)
{
    const struct program *program = &text->program;
    add_text(hash, text->file.source);
    for (const char *const *flag = program->compile_flags; flag && *flag; flag++)
        add_text(hash, *flag);
    add_text(hash, program->wrapped_text);
    add_lines(hash, program);
    add_text(hash, buf_text(&text->harness.text));
    add_text(hash, text->harness.before);
}

// Which preconditions somebody rejected is asked when others are looked for.
static void add_preconditions(uint64_t *hash, const struct unit_request *request,
                              const struct unit *unit)
{
    const struct pre_list *list = request->preconditions;
    for (size_t i = 0; list && i < list->items.count; i++) {
        const struct precondition *pre = &list->items.items[i];
        bool applies = false;
        for (size_t t = 0; t < unit->program.task_count && !applies; t++)
            applies = pre_applies(pre, unit->program.tasks[t].name, unit->program.source);
        if (!applies)
            continue;
        add_number(hash, pre->state);
        add_text(hash, pre->function);
        add_text(hash, pre->expression);
    }
}

uint64_t unit_digest(const struct unit_request *request, const struct unit *unit)
{
    uint64_t hash = 0;
    add_file(&hash, unit->texts[0]->program.source);
    for (size_t k = 0; k < unit->text_count; k++)
        add_program(&hash, unit->texts[k]);
    for (size_t i = 0; i < unit->support_count; i++)
        add_file(&hash, unit->support[i]);
    for (size_t i = 0; i < unit->note_count; i++)
        add_text(&hash, unit->notes[i].text);
    for (size_t i = 0; i < unit->program.note_count; i++)
        add_text(&hash, unit->program.notes[i]);
    add_preconditions(&hash, request, unit);
    return hash;
}
