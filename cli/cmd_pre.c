// SPDX-License-Identifier: Apache-2.0
// cadenza pre: preconditions that a run has inferred, as questions to the user, and those
// that the project has in its file (cadenza.pre). Confirming and rejecting edits that file,
// line by line, so that it can be kept under version control.
#include "cli.h"

#include "base/fs.h"
#include "base/json.h"
#include "pre/pre.h"
#include "store/store.h"
#include <stdio.h>
#include <string.h>

static const char help[] =
    "cadenza pre list [RUN or FILE] [--json]\n"
    "cadenza pre confirm [RUN or FILE] ID...\n"
    "cadenza pre reject [RUN or FILE] ID...\n\n"
    "Preconditions: what a function may expect of its callers. 'list' prints those that a run\n"
    "has inferred from alarms (RUN is its directory, cadenza-out by default), with the calls of\n"
    "the project that violate, may violate or respect them, and those of the project's file\n"
    "cadenza.pre. 'confirm' and 'reject' enter the answer into that file, which belongs under\n"
    "version control: later runs assume what is confirmed and do not ask again for what is\n"
    "rejected. FILE is such a file itself.\n"
    "  --file FILE  the project's file, instead of the one that the run names\n"
    "  --all        confirm or reject everything that is still a question\n"
    "  --ruled-out  with confirm: everything that all call sites respect\n"
    "  --json       list as JSON\n";

struct words {
    const char *action, *place, *file;
    VEC(const char *) ids;
    bool json, all, ruled_out;
};

struct both {
    struct pre_list run;  // inferred, with calls
    struct pre_list file; // the project's
    const char *path;     // of the latter
};

// ---- reading ----

static bool is_id(const char *word)
{
    return strlen(word) == PRE_ID - 1 && strspn(word, "0123456789abcdef") == PRE_ID - 1;
}

static bool take_words(struct words *w, int argc, char **argv, struct error *err)
{
    w->action = argc ? argv[0] : "";
    bool known =
        !strcmp(w->action, "list") || !strcmp(w->action, "confirm") || !strcmp(w->action, "reject");
    if (!known)
        return error_set(err, ERROR_USAGE, "say list, confirm or reject");
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!strcmp(word, "--json"))
            w->json = true;
        else if (!strcmp(word, "--all"))
            w->all = true;
        else if (!strcmp(word, "--ruled-out"))
            w->ruled_out = true;
        else if (!strcmp(word, "--file") && i + 1 < argc)
            w->file = argv[++i];
        else if (word[0] == '-')
            return error_set(err, ERROR_USAGE, "unexpected word '%s'", word);
        else if (is_id(word) && !fs_exists(word))
            *VEC_PUSH(&w->ids) = word;
        else if (w->place)
            return error_set(err, ERROR_USAGE, "'%s' is no ID (cadenza pre list shows them)", word);
        else
            w->place = word;
    }
    if (strcmp(w->action, "list") && !w->ids.count && !w->all && !w->ruled_out)
        return error_set(err, ERROR_USAGE,
                         "which? Give IDs of 'cadenza pre list', --all or --ruled-out");
    return true;
}

