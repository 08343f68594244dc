// SPDX-License-Identifier: Apache-2.0
// Several entries of a compilation database for one file: a library that is built static and
// shared, variants of a product, or the same command twice. A file is tested with one of them:
// the first that can be used, or the one that the user names (FILE:N, or N for all files that
// have so many). Entries are the same when their flags for our clang are; where they are not, a
// note says what is used and how to choose another.
#include "project/project_internal.h"

#include "base/buf.h"
#include "base/tunables.h"
#include <stdlib.h>
#include <string.h>

void entries_init(struct entries *entries)
{
    *entries = (struct entries){0};
    map_init(&entries->by_path);
}

void entries_release(struct entries *entries)
{
    VEC_RELEASE(&entries->all);
    VEC_RELEASE(&entries->files);
    map_release(&entries->by_path);
}

void entries_add(struct entries *entries, struct project *p, const struct project_file *file,
                 const char *output)
{
    uint64_t number;
    size_t index = entries->all.count;
    *VEC_PUSH(&entries->all) = (struct entry){*file, output, 0};
    if (map_get_text(&entries->by_path, file->path, &number)) {
        struct file_entries *of = &entries->files.items[number];
        entries->all.items[of->last].next = index + 1;
        of->last = index;
        of->count++;
        return;
    }
    map_put_text(&entries->by_path, file->path, p->files.count);
    *VEC_PUSH(&p->files) = *file;
    *VEC_PUSH(&entries->files) =
        (struct file_entries){.first = index, .last = index, .count = 1, .used = 1};
}

static const struct entry *entry_of(const struct entries *entries, size_t file, size_t number)
{
    const struct entry *entry = &entries->all.items[entries->files.items[file].first];
    while (--number)
        entry = &entries->all.items[entry->next - 1];
    return entry;
}

static bool is_same(const struct entry *a, const struct entry *b)
{
    const char *const *left = a->file.flags, *const *right = b->file.flags;
    while (*left && *right && strcmp(*left, *right) == 0)
        left++, right++;
    return !*left && !*right;
}

static void use(struct entries *entries, struct project *p, size_t file, size_t number)
{
    entries->files.items[file].used = number;
    p->files.items[file] = entry_of(entries, file, number)->file;
}

// The first without a problem; the problems of those before it are told.
static void use_first(struct entries *entries, struct project *p, size_t file)
{
    size_t count = entries->files.items[file].count, number = 1;
    while (number < count && entry_of(entries, file, number)->file.problem)
        number++;
    if (number == 1 || entry_of(entries, file, number)->file.problem)
        return;
    const struct project_file *first = &entry_of(entries, file, 1)->file;
    *VEC_PUSH(&p->notes) =
        arena_printf(&p->arena, "%s: entry %zu is used, those before it cannot be: %s", first->name,
                     number, first->problem);
    use(entries, p, file, number);
}

// ---- what the user asks for ----

static bool choose_one(struct entries *entries, struct project *p, const char *name, size_t number,
                       struct error *err)
{
    const struct project_file *found = project_find(p, name);
    if (!found)
        return error_set(err, ERROR_USAGE,
                         "--entry %s:%zu: %s is not in %s, or several files end so", name, number,
                         name, p->database);
    size_t file = (size_t)(found - p->files.items), count = entries->files.items[file].count;
    if (number > count)
        return error_set(err, ERROR_USAGE, "--entry %s:%zu: %s has only %zu in %s", name, number,
                         found->name, count, p->database);
    use(entries, p, file, number);
    entries->files.items[file].chosen = true;
    return true;
}

// Of all files that have so many and for which no other is asked.
static bool choose_all(struct entries *entries, struct project *p, size_t number, struct error *err)
{
    size_t most = 0;
    for (size_t i = 0; i < entries->files.count; i++) {
        struct file_entries *of = &entries->files.items[i];
        most = of->count > most ? of->count : most;
        if (of->count < number || of->count < 2 || of->chosen)
            continue;
        use(entries, p, i, number);
        of->chosen = true;
    }
    return number <= most ||
           error_set(err, ERROR_USAGE, "--entry %zu: no file has more than %zu in %s", number, most,
                     p->database);
}

// "FILE:N" or "N"; 0: it is neither.
static size_t number_in(const char *text, const char **colon)
{
    const char *last = strrchr(text, ':'), *digits = last ? last + 1 : text;
    bool good = *digits && strspn(digits, "0123456789") == strlen(digits) && strlen(digits) < 9;
    *colon = last;
    return good && last != text ? strtoul(digits, NULL, 10) : 0;
}

