// SPDX-License-Identifier: Apache-2.0
// Lengths that are members of a record, beside the pointer to what they count: which of them are
// exact, as exact_lengths.c tells it of parameters. The code uses the two together: p[i] with i <
// n, memcpy(p, .., n), *p++ with n--, an end p + n, a call of a function that does so. Objects are
// not told apart, and a local variable that is set from one member only stands for it. Nothing may
// speak against it:
//   - what speaks against the length of a parameter (an index that does not begin at 0 and goes up
//     to the length, a product, a pointer that moves while the length stays, a call that gets the
//     pointer alone, a test for NUL);
//   - a length that grows, or is set without the pointer, or a NUL behind the last element: it
//     says how much is in use.
#include "frontend/buffer_uses.h"

#include "program/libc.h"

static bool is_member(const struct frontend *fe, size_t holder)
{
    return holder != HOLDER_NONE && fe->holders.items[holder].slot.kind == SLOT_FIELD;
}

// The member that a holder is, or is a copy of and nothing else; or HOLDER_NONE.
static size_t member_of(const struct buffer_uses *uses, size_t holder)
{
    size_t from = HOLDER_NONE;
    if (holder == HOLDER_NONE || is_member(uses->fe, holder))
        return holder;
    for (size_t i = 0; i < uses->copies.count; i++) {
        if (uses->copies.items[i].first != holder)
            continue;
        size_t source = uses->copies.items[i].second;
        if (!is_member(uses->fe, source) || (from != HOLDER_NONE && from != source))
            return HOLDER_NONE;
        from = source;
    }
    return from;
}

static void doubt(const struct buffer_uses *uses, size_t holder)
{
    size_t member = member_of(uses, holder);
    if (member != HOLDER_NONE)
        uses->fe->holders.items[member].inexact = true;
}

// ---- Calls ----

// A function of the file gets both: what it does with them is known at the end.
static void note_handed(const struct buffer_uses *uses, const struct handed_pointer *handed)
{
    size_t index = 0;
    struct node *argument = handed->call->child->next;
    for (; argument; argument = argument->next, index++) {
        size_t length = buffer_uses_named(uses->fe, argument);
        if (index != handed->at && length != HOLDER_NONE && !expression_is_pointer(argument))
            *VEC_PUSH(&uses->fe->exact_calls) =
                (struct exact_call){handed->callee, handed->at, index,
                                    member_of(uses, handed->pointer), member_of(uses, length)};
    }
}

// What ends the buffer says nothing about its elements.
static bool is_free(const struct frontend *fe, size_t callee)
{
    return callee != SIZE_MAX && !fe->functions.items[callee].defined &&
           libc_frees(fe->functions.items[callee].name) != LIBC_NO_ARGUMENT;
}

static bool is_alone(const struct buffer_uses *uses, const struct handed_pointer *handed)
{
    struct node *argument = handed->call->child->next;
    for (; argument; argument = argument->next)
        if (argument != handed->argument && !expression_is_pointer(argument) &&
            is_member(uses->fe, member_of(uses, buffer_uses_named(uses->fe, argument))))
            return false;
    return true;
}

static void note_call(const struct buffer_uses *uses, const struct handed_pointer *handed)
{
    if (is_free(uses->fe, handed->callee))
        return;
    if (handed->callee != SIZE_MAX)
        note_handed(uses, handed);
    if (is_alone(uses, handed))
        doubt(uses, handed->pointer);
}

// ---- For and against ----

static void settle(const struct buffer_uses *uses, const struct buffer_use *use)
{
    size_t pointer = member_of(uses, use->pointer), length = member_of(uses, use->other);
    if (use->kind == PAIR_END || pointer == HOLDER_NONE || length == HOLDER_NONE)
        return;
    bool moves = buffer_uses_changes(uses, use->pointer);
    bool stays = !buffer_uses_changes(uses, use->other);
    if (moves && stays && pointer == use->pointer)
        doubt(uses, pointer);
    else
        *VEC_PUSH(&uses->fe->exact_members) = (struct exact_member){use->kind, pointer, length};
}

