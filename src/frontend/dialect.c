// SPDX-License-Identifier: Apache-2.0
// Text of embedded compilers (IAR, Keil, TASKING, SDCC, Cosmic, avr-gcc) that clang does
// not take: attributes of interrupt handlers, keywords, `@ 0x1234`, assembly. Attributes
// that would mean something on this machine are taken away always. All else is touched
// only when the text does not compile as it is, and words only where a keyword stands: a
// program that calls a variable __data keeps it.
//
// Requires the preprocessed text; newlines stay, so lines keep their numbers.
#include "frontend/dialect.h"

#include "base/buf.h"
#include "frontend/frontend_internal.h"
#include <stdio.h>
#include <string.h>

void dialect_replace(struct dialect *d, size_t first, size_t last, const char *text)
{
    *VEC_PUSH(&d->edits) = (struct replacement){d->tokens.list.items[first].start,
                                                d->tokens.list.items[last].end, text};
}

void dialect_insert(struct dialect *d, uint32_t at, const char *text)
{
    *VEC_PUSH(&d->edits) = (struct replacement){at, at, text};
}

static bool is_listed(const struct dialect *d, size_t at, const char *const *list)
{
    for (; *list; list++)
        if (token_is(&d->tokens, at, *list))
            return true;
    return false;
}

// ---- attributes ----

// An interrupt handler of this machine, or a function without prologue: neither runs here.
// clang-format off
static const char *const bad_attributes[] = {
    "naked", "__naked__", "interrupt", "__interrupt__", "interrupt_handler", "signal",
    "__signal__", "isr", "OS_main", "OS_task", NULL};
// clang-format on

// clang-format off
static const char *const handler_words[] = {
    "interrupt", "__interrupt__", "interrupt_handler", "signal", "__signal__", "isr", "__irq",
    "__fiq", "__interrupt", "__isr", "_interrupt", NULL};
// clang-format on

static void note_handler(struct dialect *d, size_t at)
{
    if (is_listed(d, at, handler_words))
        *VEC_PUSH(&d->handlers) = d->tokens.list.items[at].start;
}

// __attribute__((used, interrupt("IRQ"))): the names of the list, with what they take.
static size_t adapt_attribute(struct dialect *d, size_t at)
{
    size_t close =
        token_is_mark(&d->tokens, at + 1, '(') ? token_partner(&d->tokens, at + 1) : SIZE_MAX;
    if (close == SIZE_MAX || !token_is_mark(&d->tokens, at + 2, '('))
        return at + 1;
    for (size_t i = at + 3; i < close; i++) {
        if (token_is_mark(&d->tokens, i, '(')) {
            i = token_partner(&d->tokens, i);
        } else if (is_listed(d, i, bad_attributes)) {
            size_t last =
                token_is_mark(&d->tokens, i + 1, '(') ? token_partner(&d->tokens, i + 1) : i;
            note_handler(d, i);
            dialect_replace(d, i, last, "");
            i = last;
        }
    }
    return close + 1;
}

// ---- keywords ----

struct keyword {
    const char *word, *text; // text NULL: see the functions below
};

// clang-format off
static const char *const erased[] = {
    "__irq", "__fiq", "__interrupt", "__far", "__near", "__huge", "__tiny", "__flash", "__farflash",
    "__data", "__data16", "__data20", "__xdata", "__idata", "__pdata", "__bdata", "__code",
    "__no_init", "__noinit", "__ramfunc", "__root", "__task", "__monitor", "__nested", "__intrinsic",
    "__stackless", "__arm", "__thumb", "__eeprom", "__saddr", "__io", "__absolute", "__persistent",
    "__reentrant", "__value_in_regs", "__pure", "__softfp", "__svc", "__swi", "__at", "__using",
    "__critical", "__naked", "__sfr", "__rom", "__ram", "__shared", "__bank", "__packed_struct",
    "__vector", "__trap", "__syscallfunc", "__fast", "__isr", "__interrupt_fast", "__enable_",
    "__bisr_", "__indirect", "__a0", "__a1", "__a8", "__a9", "_far", "_near", "_huge", "_interrupt",
    "__global_reg", "__ghs_noprologue", "__unaligned", NULL};
// clang-format on

