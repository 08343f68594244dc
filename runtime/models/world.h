// SPDX-License-Identifier: Apache-2.0
// The files that code under test can see, as plain data on the modelled heap: a run's
// files, open descriptions and streams vanish with the heap, and nothing here costs a
// system call. Contents keep their labels, written ones too.
//
// Two worlds. In a whole program (the driver has called a cz_program_ function) the
// files are standard input, what the driver declares and what the program writes;
// nothing else exists. In a unit task any file that is opened for reading may exist
// or not, as an input says, and its content is inputs; a descriptor that the task did
// not open itself delivers inputs, too.
//
// Outside of a run (constructors, programs with a main of their own) and for streams
// that a real function has made, everything goes to the C library: czm_stream_of and
// czrt_in_run tell. runtime/replay_world.c is the same world for clean builds and must
// ask for the same inputs in the same order.
#ifndef CZM_WORLD_H
#define CZM_WORLD_H

#include "../../include/cz/driver.h"
#include "../../wire/wire.h"
#include "models.h"
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct czm_file {
    struct czm_file *next;
    char *name; // NULL: cannot be opened by name
    unsigned char *data;
    size_t room;    // bytes at data
    size_t length;  // at most room; symbolic while the content is an input
    int is_bounded; // the room comes from a bound: a longer file might do something else
    int is_sink;    // swallows what is written; reading is at its end
};

// An open description, shared by duplicated descriptors.
struct czm_open {
    struct czm_file *file;
    size_t offset;
    int readable, writable, append;
    unsigned users; // descriptors
    // Somebody else has opened it, and may have read: `data` begins where that stopped. The
    // position there is an input at the place `from`, asked for when it first matters.
    cz_path from; // 0: the run has opened it
    int has_base;
    size_t base;
};

#define CZM_STREAM 0x5A43534Du
#define CZM_BACK   16
#define CZM_CLOSED (-2) // descriptor of a standard stream after fclose()

// A stream reads ahead, as the C library's do: the description is at the end of
// what was read ahead, the reader at `at`. Writing is not buffered.
struct czm_stream {
    unsigned magic; // where a real FILE has its flags
    int fd;         // -1: none, e.g. memory
    struct czm_open *open;
    int is_ahead;
    size_t at, end;
    int eof, error;
    int is_touched; // no longer as somebody else left it
    int has_ended;  // was at the end, and not moved since: an error, or of a terminal or a pipe
    unsigned back_count; // characters of ungetc
    unsigned char back[CZM_BACK];
    char **memory; // open_memstream: where the text is told
    size_t *memory_size;
};

// ---- world.c ----
struct czm_file *czm_file_new(void);
int czm_is_program(void);
// A call that may fail in a unit task, as an input says. errno is another input, or the usual
// number.
int czm_fails(const char *function, int usual);
// The file with this name; NULL and errno ENOENT when there is none. With `create` an
// empty one is made if need be, with `truncate` it is empty and its content not asked for,
// with `exclusive` it must be new (EEXIST).
struct czm_file *czm_file_named(const char *name, int create, int truncate, int exclusive);
struct czm_file *czm_file_find(const char *name); // among those that the run has met
void czm_file_forget(struct czm_file *file);
struct czm_file *czm_standard_input(void);
struct czm_file *czm_unknown_file(void); // behind a descriptor that came from elsewhere
void czm_file_fill(struct czm_file *file, cz_path at, unsigned bytes);
unsigned czm_file_bytes(void);
unsigned czm_text_bytes(void);
// How many of `want` bytes there are at an offset; concrete. Each step is a decision.
size_t czm_file_some(const struct czm_file *file, size_t end, size_t offset, size_t want);
void czm_file_note_end(const struct czm_file *file, size_t offset);
size_t czm_file_put(struct czm_file *file, size_t offset, const void *from, size_t n);

// ---- descriptors.c ----
struct czm_open *czm_open_new(struct czm_file *file, int readable, int writable, int append);
struct czm_open *czm_open_of(int fd);   // NULL and errno EBADF
size_t czm_base(struct czm_open *open); // the position of data[0]
// Set the position counted from data[0]; false and errno when there is none.
int czm_move(struct czm_open *open, long position, long offset, int from);
int czm_cannot_seek(struct czm_open *open, const char *function); // not a file, as an input says
int czm_descriptor_new(struct czm_open *open, int from);
void czm_descriptor_drop(int fd);
int czm_open_path(const char *path, int flags, unsigned mode);

// ---- streams.c ----
struct czm_stream *czm_stream_of(FILE *stream); // NULL: a real one
FILE *czm_stream_new(struct czm_open *open, int fd);
int czm_get(FILE *stream); // a byte or EOF
int czm_unget(int c, FILE *stream);
size_t czm_take(FILE *stream, void *to, size_t n);
size_t czm_put(FILE *stream, const void *from, size_t n);
void czm_lend(const char *memory); // as a buffer of a stream; NULL: none

// ---- the runtime's side: runtime/files.c, runtime/inputs.c ----
_Bool czrt_in_run(void);
void czrt_loss(unsigned loss);
void czrt_fail(cz_path call, int usual); // sets errno
void czrt_presume_locale(void);          // the locale matters here, and is "C"
void czrt_presume_success(void);         // a failure would show here, and there was none
void czrt_errno_doubt(void);             // a failure would have set it
void czrt_presume_text(const char *text, unsigned loss); // looking at it counts a loss
void czrt_never_refuse(void);                            // allocations of this run succeed
cz_path czrt_root_named(const char *prefix, const char *name, unsigned number);
size_t czrt_text_length(const char *text); // without decisions: for what is thrown away

#endif
