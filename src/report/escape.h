// SPDX-License-Identifier: Apache-2.0
// Names of files and source text inside of formats with a syntax of their own. The text may hold
// any bytes: what a format cannot express is replaced, by U+FFFD where the format is UTF-8.
#ifndef CZ_REPORT_ESCAPE_H
#define CZ_REPORT_ESCAPE_H

#include "base/buf.h"

// For content of elements and for attributes, in double quotes, of XML 1.0.
void escape_xml_text(const char *text, struct buf *out);
void escape_xml_attribute(const char *text, struct buf *out);

// A path as a URI reference, an absolute one with the scheme of files: bytes outside of RFC 3986's
// unreserved ones and '/' are percent-encoded, a colon too, so that none begins another scheme.
void escape_uri(const char *path, struct buf *out);

// For the message and the properties of a workflow command of GitHub Actions.
void escape_github_message(const char *text, struct buf *out);
void escape_github_property(const char *text, struct buf *out);

// For formats of lines without any escape: control characters become '_'.
void escape_line(const char *text, struct buf *out);

#endif
