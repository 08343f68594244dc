// SPDX-License-Identifier: Apache-2.0
// What a stub does besides returning: every global of this unit and everything behind the
// parameters that the real function and its callees may write gets fresh inputs at each
// call (MAESTRO section 3.3.3, with the writes through pointers that it leaves out). What
// is written is told by bits from where an access path ends; the types of this unit say
// which members that is. A member that is written in part is an input as a whole.
#include "harness/effects_internal.h"

#include "program/libc.h"

#include <stdlib.h>
#include <string.h>

// "writes mode, *out, calls done at most once"
static void tell(struct writer *w, const char *what)
{
    buf_printf(&w->told, "%s%s", w->told.length ? ", " : "", what);
}

static void tell_write(struct writer *w, const char *name)
{
    tell(w, w->writes ? name : arena_printf(effects_arena(w), "writes %s", name));
    w->writes = true;
}

// ---- ways ----

static void leave_out(struct writer *w, const char *name)
{
    emit_note(w->s, true, "%s() is a stub: what the real one writes further behind %s is left out",
              w->function->source_name, name);
}

// Its declaration has no prototype.
static void leave_out_all(struct writer *w)
{
    emit_note(
        w->s, true,
        "%s() is a stub: it is declared without the parameters that the real one writes through",
        w->function->source_name);
}

// The way to the object is gone once: a stub may write many of its members.
static struct object hoisted(struct writer *w, const struct object *pointer)
{
    struct scope *s = w->s;
    struct object near = *pointer;
    near.path = emit_hoist(s, pointer->path);
    if (!strchr(pointer->lvalue, '>'))
        return near;
    near.lvalue = names_local(s->emitter, arena_printf(effects_arena(w), "p%u", s->level));
    emit_line(s, "__typeof__(%s) %s = %s;", pointer->lvalue, near.lvalue, pointer->lvalue);
    if (s->hidden && strncmp(pointer->lvalue, s->hidden, strlen(s->hidden)) == 0) {
        s->spoken =
            arena_printf(effects_arena(w), "%s%s", s->spoken, pointer->lvalue + strlen(s->hidden));
        s->hidden = near.lvalue;
    }
    return near;
}

static void write_guarded(struct writer *w, const struct object *pointer, const char *guard,
                          const char *name, const struct ranges *r, bool direct)
{
    emit_line(w->s, "if (%s) {", guard);
    w->s->level++;
    struct object near = hoisted(w, pointer);
    effects_fill_behind(w, &near, name, r, direct);
    w->s->level--;
    emit_line(w->s, "}");
}

// ---- code that stubs share ----

static bool can_share(const struct writer *w, size_t parameter)
{
    const struct type *type = w->function->type->params[parameter];
    return type->kind == TYPE_POINTER && plan_is_record(type->target) && names_sayable(type);
}

static struct buf *begin_apart(struct writer *w, struct buf *body)
{
    struct buf *out = w->s->out;
    w->s->out = body;
    w->apart = true;
    return out;
}

// Calls the function with the code that has been written since: "change_queue_head_next" is
// about it->head->next.
static void end_apart(struct writer *w, const char *verb, const struct facts_way *way,
                      struct buf *out)
{
    struct scope *s = w->s;
    struct emitter *e = s->emitter;
    struct buf *body = s->out, guard = BUF_INIT;
    const struct type *type = w->function->type->params[way->parameter];
    struct object pointer;
    bool there = effects_follow_parameter(w, way, &pointer, &guard);
    const char *words = arena_printf(e->arena, "%s %s %s", verb, names_plain(e, type->target),
                                     there ? pointer.lvalue : "");
    s->out = out;
    w->apart = false;
    if (body->length)
        emit_line(s, "%s(%s, %s);", changes_function(e, words, type, buf_text(body)),
                  effects_argument(w, way->parameter), effects_path(w, way->parameter));
    buf_release(&guard);
    buf_release(body);
}

// What is written in front of a length depends on another parameter, and the place of what
// a test calls "*out" on the call.
static bool writes_alike(const struct writer *w, const struct ranges *r)
{
    const struct facts_way *way = &r->items->way;
    const struct type *target = w->function->type->params[way->parameter]->target;
    bool all = false;
    for (size_t i = 0; i < r->count; i++) {
        if (r->items[i].length != FACTS_NO_PARAMETER)
            return false;
        all |= r->items[i].all;
    }
    return can_share(w, way->parameter) && !r->items->deep &&
           (way->step_count || all ||
            (target->kind == TYPE_STRUCT && !effects_cover(r, 0, target->size * 8)));
}

static void write_behind(struct writer *w, const struct ranges *r)
{
    const struct facts_way *way = &r->items->way;
    const char *name = effects_parameter(w, way->parameter);
    struct object pointer;
    struct buf guard = BUF_INIT;
    w->s->hidden = effects_argument(w, way->parameter);
    w->s->spoken =
        arena_printf(effects_arena(w), "what %s() writes to %s", w->function->source_name, name);
    if (r->items->deep || !effects_follow_parameter(w, way, &pointer, &guard)) {
        leave_out(w, name);
    } else if (effects_is_target(pointer.type)) {
        tell_write(w, arena_printf(effects_arena(w), "%s%s",
                                   way->step_count ? "what is behind " : "*", name));
        write_guarded(w, &pointer, buf_text(&guard), name, r, !way->step_count);
    }
    buf_release(&guard);
}