// clang-format off
static const struct keyword replaced[] = {
    {"__weak", "__attribute__((weak))"},
    {"__forceinline", "inline"},
    {"__noreturn", "__attribute__((noreturn))"},
    {"__no_return", "__attribute__((noreturn))"},
    {"__bit", "_Bool"},
    {"__sbit", "_Bool"},
    {"__int24", "int"},
    {"__uint24", "unsigned"},
    {NULL, NULL},
};
// clang-format on

static bool is_word(const struct dialect *d, size_t at)
{
    return at < d->tokens.list.count && d->tokens.list.items[at].kind == TOKEN_WORD;
}

// Where a word cannot be the name of a variable, function or member.
static bool is_keyword_place(const struct dialect *d, size_t at)
{
    const struct tokens *t = &d->tokens;
    if (at && (token_is_mark(t, at - 1, '.') ||
               (token_is_mark(t, at - 1, '>') && at > 1 && token_is_mark(t, at - 2, '-'))))
        return false;
    return is_word(d, at + 1) || token_is_mark(t, at + 1, '*') || token_is_mark(t, at + 1, '{') ||
           (at && (token_is_mark(t, at - 1, ')') || token_is_mark(t, at - 1, '}')));
}

// The number or name in brackets behind a keyword: __interrupt(3), __at(0x20).
static size_t argument_end(const struct dialect *d, size_t at)
{
    if (!token_is_mark(&d->tokens, at + 1, '(') || token_is_mark(&d->tokens, at + 2, '*'))
        return at;
    size_t close = token_partner(&d->tokens, at + 1);
    return close == SIZE_MAX || close > at + 8 ? at : close;
}

// __packed struct s {: the attribute stands behind the word struct.
static size_t adapt_packed(struct dialect *d, size_t at)
{
    static const char attribute[] = " __attribute__((packed)) ";
    const struct tokens *t = &d->tokens;
    bool record = token_is(t, at + 1, "struct") || token_is(t, at + 1, "union");
    bool inside = at && (token_is(t, at - 1, "struct") || token_is(t, at - 1, "union") ||
                         token_is_mark(t, at - 1, '}'));
    dialect_replace(d, at, at, inside ? attribute : "");
    if (record)
        dialect_insert(d, t->list.items[at + 1].end, attribute);
    return at + 1;
}

static size_t adapt_alignment(struct dialect *d, size_t at)
{
    size_t close = argument_end(d, at);
    if (close == at)
        return at + 1;
    dialect_replace(d, at, at, "__attribute__((aligned");
    dialect_insert(d, d->tokens.list.items[close].end, "))");
    return close + 1;
}

// variable @ 0x1234; function @ "section"; @far, @interrupt.
static size_t adapt_place(struct dialect *d, size_t at)
{
    const struct tokens *t = &d->tokens;
    size_t last = at;
    if (is_word(d, at + 1) && is_word(d, at + 2)) {
        note_handler(d, at + 1);
        dialect_replace(d, at, at + 1, "");
        return at + 2;
    }
    while (last + 1 < t->list.count && !token_is_mark(t, last + 1, ';') &&
           !token_is_mark(t, last + 1, ',') && !token_is_mark(t, last + 1, '=') &&
           !token_is_mark(t, last + 1, '{'))
        last++;
    dialect_replace(d, at, last, "");
    return last + 1;
}

// void f(void) interrupt 4 using 1 {
static size_t adapt_suffix(struct dialect *d, size_t at)
{
    size_t last = at;
    note_handler(d, at);
    while (last + 1 < d->tokens.list.count && !token_is_mark(&d->tokens, last + 1, '{') &&
           !token_is_mark(&d->tokens, last + 1, ';') && last < at + 6)
        last++;
    dialect_replace(d, at, last, "");
    return last + 1;
}

static size_t adapt_keyword(struct dialect *d, size_t at)
{
    const struct tokens *t = &d->tokens;
    if (token_is(t, at, "__packed"))
        return adapt_packed(d, at);
    if (token_is(t, at, "__align"))
        return adapt_alignment(d, at);
    bool number_follows = at + 1 < t->list.count && t->list.items[at + 1].kind == TOKEN_NUMBER;
    if (at && token_is(t, at, "interrupt") && token_is_mark(t, at - 1, ')') && number_follows)
        return adapt_suffix(d, at);
    size_t last = argument_end(d, at);
    bool takes = last != at && is_listed(d, at, erased) && !is_word(d, at - 1);
    for (const struct keyword *k = replaced; k->word; k++)
        if (token_is(t, at, k->word) && is_keyword_place(d, at)) {
            dialect_replace(d, at, at, k->text);
            return at + 1;
        }
    if (!is_listed(d, at, erased) || !(takes || is_keyword_place(d, at)))
        return at + 1;
    note_handler(d, at);
    dialect_replace(d, at, last, "");
    return last + 1;
}

