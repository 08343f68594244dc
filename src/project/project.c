// SPDX-License-Identifier: Apache-2.0
// Reading compile_commands.json: both forms of a command, response files, what an entry
// refers to and is not there. Several entries for one file: entries.c.
#include "project/project_internal.h"

#include "base/buf.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/tunables.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool project_split(const char *command, struct arena *arena, const char ***words, size_t *count)
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
        bool escapes = *at == '\\' && at[1] && quote != '\'' && (!quote || strchr("\"\\$`", at[1]));
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
    return !quote;
}

typedef VEC(const char *) word_list;

struct expansion {
    struct arena *arena;
    const char *directory;
    word_list out;
    const char *missing; // the first response file that cannot be read, or NULL
};

// Words of a command with @files replaced by their contents, a few levels deep.
static void expand(struct expansion *x, const char *const *words, size_t count, unsigned depth)
{
    for (size_t i = 0; i < count && !x->missing; i++) {
        struct buf text = BUF_INIT;
        const char *name = words[i][0] != '@' ? NULL
                           : words[i][1] == '/'
                               ? words[i] + 1
                               : arena_printf(x->arena, "%s/%s", x->directory, words[i] + 1);
        if (!name) {
            *VEC_PUSH(&x->out) = words[i];
        } else if (depth && fs_read(name, &text, NULL)) {
            const char **inner;
            size_t inner_count;
            if (!project_split(buf_text(&text), x->arena, &inner, &inner_count))
                x->missing =
                    arena_printf(x->arena, "a quote in the response file %s is not closed", name);
            expand(x, inner, inner_count, depth - 1);
        } else {
            x->missing = depth ? arena_printf(x->arena, "the response file %s cannot be read", name)
                               : "its response files refer to each other without end";
        }
        buf_release(&text);
    }
}

bool project_given_flags(const char *const *words, size_t count, enum project_width width,
                         struct arena *arena, struct project_flags *out, struct error *err)
{
    char *here = fs_absolute(".");
    struct expansion x = {.arena = arena, .directory = arena_strdup(arena, here ? here : ".")};
    free(here);
    expand(&x, words, count, PROJECT_RESPONSE_FILES);
    project_translate(x.out.items, x.out.count, false, x.directory, width, arena, out);
    VEC_RELEASE(&x.out);
    return !x.missing || error_set(err, ERROR_USAGE, "flags after --: %s", x.missing);
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

static const char *kind_word(const struct json *value)
{
    static const char *const words[] = {"null",     "a truth value", "a number",
                                        "a string", "a list",        "an object"};
    return words[value->kind];
}

// A member that must be a string if it is there; what is wrong with it, or NULL.
static const char *check_text(const struct json *entry, const char *key, struct arena *arena)
{
    const struct json *member = json_member(entry, key);
    if (!member)
        return NULL;
    if (member->kind != JSON_STRING)
        return arena_printf(arena, "\"%s\" is %s, not a string", key, kind_word(member));
    return *member->text ? NULL : arena_printf(arena, "\"%s\" is empty", key);
}

// The words of "arguments"; what is wrong with them, or NULL.
static const char *take_arguments(const struct json *list, struct arena *arena, const char ***words)
{
    if (list->kind != JSON_ARRAY)
        return arena_printf(arena, "\"arguments\" is %s, not a list of strings", kind_word(list));
    if (!list->count)
        return "\"arguments\" is empty";
    *words = arena_array(arena, const char *, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i]->kind != JSON_STRING)
            return arena_printf(arena, "word %zu of \"arguments\" is %s, not a string", i + 1,
                                kind_word(list->items[i]));
        (*words)[i] = list->items[i]->text;
    }
    return NULL;
}

// The command of an entry as words; what is wrong with it, or NULL.
static const char *words_of(const struct json *entry, struct expansion *x)
{
    const struct json *arguments = json_member(entry, "arguments");
    const char *problem = arguments ? NULL : check_text(entry, "command", x->arena);
    const char *command = text_of(entry, "command");
    const char **words = NULL;
    size_t count = 0;
    if (problem)
        return problem;
    if (arguments) {
        problem = take_arguments(arguments, x->arena, &words);
        count = problem ? 0 : arguments->count;
    } else if (!command) {
        return "it has neither \"arguments\" nor \"command\"";
    } else if (!project_split(command, x->arena, &words, &count)) {
        return "a quote in \"command\" is not closed";
    } else if (!count) {
        return "\"command\" is empty";
    }
    if (!problem)
        expand(x, words, count, PROJECT_RESPONSE_FILES);
    return problem;
}

