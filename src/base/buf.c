// SPDX-License-Identifier: Apache-2.0
#include "base/buf.h"

#include "base/arena.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buf_release(struct buf *buf)
{
    free(buf->data);
    *buf = (struct buf){0};
}

void buf_clear(struct buf *buf)
{
    buf->length = 0;
    if (buf->data)
        buf->data[0] = '\0';
}

static void reserve(struct buf *buf, size_t extra)
{
    size_t needed = buf->length + extra + 1;
    if (needed <= buf->room)
        return;
    size_t room = buf->room ? buf->room * 2 : 64;
    buf->room = room < needed ? needed : room;
    buf->data = xrealloc(buf->data, buf->room);
}

void buf_add(struct buf *buf, const void *bytes, size_t length)
{
    reserve(buf, length);
    if (length)
        memcpy(buf->data + buf->length, bytes, length);
    buf->length += length;
    buf->data[buf->length] = '\0';
}

void buf_puts(struct buf *buf, const char *text)
{
    buf_add(buf, text, strlen(text));
}

void buf_putc(struct buf *buf, char byte)
{
    buf_add(buf, &byte, 1);
}

void buf_vprintf(struct buf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    reserve(buf, (size_t)length);
    vsnprintf(buf->data + buf->length, (size_t)length + 1, format, args);
    buf->length += (size_t)length;
}

void buf_printf(struct buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buf_vprintf(buf, format, args);
    va_end(args);
}

const char *buf_text(const struct buf *buf)
{
    return buf->data ? buf->data : "";
}
