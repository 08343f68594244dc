// SPDX-License-Identifier: Apache-2.0
#include "report/escape.h"

#include "base/utf8.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_xml_character(uint32_t code)
{
    return code >= 0x20 ? code != 0xfffe && code != 0xffff
                        : code == '\t' || code == '\n' || code == '\r';
}

// White space in an attribute would be read as a blank, a carriage return anywhere as a line feed.
static const char *xml_entity(uint32_t code, bool attribute)
{
    if (!attribute && (code == '\t' || code == '\n'))
        return NULL;
    switch (code) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&apos;";
    case '\t': return "&#9;";
    case '\n': return "&#10;";
    case '\r': return "&#13;";
    default: return NULL;
    }
}

static void escape_xml(const char *text, bool attribute, struct buf *out)
{
    while (*text) {
        uint32_t code = 0;
        size_t length = utf8_decode(text, &code);
        const char *entity = xml_entity(code, attribute);
        if (!length || !is_xml_character(code))
            buf_puts(out, UTF8_REPLACEMENT);
        else if (entity)
            buf_puts(out, entity);
        else
            buf_add(out, text, length);
        text += length ? length : 1;
    }
}

void escape_xml_text(const char *text, struct buf *out)
{
    escape_xml(text, false, out);
}

void escape_xml_attribute(const char *text, struct buf *out)
{
    escape_xml(text, true, out);
}

void escape_uri(const char *path, struct buf *out)
{
    static const char scheme[] = "file";
    if (path[0] == '/')
        buf_printf(out, "%s://", scheme);
    for (; *path; path++) {
        unsigned char byte = (unsigned char)*path;
        if (byte < 0x80 && (isalnum(byte) || strchr("-._~/", byte)))
            buf_putc(out, *path);
        else
            buf_printf(out, "%%%02X", byte);
    }
}

// The characters of `special`, as %XX; of the rest only what is no UTF-8 changes.
static void escape_github(const char *text, const char *special, struct buf *out)
{
    while (*text) {
        uint32_t code = 0;
        size_t length = utf8_decode(text, &code);
        if (!length)
            buf_puts(out, UTF8_REPLACEMENT);
        else if (length == 1 && strchr(special, *text))
            buf_printf(out, "%%%02X", (unsigned)code);
        else
            buf_add(out, text, length);
        text += length ? length : 1;
    }
}

void escape_github_message(const char *text, struct buf *out)
{
    escape_github(text, "%\r\n", out);
}

void escape_github_property(const char *text, struct buf *out)
{
    escape_github(text, "%\r\n:,", out);
}

void escape_line(const char *text, struct buf *out)
{
    for (; *text; text++)
        buf_putc(out, iscntrl((unsigned char)*text) ? '_' : *text);
}
