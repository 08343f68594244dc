// SPDX-License-Identifier: Apache-2.0
// The driver's vocabulary (include/cz/driver.h) for clean builds: a place is the
// text of its path, a value is looked up in the test file, and what the file does
// not mention is zero. A value that does not fit its type ends the test as an error.
#define _GNU_SOURCE 1
#include "replay_runtime.h"
#include "../include/cz/driver.h"
#include "../wire/wire.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct stub {
    const char *name;
    unsigned calls;
};

static struct testfile *test;
static char **paths;
static unsigned path_count, path_room;
static struct stub *stubs;
static unsigned stub_count;
static unsigned stub_calls;
static bool errno_matters; // the task looks at it
static struct bound {
    const char *name;
    bool is_known;
    unsigned wanted;
} bound_elements = {.name = WIRE_BOUND_ELEMENTS}, bound_depth = {.name = WIRE_BOUND_DEPTH};

void replay_inputs_begin(struct testfile *of)
{
    test = of;
    path_count = 1; // place 0 is not used
    stub_count = stub_calls = 0;
    bound_elements.is_known = bound_depth.is_known = false;
}

_Noreturn void replay_give_up(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(replay_report->error, sizeof replay_report->error, format, arguments);
    va_end(arguments);
    _exit(0);
}

static void *enlarge(void *memory, size_t size)
{
    void *larger = __real_realloc(memory, size);
    if (!larger)
        replay_give_up("out of memory");
    return larger;
}

// ---- Places ----

__attribute__((format(printf, 1, 2))) static cz_path place(const char *format, ...)
{
    va_list arguments;
    char *text;
    int number = errno; // the unit's
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    errno = number;
    if (length < 0)
        replay_give_up("out of memory");
    if (path_count >= path_room) {
        path_room = path_room ? 2 * path_room : 64;
        paths = enlarge(paths, path_room * sizeof *paths);
    }
    paths[path_count] = text;
    return path_count++;
}

cz_path cz_root(const char *name)
{
    return place("%s", name);
}

cz_path cz_field(cz_path of, const char *name)
{
    return of & CZ_BEHIND ? cz_arrow(of & ~CZ_BEHIND, name) : place("%s.%s", paths[of], name);
}

cz_path cz_arrow(cz_path of, const char *name)
{
    return place("%s->%s", paths[of], name);
}

cz_path cz_index(cz_path of, unsigned long index)
{
    return place("%s[%lu]", paths[of], index);
}

cz_path cz_deref(cz_path of)
{
    return place("(*%s)", paths[of]);
}

cz_path cz_part(cz_path of, const char *name)
{
    return place("%s:%s", paths[of & ~CZ_BEHIND], name);
}

cz_path cz_turn(unsigned call, const char *name)
{
    return call > 1 ? place("call%u:%s", call, name) : cz_root(name);
}

char *replay_path(cz_path at)
{
    return paths[at & ~CZ_BEHIND];
}

static unsigned next_number(const char *function)
{
    unsigned i = 0;
    while (i < stub_count && strcmp(stubs[i].name, function) != 0)
        i++;
    if (i == stub_count) {
        stubs = enlarge(stubs, (stub_count + 1) * sizeof *stubs);
        stubs[stub_count++] = (struct stub){function, 0};
    }
    return ++stubs[i].calls;
}

unsigned replay_next_call_number(const char *function)
{
    for (unsigned i = 0; i < stub_count; i++)
        if (strcmp(stubs[i].name, function) == 0)
            return stubs[i].calls + 1;
    return 1;
}

void replay_each_stub(void (*each)(const char *function, unsigned calls))
{
    for (unsigned i = 0; i < stub_count; i++)
        each(stubs[i].name, stubs[i].calls);
}

static cz_path next_call(const char *function)
{
    return place("stub:%s#%u", function, next_number(function));
}

// The engine has cut the run off here, too.
_Noreturn void replay_cut_off(void)
{
    replay_report->timed_out = true;
    _exit(0);
}

cz_path cz_call(const char *function)
{
    if (++stub_calls > WIRE_MAX_CALLS || path_count - 1 > WIRE_MAX_ASKED)
        replay_cut_off();
    return next_call(function);
}

