// SPDX-License-Identifier: Apache-2.0
// An independent driver: tests of Cadenza, read from their files by the documented format and
// written as C, without Cadenza's driver and replay library. A test with an input that has no
// such form (a choice, a file, a read of a volatile variable, a second call) is left to
// confirm.c. The marked unit is compiled by gcc with --coverage: the marks say what each test
// reaches, and gcov must agree for all of them together.
#include "attacker.h"

#include "base/arena.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/proc.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096, ELEMENTS = 128 };

struct translation {
    struct buf source, table;
    struct buf drivers;    // Cadenza's driver.c, which tells what a task is called with
    struct buf parameters; // parameters.txt
    VEC(struct {
        char *task;
        int test;
    })
    tests;
};

// ---- Test files as C ----

// A path of an input as an expression of C, or false.
static bool as_lvalue(const char *path, size_t length, char *out, size_t room)
{
    if (length > 4 && strncmp(path, "arg:", 4) == 0)
        path += 4, length -= 4;
    if (length >= room || length == 0)
        return false;
    memcpy(out, path, length);
    out[length] = 0;
    // Names of a unit end with a number; others are of the library's state.
    const char *name = out + strspn(out, "(*");
    size_t end = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return !strpbrk(out, ":#%") && end > 0 && isdigit((unsigned char)name[end - 1]);
}

static bool is_bits(const char *type)
{
    const char *colon = strchr(type, ':');
    return colon && isdigit((unsigned char)colon[1]);
}

static void put_value(struct buf *out, const char *place, const char *type, const char *value)
{
    if (is_bits(type))
        buf_printf(out, "    %s = %s;\n", place, value);
    else
        buf_printf(out, "    PUT(%s, %s);\n", place, value);
}

// PATH[3..7] has a value per element.
static bool put_values(struct buf *out, char *place, const char *type, const char *values)
{
    unsigned first, last;
    char *range = strstr(place, "..");
    if (strstr(values, "nan") || strstr(values, "inf"))
        return false;
    if (!range) {
        put_value(out, place, type, values);
        return true;
    }
    while (*range != '[')
        range--;
    char rest[64], element[PATH], value[64];
    if (sscanf(range, "[%u..%u]%63s", &first, &last, rest) != 2)
        return false;
    *range = 0;
    for (unsigned i = first; i <= last; i++) {
        int length;
        if (sscanf(values, "%63s%n", value, &length) != 1)
            return false;
        values += length;
        snprintf(element, sizeof element, "AT(%.3000s, %u)", place, i);
        put_value(out, element, type, value);
    }
    return true;
}

// One line: "PATH | TYPE | VALUE # for the reader".
static bool translate_input(const char *line, struct buf *out, struct buf *results)
{
    char place[PATH], type[256], value[PATH];
    const char *bar = strstr(line, " | "), *second = bar ? strstr(bar + 3, " | ") : NULL;
    if (!second || (size_t)(second - bar) > sizeof type)
        return false;
    snprintf(type, sizeof type, "%.*s", (int)(second - bar - 3), bar + 3);
    snprintf(value, sizeof value, "%s", second + 3);
    char *comment = strstr(value, " # ");
    if (comment)
        *comment = 0;
    unsigned number, call;
    char name[16], part[16];
    if (sscanf(line, "stub:%15[a-z]%u#%u:%15[a-z] |", name, &number, &call, part) == 4 &&
        strcmp(name, "lrand") != 0) { // of the unit's own stubs
        if (strcmp(part, "return") == 0)
            buf_printf(results, "%s, ", value);
        return strcmp(part, "return") == 0 ||
               (strcmp(part, "errno") == 0 && strcmp(value, "0") == 0);
    }
    if (strncmp(line, "shape:", 6) == 0) {
        if (!as_lvalue(line + 6, (size_t)(bar - line - 6), place, sizeof place))
            return false;
        if (strcmp(value, "present") == 0)
            buf_printf(out, "    PRESENT(%s);\n", place);
        return true;
    }
    return as_lvalue(line, (size_t)(bar - line), place, sizeof place) &&
           put_values(out, place, type, value);
}

