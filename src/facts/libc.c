// SPDX-License-Identifier: Apache-2.0
// What functions of the C library write, which of their arguments they return, free or
// call. Those of wire/libc.def that are not in the tables here write nothing that C code
// can name.
#include "facts/facts_internal.h"

#include <string.h>

// clang-format off
static const char *const known[] = {
#define FN(name, class, state) #name,
#include "wire/libc.def"
#undef FN
    "__errno_location", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc",
    "__assert_fail", "__assert", "_setjmp", "__sigsetjmp", "__stack_chk_fail", "__xpg_basename",
    "fprintf", "vfprintf", "dprintf", "localtime", "gmtime", "ctime", "asctime", "mktime",
    "strftime", "setlocale", "signal", "isatty", NULL};
// clang-format on

static bool in_list(const char *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

bool libc_known(const char *name)
{
    const struct libc_effect *effects;
    return in_list(known, name) || libc_effects(name, &effects) || libc_returns(name) != ~0u ||
           libc_scans_from(name) != ~0u || libc_frees(name) != ~0u;
}

struct row {
    const char *name;
    struct libc_effect effect;
};
#define NO ~0u
// Rows of one function stand together.
// clang-format off
static const struct row rows[] = {
    {"memcpy", {0, 0, 2}}, {"memmove", {0, 0, 2}}, {"mempcpy", {0, 0, 2}}, {"memset", {0, 0, 2}},
    {"bzero", {0, 0, 1}}, {"explicit_bzero", {0, 0, 1}}, {"bcopy", {1, 0, 2}},
    {"memccpy", {0, 0, 3}}, {"swab", {1, 0, 2}}, {"strcpy", {0, 0, NO}}, {"stpcpy", {0, 0, NO}},
    {"strncpy", {0, 0, 2}}, {"stpncpy", {0, 0, 2}}, {"strcat", {0, 0, NO}},
    {"strncat", {0, 0, NO}}, {"strlcpy", {0, 0, 2}}, {"strlcat", {0, 0, 2}},
    {"strxfrm", {0, 0, 2}}, {"strtok", {0, 0, NO}}, {"strtok_r", {0, 0, NO}},
    {"strtok_r", {2, 8, NO}}, {"strsep", {0, 8, NO}},
    {"strtol", {1, 8, NO}}, {"strtoul", {1, 8, NO}}, {"strtoll", {1, 8, NO}},
    {"strtoull", {1, 8, NO}}, {"strtoimax", {1, 8, NO}}, {"strtoumax", {1, 8, NO}},
    {"strtod", {1, 8, NO}}, {"strtof", {1, 8, NO}}, {"strtold", {1, 8, NO}},
    {"__isoc23_strtol", {1, 8, NO}}, {"__isoc23_strtoul", {1, 8, NO}},
    {"__isoc23_strtoll", {1, 8, NO}}, {"__isoc23_strtoull", {1, 8, NO}},
    {"qsort", {0, 0, NO}}, {"qsort_r", {0, 0, NO}},
    {"sprintf", {0, 0, NO}}, {"vsprintf", {0, 0, NO}}, {"snprintf", {0, 0, 1}},
    {"vsnprintf", {0, 0, 1}}, {"asprintf", {0, 8, NO}}, {"vasprintf", {0, 8, NO}},
    {"strftime", {0, 0, 1}}, {"fgets", {0, 0, 1}}, {"fgets_unlocked", {0, 0, 1}},
    {"gets", {0, 0, NO}}, {"fread", {0, 0, NO}}, {"fread_unlocked", {0, 0, NO}},
    {"read", {1, 0, 2}}, {"pread", {1, 0, 2}}, {"pread64", {1, 0, 2}}, {"recv", {1, 0, 2}},
    {"recvfrom", {1, 0, 2}}, {"getline", {0, 8, NO}}, {"getline", {1, 8, NO}},
    {"getdelim", {0, 8, NO}}, {"getdelim", {1, 8, NO}}, {"getcwd", {0, 0, 1}},
    {"readlink", {1, 0, 2}}, {"realpath", {1, 0, NO}}, {"gethostname", {0, 0, 1}},
    {"getrandom", {0, 0, 1}}, {"getentropy", {0, 0, 1}}, {"strerror_r", {1, 0, 2}},
    {"ctime_r", {1, 26, NO}}, {"asctime_r", {1, 26, NO}},
    {"time", {0, 8, NO}}, {"gettimeofday", {0, 16, NO}}, {"clock_gettime", {1, 16, NO}},
    {"localtime_r", {1, 56, NO}}, {"gmtime_r", {1, 56, NO}}, {"mktime", {0, 56, NO}},
    {"nanosleep", {1, 16, NO}}, {"times", {0, 32, NO}}, {"getrusage", {1, 144, NO}},
    {"getrlimit", {1, 16, NO}},
    {"stat", {1, 144, NO}}, {"lstat", {1, 144, NO}}, {"fstat", {1, 144, NO}},
    {"fstatat", {2, 144, NO}}, {"stat64", {1, 144, NO}}, {"lstat64", {1, 144, NO}},
    {"fstat64", {1, 144, NO}}, {"pipe", {0, 8, NO}}, {"pipe2", {0, 8, NO}},
    {"wait", {0, 4, NO}}, {"waitpid", {1, 4, NO}}, {"rand_r", {0, 4, NO}},
    {"frexp", {1, 4, NO}}, {"frexpf", {1, 4, NO}}, {"modf", {1, 8, NO}}, {"modff", {1, 4, NO}},
    {"remquo", {2, 4, NO}}, {"sincos", {1, 8, NO}}, {"sincos", {2, 8, NO}},
    {"fgetpos", {1, 16, NO}}, {"mbtowc", {0, 4, NO}}, {"mbrtowc", {0, 4, NO}},
    {"mbstowcs", {0, 0, NO}}, {"wcstombs", {0, 0, 2}}, {"wctomb", {0, 0, NO}},
    {"wcscpy", {0, 0, NO}}, {"wcscat", {0, 0, NO}}, {"wmemcpy", {0, 0, 2}},
    {"wmemset", {0, 0, 2}}, {"posix_memalign", {0, 8, NO}}, {"sigemptyset", {0, 128, NO}},
    {"sigfillset", {0, 128, NO}}, {"sigaddset", {0, 128, NO}}, {"sigaction", {2, 152, NO}},
    {"sigprocmask", {2, 128, NO}}, {"pthread_create", {0, 8, NO}}, {"select", {1, 128, NO}},
    {"select", {2, 128, NO}}, {"select", {3, 128, NO}}, {"poll", {0, 0, NO}},
    {"accept", {1, 0, NO}}, {"accept", {2, 4, NO}}, {"getsockopt", {3, 0, NO}},
    {"getsockopt", {4, 4, NO}}, {"open_memstream", {0, 8, NO}}, {"open_memstream", {1, 8, NO}},
    {"__memcpy_chk", {0, 0, 2}}, {"__memmove_chk", {0, 0, 2}}, {"__memset_chk", {0, 0, 2}},
    {"__strcpy_chk", {0, 0, NO}}, {"__strcat_chk", {0, 0, NO}}, {"__strncpy_chk", {0, 0, 2}},
    {"__sprintf_chk", {0, 0, NO}}, {"__snprintf_chk", {0, 0, 1}},
};
// clang-format on

size_t libc_effects(const char *name, const struct libc_effect **effects)
{
    static const struct libc_effect none;
    size_t count = 0;
    *effects = &none;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            count++;
            if (count == 1)
                *effects = &rows[i].effect;
        }
    }
    return count;
}

