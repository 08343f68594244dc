// SPDX-License-Identifier: Apache-2.0
// Which words of a compiler command reach our clang. Kept is what changes the meaning
// of the source: macros, include paths, language options, instruction sets of this machine.
// What is about warnings, optimisation, debugging, dependencies, linking and sanitizers is
// dropped silently. Whatever is left (flags of other machines, plugins, specs, what we do not
// know) may change what the code means where it comes from: it is dropped, too, and listed.
#include "project/project.h"

#include "base/buf.h"
#include "base/fs.h"
#include <string.h>

// In these tables a name stands for the whole word, or for its beginning when it ends in *.

// Options whose value is a path, joined or as the next word.
// clang-format off
static const char *const path_options[] = {"-I",         "-isystem", "-iquote",   "-idirafter",
                                           "-include",   "-imacros", "-isysroot", "--sysroot=",
                                           "--sysroot",  NULL};
// clang-format on
// clang-format off
static const char *const kept[] = {
    "-D*", "-U*", "-std=*", "--std=*", "-ansi", "-trigraphs", "-fshort-enums", "-fno-short-enums",
    "-funsigned-char", "-fno-unsigned-char", "-fsigned-char", "-fno-signed-char",
    "-funsigned-bitfields", "-fsigned-bitfields", "-fshort-wchar", "-fno-short-wchar",
    "-fpack-struct*", "-ffreestanding", "-fhosted", "-fno-builtin*", "-fms-extensions",
    "-fno-ms-extensions", "-fgnu89-inline", "-fno-gnu89-inline", "-fcommon", "-fno-common",
    "-fwrapv", "-fno-strict-overflow", "-fno-strict-aliasing", "-pthread", "-nostdinc",
    "-fblocks", "-fexec-charset=UTF-8", "-fexec-charset=utf-8", "-finput-charset=UTF-8",
    "-finput-charset=utf-8", "-fno-asm",
    "-fasm", "-fgnu-keywords", "-fno-gnu-keywords", "-fdollars-in-identifiers",
    "-fno-dollars-in-identifiers", "-flax-vector-conversions*", "-fstrict-flex-arrays=*",
    "-ffp-contract=off", "-ffp-contract=on", "-ffp-contract=fast", NULL};
// clang-format on
// Instruction sets of this machine: their intrinsics do not compile without.
// clang-format off
static const char *const native[] = {
    "-msse", "-msse2", "-msse3", "-msse4", "-msse4.1", "-msse4.2", "-msse4a", "-mno-sse",
    "-mno-sse2", "-mno-sse3", "-mno-sse4", "-mno-sse4.1", "-mno-sse4.2", "-mssse3", "-mno-ssse3",
    "-mavx", "-mavx2", "-mno-avx", "-mno-avx2", "-mavx512f", "-mavx512cd", "-mavx512dq",
    "-mavx512bw", "-mavx512vl", "-mavx512ifma", "-mavx512vbmi", "-mavx512vbmi2", "-mavx512vnni",
    "-mavx512bitalg", "-mavx512vpopcntdq", "-mavxvnni", "-mno-avx512f", "-mmmx", "-mfma*",
    "-mbmi*", "-mpopcnt", "-mlzcnt", "-maes", "-mvaes", "-mpclmul", "-mvpclmulqdq", "-mf16c",
    "-mrdrnd", "-mrdseed", "-msha*", "-madx", "-mmovbe", "-mcx16", "-mfpmath=sse",
    "-march=native", "-march=x86-64*", "-march=core*", "-march=nehalem", "-march=westmere",
    "-march=sandybridge", "-march=ivybridge", "-march=haswell", "-march=broadwell",
    "-march=skylake*", "-march=icelake*", "-march=znver*", NULL};
// clang-format on
// Dropped together with the next word: silently, and to be listed.
// clang-format off
static const char *const two_words[] = {"-o", "-MF", "-MT", "-MQ", "-MJ", "-Xlinker",
                                        "-Xassembler", "-T", "-u", "-L", "-l", "-x", "-aux-info",
                                        "-dumpbase", "-dumpdir", "--param", "-z", NULL};
// clang-format on
// clang-format off
static const char *const two_words_listed[] = {"-Xclang", "-Xpreprocessor", "-mllvm", "-arch",
                                               "-target", "-iprefix", "-iwithprefix",
                                               "-iwithprefixbefore", "-specs", "--specs", NULL};
// clang-format on
// clang-format off
static const char *const harmless[] = {
    "-c", "-S", "-E", "-W*", "-w", "-g*", "-O*", "-M*", "-pipe", "-pedantic*", "-v", "-save-temps*",
    "--save-temps*", "-L*", "-l*", "-P", "-C", "-Q*", "-p", "-pg", "-pie", "-no-pie", "-static-pie",
    "-shared*", "-static*", "-rdynamic", "-s", "-no-canonical-prefixes", "-nostdlib",
    "-nodefaultlibs", "-nostartfiles", "-###", "-time*", "-dumpdir*", "-dumpbase*", "-m32", "-m64",
    "-mx32", "-mtune=*", "-mred-zone", "-mno-red-zone", "-mcmodel=*", "-momit-leaf-frame-pointer",
    "-mno-omit-leaf-frame-pointer", "-mfentry", "-mpreferred-stack-boundary=*", "-mrecord-mcount",
    "-mstackrealign", "-mindirect-branch*", "-mfunction-return=*", "-mharden-sls=*", "-mretpoline*",
    "--param=*", "--coverage", "-coverage", "-T*", "-z*", "--target=x86_64*", "-driver-mode=*",
    "--driver-mode=*", NULL};
