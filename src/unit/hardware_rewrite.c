// SPDX-License-Identifier: Apache-2.0
// The hardware pass in a run: on the engine's bitcode, on that of the clean builds, and
// what it left out as assumptions of the tasks that it concerns.
#include "unit/hardware_rewrite.h"

#include "base/fs.h"
#include <string.h>

static bool is_interrupted(const struct program *program)
{
    for (size_t t = 0; t < program->task_count; t++)
        if (program->tasks[t].interrupted)
            return true;
    return false;
}

bool unit_take_hardware(const struct options *options, bool has_own_driver, struct unit *unit,
                        struct error *err)
{
    unit->rewriting = (struct hardware_request){
        .bitcode = unit->bitcode,
        .program = &unit->program,
        .plain_memory = unit->program.is_whole || has_own_driver,
        .interrupts = is_interrupted(&unit->program),
        .turns = (unsigned)options->turns,
    };
    return instrument_hardware(&unit->rewriting, &unit->arena, &unit->hardware, err);
}

bool unit_rewrite(void *context, const char *bitcode, struct error *err)
{
    struct unit *unit = context;
    struct hardware_request request = unit->rewriting;
    struct hardware_result ignored;
    request.bitcode = bitcode;
    request.weak = unit->hardware.weak;
    request.weak_count = unit->hardware.weak_count;
    return instrument_hardware(&request, &unit->arena, &ignored, err);
}

static bool is_of_task(const struct program *program, const struct task *task, const char *name)
{
    for (size_t i = 0; i < task->function_count; i++)
        if (strcmp(program->functions[task->functions[i]].name, name) == 0)
            return true;
    return *name == '\0'; // of the whole file
}

const char *unit_left_out(struct unit *unit, const struct task *task,
                          const struct hardware_use *use)
{
    if (!is_of_task(&unit->program, task, use->function))
        return NULL;
    const struct line_origin *origin = program_line(&unit->program, use->text, use->line);
    if (!origin)
        return use->what;
    return arena_printf(&unit->arena, "%s (%s:%u)", use->what, fs_basename(origin->file),
                        origin->line);
}
