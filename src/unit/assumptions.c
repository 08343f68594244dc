// SPDX-License-Identifier: Apache-2.0
// From the lines of cadenza.pre to what the driver assumes; see assume.h.
#include "unit/assumptions.h"

#include "unit/nearest_file.h"
#include "base/fs.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct function *entry_of(const struct program *program, size_t task)
{
    size_t entry = program->tasks[task].entry;
    return entry < program->function_count ? &program->functions[entry] : NULL;
}

// Is it about a task of this unit?
static bool is_wanted(const struct unit *unit, const struct precondition *pre)
{
    const struct program *program = &unit->program;
    for (size_t t = 0; pre->state == PRE_CONFIRMED && t < program->task_count; t++) {
        const struct function *entry = entry_of(program, t);
        const char *file = entry && entry->at.file ? entry->at.file : program->source;
        if (entry && pre_applies(pre, entry->source_name, file))
            return true;
    }
    return false;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool defines(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->function_count; i++)
        if (!strcmp(program->functions[i].name, name))
            return true;
    return false;
}

// count(p) is how many elements there are behind p: a word of ours, unless the program has
// a function of that name.
static const char *with_our_words(const struct program *program, const char *text,
                                  struct arena *arena)
{
    static const char word[] = "count";
    const size_t length = sizeof word - 1;
    struct buf out = BUF_INIT;
    bool ours = !defines(program, word);
    for (const char *at = text; *at; at++) {
        bool begins = at == text || (!is_word(at[-1]) && at[-1] != '.' && at[-1] != '>');
        if (ours && begins && !strncmp(at, word, length) &&
            at[length + strspn(at + length, " ")] == '(')
            buf_puts(&out, "cz_");
        buf_putc(&out, *at);
    }
    const char *copy = arena_strdup(arena, buf_text(&out));
    buf_release(&out);
    return copy;
}

static bool expand(const struct unit_request *request, struct unit *unit, struct error *err)
{
    size_t count = unit->assumption_count;
    const struct unit_text *first = unit->texts[0];
    struct frontend_request source = {
        .source = first->file.source, .flags = first->file.flags, .clang = unit->clang};
    const char **texts = arena_array(&unit->arena, const char *, count);
    const char **expanded = arena_array(&unit->arena, const char *, count);
    const char *path = arena_printf(&unit->arena, "%s/preconditions.c", unit->directory);
    (void)request;
    for (size_t i = 0; i < count; i++)
        texts[i] = unit->assumptions[i].text;
    if (!frontend_expand(&source, texts, count, path, &unit->arena, expanded, err))
        return error_context(err, "reading preconditions");
    for (size_t i = 0; i < count; i++)
        unit->assumptions[i].text = with_our_words(&unit->program, expanded[i], &unit->arena);
    return true;
}

bool assumptions_collect(const struct unit_request *request, struct unit *unit, struct error *err)
{
    const struct pre_list *list = request->preconditions;
    size_t room = (list ? list->items.count : 0) + request->probe_count;
    unit->assumptions = arena_array(&unit->arena, struct harness_assumption, room + 1);
    unit->assumption_words = arena_array(&unit->arena, const char *, room + 1);
    for (size_t i = 0; list && i < list->items.count; i++) {
        const struct precondition *pre = &list->items.items[i];
        if (!is_wanted(unit, pre))
            continue;
        unit->assumption_words[unit->assumption_count] = pre->expression;
        unit->assumptions[unit->assumption_count++] = (struct harness_assumption){
            pre->function, pre->expression,
            arena_printf(&unit->arena, "%s:%u", fs_basename(list->path), pre->line), -1};
    }
    for (size_t i = 0; i < request->probe_count; i++) {
        unit->assumption_words[unit->assumption_count] = request->probes[i].text;
        unit->assumptions[unit->assumption_count++] = request->probes[i];
    }
    return !unit->assumption_count || expand(request, unit, err);
}

// ---- errors ----

static const char *line_of(const char *text, unsigned long number)
{
    while (text && --number > 0) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    return text;
}

// "engine.c:120:9: error: words" -> the line of the file, and the words.
static bool take_message(const char *at, unsigned long *line, const char **words, size_t *length)
{
    const char *colon = strchr(at, ':');
    const char *error = strstr(at, ": error: ");
    const char *end = at + strcspn(at, "\n");
    if (!colon || !error || error > end)
        return false;
    *line = strtoul(colon + 1, NULL, 10);
    *words = error + strlen(": error: ");
    *length = (size_t)(end - *words);
    return *line > 0;
}

static const struct harness_assumption *blamed(const struct unit *unit, const char *line)
{
    size_t length = strcspn(line, "\n");
    for (size_t i = 0; i < unit->assumption_count; i++) {
        struct buf mark = BUF_INIT;
        buf_printf(&mark, "/* %s */", unit->assumptions[i].place);
        const char *found = strstr(line, mark.data);
        buf_release(&mark);
        if (found && found < line + length)
            return &unit->assumptions[i];
    }
    return NULL;
}

static void list_parameters(const struct unit *unit, const char *name, struct buf *out)
{
    const struct program *program = &unit->program;
    for (size_t i = 0; i < program->function_count; i++) {
        const struct function *function = &program->functions[i];
        if (!function->defined || strcmp(function->source_name, name) != 0)
            continue;
        for (size_t k = 0; k < function->param_count; k++)
            buf_printf(out, "%s%s", k ? ", " : "", function->params[k].name);
        return;
    }
}

bool assumptions_explain(const struct unit *unit, size_t text, const char *messages,
                         struct error *err)
{
    struct buf source = BUF_INIT;
    bool explained = false;
    fs_read(unit->texts[text]->engine, &source, NULL);
    while (*messages && !explained) {
        unsigned long number;
        const char *words;
        size_t length;
        const char *line = take_message(messages, &number, &words, &length)
                               ? line_of(buf_text(&source), number)
                               : NULL;
        const struct harness_assumption *a = line ? blamed(unit, line) : NULL;
        if (a) {
            struct buf names = BUF_INIT;
            list_parameters(unit, a->function, &names);
            error_set(err, ERROR_USAGE,
                      "%s: precondition of %s: %.*s; write C over its parameters (%s), their "
                      "fields, variables and constants of its file, or count(p)",
                      a->place, a->function, (int)length, words,
                      names.length ? names.data : "none");
            buf_release(&names);
            explained = true;
        }
        messages += strcspn(messages, "\n");
        messages += *messages == '\n';
    }
    buf_release(&source);
    return explained;
}

// ---- for reports ----

const char *assumptions_text(struct unit *unit, size_t task)
{
    struct buf text = BUF_INIT;
    const struct function *entry = entry_of(&unit->program, task);
    for (size_t i = 0; entry && i < unit->assumption_count; i++)
        if (unit->assumptions[i].probe < 0 &&
            !strcmp(unit->assumptions[i].function, entry->source_name))
            buf_printf(&text, "%s%s", text.length ? ", " : "", unit->assumption_words[i]);
    for (size_t i = 0; i < unit->program.function_count; i++)
        if (!strcmp(unit->program.functions[i].name, "cz_assume_") &&
            unit->program.functions[i].at.file)
            buf_printf(&text, "%scz_assume() in the code", text.length ? ", " : "");
    const char *copy = arena_strdup(&unit->arena, buf_text(&text));
    buf_release(&text);
    return copy;
}

const char *assumptions_file(const struct options *options, const char *home, const char *source,
                             struct arena *arena)
{
    return nearest_file("cadenza.pre", options->pre, home, source, arena);
}
