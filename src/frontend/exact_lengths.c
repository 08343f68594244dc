// SPDX-License-Identifier: Apache-2.0
// Which of the pairs that length_pairs.c finds are exact: the buffer has as many elements as the
// length says, and code that uses one more is wrong. An alarm comes of it, so a guess will not
// do. The code must use the two together as a start and its length (p[i] with i < n, memcpy(p,
// .., n), *p++ with n--, an end p + n, a call that does), and the length must be named as one: high
// in a[high] with j < high is the last index. Nothing may speak against it:
//   - an index that goes up to the length, but does not begin at 0: arrays that begin at 1;
//   - an index that is a product: n is the length of a row;
//   - a pointer that moves while the length stays: it may not count what was skipped;
//   - two lengths: one of them may be how much is in use;
//   - a call that gets the pointer alone, or a test for NUL: a text has a NUL behind it.
#include "frontend/buffer_uses.h"

#include "base/tunables.h"
#include <stdlib.h>
#include <string.h>

struct search { // in the uses of a function
    struct frontend *fe;
    const struct buffer_uses *uses;
    size_t function;
};

static size_t origin_of(const struct frontend *fe, size_t holder)
{
    return holder != HOLDER_NONE && fe->holders.items[holder].origin
               ? fe->holders.items[holder].origin - 1
               : holder;
}

// The parameter of this function that a holder is, or SIZE_MAX.
static size_t parameter_of(const struct search *s, size_t holder)
{
    holder = origin_of(s->fe, holder);
    if (holder == HOLDER_NONE)
        return SIZE_MAX;
    const struct slot *slot = &s->fe->holders.items[holder].slot;
    return slot->kind == SLOT_PARAMETER && slot->owner == s->function ? slot->index : SIZE_MAX;
}

// ---- Against ----

static void doubt(const struct search *s, size_t pointer)
{
    if (parameter_of(s, pointer) != SIZE_MAX)
        s->fe->holders.items[origin_of(s->fe, pointer)].inexact = true;
}

static bool is_length(const struct search *s, struct node *argument)
{
    size_t parameter = parameter_of(s, buffer_uses_named(s->fe, argument));
    if (parameter == SIZE_MAX)
        return false;
    const char *name = s->fe->functions.items[s->function].params[parameter].name;
    return expression_is_pointer(argument) ? lengths_says_end(name) : program_says_length(name);
}

static bool comes_with_length(const struct search *s, const struct handed_pointer *handed)
{
    for (struct node *argument = handed->call->child->next; argument; argument = argument->next)
        if (argument != handed->argument && is_length(s, argument))
            return true;
    return false;
}

static void note_doubts(const struct search *s)
{
    const struct buffer_uses *uses = s->uses;
    for (size_t i = 0; i < uses->doubts.count; i++)
        doubt(s, uses->doubts.items[i]);
    for (size_t i = 0; i < uses->handed.count; i++)
        if (!comes_with_length(s, &uses->handed.items[i]))
            doubt(s, uses->handed.items[i].pointer);
    for (size_t i = 0; i < uses->beyond.count; i++)
        if (parameter_of(s, uses->beyond.items[i].second) != SIZE_MAX)
            doubt(s, uses->beyond.items[i].first);
    for (size_t i = 0; i < uses->past.count; i++)
        if (parameter_of(s, uses->past.items[i].second) != SIZE_MAX)
            doubt(s, uses->past.items[i].first);
}

// ---- For ----

// The parameter that a variable is, or is a copy of and nothing else; or SIZE_MAX.
static size_t resolve(const struct search *s, size_t holder)
{
    size_t from = HOLDER_NONE;
    if (!s->fe->holders.items[holder].origin)
        return parameter_of(s, holder);
    for (size_t i = 0; i < s->uses->copies.count; i++)
        if (s->uses->copies.items[i].first == holder) {
            size_t source = s->uses->copies.items[i].second;
            if (source == HOLDER_NONE || (from != HOLDER_NONE && from != source))
                return SIZE_MAX;
            from = source;
        }
    return from != HOLDER_NONE && !s->fe->holders.items[from].origin ? parameter_of(s, from)
                                                                     : SIZE_MAX;
}

static void settle(const struct search *s, const struct buffer_use *use)
{
    size_t first = parameter_of(s, use->pointer), second = parameter_of(s, use->other);
    if (use->is_vague || first == SIZE_MAX || second == SIZE_MAX || first == second)
        return;
    size_t pointer = resolve(s, use->pointer), other = resolve(s, use->other);
    bool moves = buffer_uses_changes(s->uses, use->pointer) ||
                 buffer_uses_changes(s->uses, origin_of(s->fe, use->pointer));
    bool stays = !buffer_uses_changes(s->uses, use->other);
    if (use->kind != PAIR_END && moves && stays)
        doubt(s, use->pointer);
    else if (pointer != SIZE_MAX && other != SIZE_MAX)
        *VEC_PUSH(&s->fe->exact) = (struct exact_length){s->function, use->kind, pointer, other};
}

