// SPDX-License-Identifier: Apache-2.0
// The engine's reader of test files, and the values of their inputs for every type of leaf.
#include "program/testfile.h"

#include <stdint.h>
#include <stdlib.h>

static const struct wire_place leaves[] = {
    {0},
    {.type = WIRE_T_SIGNED, .bits = 32, .count = 1},
    {.type = WIRE_T_UNSIGNED, .bits = 3, .count = 1},
    {.type = WIRE_T_UNSIGNED, .bits = 8, .count = 4, .offset = 4},
    {.type = WIRE_T_SIGNED, .bits = 128, .count = 1},
    {.type = WIRE_T_FLOAT, .bits = 32, .count = 1},
    {.type = WIRE_T_FLOAT, .bits = 64, .count = 2},
    {.type = WIRE_T_BOOL, .bits = 1, .count = 1},
    {.type = WIRE_T_SHAPE, .bits = 8, .count = 1},
    {.type = WIRE_T_CHOICE, .bits = 8, .count = 5},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { LEAVES = sizeof leaves / sizeof *leaves };
    struct places places = {.table = leaves, .strings = "", .count = LEAVES, .string_count = 1};
    struct arena arena;
    struct testfile test;
    struct error err = {0};
    arena_init(&arena);
    if (testfile_read(&test, "t.test", (const char *)data, size, &arena, &err)) {
        for (size_t i = 0; i < test.input_count; i++)
            for (uint32_t leaf = 1; leaf < LEAVES; leaf++) {
                uint8_t input[64] = {0};
                struct buf text = BUF_INIT;
                struct error reason = {0};
                if (places_parse(&places, leaf, test.inputs[i].values, input, sizeof input,
                                 &reason))
                    places_value(&places, leaf, input, sizeof input, &text);
                else if (!*reason.text)
                    abort();
                buf_release(&text);
            }
        struct buf text = BUF_INIT;
        testfile_write(&test, &text);
        if (!testfile_read(&test, "t.test", text.data, text.length, &arena, &err))
            abort();
        buf_release(&text);
    } else if (err.kind == ERROR_NONE) {
        abort();
    }
    arena_release(&arena);
    return 0;
}
