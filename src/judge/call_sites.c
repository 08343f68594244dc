// SPDX-License-Identifier: Apache-2.0
// Makes the check of each precondition (facts/callsites.h): the function's own text with
// another name and, as the first thing in its body, the condition. So parameters, types and
// variables are in scope as the user knows them.
#include "judge/call_sites.h"

#include "base/fs.h"
#include "base/proc.h"
#include "base/tunables.h"
#include "flags/flags.h"
#include "unit/project_facts.h"
#include "facts/callsites.h"
#include <ctype.h>
#include <string.h>

static const char head[] = "#define cz_count(p) (__builtin_object_size((p), 2) / sizeof *(p))\n"
                           "void cz_respects_(void);\nvoid cz_violates_(void);\n";

static const struct function *entry_named(const struct program *program, const char *name)
{
    for (size_t t = 0; t < program->task_count; t++)
        if (!strcmp(program->tasks[t].name, name) &&
            program->tasks[t].entry < program->function_count)
            return &program->functions[program->tasks[t].entry];
    return NULL;
}

// The text of the precondition in C, macros expanded.
static const char *text_of(const struct unit *unit, const struct result_precondition *pre)
{
    for (size_t i = 0; i < unit->assumption_count; i++)
        if (unit->assumptions[i].probe >= 0 &&
            !strcmp(unit->assumptions[i].function, pre->function) &&
            !strcmp(unit->assumption_words[i], pre->expression))
            return unit->assumptions[i].text;
    return NULL;
}

static const char *position(const char *text, uint32_t line, uint32_t column)
{
    while (text && --line > 0) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    return text && strlen(text) >= column ? text + column - 1 : NULL;
}

// The { of the body: the first outside of parentheses.
static const char *body_of(const char *at)
{
    int depth = 0;
    for (; *at && (*at != '{' || depth); at++)
        depth += (*at == '(') - (*at == ')');
    return *at ? at : NULL;
}

static bool write_check(const struct program *file, const struct function *function,
                        const char *condition, const char *path, struct error *err)
{
    const char *name = position(file->unit_text, function->at.line, function->at.column);
    size_t length = strlen(function->name);
    const char *body = name && !strncmp(name, function->name, length) ? body_of(name) : NULL;
    if (!body)
        return error_set(err, ERROR_INTERNAL, "the text of %s() was not found", function->name);
    struct buf text = BUF_INIT;
    buf_puts(&text, head);
    buf_add(&text, file->unit_text, (size_t)(name - file->unit_text));
    buf_puts(&text, "cz_check");
    buf_add(&text, name + length, (size_t)(body + 1 - name - length));
    buf_printf(
        &text,
        " if (!!(%s)) __attribute__((nomerge)) cz_respects_(); else __attribute__((nomerge)) "
        "cz_violates_(); return; }\n", // what follows is not needed
        condition);
    bool good = fs_write(path, text.data, text.length, err);
    buf_release(&text);
    return good;
}

static bool compile(const struct unit *unit, const struct program *file, const char *source,
                    const char *out, struct error *err)
{
    struct flag_list argv = {0};
    *VEC_PUSH(&argv) = unit->clang;
    for (const char **flag = file->compile_flags; flag && *flag; flag++)
        *VEC_PUSH(&argv) = *flag;
    flags_ours(FLAGS_CHECKS, &argv);
    const char *const last[] = {"-x", "c", source, "-o", out, NULL};
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        *VEC_PUSH(&argv) = last[i];
    struct buf errors = BUF_INIT;
    struct proc_result result;
    struct proc_options options = {.errors = &errors, .deep_stack = true};
    bool good = proc_run(argv.items, &options, &result, err);
    if (good && (!result.exited || result.exit_code != 0))
        good = error_set(err, ERROR_INTERNAL, "%.2000s", buf_text(&errors));
    buf_release(&errors);
    VEC_RELEASE(&argv);
    return good;
}

static bool make_check(struct unit *unit, const struct result_precondition *pre, size_t number,
                       struct callsites_question *out, struct error *err)
{
    const struct function *function = entry_named(&unit->program, pre->function);
    const char *condition = text_of(unit, pre);
    if (!function || !condition)
        return error_set(err, ERROR_INTERNAL, "no text of %s", pre->function);
    const struct program *file = &unit->texts[0]->program;
    const char *stem = arena_printf(&unit->arena, "%s/check_%zu", unit->directory, number);
    const char *source = arena_printf(&unit->arena, "%s.c", stem);
    *out = (struct callsites_question){.function = function->source_name,
                                       .file = file->source,
                                       .is_static = function->is_static,
                                       .check = arena_printf(&unit->arena, "%s.bc", stem)};
    return write_check(file, function, condition, source, err) &&
           compile(unit, file, source, out->check, err);
}

