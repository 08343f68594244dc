// SPDX-License-Identifier: Apache-2.0
// Files, standard input and the environment of a clean build: what runtime/models/
// world.h describes, with real files. Their contents come from the test; they lie in the
// scratch directory under names of ours, and the linker's --wrap sends the functions
// that take a name, or a descriptor that the unit has not opened itself, here. The C
// library does the rest. The inputs are asked for in the same order as in the engine.
#define _GNU_SOURCE 1
#include "../include/cz/driver.h"
#include "../wire/input_names.h"
#include "replay_runtime.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES       64 // as in runtime/models/world.c
#define TEXT_BYTES       16
#define DESCRIPTOR_FLOOR 800 // for those of ours
#define DESCRIPTORS      1024

struct file {
    struct file *next;
    char *name, *real;
};

struct variable {
    struct variable *next;
    char *name;
};

static struct file *files;
static struct variable *variables;
static unsigned file_count, nameless, file_bytes = FILE_BYTES, text_bytes = TEXT_BYTES;
static bool is_program;
static int unknown = -1;         // stands for descriptors that came from elsewhere
static bool ours[DESCRIPTORS];   // open before the run
static char directory[PATH_MAX]; // the code under test may change its own

FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_freopen(const char *path, const char *mode, FILE *stream);
FILE *__real_fdopen(int fd, const char *mode);
FILE *__real_tmpfile(void);
int __real_open(const char *path, int flags, ...);
ssize_t __real_read(int fd, void *to, size_t n);
ssize_t __real_pread(int fd, void *to, size_t n, off_t offset);
ssize_t __real_write(int fd, const void *from, size_t n);
off_t __real_lseek(int fd, off_t offset, int from);
off64_t __real_lseek64(int fd, off64_t offset, int from);
int __real_close(int fd);
int __real_dup(int fd);
int __real_mkstemp(char *template);
int __real_dup2(int fd, int to);
int __real_isatty(int fd);
long __real_ftell(FILE *stream);
int __real_fseek(FILE *stream, long offset, int from);
void __real_clearerr(FILE *stream);
int __real_fstat(int fd, struct stat *info);
int __real_stat(const char *path, struct stat *info);
int __real_lstat(const char *path, struct stat *info);
int __real_access(const char *path, int mode);
int __real_unlink(const char *path);
int __real_remove(const char *path);
int __real_ftruncate(int fd, off_t length);
int __real_fcntl(int fd, int command, ...);
void *__real_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
void *__real_mmap64(void *address, size_t size, int protection, int flags, int fd, off64_t offset);
int __real_fstat64(int fd, struct stat64 *info);
int __real_stat64(const char *path, struct stat64 *info);
int __real_lstat64(const char *path, struct stat64 *info);
char *__real_getenv(const char *name);
int __real_setenv(const char *name, const char *value, int overwrite);
int __real_unsetenv(const char *name);
int __real_putenv(char *text);

// What we call ourselves is not the unit's.
static bool enter(void)
{
    bool was = replay_running;
    replay_running = false;
    return was;
}

static void *get_memory(size_t size)
{
    void *memory = __real_calloc(1, size);
    if (!memory)
        replay_give_up("out of memory");
    return memory;
}

static char *copy_of(const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(get_memory(n), text, n);
}

// ---- Contents ----

static char *new_path(void)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/.cadenza-%u", directory, ++file_count);
    return copy_of(path);
}

static void write_file(const char *path, const void *data, size_t n)
{
    int fd = __real_open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644);
    if (fd < 0 || __real_write(fd, data, n) != (ssize_t)n)
        replay_give_up("cannot write %s: %s", path, strerror(errno));
    __real_close(fd);
}

// Ask for the content and write it to a new file.
static char *write_input(cz_path at, unsigned bytes)
{
    size_t length = cz_u32(cz_part(at, "length"));
    unsigned char *data = get_memory(bytes + 1);
    cz_array(at, data, CZ_U8, bytes);
    char *path = new_path();
    write_file(path, data, length < bytes ? length : bytes);
    free(data);
    return path;
}

