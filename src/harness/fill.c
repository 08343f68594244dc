// SPDX-License-Identifier: Apache-2.0
// Code that fills one lvalue from inputs: dispatch by type, scalars, arrays.
// Objects that the type system declares constant are written through a cast; the
// driver plays the part of whatever initialised them.
#include "harness/emit.h"

#include "base/tunables.h"
#include <assert.h>
#include <stdarg.h>
#include <string.h>

void emit_line(struct scope *s, const char *format, ...)
{
    va_list args;
    buf_printf(s->out, "%*s", (int)s->level * 4, "");
    va_start(args, format);
    buf_vprintf(s->out, format, args);
    va_end(args);
    buf_putc(s->out, '\n');
}

void emit_note(struct scope *s, enum note_kind kind, const char *format, ...)
{
    struct buf text = BUF_INIT;
    va_list args;
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    *VEC_PUSH(&s->piece->remarks) =
        (struct remark){arena_strdup(s->emitter->arena, buf_text(&text)), kind, 0};
    buf_release(&text);
}

void emit_most(struct scope *s, enum note_kind kind, const char *access, uint64_t most)
{
    const char *words = kind == NOTE_DEPTH ? "depth %llu at most" : "%llu elements at most";
    const char *text = arena_printf(s->emitter->arena, words, (unsigned long long)most);
    emit_note(s, kind, "%s: %s, because more would be too many inputs", emit_spoken(s, access),
              kind == NOTE_ELEMENTS && most == 1 ? "one element" : text);
    s->piece->remarks.items[s->piece->remarks.count - 1].most = most;
}

const char *emit_spoken(struct scope *s, const char *access)
{
    size_t length = s->hidden ? strlen(s->hidden) : 0;
    const char *cast = strncmp(access, "(*(", 3) == 0 ? strstr(access, "**)&") : NULL;
    if (cast) // the view that fill_typed() takes of a void *
        return emit_spoken(s, arena_strndup(s->emitter->arena, cast + 4, strcspn(cast + 4, ")")));
    if (!length || strncmp(access, s->hidden, length) != 0)
        return access;
    return arena_printf(s->emitter->arena, "%s%s", s->spoken, access + length);
}

const char *emit_depth(struct scope *s)
{
    if (!s->counting)
        return plan_depth_text(s->emitter, s->root_depth, s->most_depth, s->root_depth - s->depth);
    if (s->used == 0)
        return s->emitter->depth;
    return arena_printf(s->emitter->arena, "%s - %u", s->emitter->depth, s->used);
}

const char *emit_hoist(struct scope *s, const char *path)
{
    if (!strchr(path, '('))
        return path;
    struct emitter *e = s->emitter;
    const char *name = names_local(e, arena_printf(e->arena, "at%u", s->level));
    emit_line(s, "cz_path %s = %s;", name, path);
    return name;
}

bool emit_open(struct scope *s, const char *path)
{
    if (!strchr(path, '('))
        return false;
    emit_line(s, "{");
    s->level++;
    return true;
}

void emit_close(struct scope *s, bool opened)
{
    if (!opened)
        return;
    s->level--;
    emit_line(s, "}");
}

static void store(struct scope *s, struct spot spot, const struct type *type, const char *value)
{
    if (spot.is_const || type->is_const)
        emit_line(s, "*(%s *)&%s = %s;", scalar_vocabulary(type)->c_type, spot.access, value);
    else
        emit_line(s, "%s = %s;", spot.access, value);
}

// Zero where nothing is filled in. Atomics and vectors have no common initialiser,
// but all their bytes are inputs.
void emit_declaration(struct scope *s, const struct type *type, const char *name)
{
    const char *start = type->kind == TYPE_POINTER ? " = 0" : plan_is_record(type) ? " = {0}" : "";
    emit_line(s, "%s%s;", names_declare(s->emitter, type, name), start);
}

void fill_bytes(struct scope *s, const char *address, const char *path, struct count size)
{
    uint64_t start = count_start(size);
    if (start > HARNESS_LEAVES) {
        emit_note(s, true, "%s: only the first %u of %llu bytes are inputs",
                  emit_spoken(s, address), HARNESS_LEAVES, (unsigned long long)start);
        size = count_fixed(HARNESS_LEAVES);
    }
    assert(count_most(size) <= HARNESS_LEAVES);
    if (start)
        emit_line(s, "cz_array(%s, (void *)%s, CZ_U8, %s);", path, address,
                  count_text(s->emitter->arena, size));
}

// Complex, vector, atomic and other types without a word of their own: their bytes.
static void fill_other(struct scope *s, struct spot spot, const struct type *type)
{
    struct arena *arena = s->emitter->arena;
    if (type->size == 0) {
        emit_note(s, true, "%s: type %s is not an input", emit_spoken(s, spot.access),
                  type->spelling);
        emit_line(s, "/* %s: no input of this type */", spot.access);
        return;
    }
    fill_bytes(s, arena_printf(arena, "&%s", spot.access), spot.path, count_fixed(type->size));
}

