// SPDX-License-Identifier: Apache-2.0
// An implementation of cz/driver.h for tests of the driver generator. Every input
// gets a value that is made from the text of its path, so code under test can ask
// for the value that should have arrived. Pointers are present, or all NULL when the
// first argument is "null". With "log" the paths are printed in the order of use.
// Prints "checked N" at the end of each task; a failed check ends with status 1.
#include "cz/driver.h"
#include <malloc.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **paths;
static unsigned path_count, path_room;
static jmp_buf end_of_run;
static unsigned checked, failed;
static int all_null, log_paths;
static const char *absent = ""; // paths of pointers that are, between commas
static struct { const char *name; unsigned calls; } stubs[64];

unsigned long __cz_zoo_value(const char *path, unsigned bits)
{
    unsigned long hash = 14695981039346656037ul;
    for (; *path; path++)
        hash = (hash ^ (unsigned char)*path) * 1099511628211ul;
    hash ^= hash >> 29;
    return bits >= 64 ? hash : hash & ((1ul << bits) - 1);
}

void __cz_zoo_check(const char *path, int equal)
{
    checked++;
    if (equal)
        return;
    failed++;
    printf("WRONG %s\n", path);
}

static cz_path enter(const char *format, const char *of, const char *name, unsigned long index)
{
    char text[1024];
    snprintf(text, sizeof text, format, of, name, index);
    if (path_count == path_room)
        paths = realloc(paths, (path_room = 2 * path_room + 1024) * sizeof *paths);
    paths[path_count] = strdup(text);
    return path_count++;
}

static const char *used(cz_path at, const char *prefix)
{
    if (log_paths)
        printf("%s%s\n", prefix, paths[at]);
    return paths[at];
}

cz_path cz_root(const char *name) { return enter("%s%s", "", name, 0); }
cz_path cz_field(cz_path of, const char *name)
{
    return enter(of & CZ_BEHIND ? "%s->%s" : "%s.%s", paths[of & ~CZ_BEHIND], name, 0);
}
cz_path cz_arrow(cz_path of, const char *name) { return enter("%s->%s", paths[of], name, 0); }
cz_path cz_index(cz_path of, unsigned long i) { return enter("%s%s[%lu]", paths[of], "", i); }
cz_path cz_deref(cz_path of) { return enter("(*%s%s)", paths[of], "", 0); }
cz_path cz_part(cz_path of, const char *name) { return enter("%s:%s", paths[of & ~CZ_BEHIND], name, 0); }
cz_path cz_turn(unsigned call, const char *name)
{
    return call == 1 ? cz_root(name) : enter("call%3$lu:%2$s", "", name, call);
}
unsigned cz_calls(unsigned least, unsigned most) { return least < most ? least + 1 : least; }
unsigned cz_elements(unsigned start, unsigned most) { return start < most ? start + 1 : start; }
unsigned cz_depth(unsigned start, unsigned most) { return start < most ? start + 1 : start; }
cz_path cz_typed(cz_path at, const char *type) { (void)type; return at; }

cz_path cz_call(const char *function)
{
    unsigned i = 0;
    while (stubs[i].name && strcmp(stubs[i].name, function) != 0)
        i++;
    stubs[i].name = function;
    return enter("stub:%s%s#%lu", function, "", ++stubs[i].calls);
}

static unsigned long value(cz_path at, unsigned bits) { return __cz_zoo_value(used(at, ""), bits); }