cz_path replay_next_read(const char *name, bool once)
{
    if (path_count - 1 > WIRE_MAX_ASKED)
        replay_cut_off();
    if (once)
        return place("%s", name);
    char *numbered; // apart from stubs of the same name
    if (asprintf(&numbered, "#%s", name) < 0)
        replay_give_up("out of memory");
    unsigned number = next_number(numbered);
    if (number > 1)
        free(numbered); // else it is the table's
    return place("%s#%u", name, number);
}

cz_path cz_typed(cz_path at, const char *type)
{
    (void)type;
    return at;
}

// ---- Values ----

void cz_errno(cz_path at)
{
    errno_matters = true;
    int number = cz_i32(at);
    errno = number;
}

void replay_fail(cz_path call, int usual)
{
    int number = errno_matters ? cz_i32(cz_part(call, "errno")) : 0;
    errno = number ? number : usual;
}

// The file's line for this path, or NULL: zero.
static const char *find(const char *path)
{
    struct testfile_input *input = testfile_find(test, path);
    if (!input)
        return NULL;
    if (!input->used)
        replay_report->used++;
    input->used = true;
    return input->value;
}

bool replay_input_exists(const char *path)
{
    return testfile_find(test, path) != NULL;
}

static const char *find_prefixed(const char *prefix, cz_path at)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s", prefix, paths[at]);
    return find(path);
}

static testfile_wide integer(const char *value, cz_path at, unsigned bits, bool is_signed)
{
    testfile_wide number = 0;
    const char *rest = value;
    int kept = errno; // the unit's
    if (value && (!testfile_integer(&rest, bits, is_signed, &number) || !testfile_at_end(rest)))
        replay_give_up("%s: '%s' is not a%s number of %u bits", paths[at], value,
                       is_signed ? " signed" : "n unsigned", bits);
    errno = kept;
    return number;
}

static uint64_t floating(cz_path at, unsigned bits)
{
    uint64_t raw = 0;
    const char *value = find(paths[at]), *rest = value;
    if (value && (!testfile_float(&rest, bits, &raw) || !testfile_at_end(rest)))
        replay_give_up("%s: '%s' is not a floating-point number", paths[at], value);
    return raw;
}

#define SCALAR(type, name, bits, is_signed)                                                        \
    type cz_##name(cz_path at)                                                                     \
    {                                                                                              \
        return (type)integer(find(paths[at]), at, bits, is_signed);                                \
    }
SCALAR(_Bool, bool, 1, false)
SCALAR(signed char, i8, 8, true)
SCALAR(unsigned char, u8, 8, false)
SCALAR(short, i16, 16, true)
SCALAR(unsigned short, u16, 16, false)
SCALAR(int, i32, 32, true)
SCALAR(unsigned, u32, 32, false)
SCALAR(long long, i64, 64, true)
SCALAR(unsigned long long, u64, 64, false)

void cz_wide(cz_path at, void *to, int is_signed)
{
    testfile_wide number = integer(find(paths[at]), at, 128, is_signed);
    memcpy(to, &number, sizeof number);
}

float cz_f32(cz_path at)
{
    uint64_t raw = floating(at, 32);
    float value;
    memcpy(&value, &raw, sizeof value);
    return value;
}

double cz_f64(cz_path at)
{
    uint64_t raw = floating(at, 64);
    double value;
    memcpy(&value, &raw, sizeof value);
    return value;
}

long double cz_f80(cz_path at)
{
    return cz_f64(at);
}

unsigned long long cz_ubits(cz_path at, unsigned bits)
{
    return (unsigned long long)integer(find(paths[at]), at, bits, false);
}

long long cz_sbits(cz_path at, unsigned bits)
{
    return (long long)integer(find(paths[at]), at, bits, true);
}

unsigned cz_choice(cz_path at, unsigned count)
{
    at &= ~CZ_BEHIND;
    if (count <= 1)
        return 0;
    unsigned value = (unsigned)integer(find_prefixed("choice:", at), at, 32, false);
    if (value >= count)
        replay_give_up("%s: there are only %u choices", paths[at], count);
    return value;
}

_Bool cz_present(cz_path at)
{
    return integer(find_prefixed("shape:", at), at, 1, false) != 0;
}

_Bool cz_missing(cz_path at)
{
    return !cz_present(at & ~CZ_BEHIND);
}

