// SPDX-License-Identifier: Apache-2.0
// Lifetime of a struct program: one arena holds everything it points to.
#include "program/program.h"

#include <ctype.h>
#include <string.h>

void program_init(struct program *program)
{
    memset(program, 0, sizeof *program);
    arena_init(&program->arena);
}

void program_release(struct program *program)
{
    arena_release(&program->arena);
    memset(program, 0, sizeof *program);
}

const struct program *program_file(const struct program *program, size_t text)
{
    return text < program->file_count ? program->files[text] : program;
}

size_t program_file_count(const struct program *program)
{
    return program->file_count ? program->file_count : 1;
}

const struct line_origin *program_line(const struct program *program, size_t text, uint32_t line)
{
    const struct program *file = program_file(program, text);
    return line && line <= file->line_count ? &file->lines[line - 1] : NULL;
}

const char *program_plain_symbol(const char *symbol)
{
    size_t length = strlen(PROGRAM_OWN_PREFIX);
    return strncmp(symbol, PROGRAM_OWN_PREFIX, length) == 0 ? symbol + length : symbol;
}

uint64_t program_slot_key(const struct slot *slot)
{
    uint64_t owner = slot->kind == SLOT_FIELD ? (uint64_t)(uintptr_t)slot->record : slot->owner;
    return slot->kind == SLOT_NONE ? 0 : (owner << 16 | (slot->index & 0xfff) << 4) | slot->kind;
}

bool program_says_length(const char *name)
{
    static const char *const whole[] = {"n", "sz", "cap", "max", "room", NULL};
    static const char *const words[] = {"len", "size", "count", "num", "cnt", "bytes", NULL};
    char small[64];
    size_t i = 0;
    for (; name[i] && i < sizeof small - 1; i++)
        small[i] = (char)tolower((unsigned char)name[i]);
    small[i] = '\0';
    for (const char *const *word = whole; *word; word++)
        if (strcmp(small, *word) == 0)
            return true;
    for (const char *const *word = words; *word; word++)
        if (strstr(small, *word))
            return true;
    return false;
}

bool program_include(const char *path, struct buf *out)
{
    bool quotes = !strchr(path, '"');
    if (strchr(path, '\n') || (!quotes && strchr(path, '>')))
        return false;
    buf_printf(out, quotes ? "#include \"%s\"\n" : "#include <%s>\n", path);
    return true;
}