// Does the function change a pointer of the record?
static bool changes_pointer(const struct buffer_uses *uses, const struct type *record)
{
    for (size_t i = 0; i < uses->changed.count; i++) {
        const struct slot *slot = &uses->fe->holders.items[uses->changed.items[i]].slot;
        if (slot->kind == SLOT_FIELD && slot->record == record &&
            record->fields[slot->index].type->kind == TYPE_POINTER)
            return true;
    }
    return false;
}

// A length that is set without its pointer, or grows.
static void doubt_lengths(const struct buffer_uses *uses)
{
    for (size_t i = 0; i < uses->set.count; i++) {
        size_t holder = uses->set.items[i];
        if (is_member(uses->fe, holder) &&
            !changes_pointer(uses, uses->fe->holders.items[holder].slot.record))
            doubt(uses, holder);
    }
    for (size_t i = 0; i < uses->grown.count; i++)
        if (is_member(uses->fe, uses->grown.items[i]))
            doubt(uses, uses->grown.items[i]);
}

static void doubt_pointers(const struct buffer_uses *uses)
{
    for (size_t i = 0; i < uses->doubts.count; i++)
        doubt(uses, uses->doubts.items[i]);
    for (size_t i = 0; i < uses->terminated.count; i++)
        doubt(uses, uses->terminated.items[i]);
    for (size_t i = 0; i < uses->beyond.count; i++)
        if (is_member(uses->fe, member_of(uses, uses->beyond.items[i].second)))
            doubt(uses, uses->beyond.items[i].first);
}

void exact_members_collect(const struct buffer_uses *uses)
{
    for (size_t i = 0; i < uses->handed.count; i++)
        note_call(uses, &uses->handed.items[i]);
    for (size_t i = 0; i < uses->list.count; i++)
        settle(uses, &uses->list.items[i]);
    doubt_lengths(uses);
    doubt_pointers(uses);
}

// ---- What it comes to ----

// f(s->p, s->n) hands on what f uses so.
void exact_members_finish(struct frontend *fe)
{
    for (size_t i = 0; i < fe->exact_calls.count; i++) {
        const struct exact_call *call = &fe->exact_calls.items[i];
        const struct function *callee = &fe->functions.items[call->callee];
        for (size_t k = 0; k < callee->pair_count; k++)
            if (callee->pairs[k].is_exact && callee->pairs[k].pointer == call->pointer_at &&
                callee->pairs[k].other == call->length_at && call->pointer != HOLDER_NONE &&
                call->length != HOLDER_NONE)
                *VEC_PUSH(&fe->exact_members) =
                    (struct exact_member){callee->pairs[k].kind, call->pointer, call->length};
    }
}

static bool is_field(const struct holder *holder, const struct type *record, size_t index)
{
    return holder->slot.kind == SLOT_FIELD && holder->slot.record == record &&
           holder->slot.index == index;
}

// Are bytes elements? Other numbers of bytes are not what the driver makes of a length.
static bool fits(const struct exact_member *e, const struct type *pointer)
{
    return e->kind == PAIR_LENGTH || (e->kind == PAIR_BYTES && pointer->target->size <= 1);
}

bool exact_members_has(const struct frontend *fe, const struct type *record, size_t pointer,
                       size_t length)
{
    bool found = false;
    if (!program_says_length(record->fields[length].name))
        return false;
    for (size_t i = 0; i < fe->exact_members.count; i++) {
        const struct exact_member *e = &fe->exact_members.items[i];
        const struct holder *p = &fe->holders.items[e->pointer];
        const struct holder *n = &fe->holders.items[e->length];
        if (!is_field(p, record, pointer) || n->slot.record != record)
            continue;
        if (!is_field(n, record, length) || p->inexact || n->inexact)
            return false; // which one?
        found |= fits(e, record->fields[pointer].type);
    }
    return found;
}
