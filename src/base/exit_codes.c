// SPDX-License-Identifier: Apache-2.0
#include "base/exit_codes.h"

#include <string.h>

static const enum exit_code ranks[] = {EXIT_USAGE,      EXIT_NOTHING, EXIT_INTERNAL, EXIT_RETRY,
                                       EXIT_INCOMPLETE, EXIT_BUGS,    EXIT_GATE};
_Static_assert(sizeof ranks / sizeof *ranks == EXIT_CODE_COUNT - 1, "an exit code has no rank");

size_t exit_list(exit_set set, enum exit_code list[EXIT_CODE_COUNT])
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        if (set & exit_bit(ranks[i]))
            list[count++] = ranks[i];
    if (!count)
        list[count++] = EXIT_DONE;
    return count;
}

enum exit_code exit_first(exit_set set)
{
    enum exit_code list[EXIT_CODE_COUNT];
    exit_list(set, list);
    return list[0];
}

enum exit_code exit_for_error(enum error_kind kind)
{
    switch (kind) {
    case ERROR_USAGE: return EXIT_USAGE;
    case ERROR_SOURCE:
    case ERROR_NO_TASKS:
    case ERROR_IO:
    case ERROR_MISSING: return EXIT_NOTHING;
    case ERROR_RETRY: return EXIT_RETRY;
    default: return EXIT_INTERNAL;
    }
}

exit_set exit_for_part(enum error_kind kind)
{
    enum exit_code code = exit_for_error(kind);
    exit_set own = code == EXIT_INTERNAL || code == EXIT_RETRY ? exit_bit(code) : 0;
    return own | exit_bit(EXIT_INCOMPLETE);
}

void exit_describe(struct buf *out)
{
    static const struct {
        int number;
        const char *words;
    } codes[] = {
#define EXIT_CODE(number, name, words) {number, words},
#include "base/exit_codes.def"
#undef EXIT_CODE
    };
    enum { WIDTH = 90 };
    size_t line = out->length;
    buf_puts(out, "Exit codes:");
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (out->length - line + strlen(codes[i].words) + 4 > WIDTH) {
            buf_putc(out, '\n');
            line = out->length;
            buf_puts(out, " ");
        }
        buf_printf(out, " %d %s%s", codes[i].number, codes[i].words,
                   i + 1 < sizeof codes / sizeof *codes ? "," : ".\n");
    }
}
