// SPDX-License-Identifier: Apache-2.0
// Names in the driver. The driver shares one translation unit with the user's text,
// so a name at file scope is free only if the text does not contain it at all; a
// local name is free if it hides nothing that generated code may mention.
#include "harness/emit.h"

#include <ctype.h>
#include <string.h>

static bool word_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$';
}
static bool word_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

// How often each identifier occurs in the text.
static void count_words(struct map *map, const char *text)
{
    struct buf word = BUF_INIT;
    for (const char *p = text; *p;) {
        if (isdigit((unsigned char)*p)) { // 0x10UL is no name
            while (word_part(*p))
                p++;
        } else if (word_start(*p)) {
            const char *start = p;
            while (word_part(*p))
                p++;
            uint64_t seen = 0;
            buf_clear(&word);
            buf_add(&word, start, (size_t)(p - start));
            map_get_text(map, buf_text(&word), &seen);
            map_put_text(map, buf_text(&word), seen + 1);
        } else {
            p++;
        }
    }
    buf_release(&word);
}

static void take(struct emitter *e, const char *name)
{
    map_put_text(&e->taken, name, 1);
}

void names_init(struct emitter *e)
{
    const struct program *program = e->program;
    if (program->unit_text)
        count_words(&e->words, program->unit_text);
    for (size_t i = 0; i < program->function_count; i++)
        take(e, program->functions[i].name);
    for (size_t i = 0; i < program->variable_count; i++)
        take(e, program->variables[i].name);
    for (size_t i = 0; i < program->type_count; i++) {
        if (program->types[i]->spelling && names_sayable(program->types[i]))
            count_words(&e->taken, program->types[i]->spelling);
    }
    e->it = names_local(e, "it");
    e->at = names_local(e, "at");
    e->depth = names_local(e, "depth");
}

unsigned names_count(const struct emitter *e, const char *word)
{
    uint64_t count = 0;
    map_get_text(&e->words, word, &count);
    return (unsigned)count;
}

const char *names_pick(struct emitter *e, const char *wanted)
{
    const char *name = wanted;
    uint64_t taken;
    for (unsigned n = 1; names_count(e, name) || map_get_text(&e->taken, name, &taken); n++)
        name = n == 1 ? arena_printf(e->arena, "cz_%s", wanted)
                      : arena_printf(e->arena, "cz_%s_%u", wanted, n);
    take(e, name);
    return name;
}

const char *names_local(struct emitter *e, const char *wanted)
{
    const char *name = wanted;
    uint64_t taken;
    // With a number: cz_call and cz_turn are words of driver.h.
    for (unsigned n = 1; map_get_text(&e->taken, name, &taken); n++)
        name = arena_printf(e->arena, "cz_%s_%u", wanted, n);
    return name;
}

const char *names_identifier(struct emitter *e, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(text, "__typeof", 8) == 0) { // of a typedef: its name says enough
        for (text += strcspn(text, "("); *text && !word_start(*text);)
            text++;
        for (length = 0; word_part(text[length]);)
            length++;
    }
    char *name = arena_strndup(e->arena, text, length);
    for (char *p = name; *p; p++) {
        if (!word_part(*p) || *p == '$')
            *p = '_';
    }
    return name;
}

bool names_sayable(const struct type *type)
{
    if (!type)
        return true;
    switch (type->kind) {
    case TYPE_POINTER: return names_sayable(type->target);
    case TYPE_ARRAY: return !type->variable_length && names_sayable(type->target);
    case TYPE_FUNCTION:
        for (size_t i = 0; i < type->param_count; i++) {
            if (!names_sayable(type->params[i]))
                return false;
        }
        return names_sayable(type->target);
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_ENUM: return type->nameable;
    default: return type->spelling != NULL;
    }
}

static bool strip_word(const char **start, size_t *length, const char *word)
{
    size_t n = strlen(word);
    if (*length > n && strncmp(*start, word, n) == 0 && (*start)[n] == ' ') {
        *start += n + 1;
        *length -= n + 1;
        return true;
    }
    if (*length > n && strncmp(*start + *length - n, word, n) == 0 &&
        !word_part((*start)[*length - n - 1])) {
        *length -= n;
        while (*length && (*start)[*length - 1] == ' ')
            (*length)--;
        return true;
    }
    return false;
}

bool names_is_va_tag(const struct type *type)
{
    return type->kind == TYPE_STRUCT && type->spelling && strstr(type->spelling, "__va_list_tag");
}

// A pointer to a constant pointer: the qualifier belongs between the stars.
static const char *pointer_to_qualified(struct emitter *e, const struct type *type)
{
    const struct type *target = type->target;
    size_t length = strlen(type->spelling);
    if (type->kind != TYPE_POINTER || target->kind != TYPE_POINTER || !length ||
        type->spelling[length - 1] != '*' || !(target->is_const || target->is_volatile))
        return NULL;
    return arena_printf(e->arena, "%s %s%s*", names_plain(e, target),
                        target->is_const ? "const " : "", target->is_volatile ? "volatile " : "");
}

// Leading qualifiers of a pointer's spelling belong to its target and stay.
const char *names_plain(struct emitter *e, const struct type *type)
{
    static const char *const qualifiers[] = {"const", "volatile", "restrict", "__restrict"};
    if (type->kind == TYPE_POINTER && names_is_va_tag(type->target))
        return "__builtin_va_list"; // what a parameter of this type was written as
    const char *start = pointer_to_qualified(e, type);
    if (!start)
        start = type->spelling;
    size_t length = strlen(start);
    bool again = true;
    while (again) {
        again = false;
        for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++) {
            size_t old = length;
            const char *old_start = start;
            if (!strip_word(&start, &length, qualifiers[i]))
                continue;
            if (type->kind == TYPE_POINTER && start != old_start) {
                start = old_start;
                length = old;
                continue;
            }
            again = true;
        }
    }
    return arena_strndup(e->arena, start, length);
}

// `T name` where the spelling allows it; a declarator with brackets or parentheses
// would have to be turned inside out, and __typeof__ does it for us.
const char *names_declare(struct emitter *e, const struct type *type, const char *name)
{
    const char *plain = names_plain(e, type);
    if (strpbrk(plain, "(["))
        return arena_printf(e->arena, "__typeof__(%s) %s", plain, name);
    size_t length = strlen(plain);
    const char *space = length && plain[length - 1] == '*' ? "" : " ";
    return arena_printf(e->arena, "%s%s%s", plain, space, name);
}
