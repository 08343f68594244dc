// SPDX-License-Identifier: Apache-2.0
// One table of prefixes, searched in order; a flag in no line is kept, a word that
// is no flag names an input and is not.
#include "project/clean_flags.h"

#include "base/vec.h"
#include <string.h>

enum use { KEEP, DROP };

struct rule {
    const char *text;
    enum use use;
    bool exact;    // the whole flag, not a prefix
    bool argument; // when it stands alone, the next word belongs to it
};

static const struct rule rules[] = {
    {"-include", KEEP, true, true},
    {"-imacros", KEEP, true, true},
    {"-isystem", KEEP, false, true},
    {"-iquote", KEEP, false, true},
    {"-idirafter", KEEP, false, true},
    {"-isysroot", KEEP, false, true},
    {"-iprefix", KEEP, true, true},
    {"-iwithprefix", KEEP, false, true},
    {"--sysroot", KEEP, true, true},
    {"-Wp,", KEEP, false, false},
    {"-I", KEEP, false, true},
    {"-D", KEEP, false, true},
    {"-U", KEEP, false, true},
    {"-Xpreprocessor", KEEP, true, true},
    {"-target", KEEP, true, true},
    {"-Xclang", KEEP, true, true},
    {"-mllvm", KEEP, true, true},
    {"--param", KEEP, true, true},
    {"-l", DROP, false, true},
    {"-L", DROP, false, true},
    {"-o", DROP, false, true},
    {"-x", DROP, false, true},
    {"-MF", DROP, false, true},
    {"-MT", DROP, false, true},
    {"-MQ", DROP, false, true},
    {"-MJ", DROP, false, true},
    {"-M", DROP, false, false},
    {"-T", DROP, false, true},
    {"-Xlinker", DROP, true, true},
    {"-c", DROP, true, false},
    {"-S", DROP, true, false},
    {"-E", DROP, true, false},
    {"-P", DROP, true, false},
    {"-C", DROP, true, false},
    {"-r", DROP, true, false},
    {"-s", DROP, true, false},
    {"-v", DROP, true, false},
    {"-O", DROP, false, false},
    {"-W", DROP, false, false}, // also -Wl, and -Wa,
    {"-pedantic", DROP, false, false},
    {"-flto", DROP, false, false},
    {"-fsanitize", DROP, false, false},
    {"-fprofile", DROP, false, false},
    {"-fcoverage", DROP, false, false},
    {"-ftest-coverage", DROP, true, false},
    {"--coverage", DROP, true, false},
    {"-fsyntax-only", DROP, true, false},
    {"-save-temps", DROP, false, false},
    {"-emit-llvm", DROP, true, false},
    {"-static", DROP, true, false},
    {"-shared", DROP, true, false},
    {"-nostdlib", DROP, true, false},
    {"-nostartfiles", DROP, true, false},
    {"-nodefaultlibs", DROP, true, false},
    {"--", DROP, true, false},
};

static const struct rule *find_rule(const char *flag)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *rule = &rules[i];
        if (rule->exact ? strcmp(flag, rule->text) == 0
                        : strncmp(flag, rule->text, strlen(rule->text)) == 0)
            return rule;
    }
    return NULL;
}

void clean_flags_select(const char *const *user, struct clean_flags *out)
{
    for (; user && *user; user++) {
        const struct rule *rule = find_rule(*user);
        bool kept = rule ? rule->use == KEEP : **user == '-';
        bool takes_next = rule && rule->argument && strcmp(*user, rule->text) == 0 && user[1];
        if (kept)
            *VEC_PUSH(out) = *user;
        if (kept && takes_next)
            *VEC_PUSH(out) = user[1];
        user += takes_next;
    }
}
