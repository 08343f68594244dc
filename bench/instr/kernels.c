// SPDX-License-Identifier: Apache-2.0
// Code that instrumented units spend their time in: checksums, hashes, a byte
// parser. Compiled natively at -O1 and instrumented, and timed by harness.c on
// the same 4 KiB.
#include <stdint.h>

uint32_t crc_bitwise(const uint8_t *data, unsigned n)
{
    uint32_t crc = ~0u;
    for (unsigned i = 0; i < n; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return ~crc;
}

uint32_t crc_branchless(const uint8_t *data, unsigned n)
{
    uint32_t crc = ~0u;
    for (unsigned i = 0; i < n; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (0xEDB88320u & -(crc & 1));
    }
    return ~crc;
}

static uint32_t table[256];

void crc_prepare(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
        table[i] = crc;
    }
}

uint32_t crc_table(const uint8_t *data, unsigned n)
{
    uint32_t crc = ~0u;
    for (unsigned i = 0; i < n; i++)
        crc = crc >> 8 ^ table[(crc ^ data[i]) & 255];
    return ~crc;
}

uint32_t fnv1a(const uint8_t *data, unsigned n)
{
    uint32_t hash = 2166136261u;
    for (unsigned i = 0; i < n; i++)
        hash = (hash ^ data[i]) * 16777619u;
    return hash;
}

uint32_t adler(const uint8_t *data, unsigned n)
{
    uint32_t a = 1, b = 0;
    for (unsigned i = 0; i < n; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

// Brackets, strings with escapes, numbers: a state machine over bytes.
uint32_t parse(const uint8_t *data, unsigned n)
{
    uint32_t depth = 0, numbers = 0, strings = 0, errors = 0, value = 0;
    int in_string = 0, in_number = 0;
    for (unsigned i = 0; i < n; i++) {
        uint8_t c = data[i];
        if (in_string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                in_string = 0, strings++;
            continue;
        }
        if (c >= '0' && c <= '9') {
            value = value * 10 + (c - '0');
            in_number = 1;
            continue;
        }
        if (in_number)
            numbers += value, value = 0, in_number = 0;
        switch (c) {
        case '{':
        case '[': depth++; break;
        case '}':
        case ']': depth ? depth-- : errors++; break;
        case '"': in_string = 1; break;
        case ' ':
        case ',':
        case ':':
        case '\n': break;
        default: errors++;
        }
    }
    return depth ^ numbers << 4 ^ strings << 12 ^ errors << 20;
}
