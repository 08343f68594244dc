// SPDX-License-Identifier: Apache-2.0
// The data model that the flags for another machine mean. The code is built for this one, so
// they go (translate.c). Where that machine has 32-bit pointers, as microcontrollers have, it is
// built for i386: `long`, pointers and what contains them have the sizes that they have there.
// Floating point is that of SSE, because x87 computes with other precisions than the code asks for.
#include "project/project.h"

#include "flags/flags.h"
#include <string.h>

static bool is_width(const char *word)
{
    return flag_find(word)->fate == FLAG_MODEL;
}

struct project_model project_choose_model(const char *const *words, size_t count,
                                          bool with_compiler, enum project_width width)
{
    unsigned machine = flags_machine(words, count);
    if (with_compiler && count)
        machine |= flags_compiler_machine(words[0]);
    bool other = machine & FLAG_NARROW, small = machine & FLAG_SMALL, asked = false;
    for (size_t i = 0; i < count; i++)
        if (is_width(words[i])) // the last one counts
            asked = strcmp(words[i], "-m64") != 0;
    bool narrow = width == PROJECT_WIDTH_32 || (width == PROJECT_WIDTH_AUTO && (other || asked));
    const char *text = narrow ? (small ? PROJECT_SMALL : PROJECT_ILP32) : PROJECT_LP64;
    return (struct project_model){narrow, narrow && machine & FLAG_ARM,
                                  narrow && machine & FLAG_SHORT_ENUMS,
                                  other || (asked && !narrow) ? text : ""};
}

const char *const *project_apply_model(const char *const *flags, struct project_model model,
                                       struct arena *arena)
{
    struct flag_list out = {0};
    if (model.as_arm) // unless a flag of the user's says otherwise
        *VEC_PUSH(&out) = "-funsigned-char";
    if (model.short_enums)
        *VEC_PUSH(&out) = "-fshort-enums";
    for (; flags && *flags; flags++)
        if (!is_width(*flags))
            *VEC_PUSH(&out) = *flags;
    if (model.narrow)
        flags_ilp32(&out);
    if (model.as_arm)
        *VEC_PUSH(&out) = "-malign-double";
    return flags_finish(&out, arena);
}
