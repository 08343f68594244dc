// SPDX-License-Identifier: Apache-2.0
// The data model that the flags for another machine mean. The code is built for this one, so
// they go (flags.c). Where that machine has 32-bit pointers, as microcontrollers have, it is built
// for i386: `long`, pointers and what contains them have the sizes that they have there. Floating
// point is that of SSE, because x87 computes with other precisions than the code asks for.
#include "project/project.h"

#include <stdio.h>
#include <string.h>

static const char *const narrow_flags[] = {
    "-mthumb",      "-mcpu=cortex-m",  "-mcpu=cortex-r", "-mcpu=arm",        "-mmcu=",
    "-march=armv6", "-march=armv7",    "-march=armv8-m", "-march=armv8.1-m", "-march=rv32",
    "-mtc",         "--target=arm-",   "--target=armv",  "--target=thumb",   "--target=riscv32",
    "--target=avr", "--target=msp430", "--target=i386",  "--target=i686",    NULL};
static const char *const narrow_compilers[] = {
    "arm-none-eabi-", "armcc",    "armclang", "iccarm", "avr-gcc", "tricore-", "cctc", "rl78-",
    "msp430-",        "riscv32-", "xtensa-",  "m68k-",  "iccavr",  "c51",      "sdcc", NULL};
// Of them, those with an int of 16 bits.
static const char *const small_flags[] = {"-mmcu=", "--target=avr", "--target=msp430", NULL};
static const char *const small_compilers[] = {"avr-gcc", "rl78-", "msp430-", "iccavr",
                                              "c51",     "sdcc",  NULL};
// ... and those that align 64-bit members to eight bytes and whose char is unsigned.
static const char *const as_arm_flags[] = {
    "-mthumb",       "-mcpu=cortex-", "-mcpu=arm",      "-march=armv",      "-march=rv32",
    "--target=arm-", "--target=armv", "--target=thumb", "--target=riscv32", NULL};
static const char *const as_arm_compilers[] = {"arm-none-eabi-", "armcc",   "armclang", "iccarm",
                                               "riscv32-",       "xtensa-", NULL};
static const char *const short_compilers[] = {"arm-none-eabi-", "armcc", "iccarm", NULL};
static const char *const no_flags[] = {NULL};
// Debian's asm/ headers are the same for both kinds of x86 and in one place (as in the Makefile).
static const char *const ilp32_flags[] = {
    "-m32", "-msse2", "-mfpmath=sse", "-idirafter", "/usr/include/x86_64-linux-gnu", NULL};

static bool begins_with_any(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strncmp(word, *list, strlen(*list)) == 0)
            return true;
    return false;
}

// In any of the words (-target is followed by its value), or in the compiler's name.
static bool says(const char *const *words, size_t count, bool with_compiler,
                 const char *const *flags, const char *const *compilers)
{
    const char *slash = with_compiler && count ? strrchr(words[0], '/') : NULL;
    if (with_compiler && count && begins_with_any(slash ? slash + 1 : words[0], compilers))
        return true;
    for (size_t i = 0; i < count; i++) {
        char joined[64] = "";
        if (!strcmp(words[i], "-target") && i + 1 < count)
            snprintf(joined, sizeof joined, "--target=%s", words[i + 1]);
        if (begins_with_any(*joined ? joined : words[i], flags))
            return true;
    }
    return false;
}

static bool is_width(const char *word)
{
    return !strcmp(word, "-m32") || !strcmp(word, "-m64") || !strcmp(word, "-mx32");
}

struct project_model project_choose_model(const char *const *words, size_t count,
                                          bool with_compiler, const char *model)
{
    bool other = says(words, count, with_compiler, narrow_flags, narrow_compilers), asked = false;
    bool small = says(words, count, with_compiler, small_flags, small_compilers);
    for (size_t i = 0; i < count; i++)
        if (is_width(words[i])) // the last one counts
            asked = strcmp(words[i], "-m64") != 0;
    bool narrow = !strcmp(model, "ilp32") || (strcmp(model, "lp64") != 0 && (other || asked));
    const char *text = narrow ? (small ? PROJECT_SMALL : PROJECT_ILP32) : PROJECT_LP64;
    bool as_arm = narrow && says(words, count, with_compiler, as_arm_flags, as_arm_compilers);
    bool short_enums = narrow && says(words, count, with_compiler, no_flags, short_compilers);
    return (struct project_model){narrow, as_arm, short_enums,
                                  other || (asked && !narrow) ? text : ""};
}

const char *const *project_apply_model(const char *const *flags, struct project_model model,
                                       struct arena *arena)
{
    size_t count = 0, kept = 0;
    while (flags && flags[count])
        count++;
    const char **out =
        arena_array(arena, const char *, count + sizeof ilp32_flags / sizeof *ilp32_flags + 3);
    if (model.as_arm) // unless a flag of the user's says otherwise
        out[kept++] = "-funsigned-char";
    if (model.short_enums)
        out[kept++] = "-fshort-enums";
    for (size_t i = 0; i < count; i++)
        if (!is_width(flags[i]))
            out[kept++] = flags[i];
    for (size_t i = 0; model.narrow && ilp32_flags[i]; i++)
        out[kept++] = ilp32_flags[i];
    if (model.as_arm)
        out[kept++] = "-malign-double";
    return out;
}
