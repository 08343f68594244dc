// SPDX-License-Identifier: Apache-2.0
#include "options/options.h"

#include "base/tunables.h"
#include <stddef.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_NUMBER, KIND_TEXT, KIND_CHOICE, KIND_CHOSEN, KIND_FLAG, KIND_LIST };

struct entry {
    enum kind kind;
    const char *name, *argument, *help, *text;
    int64_t value, low, high;
    size_t offset;
    const char *const *words; // KIND_CHOICE, KIND_CHOSEN: by their numbers, NULL behind the last
};

// clang-format off
#define VALUE(set, value, word) word,
#define BEGIN(set)              static const char *const words_of_##set[] = {
#define END(set)                NULL };
// clang-format on
#include "options/choices.def"
#undef END
#undef BEGIN
#undef VALUE

static const struct entry table[] = {
#define NUMBER(field, name, value, low, high, argument, help)                                      \
    {KIND_NUMBER, name, argument, help, NULL, value, low, high, offsetof(struct options, field),   \
     NULL},
#define TEXT(field, name, value, argument, help)                                                   \
    {KIND_TEXT, name, argument, help, value, 0, 0, 0, offsetof(struct options, field), NULL},
#define CHOICE(field, name, set, value, argument, help)                                            \
    {KIND_CHOICE,   name, argument, help, NULL, value, 0, 0, offsetof(struct options, field),      \
     words_of_##set},
#define CHOSEN(field, name, set, argument, help)                                                   \
    {KIND_CHOSEN,   name, argument, help, NULL, 0, 0, 0, offsetof(struct options, field),          \
     words_of_##set},
#define FLAG(field, name, help)                                                                    \
    {KIND_FLAG, name, NULL, help, NULL, 0, 0, 0, offsetof(struct options, field), NULL},
#define LIST(field, name, argument, help)                                                          \
    {KIND_LIST, name, argument, help, NULL, 0, 0, 0, offsetof(struct options, field), NULL},
#include "options/options.def"
#undef NUMBER
#undef TEXT
#undef CHOICE
#undef CHOSEN
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
        else if (table[i].kind == KIND_CHOICE)
            *(unsigned *)field_of(options, &table[i]) = (unsigned)table[i].value;
    }
}

// "task, function or extended"
static void list_words(const struct entry *entry, const char *before_last, struct buf *out)
{
    for (size_t i = 0; entry->words[i]; i++)
        buf_printf(out, "%s%s",
                   !i                    ? ""
                   : entry->words[i + 1] ? ", "
                                         : before_last,
                   entry->words[i]);
}

// "--unit is task, function or extended, not 'x'"
static int refuse_choice(const struct entry *entry, const char *value, size_t length,
                         struct error *err)
{
    struct buf list = BUF_INIT;
    list_words(entry, " or ", &list);
    error_set(err, ERROR_USAGE, "--%s is %s, not '%.*s'", entry->name, buf_text(&list), (int)length,
              value);
    buf_release(&list);
    return -1;
}

// The number of the word that these characters are, or -1.
static int word_number(const struct entry *entry, const char *word, size_t length)
{
    for (int i = 0; entry->words[i]; i++)
        if (strlen(entry->words[i]) == length && !strncmp(entry->words[i], word, length))
            return i;
    return -1;
}

static int set_choice(struct options *options, const struct entry *entry, const char *value,
                      struct error *err)
{
    int number = word_number(entry, value, strlen(value));
    if (number < 0)
        return refuse_choice(entry, value, strlen(value), err);
    *(unsigned *)field_of(options, entry) = (unsigned)number; // our enums are never negative
    return 1;
}

// Words separated by commas; none for an empty value.
static int set_chosen(struct options *options, const struct entry *entry, const char *value,
                      struct error *err)
{
    unsigned chosen = 0;
    for (const char *word = value; *word;) {
        size_t length = strcspn(word, ",");
        int number = word_number(entry, word, length);
        if (number < 0)
            return refuse_choice(entry, word, length, err);
        chosen |= 1u << number;
        word += length + (word[length] == ',');
    }
    *(unsigned *)field_of(options, entry) = chosen;
    return 1;
}

static const char *choice_word(const struct options *options, const struct entry *entry)
{
    return entry->words[*(unsigned *)field_of(options, entry)];
}

static int set_value(struct options *options, const struct entry *entry, const char *value,
                     struct error *err)
{
    if (entry->kind == KIND_TEXT) {
        *(const char **)field_of(options, entry) = value;
        return 1;
    }
    if (entry->kind == KIND_CHOICE)
        return set_choice(options, entry, value, err);
    if (entry->kind == KIND_CHOSEN)
        return set_chosen(options, entry, value, err);
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

static void describe_default(const struct entry *entry, struct buf *out)
{
    if (entry->kind == KIND_NUMBER)
        buf_printf(out, " (default %lld)", (long long)entry->value);
    else if (entry->kind == KIND_TEXT && *entry->text)
        buf_printf(out, " (default %s)", entry->text);
    else if (entry->kind == KIND_CHOICE)
        buf_printf(out, " (default %s)", entry->words[entry->value]);
}

static bool lists_words(const struct entry *entry)
{
    return entry->words && entry->help[strlen(entry->help) - 1] == ':';
}

void options_describe(struct buf *out)
{
    for (int i = 0; i < ENTRY_COUNT; i++) {
        struct buf left = BUF_INIT;
        buf_printf(&left, "--%s%s%s", table[i].name, table[i].argument ? " " : "",
                   table[i].argument ? table[i].argument : "");
        buf_printf(out, "  %-22s %s", left.data, table[i].help);
        if (lists_words(&table[i])) {
            buf_putc(out, ' ');
            list_words(&table[i], ", ", out);
        }
        describe_default(&table[i], out);
        buf_putc(out, '\n');
        buf_release(&left);
    }
}

static void list_text(const struct options_list *list, const char *name, struct buf *out)
{
    for (size_t i = 0; i < list->count; i++)
        buf_printf(out, "%s--%s %s", out->length ? " " : "", name, list->items[i]);
}

static void chosen_text(unsigned chosen, const struct entry *entry, struct buf *out)
{
    const char *space = out->length ? " " : "", *comma = "";
    if (chosen)
        buf_printf(out, "%s--%s ", space, entry->name);
    for (unsigned i = 0; entry->words[i]; i++) {
        if (!options_chose(chosen, i))
            continue;
        buf_printf(out, "%s%s", comma, entry->words[i]);
        comma = ",";
    }
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
        else if (entry->kind == KIND_CHOICE)
            buf_printf(out, "%s--%s %s", space, entry->name, choice_word(options, entry));
        else if (entry->kind == KIND_CHOSEN)
            chosen_text(*(unsigned *)field_of(options, entry), entry, out);
        else if (entry->kind == KIND_LIST)
            list_text(field_of(options, entry), entry->name, out);
        else if (entry->kind == KIND_FLAG && *(bool *)field_of(options, entry))
            buf_printf(out, "%s--%s", space, entry->name);
    }
}

// ---- as a record ----

static bool is_list_possible(const void *object, const void *context)
{
    (void)context;
    return ((const struct options_list *)object)->count <= OPTIONS_LIST_MOST;
}

static const struct record_field list_fields[] = {
    RECORD_TEXTS(struct options_list, items),
    RECORD_NUMBER(struct options_list, count),
    RECORD_END,
};
static const struct record_type list_record = RECORD_TYPE_WITH_CHECK(
    "list of an option", 'i', 1, struct options_list, list_fields, is_list_possible);

static const struct record_field option_fields[] = {
#define NUMBER(field, name, value, low, high, argument, help) RECORD_SIGNED(struct options, field),
#define TEXT(field, name, value, argument, help)              RECORD_TEXT(struct options, field),
#define CHOICE(field, name, set, value, argument, help)                                            \
    RECORD_ENUM(struct options, field, OPTION_COUNT_##set),
#define CHOSEN(field, name, set, argument, help)                                                   \
    RECORD_ENUM(struct options, field, 1 << OPTION_COUNT_##set),
#define FLAG(field, name, help)           RECORD_BOOL(struct options, field),
#define LIST(field, name, argument, help) RECORD_STRUCT(struct options, field, &list_record),
#include "options/options.def"
#undef NUMBER
#undef TEXT
#undef CHOICE
#undef CHOSEN
#undef FLAG
#undef LIST
    RECORD_BOOL(struct options, seconds_given),
    RECORD_END,
};
const struct record_type options_record =
    RECORD_TYPE("set of options", 'o', 1, struct options, option_fields);