// What a run has inferred, from its store.
static bool read_run(const char *directory, struct pre_list *list, struct error *err)
{
    static const enum pre_respect meaning[SITE_VERDICTS] = {[SITE_VIOLATES] = PRE_VIOLATES,
                                                            [SITE_MAY_VIOLATE] = PRE_MAY_VIOLATE,
                                                            [SITE_RESPECTS] = PRE_RESPECTS};
    struct result result;
    struct arena *arena = &list->arena;
    bool good = store_load(arena_printf(arena, "%s/cadenza.db", directory), &result, err);
    for (size_t i = 0; i < result.parts.count && !list->project_file; i++)
        if (result.parts.items[i]->project_file)
            list->project_file = arena_strdup(arena, result.parts.items[i]->project_file);
    for (size_t i = 0; i < result.preconditions.count; i++) {
        const struct result_precondition *from = &result.preconditions.items[i];
        struct precondition *pre = VEC_PUSH(&list->items);
        *pre = (struct precondition){.state = PRE_INFERRED,
                                     .function = arena_strdup(arena, from->function),
                                     .expression = arena_strdup(arena, from->expression),
                                     .origin = arena_strdup(arena, from->origin)};
        if (from->file)
            pre->file = arena_strdup(arena, fs_basename(from->file));
        for (size_t k = 0; k < from->site_count; k++)
            *VEC_PUSH(&pre->sites) = (struct pre_site){meaning[from->sites[k].verdict],
                                                       arena_strdup(arena, from->sites[k].text)};
    }
    result_release(&result);
    return good;
}

static bool read_both(const struct words *w, struct both *both, struct error *err)
{
    const char *place = w->place ? w->place : "cadenza-out";
    if (fs_is_dir(place)) {
        if (!read_run(place, &both->run, err))
            return false;
        both->path = both->run.project_file;
    } else if (fs_exists(place)) {
        both->path = place;
    } else {
        return error_set(err, ERROR_USAGE, "there is no %s: name a run directory or a file", place);
    }
    if (w->file)
        both->path = w->file;
    if (!both->path)
        return error_set(err, ERROR_USAGE, "the run had no file (--pre none): give --file");
    return pre_load(&both->file, both->path, err);
}

// ---- listing ----

// An inferred one that the file knows is no question any more.
static bool is_question(const struct both *both, const struct precondition *pre)
{
    const struct precondition *known = pre_find(&both->file, pre);
    return !known || known->state == PRE_INFERRED;
}

static size_t count_sites(const struct precondition *pre, enum pre_respect respect)
{
    size_t count = 0;
    for (size_t i = 0; i < pre->sites.count; i++)
        count += pre->sites.items[i].respect == respect;
    return count;
}

static void print_one(const struct precondition *pre)
{
    char id[PRE_ID];
    pre_id(pre, id);
    printf("%s  %-9s  %s%s%s: %s\n", id, pre_state_name(pre->state), pre->file ? pre->file : "",
           pre->file ? ":" : "", pre->function, pre->expression);
    if (*pre->origin)
        printf("        %s\n", pre->origin);
    if (pre->sites.count)
        printf("        %zu calls: %zu violate it, %zu may, %zu respect it%s\n", pre->sites.count,
               count_sites(pre, PRE_VIOLATES), count_sites(pre, PRE_MAY_VIOLATE),
               count_sites(pre, PRE_RESPECTS),
               pre_is_respected(pre) ? ": the alarm is ruled out" : "");
    for (size_t i = 0; i < pre->sites.count; i++)
        if (pre->sites.items[i].respect != PRE_RESPECTS)
            printf("          %s %s\n", pre_respect_name(pre->sites.items[i].respect),
                   pre->sites.items[i].text);
}

static void write_one(struct json_writer *w, const struct precondition *pre)
{
    char id[PRE_ID];
    pre_id(pre, id);
    json_open(w, NULL, '{');
    json_text(w, "id", id);
    json_text(w, "state", pre_state_name(pre->state));
    json_text(w, "file", pre->file);
    json_text(w, "function", pre->function);
    json_text(w, "expression", pre->expression);
    json_text(w, "origin", pre->origin);
    json_open(w, "calls", '[');
    for (size_t i = 0; i < pre->sites.count; i++) {
        json_open(w, NULL, '{');
        json_text(w, "verdict", pre_respect_name(pre->sites.items[i].respect));
        json_text(w, "place", pre->sites.items[i].text);
        json_close(w, '}');
    }
    json_close(w, ']');
    json_close(w, '}');
}