static void prepare_stdin(void)
{
    char *path = write_input(cz_root("stdin"), file_bytes);
    int fd = __real_open(path, O_RDONLY);
    if (fd < 0 || __real_dup2(fd, STDIN_FILENO) != STDIN_FILENO)
        replay_give_up("cannot prepare standard input: %s", strerror(errno));
    __real_close(fd);
}

// Which descriptors are open, by one system call instead of one for each.
static void find_ours(void)
{
    struct pollfd all[DESCRIPTORS];
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        all[fd] = (struct pollfd){.fd = fd};
    bool known = poll(all, DESCRIPTORS, 0) >= 0; // fails where fewer may be open
    for (int fd = 3; fd < DESCRIPTORS; fd++)
        ours[fd] = known ? !(all[fd].revents & POLLNVAL) : __real_fcntl(fd, F_GETFD) >= 0;
}

void replay_world_begin(void)
{
    if (!getcwd(directory, sizeof directory))
        replay_give_up("no working directory");
    find_ours();
    if (replay_input_exists("stdin:length"))
        prepare_stdin();
}

// ---- Names ----

static struct file *find_file(const char *name)
{
    struct file *file = files;
    while (file && strcmp(file->name, name) != 0)
        file = file->next;
    return file;
}

static struct file *enter_file(const char *name, char *real)
{
    struct file *file = get_memory(sizeof *file);
    *file = (struct file){files, copy_of(name), real};
    files = file;
    return file;
}

// A name that depended on inputs has a number in the test.
static char *write_named(const char *name)
{
    char text[WIRE_NAME_ROOM], length[WIRE_NAME_ROOM + 8], numbered[64];
    wire_write_name(text, "file:", name, 0);
    wire_write_name(numbered, "file:", NULL, nameless + 1);
    snprintf(length, sizeof length, "%s:length", text);
    if (!replay_input_exists(length)) {
        snprintf(length, sizeof length, "%s:length", numbered);
        if (replay_input_exists(length)) {
            nameless++;
            memcpy(text, numbered, sizeof numbered);
        }
    }
    return write_input(cz_root(text), file_bytes);
}

static const char *real_name(const char *name, bool create, bool truncate, bool exclusive)
{
    struct file *file = find_file(name);
    if (file && exclusive) {
        errno = EEXIST;
        return NULL;
    }
    if (!file && strcmp(name, "/dev/null") == 0)
        return "/dev/null";
    if (!file && is_program && !create) {
        errno = ENOENT;
        return NULL;
    }
    if (!file) {
        bool asks = !is_program && !truncate && !exclusive;
        file = enter_file(name, asks ? write_named(name) : new_path());
        if (!asks)
            write_file(file->real, "", 0);
    }
    return file->real;
}

static bool fails(const char *function, int number)
{
    if (is_program)
        return false;
    cz_path call = cz_call(function);
    bool refused = cz_bool(cz_part(call, "fails"));
    if (refused)
        replay_fail(call, number);
    return refused;
}

