// SPDX-License-Identifier: Apache-2.0
// Streams: opening and closing, the position, and the two movements that everything
// else is made of, a byte in and bytes out. FILE is opaque to users, so ours is a
// struct czm_stream on the modelled heap: a stream that is used after fclose() is a
// use after free. The standard streams keep their real addresses.
#define _GNU_SOURCE 1
#include "world.h"
#include <errno.h>
#include <stdlib.h>

int czrt_real_getc(FILE *stream);
int czrt_real_ungetc(int c, FILE *stream);
size_t czrt_real_fread(void *to, size_t n, FILE *stream);
size_t czrt_real_fwrite(const void *from, size_t n, FILE *stream);
int czrt_real_fseek(FILE *stream, long offset, int from);
long czrt_real_ftell(FILE *stream);
int czrt_real_feof(FILE *stream);
int czrt_real_ferror(FILE *stream);
void czrt_real_clearerr(FILE *stream);
int czrt_real_fileno(FILE *stream);
int czrt_real_fflush(FILE *stream);
int czrt_real_fclose(FILE *stream);
FILE *czrt_real_fopen(const char *path, const char *mode);
FILE *czrt_real_freopen(const char *path, const char *mode, FILE *stream);
FILE *czrt_real_fdopen(int fd, const char *mode);
FILE *czrt_real_tmpfile(void);

static struct czm_stream *standard[3];

static struct czm_stream *standard_stream(int fd)
{
    if (!standard[fd])
        standard[fd] = (struct czm_stream *)czm_stream_new(czm_open_of(fd), fd);
    return standard[fd];
}

struct czm_stream *czm_stream_of(FILE *stream)
{
    struct czm_stream *s = (struct czm_stream *)stream;
    if (s->magic == CZM_STREAM)
        return s;
    if (!czrt_in_run())
        return NULL;
    return stream == stdin    ? standard_stream(0)
           : stream == stdout ? standard_stream(1)
           : stream == stderr ? standard_stream(2)
                              : NULL;
}

FILE *czm_stream_new(struct czm_open *open, int fd)
{
    struct czm_stream *s = cz_new(0, sizeof *s, 0);
    s->magic = CZM_STREAM;
    s->fd = fd;
    s->open = open;
    return (FILE *)s;
}

// ---- Opening ----

struct mode {
    int readable, writable, append, create, truncate, exclusive;
};

static int parse_mode(const char *text, struct mode *mode)
{
    char kind = text[0];
    if (kind != 'r' && kind != 'w' && kind != 'a') {
        errno = EINVAL;
        return 0;
    }
    int plus = 0, exclusive = 0;
    for (const char *at = text + 1; *at && *at != ','; at++) {
        plus |= *at == '+';
        exclusive |= *at == 'x';
    }
    *mode = (struct mode){kind == 'r' || plus, kind != 'r' || plus, kind == 'a',
                          kind != 'r',         kind == 'w',         kind != 'r' && exclusive};
    return 1;
}

static FILE *open_stream(const char *function, const char *path, const char *text)
{
    struct mode mode;
    if (!parse_mode(text, &mode))
        return NULL;
    if (czm_fails(function, ENOENT))
        return NULL;
    struct czm_file *file = czm_file_named(path, mode.create, mode.truncate, mode.exclusive);
    if (!file)
        return NULL;
    struct czm_open *open = czm_open_new(file, mode.readable, mode.writable, mode.append);
    int fd = czm_descriptor_new(open, 0);
    return fd < 0 ? NULL : czm_stream_new(open, fd);
}

FILE *czm_fopen(const char *path, const char *mode)
{
    return czrt_in_run() ? open_stream("fopen", path, mode) : czrt_real_fopen(path, mode);
}

FILE *czm_fopen64(const char *path, const char *mode)
{
    return czm_fopen(path, mode);
}

