// SPDX-License-Identifier: Apache-2.0
// The JSON reader; what it accepts must survive being written and read again.
#include "base/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct error err = {0};
    arena_init(&arena);
    struct json *value = json_parse(&arena, (const char *)data, size, &err);
    if (!value != (err.kind != ERROR_NONE))
        abort();
    if (value) {
        struct buf text = BUF_INIT;
        struct json_writer writer;
        json_begin(&writer, &text, false);
        json_value(&writer, NULL, value);
        if (!json_parse(&arena, text.data, text.length, &err))
            abort();
        json_member(value, "totals");
        json_item(value, 1);
        buf_release(&text);
    }
    arena_release(&arena);
    return 0;
}