static const char *name_to_open(const char *function, const char *name, int flags)
{
    bool truncate = (flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY;
    bool exclusive = (flags & O_CREAT) && (flags & O_EXCL);
    return fails(function, ENOENT) ? NULL : real_name(name, flags & O_CREAT, truncate, exclusive);
}

// ---- Streams ----

// The flags of a mode, -1 if it is none. `plain` gets it without 'x': the file is there.
static int parse_mode(const char *mode, char plain[16])
{
    int flags = *mode == 'r'   ? O_RDONLY
                : *mode == 'w' ? O_WRONLY | O_CREAT | O_TRUNC
                : *mode == 'a' ? O_WRONLY | O_CREAT | O_APPEND
                               : -1;
    unsigned n = 0;
    for (const char *at = mode; *at && *at != ',' && n < 15; at++) {
        if (*at == 'x')
            flags |= O_EXCL;
        else
            plain[n++] = *at;
    }
    plain[n] = 0;
    if (flags < 0)
        errno = EINVAL;
    return flags;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    char plain[16];
    FILE *stream = NULL;
    if (!enter())
        return __real_fopen(path, mode);
    int flags = parse_mode(mode, plain);
    const char *real = flags < 0 ? NULL : name_to_open("fopen", path, flags);
    if (real)
        stream = __real_fopen(real, plain);
    replay_running = true;
    return stream;
}

FILE *__wrap_fopen64(const char *path, const char *mode)
{
    return __wrap_fopen(path, mode);
}

FILE *__wrap_freopen(const char *path, const char *mode, FILE *stream)
{
    char plain[16];
    if (!enter())
        return __real_freopen(path, mode, stream);
    int flags = parse_mode(mode, plain);
    const char *real = path && flags >= 0 ? name_to_open("freopen", path, flags) : NULL;
    int number = errno;
    FILE *fresh = path ? __real_freopen(real ? real : "/dev/null/none", plain, stream) : stream;
    if (!real)
        errno = number;
    replay_running = true;
    return fresh;
}

FILE *__wrap_freopen64(const char *path, const char *mode, FILE *stream)
{
    return __wrap_freopen(path, mode, stream);
}

FILE *__wrap_tmpfile(void)
{
    if (!enter())
        return __real_tmpfile();
    FILE *stream = fails("tmpfile", EMFILE) ? NULL : __real_fopen(new_path(), "w+");
    replay_running = true;
    return stream;
}

FILE *__wrap_tmpfile64(void)
{
    return __wrap_tmpfile();
}

// ---- Descriptors ----

static bool is_unknown(int fd)
{
    int number = errno;
    bool unopened =
        fd >= 3 && !is_program && ((fd < DESCRIPTORS && ours[fd]) || __real_fcntl(fd, F_GETFD) < 0);
    errno = number;
    return unopened;
}

// What the unit's descriptor really is.
static int real_descriptor(int fd)
{
    if (!is_unknown(fd))
        return fd;
    if (unknown < 0) {
        int low = __real_open(write_input(cz_root("descriptor"), file_bytes), O_RDWR);
        unknown = __real_fcntl(low, F_DUPFD, DESCRIPTOR_FLOOR);
        if (low < 0 || unknown < 0)
            replay_give_up("no descriptors left");
        __real_close(low);
        ours[unknown] = true;
    }
    return unknown;
}

int replay_open_path(const char *path, int flags, unsigned mode)
{
    if (!enter())
        return __real_open(path, flags, mode);
    const char *real = name_to_open("open", path, flags);
    int fd = real ? __real_open(real, flags & ~(O_CREAT | O_EXCL), 0) : -1;
    replay_running = true;
    return fd;
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return replay_open_path(path, flags, mode);
}

int __wrap_open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return replay_open_path(path, flags, mode);
}

