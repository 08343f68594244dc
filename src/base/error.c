// SPDX-License-Identifier: Apache-2.0
// Error texts: set at the bottom, given context on the way up.
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the system, SQLite and LLVM say when a disk or the memory is full.
static enum error_kind refined(enum error_kind kind, const char *text)
{
    static const char *const full[] = {"No space left on device",          "Disk quota exceeded",
                                       "database or disk is full",         "Cannot allocate memory",
                                       "Resource temporarily unavailable", "std::bad_alloc",
                                       "LLVM ERROR: out of memory"};
    for (size_t i = 0; kind != ERROR_USAGE && i < sizeof full / sizeof *full; i++)
        if (strstr(text, full[i]))
            return ERROR_RETRY;
    return kind;
}

bool error_set(struct error *err, enum error_kind kind, const char *format, ...)
{
    if (!err)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    err->kind = refined(kind, err->text);
    return false;
}

bool error_errno(struct error *err, const char *format, ...)
{
    int saved = errno;
    if (!err)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    size_t used = strlen(err->text);
    snprintf(err->text + used, sizeof err->text - used, ": %s", strerror(saved));
    err->kind = refined(saved == EAGAIN ? ERROR_RETRY : ERROR_IO, strerror(saved));
    return false;
}

bool error_context(struct error *err, const char *format, ...)
{
    if (!err)
        return false;
    char prefix[1024], old[sizeof err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(prefix, sizeof prefix, format, args);
    va_end(args);
    memcpy(old, err->text, sizeof old);
    size_t room = sizeof err->text - strlen(prefix) - 3;
    snprintf(err->text, sizeof err->text, "%s: %.*s", prefix, (int)room, old);
    return false;
}

void error_clear(struct error *err)
{
    err->kind = ERROR_NONE;
    err->text[0] = '\0';
}

void error_bug(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "cadenza: internal error at %s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fputs("\nPlease report this with the command line and the input file.\n", stderr);
    va_end(args);
    abort();
}