static bool take_choices(struct entries *entries, struct project *p,
                         const struct project_request *request, struct error *err)
{
    for (int named = 1; named >= 0; named--) // what is said of one file counts before N
        for (size_t i = 0; i < request->entry_count; i++) {
            const char *text = request->entries[i], *colon;
            size_t number = number_in(text, &colon);
            if (!number)
                return error_set(err, ERROR_USAGE, "--entry is FILE:N or N, from 1, not '%s'",
                                 text);
            if ((colon != NULL) != named)
                continue;
            if (colon ? !choose_one(entries, p,
                                    arena_strndup(&p->arena, text, (size_t)(colon - text)), number,
                                    err)
                      : !choose_all(entries, p, number, err))
                return false;
        }
    return true;
}

// ---- what is said ----

static bool has(const char *const *flags, const char *flag)
{
    for (; *flags; flags++)
        if (strcmp(*flags, flag) == 0)
            return true;
    return false;
}

// "(-DPIC, .libs/a.o)": what the entry has and the other one has not, and where it goes.
static void describe(const struct entry *entry, const struct entry *other, struct buf *out)
{
    size_t named = 0;
    for (const char *const *flag = entry->file.flags; *flag; flag++) {
        if (has(other->file.flags, *flag) || ++named > PROJECT_FLAGS_NAMED)
            continue;
        buf_printf(out, "%s%s", named > 1 ? " " : "(", *flag);
    }
    if (named > PROJECT_FLAGS_NAMED)
        buf_puts(out, " ...");
    if (entry->output)
        buf_printf(out, "%s%s", named ? ", " : "(", entry->output);
    buf_puts(out, named || entry->output ? ")" : "(without these flags)");
}

// The entry that is used, then those that differ from it and from each other; how many.
static size_t variants(const struct entries *entries, size_t file, size_t *numbers,
                       const struct entry **list)
{
    const struct file_entries *of = &entries->files.items[file];
    const struct entry *entry = entry_of(entries, file, 1);
    size_t count = 1;
    numbers[0] = of->used;
    list[0] = entry_of(entries, file, of->used);
    for (size_t n = 1; n <= of->count; n++) {
        bool known = false;
        for (size_t i = 0; !known && i < count; i++)
            known = is_same(entry, list[i]);
        if (!known) {
            numbers[count] = n;
            list[count++] = entry;
        }
        entry = entry->next ? &entries->all.items[entry->next - 1] : NULL;
    }
    return count;
}

// NULL: there is nothing to choose, or the user has chosen.
static const char *note_on(const struct entries *entries, struct project *p, size_t file)
{
    const struct file_entries *of = &entries->files.items[file];
    const char *name = p->files.items[file].name;
    if (of->chosen || of->count < 2)
        return NULL;
    size_t *numbers = arena_array(&p->arena, size_t, of->count + 1);
    const struct entry **list = arena_array(&p->arena, const struct entry *, of->count + 1);
    size_t count = variants(entries, file, numbers, list);
    if (count < 2)
        return NULL;
    struct buf text = BUF_INIT;
    buf_printf(&text, "%s has %zu entries that differ; entry %zu is used ", name, count, of->used);
    describe(list[0], list[1], &text);
    for (size_t i = 1; i < count && i <= PROJECT_ENTRIES_NAMED; i++) {
        buf_printf(&text, "%s --entry %s:%zu takes ", i > 1 ? "," : ";", name, numbers[i]);
        describe(list[i], list[0], &text);
    }
    if (count > PROJECT_ENTRIES_NAMED + 1)
        buf_puts(&text, " and so on");
    const char *note = arena_strdup(&p->arena, buf_text(&text));
    buf_release(&text);
    return note;
}

static void tell(const struct entries *entries, struct project *p)
{
    VEC(const char *) notes = {0};
    for (size_t i = 0; i < entries->files.count; i++) {
        const char *note = note_on(entries, p, i);
        if (note)
            *VEC_PUSH(&notes) = note;
    }
    for (size_t i = 0; i < notes.count; i++)
        if (i == 0 || notes.count <= PROJECT_FILES_NOTED)
            *VEC_PUSH(&p->notes) = notes.items[i];
        else
            *VEC_PUSH(&p->details) = notes.items[i];
    if (notes.count > PROJECT_FILES_NOTED)
        *VEC_PUSH(&p->notes) = arena_printf(
            &p->arena,
            "so have %zu other files (-v names them); --entry 2 takes the second of each",
            notes.count - 1);
    VEC_RELEASE(&notes);
}

bool entries_choose(struct entries *entries, struct project *p,
                    const struct project_request *request, struct error *err)
{
    for (size_t i = 0; i < entries->files.count; i++)
        use_first(entries, p, i);
    if (!take_choices(entries, p, request, err))
        return false;
    tell(entries, p);
    return true;
}