int __wrap_creat(const char *path, mode_t mode)
{
    return replay_open_path(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int __wrap_creat64(const char *path, mode_t mode)
{
    return replay_open_path(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int __wrap_mkstemp(char *template)
{
    size_t n = strlen(template);
    if (!enter())
        return __real_mkstemp(template);
    int fd = -1;
    if (n < 6 || strcmp(template + n - 6, "XXXXXX") != 0) {
        errno = EINVAL;
    } else {
        memcpy(template + n - 6, "cadenz", 6);
        const char *real = name_to_open("mkstemp", template, O_RDWR | O_CREAT | O_TRUNC);
        fd = real ? __real_open(real, O_RDWR | O_TRUNC) : -1;
    }
    replay_running = true;
    return fd;
}

int __wrap_mkstemp64(char *template)
{
    return __wrap_mkstemp(template);
}

// Is the descriptor good for reading (or writing)? Only then may the call fail as an input.
static bool allows(int fd, int other)
{
    int flags = __real_fcntl(fd, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != other)
        return true;
    errno = EBADF;
    return false;
}

ssize_t __wrap_read(int fd, void *to, size_t n)
{
    if (!enter())
        return __real_read(fd, to, n);
    ssize_t got = -1;
    fd = real_descriptor(fd);
    if (allows(fd, O_WRONLY) && !fails("read", EIO))
        got = __real_read(fd, to, n);
    replay_running = true;
    return got;
}

ssize_t __wrap_pread(int fd, void *to, size_t n, off_t offset)
{
    if (!enter())
        return __real_pread(fd, to, n, offset);
    ssize_t got = -1;
    fd = real_descriptor(fd);
    if (offset < 0)
        errno = EINVAL;
    else if (allows(fd, O_WRONLY) && !fails("read", EIO))
        got = __real_pread(fd, to, n, offset);
    replay_running = true;
    return got;
}

static bool is_sink(int fd)
{
    struct stat info;
    return fd == STDOUT_FILENO || fd == STDERR_FILENO ||
           (__real_fstat(fd, &info) == 0 && S_ISCHR(info.st_mode));
}

ssize_t __wrap_write(int fd, const void *from, size_t n)
{
    if (!enter())
        return __real_write(fd, from, n);
    ssize_t put = -1;
    int real = real_descriptor(fd);
    if (is_sink(real))
        put = __real_write(real, from, n);
    else if (allows(real, O_RDONLY) && !fails("write", EIO))
        put = real == unknown ? (ssize_t)n : __real_write(real, from, n);
    replay_running = true;
    return put;
}

int __wrap_close(int fd)
{
    if (!enter())
        return __real_close(fd);
    int real = real_descriptor(fd); // of -1 it is -1, as `unknown` is before it is opened
    int result = real >= 0 && real == unknown ? 0 : __real_close(fd);
    replay_running = true;
    return result;
}

// ---- Positions ----

// What somebody else has opened: its content begins at a position that is an input.
struct inherited {
    struct inherited *next;
    FILE *stream; // or NULL
    char *place;
    bool asked, touched;
    long base;
};

static struct inherited *inherited_files;
static struct inherited inherited_stdin = {.place = "stdin"},
                        inherited_descriptor = {.place = "descriptor"};

static long base_of(struct inherited *file)
{
    if (!file->asked) {
        file->asked = true;
        file->base = (long)cz_ubits(cz_part(cz_root(file->place), "position"), 31);
    }
    return file->base;
}

static struct inherited *inherited_by_descriptor(int fd)
{
    if (is_program)
        return NULL;
    if (fd >= 0 && fd == unknown)
        return &inherited_descriptor;
    return fd == STDIN_FILENO ? &inherited_stdin : NULL;
}

static struct inherited *inherited_by_stream(FILE *stream)
{
    struct inherited *file = inherited_files;
    while (file && file->stream != stream)
        file = file->next;
    if (!file && stream == stdin && !is_program)
        return &inherited_stdin;
    return file;
}

// The offset for the real call, as runtime/models/descriptors.c moves.
static long long real_offset(struct inherited *file, long long offset, int from)
{
    if (!file || from != SEEK_SET)
        return offset;
    long base = base_of(file);
    if (offset >= 0 && offset < base)
        file->base = 0;
    else
        offset -= base;
    return offset;
}

static long long move(int fd, long long offset, int from)
{
    struct inherited *file = inherited_by_descriptor(fd);
    if (file && fails("lseek", ESPIPE))
        return -1;
    if (from != SEEK_SET && from != SEEK_CUR && from != SEEK_END)
        return __real_lseek64(fd, offset, from);
    offset = __real_lseek64(fd, real_offset(file, offset, from), from);
    return file && offset >= 0 ? base_of(file) + offset : offset;
}

static long tell(FILE *stream)
{
    struct inherited *file = inherited_by_stream(stream);
    if (file && fails("ftell", ESPIPE))
        return -1;
    long at = __real_ftell(stream);
    return file && at >= 0 ? base_of(file) + at : at;
}

static int seek(FILE *stream, long offset, int from, const char *function)
{
    struct inherited *file = inherited_by_stream(stream);
    if (file && function && fails(function, ESPIPE))
        return -1;
    if (file)
        file->touched = true;
    return __real_fseek(stream, (long)real_offset(file, offset, from), from);
}

// As somebody else left it, unless it has been read.
static void settle_flags(FILE *stream)
{
    struct inherited *file = inherited_by_stream(stream);
    if (!file || file->touched)
        return;
    file->touched = true;
    if (stream->_IO_read_ptr != stream->_IO_read_base ||
        stream->_flags & (_IO_EOF_SEEN | _IO_ERR_SEEN))
        return;
    bool eof = cz_bool(cz_part(cz_root(file->place), "eof"));
    bool error = cz_bool(cz_part(cz_root(file->place), "error"));
    stream->_flags |= (eof ? _IO_EOF_SEEN : 0) | (error ? _IO_ERR_SEEN : 0);
}

#define STREAM(type, name, parameters, outside, inside)                                            \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        if (!enter())                                                                              \
            return outside;                                                                        \
        type result = inside;                                                                      \
        replay_running = true;                                                                     \
        return result;                                                                             \
    }
STREAM(long, ftell, (FILE * stream), __real_ftell(stream), tell(stream))
STREAM(off_t, ftello, (FILE * stream), __real_ftello(stream), tell(stream))
STREAM(off64_t, ftello64, (FILE * stream), __real_ftello64(stream), tell(stream))
STREAM(int, fseek, (FILE * stream, long offset, int from), __real_fseek(stream, offset, from),
       seek(stream, offset, from, "fseek"))
STREAM(int, fseeko, (FILE * stream, off_t offset, int from), __real_fseeko(stream, offset, from),
       seek(stream, offset, from, "fseek"))
STREAM(int, fseeko64, (FILE * stream, off64_t offset, int from),
       __real_fseeko64(stream, offset, from), seek(stream, (long)offset, from, "fseek"))
STREAM(int, feof, (FILE * stream), __real_feof(stream), (settle_flags(stream), __real_feof(stream)))
STREAM(int, ferror, (FILE * stream), __real_ferror(stream),
       (settle_flags(stream), __real_ferror(stream)))

void __wrap_rewind(FILE *stream)
{
    bool was = enter();
    if (was)
        seek(stream, 0, SEEK_SET, NULL);
    else
        __real_fseek(stream, 0, SEEK_SET);
    __real_clearerr(stream);
    replay_running = was;
}

void __wrap_clearerr(FILE *stream)
{
    struct inherited *file = replay_running ? inherited_by_stream(stream) : NULL;
    if (file)
        file->touched = true;
    __real_clearerr(stream);
}

// A call that is the real one on the descriptor that is meant.
#define DESCRIPTOR(type, name, parameters, outside, inside)                                        \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        if (!enter())                                                                              \
            return outside;                                                                        \
        fd = real_descriptor(fd);                                                                  \
        type result = inside;                                                                      \
        replay_running = true;                                                                     \
        return result;                                                                             \
    }
DESCRIPTOR(off_t, lseek, (int fd, off_t offset, int from), __real_lseek(fd, offset, from),
           (off_t)move(fd, offset, from))
DESCRIPTOR(off64_t, lseek64, (int fd, off64_t offset, int from), __real_lseek64(fd, offset, from),
           move(fd, offset, from))
DESCRIPTOR(int, dup, (int fd), __real_dup(fd), __real_dup(fd))
DESCRIPTOR(int, dup2, (int fd, int to), __real_dup2(fd, to), __real_dup2(fd, to))
DESCRIPTOR(FILE *, fdopen, (int fd, const char *mode), __real_fdopen(fd, mode),
           __real_fdopen(fd == unknown ? __real_dup(fd) : fd, mode))
DESCRIPTOR(int, ftruncate, (int fd, off_t length), __real_ftruncate(fd, length),
           __real_ftruncate(fd, length))
DESCRIPTOR(void *, mmap,
           (void *address, size_t size, int protection, int flags, int fd, off_t offset),
           __real_mmap(address, size, protection, flags, fd, offset),
           __real_mmap(address, size, protection, flags, fd, offset))
DESCRIPTOR(void *, mmap64,
           (void *address, size_t size, int protection, int flags, int fd, off64_t offset),
           __real_mmap64(address, size, protection, flags, fd, offset),
           __real_mmap64(address, size, protection, flags, fd, offset))

int __wrap_isatty(int fd)
{
    if (!replay_running)
        return __real_isatty(fd);
    errno = ENOTTY;
    return 0;
}

void *cz_stream(cz_path at)
{
    struct inherited *file = get_memory(sizeof *file);
    FILE *stream = __real_fopen(write_input(at, file_bytes), "r+");
    *file = (struct inherited){.next = inherited_files, .stream = stream, .place = replay_path(at)};
    inherited_files = file;
    return stream;
}

// ---- What is known of a file ----

// Owner, times and numbers are those of the engine: zero. The type is `stat`, or with
// 32-bit pointers another one for large files, `stat64`.
#define NORMALISE(name, type)                                                                      \
    static int name(int result, struct type *info)                                                 \
    {                                                                                              \
        if (result != 0)                                                                           \
            return result;                                                                         \
        struct type plain = {.st_nlink = 1, .st_blksize = 4096};                                   \
        plain.st_mode = S_ISREG(info->st_mode) ? S_IFREG | 0644 : S_IFCHR | 0666;                  \
        plain.st_size = S_ISREG(info->st_mode) ? info->st_size : 0;                                \
        *info = plain;                                                                             \
        return 0;                                                                                  \
    }
NORMALISE(normalise, stat)
NORMALISE(normalise64, stat64)

DESCRIPTOR(int, fstat, (int fd, struct stat *info), __real_fstat(fd, info),
           normalise(__real_fstat(fd, info), info))
DESCRIPTOR(int, fstat64, (int fd, struct stat64 *info), __real_fstat64(fd, info),
           normalise64(__real_fstat64(fd, info), info))

// A call that tells of the file with this name; `real` tells of the one that stands for it.
#define PATH_CALL(name, type, function, real, cleaned)                                             \
    int __wrap_##name(const char *path, struct type *info)                                         \
    {                                                                                              \
        if (!enter())                                                                              \
            return __real_##name(path, info);                                                      \
        const char *stand_in = name_to_open(function, path, O_RDONLY);                             \
        int result = stand_in ? cleaned(__real_##real(stand_in, info), info) : -1;                 \
        replay_running = true;                                                                     \
        return result;                                                                             \
    }
PATH_CALL(stat, stat, "stat", stat, normalise)
PATH_CALL(stat64, stat64, "stat", stat64, normalise64)
PATH_CALL(lstat, stat, "lstat", stat, normalise)
PATH_CALL(lstat64, stat64, "lstat", stat64, normalise64)

int __wrap_access(const char *path, int mode)
{
    if (!enter())
        return __real_access(path, mode);
    bool refused = fails("access", ENOENT);
    int number = is_program && !find_file(path) ? ENOENT : is_program && (mode & X_OK) ? EACCES : 0;
    if (number)
        errno = number;
    replay_running = true;
    return refused || number ? -1 : 0;
}

static int forget(const char *function, const char *path)
{
    int result = 0;
    if (fails(function, ENOENT)) {
        result = -1;
    } else if (find_file(path)) {
        struct file *file = find_file(path), **link = &files;
        while (*link != file)
            link = &(*link)->next;
        *link = file->next;
    } else if (is_program) {
        errno = ENOENT;
        result = -1;
    }
    replay_running = true;
    return result;
}

int __wrap_unlink(const char *path)
{
    return enter() ? forget("unlink", path) : __real_unlink(path);
}

int __wrap_remove(const char *path)
{
    return enter() ? forget("remove", path) : __real_remove(path);
}

// ---- Environment ----

static bool is_known(const char *name)
{
    for (struct variable *variable = variables; variable; variable = variable->next)
        if (strcmp(variable->name, name) == 0)
            return true;
    struct variable *variable = get_memory(sizeof *variable);
    *variable = (struct variable){variables, copy_of(name)};
    variables = variable;
    return false;
}

// The first question about a variable sets it as the test says.
static void settle(const char *name)
{
    char text[WIRE_NAME_ROOM];
    if (*name == 0 || is_known(name))
        return;
    wire_write_name(text, "env:", name, 0);
    cz_path at = cz_root(text);
    __real_unsetenv(name);
    if (cz_present(at)) {
        char *value = get_memory(text_bytes + 1);
        cz_array(at, value, CZ_I8, text_bytes);
        __real_setenv(name, value, 1);
        free(value);
    }
}

char *__wrap_getenv(const char *name)
{
    if (!enter())
        return __real_getenv(name);
    settle(name);
    replay_running = true;
    return __real_getenv(name);
}

char *__wrap_secure_getenv(const char *name)
{
    return __wrap_getenv(name);
}

int __wrap_setenv(const char *name, const char *value, int overwrite)
{
    if (enter()) {
        bool good = name && *name && !strchr(name, '=');
        if (good && overwrite)
            is_known(name);
        else if (good)
            settle(name);
        replay_running = true;
    }
    return __real_setenv(name, value, overwrite);
}

int __wrap_unsetenv(const char *name)
{
    if (enter()) {
        if (name && *name && !strchr(name, '='))
            is_known(name);
        replay_running = true;
    }
    return __real_unsetenv(name);
}

int __wrap_putenv(char *text)
{
    if (enter()) {
        char *name = copy_of(text);
        name[strcspn(name, "=")] = 0;
        is_known(name);
        free(name);
        replay_running = true;
    }
    return __real_putenv(text);
}

// ---- The driver's words ----

unsigned replay_text_bytes(void)
{
    return text_bytes;
}

bool replay_is_program(void)
{
    return is_program;
}

void cz_world(unsigned bytes, unsigned characters)
{
    bool was = enter();
    file_bytes = bytes ? bytes : FILE_BYTES;
    text_bytes = characters ? characters : TEXT_BYTES;
    if (replay_input_exists("stdin:length"))
        prepare_stdin();
    replay_running = was;
}

int cz_program_stdin(unsigned bytes)
{
    bool was = enter();
    unsigned others = file_bytes;
    is_program = true;
    file_bytes = bytes;
    prepare_stdin();
    file_bytes = others;
    replay_running = was;
    return 0;
}

void cz_program_file(const char *name, unsigned bytes)
{
    char text[WIRE_NAME_ROOM];
    bool was = enter();
    is_program = true;
    wire_write_name(text, "file:", name, 0);
    enter_file(name, write_input(cz_root(text), bytes));
    replay_running = was;
}

char **cz_program_args(const char *name, unsigned count, unsigned length, int *argc)
{
    bool was = enter();
    is_program = true;
    char **words = get_memory((count + 2) * sizeof *words);
    unsigned used = cz_u32(cz_root("argc"));
    used = used < 1 ? 1 : used > count + 1 ? count + 1 : used;
    words[0] = copy_of(name);
    for (unsigned i = 1; i < used; i++) {
        cz_path at = cz_index(cz_root("argv"), i);
        words[i] = get_memory(length + 1);
        cz_array(at, words[i], CZ_I8, length);
    }
    *argc = (int)used;
    replay_running = was;
    return words;
}