// Declared in the loop it would be one of the enclosing block in C90, where two cannot have a name.
static const char *emit_counter(struct scope *s)
{
    struct emitter *e = s->emitter;
    const char *i = names_local(e, arena_printf(e->arena, "i%u", s->level));
    emit_line(s, "unsigned long %s;", i);
    return i;
}

static void fill_loop(struct scope *s, struct spot spot, const struct type *element,
                      struct count count)
{
    struct emitter *e = s->emitter;
    emit_line(s, "{");
    s->level++;
    const char *path = emit_hoist(s, spot.path);
    const char *i = emit_counter(s);
    struct scope inner = *s;
    bool shares = aliases_begin_row(s, spot.slot, element, count_most(count), &inner.row);
    inner.row.index = i;
    emit_line(s, "for (%s = 0; %s < %s; %s++) {", i, i, count_text(e->arena, count), i);
    inner.level++;
    struct spot at = {arena_printf(e->arena, "%s[%s]", spot.access, i),
                      arena_printf(e->arena, "cz_index(%s, %s)", path, i), spot.is_const,
                      spot.slot};
    fill(&inner, at, element);
    if (shares)
        aliases_add_element(&inner, &inner.row, at.access);
    emit_line(s, "}");
    emit_close(s, true);
}

// A multi-dimensional array of scalars is one array in memory and in the test.
static const struct type *flatten(const struct type *element, struct count *count)
{
    const struct type *inner = element;
    struct count total = *count;
    while (inner->kind == TYPE_ARRAY && inner->count) {
        total = count_times(total, inner->count);
        inner = inner->target;
    }
    const struct vocabulary *word = scalar_vocabulary(inner);
    if (!word || !word->array)
        return element;
    *count = total;
    return inner;
}

static bool is_pointers(const struct type *element)
{
    while (element->kind == TYPE_ARRAY)
        element = element->target;
    return element->kind == TYPE_POINTER && element->target->kind != TYPE_FUNCTION;
}

// Pointers that are no inputs: NULL, they would end every run that goes through all.
static void repeat_pointers(struct scope *s, const char *access, uint64_t room, uint64_t count)
{
    emit_line(s, "{");
    s->level++;
    const char *i = emit_counter(s);
    emit_line(s, "for (%s = %llu; %s < %llu; %s++) { /* the others repeat them */", i,
              (unsigned long long)room, i, (unsigned long long)count, i);
    emit_line(s, "    __builtin_memcpy((void *)&%s[%s], (void *)&%s[%s %% %llu], sizeof %s[0]);",
              access, i, access, i, (unsigned long long)room, access);
    emit_line(s, "}");
    emit_close(s, true);
}

// How many are inputs, and a note if that is not all. A bound grows no further than plan.c has
// room for.
static struct count count_inputs(struct scope *s, const char *access, const struct type *leaf,
                                 struct count count)
{
    uint64_t start = count_start(count), room = plan_array(s->emitter, leaf, start);
    if (room < start) {
        emit_note(s, true, "%s: only the first %llu of %llu elements are inputs",
                  emit_spoken(s, access), (unsigned long long)room, (unsigned long long)start);
        emit_line(s, "/* only the first %llu of %llu elements */", (unsigned long long)room,
                  (unsigned long long)start);
        return count_fixed(room);
    }
    assert(plan_array(s->emitter, leaf, count_most(count)) == count_most(count));
    return count;
}

void fill_elements(struct scope *s, struct spot spot, const struct type *element,
                   struct count count)
{
    const struct type *leaf = flatten(element, &count);
    struct count inputs = count_inputs(s, spot.access, leaf, count);
    uint64_t room = count_start(inputs), most = count_most(inputs);
    const struct vocabulary *word = scalar_vocabulary(leaf);
    if (word && word->array && most > 1) {
        emit_line(s, "cz_array(%s, (void *)%s, %s, %s);", scalar_path(s, leaf, spot.path),
                  spot.access, word->array, count_text(s->emitter->arena, inputs));
    } else if (most == 1 && leaf == element) {
        struct arena *arena = s->emitter->arena;
        fill(s,
             (struct spot){arena_printf(arena, "%s[0]", spot.access),
                           arena_printf(arena, "cz_index(%s, 0)", spot.path), spot.is_const,
                           spot.slot},
             element);
    } else if (most) {
        fill_loop(s, spot, element, inputs);
    }
    if (room && room < count_start(count) && is_pointers(element))
        repeat_pointers(s, spot.access, room, count_start(count));
}

void fill(struct scope *s, struct spot spot, const struct type *type)
{
    switch (type->kind) {
    case TYPE_ARRAY: fill_elements(s, spot, type->target, count_fixed(type->count)); return;
    case TYPE_STRUCT:
    case TYPE_UNION: fill_record(s, spot, type); return;
    case TYPE_POINTER: fill_pointer(s, spot, type); return;
    case TYPE_VOID:
    case TYPE_FUNCTION: return;
    default:
        if (scalar_vocabulary(type))
            store(s, spot, type, scalar_value(s, type, spot.path));
        else
            fill_other(s, spot, type);
    }
}
