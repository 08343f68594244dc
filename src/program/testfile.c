// SPDX-License-Identifier: Apache-2.0
// Reader and writer of test files, and the way from a run's inputs to a test and
// back. The writer adds nothing that is not in the test: no dates, no versions.
#include "program/testfile.h"

#include "base/vec.h"

#include <stdio.h>
#include <string.h>

// A header's text is one line, whatever the caller had.
static void add_header(struct buf *out, const char *key, const char *text)
{
    if (!text)
        return;
    buf_printf(out, "%s ", key);
    for (; *text; text++)
        buf_putc(out, *text == '\n' || *text == '\r' ? ' ' : *text);
    buf_putc(out, '\n');
}

void testfile_write(const struct testfile *test, struct buf *out)
{
    buf_puts(out, "# cadenza test, format 1; inputs that are not listed are zero\n");
    add_header(out, "task", test->task);
    add_header(out, "file", test->file);
    add_header(out, "outcome", test->outcome);
    add_header(out, "# note:", test->note);
    for (size_t i = 0; i < test->input_count; i++) {
        const struct testfile_input *input = &test->inputs[i];
        buf_printf(out, "input %s | %s | %s", input->path, input->type, input->values);
        if (input->meaning && *input->meaning)
            buf_printf(out, " # %s", input->meaning);
        buf_putc(out, '\n');
    }
}

struct reader {
    struct testfile *test;
    struct arena *arena;
    const char *name;
    unsigned line;
    VEC(struct testfile_input) inputs;
    struct map paths; // seen so far
    struct error *err;
};

static bool complain(struct reader *reader, const char *what)
{
    return error_set(reader->err, ERROR_USAGE, "%s:%u: %s", reader->name, reader->line, what);
}

static char *trimmed(struct reader *reader, const char *start, const char *end)
{
    while (start < end && (*start == ' ' || *start == '\t'))
        start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    return arena_strndup(reader->arena, start, (size_t)(end - start));
}

static const char *find_bar(const char *start, const char *end)
{
    for (; start + 3 <= end; start++) {
        if (memcmp(start, " | ", 3) == 0)
            return start;
    }
    return NULL;
}

// PATH | TYPE | VALUES [# comment]. A path may contain '#' (stub:f#1), values not.
static bool read_input(struct reader *reader, const char *text, const char *end)
{
    const char *first = find_bar(text, end);
    const char *second = first ? find_bar(first + 3, end) : NULL;
    if (!second)
        return complain(reader, "an input is written: input PATH | TYPE | VALUE");
    const char *values = second + 3;
    const char *comment = memchr(values, '#', (size_t)(end - values));
    struct testfile_input input = {
        .path = trimmed(reader, text, first),
        .type = trimmed(reader, first + 3, second),
        .values = trimmed(reader, values, comment ? comment : end),
        .meaning = comment ? trimmed(reader, comment + 1, end) : NULL,
    };
    if (!*input.path || !*input.type || !*input.values)
        return complain(reader, "path, type and value of an input must not be empty");
    uint64_t line;
    if (map_get_text(&reader->paths, input.path, &line))
        return complain(reader, "the same path twice");
    map_put_text(&reader->paths, input.path, reader->line);
    *VEC_PUSH(&reader->inputs) = input;
    return true;
}

static bool set_header(struct reader *reader, const char **field, const char *key, char *text)
{
    char message[80];
    if (*field || !*text) {
        snprintf(message, sizeof message, *field ? "a second line \"%s\"" : "\"%s\" without a text",
                 key);
        return complain(reader, message);
    }
    *field = text;
    return true;
}

static bool read_line(struct reader *reader, const char *line, const char *end)
{
    struct testfile *test = reader->test;
    const struct {
        const char *key, **field;
    } headers[] = {{"task", &test->task}, {"file", &test->file}, {"outcome", &test->outcome}};
    line += strspn(line, " \t");
    if (strncmp(line, "# note:", 7) == 0 && !test->note)
        test->note = trimmed(reader, line + 7, end);
    if (line >= end || *line == '#' || *line == '\r' || *line == '\n')
        return true;
    size_t word = strcspn(line, " \t\r\n");
    const char *rest = line + word < end ? line + word : end;
    if (word == 5 && memcmp(line, "input", 5) == 0)
        return read_input(reader, rest, end);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        if (strlen(headers[i].key) == word && memcmp(line, headers[i].key, word) == 0)
            return set_header(reader, headers[i].field, headers[i].key, trimmed(reader, rest, end));
    }
    return complain(reader, "expected task, file, outcome, input or a # comment");
}

static bool read_lines(struct reader *reader, const char *text, const char *end)
{
    for (const char *line = text; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop)
            stop = end;
        reader->line++;
        if (memchr(line, 0, (size_t)(stop - line)))
            return complain(reader, "a NUL byte: this is no test file");
        if (!read_line(reader, line, stop))
            return false;
        line = stop + 1;
    }
    if (!reader->test->task)
        return complain(reader, "the line \"task NAME\" is missing");
    return true;
}

