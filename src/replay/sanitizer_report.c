// SPDX-License-Identifier: Apache-2.0
// Reads what happened from the sanitizers' words, and where from their frames. UBSan names a
// place itself; ASan's frames are addresses, looked up here, as a test runs in a sandbox that
// forbids exec. From the innermost frame outwards: frames of libc, of the sanitizer and of the
// replay library are passed over, those of the driver are noted (a stub did it), the first one
// in the user's text is the place.
#include "replay/sanitizer_report.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/proc.h"
#include "base/tunables.h"
#include "program/merge.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_PAGES = 65536 };

// ---- what ----

// Sanitizers have no codes, only words.
static enum sanitizer_class class_of(const char *text)
{
    static const struct {
        const char *words;
        enum sanitizer_class class;
    } classes[] = {
        {"stack-overflow", SANITIZER_STACK},
        {"out of bounds for type", SANITIZER_INDEX},
        {"division by zero", SANITIZER_DIVISION},
        {"division of", SANITIZER_QUOTIENT},
        {"FPE", SANITIZER_DIVISION},
        {"shift exponent", SANITIZER_SHIFT},
        {"signed integer overflow", SANITIZER_OVERFLOW},
        {"negation of", SANITIZER_OVERFLOW},
        {"is outside the range of representable values", SANITIZER_CONVERSION},
        {"unreachable program point", SANITIZER_UNREACHABLE},
        {"ABRT", SANITIZER_ABORT},
        {"ILL", SANITIZER_ILLEGAL},
        {"TRAP", SANITIZER_ILLEGAL},
        {"null pointer", SANITIZER_NULL},
        {"misaligned address", SANITIZER_WILD}, // perhaps, told before it is followed
        {"insufficient space", SANITIZER_BOUNDS},
        {"-param-overlap", SANITIZER_OVERLAP},
        {"-buffer-overflow", SANITIZER_BOUNDS}, // heap, stack, global, dynamic-stack
        {"-buffer-underflow", SANITIZER_BOUNDS},
        {"negative-size-param", SANITIZER_BOUNDS},
        {"container-overflow", SANITIZER_BOUNDS},
        {"unknown-crash", SANITIZER_BOUNDS},
        {"use-after-scope", SANITIZER_SCOPE},
        {"use-after-return", SANITIZER_RETURNED},
        {"use-after-poison", SANITIZER_BOUNDS}, // cz_extent()
        {"use-after", SANITIZER_FREED},
        {"double-free", SANITIZER_FREE},
        {"attempting free", SANITIZER_FREE},
        {"attempting double-free", SANITIZER_FREE},
        {"bad-free", SANITIZER_FREE},
        {"malloc_usable_size", SANITIZER_FREE},
        {"SEGV", SANITIZER_WILD},
        {"BUS", SANITIZER_WILD},
        {"wild-", SANITIZER_WILD},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strstr(text, classes[i].words))
            return classes[i].class;
    return SANITIZER_OTHER;
}

// "SEGV on unknown address 0x000000000010 (pc ...": in the first pages it is a NULL pointer
// with an offset.
static bool is_null_address(const char *words)
{
    static const char mark[] = "on unknown address 0x";
    const char *line_end = words + strcspn(words, "\n"), *at = strstr(words, mark);
    return at && at < line_end && strtoull(at + sizeof mark - 1, NULL, 16) < FIRST_PAGES;
}

// "SEGV on unknown address ...", "memcpy-param-overlap: memory ranges ...": what happened,
// without addresses.
static size_t words_length(const char *text)
{
    size_t length = strcspn(text, ":\n");
    const char *on = strstr(text, " on ");
    return on && (size_t)(on - text) < length ? (size_t)(on - text) : length;
}

// Declared by the user's code and defined by the driver, perhaps with bounds of its own.
static bool is_drivers(const struct program *program, const char *name, size_t length)
{
    bool declared = false, defined = false;
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *v = &program->variables[i];
        if (strlen(v->name) != length || strncmp(v->name, name, length) != 0)
            continue;
        declared |= v->is_extern_only && !v->elsewhere;
        defined |= !v->is_extern_only || v->elsewhere;
    }
    return declared && !defined;
}

// ASan tells which objects are near: "0x... is located 0 bytes after global variable 'tab'
// defined in ..." The nearest one counts.
static void read_object(const struct clean_build *build, const char *text, const char *end,
                        struct sanitizer_report *out)
{
    static const char located[] = " is located ", variable[] = " global variable '",
                      block[] = "-byte region [";
    const char *region = strstr(text, block);
    out->on_heap = region && region < end;
    unsigned long long nearest = UINT64_MAX;
    for (const char *at = text; (at = strstr(at, located)) && at < end;) {
        at += sizeof located - 1;
        unsigned long long distance = strtoull(at, NULL, 10);
        const char *name = strstr(at, variable), *line = at + strcspn(at, "\n");
        if (!name || name > line || distance > nearest)
            continue;
        name += sizeof variable - 1;
        bool ours = is_drivers(build->program, name, strcspn(name, "'\n"));
        out->of_driver = ours || (out->of_driver && distance == nearest);
        nearest = distance;
    }
}

