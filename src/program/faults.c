// SPDX-License-Identifier: Apache-2.0
#include "program/faults.h"

#include "base/buf.h"
#include <string.h>

static const struct {
    const char *check, *words;
    unsigned traits;
} faults[WIRE_FAULT_COUNT] = {
#define FAULT(name, option, words, traits) {option, words, traits},
#include "wire/faults.def"
#undef FAULT
};

const char *fault_words(uint32_t fault)
{
    return fault < WIRE_FAULT_COUNT ? faults[fault].words : "unknown fault";
}

const char *fault_check(uint32_t fault)
{
    return fault < WIRE_FAULT_COUNT ? faults[fault].check : "";
}

bool fault_hides_paths(uint32_t fault)
{
    return fault != WIRE_FAULT_ABORT && fault != WIRE_FAULT_ASSERT;
}

bool fault_is_soft(uint32_t fault)
{
    return fault < WIRE_FAULT_COUNT && faults[fault].traits & WIRE_SOFT;
}

static uint32_t named(const char *name, size_t length)
{
    uint32_t found = 0;
    bool all = length == 3 && strncmp(name, "all", 3) == 0;
    for (uint32_t i = 0; i < WIRE_FAULT_COUNT; i++) {
        const char *check = faults[i].check;
        if (*check && (all || (strlen(check) == length && strncmp(check, name, length) == 0)))
            found |= 1u << i;
    }
    return found;
}

static bool refuse(const char *name, size_t length, struct error *err)
{
    struct buf list = BUF_INIT;
    for (uint32_t i = 0; i < WIRE_FAULT_COUNT; i++) // each name once
        if (*faults[i].check &&
            !(named(faults[i].check, strlen(faults[i].check)) & ((1u << i) - 1)))
            buf_printf(&list, "%s%s", list.length ? ", " : "", faults[i].check);
    error_set(err, ERROR_USAGE, "there is no check '%.*s'; there are: %s", (int)length, name,
              buf_text(&list));
    buf_release(&list);
    return false;
}

static bool read_list(const char *list, uint32_t *out, struct error *err)
{
    *out = 0;
    while (*list) {
        size_t length = strcspn(list, ",");
        uint32_t found = named(list, length);
        if (!found)
            return refuse(list, length, err);
        *out |= found;
        list += length + (list[length] == ',');
    }
    return true;
}

bool faults_choose(const char *more, const char *less, uint32_t *out, struct error *err)
{
    uint32_t added, removed;
    if (!read_list(more, &added, err) || !read_list(less, &removed, err))
        return false;
    *out = added;
    for (uint32_t i = 0; i < WIRE_FAULT_COUNT; i++)
        if (!(faults[i].traits & (WIRE_OFF | WIRE_QUIET)))
            *out |= 1u << i;
    *out &= ~removed;
    return true;
}