FILE *czm_tmpfile(void)
{
    if (!czrt_in_run())
        return czrt_real_tmpfile();
    if (czm_fails("tmpfile", EMFILE))
        return NULL;
    struct czm_open *open = czm_open_new(czm_file_new(), 1, 1, 0);
    int fd = czm_descriptor_new(open, 0);
    return fd < 0 ? NULL : czm_stream_new(open, fd);
}

FILE *czm_tmpfile64(void)
{
    return czm_tmpfile();
}

FILE *czm_fdopen(int fd, const char *text)
{
    struct mode mode;
    if (!czrt_in_run())
        return czrt_real_fdopen(fd, text);
    struct czm_open *open = parse_mode(text, &mode) ? czm_open_of(fd) : NULL;
    return open ? czm_stream_new(open, fd) : NULL;
}

// Back to where the reader is; what was pushed back is forgotten.
static void settle(struct czm_stream *s)
{
    if (s->is_ahead)
        s->open->offset = s->at;
    s->is_ahead = 0;
    s->back_count = 0;
}

static void tell_memory(struct czm_stream *s)
{
    if (!s->memory)
        return;
    struct czm_file *file = s->open->file;
    char *text = czrt_allocate(file->length + 1);
    if (file->length)
        __builtin_memcpy(text, file->data, file->length);
    text[file->length] = 0;
    free(*s->memory);
    *s->memory = text;
    *s->memory_size = file->length;
}

static void shut(struct czm_stream *s)
{
    settle(s);
    if (s->memory)
        tell_memory(s);
    if (s->fd >= 0)
        czm_descriptor_drop(s->fd);
    s->fd = CZM_CLOSED;
}

int czm_fclose(FILE *stream)
{
    struct czm_stream *s = czm_stream_of(stream);
    if (!s)
        return czrt_real_fclose(stream);
    shut(s);
    if ((FILE *)s == stream) // a standard stream serves later runs, too
        free(s);
    return 0;
}

FILE *czm_freopen(const char *path, const char *mode, FILE *stream)
{
    struct czm_stream *s = czm_stream_of(stream);
    if (!s)
        return czrt_real_freopen(path, mode, stream);
    if (!path) { // another mode: not modelled, nothing changes
        czrt_loss(WIRE_LOSS_EXTERNAL);
        return stream;
    }
    shut(s);
    struct czm_stream *fresh = (struct czm_stream *)open_stream("freopen", path, mode);
    if (!fresh)
        return NULL;
    *s = *fresh;
    free(fresh);
    return stream;
}

FILE *czm_freopen64(const char *path, const char *mode, FILE *stream)
{
    return czm_freopen(path, mode, stream);
}

// ---- Streams in memory ----

FILE *czm_open_memstream(char **to, size_t *size)
{
    struct czm_stream *s =
        (struct czm_stream *)czm_stream_new(czm_open_new(czm_file_new(), 0, 1, 0), -1);
    s->memory = to;
    s->memory_size = size;
    *to = NULL;
    tell_memory(s);
    return (FILE *)s;
}

// Reading only; what is written would have to appear in the user's memory.
FILE *czm_fmemopen(void *memory, size_t size, const char *text)
{
    struct mode mode;
    if (!parse_mode(text, &mode))
        return NULL;
    if (mode.writable && memory)
        czrt_loss(WIRE_LOSS_EXTERNAL);
    struct czm_file *file = czm_file_new();
    file->data = memory && !mode.truncate ? memory : cz_new(0, size, 0);
    file->room = size;
    file->length = mode.truncate || !memory ? 0 : mode.append ? czm_strnlen(memory, size) : size;
    return czm_stream_new(czm_open_new(file, mode.readable, mode.writable, mode.append), -1);
}

// ---- Bytes ----

// The next bytes of the file, read ahead.
static void refill(struct czm_stream *s)
{
    s->at = s->open->offset;
    s->end = s->open->file->length;
    if (s->at == 0 || s->at < s->end)
        s->open->offset = s->end;
    s->is_ahead = 1;
}