// Questions that a call violates, other questions, then what the file has.
static void list(const struct both *both, struct json_writer *json)
{
    for (int violated = 1; violated >= 0; violated--)
        for (size_t i = 0; i < both->run.items.count; i++) {
            const struct precondition *pre = &both->run.items.items[i];
            if (!is_question(both, pre) || (count_sites(pre, PRE_VIOLATES) > 0) != violated)
                continue;
            if (json)
                write_one(json, pre);
            else
                print_one(pre);
        }
    for (size_t i = 0; i < both->file.items.count; i++) {
        if (json)
            write_one(json, &both->file.items.items[i]);
        else
            print_one(&both->file.items.items[i]);
    }
}

static int print_list(const struct words *w, const struct both *both)
{
    if (!w->json) {
        list(both, NULL);
        return EXIT_DONE;
    }
    struct buf out = BUF_INIT;
    struct json_writer json;
    json_begin(&json, &out, true);
    json_open(&json, NULL, '{');
    json_text(&json, "file", both->path);
    json_open(&json, "preconditions", '[');
    list(both, &json);
    json_close(&json, ']');
    json_close(&json, '}');
    printf("%s\n", buf_text(&out));
    buf_release(&out);
    return EXIT_DONE;
}

// ---- answering ----

static bool is_named(const struct words *w, const struct precondition *pre)
{
    char id[PRE_ID];
    pre_id(pre, id);
    for (size_t i = 0; i < w->ids.count; i++)
        if (!strcmp(w->ids.items[i], id))
            return true;
    return false;
}

static bool is_meant(const struct words *w, const struct both *both, const struct precondition *pre,
                     bool of_run)
{
    if (is_named(w, pre))
        return true;
    bool question = of_run ? is_question(both, pre) : pre->state == PRE_INFERRED;
    return question && (w->all || (w->ruled_out && pre_is_respected(pre)));
}

static size_t answer_list(const struct words *w, const struct both *both,
                          const struct pre_list *from, struct buf *text)
{
    size_t count = 0;
    for (size_t i = 0; i < from->items.count; i++) {
        struct precondition pre = from->items.items[i];
        if (!is_meant(w, both, &pre, from == &both->run))
            continue;
        struct buf edited = BUF_INIT;
        pre.state = !strcmp(w->action, "confirm") ? PRE_CONFIRMED : PRE_REJECTED;
        pre_edit(buf_text(text), &pre, &edited);
        buf_release(text);
        *text = edited;
        printf("%s %s: %s\n", pre_state_name(pre.state), pre.function, pre.expression);
        count++;
    }
    return count;
}

static int answer(const struct words *w, const struct both *both, struct error *err)
{
    struct buf text = BUF_INIT;
    if (fs_exists(both->path) && !fs_read(both->path, &text, err))
        return cli_fail(err);
    size_t count = answer_list(w, both, &both->run, &text);
    count += answer_list(w, both, &both->file, &text);
    int code = EXIT_DONE;
    if (!count && w->ids.count) {
        error_set(err, ERROR_USAGE, "none of these IDs is known; cadenza pre list shows them");
        code = cli_fail(err);
    } else if (count && !fs_write(both->path, buf_text(&text), text.length, err)) {
        code = cli_fail(err);
    } else if (count) {
        printf("%zu in %s\n", count, both->path);
    }
    buf_release(&text);
    return code;
}

int cli_pre(int argc, char **argv)
{
    struct words w = {0};
    struct error err = {0};
    for (int i = 0; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
    if (!take_words(&w, argc, argv, &err))
        return cli_usage("pre", "%s", err.text);
    struct both both = {0};
    pre_init(&both.run);
    pre_init(&both.file);
    int code = !read_both(&w, &both, &err) ? cli_fail(&err)
               : !strcmp(w.action, "list") ? print_list(&w, &both)
                                           : answer(&w, &both, &err);
    pre_release(&both.run);
    pre_release(&both.file);
    VEC_RELEASE(&w.ids);
    return code;
}