static const char *name_below(const struct project *p, const char *path)
{
    size_t length = strlen(p->root);
    return strncmp(path, p->root, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

static void note_once(struct project *p, const char *text)
{
    for (size_t i = 0; i < p->notes.count; i++)
        if (strcmp(p->notes.items[i], text) == 0)
            return;
    *VEC_PUSH(&p->notes) = text;
}

// What comes of an entry that refers to what is not there: without its response file the flags
// are unknown, without its directory perhaps only some paths lead nowhere.
static void check_entry(struct project *p, const struct expansion *x, struct project_file *file)
{
    bool there = fs_is_dir(x->directory);
    if (x->missing)
        file->problem = arena_printf(&p->arena,
                                     "%s, so its flags are not known: build the project and keep "
                                     "such files (ninja -d keeprsp), "
                                     "or write %s without them",
                                     x->missing, p->database);
    else if (!there && !fs_exists(file->path))
        file->problem =
            arena_printf(&p->arena,
                         "the directory %s of its entry in %s does not exist: build the "
                         "project there, or write the database anew",
                         x->directory, p->database);
    else if (!there)
        note_once(p,
                  arena_printf(&p->arena,
                               "the directory %s of entries in %s does not exist, relative paths "
                               "in their flags lead nowhere; write the database anew if headers "
                               "are missing",
                               x->directory, p->database));
}

static const char *output_of(const struct json *entry, const word_list *words)
{
    const char *output = text_of(entry, "output");
    for (size_t i = 0; !output && i + 1 < words->count; i++)
        if (strcmp(words->items[i], "-o") == 0)
            output = words->items[i + 1];
    return output;
}

static const char *path_of(struct project *p, const char *directory, const char *file)
{
    const char *path = file[0] == '/' ? file : arena_printf(&p->arena, "%s/%s", directory, file);
    char *real = fs_absolute(path);
    path = real ? arena_strdup(&p->arena, real) : path;
    free(real);
    return path;
}

static void leave_out(struct project *p, size_t number, const char *problem)
{
    *VEC_PUSH(&p->notes) = arena_printf(&p->arena, "entry %zu of %s is left out: %s", number + 1,
                                        p->database, problem);
}

// A file whose entry says nothing usable of how it is compiled: it is counted and fails.
static const char *broken(struct project *p, size_t number, const char *problem)
{
    return arena_printf(&p->arena,
                        "its entry (number %zu of %s) cannot be used: %s; mend it or write the "
                        "database anew",
                        number + 1, p->database, problem);
}

static void add_entry(struct project *p, struct entries *entries, const struct json *json,
                      size_t number)
{
    const char *wrong = json->kind != JSON_OBJECT
                            ? arena_printf(&p->arena, "it is %s, not an object", kind_word(json))
                            : check_text(json, "file", &p->arena);
    const char *given = text_of(json, "directory"), *file = text_of(json, "file");
    if (wrong || !file) {
        leave_out(p, number, wrong ? wrong : "it has no \"file\"");
        return;
    }
    // A relative directory is relative to the database, so that one can be committed.
    const char *directory = !given || !*given ? p->root
                            : given[0] == '/' ? given
                                              : arena_printf(&p->arena, "%s/%s", p->root, given);
    struct expansion x = {.arena = &p->arena, .directory = directory};
    const char *problem = check_text(json, "directory", &p->arena);
    if (!problem)
        problem = words_of(json, &x);
    const char *path = path_of(p, directory, file);
    if (!is_c(path, x.out.items, x.out.count)) {
        *VEC_PUSH(&p->notes) = arena_printf(&p->arena, "%s is not C: left out", file);
    } else {
        struct project_file made = {.path = path, .name = name_below(p, path)};
        if (problem)
            made.problem = broken(p, number, problem);
        else
            check_entry(p, &x, &made);
        project_translate(x.out.items, x.out.count, true, directory, p->width, &p->arena,
                          &made.how);
        made.flags = made.how.flags;
        entries_add(entries, p, &made, output_of(json, &x.out));
    }
    VEC_RELEASE(&x.out);
}

static bool no_files(const struct project *p, size_t entries, struct error *err)
{
    if (!entries)
        return error_set(err, ERROR_IO,
                         "%s is an empty list; write it anew, e.g. with cmake "
                         "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON or bear",
                         p->database);
    return error_set(err, ERROR_IO, "%s lists no C file%s%s", p->database,
                     p->notes.count ? ": " : "", p->notes.count ? p->notes.items[0] : "");
}

static bool take_entries(struct project *p, const struct project_request *request, const char *text,
                         size_t length, struct error *err)
{
    const struct json *list = json_parse(&p->arena, text, length, err);
    if (!list)
        return error_context(err, "reading the compilation database %s", p->database);
    if (list->kind != JSON_ARRAY)
        return error_set(
            err, ERROR_IO,
            "%s is no compilation database: it is %s, and a list of entries is expected",
            p->database, kind_word(list));
    struct entries entries;
    entries_init(&entries);
    for (size_t i = 0; i < list->count; i++)
        add_entry(p, &entries, list->items[i], i);
    bool good =
        p->files.count ? entries_choose(&entries, p, request, err) : no_files(p, list->count, err);
    entries_release(&entries);
    return good;
}

static void name_database(struct project *p, const char *path)
{
    p->database = arena_strdup(&p->arena, path);
    p->root =
        arena_strndup(&p->arena, p->database, (size_t)(fs_basename(p->database) - p->database) - 1);
}

bool project_read(const struct project_request *request, const char *text, size_t length,
                  struct project *p, struct error *err)
{
    *p = (struct project){.width = request->width};
    arena_init(&p->arena);
    name_database(p, request->path);
    return take_entries(p, request, text, length, err);
}

bool project_load(const struct project_request *request, struct project *p, struct error *err)
{
    const char *path = request->path;
    *p = (struct project){.width = request->width};
    arena_init(&p->arena);
    const char *database =
        fs_is_dir(path) ? arena_printf(&p->arena, "%s/compile_commands.json", path) : path;
    char *real = fs_absolute(database);
    if (!real)
        return error_errno(err, "cannot read the compilation database %s", database);
    name_database(p, real);
    free(real);
    struct buf text = BUF_INIT;
    bool good = fs_read(p->database, &text, err) &&
                take_entries(p, request, buf_text(&text), text.length, err);
    buf_release(&text);
    return good;
}

void project_release(struct project *p)
{
    VEC_RELEASE(&p->files);
    VEC_RELEASE(&p->notes);
    VEC_RELEASE(&p->details);
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
