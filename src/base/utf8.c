// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

size_t utf8_decode(const char *text, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000}; // by length
    unsigned char first = (unsigned char)*text;
    size_t length = first < 0x80                    ? first != 0
                    : first >= 0xc2 && first < 0xe0 ? 2
                    : first >= 0xe0 && first < 0xf0 ? 3
                    : first >= 0xf0 && first < 0xf5 ? 4
                                                    : 0;
    uint32_t value = length < 2 ? first : first & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if ((byte & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (byte & 0x3f);
    }
    if (value < smallest[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return 0;
    *code = value;
    return length;
}

bool utf8_is_valid(const char *text)
{
    uint32_t code;
    for (size_t length; *text; text += length)
        if (!(length = utf8_decode(text, &code)))
            return false;
    return true;
}
