// SPDX-License-Identifier: Apache-2.0
// A struct program as text, for tests and for people who debug the front end.
#include "frontend/frontend.h"

static const char *const kind_names[] = {"void",  "bool",   "int",   "enum",     "float", "pointer",
                                         "array", "struct", "union", "function", "other"};
static const char *const branch_names[] = {"condition", "case", "default", "implicit-default"};

static const char *const pair_names[] = {"length", "bytes", "end"};

static void dump_place(struct buf *out, const struct location *at)
{
    buf_printf(out, "%u:%u-%u:%u", at->line, at->column, at->end_line, at->end_column);
}

static void dump_fields(struct buf *out, const struct type *type)
{
    for (size_t i = 0; i < type->field_count; i++) {
        const struct field *field = &type->fields[i];
        buf_printf(out, "    %s %s @%llu", field->type->spelling, field->name,
                   (unsigned long long)field->offset_bits);
        if (field->bits >= 0)
            buf_printf(out, " bits %d", field->bits);
        buf_puts(out, field->anonymous_record ? " anonymous\n" : "\n");
    }
    for (size_t i = 0; i < type->enumerator_count; i++)
        buf_printf(out, "    %s = %lld\n", type->enumerators[i].name,
                   (long long)type->enumerators[i].value);
}

static void dump_types(struct buf *out, const struct program *program)
{
    for (size_t i = 0; i < program->type_count; i++) {
        const struct type *type = program->types[i];
        buf_printf(out, "type %s: %s size %llu align %llu%s%s%s%s%s%s", type->spelling,
                   kind_names[type->kind], (unsigned long long)type->size,
                   (unsigned long long)type->align, type->is_signed ? " signed" : "",
                   type->is_char ? " char" : "", type->is_const ? " const" : "",
                   type->is_volatile ? " volatile" : "", type->complete ? "" : " incomplete",
                   type->nameable ? "" : " unnameable");
        if (type->target)
            buf_printf(out, " of %s", type->target->spelling);
        if (type->kind == TYPE_ARRAY || type->count)
            buf_printf(out, " count %llu", (unsigned long long)type->count);
        buf_puts(out, type->variable_length ? " variable-length\n" : "\n");
        if (type->canonical == type)
            dump_fields(out, type);
    }
}

static void dump_names(struct buf *out, const char *label, const struct program *program,
                       const size_t *items, size_t count, bool variables)
{
    if (!count)
        return;
    buf_printf(out, "    %s:", label);
    for (size_t i = 0; i < count; i++)
        buf_printf(out, " %s",
                   variables ? program->variables[items[i]].name
                             : program->functions[items[i]].name);
    buf_putc(out, '\n');
}

static void dump_function(struct buf *out, const struct program *program, const struct function *f)
{
    buf_printf(out, "function %s (%s): %s%s%s%s%s%s%s%s%s\n", f->name, f->type->spelling,
               f->defined ? "defined" : "declared", f->is_static ? " static" : "",
               f->is_inline ? " inline" : "", f->in_header ? " header" : "",
               f->in_system_header ? " system" : "", f->is_noreturn ? " noreturn" : "",
               f->calls_pointer ? " calls-pointer" : "",
               f->has_static_locals ? " static-locals" : "", f->emitted ? " emitted" : "");
    for (size_t i = 0; i < f->param_count; i++)
        buf_printf(out, "    %s: %s\n", f->params[i].name, f->params[i].type->spelling);
    dump_names(out, "calls", program, f->callees, f->callee_count, false);
    dump_names(out, "address of", program, f->address_taken, f->address_taken_count, false);
    dump_names(out, "globals", program, f->globals, f->global_count, true);
    dump_names(out, "writes", program, f->writes, f->write_count, true);
    for (size_t i = 0; i < f->pair_count; i++)
        buf_printf(out, "    %s%s%s of %s: %s\n", f->pairs[i].is_suggested ? "perhaps " : "",
                   f->pairs[i].is_exact ? "exact " : "", pair_names[f->pairs[i].kind],
                   f->params[f->pairs[i].pointer].name, f->params[f->pairs[i].other].name);
}