// clang-format on
// The same of flags that begin with -f or -fno-: how code is generated, optimised, laid out,
// watched or reported, not what it means.
// clang-format off
static const char *const harmless_f[] = {
    "PIC", "PIE", "abi-version=*", "aggressive-*", "align-*", "allocation-dce",
    "allow-store-data-races", "analyzer*", "ansi-escape-codes", "asan-*",
    "asynchronous-unwind-tables", "auto-*", "bit-tests", "branch-*", "btr-*", "builtin",
    "caller-saves", "callgraph-info*", "canonical-system-headers", "caret-diagnostics",
    "cf-protection*", "check-data-deps", "check-new", "checking*", "code-hoisting",
    "color-diagnostics", "combine-stack*", "compare-debug*", "compare-elim", "conserve-stack",
    "coverage*", "cprop*", "crash-diagnostics*", "crossjumping", "cse-*", "cx-*", "data-sections",
    "dbg-cnt*", "dce", "debug-*", "defer-pop", "delayed-branch", "delete-*", "devirtualize*",
    "diagnostics-*", "directives-only", "dse", "dump-*", "dwarf*", "early-inlining", "eliminate-*",
    "emit-*", "exceptions", "expensive-optimizations", "extended-identifiers", "fat-lto-objects",
    "file-prefix-map=*", "finite-loops", "fold-*", "forward-propagate", "fp-int-builtin-inexact",
    "function-cse", "function-sections", "gcse*", "gnu-unique", "graphite*", "guess-*", "harden-*",
    "hardened", "hoist-*", "ident", "if-conversion*", "indirect-inlining", "inhibit-size-directive",
    "inline*", "instrument-*", "integrated-as", "integrated-cc1", "ipa-*", "ira-*", "isolate-*",
    "ivopts", "jump-tables", "keep-*", "large-source-files", "leading-underscore", "lifetime-dse*",
    "limit-*", "live-*", "loop-*", "lra-*", "lto*", "macro-prefix-map=*", "math-errno",
    "max-errors=*", "max-include-depth=*", "mem-report*", "merge-*", "message-length=*", "modules*",
    "modulo-*", "move-*", "non-call-exceptions", "nothrow-opt", "omit-frame-pointer", "opt-info*",
    "optimize-*", "partial-*", "patchable-*", "pch-*", "peel-loops", "peephole*", "pic", "pie",
    "plt", "post-ipa*", "predictive-*", "prefetch-*", "preprocessed", "printf-return-value",
    "profile*", "random-seed", "random-seed=*", "record-*", "ree", "regmove", "rename-registers",
    "reorder-*", "report-bug", "reproducible", "rerun-*", "reschedule-*", "rtti", "sanitize*",
    "save-*", "sched*", "section-anchors", "sel-*", "selective-*", "semantic-interposition",
    "show-column", "shrink-wrap*", "simd-*", "spell-checking", "split-*", "ssa-*", "stack-*",
    "stdarg-opt", "store-merging", "strength-reduce", "strict-aliasing", "strict-enums",
    "strict-overflow", "strict-volatile-bitfields", "sync-libcalls", "syntax-only", "tabstop=*",
    "test-coverage", "thread-jumps", "threadsafe-statics", "time-report*", "tls-model=*",
    "toplevel-reorder", "tracer", "track-macro-expansion*", "trampolines", "trapping-math",
    "tree-*", "unconstrained-commons", "unit-at-a-time", "unroll-*", "unsafe-loop-optimizations",
    "unswitch-loops", "unwind-tables", "use-ld=*", "use-linker-plugin", "var-tracking*",
    "variable-expansion*", "vect-*", "verbose-asm", "version*", "visibility*", "vpt",
    "vtable-verify=*", "vtv-*", "web", "whole-program", "working-directory", "working-directory=*",
    "wpa*", "zero-call-used-regs=*", "zero-initialized-in-bss", NULL};
// clang-format on

static bool is_one_of(const char *const *list, const char *word)
{
    for (; *list; list++) {
        size_t length = strlen(*list);
        if ((*list)[length - 1] == '*' ? strncmp(*list, word, length - 1) == 0
                                       : strcmp(*list, word) == 0)
            return true;
    }
    return false;
}

static bool is_harmless(const char *word)
{
    if (strncmp(word, "-f", 2) != 0)
        return is_one_of(harmless, word);
    return is_one_of(harmless_f, word + (strncmp(word, "-fno-", 5) == 0 ? 5 : 2));
}

