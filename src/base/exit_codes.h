// SPDX-License-Identifier: Apache-2.0
// Which exit code a command ends with. Several may apply to a run: they are collected in a set, the
// first by rank (2, 3, 4, 7, 6, 1, 5) is returned, and summary.json lists all of them.
#ifndef CZ_BASE_EXIT_CODES_H
#define CZ_BASE_EXIT_CODES_H

#include "base/buf.h"
#include "base/error.h"

enum exit_code {
#define EXIT_CODE(number, name, words) EXIT_##name = number,
#include "base/exit_codes.def"
#undef EXIT_CODE
    EXIT_CODE_COUNT
};

typedef unsigned exit_set; // bit n: exit code n applies; 0: EXIT_DONE

static inline exit_set exit_bit(enum exit_code code)
{
    return code == EXIT_DONE ? 0 : 1u << code;
}

// The code to return, and all of them by rank ({EXIT_DONE} for the empty set); returns their count.
enum exit_code exit_first(exit_set set);
size_t exit_list(exit_set set, enum exit_code list[EXIT_CODE_COUNT]);

// The code for a command that failed with such an error; the codes of a run that went on without
// what failed.
enum exit_code exit_for_error(enum error_kind kind);
exit_set exit_for_part(enum error_kind kind);

// "Exit codes: 0 done ..., 1 ...", in lines for a terminal.
void exit_describe(struct buf *out);

#endif
