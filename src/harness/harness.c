// SPDX-License-Identifier: Apache-2.0
// Puts a driver together: header, definitions of undefined variables, builders,
// stubs, one drive function per task, the table of tasks. Drive functions and stubs
// are written first, into buffers, since they decide which builders are needed.
#include "harness/harness.h"

#include "base/fs.h"
#include "harness/emit.h"
#include "harness/symbols.h"
#include "program/libc.h"

#include <string.h>

// Globals that the driver may write. Those of the C library (stdout, environ) belong to
// it; what is volatile is an input anew at each read (src/instrument/hardware.c), only
// pointers are not.
static bool is_input(const struct variable *variable)
{
    bool fresh = variable->is_volatile && !plan_has_pointer(variable->type);
    return !variable->is_const && !variable->function && !fresh &&
           !(variable->in_system_header && libc_defines(variable->name));
}

// The compiler leaves out a call of a pure function whose result nobody wants.
static void write_call(struct scope *s, const struct function *function)
{
    const char *call = call_expression(s->emitter, function);
    observe_call(s, function, call);
    if (s->returned)
        emit_line(s, "%s = (void *)%s;", s->returned, call);
    else if (function->is_pure && function->type->target->kind != TYPE_VOID)
        emit_line(s, "volatile __typeof__(%s) %s = %s;", call, names_local(s->emitter, "result"),
                  call);
    else
        emit_line(s, "(void)%s;", call);
    observe_called(s);
}

static void write_one_call(struct scope *s, const struct function *function)
{
    call_parameters(s, function, (struct caller){.kind = INPUT_OF_TASK});
    assume_preconditions(s, function);
    library_state(s, function);
    write_call(s, function);
}

// main gets argc strings and a NULL behind them, as the system would give it.
static void write_main_call(struct scope *s, const struct function *function)
{
    struct emitter *e = s->emitter;
    struct count count = plan_plain_count(e);
    struct caller by = {.kind = INPUT_OF_TASK};
    const char *n = count_text(e->arena, count);
    const char *argc = call_local(e, &function->params[0], 0);
    const char *argv = call_local(e, &function->params[1], 1);
    emit_line(s, "int %s = 1 + (int)cz_choice(%s, %s);", argc,
              root_parameter(s, by, function, 0, function->params[0].type, 0), n);
    emit_line(
        s, "cz_path %s = %s;", e->at,
        root_parameter(s, by, function, 1, function->params[1].type, (unsigned)count_start(count)));
    emit_line(s, "char **%s = cz_new(%s, %s * sizeof *%s, 0);", argv, e->at,
              count_text(e->arena, count_plus(count, 1)), argv);
    const char *i = names_local(e, "i");
    emit_line(s, "int %s;", i);
    emit_line(s, "for (%s = 0; %s < %s; %s++) {", i, i, argc, i);
    emit_line(s, "    %s[%s] = cz_new(cz_index(%s, %s), %s + 1, 1);", argv, i, e->at, i, n);
    emit_line(s, "    cz_array(cz_index(%s, %s), %s[%s], CZ_I8, %s);", e->at, i, argv, i, n);
    emit_line(s, "}");
    if (function->param_count > 2)
        emit_note(s, true, "main() gets an empty environment");
    for (size_t i = 2; i < function->param_count; i++)
        emit_line(s, "char **%s = %s + %s;", call_local(e, &function->params[i], i), argv, argc);
    library_state(s, function);
    links_write(s);
    write_call(s, function);
}

static void write_flexible(struct scope *s, struct spot spot, const struct variable *variable)
{
    struct arena *arena = s->emitter->arena;
    const struct field *last = stubs_flexible_member(variable);
    if (!last)
        return;
    struct spot elements = {arena_printf(arena, "%s.%s", spot.access, last->name),
                            arena_printf(arena, "cz_field(%s, \"%s\")", spot.path, last->name),
                            variable->type->is_const, 0};
    fill_elements(s, elements, last->type->target,
                  count_fixed(stubs_open_count(s->emitter, variable)));
}