static void dump_slot(struct buf *out, const struct program *program, const struct slot *slot)
{
    if (slot->kind == SLOT_VARIABLE)
        buf_puts(out, program->variables[slot->owner].name);
    else if (slot->kind == SLOT_FIELD)
        buf_printf(out, "%s.%s", slot->record->spelling, slot->record->fields[slot->index].name);
    else
        buf_printf(out, "%s(%zu)", program->functions[slot->owner].name,
                   slot->kind == SLOT_RESULT ? SIZE_MAX : slot->index);
}

static void dump_pointers(struct buf *out, const struct program *program)
{
    for (size_t i = 0; i < program->pointer_count; i++) {
        const struct pointer_candidates *p = &program->pointers[i];
        buf_puts(out, "pointer ");
        dump_slot(out, program, &p->slot);
        buf_printf(out, "%s%s%s%s%s%s\n", p->open ? " open" : "", p->called ? " called" : "",
                   p->tested ? " tested" : "", p->compared ? " compared" : "",
                   p->written ? " written" : "", p->by_signature ? " by-signature" : "");
        dump_names(out, "holds", program, p->functions, p->function_count, false);
        dump_names(out, "compared by", program, p->comparers, p->comparer_count, false);
        for (size_t c = 0; c < p->cast_count; c++)
            buf_printf(out, "    cast to %s\n", p->casts[c]->spelling);
    }
}

static void dump_variables(struct buf *out, const struct program *program)
{
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *v = &program->variables[i];
        buf_printf(out, "variable %s: %s%s%s%s%s%s%s", v->name, v->type->spelling,
                   v->is_const ? " const" : "", v->is_volatile ? " volatile" : "",
                   v->is_static ? " static" : "", v->is_extern_only ? " extern-only" : "",
                   v->has_initialiser ? " initialised" : "", v->in_system_header ? " system" : "");
        if (v->function)
            buf_printf(out, " in %s", v->function);
        buf_putc(out, '\n');
        dump_names(out, "names", program, v->functions, v->function_count, false);
    }
}

static void dump_branches(struct buf *out, const struct program *program)
{
    for (size_t i = 0; i < program->branch_count; i++) {
        const struct branch *b = &program->branches[i];
        buf_printf(out, "branch %zu %s ", i, branch_names[b->kind]);
        dump_place(out, &b->at);
        buf_printf(out, " in %s", program->functions[b->function].name);
        if (b->kind == BRANCH_CONDITION)
            buf_printf(out, " decision %zu.%u", b->decision, b->index);
        else
            buf_printf(out, " switch %zu.%u", b->switch_id, b->index);
        if (b->kind == BRANCH_CASE)
            buf_printf(out, " %lld..%lld", (long long)b->low, (long long)b->high);
        buf_printf(out, "%s%s `%s`\n", b->folded ? " folded" : "", b->wrapped ? "" : " unwrapped",
                   b->text);
    }
}

static void dump_decisions(struct buf *out, const struct program *program)
{
    for (size_t i = 0; i < program->decision_count; i++) {
        const struct decision *d = &program->decisions[i];
        buf_printf(out, "decision %zu ", i);
        dump_place(out, &d->at);
        for (unsigned c = 0; c < d->condition_count; c++)
            buf_printf(out, " %zu(F%d T%d)", d->conditions[c], d->next[c][0], d->next[c][1]);
        buf_putc(out, '\n');
    }
}

static void dump_tasks(struct buf *out, const struct program *program)
{
    for (size_t i = 0; i < program->task_count; i++) {
        const struct task *t = &program->tasks[i];
        buf_printf(out, "task %s\n", t->name);
        dump_names(out, "functions", program, t->functions, t->function_count, false);
        dump_names(out, "globals", program, t->globals, t->global_count, true);
        dump_names(out, "externals", program, t->externals, t->external_count, false);
    }
}

void frontend_dump(const struct program *program, struct buf *out)
{
    dump_tasks(out, program);
    for (size_t i = 0; i < program->function_count; i++)
        dump_function(out, program, &program->functions[i]);
    dump_variables(out, program);
    dump_pointers(out, program);
    dump_branches(out, program);
    dump_decisions(out, program);
    dump_types(out, program);
    for (size_t i = 0; i < program->note_count; i++)
        buf_printf(out, "note %s\n", program->notes[i]);
}
