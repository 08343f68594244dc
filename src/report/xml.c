// SPDX-License-Identifier: Apache-2.0
#include "report/xml.h"

#include "base/error.h"
#include "report/escape.h"

void xml_begin(struct xml_writer *w, struct buf *out)
{
    *w = (struct xml_writer){.out = out};
    buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
}

static void end_tag(struct xml_writer *w)
{
    if (w->in_tag)
        buf_putc(w->out, '>');
    w->in_tag = false;
}

static void new_line(struct xml_writer *w)
{
    buf_printf(w->out, "\n%*s", 2 * (int)w->depth, "");
}

void xml_open(struct xml_writer *w, const char *element)
{
    if (w->depth == XML_DEEPEST)
        BUG("an element of XML at depth %u", w->depth);
    end_tag(w);
    if (w->depth)
        new_line(w);
    buf_printf(w->out, "<%s", element);
    w->open[w->depth++] = element;
    w->in_tag = true;
    w->has_text = false;
}

void xml_close(struct xml_writer *w)
{
    const char *element = w->open[--w->depth];
    if (w->in_tag) {
        buf_puts(w->out, "/>");
    } else {
        if (!w->has_text)
            new_line(w);
        buf_printf(w->out, "</%s>", element);
    }
    if (!w->depth)
        buf_putc(w->out, '\n');
    w->in_tag = w->has_text = false;
}

void xml_attribute(struct xml_writer *w, const char *name, const char *value)
{
    if (!w->in_tag)
        BUG("an attribute %s behind the tag of its element", name);
    buf_printf(w->out, " %s=\"", name);
    escape_xml_attribute(value, w->out);
    buf_putc(w->out, '"');
}

void xml_int(struct xml_writer *w, const char *name, int64_t value)
{
    xml_format(w, name, "%lld", (long long)value);
}

void xml_format(struct xml_writer *w, const char *name, const char *format, ...)
{
    struct buf text = BUF_INIT;
    va_list args;
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    xml_attribute(w, name, buf_text(&text));
    buf_release(&text);
}

void xml_text(struct xml_writer *w, const char *text)
{
    end_tag(w);
    escape_xml_text(text, w->out);
    w->has_text = true;
}