static void write_global(struct scope *s, size_t index)
{
    const struct variable *variable = &s->emitter->program->variables[index];
    struct scope root = *s;
    const struct type *type = variable->type;
    struct slot slot = {.kind = SLOT_VARIABLE, .owner = index};
    struct spot spot = {variable->name, root_variable(s, index), false, program_slot_key(&slot)};
    set_depth(&root, type, variable->name);
    root.is_linked = part_is_first(s->emitter) && !s->is_conditional && type->kind == TYPE_POINTER;
    if (type->kind == TYPE_ARRAY && type->count == 0)
        fill_elements(&root, spot, type->target,
                      count_fixed(stubs_open_count(s->emitter, variable)));
    else
        fill(&root, spot, type);
    write_flexible(&root, spot, variable);
    aliases_add_root(s, spot, type);
    struct place here = {.access = spot.access, .path = spot.path, .type = type, .slot = spot.slot};
    if (type->kind == TYPE_POINTER)
        here.elements = pointer_elements(s, spot.slot, type->target);
    here.is_given = s->is_conditional;
    if (plan_has_pointer(type))
        links_add(s, here);
}

static void write_globals(struct scope *s, const struct task *task)
{
    const struct emitter *e = s->emitter;
    if (e->options->program)
        return; // a program begins with the values that its text gives them
    for (size_t i = 0; i < task->global_count; i++) {
        size_t index = task->globals[i];
        bool here = !part_is_first(e) || (!states_is_set_elsewhere(s, task, index) &&
                                          !call_sequence_change(e, task, index));
        if (is_input(&e->program->variables[index]) && here)
            write_global(s, index);
    }
    if (part_is_first(e) && !call_sequence_wanted(e, task))
        states_before(s, task, write_global);
}

static void write_changing(struct scope *s, size_t variable)
{
    if (is_input(&s->emitter->program->variables[variable]))
        write_global(s, variable);
}

static void write_calls(struct scope *s, const struct task *task, const struct function *function)
{
    if (s->emitter->options->program) {
        program_main(s, function);
    } else if (function->is_main && function->param_count >= 2) {
        write_main_call(s, function);
    } else if (call_sequence_wanted(s->emitter, task)) {
        call_sequence_write(s, task, write_changing, write_one_call);
    } else {
        write_one_call(s, function);
    }
}

// Constants that another file defines (calibration data) and that were not linked: nobody
// may write them, so they are zero here.
static void note_constants(struct scope *s, const struct task *task)
{
    const struct program *program = s->emitter->program;
    for (size_t f = 0; f < task->function_count; f++) {
        const struct function *function = &program->functions[task->functions[f]];
        for (size_t i = 0; i < function->global_count; i++) {
            const struct variable *variable = &program->variables[function->globals[i]];
            if (variable->is_extern_only && variable->is_const && !variable->elsewhere &&
                !variable->in_system_header)
                emit_note(s, true, "%s: a constant of another file, zero here", variable->name);
            else if (variable->lacks)
                emit_note(s, true,
                          "%s: a constant of another file; variables that it points to are as they "
                          "start, functions that this file does not know are NULL",
                          variable->name);
        }
    }
}

// The heading of a drive function, or of what stands for it in a further file.
static void write_heading(struct scope *s, size_t task_index, struct buf *out)
{
    struct emitter *e = s->emitter;
    const struct task *task = s->task;
    if (!part_is_first(e)) {
        buf_printf(out, "/* variables for %s() */\nvoid %s(void)\n{\n", task->name, s->piece->name);
        return;
    }
    const struct function *function = &e->program->functions[task->entry];
    buf_printf(out, "/* %s(), %s line %u */\nstatic void %s(void)\n{\n", task->name,
               fs_basename(function->at.file ? function->at.file : e->program->source),
               function->at.source_line, s->piece->name);
    parts_call(s, task_index);
}

static void write_entry(struct scope *s, const struct task *task)
{
    const struct function *function = &s->emitter->program->functions[task->entry];
    if (call_is_possible(function))
        write_calls(s, task, function);
    else
        emit_note(s, true, "%s() cannot be called: a parameter's type has no name",
                  function->source_name);
    if (function->type->variadic && function->param_count)
        emit_note(s, true, "%s() is called with zeros as variable arguments",
                  function->source_name);
}

static const char *drive_name(struct emitter *e, size_t task_index)
{
    if (!part_is_first(e))
        return part_name(e, e->options->file, task_index);
    return names_pick(e, arena_printf(e->arena, "drive_%s", e->program->tasks[task_index].name));
}

