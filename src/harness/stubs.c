// SPDX-License-Identifier: Apache-2.0
// What the unit uses and does not define. Functions become stubs whose result is an
// input at each call, with what they write when that is known (effects.c); variables get
// a definition.
// Functions of the C library stay what they are, except those whose result comes
// from outside the program (class INPUT of wire/libc.def). Those of other libraries
// that have their headers in the system's directories are stubs like any other, and so are
// the project's own that only share a name with the C library's (symbols.c).
#include "harness/effects.h"
#include "harness/emit.h"
#include "harness/symbols.h"
#include "program/libc.h"

#include <string.h>

static bool is_whole(const struct emitter *e)
{
    return e->options->program != NULL;
}

bool stubs_wanted(const struct emitter *e, const struct function *function)
{
    return symbols_stubbed(function, is_whole(e));
}

// An earlier part of the unit's driver has it; else this one has it now.
static bool is_provided(struct emitter *e, const char *name)
{
    struct map *provided = e->options->provided;
    if (!provided)
        return false;
    if (map_get_text(provided, name, NULL))
        return true;
    map_put_text(provided, name, 1);
    return false;
}

// Functions that tasks call. All functions of the unit are linked, tasks or not, and
// tables of function pointers refer to functions that nobody calls by name: so a
// function that is mentioned again after its declaration is used, too.
static void find_called(const struct program *program, struct map *called)
{
    for (size_t t = 0; t < program->task_count; t++) {
        for (size_t i = 0; i < program->tasks[t].external_count; i++)
            map_put(called, program->tasks[t].externals[i] + 1, 1);
    }
}

static bool can_return(const struct type *result)
{
    return names_sayable(result) && (!plan_is_record(result) || result->complete);
}

// Of a function that is declared without a prototype, or whose parameters have types that
// cannot be written down. Had its stub no parameters, clang would drop the arguments of the
// calls, and what they point to would seem to be out of everybody's reach; this type is
// compatible with both, and with no argument that anybody passes.
#define UNKNOWN_PARAMETERS "(long double unknown)"

// "(struct node *a0, int a1, ...)"
static void write_parameters(struct emitter *e, const struct type *type, struct buf *out)
{
    if (type->variadic && !type->param_count) {
        buf_puts(out, UNKNOWN_PARAMETERS);
        return;
    }
    buf_putc(out, '(');
    for (size_t i = 0; i < type->param_count; i++) {
        const char *name = names_local(e, arena_printf(e->arena, "a%zu", i));
        buf_printf(out, "%s%s", i ? ", " : "", names_declare(e, type->params[i], name));
    }
    if (type->variadic)
        buf_puts(out, ", ...");
    else if (!type->param_count)
        buf_puts(out, "void");
    buf_putc(out, ')');
}

// "const struct s f(void)": the qualifiers of a result are part of the function's type.
static const char *write_head(struct emitter *e, const struct type *result, const char *rest)
{
    const char *constant = result->is_const ? "const " : "";
    const char *changing = result->is_volatile ? "volatile " : "";
    if (result->kind != TYPE_POINTER)
        return arena_printf(e->arena, "%s%s%s", constant, changing, names_declare(e, result, rest));
    return names_declare(e, result, arena_printf(e->arena, "%s%s%s", constant, changing, rest));
}

