// SPDX-License-Identifier: Apache-2.0
// Flags that describe another machine. The code is built for this one, so they go; and
// where that machine has 32-bit pointers, as microcontrollers have, it is said, because
// `long`, pointers and what contains them have other sizes here.
#include "project/project.h"

#include <string.h>

static const char *const machine_flags[] = {
    "-mthumb", "-marm", "-mcpu=", "-mfpu=", "-mfloat-abi=", "-mabi=", "-mmcu=", "-mtune=",
    "-mlong-calls", "-mno-long-calls", "-mlittle-endian", "-mthumb-interwork", "-mno-thumb-interwork",
    "-mapcs", "-mslow-flash-data", "-munaligned-access", "-mno-unaligned-access", "-march=arm",
    "-march=thumb", "-march=rv", "-mcmse", "-mpure-code", "-mtc", "-mhard-float", "-msoft-float",
    "-mtext-section-literals", "-mlongcalls", "-mrelax", "-mcall-prologues", "-mcmodel=med",
    "--target=arm", "--target=thumb", "--target=riscv", "--target=avr", "--target=msp430",
    "--specs=", "-specs=", NULL};
static const char *const narrow_flags[] = {
    "-mthumb", "-mcpu=cortex-m", "-mcpu=cortex-r", "-mcpu=arm", "-mmcu=", "-march=armv6",
    "-march=armv7", "-march=armv8-m", "-march=armv8.1-m", "-march=rv32", "-mtc", "--target=arm",
    "--target=thumb", "--target=riscv32", "--target=avr", "--target=msp430", NULL};
static const char *const narrow_compilers[] = {
    "arm-none-eabi-", "armcc", "armclang", "iccarm", "avr-gcc", "tricore-", "cctc", "rl78-",
    "msp430-", "riscv32-", "xtensa-", "m68k-", "iccavr", "c51", "sdcc", NULL};

static bool begins_with_any(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strncmp(word, *list, strlen(*list)) == 0)
            return true;
    return false;
}

bool project_is_machine_flag(const char *word)
{
    return begins_with_any(word, machine_flags);
}

bool project_is_narrow(const char *const *words, size_t count, bool with_compiler)
{
    const char *slash = with_compiler && count ? strrchr(words[0], '/') : NULL;
    if (with_compiler && count && begins_with_any(slash ? slash + 1 : words[0], narrow_compilers))
        return true;
    for (size_t i = 0; i < count; i++)
        if (begins_with_any(words[i], narrow_flags))
            return true;
    return false;
}

const char *const *project_native_flags(const char *const *flags, struct arena *arena,
                                        const char **note)
{
    size_t count = 0, kept = 0;
    while (flags[count])
        count++;
    const char **out = arena_array(arena, const char *, count + 1), *dropped = "";
    for (size_t i = 0; i < count; i++) {
        if (project_is_machine_flag(flags[i]))
            dropped = arena_printf(arena, "%s %s", dropped, flags[i]);
        else
            out[kept++] = flags[i];
    }
    *note = *dropped ? arena_printf(arena, "dropped flags:%s%s", dropped,
                                    project_is_narrow(flags, count, false) ? PROJECT_NARROW : "")
                     : NULL;
    return out;
}
