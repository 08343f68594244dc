// SPDX-License-Identifier: Apache-2.0
#include "options/options.h"

#include <stddef.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_NUMBER, KIND_TEXT, KIND_FLAG, KIND_LIST };

struct entry {
    enum kind kind;
    const char *name, *argument, *help, *text;
    int64_t value, low, high;
    size_t offset;
};

static const struct entry table[] = {
#define NUMBER(field, name, value, low, high, argument, help)                                      \
    {KIND_NUMBER, name, argument, help, NULL, value, low, high, offsetof(struct options, field)},
#define TEXT(field, name, value, argument, help)                                                   \
    {KIND_TEXT, name, argument, help, value, 0, 0, 0, offsetof(struct options, field)},
#define FLAG(field, name, help)                                                                    \
    {KIND_FLAG, name, NULL, help, NULL, 0, 0, 0, offsetof(struct options, field)},
#define LIST(field, name, argument, help)                                                          \
    {KIND_LIST, name, argument, help, NULL, 0, 0, 0, offsetof(struct options, field)},
#include "options/options.def"
#undef NUMBER
#undef TEXT
#undef FLAG
#undef LIST
};
enum { ENTRY_COUNT = sizeof table / sizeof *table };

static void *field_of(const struct options *options, const struct entry *entry)
{
    return (char *)options + entry->offset;
}

void options_init(struct options *options)
{
    memset(options, 0, sizeof *options);
    for (int i = 0; i < ENTRY_COUNT; i++) {
        if (table[i].kind == KIND_NUMBER)
            *(int64_t *)field_of(options, &table[i]) = table[i].value;
        else if (table[i].kind == KIND_TEXT)
            *(const char **)field_of(options, &table[i]) = table[i].text;
    }
}

static int set_value(struct options *options, const struct entry *entry, const char *value,
                     struct error *err)
{
    if (entry->kind == KIND_TEXT) {
        *(const char **)field_of(options, entry) = value;
        return 1;
    }
    if (entry->kind == KIND_LIST) {
        struct options_list *list = field_of(options, entry);
        if (list->count == OPTIONS_LIST_MOST)
            return error_set(err, ERROR_USAGE, "--%s may be given %d times at most", entry->name,
                             OPTIONS_LIST_MOST),
                   -1;
        list->items[list->count++] = value;
        return 1;
    }
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 0);
    if (end == value || *end || errno || number < entry->low || number > entry->high) {
        error_set(err, ERROR_USAGE, "--%s takes a whole number from %lld to %lld, not '%s'",
                  entry->name, (long long)entry->low, (long long)entry->high, value);
        return -1;
    }
    *(int64_t *)field_of(options, entry) = number;
    if (entry->offset == offsetof(struct options, seconds))
        options->seconds_given = true;
    return 1;
}

int options_take(struct options *options, int argc, char **argv, int *index, struct error *err)
{
    const char *word = argv[*index];
    if (strncmp(word, "--", 2) != 0)
        return 0;
    size_t length = strcspn(word + 2, "=");
    const char *value = word[2 + length] == '=' ? word + 3 + length : NULL;
    for (int i = 0; i < ENTRY_COUNT; i++) {
        const struct entry *entry = &table[i];
        if (strlen(entry->name) != length || strncmp(entry->name, word + 2, length) != 0)
            continue;
        if (entry->kind == KIND_FLAG) {
            if (value)
                return error_set(err, ERROR_USAGE, "--%s takes no value", entry->name), -1;
            *(bool *)field_of(options, entry) = true;
            return 1;
        }
        if (!value && *index + 1 >= argc)
            return error_set(err, ERROR_USAGE, "--%s needs a value", entry->name), -1;
        return set_value(options, entry, value ? value : argv[++*index], err);
    }
    return 0;
}

void options_describe(struct buf *out)
{
    for (int i = 0; i < ENTRY_COUNT; i++) {
        struct buf left = BUF_INIT;
        buf_printf(&left, "--%s%s%s", table[i].name, table[i].argument ? " " : "",
                   table[i].argument ? table[i].argument : "");
        buf_printf(out, "  %-22s %s", left.data, table[i].help);
        if (table[i].kind == KIND_NUMBER)
            buf_printf(out, " (default %lld)", (long long)table[i].value);
        else if (table[i].kind == KIND_TEXT && *table[i].text)
            buf_printf(out, " (default %s)", table[i].text);
        buf_putc(out, '\n');
        buf_release(&left);
    }
}

static void list_text(const struct options_list *list, const char *name, struct buf *out)
{
    for (size_t i = 0; i < list->count; i++)
        buf_printf(out, "%s--%s %s", out->length ? " " : "", name, list->items[i]);
}

void options_text(const struct options *options, struct buf *out)
{
    for (int i = 0; i < ENTRY_COUNT; i++) {
        const struct entry *entry = &table[i];
        const char *space = out->length ? " " : "";
        if (entry->kind == KIND_NUMBER)
            buf_printf(out, "%s--%s %lld", space, entry->name,
                       (long long)*(int64_t *)field_of(options, entry));
        else if (entry->kind == KIND_TEXT && **(const char **)field_of(options, entry))
            buf_printf(out, "%s--%s %s", space, entry->name,
                       *(const char **)field_of(options, entry));
        else if (entry->kind == KIND_LIST)
            list_text(field_of(options, entry), entry->name, out);
        else if (entry->kind == KIND_FLAG && *(bool *)field_of(options, entry))
            buf_printf(out, "%s--%s", space, entry->name);
    }
}

bool options_check(const struct options *options, struct error *err)
{
    const char *model = options->data_model, *stubs = options->stubs;
    if (strcmp(model, "auto") && strcmp(model, "lp64") && strcmp(model, "ilp32"))
        return error_set(err, ERROR_USAGE, "--data-model is auto, lp64 or ilp32, not '%s'", model);
    if (strcmp(stubs, "precise") && strcmp(stubs, "baseline"))
        return error_set(err, ERROR_USAGE, "--stubs is precise or baseline, not '%s'", stubs);
    return true;
}