// What is returned, in words.
static const char *write_result(struct scope *s, const struct function *function,
                                const struct facts_function *facts, const char *call,
                                struct slot slot)
{
    struct emitter *e = s->emitter;
    const struct type *result = function->type->target;
    struct aliases known = {.count = 0};
    bool sets_errno = library_errno_wanted(e);
    if (result->kind == TYPE_VOID) {
        if (sets_errno)
            library_errno(s, function, call);
        else if (strchr(call, '('))
            emit_line(s, "%s;", call);
    } else if (scalar_vocabulary(result) && !sets_errno) {
        emit_line(
            s, "return %s;",
            scalar_value(s, result, root_stub_part(s, function, call, "return", result, slot)));
    } else {
        const char *name = names_local(e, "result");
        s->hidden = name;
        s->spoken = arena_printf(e->arena, "result of %s()", function->source_name);
        emit_declaration(s, result, name);
        emit_line(s, "cz_path %s = %s;", e->at,
                  root_stub_part(s, function, call, "return", result, slot));
        returns_find(s, function, facts, call, &known);
        s->given = known.count ? &known : NULL;
        fill(s, (struct spot){name, e->at, false, program_slot_key(&slot)}, result);
        s->given = NULL;
        if (!scalar_vocabulary(result))
            observe_returned(s, result, name, e->at);
        if (sets_errno)
            library_errno(s, function, call);
        emit_line(s, "return %s;", name);
    }
    return result->kind == TYPE_VOID ? NULL : "a value";
}

// Memory; if only the name says that the function hands out memory, that or anything else.
static const char *write_memory(struct scope *s, const struct function *function,
                                const struct facts_function *facts, const char *call,
                                struct slot slot)
{
    struct emitter *e = s->emitter;
    const char *memory = allocators_value(e, function);
    if (!memory)
        return write_result(s, function, facts, call, slot);
    if (!function->is_allocator)
        emit_line(s, "if (!cz_choice(%s, 2)) {",
                  root_stub_part(s, function, call, "other", NULL, (struct slot){0}));
    s->level += !function->is_allocator;
    if (library_errno_wanted(e))
        library_errno(s, function, call);
    else if (function->is_allocator && strchr(call, '('))
        emit_line(s, "%s;", call);
    emit_line(s, "return %s;", memory);
    if (function->is_allocator)
        return "memory of the size that is asked for";
    s->level--;
    emit_line(s, "}");
    write_result(s, function, facts, call, slot);
    return "memory of the size that is asked for, or something else";
}

// Is the place of the call used more than once? It counts the calls.
static bool names_call(struct emitter *e, const struct function *function)
{
    return library_errno_wanted(e) || allocators_value(e, function);
}

// All that a stub does that stands for a function of which nothing else is known.
static void write_only_result(struct scope *s, const struct function *function, struct slot slot)
{
    const char *call = root_stub_call(s, function);
    if (names_call(s->emitter, function)) {
        const char *number = names_local(s->emitter, "call");
        emit_line(s, "cz_path %s = %s;", number, call);
        call = number;
    }
    write_memory(s, function, NULL, call, slot);
}

static void write_end(struct scope *s, const char *call)
{
    emit_line(s, "%s;", call);
    emit_line(s, "for (;;)");
    emit_line(s, "    cz_exit();");
}

// What it does, in words.
static const char *write_body(struct scope *s, const struct function *function, struct slot slot,
                              bool *partial)
{
    struct emitter *e = s->emitter;
    const struct facts_function *facts = effects_of(e, function);
    const char *call = root_stub_call(s, function), *told = "";
    if (function->is_noreturn || (facts && facts->never_returns)) {
        write_end(s, call);
        return "ends the run";
    }
    bool writes = facts && !facts->is_pure && names_sayable(function->type);
    if (writes || names_call(e, function)) {
        const char *name = names_local(e, "call");
        emit_line(s, "cz_path %s = %s;", name, call);
        call = name;
    }
    if (writes)
        told = effects_write(s, function, facts, call, partial);
    if (facts && !facts->is_pure && !names_sayable(function->type))
        emit_note(s, true,
                  "%s() is a stub: what the real one writes is left out, its parameters have "
                  "types without a name that can be written",
                  function->source_name);
    const char *value = write_memory(s, function, facts, call, slot);
    if (*told)
        return value ? arena_printf(e->arena, "returns %s and %s", value, told) : told;
    return value ? arena_printf(e->arena, "only returns %s", value) : "does nothing";
}

