// SPDX-License-Identifier: Apache-2.0
// Under MemorySanitizer a test goes on after a report. A loop would report the same place
// in every turn: each is told once. Only the build with that sanitizer links this file.
#include <errno.h>
#include <stdint.h>

#define PLACES 4096 // a power of two

void __wrap___msan_warning_with_origin(uint32_t origin);
void __real___msan_warning_with_origin(uint32_t origin);
void __wrap___msan_warning(void);
void __real___msan_warning(void);

static uintptr_t told[PLACES];

static int is_new(uintptr_t place)
{
    uintptr_t slot = place * 0x9E3779B9u >> 7;
    for (unsigned i = 0; i < 16; i++) {
        uintptr_t *at = &told[(slot + i) % PLACES];
        if (*at == place)
            return 0;
        if (*at == 0) {
            *at = place;
            return 1;
        }
    }
    return 0; // very many: they have told enough
}

void __wrap___msan_warning_with_origin(uint32_t origin)
{
    int error = errno;
    if (is_new((uintptr_t)__builtin_return_address(0)))
        __real___msan_warning_with_origin(origin);
    errno = error;
}

void __wrap___msan_warning(void)
{
    int error = errno;
    if (is_new((uintptr_t)__builtin_return_address(0)))
        __real___msan_warning();
    errno = error;
}
