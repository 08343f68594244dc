// SPDX-License-Identifier: Apache-2.0
// The user's compiler flags serve two purposes here. Preprocessing needs all of
// them except those that choose outputs. Compiling the preprocessed text needs
// only those that change the language or the target: macros and include paths
// are already applied, and optimisation, debugging, warnings and
// instrumentation are chosen by whoever compiles the text.
#include "frontend/frontend_internal.h"

#include "base/fs.h"
#include <stdlib.h>
#include <string.h>

enum flag_use { FLAG_DROP, FLAG_PREPROCESS, FLAG_BOTH };

struct flag_rule {
    const char *prefix;
    enum flag_use use;
    bool takes_value; // the value is the next argument when the flag is exactly the prefix
};

// The first rule whose prefix fits decides.
static const struct flag_rule rules[] = {
    {"-o", FLAG_DROP, true},
    {"-c", FLAG_DROP, false},
    {"-S", FLAG_DROP, false},
    {"-E", FLAG_DROP, false},
    {"-x", FLAG_DROP, true},
    {"-MF", FLAG_DROP, true},
    {"-MT", FLAG_DROP, true},
    {"-MQ", FLAG_DROP, true},
    {"-MJ", FLAG_DROP, true},
    {"-M", FLAG_DROP, false},
    {"-save-temps", FLAG_DROP, false},
    {"--save-temps", FLAG_DROP, false},
    {"-Werror", FLAG_DROP, false},
    {"-pedantic-errors", FLAG_DROP, false},
    {"-Wno-", FLAG_BOTH, false},
    {"-Wl,", FLAG_DROP, false},
    {"-W", FLAG_DROP, false},
    {"-pedantic", FLAG_DROP, false},
    {"-w", FLAG_DROP, false},
    {"-l", FLAG_DROP, true},
    {"-L", FLAG_DROP, true},
    {"-I", FLAG_PREPROCESS, true},
    {"-D", FLAG_PREPROCESS, true},
    {"-U", FLAG_PREPROCESS, true},
    {"-imacros", FLAG_PREPROCESS, true},
    {"-include", FLAG_PREPROCESS, true},
    {"-isystem", FLAG_PREPROCESS, true},
    {"-iquote", FLAG_PREPROCESS, true},
    {"-idirafter", FLAG_PREPROCESS, true},
    {"-iprefix", FLAG_PREPROCESS, true},
    {"-iwithprefix", FLAG_PREPROCESS, true},
    {"-isysroot", FLAG_PREPROCESS, true},
    {"--sysroot", FLAG_BOTH, true},
    {"-target", FLAG_BOTH, true},
    {"--target", FLAG_BOTH, true},
    {"-Xclang", FLAG_DROP, true},
    {"-mllvm", FLAG_DROP, true},
    {"--param", FLAG_DROP, true},
    {"-Xlinker", FLAG_DROP, true},
    {"-Xassembler", FLAG_DROP, true},
    {"-T", FLAG_DROP, true},
    {"-fsanitize", FLAG_PREPROCESS, false}, // __has_feature(address_sanitizer)
    {"-fno-sanitize", FLAG_PREPROCESS, false},
    {"-fprofile", FLAG_DROP, false},
    {"-fcoverage", FLAG_DROP, false},
    {"-fcs-profile", FLAG_DROP, false},
    {"-ftest-coverage", FLAG_DROP, false},
    {"--coverage", FLAG_DROP, false},
    {"-flto", FLAG_DROP, false},
    {"-fplugin", FLAG_DROP, false},
    {"-fdiagnostics", FLAG_DROP, false},
    {"-fcolor-diagnostics", FLAG_DROP, false},
    {"-fsyntax-only", FLAG_DROP, false},
    {"-fdebug", FLAG_DROP, false},
    {"-fmessage-length", FLAG_DROP, false},
    {"-fPI", FLAG_PREPROCESS, false}, // __PIC__; the target is linked as PIE
    {"-fpi", FLAG_PREPROCESS, false},
    {"-fno-pi", FLAG_PREPROCESS, false},
    {"-fno-PI", FLAG_PREPROCESS, false},
    {"-std", FLAG_BOTH, false},
    {"--std", FLAG_BOTH, false},
    {"-ansi", FLAG_BOTH, false},
    {"-f", FLAG_BOTH, false},
    {"-m", FLAG_BOTH, false},
    {"-pthread", FLAG_BOTH, false},
    {"-O", FLAG_PREPROCESS, false}, // __OPTIMIZE__
    {"-g", FLAG_DROP, false},
    {"-", FLAG_PREPROCESS, false},
};

static const struct flag_rule *find_rule(const char *flag)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strncmp(flag, rules[i].prefix, strlen(rules[i].prefix)) == 0)
            return &rules[i];
    return NULL; // an input file
}

size_t flags_count(const char *const *flags)
{
    size_t count = 0;
    while (flags && flags[count])
        count++;
    return count;
}

static const char **select_flags(struct arena *arena, const char *const *flags, enum flag_use least,
                                 const char *const *extra)
{
    size_t total = flags_count(flags) + flags_count(extra) + 1, count = 0;
    const char **out = arena_array(arena, const char *, total);
    for (; flags && *flags; flags++) {
        const struct flag_rule *rule = find_rule(*flags);
        bool separate = rule && rule->takes_value && strcmp(*flags, rule->prefix) == 0 && flags[1];
        bool keep = rule && rule->use >= least;
        if (keep)
            out[count++] = arena_strdup(arena, *flags);
        if (separate && keep)
            out[count++] = arena_strdup(arena, flags[1]);
        flags += separate;
    }
    for (; *extra; extra++)
        out[count++] = *extra;
    return out;
}

const char **flags_for_preprocessing(struct arena *arena, const char *const *flags)
{
    char *library = fs_library_dir(); // cz/cadenza.h is there
    const char *include = arena_printf(arena, "%s/include", library);
    const char *const extra[] = {"-w",
                                 "-Qunused-arguments",
                                 "-fbracket-depth=16384",
                                 "-D__CADENZA__=1",
                                 "-idirafter",
                                 include,
                                 NULL};
    free(library);
    return select_flags(arena, flags, FLAG_PREPROCESS, extra);
}

// The text is preprocessed once more when it is compiled, and GNU mode predefines
// two ordinary identifiers. The wrappers nest brackets deeper than the user did.
const char **flags_for_text(struct arena *arena, const char *const *flags)
{
    static const char *const extra[] = {"-w",     "-Qunused-arguments",    "-Ulinux",
                                        "-Uunix", "-fbracket-depth=16384", NULL};
    return select_flags(arena, flags, FLAG_BOTH, extra);
}

bool flags_gnu89_inline(const char *const *flags)
{
    bool gnu89 = false;
    for (; flags && *flags; flags++) {
        const char *standard = strstr(*flags, "std=");
        if (standard && (*flags)[0] == '-')
            gnu89 = strstr(standard, "89") || strstr(standard, "90");
        else if (strcmp(*flags, "-ansi") == 0 || strcmp(*flags, "-fgnu89-inline") == 0)
            gnu89 = true;
        else if (strcmp(*flags, "-fno-gnu89-inline") == 0)
            gnu89 = false;
    }
    return gnu89;
}
