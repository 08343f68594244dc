// SPDX-License-Identifier: Apache-2.0
// The reader of justifications: what it accepts must survive being written.
#include "just/justifications.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check_same(const struct justification *a, const struct justification *b)
{
    if (strcmp(a->file, b->file) != 0 || strcmp(a->function, b->function) != 0 ||
        strcmp(a->text, b->text) != 0 || strcmp(a->author, b->author) != 0 ||
        strcmp(a->date, b->date) != 0 || strcmp(a->reason, b->reason) != 0 ||
        a->outcome != b->outcome || a->nth != b->nth)
        abort();
}

static void check_written(const struct justifications *list)
{
    struct buf text = BUF_INIT;
    struct justifications again;
    struct error err = {0};
    for (size_t i = 0; i < list->items.count; i++)
        justification_write(&list->items.items[i], &text);
    justifications_init(&again);
    if (!justifications_parse(&again, "again.just", buf_text(&text), &err) ||
        again.items.count != list->items.count)
        abort();
    for (size_t i = 0; i < list->items.count; i++)
        check_same(&list->items.items[i], &again.items.items[i]);
    justifications_release(&again);
    buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct justifications list;
    struct error err = {0};
    memcpy(text, data, size);
    text[size] = '\0';
    justifications_init(&list);
    if (justifications_parse(&list, "cadenza.just", text, &err))
        check_written(&list);
    else if (err.kind == ERROR_NONE)
        abort();
    justifications_release(&list);
    free(text);
    return 0;
}
