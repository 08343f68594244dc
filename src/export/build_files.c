// SPDX-License-Identifier: Apache-2.0
// The Makefile and the CMakeLists.txt of exported C tests. Paths are relative to the export, so
// that it can be moved together with the sources.
#include "export/support_files.h"

#include <ctype.h>
#include <string.h>

const char *relative_path(const char *directory, const char *path, struct arena *arena)
{
    struct buf out = BUF_INIT;
    size_t same = 0, i = 0;
    if (*path != '/')
        return path;
    for (; directory[i] && directory[i] == path[i]; i++)
        if (path[i] == '/')
            same = i;
    if (!directory[i] && (path[i] == '/' || !path[i]))
        same = i;
    for (const char *at = directory + same; *at; at++)
        if (*at == '/' && at[1])
            buf_puts(&out, "../");
    const char *rest = path + same;
    buf_puts(&out, *rest == '/' ? rest + 1 : rest);
    const char *text = out.length ? arena_strdup(arena, buf_text(&out)) : ".";
    buf_release(&out);
    return text;
}

// ---- flags ----

// A flag that is, or begins with, the path of a directory or file.
static const char *path_flags[] = {"-I",       "-isystem", "-iquote",  "-idirafter",
                                   "-include", "-imacros", "-isysroot"};

static const char *moved(const struct result_part *part, const char *directory, const char *path,
                         struct arena *arena)
{
    const char *absolute =
        *path == '/' ? path : arena_printf(arena, "%s/%s", part->working_directory, path);
    return relative_path(directory, absolute, arena);
}

// The part's flags, paths relative to the export; NULL-terminated. Those that choose warnings are
// left out: they are about the user's own build.
static const char **flags_of(const struct result_part *part, const char *directory,
                             struct arena *arena)
{
    size_t count = 0, at = 0;
    while (part->flags && part->flags[count])
        count++;
    const char **out = arena_array(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *flag = part->flags[i];
        size_t k = 0, kinds = sizeof path_flags / sizeof *path_flags;
        while (k < kinds && strncmp(flag, path_flags[k], strlen(path_flags[k])) != 0)
            k++;
        size_t length = k < kinds ? strlen(path_flags[k]) : 0;
        if (!strncmp(flag, "-W", 2) && flag[2] != 'p')
            continue;
        if (k < kinds && flag[length]) {
            out[at++] = arena_printf(arena, "%s%s", path_flags[k],
                                     moved(part, directory, flag + length, arena));
        } else if (k < kinds && i + 1 < count) {
            out[at++] = flag;
            out[at++] = moved(part, directory, part->flags[++i], arena);
        } else {
            out[at++] = flag;
        }
    }
    return out;
}

static bool is_narrow(const struct result_part *part)
{
    return !strcmp(part->data_model, "ilp32");
}

// For a shell in a Makefile.
static void put_shell_word(const char *word, struct buf *out)
{
    bool is_plain = *word;
    for (const char *at = word; *at; at++)
        is_plain &= isalnum((unsigned char)*at) || strchr("-_./=+,:@", *at);
    if (!is_plain)
        buf_putc(out, '\'');
    for (const char *at = word; *at; at++) {
        if (*at == '$')
            buf_putc(out, '$');
        if (*at == '#')
            buf_putc(out, '\\');
        buf_puts(out, *at == '\'' ? "'\\''" : (char[]){*at, '\0'});
    }
    if (!is_plain)
        buf_putc(out, '\'');
}

void put_makefile(const struct export_model *model, const struct c_dialect *dialect,
                  const char *directory, struct arena *arena, struct buf *out)
{
    buf_puts(out, "# Written by cadenza export. `make test` builds the tests and runs them.\n"
                  "CFLAGS ?= -g -Wall -Wextra\n");
    buf_printf(out, "%s\nTESTS :=", dialect->makefile_extra);
    for (size_t i = 0; i < model->files.count; i++)
        buf_printf(out, " test_%s", model->files.items[i]->name);
    buf_puts(out, "\n\nall: $(TESTS)\n\n"
                  "test: all\n"
                  "\t@failed=0; for test in $(TESTS); do echo \"# $$test\"; ./$$test || failed=1; "
                  "done; exit $$failed\n\n");
    for (size_t i = 0; i < model->files.count; i++) {
        const struct export_file *file = model->files.items[i];
        buf_printf(out, "FLAGS_%s :=", file->name);
        if (is_narrow(file->part))
            buf_puts(out, " -m32");
        for (const char **flag = flags_of(file->part, directory, arena); *flag; flag++) {
            buf_putc(out, ' ');
            put_shell_word(*flag, out);
        }
        buf_putc(out, '\n');
    }
    buf_printf(out,
               "\ntest_%%: test_%%.c unit_%%.h support.c support.h\n"
               "\t$(CC) $(FLAGS_$*) $(CFLAGS) $(EXTRA_CFLAGS) -o $@ $< support.c $(EXTRA_SOURCES) "
               "$(LDFLAGS) %s\n\n"
               "clean:\n\trm -f $(TESTS)\n\n.PHONY: all test clean\n",
               dialect->makefile_libs);
}

static void put_cmake_word(const char *word, struct buf *out)
{
    buf_puts(out, " \"");
    for (const char *at = word; *at; at++) {
        if (strchr("\"\\", *at))
            buf_putc(out, '\\');
        buf_putc(out, *at);
    }
    buf_putc(out, '"');
}

void put_cmake_lists(const struct export_model *model, const struct c_dialect *dialect,
                     const char *directory, struct arena *arena, struct buf *out)
{
    buf_puts(out, "# Written by cadenza export.\n"
                  "#   cmake -B build && cmake --build build && ctest --test-dir build\n"
                  "cmake_minimum_required(VERSION 3.13)\nproject(exported_tests C)\n"
                  "enable_testing()\n\n");
    for (size_t i = 0; i < model->files.count; i++) {
        const struct export_file *file = model->files.items[i];
        buf_printf(out, "add_executable(test_%s test_%s.c support.c ${EXTRA_SOURCES})\n",
                   file->name, file->name);
        const char **flags = flags_of(file->part, directory, arena);
        bool narrow = is_narrow(file->part);
        if (narrow)
            buf_printf(out, "target_link_options(test_%s PRIVATE -m32)\n", file->name);
        if (*flags || narrow) {
            buf_printf(out, "target_compile_options(test_%s PRIVATE%s", file->name,
                       narrow ? " -m32" : "");
            for (; *flags; flags++) {
                bool is_include = !strncmp(*flags, "-I", 2) && (*flags)[2] && (*flags)[2] != '/';
                put_cmake_word(
                    is_include ? arena_printf(arena, "-I${CMAKE_CURRENT_SOURCE_DIR}/%s", *flags + 2)
                               : *flags,
                    out);
            }
            buf_puts(out, ")\n");
        }
        buf_printf(out, "%sadd_test(NAME %s COMMAND test_%s)\n",
                   *dialect->cmake_libs ? arena_printf(arena, "target_link_libraries(test_%s %s)\n",
                                                       file->name, dialect->cmake_libs)
                                        : "",
                   file->name, file->name);
    }
}
