// SPDX-License-Identifier: Apache-2.0
// A 32-bit program is linked to an address of its own (HW_IMAGE), out of the way of the
// registers of devices and of what sanitizers use.
#include "program/data_model.h"

#include "wire/devices.h"
#include <string.h>

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

bool model_is_narrow(const char *const *flags)
{
    for (; flags && *flags; flags++)
        if (!strcmp(*flags, "-m32"))
            return true;
    return false;
}

const char *model_name(const struct program *program)
{
    return program->narrow ? "ilp32" : "lp64";
}

const char *const *model_link_flags(const struct program *program)
{
    static const char *const plain[] = {NULL};
    static const char *const narrow[] = {"-m32",
                                         "--rtlib=compiler-rt",
                                         "--unwindlib=none",
                                         "-no-pie",
                                         "-Wl,--image-base=" TEXT(HW_IMAGE_ADDRESS),
                                         "-l:libgcc_s.so.1",
                                         NULL};
    return program->narrow ? narrow : plain;
}

const char *model_parts(const struct program *program, const char *library, struct arena *arena)
{
    return program->narrow ? arena_printf(arena, "%s/ilp32", library)
                           : arena_strdup(arena, library);
}
