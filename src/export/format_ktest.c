// SPDX-License-Identifier: Apache-2.0
// A .ktest file per test, as KLEE writes them (version 3): an object per input, named by its path,
// with the bytes of its value, little-endian.
#include "base/fs.h"
#include "export/c_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KTEST_VERSION = 3 };

static void put_number(uint32_t number, struct buf *out) // big-endian
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_putc(out, (char)(number >> shift & 0xff));
}

static void put_object(const char *name, const struct buf *bytes, struct buf *out)
{
    put_number((uint32_t)strlen(name), out);
    buf_puts(out, name);
    put_number((uint32_t)bytes->length, out);
    buf_add(out, bytes->data, bytes->length);
}

// Of types that have another name, enums are by far the most frequent ones.
static size_t size_of(const char *type, bool is_narrow)
{
    static const struct {
        const char *name;
        size_t size;
    } sizes[] = {{"_Bool", 1},
                 {"shape", 1},
                 {"char", 1},
                 {"signed char", 1},
                 {"unsigned char", 1},
                 {"uint8_t", 1},
                 {"int8_t", 1},
                 {"short", 2},
                 {"unsigned short", 2},
                 {"uint16_t", 2},
                 {"int16_t", 2},
                 {"long long", 8},
                 {"unsigned long long", 8},
                 {"uint64_t", 8},
                 {"int64_t", 8},
                 {"double", 8},
                 {"__int128", 16},
                 {"unsigned __int128", 16}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!strcmp(type, sizes[i].name))
            return sizes[i].size;
    if (!strcmp(type, "long") || !strcmp(type, "unsigned long") || !strcmp(type, "size_t"))
        return is_narrow ? 4 : 8;
    return 4;
}

static uint64_t raw_value(const char *value, size_t size)
{
    uint64_t raw;
    double number = 0;
    float narrow;
    if (!strncmp(value, "nan:", 4))
        return strtoull(value + 4, NULL, 16);
    if (!strcmp(value, "present"))
        return 1;
    if (!strcmp(value, "NULL"))
        return 0;
    if (!c_is_real(value))
        return *value == '-' ? (uint64_t)strtoll(value, NULL, 10) : strtoull(value, NULL, 10);
    number = strtod(value, NULL);
    narrow = (float)number;
    raw = 0;
    memcpy(&raw, size == 4 ? (const void *)&narrow : (const void *)&number, size == 4 ? 4 : 8);
    return raw;
}

static void put_input(const struct result_input *input, bool is_narrow, struct buf *out)
{
    struct buf bytes = BUF_INIT;
    size_t size = size_of(input->type, is_narrow);
    for (const char *at = input->value; *at;) {
        size_t length = strcspn(at, " ");
        char one[80];
        snprintf(one, sizeof one, "%.*s", (int)length, at);
        uint64_t raw = raw_value(one, size);
        for (size_t i = 0; i < size; i++)
            buf_putc(&bytes, (char)(i < 8 ? raw >> 8 * i & 0xff : *one == '-' ? 0xff : 0));
        at += length + (at[length] == ' ');
    }
    put_object(input->path, &bytes, out);
    buf_release(&bytes);
}

static void put_test(const struct result_part *part, const struct result_task *task,
                     const struct result_test *test, struct buf *out)
{
    buf_puts(out, "KTEST");
    put_number(KTEST_VERSION, out);
    put_number(1, out); // arguments: the name of the task
    put_number((uint32_t)strlen(task->function), out);
    buf_puts(out, task->function);
    put_number(0, out); // symbolic arguments, and their length
    put_number(0, out);
    put_number((uint32_t)test->input_count, out);
    for (size_t i = 0; i < test->input_count; i++)
        put_input(&test->inputs[i], !strcmp(part->data_model, "ilp32"), out);
}

export_writer export_ktest;
bool export_ktest(const struct export_request *request, struct export_tally *tally,
                  struct error *err)
{
    const struct result *result = request->result;
    struct buf bytes = BUF_INIT;
    bool good = true;
    for (size_t i = 0; good && i < result->tasks.count; i++) {
        const struct result_task *task = result->tasks.items[i];
        const char *directory = export_task_directory(request, task);
        good = fs_make_dirs(directory, err);
        for (size_t t = 0; good && t < task->tests.count; t++, tally->tests++) {
            const struct result_test *test = task->tests.items[t];
            buf_clear(&bytes);
            put_test(result->parts.items[task->part], task, test, &bytes);
            good =
                fs_write(arena_printf(request->arena, "%s/test%06u.ktest", directory, test->number),
                         bytes.data, bytes.length, err);
        }
    }
    buf_release(&bytes);
    return good;
}