static const char *absolute(const char *path, const char *directory, struct arena *arena)
{
    return *path == '/' ? path : arena_printf(arena, "%s/%s", directory, path);
}

// A file that is included is looked for in the directory of the command, then as a header.
static const char *path_of(const char *option, const char *path, const char *directory,
                           struct arena *arena)
{
    const char *here = absolute(path, directory, arena);
    bool is_header = !strcmp(option, "-include") || !strcmp(option, "-imacros");
    return is_header && !fs_exists(here) ? path : here;
}

typedef VEC(const char *) word_list;

struct translation {
    struct arena *arena;
    const char *directory;
    bool with_files; // words that are no flags belong there
    word_list out, dropped;
};

// An option with a path: returns how many words it took, 0 when it is none.
static size_t take_path(struct translation *t, const char *const *words, size_t left)
{
    for (const char *const *option = path_options; *option; option++) {
        size_t length = strlen(*option);
        if (strncmp(words[0], *option, length) != 0)
            continue;
        if (words[0][length] == '\0' && (*option)[length - 1] != '=') {
            if (left < 2)
                return 1;
            *VEC_PUSH(&t->out) = *option;
            *VEC_PUSH(&t->out) = path_of(*option, words[1], t->directory, t->arena);
            return 2;
        }
        if (!strcmp(*option, "--sysroot") || !strncmp(words[0], "-include-pch", 12))
            continue; // joined with =, and another option
        *VEC_PUSH(&t->out) = arena_printf(
            t->arena, "%s%s", *option, path_of(*option, words[0] + length, t->directory, t->arena));
        return 1;
    }
    return 0;
}

// Two words, of which the second is the first one's value. 0: it is another kind of flag.
static size_t take_pair(struct translation *t, const char *const *words, size_t left)
{
    bool macro = !strcmp(words[0], "-D") || !strcmp(words[0], "-U");
    bool listed = is_one_of(two_words_listed, words[0]);
    if (!macro && !listed && !is_one_of(two_words, words[0]))
        return 0;
    if (left < 2)
        return 1;
    if (macro) {
        *VEC_PUSH(&t->out) = words[0];
        *VEC_PUSH(&t->out) = words[1];
    } else if (listed) {
        *VEC_PUSH(&t->dropped) = arena_printf(t->arena, "%s %s", words[0], words[1]);
    }
    return 2;
}

static size_t take_word(struct translation *t, const char *const *words, size_t left);

// -Wp,-DA=1,-DB=2
static void take_preprocessors(struct translation *t, const char *list)
{
    word_list words = {0};
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        *VEC_PUSH(&words) = arena_strndup(t->arena, at, length);
        at += length + (at[length] == ',');
    }
    for (size_t i = 0; i < words.count;)
        i += take_word(t, words.items + i, words.count - i);
    VEC_RELEASE(&words);
}

static size_t take_word(struct translation *t, const char *const *words, size_t left)
{
    const char *word = words[0];
    size_t taken = take_pair(t, words, left);
    taken = taken ? taken : take_path(t, words, left);
    if (taken)
        return taken;
    if (is_one_of(kept, word) || is_one_of(native, word))
        *VEC_PUSH(&t->out) = word;
    else if (!strncmp(word, "-Wp,", 4))
        take_preprocessors(t, word + 4);
    else if (!strcmp(word, "-fstrict-flex-arrays")) // clang wants the level
        *VEC_PUSH(&t->out) = "-fstrict-flex-arrays=3";
    else if (!strcmp(word, "-fplan9-extensions")) // of which clang knows these
        *VEC_PUSH(&t->out) = "-fms-extensions";
    else if (word[0] == '-' ? !is_harmless(word) : !t->with_files)
        *VEC_PUSH(&t->dropped) = word;
    return 1;
}

static const char *const *finish_list(word_list *list, struct arena *arena)
{
    const char **out = arena_array(arena, const char *, list->count + 1);
    if (list->count)
        memcpy(out, list->items, list->count * sizeof *out);
    VEC_RELEASE(list);
    return out;
}

void project_translate(const char *const *words, size_t count, bool with_compiler,
                       const char *directory, const char *model, struct arena *arena,
                       struct project_flags *out)
{
    struct translation t = {.arena = arena, .directory = directory, .with_files = with_compiler};
    for (size_t i = with_compiler; i < count;)
        i += take_word(&t, words + i, count - i);
    struct project_model chosen = project_choose_model(words, count, with_compiler, model);
    out->flags = project_apply_model(finish_list(&t.out, arena), chosen, arena);
    out->dropped = finish_list(&t.dropped, arena);
    out->model = chosen.words;
}

const char *project_flags_note(const struct project_flags *flags, struct arena *arena)
{
    if (!flags->dropped || (!*flags->dropped && !*flags->model))
        return NULL;
    const char *text = "dropped flags:";
    for (const char *const *flag = flags->dropped; *flag; flag++)
        text = arena_printf(arena, "%s %s", text, *flag);
    return arena_printf(arena, "%s%s%s", text, *flags->dropped ? "" : " none", flags->model);
}
