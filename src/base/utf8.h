// SPDX-License-Identifier: Apache-2.0
// UTF-8: names of files and source text may be any bytes, formats that we write may not.
#ifndef CZ_BASE_UTF8_H
#define CZ_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT "\xef\xbf\xbd" // U+FFFD

// The number of bytes of the character that begins at `text`, and its code in *code; 0 if what
// stands there is none (a stray byte, an overlong form, a surrogate) or the end of the text.
size_t utf8_decode(const char *text, uint32_t *code);

bool utf8_is_valid(const char *text);

#endif
