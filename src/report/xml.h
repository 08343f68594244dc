// SPDX-License-Identifier: Apache-2.0
// A writer of XML that keeps nesting and escapes right.
//
//     xml_open(&w, "line");
//     xml_int(&w, "number", 12);
//     xml_close(&w);                  <line number="12"/>
#ifndef CZ_REPORT_XML_H
#define CZ_REPORT_XML_H

#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>

enum { XML_DEEPEST = 16 };

struct xml_writer {
    struct buf *out;
    const char *open[XML_DEEPEST]; // elements that are not closed
    unsigned depth;
    bool in_tag;   // attributes may follow
    bool has_text; // the innermost element has text, so that no line may be broken
};

void xml_begin(struct xml_writer *w, struct buf *out);

void xml_open(struct xml_writer *w, const char *element); // the name is not copied
void xml_close(struct xml_writer *w);

// Attributes of the element that was just opened.
void xml_attribute(struct xml_writer *w, const char *name, const char *value);
void xml_int(struct xml_writer *w, const char *name, int64_t value);
void xml_format(struct xml_writer *w, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void xml_text(struct xml_writer *w, const char *text);

#endif