// ---- the text ----

static size_t adapt_token(struct dialect *d, size_t at, bool all)
{
    const struct tokens *t = &d->tokens;
    d->depth += token_is_mark(t, at, '{');
    d->depth -= token_is_mark(t, at, '}') && d->depth;
    if (token_is(t, at, "__attribute__") || token_is(t, at, "__attribute"))
        return adapt_attribute(d, at);
    if (!all)
        return at + 1;
    if (assembly_is_keyword(d, at))
        return assembly_adapt(d, at);
    if (token_is_mark(t, at, '@'))
        return adapt_place(d, at);
    return is_word(d, at) ? adapt_keyword(d, at) : at + 1;
}

static int compare(const void *a, const void *b)
{
    const struct replacement *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : (x->end > y->end) - (x->end < y->end);
}

static void apply(struct frontend *fe, struct dialect *d)
{
    struct buf out = BUF_INIT;
    uint32_t done = 0;
    qsort(d->edits.items, d->edits.count, sizeof *d->edits.items, compare);
    for (size_t i = 0; i < d->edits.count; i++) {
        const struct replacement *edit = &d->edits.items[i];
        if (edit->start < done)
            continue;
        buf_add(&out, fe->program->unit_text + done, edit->start - done);
        buf_puts(&out, edit->text);
        for (uint32_t at = edit->start; at < edit->end; at++)
            if (fe->program->unit_text[at] == '\n')
                buf_putc(&out, '\n');
        done = edit->end;
    }
    buf_puts(&out, fe->program->unit_text + done);
    fe->program->unit_text = arena_strndup(&fe->program->arena, out.data, out.length);
    buf_release(&out);
}

static uint32_t line_of(const char *text, uint32_t offset)
{
    uint32_t line = 1;
    for (uint32_t i = 0; i < offset; i++)
        line += text[i] == '\n';
    return line;
}

bool dialect_adapt(struct frontend *fe, bool all)
{
    struct dialect d = {.arena = &fe->scratch};
    tokens_read(&d.tokens, fe->program->unit_text, strlen(fe->program->unit_text));
    for (size_t at = 0; at < d.tokens.list.count;)
        at = adapt_token(&d, at, all);
    bool changed = d.edits.count > 0;
    fe->program->is_adapted |= changed;
    for (size_t i = 0; i < d.handlers.count; i++)
        *VEC_PUSH(&fe->handler_lines) = line_of(fe->program->unit_text, d.handlers.items[i]);
    if (changed)
        apply(fe, &d);
    VEC_RELEASE(&d.handlers);
    tokens_release(&d.tokens);
    VEC_RELEASE(&d.edits);
    return changed;
}

// For text that does not compile otherwise.
static void be_lenient(struct program *program)
{
    struct flag_list flags = {0};
    for (size_t i = 0; i < program->compile_flag_count; i++)
        *VEC_PUSH(&flags) = program->compile_flags[i];
    flags_ours(FLAGS_LENIENT, &flags);
    program->compile_flag_count = flags.count;
    program->compile_flags = flags_finish(&flags, &program->arena);
}

static void first_line(const char *messages, char *out, size_t room)
{
    size_t length = strcspn(messages, "\n");
    snprintf(out, room, "%.*s", (int)(length < room ? length : room - 1), messages);
}

bool dialect_parse(struct frontend *fe, struct error *err)
{
    struct buf before = BUF_INIT, after = BUF_INIT;
    char line[300];
    dialect_adapt(fe, false);
    bool good = source_try(fe, &before);
    if (!good) {
        be_lenient(fe->program);
        bool adapted = dialect_adapt(fe, true);
        good = source_try(fe, &after);
        first_line(buf_text(good ? &before : &after), line, sizeof line);
        if (good && !adapted)
            frontend_note(fe, "accepted as other compilers do: %s", line);
        if (!good && adapted)
            error_set(err, ERROR_SOURCE, "%s", buf_text(&after));
        else if (!good && !preprocess_explain(fe, err) && err->kind == ERROR_NONE)
            error_set(err, ERROR_SOURCE, "%s after preprocessing: %s", fe->program->source,
                      buf_text(&before));
    }
    buf_release(&before);
    buf_release(&after);
    return good;
}