unsigned cz_calls(unsigned least, unsigned most)
{
    unsigned more = cz_u8(cz_root("more_calls"));
    return more < most - least ? least + more : most;
}

static unsigned bound_in_force(struct bound *bound, unsigned start, unsigned most)
{
    if (!bound->is_known)
        bound->wanted = cz_u32(cz_root(bound->name));
    bound->is_known = true;
    return wire_bound(bound->wanted, start, most);
}

unsigned cz_elements(unsigned start, unsigned most)
{
    return bound_in_force(&bound_elements, start, most);
}

unsigned cz_depth(unsigned start, unsigned most)
{
    return bound_in_force(&bound_depth, start, most);
}

// ---- Memory ----

static const struct {
    unsigned bits, bytes;
    bool is_signed, is_float;
} scalars[] = {
    [CZ_BOOL] = {1, 1, false, false}, [CZ_I8] = {8, 1, true, false},
    [CZ_U8] = {8, 1, false, false},   [CZ_I16] = {16, 2, true, false},
    [CZ_U16] = {16, 2, false, false}, [CZ_I32] = {32, 4, true, false},
    [CZ_U32] = {32, 4, false, false}, [CZ_I64] = {64, 8, true, false},
    [CZ_U64] = {64, 8, false, false}, [CZ_F32] = {32, 4, false, true},
    [CZ_F64] = {64, 8, false, true},
};

// Byte by byte: sanitizers check memcpy() and memset(), and a stub may write to more of a buffer
// than cz_extent() allows the code to use.
static void put_bytes(void *to, const void *from, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++)
        ((volatile char *)to)[i] = from ? ((const char *)from)[i] : 0;
}

void cz_array(cz_path at, void *to, enum cz_scalar type, unsigned long count)
{
    unsigned bits = scalars[type].bits, bytes = scalars[type].bytes;
    char path[4096];
    at &= ~CZ_BEHIND;
    put_bytes(to, NULL, bytes * count);
    if (count == 0)
        return;
    if (count == 1)
        snprintf(path, sizeof path, "%s", paths[at]);
    else
        snprintf(path, sizeof path, "%s[0..%lu]", paths[at], count - 1);
    const char *value = find(path);
    for (unsigned long i = 0; value && i < count; i++) {
        testfile_wide number = 0;
        uint64_t raw;
        bool ok = scalars[type].is_float
                      ? testfile_float(&value, bits, &raw)
                      : testfile_integer(&value, bits, scalars[type].is_signed, &number);
        if (!ok)
            replay_give_up("%s: element %lu is missing or does not fit", path, i);
        if (!scalars[type].is_float)
            raw = (uint64_t)number;
        put_bytes((char *)to + i * bytes, &raw, bytes);
    }
    if (value && !testfile_at_end(value))
        replay_give_up("%s: more than %lu elements", path, count);
}

void *cz_new(cz_path at, unsigned long size, int bounded)
{
    (void)bounded;
    void *memory = __real_calloc(1, size);
    if (!memory)
        replay_give_up("out of memory");
    if (at)
        replay_made(memory, size, at);
    return memory;
}

// The address sanitizer's, where a build has it.
extern void __asan_poison_memory_region(const volatile void *from, size_t size)
    __attribute__((weak));
extern void __asan_unpoison_memory_region(const volatile void *from, size_t size)
    __attribute__((weak));

void cz_extent(const void *buffer, unsigned long long count, unsigned long unit)
{
    unsigned long room = cz_room(buffer);
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region(buffer, room); // of an earlier length
    if (__asan_poison_memory_region && unit && count <= room / unit)
        __asan_poison_memory_region((const char *)buffer + (unsigned long)count * unit,
                                    room - (unsigned long)count * unit);
}

void *cz_text(cz_path at, unsigned long length)
{
    return cz_new(at, length + 1, 1);
}

void *cz_absent(cz_path at)
{
    (void)at;
    return NULL;
}

void *cz_deep_null(cz_path at)
{
    (void)at;
    return NULL;
}

bool replay_allocation_fails(const char *function)
{
    if (replay_is_program())
        return false;
    unsigned before = path_count;
    bool fails = cz_bool(cz_part(next_call(function), "fails"));
    while (path_count > before) // a loop that allocates must not make us grow
        free(paths[--path_count]);
    return fails;
}
