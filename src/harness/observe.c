// SPDX-License-Identifier: Apache-2.0
// The part of a driver that only clean builds compile (CZ_OBSERVE): it tells the replay library
// which objects to look at around the call of the task, and what stubs are called with. Types are
// tables of data; runtime/replay_observe.c walks over them. The engine's drivers are the same
// without it.
#include "harness/emit.h"
#include "program/libc.h"

#include <string.h>

static void put_text(const char *text, struct buf *out)
{
    buf_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_putc(out, '\\');
        buf_putc(out, *text == '\n' ? ' ' : *text);
    }
    buf_putc(out, '"');
}

// ---- types ----

static const char *const form_names[] = {"CZ_NOTHING", "CZ_NUMBER", "CZ_REAL",  "CZ_POINTER",
                                         "CZ_ROW",     "CZ_RECORD", "CZ_BYTES", "CZ_UNION"};
enum form { NOTHING, NUMBER, REAL, POINTER, ROW, RECORD, BYTES, UNION };

struct shape {
    enum form form;
    const struct type *type;
    uint64_t count;
    size_t target, first_member;
};

struct member {
    const struct field *field;
    size_t shape;
};

struct observer {
    struct map known; // type -> index
    VEC(struct shape) shapes;
    VEC(struct member) members;
    VEC(const char *) functions; // that pointers may hold
    const char *forms;           // name of the tables
};

static struct observer *observer_of(struct emitter *e)
{
    if (!e->observer) {
        e->observer = arena_new(e->arena, struct observer);
        map_init(&e->observer->known);
        VEC_PUSH(&e->observer->shapes)->form = NOTHING;
        e->observer->forms = names_pick(e, "observed");
    }
    return e->observer;
}

void observe_release(struct emitter *e)
{
    if (!e->observer)
        return;
    map_release(&e->observer->known);
    VEC_RELEASE(&e->observer->shapes);
    VEC_RELEASE(&e->observer->members);
    VEC_RELEASE(&e->observer->functions);
}

static bool is_struct(const struct type *type)
{
    return type->kind == TYPE_STRUCT && type->complete;
}

static enum form form_of(const struct type *type)
{
    switch (type->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_ENUM: return type->size && type->size <= 8 ? NUMBER : BYTES;
    case TYPE_FLOAT: return type->size == 4 || type->size == 8 ? REAL : BYTES;
    case TYPE_POINTER: return POINTER;
    case TYPE_ARRAY: return type->count && !type->variable_length ? ROW : NOTHING;
    default: break;
    }
    if (is_struct(type))
        return RECORD;
    if (!plan_is_record(type) || !type->complete || !type->size)
        return NOTHING;
    return plan_has_pointer(type) ? UNION : BYTES;
}

static size_t shape_of(struct emitter *e, const struct type *type);

static size_t pointee(struct emitter *e, const struct type *pointer)
{
    const struct type *target = pointer->target;
    if (target->kind == TYPE_FUNCTION || target->kind == TYPE_VOID || !target->size ||
        names_is_va_tag(target))
        return 0;
    return shape_of(e, target);
}

// The members of a record follow each other: those of inner ones come first.
static void add_members(struct emitter *e, size_t index, const struct type *record)
{
    struct observer *o = e->observer;
    VEC(struct member) members = {0};
    if (!record->field_count && record->canonical)
        record = record->canonical;
    for (size_t i = 0; i < record->field_count; i++) {
        const struct field *field = &record->fields[i];
        if (field->bits == 0 || (!*field->name && !field->anonymous_record))
            continue;
        size_t shape = shape_of(e, field->type);
        *VEC_PUSH(&members) = (struct member){field, shape};
    }
    o->shapes.items[index].first_member = o->members.count;
    o->shapes.items[index].count = members.count;
    for (size_t i = 0; i < members.count; i++)
        *VEC_PUSH(&o->members) = members.items[i];
    VEC_RELEASE(&members);
}

static size_t shape_of(struct emitter *e, const struct type *type)
{
    struct observer *o = observer_of(e);
    uint64_t known;
    enum form form = form_of(type);
    if (form == NOTHING)
        return 0;
    if (map_get(&o->known, (uintptr_t)type, &known))
        return (size_t)known;
    size_t index = o->shapes.count;
    *VEC_PUSH(&o->shapes) = (struct shape){.form = form, .type = type, .count = type->count};
    map_put(&o->known, (uintptr_t)type, index);
    size_t target = form == POINTER ? pointee(e, type)
                    : form == ROW   ? shape_of(e, type->target)
                                    : 0;
    o->shapes.items[index].target = target;
    if (plan_is_record(type))
        add_members(e, index, type);
    return index;
}

