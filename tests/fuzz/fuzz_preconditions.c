// SPDX-License-Identifier: Apache-2.0
// The reader of preconditions: what it accepts must survive being written, and editing a
// file must keep all of it that can be read.
#include "pre/pre.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check_written(const struct pre_list *list)
{
    struct buf text = BUF_INIT;
    struct pre_list again;
    struct error err = {0};
    for (size_t i = 0; i < list->items.count; i++)
        pre_write(&list->items.items[i], true, &text);
    pre_init(&again);
    if (!pre_parse(&again, "again.pre", buf_text(&text), &err) ||
        again.items.count != list->items.count)
        abort();
    pre_release(&again);
    buf_release(&text);
}

static void edit(const char *text, const struct pre_list *list)
{
    for (size_t i = 0; i < list->items.count && i < 4; i++) {
        struct buf edited = BUF_INIT;
        char id[PRE_ID];
        pre_id(&list->items.items[i], id);
        pre_edit(text, &list->items.items[i], &edited);
        buf_release(&edited);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct pre_list list;
    struct error err = {0};
    memcpy(text, data, size);
    text[size] = '\0';
    pre_init(&list);
    if (pre_parse(&list, "cadenza.pre", text, &err)) {
        check_written(&list);
        edit(text, &list);
    } else if (err.kind == ERROR_NONE) {
        abort();
    }
    pre_release(&list);
    free(text);
    return 0;
}