bool testfile_read(struct testfile *test, const char *name, const char *text, size_t length,
                   struct arena *arena, struct error *err)
{
    struct reader reader = {.test = test, .arena = arena, .name = name, .err = err};
    *test = (struct testfile){0};
    // A copy, so that every line ends before a NUL.
    char *whole = arena_alloc(arena, length + 1);
    memcpy(whole, text, length);
    map_init(&reader.paths);
    bool fine = read_lines(&reader, whole, whole + length);
    map_release(&reader.paths);
    test->input_count = reader.inputs.count;
    test->inputs = arena_array(arena, struct testfile_input, reader.inputs.count + 1);
    if (reader.inputs.count)
        memcpy(test->inputs, reader.inputs.items, reader.inputs.count * sizeof *test->inputs);
    VEC_RELEASE(&reader.inputs);
    return fine;
}

static const char *keep(struct arena *arena, struct buf *text)
{
    const char *copy = arena_strdup(arena, buf_text(text));
    buf_clear(text);
    return copy;
}

static bool is_zero(const struct wire_place *place, const uint8_t *input, size_t size)
{
    size_t end = place->offset + (size_t)places_size(place);
    for (size_t i = place->offset; i < end && i < size; i++) {
        if (input[i])
            return false;
    }
    return true;
}

// The outermost array element other than the first that a place belongs to, or 0.
static uint32_t element_of(const struct places *places, uint32_t id)
{
    uint32_t element = 0;
    while (id && id < places->count) {
        const struct wire_place *place = &places->table[id];
        if (place->link == WIRE_L_INDEX && place->index > 0)
            element = id;
        id = place->parent < id ? place->parent : 0;
    }
    return element;
}

// Which array elements have an input that is not zero.
static bool *find_elements(const struct places *places, const uint32_t *uses, size_t use_count,
                           const uint8_t *input, size_t size)
{
    bool *filled = xcalloc(places->count + 1, sizeof *filled);
    for (size_t i = 0; i < use_count; i++) {
        if (uses[i] < places->count && !is_zero(&places->table[uses[i]], input, size))
            filled[element_of(places, uses[i])] = true;
    }
    return filled;
}

static void add_line(struct testfile *test, const struct places *places, uint32_t id,
                     const uint8_t *input, size_t size, const struct program *program,
                     struct arena *arena)
{
    struct buf text = BUF_INIT;
    struct testfile_input *line = &test->inputs[test->input_count++];
    places_path(places, id, &text);
    line->path = keep(arena, &text);
    places_type(places, id, &text);
    line->type = keep(arena, &text);
    places_value(places, id, input, size, &text);
    line->values = keep(arena, &text);
    places_meaning(places, id, input, size, program, &text);
    line->meaning = keep(arena, &text);
    buf_release(&text);
}

void testfile_from_run(struct testfile *test, const struct places *places, const uint32_t *uses,
                       size_t use_count, const uint8_t *input, size_t size,
                       const struct program *program, struct arena *arena)
{
    bool *filled = find_elements(places, uses, use_count, input, size);
    test->inputs = arena_array(arena, struct testfile_input, use_count + 1);
    test->input_count = 0;
    for (size_t i = 0; i < use_count; i++) {
        uint32_t id = uses[i];
        if (id == 0 || id >= places->count || !places_is_leaf(&places->table[id]))
            continue;
        if (places_is_bound(places, id) && is_zero(&places->table[id], input, size))
            continue; // where it starts
        uint32_t element = element_of(places, id);
        if (!element || filled[element])
            add_line(test, places, id, input, size, program, arena);
    }
    free(filled);
}

static bool raises_bound(const struct testfile *test)
{
    for (size_t i = 0; i < test->input_count; i++)
        if (strcmp(test->inputs[i].path, WIRE_BOUND_ELEMENTS) == 0 ||
            strcmp(test->inputs[i].path, WIRE_BOUND_DEPTH) == 0)
            return true;
    return false;
}

// Into all places of that path that can hold the value. True if there are any.
static bool put_line(const struct testfile_input *line, const struct places *places,
                     const struct places_index *index, uint8_t *input, size_t size,
                     struct error *err)
{
    bool any = false;
    for (uint32_t id = places_find(index, line->path); id; id = places_find_older(index, id)) {
        struct error problem = {0};
        if (places_parse(places, id, line->values, input, size, &problem))
            any = true;
        else
            *err = problem;
    }
    return any;
}

// A length that does not fit its place may fit the one that a run with the raised bound asks for.
bool testfile_to_input(const struct testfile *test, const struct places *places,
                       const struct places_index *index, uint8_t *input, size_t size,
                       size_t *unknown, struct error *err)
{
    bool may_grow = raises_bound(test);
    *unknown = 0;
    for (size_t i = 0; i < test->input_count; i++) {
        const struct testfile_input *line = &test->inputs[i];
        struct error problem = {0};
        uint32_t id = places_find(index, line->path);
        if (!id) {
            ++*unknown;
        } else if (!put_line(line, places, index, input, size, &problem)) {
            if (!may_grow || places->table[id].type != WIRE_T_CHOICE) {
                *err = problem;
                return error_context(err, "input %s", line->path);
            }
            ++*unknown;
        }
    }
    return true;
}
