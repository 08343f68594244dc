// SPDX-License-Identifier: Apache-2.0
// Pointers: NULL, a fresh object or one that is there already, as a shape input says
// (MAESTRO section 3.3.2). The object has as many elements as plan.c allows; --depth ends
// nested ones.
#include "harness/emit.h"

#include "base/tunables.h"
#include <string.h>

const struct pointer_candidates *pointer_facts(const struct emitter *e, uint64_t slot)
{
    uint64_t index;
    if (!slot || !map_get(&e->pointers, slot, &index))
        return NULL;
    return &e->program->pointers[index - 1];
}

void pointer_assign(struct scope *s, struct spot spot, const struct type *type, const char *value)
{
    if (spot.is_const || type->is_const)
        emit_line(s, "*(void **)&%s = %s;", spot.access, value);
    else
        emit_line(s, "%s = %s;", spot.access, value);
}

// A stream cannot be made of inputs: the C library would follow its pointers.
static bool is_stream(const struct type *target)
{
    return target->spelling && (strcmp(target->spelling, "FILE") == 0 ||
                                strcmp(target->spelling, "struct _IO_FILE") == 0);
}

static bool is_opaque(const struct type *target)
{
    return plan_is_record(target) && !target->complete;
}

static const char *size_of(struct scope *s, struct spot spot, const struct type *target,
                           struct count count)
{
    struct arena *arena = s->emitter->arena;
    const struct type *tail = plan_is_record(target) ? plan_flexible(target) : NULL;
    if (target->kind == TYPE_VOID)
        return count_text(arena, count);
    if (tail)
        return arena_printf(
            arena, "sizeof *%s + %s", spot.access,
            count_text(arena, count_times(plan_flexible_count(s->emitter, tail), tail->size)));
    if (count_most(count) == 1)
        return arena_printf(arena, "sizeof *%s", spot.access);
    return arena_printf(arena, "%s * sizeof *%s", count_text(arena, count), spot.access);
}

void fill_pointee(struct scope *s, struct spot spot, const struct type *target, struct count count)
{
    spot.is_const = target->is_const;
    if (target->kind == TYPE_VOID)
        fill_bytes(s, spot.access, spot.path, count);
    else if (plan_is_record(target) && count_most(count) == 1)
        fill_record_behind(s, spot, target);
    else
        fill_elements(s, spot, target, count);
}

// Is one object all that the file uses of it? Text ends with a NUL wherever it ends.
bool pointer_is_single(const struct emitter *e, uint64_t slot, const struct type *target)
{
    const struct pointer_candidates *facts = pointer_facts(e, slot);
    return facts && !facts->indexed && !target->is_char && target->kind != TYPE_VOID &&
           target->kind != TYPE_POINTER;
}

static struct count elements_of(struct scope *s, uint64_t slot, const struct type *target,
                                bool nested)
{
    bool is_promised = count_start(s->fixed) > 0;
    if (!is_promised && pointer_is_single(s->emitter, slot, target))
        return count_fixed(1);
    return is_promised && !nested ? s->fixed : plan_count(s->emitter, target, nested);
}

struct count pointer_elements(struct scope *s, uint64_t slot, const struct type *target)
{
    struct scope inner = *s;
    inner.fixed = count_fixed(0);
    return elements_of(&inner, slot, target, true);
}

// There is always one of a linked record, which matters if the code uses it as an array.
static void note_elements(struct scope *s, struct spot spot, const struct type *target,
                          struct count count)
{
    const struct harness_options *options = s->emitter->options;
    const struct pointer_candidates *facts = pointer_facts(s->emitter, spot.slot);
    bool is_one = plan_is_linked(s->emitter, target) || plan_flexible(target);
    uint64_t wanted =
        options->most_elements > options->elements ? options->most_elements : options->elements;
    if (count_most(count) < wanted && (!is_one || (facts && facts->indexed)))
        emit_most(s, NOTE_ELEMENTS, spot.access, count_most(count));
}

