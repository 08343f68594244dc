// SPDX-License-Identifier: Apache-2.0
// Files: reading whole files, writing them atomically (temporary name,
// rename), directories, and where our own installed parts are.
#ifndef CZ_BASE_FS_H
#define CZ_BASE_FS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include <stdint.h>

bool fs_read(const char *path, struct buf *out, struct error *err);
bool fs_write(const char *path, const void *data, size_t length, struct error *err); // atomic
bool fs_hash(const char *path, uint64_t *hash, struct error *err); // of its content
bool fs_make_dirs(const char *path, struct error *err);            // mkdir -p
bool fs_remove_tree(const char *path, struct error *err);          // no error when it is not there
// A directory takes the place of another, at once where the system can do that; the other is
// removed.
bool fs_replace_tree(const char *from, const char *to, struct error *err);
bool fs_exists(const char *path);
bool fs_is_dir(const char *path);
char *fs_absolute(const char *path);       // malloc'd, links resolved; NULL when it does not exist
const char *fs_basename(const char *path); // points into path

// The directory with runtime objects, shims and headers: $CADENZA_LIB, else
// ../lib/cadenza beside the executable, else the executable's own directory
// (the build tree). malloc'd.
char *fs_library_dir(void);

// The first byte of a path that tools take for more than a letter, or NULL: % in names of outputs,
// quotes and line ends in lists, a comma behind a weight (llvm-profdata), and what is no UTF-8 and
// so cannot stand in llvm-cov's JSON.
char *fs_odd_byte(const char *path);

// The last part of a path with _ for such bytes.
const char *fs_plain_name(const char *path, struct arena *arena);

#endif
