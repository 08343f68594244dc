// SPDX-License-Identifier: Apache-2.0
// See testfile_read.h for the format. The text is read as a whole and cut into
// pieces in place.
#include "testfile_read.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t room = 4096, used = 0, n;
    char *text = malloc(room);
    while (text && (n = fread(text + used, 1, room - used - 1, file)) > 0) {
        used += n;
        if (room - used == 1) {
            char *larger = realloc(text, room *= 2);
            if (!larger)
                free(text);
            text = larger;
        }
    }
    fclose(file);
    if (text)
        text[used] = 0;
    return text;
}

static char *trim(char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = 0;
    return text;
}

// A remark after a value. (A path has '#' too: stub:f#2.)
static void cut_remark(char *value)
{
    for (char *at = value; *at; at++)
        if (*at == '#' && (at == value || at[-1] == ' ' || at[-1] == '\t')) {
            *at = 0;
            return;
        }
}

static const char *parse_input(char *rest, struct testfile_input *input)
{
    char *first = strstr(rest, " | "), *second = first ? strstr(first + 3, " | ") : NULL;
    if (!second)
        return "an input needs PATH | TYPE | VALUE";
    *first = *second = 0;
    cut_remark(second + 3);
    input->path = trim(rest);
    input->type = trim(first + 3);
    input->value = trim(second + 3);
    return *input->path ? NULL : "empty path";
}

static bool add_input(struct testfile *test, const struct testfile_input *input)
{
    if ((test->input_count & (test->input_count - 1)) == 0) {
        size_t room = test->input_count ? 2 * test->input_count : 1;
        void *larger = realloc(test->inputs, room * sizeof *test->inputs);
        if (!larger)
            return false;
        test->inputs = larger;
    }
    test->inputs[test->input_count++] = *input;
    return true;
}

static const char *parse_line(struct testfile *test, char *line, unsigned number)
{
    line = trim(line);
    if (*line == 0 || *line == '#')
        return NULL;
    size_t length = strcspn(line, " \t");
    char *rest = trim(line + length + (line[length] != 0));
    line[length] = 0;
    if (strcmp(line, "input") == 0) {
        struct testfile_input input = {.line = number};
        const char *problem = parse_input(rest, &input);
        return problem ? problem : add_input(test, &input) ? NULL : "out of memory";
    }
    if (strcmp(line, "task") == 0)
        test->task = rest;
    else if (strcmp(line, "file") == 0)
        test->file = rest;
    else if (strcmp(line, "outcome") == 0)
        test->outcome = rest;
    else
        return "expected task, file, outcome or input";
    return NULL;
}

static int by_path(const void *left, const void *right)
{
    return strcmp(((const struct testfile_input *)left)->path,
                  ((const struct testfile_input *)right)->path);
}

static bool fail(struct testfile *test, char *error, size_t size, unsigned line,
                 const char *problem)
{
    if (line)
        snprintf(error, size, "line %u: %s", line, problem);
    else
        snprintf(error, size, "%s", problem);
    testfile_release(test);
    return false;
}

bool testfile_read(const char *path, struct testfile *test, char *error, size_t error_size)
{
    *test = (struct testfile){.task = "", .file = "", .outcome = ""};
    test->text = read_all(path);
    if (!test->text)
        return fail(test, error, error_size, 0, strerror(errno));
    unsigned number = 0;
    for (char *line = test->text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        const char *problem = parse_line(test, line, ++number);
        if (problem)
            return fail(test, error, error_size, number, problem);
    }
    if (test->input_count)
        qsort(test->inputs, test->input_count, sizeof *test->inputs, by_path);
    for (size_t i = 1; i < test->input_count; i++)
        if (by_path(&test->inputs[i - 1], &test->inputs[i]) == 0)
            return fail(test, error, error_size, test->inputs[i].line, "the same path twice");
    return true;
}

void testfile_release(struct testfile *test)
{
    free(test->inputs);
    free(test->text);
    *test = (struct testfile){0};
}

struct testfile_input *testfile_find(const struct testfile *test, const char *path)
{
    struct testfile_input key = {.path = path};
    return test->input_count
               ? bsearch(&key, test->inputs, test->input_count, sizeof *test->inputs, by_path)
               : NULL;
}

// ---- Values ----

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

bool testfile_at_end(const char *at)
{
    return *skip_blanks(at) == 0;
}

static bool word(const char **at, const char *text)
{
    size_t n = strlen(text);
    if (strncmp(*at, text, n) != 0 || ((*at)[n] != 0 && (*at)[n] != ' '))
        return false;
    *at += n;
    return true;
}

static bool digits(const char **at, unsigned base, testfile_wide *value)
{
    const char *start = *at;
    *value = 0;
    for (;; ++*at) {
        int c = tolower((unsigned char)**at);
        unsigned digit = isdigit(c)   ? (unsigned)(c - '0')
                         : isalpha(c) ? (unsigned)(c - 'a' + 10)
                                      : 99;
        if (digit >= base)
            return *at > start && (**at == 0 || **at == ' ' || **at == '\t');
        testfile_wide larger;
        if (__builtin_mul_overflow(*value, (testfile_wide)base, &larger) ||
            __builtin_add_overflow(larger, (testfile_wide)digit, value))
            return false;
    }
}

static bool fits(testfile_wide magnitude, bool negative, unsigned bits, bool is_signed)
{
    const testfile_wide one = 1;
    if (negative)
        return is_signed ? magnitude <= one << (bits - 1) : magnitude == 0;
    unsigned room = is_signed ? bits - 1 : bits;
    return room >= 128 || magnitude < one << room;
}

bool testfile_integer(const char **at, unsigned bits, bool is_signed, testfile_wide *value)
{
    *at = skip_blanks(*at);
    bool yes = word(at, "true") || word(at, "present");
    if (yes || word(at, "false") || word(at, "NULL")) {
        *value = yes;
        return true;
    }
    bool negative = **at == '-';
    *at += negative;
    bool is_hex = (*at)[0] == '0' && tolower((unsigned char)(*at)[1]) == 'x';
    *at += is_hex ? 2 : 0;
    if (!digits(at, is_hex ? 16 : 10, value) || !fits(*value, negative, bits, is_signed))
        return false;
    if (negative)
        *value = -*value;
    return true;
}

bool testfile_float(const char **at, unsigned bits, uint64_t *raw)
{
    *at = skip_blanks(*at);
    testfile_wide pattern;
    *raw = 0;
    if (strncmp(*at, "nan:0x", 6) == 0) {
        *at += 6;
        if (!digits(at, 16, &pattern) || !fits(pattern, false, bits, false))
            return false;
        *raw = (uint64_t)pattern;
        return true;
    }
    char *end;
    float narrow = bits == 32 ? strtof(*at, &end) : 0;
    double wide = bits == 32 ? 0 : strtod(*at, &end);
    if (end == *at || (*end != 0 && *end != ' ' && *end != '\t'))
        return false;
    memcpy(raw, bits == 32 ? (void *)&narrow : (void *)&wide, bits / 8);
    *at = end;
    return true;
}