// The parameters as variables that can be written; function pointers and arrays too.
static bool declare_parameters(const struct translation *all, const char *task, struct buf *out,
                               struct buf *call)
{
    char start[64];
    snprintf(start, sizeof start, "%s|", task);
    const char *line = buf_text(&all->parameters);
    while (line && strncmp(line, start, strlen(start)) != 0)
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    if (!line || !*line)
        return false;
    const char *at = line + strlen(start), *bar = strchr(at, '|');
    while (at < bar) {
        const char *end = memchr(at, ',', (size_t)(bar - at));
        end = end ? end : bar;
        while (*at == ' ')
            at++;
        if (strncmp(at, "const ", 6) == 0)
            at += 6;
        buf_printf(out, "    %.*s = {0};\n", (int)(end - at), at);
        at = end + 1;
    }
    buf_printf(call, "    (void)%s(%.*s);\n", task, (int)strcspn(bar + 1, "\n"), bar + 1);
    return true;
}

// Whether a weak symbol is there is an input that takes another link.
static bool has_weak(const struct attack *attack, const char *task)
{
    const char *sources = attack_sources(attack, task),
               *weak = sources ? strstr(sources, " weak_") : NULL;
    return weak && weak < strchr(sources, '\n');
}

// Does Cadenza's driver call the task once, and nothing before it?
static bool is_called_once(const struct translation *all, const char *task)
{
    char start[64];
    snprintf(start, sizeof start, "static void drive_%s(void)\n", task);
    const char *at = strstr(buf_text(&all->drivers), start), *end = at ? strstr(at, "\n}\n") : NULL;
    if (!end)
        return false;
    char *text = strndup(at, (size_t)(end - at));
    bool once = !strstr(text, "cz_calls") && !strstr(text, "before") && !strstr(text, "cz_turn");
    free(text);
    return once;
}

static bool translate_test(struct translation *all, const char *path, const char *task)
{
    struct buf text = BUF_INIT, body = BUF_INIT, results = BUF_INIT, call = BUF_INIT;
    bool good = is_called_once(all, task) && fs_read(path, &text, NULL) &&
                declare_parameters(all, task, &body, &call);
    for (const char *at = buf_text(&text); good && (at = strstr(at, "\ninput "));) {
        at += 7;
        char *line = strndup(at, strcspn(at, "\n"));
        good = translate_input(line, &body, &results);
        free(line);
    }
    if (good) {
        size_t number = all->tests.count;
        buf_printf(
            &all->source,
            "static void independent%zu(void)\n{\n    static const long long results[] = {%s0};\n"
            "    independent_results = results;\n    independent_result_count = sizeof results / "
            "sizeof *results;\n%s%s}\n",
            number, buf_text(&results), buf_text(&body), buf_text(&call));
        buf_printf(&all->table, "    independent%zu,\n", number);
    }
    buf_release(&text);
    buf_release(&body);
    buf_release(&results);
    buf_release(&call);
    return good;
}

static int find_test(const struct translation *all, const struct claim *claim)
{
    for (size_t i = 0; i < all->tests.count; i++)
        if (all->tests.items[i].test == claim->test &&
            strcmp(all->tests.items[i].task, claim->task) == 0)
            return (int)i;
    return -1;
}

static bool is_candidate(const struct claim *claim)
{
    return claim->strength == CLAIM_COVERED && claim->goal >= 0 && !claim->vectors && claim->test;
}