static void write_drive(struct emitter *e, size_t task_index, struct buf *out)
{
    const struct task *task = &e->program->tasks[task_index];
    size_t at;
    struct piece *piece = piece_new(e, drive_name(e, task_index), &at);
    struct roots roots = {0};
    struct scope s = {
        .emitter = e, .out = out, .piece = piece, .level = 1, .task = task, .roots = &roots};
    if (part_is_first(e) && strcmp(piece->name + strlen("drive_"), task->name) != 0)
        emit_note(&s, false, "the driver of %s() is %s() because drive_%s is a name of the unit",
                  task->name, piece->name, task->name);
    if (part_is_first(e) || (task->global_count && !e->options->program)) {
        write_heading(&s, task_index, out);
        if (part_is_first(e))
            observe_start(&s, task);
        aliases_begin_task(&s);
        write_globals(&s, task);
        weak_choose(&s, task);
        if (part_is_first(e)) {
            interleave_begin(&s);
            write_entry(&s, task);
        }
        buf_puts(out, "}\n\n");
    }
    note_constants(&s, task);
    for (size_t i = 0; i < task->external_count; i++) {
        uint64_t stub;
        if (map_get(&e->stubs, task->externals[i] + 1, &stub))
            piece_use(piece, stub - 1);
    }
    map_put(&e->drives, task_index + 1, at + 1);
    VEC_RELEASE(&roots.list);
    VEC_RELEASE(&roots.places);
    VEC_RELEASE(&roots.sharers);
}

static void plan_roots(struct emitter *e)
{
    const struct program *program = e->program;
    for (size_t t = 0; t < program->task_count; t++) {
        const struct task *task = &program->tasks[t];
        const struct function *function =
            part_is_first(e) ? &program->functions[task->entry] : NULL;
        for (size_t i = 0; function && i < function->param_count; i++)
            plan_root(e, function->params[i].type);
        for (size_t i = 0; i < task->global_count; i++) {
            if (is_input(&program->variables[task->globals[i]]))
                plan_root(e, program->variables[task->globals[i]].type);
        }
    }
    stubs_plan(e);
}

typedef VEC(struct harness_note) note_list;

// A record's two builders have the same remarks: a task gets each text once.
static void collect_notes(struct emitter *e, size_t task, size_t index, note_list *notes)
{
    struct piece *piece = e->pieces.items[index];
    if (piece->seen == task + 1)
        return;
    piece->seen = task + 1;
    for (size_t i = 0; i < piece->remarks.count; i++) {
        const struct remark *remark = &piece->remarks.items[i];
        uint64_t last = 0;
        map_get_text(&e->noted, remark->text, &last);
        if (last == task + 1)
            continue;
        map_put_text(&e->noted, remark->text, task + 1);
        *VEC_PUSH(notes) = (struct harness_note){task, remark->text, remark->kind, remark->most};
    }
    for (size_t i = 0; i < piece->uses.count; i++)
        collect_notes(e, task, piece->uses.items[i], notes);
}

static void write_notes(struct emitter *e, struct harness *out)
{
    note_list notes = {0};
    for (size_t t = 0; t < e->program->task_count; t++) {
        uint64_t drive = 0;
        map_get(&e->drives, t + 1, &drive);
        collect_notes(e, t, drive - 1, &notes);
    }
    out->note_count = notes.count;
    out->notes = arena_array(e->arena, struct harness_note, notes.count + 1);
    if (notes.count)
        memcpy(out->notes, notes.items, notes.count * sizeof *notes.items);
    VEC_RELEASE(&notes);
}

static void write_header(struct emitter *e, struct buf *out)
{
    buf_puts(out, "#include \"cz/driver.h\"\n");
    buf_printf(out,
               "/*\n * Test driver of %s, generated by cadenza: the inputs of each task are\n"
               " * built here, piece by piece, and the task is called. Compiled behind the text\n"
               " * of the file itself. Bounds, where they start: %u elements behind a pointer\n"
               " * (--elements), %u pointers after the first (--depth).\n */\n\n",
               fs_basename(e->program->source ? e->program->source : "a unit"),
               e->options->elements, e->options->depth);
}

static void write_table(struct emitter *e, struct buf *out)
{
    buf_puts(out, "const struct cz_task cz_tasks[] = {\n");
    for (size_t t = 0; t < e->program->task_count; t++) {
        uint64_t drive = 0;
        map_get(&e->drives, t + 1, &drive);
        buf_printf(out, "    {\"%s\", %s},\n", e->program->tasks[t].name,
                   e->pieces.items[drive - 1]->name);
    }
    if (e->program->task_count == 0)
        buf_puts(out, "    {0, 0},\n");
    buf_printf(out, "};\nconst unsigned cz_task_count = %zu;\n", e->program->task_count);
}