// A parameter type that cannot be written down would make the definition conflict
// with the declaration. Then another name with the same symbol is defined.
static void write_heading(struct emitter *e, const struct function *function, struct buf *out)
{
    const struct type *result = function->type->target;
    struct buf parameters = BUF_INIT;
    if (names_sayable(function->type)) {
        write_parameters(e, function->type, &parameters);
        const char *rest = arena_printf(e->arena, "%s%s", function->name, buf_text(&parameters));
        buf_printf(out, "%s%s\n{\n", function->is_static && !function->symbol ? "static " : "",
                   write_head(e, result, rest));
    } else {
        const char *name = names_pick(e, arena_printf(e->arena, "czs_%s", function->name));
        const char *head =
            write_head(e, result, arena_printf(e->arena, "%s" UNKNOWN_PARAMETERS, name));
        buf_printf(out, "%s __asm__(\"%s\");\n%s\n{\n", head,
                   symbols_of_function(function, is_whole(e), e->arena), head);
    }
    buf_release(&parameters);
}

static void write_stub(struct emitter *e, size_t index, struct buf *out)
{
    const struct function *function = &e->program->functions[index];
    uint64_t at = 0;
    map_get(&e->stubs, index + 1, &at);
    struct scope s = {.emitter = e, .out = out, .piece = e->pieces.items[at - 1], .level = 1};
    set_depth(&s, function->type->target, arena_printf(e->arena, "%s()", function->source_name));
    if (!can_return(function->type->target)) {
        emit_note(&s, true, "%s() has no stub: its result's type has no name that can be written",
                  function->source_name);
        return;
    }
    const char *symbol = function->symbol ? function->symbol : function->name;
    if ((!function->is_static || function->symbol) && is_provided(e, symbol))
        return;
    write_heading(e, function, out);
    struct slot slot = {.kind = SLOT_RESULT, .owner = index};
    bool partial = false;
    observe_stub(&s, function);
    const char *does = write_body(&s, function, slot, &partial);
    buf_puts(out, "}\n\n");
    emit_note(&s, partial, "%s() is a stub that %s", function->source_name, does);
}

// What a test calls the pointer: cb, ops.run, get_handler().
static const char *pointer_name(struct emitter *e, uint64_t key)
{
    const struct program *program = e->program;
    const struct slot *slot = &pointer_facts(e, key)->slot;
    switch (slot->kind) {
    case SLOT_VARIABLE: return program->variables[slot->owner].name;
    case SLOT_FIELD: return slot->record->fields[slot->index].name;
    case SLOT_PARAMETER: return program->functions[slot->owner].params[slot->index].name;
    default: return program->functions[slot->owner].source_name;
    }
}

static size_t write_pointer_stub(struct emitter *e, uint64_t slot, const struct type *type)
{
    const char *name = pointer_name(e, slot);
    const char *wanted = arena_printf(e->arena, "any_%s", names_identifier(e, name));
    size_t at;
    struct piece *piece = piece_new(e, names_pick(e, wanted), &at);
    struct function function = {
        .name = piece->name, .source_name = name, .type = (struct type *)type, .is_static = true};
    struct buf head = BUF_INIT, body = BUF_INIT;
    struct scope s = {.emitter = e, .out = &body, .piece = piece, .level = 1};
    set_depth(&s, type->target, arena_printf(e->arena, "%s()", name));
    map_put(&e->pointees, slot, at + 1);
    *VEC_PUSH(&e->pointer_functions) = function;
    write_heading(e, &function, &head);
    observe_stub(&s, &function);
    write_only_result(&s, &function, (struct slot){0});
    buf_printf(&e->prototypes, "%.*s;\n", (int)(head.length - strlen("\n{\n")), buf_text(&head));
    buf_printf(&e->pointer_stubs, "%s%s}\n\n", buf_text(&head), buf_text(&body));
    buf_release(&head);
    buf_release(&body);
    return at;
}

const char *stubs_for_pointer(struct scope *s, uint64_t slot, const struct type *type)
{
    struct emitter *e = s->emitter;
    uint64_t known;
    if (!names_sayable(type) || !can_return(type->target))
        return NULL;
    size_t at =
        map_get(&e->pointees, slot, &known) ? (size_t)known - 1 : write_pointer_stub(e, slot, type);
    piece_use(s->piece, at);
    return e->pieces.items[at]->name;
}