static int cannot(struct czm_stream *s, int may)
{
    if (may && s->fd != CZM_CLOSED)
        return 0;
    s->error = 1;
    errno = EBADF;
    return 1;
}

size_t czm_take(FILE *stream, void *to, size_t n)
{
    struct czm_stream *s = czm_stream_of(stream);
    unsigned char *out = to;
    size_t done = 0;
    if (!s)
        return czrt_real_fread(to, n, stream);
    if (n == 0 || cannot(s, s->open->readable))
        return 0;
    s->is_touched = 1;
    while (done < n && s->back_count > 0)
        out[done++] = s->back[--s->back_count];
    if (done == n)
        return n;
    struct czm_file *file = s->open->file;
    if (s->has_ended) // there might be more now
        czrt_presume_success();
    if (s->eof) // stays so until clearerr, fseek or ungetc
        return done;
    if (!s->is_ahead)
        refill(s);
    size_t some = czm_file_some(file, s->end, s->at, n - done);
    if (some > 0)
        __builtin_memcpy(out + done, file->data + s->at, some);
    s->at += some;
    done += some;
    if (done < n) {
        czm_file_note_end(file, s->at);
        s->eof = 1;
        s->has_ended = file->is_bounded;
        if (file->is_bounded) // or an error
            czrt_errno_doubt();
        s->is_ahead = 0;
        s->open->offset = s->at;
    }
    return done;
}

int czm_get(FILE *stream)
{
    unsigned char byte;
    struct czm_stream *s = czm_stream_of(stream);
    if (!s)
        return czrt_real_getc(stream);
    return czm_take(stream, &byte, 1) ? byte : EOF;
}

int czm_unget(int c, FILE *stream)
{
    struct czm_stream *s = czm_stream_of(stream);
    if (!s)
        return czrt_real_ungetc(c, stream);
    if (c == EOF || cannot(s, s->open->readable))
        return EOF;
    if (s->back_count == CZM_BACK) {
        czrt_loss(WIRE_LOSS_EXTERNAL); // the C library has more room
        return EOF;
    }
    s->back[s->back_count++] = (unsigned char)c;
    s->eof = 0;
    s->is_touched = 1;
    return (unsigned char)c;
}

size_t czm_put(FILE *stream, const void *from, size_t n)
{
    struct czm_stream *s = czm_stream_of(stream);
    if (!s)
        return czrt_real_fwrite(from, n, stream);
    struct czm_open *open = s->open;
    if (n == 0 || cannot(s, open->writable))
        return 0;
    if (open->file->is_sink)
        return n;
    settle(s);
    if (open->append) {
        open->offset = open->file->length;
        czm_file_note_end(open->file, open->offset);
    }
    open->offset += czm_file_put(open->file, open->offset, from, n);
    return n;
}

// ---- Position and state ----

// Counted from the start of the data.
static long position_of(struct czm_stream *s)
{
    return (long)((s->is_ahead ? s->at : s->open->offset) - s->back_count);
}

long czm_ftell(FILE *stream)
{
    struct czm_stream *s = czm_stream_of(stream);
    if (!s)
        return czrt_real_ftell(stream);
    if (czm_cannot_seek(s->open, "ftell"))
        return -1;
    return (long)czm_base(s->open) + position_of(s);
}

static int seek(struct czm_stream *s, long offset, int from)
{
    if (!czm_move(s->open, position_of(s), offset, from))
        return -1;
    s->is_ahead = 0;
    s->back_count = 0;
    s->eof = s->has_ended = 0;
    s->is_touched = 1;
    return 0;
}

int czm_fseek(FILE *stream, long offset, int from)
{
    struct czm_stream *s = czm_stream_of(stream);
    if (!s)
        return czrt_real_fseek(stream, offset, from);
    return czm_cannot_seek(s->open, "fseek") ? -1 : seek(s, offset, from);
}

int czm_fseeko(FILE *stream, off_t offset, int from)
{
    return czm_fseek(stream, offset, from);
}

