// SPDX-License-Identifier: Apache-2.0
// Text for HTML pages. Nothing that comes from a user's files reaches a page except through
// html_text or a %s of html_printf; both escape it, for element content as for quoted attributes.
#ifndef CZ_HTML_TEXT_H
#define CZ_HTML_TEXT_H

#include "base/buf.h"
#include <stddef.h>

// The five special characters become entities. What would be invisible or change what is read is
// spelled out: control characters as their pictures, bytes that are not UTF-8 as \xNN, and line
// separators and marks that change the direction of text as \uNNNN. Tabs and line ends stay.
void html_text(struct buf *out, const char *text);
void html_text_part(struct buf *out, const char *text, size_t length);

// Like printf, with every %s escaped. Width and precision are for numbers only.
void html_printf(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

// "7 tests", "1 test": the word gets an s.
void html_count(struct buf *out, size_t count, const char *word);

#endif