const char *stubs_for_weak(struct scope *s, size_t index)
{
    struct emitter *e = s->emitter;
    struct function function = e->program->functions[index];
    struct slot slot = {.kind = SLOT_RESULT, .owner = index};
    uint64_t known;
    if (!names_sayable(function.type) || !can_return(function.type->target))
        return NULL;
    if (!map_get(&e->weak_stubs, index + 1, &known)) {
        size_t at;
        struct piece *piece =
            piece_new(e, names_pick(e, arena_printf(e->arena, "other_%s", function.name)), &at);
        struct buf head = BUF_INIT, body = BUF_INIT;
        struct scope inner = {.emitter = e, .out = &body, .piece = piece, .level = 1};
        set_depth(&inner, function.type->target,
                  arena_printf(e->arena, "%s()", function.source_name));
        map_put(&e->weak_stubs, index + 1, known = at + 1);
        function.name = piece->name;
        function.is_static = true;
        write_heading(e, &function, &head);
        observe_stub(&inner, &function);
        write_only_result(&inner, &function, slot);
        buf_printf(&e->prototypes, "%.*s;\n", (int)(head.length - strlen("\n{\n")),
                   buf_text(&head));
        buf_printf(&e->pointer_stubs, "%s%s}\n\n", buf_text(&head), buf_text(&body));
        buf_release(&head);
        buf_release(&body);
    }
    piece_use(s->piece, known - 1);
    return e->pieces.items[known - 1]->name;
}

static void declare(struct emitter *e, const struct function *function)
{
    struct buf head = BUF_INIT;
    write_heading(e, function, &head);
    buf_printf(&e->prototypes, "%.*s", (int)(head.length - strlen("\n{\n")), buf_text(&head));
    if (function->symbol) // tables of other files refer to it
        buf_printf(&e->prototypes, " __asm__(\"%s\")", function->symbol);
    buf_puts(&e->prototypes, ";\n");
    buf_release(&head);
}

// Pieces first: a stub may hand out pointers to another one.
void stubs_write(struct emitter *e, struct buf *out)
{
    const struct program *program = e->program;
    struct map called;
    uint64_t yes;
    map_init(&called);
    find_called(program, &called);
    effects_init(e);
    for (size_t i = 0; i < program->function_count; i++) {
        const struct function *function = &program->functions[i];
        size_t at;
        if (function->is_candidate && !names_sayable(function->type))
            continue;
        if (function->is_candidate)
            declare(e, function);
        if (!stubs_wanted(e, function) ||
            (names_count(e, function->name) < 2 && !map_get(&called, i + 1, &yes) &&
             !function->is_candidate && !function->referred))
            continue;
        piece_new(e, function->name, &at);
        map_put(&e->stubs, i + 1, at + 1);
    }
    for (size_t i = 0; i < program->function_count; i++)
        if (map_get(&e->stubs, i + 1, &yes))
            write_stub(e, i, out);
    map_release(&called);
}

void stubs_plan(struct emitter *e)
{
    for (size_t i = 0; i < e->program->function_count; i++) {
        const struct function *function = &e->program->functions[i];
        if (!stubs_wanted(e, function))
            continue;
        plan_root(e, function->type->target);
        effects_plan(e, function);
    }
}

// A variable whose type is incomplete in this file can only have its address taken.
static void define_opaque(const struct variable *variable, struct buf *out)
{
    buf_printf(out, "__asm__(\".comm %s,64,16\"); /* incomplete type */\n", variable->name);
}

uint64_t stubs_open_count(const struct emitter *e, const struct variable *variable)
{
    uint64_t usual = e->options->elements ? e->options->elements : 1;
    return variable->elements > usual ? variable->elements : usual;
}

const struct field *stubs_flexible_member(const struct variable *variable)
{
    const struct field *last =
        variable_is_open(variable) ? type_flexible_member(variable->type) : NULL;
    return last && !last->type->complete ? last : NULL;
}

