// SPDX-License-Identifier: Apache-2.0
// Files of an export of C tests that are the same for all tests: helpers, Makefile and
// CMakeLists.txt.
#ifndef CZ_EXPORT_SUPPORT_FILES_H
#define CZ_EXPORT_SUPPORT_FILES_H

#include "export/c_writer.h"

extern const char support_header[], support_source[];

// From a directory to a path, both absolute.
const char *relative_path(const char *directory, const char *path, struct arena *arena);

// `directory`: where the export is, absolute.
void put_makefile(const struct export_model *model, const struct c_dialect *dialect,
                  const char *directory, struct arena *arena, struct buf *out);
void put_cmake_lists(const struct export_model *model, const struct c_dialect *dialect,
                     const char *directory, struct arena *arena, struct buf *out);

#endif
