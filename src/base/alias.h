// SPDX-License-Identifier: Apache-2.0
// Another name for a directory whose own name programs take for something else (fs_odd_byte):
// linkers replace % in names of outputs, compilers take quotes and line ends for the end of a name.
// Such a directory is used through a link in TMPDIR, which goes when the run is over.
#ifndef CZ_BASE_ALIAS_H
#define CZ_BASE_ALIAS_H

#include "base/error.h"
#include <stdbool.h>

struct alias {
    char *path;      // use this one; its links must not be resolved (alias_absolute)
    char *directory; // that holds the link; NULL: the path is the directory's own name
};

// The directory must exist if its name, from the root on, is an odd one.
bool alias_make(struct alias *alias, const char *directory, struct error *err);
void alias_remove(struct alias *alias);

// As fs_absolute(), but a path below an alias stays one.
char *alias_absolute(const char *path);

bool alias_is_needed(const char *path); // is it odd as it stands?

#endif