// ---- frames ----

// A report keeps the addresses of its first stack in `functions` until they are looked up.
static const char *read_frames(const struct clean_build *build, const char *text, const char *end,
                               struct arena *arena)
{
    const char *mark = arena_printf(arena, "(%s+", build->sanitized);
    struct buf out = BUF_INIT;
    const char *first = strstr(text, "\n    #0 "), *stop = first ? strstr(first, "\n\n") : NULL;
    if (stop && stop < end)
        end = stop;
    size_t count = 0;
    for (const char *at = first;
         at && count < REPLAY_FRAMES && (at = strstr(at, mark)) && at < end;) {
        at += strlen(mark);
        buf_printf(&out, "%.*s\n", (int)strcspn(at, ")\n"), at);
        count++;
    }
    const char *copy = arena_strdup(arena, buf_text(&out));
    buf_release(&out);
    return copy;
}

enum frame_kind { FRAME_LIBRARY, FRAME_DRIVER, FRAME_USER };

// "DIRECTORY/STEM.EXT:LINE:COLUMN" or "DIRECTORY/STEM_3.EXT:..."
static bool read_place(const char *text, const char *stem, const char *extension,
                       struct sanitizer_place *out)
{
    const char *end = text + strcspn(text, "\n");
    const char *slash = text;
    for (const char *at = text; at < end; at++)
        if (*at == '/')
            slash = at + 1;
    size_t length = strlen(stem);
    if (strncmp(slash, stem, length) != 0)
        return false;
    const char *dot = slash + length + strspn(slash + length, "_0123456789");
    if (strncmp(dot, extension, strlen(extension)) != 0 || dot[strlen(extension)] != ':')
        return false;
    char name[64], *rest;
    if ((size_t)(dot - slash) + 2 > sizeof name)
        return false;
    memcpy(name, slash, (size_t)(dot - slash));
    memcpy(name + (dot - slash), ".", 2);
    out->text_number = program_text_number(name);
    out->line = (uint32_t)strtoul(dot + strlen(extension) + 1, &rest, 10);
    out->column = *rest == ':' ? (uint32_t)strtoul(rest + 1, NULL, 10) : 0;
    return out->line > 0;
}

static enum frame_kind frame_kind(const char *text, struct sanitizer_place *out)
{
    struct sanitizer_place ignored;
    return read_place(text, "unit", ".i", out)               ? FRAME_USER
           : read_place(text, "replay_unit", ".c", &ignored) ? FRAME_DRIVER
                                                             : FRAME_LIBRARY;
}

bool sanitizer_user_frame(const char *text, struct sanitizer_place *out)
{
    return frame_kind(text, out) == FRAME_USER;
}

// The last function that begins before the line.
const char *sanitizer_function_at(const struct clean_build *build, const struct sanitizer_place *at)
{
    const struct program *file = program_file(build->program, at->text_number);
    const struct function *best = NULL;
    for (size_t i = 0; at->line && i < file->function_count; i++) {
        const struct function *candidate = &file->functions[i];
        if (candidate->defined && candidate->at.line && candidate->at.line <= at->line &&
            (!best || candidate->at.line > best->at.line))
            best = candidate;
    }
    return best ? best->source_name : "";
}

// ---- reading ----

// The beginning of the line that holds `at`.
static const char *line_of(const char *report, const char *at)
{
    while (at > report && at[-1] != '\n')
        at--;
    return at;
}

static const char undefined[] = "runtime error: ", address[] = "ERROR: AddressSanitizer: ";

static const char *next_report(const char *text)
{
    const char *first = strstr(text, undefined), *second = strstr(text, address);
    return !first || (second && second < first) ? second : first;
}

// UBSan's reports begin with their place.
static void read_one(const struct clean_build *build, const char *text, const char *at,
                     const char *end, struct arena *arena, struct sanitizer_report *out)
{
    bool by_ubsan = strncmp(at, undefined, sizeof undefined - 1) == 0;
    const char *words = at + (by_ubsan ? sizeof undefined : sizeof address) - 1;
    *out = (struct sanitizer_report){.undefined = by_ubsan, .function = ""};
    out->text = arena_strndup(arena, words, by_ubsan ? strcspn(words, "\n") : words_length(words));
    out->class = class_of(out->text);
    if (out->class == SANITIZER_WILD && !by_ubsan && is_null_address(words))
        out->class = SANITIZER_NULL;
    if (by_ubsan)
        out->in_driver = frame_kind(line_of(text, at), &out->at) == FRAME_DRIVER;
    else
        read_object(build, words, end, out);
    out->functions = read_frames(build, words, end, arena);
}

