// SPDX-License-Identifier: Apache-2.0
// clang -E turns the user's file into one text; its line markers become the line
// table and disappear, so that every place of the program has one plain
// coordinate. Line 1 of the text is empty on purpose: the wrapped text puts the
// declarations of the hooks there and keeps all line numbers.
#include "frontend/frontend_internal.h"

#include "base/fs.h"
#include "base/proc.h"
#include "base/tunables.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct stripper {
    struct frontend *fe;
    struct buf text;
    VEC(struct line_origin) lines;
    struct map files; // name -> const char *
    VEC(const char *) inputs;
    struct line_origin here;
    unsigned depth; // of #include
};

// Headers of other compilers: behind all directories, some before clang's own.
static const char *const *stand_ins(struct frontend *fe)
{
    const char **words = arena_array(&fe->scratch, const char *, 5);
    if (!fe->stand_ins)
        return words;
    char *library = fs_library_dir();
    words[0] = "-isystem";
    words[1] = arena_printf(&fe->scratch, "%s/include/devices/before", library);
    words[2] = "-idirafter";
    words[3] = arena_printf(&fe->scratch, "%s/include/devices", library);
    free(library);
    return words;
}

static bool run_clang(struct frontend *fe, const char *mode, struct buf *out, struct buf *messages,
                      struct proc_result *result, struct error *err)
{
    const struct frontend_request *request = fe->request;
    const char **flags = flags_for_preprocessing(&fe->scratch, request->flags);
    VEC(const char *) argv = {0};
    *VEC_PUSH(&argv) = request->clang;
    for (; *flags; flags++)
        *VEC_PUSH(&argv) = *flags;
    for (const char *const *word = stand_ins(fe); *word; word++)
        *VEC_PUSH(&argv) = *word;
    if (strcmp(mode, "-dM") == 0)
        *VEC_PUSH(&argv) = "-E";
    const char *const rest[] = {mode, "-x", "c", request->source};
    for (size_t i = 0; i < 4; i++)
        *VEC_PUSH(&argv) = rest[i];
    *VEC_PUSH(&argv) = NULL;
    struct proc_options options = {.out = out, .errors = messages, .deep_stack = true};
    bool started = proc_run(argv.items, &options, result, err);
    VEC_RELEASE(&argv);
    return started || error_context(err, "running %s", request->clang);
}

static const char *intern_file(struct stripper *s, const char *name)
{
    uint64_t known;
    if (map_get_text(&s->files, name, &known))
        return (const char *)(uintptr_t)known;
    const char *copy = strcmp(name, s->fe->request->source) == 0
                           ? s->fe->program->source
                           : arena_strdup(&s->fe->program->arena, name);
    map_put_text(&s->files, name, (uintptr_t)copy);
    if (*name != '<') // <built-in>
        *VEC_PUSH(&s->inputs) = copy;
    return copy;
}

// The quoted file name of a marker: \\, \", \n, \t and octal escapes.
static const char *unquote(const char *from, struct buf *name)
{
    for (from++; *from && *from != '"' && *from != '\n'; from++) {
        if (*from != '\\') {
            buf_putc(name, *from);
        } else if (from[1] >= '0' && from[1] <= '7') {
            int value = 0;
            for (int i = 0; i < 3 && from[1] >= '0' && from[1] <= '7'; i++)
                value = value * 8 + (*++from - '0');
            buf_putc(name, (char)value);
        } else if (from[1]) {
            from++;
            buf_putc(name, *from == 'n' ? '\n' : *from == 't' ? '\t' : *from);
        }
    }
    return *from == '"' ? from + 1 : from;
}

// 1 enters a header, 2 returns from one, 3 marks a system header.
static void take_marker_flags(struct stripper *s, const char *flags, const char *end)
{
    s->here.system = false;
    for (; flags < end; flags++) {
        s->depth += *flags == '1';
        s->depth -= *flags == '2' && s->depth > 0;
        s->here.system |= *flags == '3';
    }
    s->here.included = s->depth > 0;
}

// `# 12 "file.h" 1 3`: the next line is line 12 of file.h.
static bool take_marker(struct stripper *s, const char *line, const char *end)
{
    if (line[0] != '#' || line[1] != ' ' || !isdigit((unsigned char)line[2]))
        return false;
    char *after;
    unsigned long number = strtoul(line + 2, &after, 10);
    s->here.line = (uint32_t)number;
    if (after + 1 < end && after[1] == '"') {
        struct buf name = BUF_INIT;
        const char *flags = unquote(after + 1, &name);
        s->here.file = intern_file(s, buf_text(&name));
        take_marker_flags(s, flags, end);
        buf_release(&name);
    }
    return true;
}

