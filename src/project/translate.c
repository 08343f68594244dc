// SPDX-License-Identifier: Apache-2.0
// Which words of a compiler command reach our clang, as the table of flags/flags.def says. What is
// dropped and may change what the code means where it comes from is listed.
#include "project/project.h"

#include "base/fs.h"
#include "flags/flags.h"
#include <string.h>

static const char *absolute(const char *path, const char *directory, struct arena *arena)
{
    return *path == '/' ? path : arena_printf(arena, "%s/%s", directory, path);
}

// A file that is included is looked for in the directory of the command, then as a header.
static const char *path_of(const char *option, const char *path, const char *directory,
                           struct arena *arena)
{
    const char *here = absolute(path, directory, arena);
    bool is_header = !strcmp(option, "-include") || !strcmp(option, "-imacros");
    return is_header && !fs_exists(here) ? path : here;
}

struct translation {
    struct arena *arena;
    const char *directory;
    bool with_files; // words that are no flags belong there
    struct flag_list out, dropped;
};

// An option with a path, joined or as the next word.
static void take_path(struct translation *t, const struct flag *flag, const char *const *words,
                      bool both)
{
    size_t length = flag_length(flag);
    const char *option = arena_strndup(t->arena, words[0], length);
    const char *path = path_of(option, both ? words[1] : words[0] + length, t->directory, t->arena);
    if (both) {
        *VEC_PUSH(&t->out) = option;
        *VEC_PUSH(&t->out) = path;
    } else {
        *VEC_PUSH(&t->out) = arena_printf(t->arena, "%s%s", option, path);
    }
}

static size_t take_word(struct translation *t, const char *const *words, size_t left);

// -Wp,-DA=1,-DB=2
static void take_preprocessors(struct translation *t, const char *list)
{
    struct flag_list words = {0};
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        *VEC_PUSH(&words) = arena_strndup(t->arena, at, length);
        at += length + (at[length] == ',');
    }
    for (size_t i = 0; i < words.count;)
        i += take_word(t, words.items + i, words.count - i);
    VEC_RELEASE(&words);
}

static void keep(struct translation *t, const struct flag *flag, const char *const *words,
                 bool both)
{
    if (flag->value == FLAG_PATH) {
        take_path(t, flag, words, both);
        return;
    }
    *VEC_PUSH(&t->out) = flag->as ? flag->as : words[0];
    if (both)
        *VEC_PUSH(&t->out) = words[1];
}

static void list(struct translation *t, const char *const *words, bool both)
{
    if (words[0][0] == '-' || !t->with_files)
        *VEC_PUSH(&t->dropped) =
            both ? arena_printf(t->arena, "%s %s", words[0], words[1]) : words[0];
}

// How many words were taken.
static size_t take_word(struct translation *t, const char *const *words, size_t left)
{
    const struct flag *flag = flag_find(words[0]);
    bool both = flag_takes_next(flag, words[0]);
    if (both && left < 2)
        return 1; // its value is missing
    switch (flag->fate) {
    case FLAG_KEPT:
    case FLAG_SOURCE: keep(t, flag, words, both); break;
    case FLAG_SPLIT: take_preprocessors(t, words[0] + flag_length(flag)); break;
    case FLAG_LISTED: list(t, words, both); break;
    case FLAG_MODEL:
    case FLAG_DROPPED: break;
    }
    return 1 + both;
}

void project_translate(const char *const *words, size_t count, bool with_compiler,
                       const char *directory, enum project_width width, struct arena *arena,
                       struct project_flags *out)
{
    struct translation t = {.arena = arena, .directory = directory, .with_files = with_compiler};
    for (size_t i = with_compiler; i < count;)
        i += take_word(&t, words + i, count - i);
    struct project_model chosen = project_choose_model(words, count, with_compiler, width);
    out->flags = project_apply_model(flags_finish(&t.out, arena), chosen, arena);
    out->dropped = flags_finish(&t.dropped, arena);
    out->model = chosen.words;
}

const char *project_flags_note(const struct project_flags *flags, struct arena *arena)
{
    if (!flags->dropped || (!*flags->dropped && !*flags->model))
        return NULL;
    const char *text = "dropped flags:";
    for (const char *const *flag = flags->dropped; *flag; flag++)
        text = arena_printf(arena, "%s %s", text, *flag);
    return arena_printf(arena, "%s%s%s", text, *flags->dropped ? "" : " none", flags->model);
}