_Bool cz_bool(cz_path at) { return value(at, 1) != 0; }
signed char cz_i8(cz_path at) { return (signed char)value(at, 8); }
unsigned char cz_u8(cz_path at) { return (unsigned char)value(at, 8); }
short cz_i16(cz_path at) { return (short)value(at, 16); }
unsigned short cz_u16(cz_path at) { return (unsigned short)value(at, 16); }
int cz_i32(cz_path at) { return (int)value(at, 32); }
unsigned cz_u32(cz_path at) { return (unsigned)value(at, 32); }
long long cz_i64(cz_path at) { return (long long)value(at, 64); }
unsigned long long cz_u64(cz_path at) { return value(at, 64); }
void cz_wide(cz_path at, void *to, int is_signed)
{
    unsigned long halves[2] = {value(at, 64)};
    (void)is_signed;
    halves[1] = ~halves[0];
    memcpy(to, halves, sizeof halves);
}
float cz_f32(cz_path at) { return (float)value(at, 20); }
double cz_f64(cz_path at) { return (double)value(at, 20); }
long double cz_f80(cz_path at) { return (long double)value(at, 20); }
unsigned long long cz_ubits(cz_path at, unsigned bits) { return value(at, bits); }
long long cz_sbits(cz_path at, unsigned bits)
{
    return (long)(value(at, bits) << (64 - bits)) >> (64 - bits);
}

void cz_array(cz_path at, void *to, enum cz_scalar type, unsigned long count)
{
    static const unsigned char sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    char text[1024];
    at &= ~CZ_BEHIND;
    used(at, "array ");
    for (unsigned long i = 0; i < count; i++) {
        char *element = (char *)to + i * sizes[type];
        snprintf(text, sizeof text, "%s[0..%lu]#%lu", paths[at], count - 1, i);
        unsigned long bits = __cz_zoo_value(text, type == CZ_BOOL ? 1 : 8u * sizes[type]);
        float f = (float)__cz_zoo_value(text, 20);
        double d = (double)__cz_zoo_value(text, 20);
        memcpy(element, type == CZ_F32 ? (void *)&f : type == CZ_F64 ? (void *)&d : &bits, sizes[type]);
    }
}

unsigned cz_choice(cz_path at, unsigned count)
{
    char text[1024];
    snprintf(text, sizeof text, "choice:%s", used(at & ~CZ_BEHIND, "choice:"));
    return (unsigned)__cz_zoo_value(text, 8) % count;
}

_Bool cz_present(cz_path at)
{
    char text[1024];
    snprintf(text, sizeof text, ",%s,", used(at, "shape:"));
    return !all_null && !strstr(absent, text);
}

// Exactly as large as asked for: the address sanitizer sees any access beyond it.
void *cz_new(cz_path at, unsigned long size, int bounded)
{
    (void)at, (void)bounded;
    return calloc(1, size);
}

void *cz_text(cz_path at, unsigned long length) { return cz_new(at, length + 1, 1); }
void *cz_absent(cz_path at) { (void)at; return NULL; }
_Bool cz_missing(cz_path at) { return !cz_present(at & ~CZ_BEHIND); }
void *cz_chosen(void *place) { return place; }
unsigned long cz_room(const void *from) { return from ? malloc_usable_size((void *)from) : 0; }
void cz_extent(const void *buffer, unsigned long long count, unsigned long unit)
{
    (void)buffer;
    (void)count;
    (void)unit;
}
void *cz_deep_null(cz_path at) { used(at, "deep "); return NULL; }
void *cz_stream(cz_path at) { used(at, "stream "); return stdout; }
void cz_exit(void) { longjmp(end_of_run, 1); }

int main(int argc, char **argv)
{
    all_null = argc > 1 && strcmp(argv[1], "null") == 0;
    if (argc > 1 && strncmp(argv[1], "absent", strlen("absent")) == 0)
        absent = argv[1] + strlen("absent");
    log_paths = argc > 1 && strcmp(argv[1], "log") == 0;
    for (unsigned t = 0; t < cz_task_count; t++) {
        if (argc > 2 && strcmp(argv[2], cz_tasks[t].name) != 0)
            continue;
        checked = 0;
        memset(stubs, 0, sizeof stubs);
        if (setjmp(end_of_run) == 0)
            cz_tasks[t].run();
        printf("%s checked %u\n", cz_tasks[t].name, checked);
        fflush(stdout);
    }
    return failed != 0;
}