// Pragmas that speak about the file being read would speak about the text instead.
static bool is_obsolete_pragma(const char *line, size_t length)
{
    static const char *const words[] = {"once",       "poison",    "system_header", "dependency",
                                        "push_macro", "pop_macro", "include_alias"};
    if (length < 8 || strncmp(line, "#pragma ", 8) != 0)
        return false;
    size_t at = 8;
    if (strncmp(line + at, "GCC ", 4) == 0)
        at += 4;
    else if (strncmp(line + at, "clang ", 6) == 0)
        at += 6;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(line + at, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

static void strip_markers(struct stripper *s, const char *text)
{
    *VEC_PUSH(&s->lines) = s->here;
    buf_putc(&s->text, '\n');
    while (*text) {
        const char *end = text + strcspn(text, "\n");
        if (!take_marker(s, text, end)) {
            if (!is_obsolete_pragma(text, (size_t)(end - text)))
                buf_add(&s->text, text, (size_t)(end - text));
            buf_putc(&s->text, '\n');
            *VEC_PUSH(&s->lines) = s->here;
            s->here.line++;
        }
        text = *end ? end + 1 : end;
    }
}

static void store_text(struct frontend *fe, const char *preprocessed)
{
    struct program *program = fe->program;
    struct stripper s = {.fe = fe};
    map_init(&s.files);
    s.here = (struct line_origin){.file = program->source, .line = 1};
    strip_markers(&s, preprocessed);
    program->unit_text = arena_strndup(&program->arena, s.text.data, s.text.length);
    program->line_count = s.lines.count;
    program->lines = arena_array(&program->arena, struct line_origin, s.lines.count);
    memcpy(program->lines, s.lines.items, s.lines.count * sizeof *program->lines);
    buf_release(&s.text);
    VEC_RELEASE(&s.lines);
    map_release(&s.files);
    program->inputs = arena_array(&program->arena, const char *, s.inputs.count + 1);
    program->input_count = s.inputs.count;
    if (s.inputs.count)
        memcpy(program->inputs, s.inputs.items, s.inputs.count * sizeof *s.inputs.items);
    VEC_RELEASE(&s.inputs);
}

static bool check_readable(struct frontend *fe, struct error *err)
{
    const char *source = fe->request->source;
    struct buf contents = BUF_INIT;
    bool readable = fs_read(source, &contents, err);
    buf_release(&contents);
    if (!readable)
        return false;
    char *absolute = fs_absolute(source);
    fe->program->source = arena_strdup(&fe->program->arena, absolute ? absolute : source);
    free(absolute);
    return true;
}

// A header that includes itself is two hundred files deep when clang gives up: the first ones will
// do.
static void shorten_stack(const char *messages, struct buf *out)
{
    static const char begin[] = "In file included from ";
    unsigned deep = 0;
    for (const char *line = messages; *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        deep = strncmp(line, begin, sizeof begin - 1) == 0 ? deep + 1 : 0;
        if (deep <= FRONTEND_INCLUDES_SHOWN)
            buf_add(out, line, length);
        else if (deep == FRONTEND_INCLUDES_SHOWN + 1)
            buf_puts(out, "...\n");
        line += length;
    }
}

// clang's messages; what it says of a nested function does not name it.
static bool refused(const char *messages, struct error *err)
{
    bool nested = strstr(messages, "function definition is not allowed here") != NULL;
    bool missing = strstr(messages, "file not found") != NULL;
    struct buf shown = BUF_INIT;
    shorten_stack(messages, &shown);
    error_set(err, ERROR_SOURCE, "%s%s", buf_text(&shown),
              nested    ? "Nested functions, an extension of gcc, are not supported: clang does "
                          "not compile them."
              : missing ? "Give the directory that has this header behind --, as in "
                          "`-- -IDIR`; headers of a device come with its compiler or from "
                          "its vendor."
                        : "");
    buf_release(&shown);
    return false;
}

bool preprocess(struct frontend *fe, struct error *err)
{
    if (!check_readable(fe, err))
        return false;
    struct buf out = BUF_INIT, messages = BUF_INIT;
    struct proc_result result;
    bool ok = run_clang(fe, "-E", &out, &messages, &result, err);
    if (ok && (!result.exited || result.exit_code != 0)) {
        fe->stand_ins = true;
        buf_clear(&out);
        buf_clear(&messages);
        ok = run_clang(fe, "-E", &out, &messages, &result, err);
    }
    if (ok && (!result.exited || result.exit_code != 0))
        ok = refused(buf_text(&messages), err);
    else if (ok)
        store_text(fe, buf_text(&out));
    buf_release(&out);
    buf_release(&messages);
    return ok;
}

bool preprocess_macros(struct frontend *fe, struct buf *out)
{
    struct buf messages = BUF_INIT;
    struct proc_result result;
    struct error ignored = {0};
    bool good = run_clang(fe, "-dM", out, &messages, &result, &ignored) && result.exited &&
                result.exit_code == 0;
    buf_release(&messages);
    return good;
}

bool preprocess_explain(struct frontend *fe, struct error *err)
{
    struct buf messages = BUF_INIT;
    struct proc_result result;
    if (run_clang(fe, "-fsyntax-only", NULL, &messages, &result, err) && messages.length)
        refused(buf_text(&messages), err);
    buf_release(&messages);
    return false;
}
