// SPDX-License-Identifier: Apache-2.0
// Pointers to functions (MAESTRO section 3.3.4): an input chooses among the functions
// that the project is seen to put there, or that have the right type; NULL is one of them
// where the code looks for it. Functions of other files are stubs. A pointer without any
// candidate gets a stub of its own.
#include "harness/emit.h"

#include "base/tunables.h"

struct choices {
    const char *names[HARNESS_FUNCTIONS + 1]; // "0" for NULL
    unsigned count;
    bool null, cut, stub;
};

static void add_functions(struct scope *s, const struct pointer_candidates *facts,
                          const struct type *wanted, struct choices *out)
{
    const struct program *program = s->emitter->program;
    for (size_t i = 0; i < facts->function_count; i++) {
        const struct function *function = &program->functions[facts->functions[i]];
        if (out->count == HARNESS_FUNCTIONS) {
            out->cut = true;
            return;
        }
        if (function->is_candidate && !names_sayable(function->type)) {
            out->cut = true; // it cannot be declared here
            continue;
        }
        uint64_t stub;
        if (map_get(&s->emitter->stubs, facts->functions[i] + 1, &stub))
            piece_use(s->piece, stub - 1);
        out->names[out->count++] =
            function->type->canonical == wanted->canonical
                ? function->name
                : arena_printf(s->emitter->arena, "(void *)%s", function->name);
    }
}

static void find_choices(struct scope *s, struct spot spot, const struct type *function,
                         const struct pointer_candidates *facts, struct choices *out)
{
    out->null = facts->tested;
    if (out->null)
        out->names[out->count++] = "0";
    add_functions(s, facts, function, out);
    if (out->count > out->null)
        return;
    const char *stub = stubs_for_pointer(s, spot.slot, function);
    out->stub = stub != NULL;
    if (stub)
        out->names[out->count++] = stub;
}

// (handler)1
static void add_numbers(struct scope *s, struct spot spot, const struct type *type,
                        struct choices *out)
{
    struct known known = {.count = 0};
    known_numbers(s, spot, type, &known);
    for (unsigned i = 0; i < known.count && out->count < HARNESS_FUNCTIONS; i++)
        out->names[out->count++] = known.values[i];
    known_release(&known);
}

static void note_choices(struct scope *s, struct spot spot, const struct choices *choices,
                         const struct pointer_candidates *facts)
{
    struct buf list = BUF_INIT;
    for (unsigned i = 0; i < choices->count && i < HARNESS_FUNCTIONS_NAMED; i++)
        buf_printf(&list, "%s%s", i ? ", " : "", i < choices->null ? "NULL" : choices->names[i]);
    if (choices->count > HARNESS_FUNCTIONS_NAMED)
        buf_printf(&list, " and %u more", choices->count - HARNESS_FUNCTIONS_NAMED);
    const char *spoken = emit_spoken(s, spot.access);
    if (choices->count == choices->null)
        emit_note(s, true, "%s: function pointer left NULL: its type has no name", spoken);
    else if (choices->stub)
        emit_note(s, true, "%s: function pointer without a function in this file: a stub", spoken);
    else
        emit_note(s, facts->open || facts->by_signature || choices->cut,
                  "%s: function pointer, one of %s%s", spoken, buf_text(&list),
                  choices->cut          ? "; others are left out"
                  : facts->by_signature ? ", which have its type"
                  : facts->open         ? "; other files may assign others"
                                        : "");
    buf_release(&list);
}

// The names, for the reader of a test.
static const char *typed_path(struct scope *s, struct spot spot, const struct choices *choices)
{
    struct buf names = BUF_INIT;
    for (unsigned i = 0; i < choices->count; i++) {
        const char *name = choices->names[i];
        if (*name == '(')
            name += sizeof "(void *)" - 1;
        buf_printf(&names, "%s%s", i ? "|" : "", i < choices->null ? "NULL" : name);
    }
    const char *path =
        arena_printf(s->emitter->arena, "cz_typed(%s, \"%s\")", spot.path, buf_text(&names));
    buf_release(&names);
    return path;
}

// A table, not a switch: the choice is made when somebody looks at the pointer, and
// pointers that nobody looks at cost nothing.
static void write_table(struct scope *s, struct spot spot, const struct type *type,
                        const struct choices *choices)
{
    struct emitter *e = s->emitter;
    struct buf names = BUF_INIT;
    for (unsigned i = 0; i < choices->count; i++)
        buf_printf(&names, "%s%s", i ? ", " : "", choices->names[i]);
    const char *table = names_local(e, "functions");
    emit_line(s, "{");
    s->level++;
    emit_line(s, "static void *const %s[] = {%s};", table, buf_text(&names));
    pointer_assign(s, spot, type,
                   arena_printf(e->arena, "%s[cz_choice(%s, %u)]", table,
                                typed_path(s, spot, choices), choices->count));
    s->level--;
    emit_line(s, "}");
    buf_release(&names);
}

void fill_function_pointer(struct scope *s, struct spot spot, const struct type *type)
{
    const struct pointer_candidates *facts = pointer_facts(s->emitter, spot.slot);
    struct choices choices = {.count = 0};
    if (s->emitter->options->no_function_pointers) {
        emit_note(s, true, "%s: NULL (--without function-pointers)", emit_spoken(s, spot.access));
        return;
    }
    if (!facts ||
        (!facts->called && !facts->tested && !facts->function_count && !facts->number_count)) {
        emit_line(s, "/* %s: a function pointer that this file does not use */", spot.access);
        return;
    }
    find_choices(s, spot, type->target, facts, &choices);
    for (unsigned i = choices.null; i < choices.count; i++)
        observe_function(s->emitter, choices.names[i]);
    add_numbers(s, spot, type, &choices);
    note_choices(s, spot, &choices, facts);
    if (choices.count <= 1) {
        if (choices.count)
            pointer_assign(s, spot, type, choices.names[0]);
        return;
    }
    write_table(s, spot, type, &choices);
}
