// SPDX-License-Identifier: Apache-2.0
// Files and where their contents come from; the driver's words for whole programs.
#include "world.h"
#include <errno.h>
#include <stdlib.h>

#define FILE_BYTES 64 // of a file or standard input in a unit task
#define TEXT_BYTES 16 // of an environment variable

static struct czm_file *files;
static struct czm_file *standard_input, *unknown_file;
static unsigned file_bytes, text_bytes; // 0: as above
static unsigned nameless;               // files whose name depends on inputs
static int is_program;

int czm_is_program(void)
{
    return is_program;
}

unsigned czm_file_bytes(void)
{
    return file_bytes ? file_bytes : FILE_BYTES;
}

unsigned czm_text_bytes(void)
{
    czrt_loss(WIRE_LOSS_TEXTS); // code may look beyond it without running into its end
    return text_bytes ? text_bytes : TEXT_BYTES;
}

int czm_fails(const char *function, int usual)
{
    if (is_program)
        return 0;
    cz_path call = cz_call(function);
    if (!cz_bool(cz_part(call, "fails")))
        return 0;
    czrt_fail(call, usual);
    return 1;
}

struct czm_file *czm_file_new(void)
{
    return cz_new(0, sizeof(struct czm_file), 0);
}

void czm_file_fill(struct czm_file *file, cz_path at, unsigned bytes)
{
    size_t length = cz_u32(cz_part(at, "length"));
    if (length > bytes)
        length = bytes;
    file->data = cz_new(0, bytes, 0);
    file->room = bytes;
    file->length = length;
    file->is_bounded = 1;
    cz_array(at, file->data, CZ_U8, bytes);
}

struct czm_file *czm_standard_input(void)
{
    if (!standard_input) {
        standard_input = czm_file_new();
        if (!is_program)
            czm_file_fill(standard_input, cz_root("stdin"), czm_file_bytes());
    }
    return standard_input;
}

struct czm_file *czm_unknown_file(void)
{
    if (!unknown_file) {
        unknown_file = czm_file_new();
        czm_file_fill(unknown_file, cz_root("descriptor"), czm_file_bytes());
    }
    return unknown_file;
}

// ---- Names ----

static struct czm_file *enter(const char *name)
{
    struct czm_file *file = czm_file_new();
    size_t n = czm_strlen(name) + 1;
    file->name = cz_new(0, n, 0);
    __builtin_memcpy(file->name, name, n);
    file->next = files;
    files = file;
    return file;
}

static struct czm_file *null_device(const char *name)
{
    struct czm_file *file = enter(name);
    file->is_sink = 1;
    return file;
}

struct czm_file *czm_file_find(const char *name)
{
    struct czm_file *file = files;
    while (file && czm_strcmp(file->name, name) != 0)
        file = file->next;
    return file;
}

struct czm_file *czm_file_named(const char *name, int create, int truncate, int exclusive)
{
    struct czm_file *file = czm_file_find(name);
    if (file && exclusive) {
        errno = EEXIST;
        return NULL;
    }
    if (!file && czm_strcmp(name, "/dev/null") == 0)
        return null_device(name);
    if (!file && is_program && !create) {
        errno = ENOENT;
        return NULL;
    }
    if (!file) {
        file = enter(name);
        if (!is_program && !truncate && !exclusive) {
            cz_path at = czrt_root_named("file:", name, nameless + 1);
            nameless += at >> 31;
            czm_file_fill(file, at & 0x7fffffffu, czm_file_bytes());
        }
    }
    if (truncate)
        file->length = 0;
    return file;
}

void czm_file_forget(struct czm_file *file)
{
    struct czm_file **link = &files;
    while (*link && *link != file)
        link = &(*link)->next;
    if (*link)
        *link = file->next;
}

// ---- Contents ----

size_t czm_file_some(const struct czm_file *file, size_t end, size_t offset, size_t want)
{
    size_t most = offset < file->room ? file->room - offset : 0, n = 0;
    if (want == 0 || most == 0)
        return 0;
    if (want <= most) {
        if (offset + want <= end)
            return want;
        most = want - 1;
    }
    while (n < most && offset + n + 1 <= end)
        n++;
    return n;
}

// The end was reached because a bound put it there.
void czm_file_note_end(const struct czm_file *file, size_t offset)
{
    if (file->is_bounded && offset >= file->room)
        czrt_loss(WIRE_LOSS_ELEMENTS);
}

static void make_room(struct czm_file *file, size_t need)
{
    size_t room = file->room < 256 ? 256 : 2 * file->room;
    if (room < need)
        room = need;
    unsigned char *larger = cz_new(0, room, 0);
    if (file->room)
        __builtin_memcpy(larger, file->data, file->room);
    file->data = larger;
    file->room = room;
    file->is_bounded = 0; // what follows is the program's own
}

size_t czm_file_put(struct czm_file *file, size_t offset, const void *from, size_t n)
{
    if (file->is_sink || n == 0)
        return n;
    if (offset + n > file->room)
        make_room(file, offset + n);
    if (offset > file->length) // a hole
        __builtin_memset(file->data + file->length, 0, offset - file->length);
    __builtin_memcpy(file->data + offset, from, n);
    if (offset + n > file->length)
        file->length = offset + n;
    return n;
}

// ---- The driver's words ----

void cz_world(unsigned bytes, unsigned characters)
{
    file_bytes = bytes;
    text_bytes = characters;
}

static void become_program(void)
{
    is_program = 1;
    czrt_never_refuse();
}

int cz_program_stdin(unsigned bytes)
{
    become_program();
    standard_input = czm_file_new();
    czm_file_fill(standard_input, cz_root("stdin"), bytes);
    return 0;
}

void cz_program_file(const char *name, unsigned bytes)
{
    become_program();
    struct czm_file *file = enter(name);
    czm_file_fill(file, czrt_root_named("file:", name, 0), bytes);
}

char **cz_program_args(const char *name, unsigned count, unsigned length, int *argc)
{
    become_program();
    char **words = cz_new(0, (count + 2) * sizeof *words, 0);
    size_t n = czm_strlen(name) + 1;
    unsigned used = cz_u32(cz_root("argc"));
    if (used < 1)
        used = 1;
    if (used > count + 1)
        used = count + 1;
    if (used == count + 1)
        czrt_loss(WIRE_LOSS_ELEMENTS); // there may be more
    words[0] = cz_new(0, n, 0);
    __builtin_memcpy(words[0], name, n);
    czrt_presume_text(words[0], WIRE_LOSS_NAME);
    for (unsigned i = 1; i <= count && i < used; i++) {
        cz_path at = cz_index(cz_root("argv"), i);
        words[i] = cz_text(at, length);
        cz_array(at, words[i], CZ_I8, length);
    }
    *argc = (int)used;
    return words;
}