static bool translate_all(struct attack *attack, struct translation *all, struct error *err)
{
    char path[PATH];
    snprintf(path, PATH, "%s/parameters.txt", attack->directory);
    if (!fs_read(path, &all->parameters, err))
        return false;
    snprintf(path, PATH, "%s/out/harness/unit.c/driver.c", attack->directory);
    if (!fs_read(path, &all->drivers, err))
        return false;
    buf_printf(
        &all->source,
        "#include \"marked.c\"\nconst long long *independent_results;\nunsigned "
        "independent_result_count;\n"
        "#define PUT(place, ...) do { __typeof__(place) it = (__typeof__(place))__VA_ARGS__; \\\n"
        "    memcpy((void *)&(place), (void *)&it, sizeof it); } while (0)\n"
        "#define AT(place, i) (__builtin_choose_expr(__builtin_classify_type(place) == 5, (place), "
        "\\\n"
        "    (unsigned char *)&(place)))[i]\n" // an element, or a byte of what is no array
        "#define PRESENT(place) do { void *it = calloc(%d, sizeof *(place)); \\\n"
        "    memcpy((void *)&(place), &it, sizeof it); } while (0)\n",
        ELEMENTS);
    buf_puts(&all->table, "void (*const independent_tests[])(void) = {\n");
    for (size_t i = 0; i < attack->claims.claims.count; i++) {
        const struct claim *claim = &attack->claims.claims.items[i];
        if (!is_candidate(claim) || find_test(all, claim) >= 0 || has_weak(attack, claim->task) ||
            attack_varies(attack, claim->task))
            continue;
        snprintf(path, PATH, "%s/out/tests/%s/%04d.test", attack->directory, claim->task,
                 claim->test);
        if (translate_test(all, path, claim->task)) {
            size_t last = all->tests.count;
            (void)VEC_PUSH(&all->tests);
            all->tests.items[last].task = strdup(claim->task);
            all->tests.items[last].test = claim->test;
        }
    }
    buf_puts(&all->table, "    0};\n");
    buf_puts(&all->source, buf_text(&all->table));
    snprintf(path, PATH, "%s/independent.c", attack->directory);
    return fs_write(path, buf_text(&all->source), all->source.length, err);
}

// ---- Building, running, gcov ----

static bool make(const struct attack *attack, struct error *err)
{
    static const char *const parts[] = {"marks", "values", "tests"};
    char source[PATH], object[PATH], out[PATH], caller[PATH], paths[3][PATH], notes[PATH];
    snprintf(source, PATH, "%s/independent.c", attack->directory);
    snprintf(object, PATH, "%s/independent.o", attack->directory);
    snprintf(out, PATH, "%s/independent", attack->directory);
    snprintf(caller, PATH, "%s/caller-gcc.o", attack->directory);
    snprintf(notes, PATH, "%s/gcc/silent.o", attack->builds.objects);
    for (unsigned i = 0; i < 3; i++)
        snprintf(paths[i], PATH, "%s/gcc/%s.o", attack->builds.objects, parts[i]);
    const char *compile[] = {
        "gcc",  "-std=gnu17", "-O0",  "-w", "-ftrivial-auto-var-init=zero", "--coverage", "-c",
        source, "-o",         object, NULL};
    const char *join[] = {"gcc", "--coverage", object, caller, paths[0],    paths[1], paths[2],
                          notes, "-o",         out,    "-lm",  "-lpthread", NULL};
    return builds_command(compile, "compiling the independent driver", err) &&
           builds_command(join, "linking the independent driver", err);
}

static bool run_test(struct attack *attack, int number, struct error *err)
{
    char program[PATH], marks[PATH + 16], word[32];
    snprintf(program, PATH, "%s/independent", attack->directory);
    snprintf(marks, sizeof marks, "ATTACK_MARKS=%s/marks", attack->directory);
    snprintf(word, sizeof word, "%d", number);
    const char *argv[] = {program, word, NULL}, *env[] = {marks, NULL};
    struct proc_options options = {.env = env, .timeout_seconds = 120};
    struct proc_result result;
    builds_clear(&attack->builds);
    return proc_run(argv, &options, &result, err);
}

// How often gcov counted a line of the marked unit.
static int64_t line_count(const struct json *lines, unsigned line)
{
    int64_t count = 0;
    for (size_t i = 0; lines && i < lines->count; i++) {
        const struct json *number = json_member(lines->items[i], "line_number");
        const struct json *times = json_member(lines->items[i], "count");
        if (number && times && number->integer == line)
            count += times->integer;
    }
    return count;
}

