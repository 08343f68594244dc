// SPDX-License-Identifier: Apache-2.0
// A growing text or byte buffer; always NUL-terminated after the first append.
#ifndef CZ_BASE_BUF_H
#define CZ_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>

struct buf {
    char *data;
    size_t length, room;
};
#define BUF_INIT {0}

void buf_release(struct buf *buf);
void buf_clear(struct buf *buf); // keeps the memory
void buf_add(struct buf *buf, const void *bytes, size_t length);
void buf_puts(struct buf *buf, const char *text);
void buf_putc(struct buf *buf, char byte);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *buf, const char *format, va_list args);
const char *buf_text(const struct buf *buf); // "" when empty, never NULL

#endif