const struct libc_effect *libc_effect_next(const struct libc_effect *effect)
{
    const struct row *row =
        (const struct row *)((const char *)effect - offsetof(struct row, effect));
    return &row[1].effect;
}

struct role {
    const char *name;
    unsigned argument;
};

static unsigned look_up(const struct role *roles, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(roles[i].name, name) == 0)
            return roles[i].argument;
    return ~0u;
}
#define LOOK_UP(roles, name) look_up(roles, sizeof(roles) / sizeof *(roles), name)

unsigned libc_returns(const char *name)
{
    static const struct role roles[] = {
        {"memcpy", 0},  {"memmove", 0}, {"mempcpy", 0},  {"memset", 0},      {"strcpy", 0},
        {"stpcpy", 0},  {"strncpy", 0}, {"stpncpy", 0},  {"strcat", 0},      {"strncat", 0},
        {"strchr", 0},  {"strrchr", 0}, {"strstr", 0},   {"strpbrk", 0},     {"memchr", 0},
        {"memrchr", 0}, {"memmem", 0},  {"index", 0},    {"rindex", 0},      {"strchrnul", 0},
        {"fgets", 0},   {"strtok", 0},  {"strtok_r", 0}, {"strcasestr", 0},  {"rawmemchr", 0},
        {"bsearch", 1}, {"getcwd", 0},  {"realloc", 0},  {"localtime_r", 1}, {"gmtime_r", 1},
        {"lfind", 1},   {"lsearch", 1}, {"wcscpy", 0},   {"wcschr", 0},      {"reallocarray", 0},
    };
    return LOOK_UP(roles, name);
}

unsigned libc_scans_from(const char *name)
{
    static const struct role roles[] = {
        {"scanf", 1},          {"fscanf", 2},          {"sscanf", 2},
        {"__isoc99_scanf", 1}, {"__isoc99_fscanf", 2}, {"__isoc99_sscanf", 2},
        {"__isoc23_scanf", 1}, {"__isoc23_fscanf", 2}, {"__isoc23_sscanf", 2},
    };
    return LOOK_UP(roles, name);
}

unsigned libc_frees(const char *name)
{
    static const struct role roles[] = {
        {"free", 0}, {"cfree", 0}, {"realloc", 0}, {"reallocarray", 0}};
    return LOOK_UP(roles, name);
}

unsigned libc_calls(const char *name)
{
    static const struct role roles[] = {
        {"qsort", 3},   {"qsort_r", 3}, {"bsearch", 4},        {"lfind", 4},
        {"lsearch", 4}, {"atexit", 0},  {"pthread_create", 2}, {"on_exit", 0},
    };
    return LOOK_UP(roles, name);
}

const struct facts_function *facts_library(const char *name, size_t param_count,
                                           struct arena *arena)
{
    const struct libc_effect *effect;
    size_t total = libc_effects(name, &effect), count = 0;
    if (!total)
        return NULL;
    struct facts_write *writes = arena_array(arena, struct facts_write, total);
    for (size_t i = 0; i < total; i++, effect = libc_effect_next(effect)) {
        if (effect->argument >= param_count)
            continue;
        bool bounded = effect->length < param_count;
        writes[count++] =
            (struct facts_write){.way = {.parameter = effect->argument},
                                 .all = !effect->size,
                                 .to = effect->size * 8,
                                 .length = bounded ? effect->length : FACTS_NO_PARAMETER,
                                 .scale = 1};
    }
    struct facts_function *out = arena_new(arena, struct facts_function);
    *out = (struct facts_function){.name = name, .writes = writes, .write_count = count};
    return out;
}