// The elements of a flexible array member are there by an initialiser, which gives an array [0]
// of the GNU kind none: whatever uses them ends at the bound.
static const char *flexible_initialiser(struct emitter *e, const struct variable *variable)
{
    const struct field *last = stubs_flexible_member(variable);
    if (!last)
        return "";
    return arena_printf(e->arena, " = {.%s = {[%llu] = {0}}}", last->name,
                        (unsigned long long)stubs_open_count(e, variable) - 1);
}

// `int valves[10];` where the type is simple; __typeof__ of the declared name
// otherwise, which repeats qualifiers, arrays and types without a name.
static void define_global(struct emitter *e, const struct variable *variable, struct buf *out)
{
    const struct type *type = variable->type;
    bool open_array = type->kind == TYPE_ARRAY && (!type->count || variable->bound_elsewhere);
    const struct type *shown = open_array ? type->target : type;
    unsigned long long count = type->count ? type->count : stubs_open_count(e, variable);
    const char *bounds = open_array ? arena_printf(e->arena, "[%llu]", count) : "";
    if (variable->is_thread_local)
        buf_puts(out, "_Thread_local ");
    if (plan_is_record(shown) && !shown->complete)
        define_opaque(variable, out);
    else if (names_sayable(shown) && !shown->is_const && !shown->is_volatile &&
             !strpbrk(shown->spelling, "(["))
        buf_printf(out, "%s%s%s;\n", names_declare(e, shown, variable->name), bounds,
                   flexible_initialiser(e, variable));
    else
        buf_printf(out, "__typeof__(%s%s) %s%s%s;\n", variable->name, open_array ? "[0]" : "",
                   variable->name, bounds, flexible_initialiser(e, variable));
}

void stubs_globals(struct emitter *e, struct buf *out)
{
    struct map done;
    map_init(&done);
    for (size_t i = 0; i < e->program->variable_count; i++) {
        const struct variable *variable = &e->program->variables[i];
        uint64_t seen;
        if (!variable->is_extern_only || variable->function || variable->elsewhere ||
            variable->is_alias || (variable->is_weak && is_whole(e)) ||
            symbols_of_libc(is_whole(e), variable->in_system_header, variable->name) ||
            map_get_text(&done, variable->name, &seen))
            continue;
        if (e->program->unit_text && names_count(e, variable->name) < 2)
            continue;
        map_put_text(&done, variable->name, 1);
        if (!is_provided(e, variable->name))
            define_global(e, variable, out);
    }
    map_release(&done);
}

// Static functions that pointers of other files of the unit may hold.
void stubs_exports(struct emitter *e, struct buf *out)
{
    for (size_t i = 0; i < e->program->function_count; i++) {
        const struct function *f = &e->program->functions[i];
        if (!f->defined || !f->is_static || !f->symbol || is_provided(e, f->symbol) ||
            !names_sayable(f->type) || !can_return(f->type->target))
            continue;
        struct function wrapper = *f;
        struct buf list = BUF_INIT;
        wrapper.name = f->symbol;
        write_heading(e, &wrapper, out);
        for (size_t k = 0; k < f->type->param_count; k++)
            buf_printf(&list, "%s%s", k ? ", " : "",
                       names_local(e, arena_printf(e->arena, "a%zu", k)));
        buf_printf(out, "    %s%s(%s);\n}\n\n", f->type->target->kind == TYPE_VOID ? "" : "return ",
                   f->name, buf_text(&list));
        buf_release(&list);
    }
}

// A C99 `inline` without `extern` defines nothing that can be called without inlining:
// another file of the project does. Declared once more, it is emitted here.
void stubs_inlines(struct emitter *e, struct buf *out)
{
    for (size_t i = 0; i < e->program->function_count; i++) {
        const struct function *f = &e->program->functions[i];
        if (f->defined && f->is_inline && !f->is_static && !f->emitted &&
            !(f->in_system_header && libc_defines(f->name)) && !f->elsewhere &&
            !is_provided(e, f->name))
            buf_printf(out, "extern __typeof__(%s) %s;\n", f->name, f->name);
    }
}