static const struct json *read_gcov(const struct attack *attack, struct arena *arena,
                                    struct error *err)
{
    struct buf out = BUF_INIT;
    const char *argv[] = {"gcov", "-j", "-t", "independent.gcda", NULL};
    struct proc_options options = {
        .directory = attack->directory, .out = &out, .timeout_seconds = 120};
    struct proc_result result;
    const struct json *lines = NULL, *report = NULL, *files;
    if (proc_run(argv, &options, &result, err))
        report = json_parse(arena, buf_text(&out), strcspn(buf_text(&out), "\n"), err);
    files = report ? json_member(report, "files") : NULL;
    for (size_t i = 0; files && i < files->count; i++) {
        const struct json *name = json_member(files->items[i], "file");
        if (name && name->text && strcmp(fs_basename(name->text), "marked.c") == 0)
            lines = json_member(files->items[i], "lines");
    }
    buf_release(&out);
    if (!lines)
        error_set(err, ERROR_INTERNAL, "gcov says nothing about marked.c");
    return lines;
}

// A label was passed by if another one of its switch was chosen.
static bool gcov_saw(const struct attack *attack, const struct json *lines,
                     const struct claim *claim)
{
    const struct goal *goals = attack->claims.goals.items, *goal = &goals[claim->goal];
    if (!goal->is_case || claim->outcome)
        return line_count(lines, goal->marked[claim->outcome]) > 0;
    for (size_t i = 0; i < attack->claims.goals.count; i++)
        if (goals[i].choice == goal->choice && &goals[i] != goal &&
            line_count(lines, goals[i].marked[1]) > 0)
            return true;
    return false;
}

static void tell(struct attack *attack, const struct claim *claim, const char *who)
{
    attack->counts[COUNT_DIFFERENT]++;
    buf_printf(&attack->findings, "UNCONFIRMED by %s: %s/unit.c:%u %s() %s: %s, test %s/%04d\n",
               who, attack->directory, claim->line, claim->task, claim->text,
               claim->outcome ? "true" : "false", claim->task, claim->test);
}

static bool compare(struct attack *attack, const struct translation *all, struct error *err)
{
    size_t count = attack->claims.claims.count;
    bool *marked = calloc(count + 1, sizeof *marked);
    for (size_t t = 0; t < all->tests.count; t++) {
        if (!run_test(attack, (int)t, err))
            return false;
        for (size_t i = 0; i < count; i++) {
            const struct claim *claim = &attack->claims.claims.items[i];
            unsigned features;
            if (is_candidate(claim) && find_test(all, claim) == (int)t)
                marked[i] = attack_saw(attack, claim, 0, &features);
        }
    }
    struct arena arena;
    arena_init(&arena);
    const struct json *lines = all->tests.count ? read_gcov(attack, &arena, err) : NULL;
    for (size_t i = 0; lines && i < count; i++) {
        const struct claim *claim = &attack->claims.claims.items[i];
        if (!is_candidate(claim) || find_test(all, claim) < 0)
            continue;
        if (!marked[i])
            tell(attack, claim, "the independent driver");
        else if (!gcov_saw(attack, lines, claim))
            tell(attack, claim, "gcov");
        else
            attack->counts[COUNT_INDEPENDENT]++;
    }
    bool good = lines || !all->tests.count;
    arena_release(&arena);
    free(marked);
    return good;
}

bool confirm_independently(struct attack *attack, struct error *err)
{
    struct translation all = {0};
    bool good = translate_all(attack, &all, err);
    if (good && !make(attack, err)) { // a form of input that the format does not tell
        buf_printf(&attack->findings, "note: %.400s\n", err->text);
        attack->counts[COUNT_UNDRIVEN]++;
        error_clear(err);
    } else {
        good = good && compare(attack, &all, err);
    }
    for (size_t i = 0; i < all.tests.count; i++)
        free(all.tests.items[i].task);
    VEC_RELEASE(&all.tests);
    buf_release(&all.source);
    buf_release(&all.table);
    buf_release(&all.drivers);
    buf_release(&all.parameters);
    return good;
}