static void fill_present(struct scope *s, struct spot spot, const struct type *type)
{
    struct arena *arena = s->emitter->arena;
    const struct type *target = type->target;
    if (is_opaque(target)) {
        if (fill_constructed(s, spot, type))
            return;
        emit_note(s, true, "%s: %s is incomplete here, so the object has no content",
                  emit_spoken(s, spot.access), target->spelling);
        pointer_assign(s, spot, type, arena_printf(arena, "cz_new(%s, 1, 0)", spot.path));
        return;
    }
    bool nested = s->counting || s->pointers > 1;
    struct count count = elements_of(s, spot.slot, target, nested);
    bool is_promised = count_start(s->fixed) > 0;
    bool single = !is_promised && pointer_is_single(s->emitter, spot.slot, target);
    if (target->is_char || target->kind == TYPE_VOID) // places that known_tag() moves it to
        count =
            count_limit(count_plus(count, known_tag_bits(s->emitter, spot.slot)), HARNESS_LEAVES);
    if (!single && !is_promised)
        note_elements(s, spot, target, count);
    pointer_assign(
        s, spot, type,
        target->is_char
            ? arena_printf(arena, "cz_text(%s, %s)", spot.path, count_text(arena, count))
            : arena_printf(arena, "cz_new(%s, %s, 1)", spot.path, size_of(s, spot, target, count)));
    fill_pointee(s, spot, target, count);
}

static void fill_stream(struct scope *s, struct spot spot, const struct type *type)
{
    emit_note(s, false, "%s: NULL or a stream whose content is an input",
              emit_spoken(s, spot.access));
    pointer_assign(s, spot, type,
                   arena_printf(s->emitter->arena, "cz_present(%s) ? cz_stream(%s) : 0", spot.path,
                                spot.path));
}

// ---- Pointers that are converted ----

static bool is_usable_cast(const struct type *cast)
{
    const struct type *target = cast->target;
    return target->kind != TYPE_FUNCTION && target->complete && names_sayable(cast);
}

// What is behind it is what the file converts it to: a view of it as that pointer is filled.
static void fill_view(struct scope *s, struct spot spot, const struct type *type,
                      const struct type *cast)
{
    struct arena *arena = s->emitter->arena;
    const struct type *target = cast->target;
    const char *name = strpbrk(target->spelling, "([")
                           ? arena_printf(arena, "__typeof__(%s)", target->spelling)
                           : names_plain(s->emitter, target);
    spot.access = arena_printf(arena, "(*(%s **)&%s)", name, spot.access);
    struct scope inner = *s;
    inner.is_head = cast == type;
    fill_pointer(&inner, spot, cast);
    observe_view(s, spot.access, target);
}

static void fill_views(struct scope *s, struct spot spot, const struct type *type,
                       const struct type **casts, unsigned count)
{
    struct arena *arena = s->emitter->arena;
    bool block = emit_open(s, spot.path);
    const char *path = emit_hoist(s, spot.path);
    emit_note(s, NOTE_OBJECTS, "%s: one of the %u types it is converted to",
              emit_spoken(s, spot.access), count);
    emit_line(s, "switch (cz_choice(%s, %u)) {", path, count);
    for (unsigned i = 0; i < count; i++) {
        const char *name = names_identifier(s->emitter, names_plain(s->emitter, casts[i]->target));
        emit_line(s, "case %u:", i);
        s->level++;
        spot.path = arena_printf(arena, "cz_part(%s, \"%s\")", path, name);
        fill_view(s, spot, type, casts[i]);
        emit_line(s, "break;");
        s->level--;
    }
    emit_line(s, "}");
    emit_close(s, block);
}

static unsigned add_casts(struct type *const *list, size_t length, const struct type **casts,
                          unsigned count)
{
    for (size_t i = 0; i < length && count < HARNESS_CASTS; i++)
        if (is_usable_cast(list[i]))
            casts[count++] = list[i];
    return count;
}

// A void * has the types that this very pointer is converted to. A pointer to the head of
// other records has theirs; its own one is among them when it is a member of a union.
static unsigned find_casts(struct scope *s, struct spot spot, const struct type *type,
                           const struct type **casts)
{
    const struct pointer_candidates *facts = pointer_facts(s->emitter, spot.slot);
    const struct type *target = type->target;
    const struct type *record = target->canonical ? target->canonical : target;
    if (target->kind == TYPE_VOID)
        return facts ? add_casts(facts->casts, facts->cast_count, casts, 0) : 0;
    if (!record->whole_count || count_start(s->fixed) || s->is_head)
        return 0;
    bool is_member = record->wholes[0]->target->kind == TYPE_UNION;
    casts[0] = type;
    unsigned count = add_casts(record->wholes, record->whole_count, casts, !is_member);
    return !is_member && count == 1 ? 0 : count;
}

// False: nothing is known, what its type says is all there is.
static bool fill_typed(struct scope *s, struct spot spot, const struct type *type)
{
    const struct type *casts[HARNESS_CASTS];
    unsigned count = find_casts(s, spot, type, casts);
    if (count == 1)
        fill_view(s, spot, type, casts[0]);
    else if (count)
        fill_views(s, spot, type, casts, count);
    return count > 0;
}