// ---- what they say ----

static const char *source_line(const char *path, uint32_t line, struct arena *arena)
{
    struct buf text = BUF_INIT;
    const char *copy = "";
    if (fs_read(path, &text, NULL)) {
        const char *at = position(buf_text(&text), line, 1);
        size_t length = at ? strcspn(at, "\n") : 0;
        while (length && isspace((unsigned char)*at)) {
            at++;
            length--;
        }
        while (length && isspace((unsigned char)at[length - 1]))
            length--;
        copy = arena_strndup(arena, at ? at : "", length > JUDGE_EXCERPT ? JUDGE_EXCERPT : length);
    }
    buf_release(&text);
    return copy;
}

static const char *site_text(const struct callsites_site *site, const char *function,
                             struct arena *arena)
{
    const char *file = fs_basename(site->file);
    if (!site->line)
        return arena_printf(arena, "%s: code that is not here gets a pointer to %s", file,
                            function);
    return arena_printf(arena, "%s:%u in %s: %s", file, site->line, site->caller,
                        source_line(site->file, site->line, arena));
}

// Those that violate come first, those that may next.
static void add_sites(struct result *result, size_t number, const callsites_list *sites,
                      bool closed)
{
    struct result_precondition *pre = &result->preconditions.items[number];
    static const enum site_verdict meaning[] = {[CALL_VIOLATES] = SITE_VIOLATES,
                                                [CALL_MAY_VIOLATE] = SITE_MAY_VIOLATE,
                                                [CALL_RESPECTS] = SITE_RESPECTS};
    pre->sites = arena_array(&result->arena, struct result_site, sites->count + 1);
    for (int verdict = CALL_VIOLATES; verdict <= CALL_RESPECTS; verdict++)
        for (size_t i = 0; i < sites->count; i++) {
            const struct callsites_site *site = &sites->items[i];
            if (site->question != number || site->verdict != (enum callsites_verdict)verdict)
                continue;
            pre->violated += verdict == CALL_VIOLATES;
            pre->doubtful += verdict == CALL_MAY_VIOLATE;
            pre->sites[pre->site_count++] = (struct result_site){
                meaning[verdict], site_text(site, pre->function, &result->arena)};
        }
    pre->ruled_out = closed && pre->site_count && !pre->violated && !pre->doubtful;
}

// Facts of the project, or of this file alone.
static struct facts *own_facts(const struct unit_request *build, struct unit *unit)
{
    struct project project = {0};
    struct facts *facts = NULL;
    arena_init(&project.arena);
    for (size_t k = 0; k < unit->text_count; k++)
        *VEC_PUSH(&project.files) = (struct project_file){.path = unit->texts[k]->program.source,
                                                          .name = unit->texts[k]->file.source,
                                                          .flags = unit->texts[k]->file.flags};
    project_facts_build(&project, arena_printf(&unit->arena, "%s/facts", unit->directory),
                        (unsigned)build->options->jobs, &facts, NULL);
    project_release(&project);
    return facts;
}

// Does nobody but the project call the function?
static bool is_closed(const struct unit *unit, const struct result_precondition *pre,
                      const struct facts *facts)
{
    const struct function *f = entry_named(&unit->program, pre->function);
    return f && !f->is_public && (f->is_static || callsites_is_program(facts));
}

void call_sites_judge(const struct unit_request *build, struct unit *unit, struct result *result)
{
    size_t count = result->preconditions.count;
    if (!count)
        return;
    struct callsites_question *questions =
        arena_array(&unit->arena, struct callsites_question, count);
    struct facts *own = build->facts ? NULL : own_facts(build, unit);
    const struct facts *facts = build->facts ? build->facts : own;
    callsites_list sites = {0};
    struct error err = {0};
    for (size_t i = 0; i < count; i++)
        if (facts && !make_check(unit, &result->preconditions.items[i], i, &questions[i], &err)) {
            result_add_note(result, "the calls of %s() were not judged: %s",
                            result->preconditions.items[i].function, err.text);
            questions[i] = (struct callsites_question){.function = "", .file = "", .check = ""};
        } else if (facts) {
            questions[i].closed = is_closed(unit, &result->preconditions.items[i], facts);
        }
    if (facts)
        callsites_judge(facts, questions, count, &unit->arena, &sites);
    for (size_t i = 0; facts && i < count; i++)
        add_sites(result, i, &sites, questions[i].closed);
    VEC_RELEASE(&sites);
    facts_free(own);
}
