// SPDX-License-Identifier: Apache-2.0
// Allocations of the code under test in a clean build: whether one fails is an input of
// the test, as in the engine (stub:malloc#2:fails). The linker's --wrap sends every
// call of these functions in the executable here; calls that are not the unit's own
// (before and after the task) pass through.
#include "replay_runtime.h"
#include <errno.h>
#include <stdint.h>
#include <string.h>

volatile bool replay_running;

static bool refused(const char *function)
{
    if (!replay_running)
        return false;
    replay_running = false; // what the lookup allocates is not the unit's
    bool fails = replay_allocation_fails(function);
    replay_running = true;
    if (fails)
        errno = ENOMEM;
    return fails;
}

void __msan_poison(const volatile void *memory, size_t size) __attribute__((weak));

// Zeroed, as in the engine: a test that reads fresh memory must not depend on chance. For
// MemorySanitizer, where it is there, that is no initialisation.
void *__wrap_malloc(size_t size)
{
    void *got = refused("malloc") ? NULL : __real_calloc(1, size);
    if (got && replay_running && &__msan_poison)
        __msan_poison(got, size);
    return got;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refused("calloc") ? NULL : __real_calloc(count, size);
}

// What was freed is not looked at when the test has run.
void __wrap_free(void *pointer)
{
    replay_observe_freed(pointer);
    __real_free(pointer);
}

void *__wrap_realloc(void *pointer, size_t size)
{
    if (!pointer)
        return __wrap_malloc(size);
    replay_observe_freed(pointer);
    return size && refused("realloc") ? NULL : __real_realloc(pointer, size);
}

void *__wrap_reallocarray(void *pointer, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX) {
        errno = ENOMEM;
        return NULL;
    }
    return __wrap_realloc(pointer, bytes);
}

char *__wrap_strndup(const char *text, size_t limit)
{
    size_t length = strnlen(text, limit);
    char *copy = __wrap_malloc(length + 1);
    if (!copy)
        return NULL;
    copy[length] = '\0';
    return memcpy(copy, text, length);
}

char *__wrap_strdup(const char *text)
{
    return __wrap_strndup(text, strlen(text));
}

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__real_memalign(size_t alignment, size_t size);
void *__real_valloc(size_t size);
int __real_posix_memalign(void **to, size_t alignment, size_t size);

static void *zeroed(void *memory, size_t size)
{
    return memory && replay_running ? memset(memory, 0, size) : memory;
}

static bool is_power(size_t alignment)
{
    return alignment && !(alignment & (alignment - 1));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    bool fails = is_power(alignment) && refused("aligned_alloc");
    return fails ? NULL : zeroed(__real_aligned_alloc(alignment, size), size);
}

void *__wrap_memalign(size_t alignment, size_t size)
{
    bool fails = is_power(alignment) && refused("memalign");
    return fails ? NULL : zeroed(__real_memalign(alignment, size), size);
}

void *__wrap_valloc(size_t size)
{
    return refused("valloc") ? NULL : zeroed(__real_valloc(size), size);
}

int __wrap_posix_memalign(void **to, size_t alignment, size_t size)
{
    if (is_power(alignment) && alignment >= sizeof(void *) && refused("posix_memalign"))
        return ENOMEM;
    int result = __real_posix_memalign(to, alignment, size);
    if (result == 0)
        zeroed(*to, size);
    return result;
}
