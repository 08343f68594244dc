// SPDX-License-Identifier: Apache-2.0
// A unit of several files: the first one has the driver proper. Variables that another
// file defines are filled there, where their types and the static ones are in reach, by
// a function per task that the driver calls first. Stubs stand in the first file that
// mentions what they stand for.
#include "harness/emit.h"

bool part_is_first(const struct emitter *e)
{
    return e->options->file == 0;
}

// A name of ours: nothing in the user's code begins so.
const char *part_name(struct emitter *e, size_t file, size_t task)
{
    return arena_printf(e->arena, "cz_fill%zu_%s", file, e->program->tasks[task].name);
}

void parts_call(struct scope *s, size_t task)
{
    const struct program *unit = s->emitter->options->unit;
    for (size_t k = 1; unit && !s->emitter->options->program && k < unit->file_count; k++)
        if (unit->files[k]->tasks[task].global_count) {
            const char *name = part_name(s->emitter, k, task);
            emit_line(s, "extern void %s(void);", name);
            emit_line(s, "%s();", name);
        }
}