static void write_parameter(struct writer *w, const struct ranges *r)
{
    size_t parameter = r->items->way.parameter;
    struct buf body = BUF_INIT;
    if (parameter >= w->function->type->param_count) {
        leave_out_all(w);
        return;
    }
    if (!writes_alike(w, r)) {
        write_behind(w, r);
        return;
    }
    struct buf *out = begin_apart(w, &body);
    write_behind(w, r);
    end_apart(w, "change", &r->items->way, out);
}

// ---- globals ----

// The variable of this unit that the project means, if its functions refer to it.
static const struct variable *visible(const struct writer *w, const struct facts_way *way,
                                      size_t *index)
{
    const struct program *program = w->s->emitter->program;
    uint64_t used;
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *v = &program->variables[i];
        bool same =
            way->file ? v->is_static && strcmp(way->file, program->source) == 0 : !v->is_static;
        if (same && !v->function && !v->is_const && strcmp(v->name, way->global) == 0 &&
            map_get(&w->s->emitter->referred, i + 1, &used)) {
            *index = i;
            return v;
        }
    }
    return NULL;
}

bool effects_global(struct writer *w, const struct facts_way *way, struct object *out)
{
    size_t index;
    const struct variable *variable = visible(w, way, &index);
    if (!variable || (plan_is_record(variable->type) && !variable->type->complete))
        return false;
    struct slot slot = {.kind = SLOT_VARIABLE, .owner = index};
    const char *name = variable->name;
    const char *path = root_stub_part(w->s, w->function, w->call, name, variable->type, slot);
    *out = (struct object){.lvalue = name,
                           .prefix = arena_printf(effects_arena(w), "%s.", name),
                           .link = "cz_field",
                           .path = path,
                           .whole = path,
                           .type = variable->type,
                           .slot = program_slot_key(&slot)};
    return true;
}

static void write_global(struct writer *w, const struct ranges *r)
{
    const struct facts_way *way = &r->items->way;
    struct object object, pointer;
    if (!effects_global(w, way, &object))
        return;
    const char *name = object.lvalue, *path = object.path;
    struct buf guard = BUF_INIT;
    w->s->hidden = NULL;
    if (r->items->deep) {
        leave_out(w, name);
    } else if (!way->step_count) {
        tell_write(w, name);
        if (object.type->kind == TYPE_ARRAY && !object.type->count)
            fill_elements(w->s, (struct spot){name, path, false, object.slot}, object.type->target,
                          count_fixed(w->s->emitter->options->elements));
        else
            effects_fill(w, &object, r, 0);
    } else if (!effects_follow(w, object, way->steps, way->step_count, &pointer, &guard)) {
        leave_out(w, name);
    } else if (effects_is_target(pointer.type)) {
        tell_write(w, arena_printf(effects_arena(w), "what is behind %s", name));
        write_guarded(w, &pointer, buf_text(&guard), name, r, false);
    }
    buf_release(&guard);
}

// ---- calls of pointers that the stub is given ----

static void write_call_arguments(struct writer *w, const struct facts_call *call,
                                 const struct type *type, const char *path, struct buf *list)
{
    struct emitter *e = w->s->emitter;
    for (size_t i = 0; i < type->param_count; i++) {
        size_t from = i < call->argument_count ? call->forwards[i] : FACTS_NO_PARAMETER;
        const char *name = names_local(e, arena_printf(e->arena, "x%zu", i));
        if (from < w->function->type->param_count) {
            name = effects_argument(w, from);
        } else {
            emit_declaration(w->s, type->params[i], name);
            fill(
                w->s,
                (struct spot){name, arena_printf(e->arena, "cz_index(%s, %zu)", path, i), false, 0},
                type->params[i]);
        }
        buf_printf(list, "%s%s", i ? ", " : "", name);
    }
}

static void call_pointer(struct writer *w, const struct facts_call *call,
                         const struct object *pointer, const char *guard)
{
    struct buf list = BUF_INIT;
    const char *path = pointer->path;
    emit_line(w->s, "if (%s && cz_choice(cz_part(%s, \"calls\"), 2)) {", guard, path);
    w->s->level++;
    write_call_arguments(w, call, pointer->type->target, path, &list);
    emit_line(w->s, "(void)%s(%s);", pointer->lvalue, buf_text(&list));
    w->s->level--;
    emit_line(w->s, "}");
    buf_release(&list);
}

