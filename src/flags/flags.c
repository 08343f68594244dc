// SPDX-License-Identifier: Apache-2.0
// The table, and questions about it.
#include "flags/flags.h"

#include "base/fs.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

enum {
    NARROW = FLAG_NARROW,
    SMALL = FLAG_SMALL,
    ARM = FLAG_ARM,
    SHORT_ENUMS = FLAG_SHORT_ENUMS,
    PREPROCESS = FLAGS_PREPROCESS,
    TEXT = FLAGS_TEXT,
    ENGINE = FLAGS_ENGINE,
    MODELS = FLAGS_MODELS,
    FACTS = FLAGS_FACTS,
    CLEAN = FLAGS_CLEAN,
    COVERAGE = FLAGS_COVERAGE,
    SANITIZED = FLAGS_SANITIZED,
    MEMORY = FLAGS_MEMORY,
    LINK = FLAGS_LINK,
    CHECKS = FLAGS_CHECKS,
    LENIENT = FLAGS_LENIENT,
};

// Each of the four reads its own lines of the table.
#define FLAG(pattern, fate, value, ...)
#define FLAG_AS(word, other)
#define COMPILER(name, machine)
#define ILP32(word)
#define OURS(word, builds)

#undef FLAG
#undef FLAG_AS
#define FLAG(pattern, fate, value, ...)                                                            \
    {pattern, FLAG_##fate, FLAG_##value, (__VA_ARGS__ + 0), NULL},
#define FLAG_AS(word, other) {word, FLAG_KEPT, FLAG_ALONE, 0, other},
static const struct flag flags[] = {
#include "flags/flags.def"
};
#undef FLAG
#undef FLAG_AS
#define FLAG(pattern, fate, value, ...)
#define FLAG_AS(word, other)

#undef COMPILER
#define COMPILER(name, machine) {name, machine},
static const struct compiler {
    const char *name;
    unsigned machine;
} compilers[] = {
#include "flags/flags.def"
};
#undef COMPILER
#define COMPILER(name, machine)

#undef ILP32
#define ILP32(word) word,
static const char *const ilp32[] = {
#include "flags/flags.def"
};
#undef ILP32
#define ILP32(word)

#undef OURS
#define OURS(word, builds) {word, builds},
static const struct our_flag {
    const char *word;
    unsigned builds;
} ours[] = {
#include "flags/flags.def"
};

// ---- flags of the user ----

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool matches_plain(const char *pattern, const char *word)
{
    size_t length = strlen(pattern);
    return length && pattern[length - 1] == '*' ? strncmp(pattern, word, length - 1) == 0
                                                : strcmp(pattern, word) == 0;
}

static bool matches(const char *pattern, const char *word)
{
    static const char either[] = "-f(no-)";
    if (!begins_with(pattern, either))
        return matches_plain(pattern, word);
    if (!begins_with(word, "-f"))
        return false;
    return matches_plain(pattern + strlen(either), word + (begins_with(word, "-fno-") ? 5 : 2));
}

const struct flag *flag_find(const char *word)
{
    static const struct flag none = {.pattern = ""};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (matches(flags[i].pattern, word))
            return &flags[i];
    return &none;
}

size_t flag_length(const struct flag *flag)
{
    size_t length = strlen(flag->pattern);
    return length && flag->pattern[length - 1] == '*' ? length - 1 : length;
}

bool flag_takes_next(const struct flag *flag, const char *word)
{
    size_t length = flag_length(flag);
    return flag->value != FLAG_ALONE && strlen(word) == length && word[length - 1] != '=';
}

// -target is followed by what --target= says.
unsigned flags_machine(const char *const *words, size_t count)
{
    unsigned machine = 0;
    for (size_t i = 0; i < count; i++) {
        char joined[64] = "--target=";
        if (!strcmp(words[i], "-target") && i + 1 < count)
            strncat(joined, words[i + 1], sizeof joined - strlen(joined) - 1);
        else
            joined[0] = '\0';
        machine |= flag_find(*joined ? joined : words[i])->machine;
    }
    return machine;
}

unsigned flags_compiler_machine(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    unsigned machine = 0;
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
        if (begins_with(name, compilers[i].name))
            machine |= compilers[i].machine;
    return machine;
}

static void choose_flags(const char *const *user, bool with_source, struct flag_list *out)
{
    for (; user && *user; user++) {
        const struct flag *flag = flag_find(*user);
        bool both = flag_takes_next(flag, *user) && user[1];
        bool source = flag->fate == FLAG_SOURCE || flag->fate == FLAG_SPLIT;
        bool kept = **user == '-' && flag->fate != FLAG_DROPPED && (with_source || !source);
        if (kept)
            *VEC_PUSH(out) = *user;
        if (kept && both)
            *VEC_PUSH(out) = user[1];
        user += both;
    }
}

void flags_of_source(const char *const *user, struct flag_list *out)
{
    choose_flags(user, true, out);
}

const char **flags_for_preprocessing(struct arena *arena, const char *const *user)
{
    struct flag_list out = {0};
    char *library = fs_library_dir(); // cz/cadenza.h is there
    choose_flags(user, true, &out);
    flags_ours(FLAGS_PREPROCESS, &out);
    *VEC_PUSH(&out) = "-idirafter";
    const char *include = arena_printf(arena, "%s/include", library);
    *VEC_PUSH(&out) = include;
    free(library);
    return flags_finish(&out, arena);
}

const char **flags_for_text(struct arena *arena, const char *const *user)
{
    struct flag_list out = {0};
    choose_flags(user, false, &out);
    flags_ours(FLAGS_TEXT, &out);
    return flags_finish(&out, arena);
}

size_t flags_count(const char *const *flags)
{
    size_t count = 0;
    while (flags && flags[count])
        count++;
    return count;
}

bool flags_gnu89_inline(const char *const *flags)
{
    bool gnu89 = false;
    for (; flags && *flags; flags++) {
        const char *standard = strstr(*flags, "std=");
        if (standard && (*flags)[0] == '-')
            gnu89 = strstr(standard, "89") || strstr(standard, "90");
        else if (strcmp(*flags, "-ansi") == 0 || strcmp(*flags, "-fgnu89-inline") == 0)
            gnu89 = true;
        else if (strcmp(*flags, "-fno-gnu89-inline") == 0)
            gnu89 = false;
    }
    return gnu89;
}

// ---- our own ----

void flags_ours(enum flags_build build, struct flag_list *out)
{
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (ours[i].builds & build)
            *VEC_PUSH(out) = ours[i].word;
}

void flags_ilp32(struct flag_list *out)
{
    for (size_t i = 0; i < sizeof ilp32 / sizeof *ilp32; i++)
        *VEC_PUSH(out) = ilp32[i];
}

const char **flags_finish(struct flag_list *list, struct arena *arena)
{
    const char **out = arena_array(arena, const char *, list->count + 1);
    for (size_t i = 0; i < list->count; i++)
        out[i] = arena_strdup(arena, list->items[i]);
    VEC_RELEASE(list);
    return out;
}
