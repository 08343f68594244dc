// SPDX-License-Identifier: Apache-2.0
// Wrapping by insertion. Branch analysis records edits as it goes; at the end
// they are sorted once and merged with the text, so the cost is n log n in the
// number of edits. At one offset, everything that closes comes before everything
// that opens; inner ranges close first and open last. Newlines are never added or
// removed: line n of the wrapped text is line n of the unit.
#include "frontend/frontend_internal.h"

#include "base/buf.h"
#include <string.h>

static const char hook_declarations[] =
    "_Bool __cz_cond(unsigned, _Bool); "
    "int __cz_switch_i(unsigned, int); "
    "unsigned __cz_switch_u(unsigned, unsigned); "
    "long __cz_switch_l(unsigned, long); "
    "unsigned long __cz_switch_ul(unsigned, unsigned long); "
    "long long __cz_switch_ll(unsigned, long long); "
    "unsigned long long __cz_switch_ull(unsigned, unsigned long long);";

static struct edit *add_edit(struct frontend *fe, uint32_t at)
{
    struct edit *edit = VEC_PUSH(&fe->edits);
    *edit = (struct edit){.at = at, .sequence = (uint32_t)fe->edits.count, .text = ""};
    return edit;
}

static void add_open(struct frontend *fe, uint32_t at, uint32_t end, const char *text)
{
    struct edit *edit = add_edit(fe, at);
    edit->partner = end;
    edit->text = text;
}

static void add_close(struct frontend *fe, uint32_t at, uint32_t start, const char *text)
{
    struct edit *edit = add_edit(fe, at);
    edit->partner = start;
    edit->closing = true;
    edit->text = text;
}

void wrap_condition(struct frontend *fe, uint32_t start, uint32_t end, size_t branch)
{
    add_open(fe, start, end, arena_printf(&fe->scratch, "__cz_cond(%zu, (", branch));
    add_close(fe, end, start, ") != 0)");
}

void wrap_switch(struct frontend *fe, uint32_t start, uint32_t end, const char *suffix,
                 size_t switch_id)
{
    add_open(fe, start, end,
             arena_printf(&fe->scratch, "__cz_switch_%s(%zu, (", suffix, switch_id));
    add_close(fe, end, start, "))");
}

static uint32_t erase_character(struct frontend *fe, uint32_t from, uint32_t end, char c)
{
    while (from < end && fe->text[from] != c)
        from++;
    if (from == end)
        BUG("no '%c' in a conditional operator", c);
    add_edit(fe, from)->erase = 1;
    return from + 1;
}

// a ?: b evaluates a once and keeps its value:
//     ({ __auto_type t = (a); __cz_cond(ID, t != 0) ? t : (b); })
// Arithmetic values get `+ 0`, the promotion that ?: does anyway, because a
// bit-field has no type that __auto_type could take.
void wrap_elvis(struct frontend *fe, const struct node *whole, const struct node *condition,
                bool arithmetic, size_t branch)
{
    struct arena *arena = &fe->scratch;
    uint32_t next = condition->end;
    add_open(fe, whole->start, whole->end,
             arena_printf(arena, "({ __auto_type __cz_t%zu = (", branch));
    add_close(fe, condition->end, condition->start,
              arena_printf(arena, ")%s; __cz_cond(%zu, __cz_t%zu != 0) ? __cz_t%zu : (",
                           arithmetic ? " + 0" : "", branch, branch, branch));
    next = erase_character(fe, next, whole->end, '?');
    erase_character(fe, next, whole->end, ':');
    add_close(fe, whole->end, whole->start, "); })");
}

static int compare_edits(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->closing != y->closing)
        return x->closing ? -1 : 1;
    if (x->partner != y->partner)
        return x->partner > y->partner ? -1 : 1; // inner closes first, outer opens first
    int order = x->sequence < y->sequence ? -1 : 1;
    return x->closing ? -order : order;
}

void wrap_finish(struct frontend *fe)
{
    struct buf out = BUF_INIT;
    uint32_t done = 0;
    if (fe->edits.count)
        qsort(fe->edits.items, fe->edits.count, sizeof *fe->edits.items, compare_edits);
    buf_puts(&out, hook_declarations);
    for (size_t i = 0; i < fe->edits.count; i++) {
        const struct edit *edit = &fe->edits.items[i];
        buf_add(&out, fe->text + done, edit->at - done);
        buf_puts(&out, edit->text);
        for (uint32_t n = 0; n < edit->erase; n++)
            buf_putc(&out, ' ');
        done = edit->at + edit->erase;
    }
    buf_add(&out, fe->text + done, fe->length - done);
    fe->program->wrapped_text = arena_strndup(&fe->program->arena, out.data, out.length);
    buf_release(&out);
}