void sanitizer_read(const struct clean_build *build, const char *text, struct arena *arena,
                    struct replay_crash *crash)
{
    VEC(struct sanitizer_report) found = {0};
    for (const char *at = next_report(text), *next; at; at = next) {
        next = next_report(at + 1);
        read_one(build, text, at, next ? next : at + strlen(at), arena, VEC_PUSH(&found));
    }
    crash->reports = arena_array(arena, struct sanitizer_report, found.count + 1);
    if (found.count)
        memcpy(crash->reports, found.items, found.count * sizeof *found.items);
    crash->count = found.count;
    VEC_RELEASE(&found);
}

// ---- places ----

struct symbol_index {
    struct map frames;                  // address in the executable to an index in `texts`
    VEC(const char *) addresses, texts; // what llvm-symbolizer says of each, lines
};

static void collect(struct symbol_index *s, const char *frames, struct arena *arena)
{
    for (size_t length; (length = strcspn(frames, "\n")); frames += length + 1) {
        const char *one = arena_strndup(arena, frames, length);
        if (!map_get_text(&s->frames, one, NULL)) {
            map_put_text(&s->frames, one, s->addresses.count);
            *VEC_PUSH(&s->addresses) = one;
        }
    }
}

// An empty line stands behind what it says of each address.
static void look_up(const struct clean_build *build, struct symbol_index *s, size_t from,
                    size_t count, struct arena *arena)
{
    const char *argv[REPLAY_ADDRESSES + 3] = {build->llvm_symbolizer,
                                              arena_printf(arena, "--obj=%s", build->sanitized)};
    struct buf out = BUF_INIT;
    struct proc_options options = {.out = &out, .timeout_seconds = REPLAY_SYMBOLIZER_SECONDS};
    struct proc_result result;
    for (size_t i = 0; i < count; i++)
        argv[i + 2] = s->addresses.items[from + i];
    if (build->llvm_symbolizer)
        proc_run(argv, &options, &result, NULL);
    const char *at = buf_text(&out);
    for (size_t i = 0; i < count; i++) {
        const char *end = strstr(at, "\n\n");
        size_t length = end ? (size_t)(end - at) : strlen(at);
        *VEC_PUSH(&s->texts) = arena_strndup(arena, at, length);
        at += length + (end ? 2 : 0);
    }
    buf_release(&out);
}

// Lines of llvm-symbolizer come in pairs: a function and its place.
static void follow(const struct clean_build *build, const struct symbol_index *s,
                   struct sanitizer_report *report, struct arena *arena)
{
    struct buf functions = BUF_INIT;
    const char *frames = report->functions;
    report->frames = arena_array(arena, struct sanitizer_frame, REPLAY_FRAMES);
    for (size_t length; (length = strcspn(frames, "\n")); frames += length + 1) {
        uint64_t index;
        if (!map_get_text(&s->frames, arena_strndup(arena, frames, length), &index))
            continue;
        const char *line = strchr(s->texts.items[index], '\n');
        struct sanitizer_place at;
        enum frame_kind kind = line ? frame_kind(line + 1, &at) : FRAME_LIBRARY;
        if (kind == FRAME_DRIVER && !report->frame.line)
            report->in_driver = true;
        if (kind != FRAME_USER)
            continue;
        if (!report->frame.line)
            report->frame = at;
        const char *function = sanitizer_function_at(build, &at);
        buf_printf(&functions, "%s\n", function);
        if (report->frame_count < REPLAY_FRAMES)
            report->frames[report->frame_count++] = (struct sanitizer_frame){function, at};
    }
    report->functions = arena_strdup(arena, buf_text(&functions));
    buf_release(&functions);
    if (!report->at.line)
        report->at = report->frame;
    report->function = sanitizer_function_at(build, &report->at);
}

void sanitizer_locate(const struct clean_build *build, struct arena *arena,
                      struct replay_crash *crashes, size_t count)
{
    struct symbol_index symbols = {0};
    map_init(&symbols.frames);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < crashes[i].count; k++)
            collect(&symbols, crashes[i].reports[k].functions, arena);
    for (size_t i = 0; i < symbols.addresses.count; i += REPLAY_ADDRESSES) {
        size_t left = symbols.addresses.count - i;
        look_up(build, &symbols, i, left < REPLAY_ADDRESSES ? left : REPLAY_ADDRESSES, arena);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < crashes[i].count; k++)
            follow(build, &symbols, &crashes[i].reports[k], arena);
    map_release(&symbols.frames);
    VEC_RELEASE(&symbols.addresses);
    VEC_RELEASE(&symbols.texts);
}
