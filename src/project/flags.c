// SPDX-License-Identifier: Apache-2.0
// Which words of a compiler command reach our clang. Kept is what changes the meaning
// of the source: macros, include paths, language options. Everything about warnings,
// optimisation, debugging, dependencies, linking and sanitizers is dropped silently,
// and whatever describes another machine is dropped with a note.
#include "project/project.h"

#include "base/buf.h"
#include "base/fs.h"
#include <string.h>

// Options whose value is a path, joined or as the next word.
static const char *const path_options[] = {"-I",         "-isystem", "-iquote",   "-idirafter",
                                           "-include",   "-imacros", "-isysroot", "--sysroot=",
                                           "--sysroot",  NULL};
// Kept as they are: the whole word, or the beginning when it ends in * here.
static const char *const kept[] = {
    "-D*", "-U*", "-std=*", "-ansi", "-trigraphs", "-fshort-enums", "-fno-short-enums",
    "-funsigned-char", "-fno-unsigned-char", "-fsigned-char", "-fno-signed-char",
    "-funsigned-bitfields", "-fshort-wchar", "-fpack-struct*", "-ffreestanding", "-fhosted",
    "-fno-builtin*", "-fms-extensions", "-fgnu89-inline", "-fcommon", "-fno-common",
    "-fwrapv", "-fno-strict-aliasing", "-pthread", "-nostdinc",
    "-fplan9-extensions", "-fblocks", "-fexec-charset=*", "-finput-charset=*", NULL};
// Dropped together with the next word.
static const char *const two_words[] = {"-o", "-MF", "-MT", "-MQ", "-Xlinker", "-Xassembler",
                                        "-Xclang", "-Xpreprocessor", "-T", "-u", "-L", "-l",
                                        "-arch", "-target", "-aux-info", "--param", "-z", NULL};
// Beginnings of words that are dropped without a word.
static const char *const harmless[] = {"-c", "-S", "-E", "-W", "-w", "-g", "-O", "-M", "-f", "-pipe",
                                       "-pedantic", "-v", "-save-temps", "-L", "-l", "-P", "-C",
                                       "-Q", "-p", "-shared", "-static", "-rdynamic", "-s",
                                       "-no-canonical-prefixes", "-nostdlib", "-nodefaultlibs",
                                       "-nostartfiles", "-###", "-time", "-m32", "-m64", "-mx32", NULL};

static bool is_one_of(const char *const *list, const char *word)
{
    for (; *list; list++)
        if (strcmp(*list, word) == 0)
            return true;
    return false;
}

static bool matches(const char *const *list, const char *word, bool beginnings)
{
    for (; *list; list++) {
        size_t length = strlen(*list);
        bool open = beginnings || (*list)[length - 1] == '*';
        length -= !beginnings && open;
        if (open ? strncmp(*list, word, length) == 0 : strcmp(*list, word) == 0)
            return true;
    }
    return false;
}

static const char *absolute(const char *path, const char *directory, struct arena *arena)
{
    return *path == '/' ? path : arena_printf(arena, "%s/%s", directory, path);
}

struct flags {
    struct arena *arena;
    const char *directory;
    VEC(const char *) out;
    struct buf dropped;
};

// An option with a path: returns how many words it took, 0 when it is none.
static size_t take_path(struct flags *f, const char *const *words, size_t left)
{
    for (const char *const *option = path_options; *option; option++) {
        size_t length = strlen(*option);
        if (strncmp(words[0], *option, length) != 0)
            continue;
        if (words[0][length] == '\0' && (*option)[length - 1] != '=') {
            if (left < 2)
                return 1;
            *VEC_PUSH(&f->out) = *option;
            *VEC_PUSH(&f->out) = absolute(words[1], f->directory, f->arena);
            return 2;
        }
        if (length > 2 && (*option)[length - 1] != '=')
            continue; // -includex is no option of ours
        *VEC_PUSH(&f->out) = arena_printf(f->arena, "%s%s", *option,
                                          absolute(words[0] + length, f->directory, f->arena));
        return 1;
    }
    return 0;
}

static size_t take_word(struct flags *f, const char *const *words, size_t left)
{
    const char *word = words[0];
    if ((strcmp(word, "-D") == 0 || strcmp(word, "-U") == 0) && left > 1) {
        *VEC_PUSH(&f->out) = word;
        *VEC_PUSH(&f->out) = words[1];
        return 2;
    }
    if (strcmp(word, "-x") == 0)
        return left > 1 ? 2 : 1;
    if (is_one_of(two_words, word))
        return left > 1 ? 2 : 1;
    size_t path = take_path(f, words, left);
    if (path)
        return path;
    if (matches(kept, word, false))
        *VEC_PUSH(&f->out) = word;
    else if (word[0] == '-' && !matches(harmless, word, true))
        buf_printf(&f->dropped, "%s%s", f->dropped.length ? " " : "", word);
    return 1;
}

const char *const *project_flags(const char *const *words, size_t count, const char *directory,
                                 const char *model, struct arena *arena, const char **note)
{
    struct flags f = {.arena = arena, .directory = directory};
    for (size_t i = 1; i < count;) // word 0 is the compiler; one without a dash is no flag
        i += take_word(&f, words + i, count - i);
    const char **flags = arena_array(arena, const char *, f.out.count + 1);
    if (f.out.count)
        memcpy(flags, f.out.items, f.out.count * sizeof *flags);
    struct project_model chosen = project_choose_model(words, count, true, model);
    *note = NULL;
    if (f.dropped.length || *chosen.words)
        *note = arena_printf(arena, "dropped flags: %s%s",
                             f.dropped.length ? f.dropped.data : "none", chosen.words);
    VEC_RELEASE(&f.out);
    buf_release(&f.dropped);
    return project_apply_model(flags, chosen, arena);
}