static void write_call(struct writer *w, const struct facts_call *call)
{
    struct object pointer;
    struct buf guard = BUF_INIT;
    const char *name = effects_parameter(w, call->way.parameter);
    if (effects_follow_parameter(w, &call->way, &pointer, &guard) &&
        pointer.type->kind == TYPE_POINTER && pointer.type->target->kind == TYPE_FUNCTION &&
        names_sayable(pointer.type->target) &&
        (pointer.type->target->param_count || !pointer.type->target->variadic)) {
        call_pointer(w, call, &pointer, buf_text(&guard));
        tell(w, arena_printf(effects_arena(w), "calls %s at most once", name));
        w->partial = true;
    } else {
        emit_note(w->s, true, "%s() is a stub: calls of the real one through %s are left out",
                  w->function->source_name, name);
    }
    buf_release(&guard);
}

static bool calls_alike(const struct writer *w, const struct facts_call *call)
{
    for (size_t i = 0; i < call->argument_count; i++)
        if (call->forwards[i] != FACTS_NO_PARAMETER)
            return false;
    return call->way.step_count && can_share(w, call->way.parameter);
}

static void write_callback(struct writer *w, const struct facts_call *call)
{
    struct buf body = BUF_INIT;
    if (call->way.parameter >= w->function->type->param_count) {
        emit_note(w->s, true, "%s() is a stub: calls of the real one through %s are left out",
                  w->function->source_name, effects_parameter(w, call->way.parameter));
    } else if (calls_alike(w, call)) {
        struct buf *out = begin_apart(w, &body);
        write_call(w, call);
        end_apart(w, "call", &call->way, out);
    } else {
        write_call(w, call);
    }
}

// ---- all of it ----

static bool same_way(const struct facts_write *a, const struct facts_write *b)
{
    const struct facts_way *x = &a->way, *y = &b->way;
    return a->deep == b->deep && x->parameter == y->parameter && x->global == y->global &&
           x->file == y->file && x->step_count == y->step_count &&
           (!x->step_count || memcmp(x->steps, y->steps, x->step_count * sizeof *x->steps) == 0);
}

static void note_unknown(struct writer *w)
{
    const struct facts_function *facts = w->facts;
    struct buf list = BUF_INIT;
    for (size_t i = 0; i < facts->unknown_count; i++)
        buf_printf(&list, "%s%s",
                   !i                             ? ""
                   : i + 1 < facts->unknown_count ? ", "
                                                  : " and ",
                   facts->unknown[i]);
    if (list.length)
        emit_note(w->s, true, "%s() is a stub: the real one also %s; that part is missing",
                  w->function->source_name, buf_text(&list));
    for (size_t i = 0; i < facts->free_count; i++) {
        size_t index;
        const struct facts_way *way = &facts->frees[i];
        if (way->global ? visible(w, way, &index) != NULL : way->step_count == 0)
            emit_note(w->s, true, "%s() is a stub: the real one may free %s",
                      w->function->source_name,
                      way->global ? way->global : effects_parameter(w, way->parameter));
    }
    buf_release(&list);
}

const char *effects_write(struct scope *s, const struct function *function,
                          const struct facts_function *facts, const char *call, bool *partial)
{
    struct writer w = {.s = s, .function = function, .facts = facts, .call = call};
    for (size_t i = 0, next; i < facts->write_count; i = next) {
        for (next = i + 1;
             next < facts->write_count && same_way(&facts->writes[i], &facts->writes[next]);)
            next++;
        struct ranges ranges = {&facts->writes[i], next - i};
        if (facts->writes[i].way.global)
            write_global(&w, &ranges);
        else
            write_parameter(&w, &ranges);
    }
    s->hidden = NULL;
    for (size_t i = 0; i < facts->call_count; i++)
        if (!facts->calls[i].way.global)
            write_callback(&w, &facts->calls[i]);
    note_unknown(&w);
    const char *told = arena_strdup(s->emitter->arena, buf_text(&w.told));
    buf_release(&w.told);
    *partial = w.partial;
    return told;
}

const struct type *effects_byte(struct emitter *e)
{
    struct type *byte = arena_new(e->arena, struct type);
    *byte = (struct type){.kind = TYPE_INT,
                          .spelling = "unsigned char",
                          .nameable = true,
                          .complete = true,
                          .is_char = true,
                          .size = 1,
                          .align = 1};
    byte->canonical = byte;
    return byte;
}

void effects_init(struct emitter *e)
{
    const struct program *program = e->program;
    for (size_t f = 0; f < program->function_count; f++)
        for (size_t i = 0; program->functions[f].defined && i < program->functions[f].global_count;
             i++)
            map_put(&e->referred, program->functions[f].globals[i] + 1, 1);
}

const struct facts_function *effects_of(const struct emitter *e, const struct function *function)
{
    if (libc_class_of(function->name) == LIBC_INPUT && !function->is_own)
        return facts_library(function->name, function->type->param_count, e->arena);
    if (!e->options->facts)
        return NULL;
    return facts_find(e->options->facts, function->source_name,
                      function->defined_in ? function->defined_in : e->program->source);
}

void effects_plan(struct emitter *e, const struct function *function)
{
    const struct facts_function *facts = effects_of(e, function);
    for (size_t i = 0; facts && i < facts->write_count; i++) {
        size_t parameter = facts->writes[i].way.parameter;
        if (parameter < function->type->param_count)
            plan_root(e, function->type->params[parameter]);
    }
}