static void section(struct buf *out, const char *title, const struct buf *text)
{
    if (text->length)
        buf_printf(out, "/* %s */\n\n%s%s", title, buf_text(text),
                   text->length > 1 && text->data[text->length - 2] == '\n' ? "" : "\n");
}

static void emitter_release(struct emitter *e)
{
    struct map *maps[] = {&e->words,    &e->taken,    &e->builders,  &e->setters, &e->stubs,
                          &e->cycles,   &e->leaves,   &e->narrow,    &e->drives,  &e->noted,
                          &e->still,    &e->pointers, &e->pointees,  &e->tracked, &e->referred,
                          &e->changers, &e->weak,     &e->weak_stubs};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        map_release(maps[i]);
    for (size_t i = 0; i < e->pieces.count; i++) {
        VEC_RELEASE(&e->pieces.items[i]->remarks);
        VEC_RELEASE(&e->pieces.items[i]->roots);
        VEC_RELEASE(&e->pieces.items[i]->uses);
        VEC_RELEASE(&e->pieces.items[i]->stubs);
    }
    VEC_RELEASE(&e->pieces);
    buf_release(&e->prototypes);
    buf_release(&e->bodies);
    buf_release(&e->changes);
    buf_release(&e->pointer_stubs);
    VEC_RELEASE(&e->trackers);
    VEC_RELEASE(&e->pointer_functions);
    observe_release(e);
}

static void emitter_init(struct emitter *e, const struct program *program,
                         const struct harness_options *options, struct arena *arena)
{
    *e = (struct emitter){.program = program, .options = options, .arena = arena};
    struct map *maps[] = {&e->words,    &e->taken,    &e->builders,  &e->setters, &e->stubs,
                          &e->cycles,   &e->leaves,   &e->narrow,    &e->drives,  &e->noted,
                          &e->still,    &e->pointers, &e->pointees,  &e->tracked, &e->referred,
                          &e->changers, &e->weak,     &e->weak_stubs};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        map_init(maps[i]);
    for (size_t i = 0; i < program->pointer_count; i++)
        map_put(&e->pointers, program_slot_key(&program->pointers[i].slot), i + 1);
    names_init(e);
    plan_roots(e);
    aliases_track(e);
}

void harness_write(const struct program *program, const struct harness_options *options,
                   struct arena *arena, struct harness *out)
{
    struct emitter e;
    struct buf globals = BUF_INIT, inlines = BUF_INIT, stubs = BUF_INIT, drives = BUF_INIT;
    struct buf exports = BUF_INIT, before = BUF_INIT, weak = BUF_INIT;
    *out = (struct harness){0};
    emitter_init(&e, program, options, arena);
    stubs_globals(&e, &globals);
    stubs_inlines(&e, &inlines);
    stubs_write(&e, &stubs);
    stubs_exports(&e, &exports);
    weak_declare(&e);
    weak_define(&e, &weak);
    for (size_t t = 0; t < program->task_count; t++)
        write_drive(&e, t, &drives);
    write_header(&e, &out->text);
    observe_declare(&e, &out->text);
    if (part_is_first(&e))
        interleave_declare(&e, &out->text);
    section(&out->text, "Variables that the file uses and does not define", &globals);
    section(&out->text, "Inline functions that another file defines", &inlines);
    section(&out->text, "Builders", &e.prototypes);
    buf_puts(&out->text, buf_text(&e.bodies));
    section(&out->text, "What stubs change behind their parameters", &e.changes);
    section(&out->text, "Stubs of functions that the file calls and does not define", &stubs);
    section(&out->text, "Static functions for pointers of other files", &exports);
    section(&out->text, "Stubs for pointers to functions", &e.pointer_stubs);
    section(&out->text, "Weak symbols", &weak);
    if (part_is_first(&e))
        interleave_write(&e, &out->text);
    section(&out->text, "Tasks", &drives);
    observe_define(&e, &out->text);
    if (part_is_first(&e))
        write_table(&e, &out->text);
    write_notes(&e, out);
    roots_collect(&e, out);
    declarations_collect(&e, buf_text(&globals), out);
    symbols_write(program, options->program != NULL, arena, &before);
    out->before = arena_strdup(arena, buf_text(&before));
    buf_release(&before);
    buf_release(&globals);
    buf_release(&inlines);
    buf_release(&stubs);
    buf_release(&exports);
    buf_release(&weak);
    buf_release(&drives);
    emitter_release(&e);
}