void observe_declare(struct emitter *e, struct buf *out)
{
    buf_printf(out,
               "#ifdef CZ_OBSERVE\n/* Parts like this one tell what a test shows; the engine does "
               "without. */\nstatic const struct cz_forms %s;\n\n#endif\n",
               observer_of(e)->forms);
}

static const char *name_of(const struct type *type)
{
    bool has_none = !type->spelling || strstr(type->spelling, "(unnamed");
    return !has_none                  ? type->spelling
           : type->kind == TYPE_UNION ? "union"
           : type->kind == TYPE_ENUM  ? "enum"
                                      : "struct";
}

void observe_function(struct emitter *e, const char *name)
{
    struct observer *o = observer_of(e);
    if (*name == '(') // (void *)f
        name = strchr(name, ')') + 1;
    for (size_t i = 0; i < o->functions.count; i++)
        if (!strcmp(o->functions.items[i], name))
            return;
    *VEC_PUSH(&o->functions) = name;
}

// Functions of the file whose address it takes, and what its pointers may hold.
static void define_functions(struct emitter *e, const char *name, struct buf *out)
{
    const struct program *program = e->program;
    for (size_t i = 0; i < program->function_count; i++) {
        const struct function *by = &program->functions[i];
        for (size_t k = 0; by->defined && k < by->address_taken_count; k++) {
            const struct function *taken = &program->functions[by->address_taken[k]];
            uint64_t stub;
            if (taken->defined || map_get(&e->stubs, by->address_taken[k] + 1, &stub))
                observe_function(e, taken->name);
        }
    }
    buf_printf(out, "static const struct cz_function %s[] = {\n", name);
    for (size_t i = 0; i < e->observer->functions.count; i++)
        buf_printf(out, "    {\"%s\", (const void *)%s},\n", e->observer->functions.items[i],
                   e->observer->functions.items[i]);
    buf_puts(out, "    {0, 0},\n};\n");
}

void observe_define(struct emitter *e, struct buf *out)
{
    const struct observer *o = observer_of(e);
    const char *functions = names_pick(e, "observed_functions");
    const char *shapes = names_pick(e, "observed_shapes");
    const char *members = names_pick(e, "observed_members");
    buf_printf(out,
               "#ifdef CZ_OBSERVE\n/* Types of what tests show */\n\n"
               "static const struct cz_member %s[] = {\n",
               members);
    for (size_t i = 0; i < o->members.count; i++) {
        const struct field *field = o->members.items[i].field;
        buf_puts(out, "    {");
        put_text(field->name, out);
        buf_printf(out, ", %lluul, %d, %zu},\n", (unsigned long long)field->offset_bits,
                   field->bits > 0 ? field->bits : -1, o->members.items[i].shape);
    }
    buf_printf(out, "    {\"\", 0, -1, 0},\n};\nstatic const struct cz_shape %s[] = {\n", shapes);
    for (size_t i = 0; i < o->shapes.count; i++) {
        const struct shape *shape = &o->shapes.items[i];
        bool is_const = shape->form == POINTER && shape->type->target->is_const;
        buf_printf(out, "    {%s, %d, %d, %lluul, %lluul, %zu, %zu, ", form_names[shape->form],
                   i && shape->type->is_signed, is_const,
                   i ? (unsigned long long)shape->type->size : 0ull,
                   (unsigned long long)shape->count, shape->target, shape->first_member);
        put_text(i ? name_of(shape->type) : "", out);
        buf_puts(out, "},\n");
    }
    buf_puts(out, "};\n");
    define_functions(e, functions, out);
    buf_printf(out, "static const struct cz_forms %s = {%s, %s, %s};\n\n#endif\n", o->forms, shapes,
               members, functions);
}

// ---- the task ----

static void open_part(struct scope *s)
{
    buf_puts(s->out, "#ifdef CZ_OBSERVE\n");
}

static void close_part(struct scope *s)
{
    buf_puts(s->out, "#endif\n");
}

// A call that tells the clean build of an object at a path.
static void tell_object(struct scope *s, const char *function, const struct type *type,
                        const char *access, const char *path)
{
    struct emitter *e = s->emitter;
    size_t shape = shape_of(e, type);
    if (!shape)
        return;
    open_part(s);
    emit_line(s, "%s(&%s, %s, (const void *)&%s, %zu);", function, observer_of(e)->forms, path,
              access, shape);
    close_part(s);
}

void observe_parameter(struct scope *s, const struct type *type, const char *access,
                       const char *path)
{
    tell_object(s, "cz_watch", type, access, path);
}

void observe_view(struct scope *s, const char *pointer, const struct type *target)
{
    struct emitter *e = s->emitter;
    size_t shape = target->kind == TYPE_FUNCTION || !target->size ? 0 : shape_of(e, target);
    if (!shape)
        return;
    open_part(s);
    emit_line(s, "cz_made_as(&%s, %s, %zu);", observer_of(e)->forms, pointer, shape);
    close_part(s);
}

