// SPDX-License-Identifier: Apache-2.0
// Access paths of inputs: what is accepted is printed as it was, and begins a place in the same
// way.
#include "program/input_path.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct input_path path, again;
    arena_init(&arena);
    const char *text = arena_strndup(&arena, (const char *)data, size);
    if (input_path_parse(text, &arena, &path)) {
        if (strcmp(input_path_text(&path, &arena), text) != 0 ||
            !input_path_parse(text, &arena, &again) || !input_path_equal(&path, &again))
            abort();
        input_path_expression(&path, &arena);
    }
    path = input_path_begin(text, &arena);
    input_path_add(&path, (struct input_link){.kind = INPUT_PART, .name = text}, &arena);
    input_path_text(&path, &arena);
    arena_release(&arena);
    return 0;
}