// ---- Shapes ----

static void fill_fresh(struct scope *s, struct spot spot, const struct type *type)
{
    struct scope inner = *s;
    inner.level++;
    inner.pointers++;
    inner.row.table = NULL;
    inner.given = NULL;
    inner.is_linked = false;
    inner.counting ? inner.used++ : inner.depth--;
    fill_present(&inner, spot, type);
}

// NULL, or an object that is already there. By a table: the choice is made when the code
// looks at the pointer, not here.
static void fill_shared(struct scope *s, struct spot spot, const struct type *type,
                        const struct aliases *aliases)
{
    struct emitter *e = s->emitter;
    struct buf list = BUF_INIT;
    const char *earlier = names_local(e, "earlier");
    for (unsigned i = 0; i < aliases->count; i++)
        buf_printf(&list, ", (void *)%s", aliases->access[i]);
    const char *count = aliases->alternatives ? aliases->alternatives
                                              : arena_printf(e->arena, "%u", 1 + aliases->count);
    emit_line(s, "void *const %s[] = {0%s};", earlier, buf_text(&list));
    if (s->given) { // a stub's NULL is known as one, so that the search can go through it
        const char *which = names_local(e, "which");
        emit_line(s, "unsigned %s = cz_choice(%s, %s);", which, spot.path, count);
        pointer_assign(s, spot, type,
                       arena_printf(e->arena, "%s ? %s[%s] : cz_absent(%s)", which, earlier, which,
                                    spot.path));
    } else {
        pointer_assign(s, spot, type,
                       arena_printf(e->arena, "%s[cz_choice(%s, %s)]", earlier, spot.path, count));
    }
    if (!s->counting) // of what builders do, aliases_begin_task() speaks
        emit_note(s, NOTE_OBJECTS,
                  "%s: may share an earlier object of its type (%u tried), but not overlap one",
                  emit_spoken(s, spot.access), aliases->count);
    buf_release(&list);
}

static void fill_known(struct scope *s, struct spot spot, const struct type *type)
{
    struct known known = {.count = 0};
    known_numbers(s, spot, type, &known);
    if (!s->is_linked)
        known_compared(s, spot, type, &known);
    if (known.count)
        known_write(s, spot, type, "value", &known);
    known_release(&known);
}

static void fill_shape(struct scope *s, struct spot spot, const struct type *type)
{
    struct aliases aliases = {.count = 0};
    aliases_find(s, spot, type, &aliases);
    emit_line(s, s->counting ? "} else if (cz_present(%s)) {" : "if (cz_present(%s)) {", spot.path);
    fill_fresh(s, spot, type);
    s->level++;
    known_tag(s, spot, type);
    s->level--;
    emit_line(s, "} else {");
    s->level++;
    if (aliases.table)
        pointer_assign(s, spot, type,
                       arena_printf(s->emitter->arena, "%s[cz_choice(%s, %s)]", aliases.table,
                                    spot.path, aliases.alternatives));
    else if (aliases.count)
        fill_shared(s, spot, type, &aliases);
    else
        pointer_assign(s, spot, type, arena_printf(s->emitter->arena, "cz_absent(%s)", spot.path));
    fill_known(s, spot, type);
    s->level--;
    emit_line(s, "}");
}

void fill_pointer(struct scope *s, struct spot spot, const struct type *type)
{
    struct arena *arena = s->emitter->arena;
    if (type->target->kind == TYPE_FUNCTION) {
        fill_function_pointer(s, spot, type);
        return;
    }
    if (is_stream(type->target)) {
        fill_stream(s, spot, type);
        return;
    }
    if (arguments_is_pointer(type)) {
        fill_argument_pointer(s, spot, type);
        return;
    }
    if (fill_typed(s, spot, type))
        return;
    s->is_head = false;
    if (!s->counting && s->depth == 0) {
        pointer_assign(s, spot, type, arena_printf(arena, "cz_deep_null(%s)", spot.path));
        return;
    }
    bool block = emit_open(s, spot.path);
    spot.path = emit_hoist(s, spot.path);
    if (s->counting) {
        emit_line(s, "if (%s == %u) {", s->emitter->depth, s->used);
        s->level++;
        pointer_assign(s, spot, type, arena_printf(arena, "cz_deep_null(%s)", spot.path));
        s->level--;
    }
    fill_shape(s, spot, type);
    emit_close(s, block);
}