void observe_returned(struct scope *s, const struct type *type, const char *access,
                      const char *path)
{
    tell_object(s, "cz_gave", type, access, path);
}

bool observe_is_visible(const struct variable *variable)
{
    return !variable->is_const && !variable->function && variable->type->size &&
           !variable->is_alias && !variable->is_thread_local &&
           !(variable->in_system_header && libc_defines(variable->name));
}

// Before anything is filled.
void observe_start(struct scope *s, const struct task *task)
{
    struct emitter *e = s->emitter;
    bool is_open = false;
    for (size_t i = 0; i < task->global_count; i++) {
        const struct variable *variable = &e->program->variables[task->globals[i]];
        if (!observe_is_visible(variable) || !shape_of(e, variable->type))
            continue;
        if (!is_open)
            open_part(s);
        is_open = true;
        emit_line(s, "cz_remember((const void *)&%s, sizeof %s);", variable->name, variable->name);
    }
    if (is_open)
        close_part(s);
}

bool observe_is_constant(const struct variable *variable)
{
    return variable->is_const && !variable->function && variable->type->size &&
           !variable->is_extern_only && !variable->is_alias && !variable->is_thread_local &&
           !variable->is_weak && !variable->in_system_header;
}

// Those that functions of the task refer to.
static void name_constants(struct scope *s)
{
    const struct program *program = s->emitter->program;
    struct map named;
    map_init(&named);
    for (size_t f = 0; s->task && f < s->task->function_count; f++) {
        const struct function *function = &program->functions[s->task->functions[f]];
        for (size_t i = 0; i < function->global_count; i++) {
            const struct variable *variable = &program->variables[function->globals[i]];
            if (!observe_is_constant(variable) || map_get_text(&named, variable->name, NULL))
                continue;
            map_put_text(&named, variable->name, 1);
            emit_line(s, "cz_known(\"%s\", (const void *)&%s, sizeof %s);", variable->name,
                      variable->name, variable->name);
        }
    }
    map_release(&named);
}

static void watch_variables(struct scope *s)
{
    struct emitter *e = s->emitter;
    for (size_t i = 0; s->task && i < s->task->global_count; i++) {
        size_t index = s->task->globals[i];
        const struct variable *variable = &e->program->variables[index];
        size_t shape = observe_is_visible(variable) ? shape_of(e, variable->type) : 0;
        if (shape)
            emit_line(s, "cz_watch(&%s, %s, (const void *)&%s, %zu);", observer_of(e)->forms,
                      root_variable_after(s, index), variable->name, shape);
    }
}

void observe_call(struct scope *s, const struct function *function, const char *call)
{
    struct emitter *e = s->emitter;
    const struct type *result = function->type->target;
    open_part(s);
    watch_variables(s);
    name_constants(s);
    emit_line(s, "cz_watch_start();");
    if (s->returned) {
        emit_line(s, "%s = (void *)%s;", s->returned, call);
        emit_line(s, "cz_saw_result(&%s, %s, &%s, %zu);", observer_of(e)->forms, root_result(s),
                  s->returned, shape_of(e, result));
    } else if (result->kind == TYPE_VOID) {
        emit_line(s, "%s;", call);
    } else {
        const char *seen = names_local(e, "seen");
        emit_line(s, "__typeof__(%s) %s = %s;", call, seen, call);
        emit_line(s, "cz_saw_result(&%s, %s, (const void *)&%s, %zu);", observer_of(e)->forms,
                  root_result(s), seen, shape_of(e, result));
    }
    emit_line(s, "cz_watch_end();");
    buf_puts(s->out, "#else\n");
}

void observe_called(struct scope *s)
{
    close_part(s);
}

// ---- stubs ----

void observe_stub(struct scope *s, const struct function *function)
{
    struct emitter *e = s->emitter;
    const struct type *type = function->type;
    open_part(s);
    emit_line(s, "cz_saw_call(\"%s\");", function->source_name);
    bool named = names_sayable(type) && !(type->variadic && !type->param_count);
    for (size_t i = 0; named && i < type->param_count; i++) {
        bool known = i < function->param_count && *function->params[i].name;
        size_t shape = plan_is_record(type->params[i]) ? 0 : shape_of(e, type->params[i]);
        const char *name = known ? function->params[i].name : arena_printf(e->arena, "#%zu", i);
        if (shape)
            emit_line(s, "cz_saw_argument(&%s, \"%s\", (const void *)&%s, %zu);",
                      observer_of(e)->forms, name,
                      names_local(e, arena_printf(e->arena, "a%zu", i)), shape);
    }
    close_part(s);
}
