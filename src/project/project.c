// SPDX-License-Identifier: Apache-2.0
// Reading compile_commands.json: both forms of a command, response files, several
// entries for one file.
#include "project/project.h"

#include "base/buf.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/map.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void project_split(const char *command, struct arena *arena, const char ***words, size_t *count)
{
    VEC(const char *) list = {0};
    struct buf word = BUF_INIT;
    bool inside = false;
    char quote = 0;
    for (const char *at = command; *at; at++) {
        if (!quote && isspace((unsigned char)*at)) {
            if (inside)
                *VEC_PUSH(&list) = arena_strdup(arena, buf_text(&word));
            buf_clear(&word);
            inside = false;
            continue;
        }
        inside = true;
        bool escapes = *at == '\\' && at[1] && quote != '\'' &&
                       (!quote || strchr("\"\\$`", at[1]));
        if (escapes)
            buf_putc(&word, *++at);
        else if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
        else
            buf_putc(&word, *at);
    }
    if (inside)
        *VEC_PUSH(&list) = arena_strdup(arena, buf_text(&word));
    buf_release(&word);
    *count = list.count;
    *words = arena_array(arena, const char *, list.count + 1);
    if (list.count)
        memcpy(*words, list.items, list.count * sizeof *list.items);
    VEC_RELEASE(&list);
}

typedef VEC(const char *) word_list;

// Words of a command with @files replaced by their contents, a few levels deep.
static void expand(struct project *p, const char *const *words, size_t count, const char *directory,
                   unsigned depth, word_list *out)
{
    for (size_t i = 0; i < count; i++) {
        struct buf text = BUF_INIT;
        const char *name = words[i][0] != '@' ? NULL
                           : words[i][1] == '/'
                               ? words[i] + 1
                               : arena_printf(&p->arena, "%s/%s", directory, words[i] + 1);
        if (!name || depth == 0 || !fs_read(name, &text, NULL)) {
            *VEC_PUSH(out) = words[i];
        } else {
            const char **inner;
            size_t inner_count;
            project_split(buf_text(&text), &p->arena, &inner, &inner_count);
            expand(p, inner, inner_count, directory, depth - 1, out);
        }
        buf_release(&text);
    }
}

static bool is_c(const char *path, const char *const *words, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++)
        if (strcmp(words[i], "-x") == 0)
            return strcmp(words[i + 1], "c") == 0;
    size_t length = strlen(path);
    return length > 2 && strcmp(path + length - 2, ".c") == 0;
}

static const char *text_of(const struct json *entry, const char *key)
{
    const struct json *member = json_member(entry, key);
    return member && member->kind == JSON_STRING ? member->text : NULL;
}

static bool words_of(struct project *p, const struct json *entry, const char *directory,
                     word_list *out)
{
    const struct json *arguments = json_member(entry, "arguments");
    const char *command = text_of(entry, "command");
    const char **words;
    size_t count = 0;
    if (arguments && arguments->kind == JSON_ARRAY) {
        words = arena_array(&p->arena, const char *, arguments->count + 1);
        for (size_t i = 0; i < arguments->count; i++)
            if (arguments->items[i]->kind == JSON_STRING)
                words[count++] = arguments->items[i]->text;
    } else if (command) {
        project_split(command, &p->arena, &words, &count);
    } else {
        return false;
    }
    expand(p, words, count, directory, 4, out);
    return true;
}

static const char *name_below(const struct project *p, const char *path)
{
    size_t length = strlen(p->root);
    return strncmp(path, p->root, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

static void add_entry(struct project *p, const struct json *entry, struct map *seen, size_t number)
{
    const char *given = text_of(entry, "directory"), *file = text_of(entry, "file");
    word_list words = {0};
    // A relative directory is relative to the database, so that one can be committed.
    const char *directory = !given             ? p->root
                            : given[0] == '/' ? given
                                              : arena_printf(&p->arena, "%s/%s", p->root, given);
    if (!file || !words_of(p, entry, directory, &words)) {
        *VEC_PUSH(&p->notes) = arena_printf(&p->arena, "entry %zu has no file or no command", number);
        VEC_RELEASE(&words);
        return;
    }
    const char *path = file[0] == '/' ? file : arena_printf(&p->arena, "%s/%s", directory, file);
    char *real = fs_absolute(path);
    path = real ? arena_strdup(&p->arena, real) : path;
    free(real);
    if (!is_c(path, words.items, words.count)) {
        *VEC_PUSH(&p->notes) = arena_printf(&p->arena, "%s is not C: left out", file);
    } else if (map_get_text(seen, path, NULL)) {
        *VEC_PUSH(&p->notes) = arena_printf(
            &p->arena, "%s is compiled several times; the first command is used", name_below(p, path));
    } else {
        struct project_file made = {.path = path, .name = name_below(p, path)};
        made.flags =
            project_flags(words.items, words.count, directory, p->model, &p->arena, &made.note);
        *VEC_PUSH(&p->files) = made;
        map_put_text(seen, path, 1);
    }
    VEC_RELEASE(&words);
}

static bool read_database(const char *path, struct project *p, struct error *err)
{
    struct buf text = BUF_INIT;
    const struct json *list = NULL;
    if (fs_read(path, &text, err))
        list = json_parse(&p->arena, buf_text(&text), text.length, err);
    buf_release(&text);
    if (!list)
        return error_context(err, "reading %s", path);
    if (list->kind != JSON_ARRAY)
        return error_set(err, ERROR_IO, "%s is no compilation database: a list is expected", path);
    struct map seen;
    map_init(&seen);
    for (size_t i = 0; i < list->count; i++)
        add_entry(p, list->items[i], &seen, i);
    map_release(&seen);
    return p->files.count || error_set(err, ERROR_IO, "%s lists no C file", path);
}

bool project_load(const char *path, const char *model, struct project *p, struct error *err)
{
    *p = (struct project){.model = model};
    arena_init(&p->arena);
    const char *database =
        fs_is_dir(path) ? arena_printf(&p->arena, "%s/compile_commands.json", path) : path;
    char *real = fs_absolute(database);
    if (!real)
        return error_errno(err, "cannot read %s", database);
    const char *copy = arena_strdup(&p->arena, real);
    free(real);
    p->root = arena_strndup(&p->arena, copy, (size_t)(fs_basename(copy) - copy) - 1);
    return read_database(copy, p, err);
}

void project_release(struct project *p)
{
    VEC_RELEASE(&p->files);
    VEC_RELEASE(&p->notes);
    arena_release(&p->arena);
    *p = (struct project){0};
}

static bool ends_with(const char *path, const char *name)
{
    size_t length = strlen(path), tail = strlen(name);
    return length > tail && strcmp(path + length - tail, name) == 0 &&
           path[length - tail - 1] == '/';
}

const struct project_file *project_find(const struct project *p, const char *name)
{
    char *real = fs_absolute(name);
    const struct project_file *found = NULL;
    size_t matches = 0;
    for (size_t i = 0; i < p->files.count; i++) {
        const struct project_file *file = &p->files.items[i];
        if ((real && strcmp(file->path, real) == 0) || strcmp(file->name, name) == 0) {
            free(real);
            return file;
        }
        if (ends_with(file->path, name)) {
            found = file;
            matches++;
        }
    }
    free(real);
    return matches == 1 ? found : NULL;
}