int czm_fseeko64(FILE *stream, off64_t offset, int from)
{
    return czm_fseek(stream, (long)offset, from);
}

off_t czm_ftello(FILE *stream)
{
    return czm_ftell(stream);
}

off64_t czm_ftello64(FILE *stream)
{
    return czm_ftell(stream);
}

// Where nobody is told that a stream cannot be moved.
static void presume_file(const struct czm_stream *s)
{
    if (s->open->file->is_bounded)
        czrt_presume_success();
}

int czm_fgetpos(FILE *stream, fpos_t *position)
{
    struct czm_stream *s = czm_stream_of(stream);
    position->__pos = s ? position_of(s) : czrt_real_ftell(stream);
    return position->__pos < 0 ? -1 : 0;
}

int czm_fsetpos(FILE *stream, const fpos_t *position)
{
    struct czm_stream *s = czm_stream_of(stream);
    if (!s)
        return czrt_real_fseek(stream, position->__pos, SEEK_SET);
    presume_file(s);
    return seek(s, position->__pos - position_of(s), SEEK_CUR);
}

// As somebody else left them. After a read they can only be what that has made of them.
static void ask_flags(struct czm_stream *s)
{
    if (!s->is_touched && s->open->from) {
        s->eof = cz_bool(cz_part(s->open->from, "eof"));
        s->error = cz_bool(cz_part(s->open->from, "error"));
    }
    s->is_touched = 1;
}

int czm_feof(FILE *stream)
{
    struct czm_stream *s = czm_stream_of(stream);
    if (!s)
        return czrt_real_feof(stream);
    ask_flags(s);
    return s->eof;
}

int czm_ferror(FILE *stream)
{
    struct czm_stream *s = czm_stream_of(stream);
    if (!s)
        return czrt_real_ferror(stream);
    ask_flags(s);
    return s->error;
}

void czm_clearerr(FILE *stream)
{
    struct czm_stream *s = czm_stream_of(stream);
    if (!s) {
        czrt_real_clearerr(stream);
        return;
    }
    s->eof = s->error = 0;
    s->is_touched = 1;
}

void czm_rewind(FILE *stream)
{
    struct czm_stream *s = czm_stream_of(stream);
    if (s) {
        presume_file(s);
        seek(s, 0, SEEK_SET);
    } else {
        czrt_real_fseek(stream, 0, SEEK_SET);
    }
    czm_clearerr(stream);
}

int czm_fileno(FILE *stream)
{
    struct czm_stream *s = czm_stream_of(stream);
    if (!s)
        return czrt_real_fileno(stream);
    if (s->fd < 0)
        errno = EBADF;
    return s->fd < 0 ? -1 : s->fd;
}

int czm_fflush(FILE *stream)
{
    struct czm_stream *s = stream ? czm_stream_of(stream) : NULL;
    if (!s)
        return czrt_real_fflush(stream);
    if (s->memory)
        tell_memory(s);
    else if (s->is_ahead && s->back_count == 0)
        settle(s);
    return 0;
}

// The C library would write to it.
void czm_lend(const char *memory)
{
    if (memory && czrt_in_run())
        czrt_loss(WIRE_LOSS_EXTERNAL);
}

int czm_setvbuf(FILE *stream, char *memory, int mode, size_t size)
{
    (void)stream;
    (void)size;
    czm_lend(memory);
    return mode == _IOFBF || mode == _IOLBF || mode == _IONBF ? 0 : -1;
}

void czm_setbuf(FILE *stream, char *memory)
{
    (void)stream;
    czm_lend(memory);
}

// A stream that the driver passes to a task.
void *cz_stream(cz_path at)
{
    struct czm_file *file = czm_file_new();
    czm_file_fill(file, at, czm_file_bytes());
    struct czm_open *open = czm_open_new(file, 1, 1, 0);
    open->from = at;
    return czm_stream_new(open, czm_descriptor_new(open, 3));
}