void exact_lengths_collect(struct frontend *fe, size_t function, const struct buffer_uses *uses)
{
    struct search s = {fe, uses, function};
    note_doubts(&s);
    for (size_t i = 0; i < uses->list.count; i++)
        settle(&s, &uses->list.items[i]);
}

// ---- Pairs ----

static bool is_doubted(struct frontend *fe, size_t function, size_t pointer)
{
    return fe->holders.items[holder_of_parameter(fe, function, pointer)].inexact;
}

static bool is_named_so(const struct frontend *fe, size_t function, enum pair_kind kind,
                        size_t other)
{
    const char *name = fe->functions.items[function].params[other].name;
    return kind == PAIR_END ? lengths_says_end(name) && !strstr(name, "last")
                            : program_says_length(name);
}

static bool fits(const struct frontend *fe, const struct exact_length *e, enum pair_kind kind)
{
    const struct function *function = &fe->functions.items[e->function];
    const struct type *other = function->params[e->other].type;
    const struct type *pointer = function->params[e->pointer].type;
    if (pointer->kind != TYPE_POINTER || (e->kind == PAIR_END) != (kind == PAIR_END) ||
        (other->kind == TYPE_POINTER) != (kind == PAIR_END))
        return false;
    return e->kind == kind || pointer->target->size <= 1;
}

static size_t first_of(const struct frontend *fe, size_t function)
{
    size_t low = 0, high = fe->exact.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fe->exact.items[middle].function < function)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Does the code use the two together, exactly or not?
static bool is_told(const struct frontend *fe, size_t function, const struct parameter_pair *pair)
{
    for (size_t i = first_of(fe, function);
         i < fe->exact.count && fe->exact.items[i].function == function; i++)
        if (fe->exact.items[i].pointer == pair->pointer &&
            fe->exact.items[i].other == pair->other && fits(fe, &fe->exact.items[i], pair->kind))
            return true;
    return false;
}

static bool is_exact(struct frontend *fe, size_t function, const struct parameter_pair *pair)
{
    bool found = false;
    if (is_doubted(fe, function, pair->pointer) ||
        !is_named_so(fe, function, pair->kind, pair->other))
        return false;
    for (size_t i = first_of(fe, function);
         i < fe->exact.count && fe->exact.items[i].function == function; i++) {
        const struct exact_length *e = &fe->exact.items[i];
        if (e->pointer != pair->pointer)
            continue;
        const struct type *other = fe->functions.items[function].params[e->other].type;
        bool is_length = other->kind == TYPE_INT || e->kind == PAIR_END;
        if (e->other != pair->other && is_length)
            return false; // which one?
        found |= e->other == pair->other && fits(fe, e, pair->kind);
    }
    return found;
}

// f(p, n) hands on what the callee uses so.
static void pass_on(struct frontend *fe, size_t at)
{
    struct call pointer = fe->calls.items[at];
    const struct function *callee = &fe->functions.items[pointer.callee];
    for (size_t i = 0; i < callee->pair_count; i++) {
        if (callee->pairs[i].pointer != pointer.parameter || !callee->pairs[i].is_exact)
            continue;
        const struct call *other = lengths_argument_for(fe, at, callee->pairs[i].other);
        if (other)
            *VEC_PUSH(&fe->exact) = (struct exact_length){pointer.caller, callee->pairs[i].kind,
                                                          pointer.argument, other->argument};
    }
}

static int compare(const void *left, const void *right)
{
    const struct exact_length *a = left, *b = right;
    const size_t x[] = {a->function, a->pointer, a->other, a->kind};
    const size_t y[] = {b->function, b->pointer, b->other, b->kind};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static void sort(struct frontend *fe)
{
    size_t kept = 0;
    if (fe->exact.count)
        qsort(fe->exact.items, fe->exact.count, sizeof *fe->exact.items, compare);
    for (size_t i = 0; i < fe->exact.count; i++)
        if (!kept || compare(&fe->exact.items[kept - 1], &fe->exact.items[i]) != 0)
            fe->exact.items[kept++] = fe->exact.items[i];
    fe->exact.count = kept;
}

static bool mark(struct frontend *fe)
{
    bool changed = false;
    sort(fe);
    for (size_t f = 0; f < fe->functions.count; f++) {
        struct function *function = &fe->functions.items[f];
        for (size_t i = 0; i < function->pair_count; i++) {
            bool exact = is_exact(fe, f, &function->pairs[i]);
            changed |= exact && !function->pairs[i].is_exact;
            function->pairs[i].is_exact = exact;
            function->pairs[i].is_suggested &= !is_told(fe, f, &function->pairs[i]);
        }
    }
    return changed;
}

void exact_lengths_finish(struct frontend *fe)
{
    for (unsigned depth = 0; depth < FRONTEND_LENGTH_ROUNDS && mark(fe); depth++)
        for (size_t i = 0; i < fe->calls.count; i++)
            pass_on(fe, i);
    mark(fe);
}
