// SPDX-License-Identifier: Apache-2.0
// The shapes of preconditions; see infer.h.
#include "pre/infer.h"

#include "base/tunables.h"
#include "expr/eval.h"
#include "expr/vars.h"
#include "pre/unwrap.h"
#include <stdlib.h>
#include <string.h>

_Static_assert((int)PRE_TERMS <= (int)EXPR_VARS_SMALL, "expr_vars_few() tells no more");

struct infer {
    const struct infer_request *request;
    struct eval eval;
    struct expr_vars vars;
    uint8_t *scratch; // an input
    size_t scratch_size;
    size_t before; // decisions that came before what is being said
    infer_texts *out;
};

static void offer(struct infer *in, const char *text)
{
    for (size_t i = 0; text && i < in->out->count; i++)
        if (!strcmp(in->out->items[i], text))
            return;
    if (text && in->out->count < PRE_CANDIDATES)
        *VEC_PUSH(in->out) = text;
}

// ---- questions ----

static bool holds(struct infer *in, expr_id predicate)
{
    eval_begin(&in->eval, in->scratch, in->scratch_size);
    return eval_true(&in->eval, predicate);
}

static bool holds_with(struct infer *in, expr_id predicate, const struct term *term, uint64_t rank)
{
    term_set(term, rank, in->scratch);
    bool result = holds(in, predicate);
    memset(in->scratch, 0, in->scratch_size);
    memcpy(in->scratch, in->request->input, in->request->input_size);
    return result;
}

// Is there no input with both? The run's input satisfies the first.
static bool exclude(struct infer *in, expr_id first, expr_id second)
{
    const struct infer_request *r = in->request;
    expr_id both[] = {first, second};
    struct solver_query query = {
        .constraints = both, .count = 2, .input = r->input, .input_size = r->input_size};
    return solver_check(r->solver, &query, NULL) == SOLVER_UNSAT;
}

static bool is_sound(struct infer *in, expr_id shape, expr_id safe)
{
    return exclude(in, expr_not(in->request->pool, safe), shape);
}

// Where the run went, does the shape forbid nothing that is safe?
static bool is_exact(struct infer *in, expr_id shape, expr_id safe)
{
    const struct infer_request *r = in->request;
    VEC(expr_id) all = {0};
    for (size_t i = 0; i < in->before; i++)
        *VEC_PUSH(&all) = r->path[i];
    *VEC_PUSH(&all) = expr_not(r->pool, shape);
    *VEC_PUSH(&all) = safe;
    struct solver_query query = {.constraints = all.items,
                                 .count = all.count,
                                 .input = r->input,
                                 .input_size = r->input_size};
    bool exact = solver_check(r->solver, &query, NULL) == SOLVER_UNSAT;
    VEC_RELEASE(&all);
    return exact;
}

// The same wherever a run may go.
static bool is_same(struct infer *in, expr_id shape, expr_id safe)
{
    return exclude(in, expr_not(in->request->pool, shape), safe);
}

// ---- one input ----

// A value near the run's with which the predicate holds.
static bool find_good(struct infer *in, expr_id safe, const struct term *t, uint64_t bad,
                      uint64_t *good)
{
    uint64_t zero = t->is_signed ? 1ull << (t->bits - 1) : 0, max = term_max(t);
    const uint64_t tries[] = {zero, zero + 1, bad + 1, bad - 1, max, 0, max / 2, zero + 8, max / 4};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        *good = tries[i];
        if (*good <= max && *good != bad && holds_with(in, safe, t, *good))
            return true;
    }
    return false;
}

// The last rank from `good` towards `bad` with which it holds, if there is one boundary.
static uint64_t boundary(struct infer *in, expr_id safe, const struct term *t, uint64_t good,
                         uint64_t bad)
{
    while (good < bad ? bad - good > 1 : good - bad > 1) {
        uint64_t middle = good < bad ? good + (bad - good) / 2 : good - (good - bad) / 2;
        if (holds_with(in, safe, t, middle))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

static const char *interval_text(struct infer *in, const struct term *t, uint64_t low,
                                 uint64_t high)
{
    struct arena *arena = in->request->arena;
    uint64_t zero = t->is_signed ? 1ull << (t->bits - 1) : 0, max = term_max(t);
    const char *upper =
        high == max ? NULL
        : in->request->cause == WIRE_FAULT_BOUNDS || in->request->cause == WIRE_FAULT_MEMBER ||
                in->request->cause == WIRE_FAULT_LENGTH
            ? arena_printf(arena, "%s < %s", t->text, term_number(t, high + 1, arena))
            : arena_printf(arena, "%s <= %s", t->text, term_number(t, high, arena));
    const char *lower = low == 0 ? NULL
                        : low == zero + 1
                            ? arena_printf(arena, "%s > 0", t->text)
                            : arena_printf(arena, "%s >= %s", t->text, term_number(t, low, arena));
    if (low == high)
        return arena_printf(arena, "%s == %s", t->text, term_number(t, low, arena));
    if (lower && upper)
        return arena_printf(arena, "%s && %s", lower, upper);
    return lower ? lower : upper;
}

// All values but the run's own.
static const char *try_other(struct infer *in, expr_id safe, const struct term *t, uint64_t bad)
{
    struct expr_pool *pool = in->request->pool;
    struct arena *arena = in->request->arena;
    expr_id other =
        expr_not(pool, expr_and(pool, term_at_most(t, pool, bad), term_at_least(t, pool, bad)));
    if (!is_sound(in, other, safe))
        return NULL; // it is exact then: the value is bad
    return arena_printf(arena, "%s != %s", t->text, term_number(t, bad, arena));
}

// The interval of values around a good one, if no value in it is bad whatever the other
// inputs are, and none outside of it is good on the run's path; `exact`: on any path.
static const char *try_interval(struct infer *in, expr_id safe, const struct term *t, bool exact)
{
    struct expr_pool *pool = in->request->pool;
    uint64_t bad = term_rank(t, in->request->input, in->request->input_size), good;
    if (!find_good(in, safe, t, bad, &good))
        return NULL;
    const char *other = try_other(in, safe, t, bad);
    if (other)
        return other;
    uint64_t edge = boundary(in, safe, t, good, bad), max = term_max(t);
    uint64_t far = edge < bad ? 0 : max;
    uint64_t end = holds_with(in, safe, t, far) ? far : boundary(in, safe, t, edge, far);
    uint64_t low = edge < end ? edge : end, high = edge < end ? end : edge;
    expr_id shape = expr_and(pool, term_at_least(t, pool, low), term_at_most(t, pool, high));
    if (!is_sound(in, shape, safe) || !(exact ? is_same : is_exact)(in, shape, safe))
        return NULL;
    return interval_text(in, t, low, high);
}

// ---- two inputs ----

// Can C compare the two as they are written, and be right?
static bool comparable(const struct term *a, const struct term *b)
{
    if (a->is_shape || b->is_shape)
        return false;
    if (a->is_signed == b->is_signed)
        return true;
    const struct term *plain = a->is_signed ? b : a, *is_signed = a->is_signed ? a : b;
    return plain->bits < 32 || plain->bits < is_signed->bits;
}

static const char *try_pair(struct infer *in, expr_id safe, const struct term *a,
                            const struct term *b)
{
    struct expr_pool *pool = in->request->pool;
    if (!comparable(a, b))
        return NULL;
    bool is_signed = a->is_signed || b->is_signed;
    expr_id x = term_wide(a, pool), y = term_wide(b, pool);
    enum expr_op less = is_signed ? EXPR_SLT : EXPR_ULT, most = is_signed ? EXPR_SLE : EXPR_ULE;
    const struct {
        expr_id shape;
        const char *sign;
    } shapes[] = {
        {expr_binary(pool, most, x, y), "<="},    {expr_binary(pool, less, x, y), "<"},
        {expr_binary(pool, most, y, x), ">="},    {expr_binary(pool, less, y, x), ">"},
        {expr_binary(pool, EXPR_NE, x, y), "!="}, {expr_binary(pool, EXPR_EQ, x, y), "=="},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (!holds(in, shapes[i].shape) && is_sound(in, shapes[i].shape, safe) &&
            is_exact(in, shapes[i].shape, safe))
            return arena_printf(in->request->arena, "%s %s %s", a->text, shapes[i].sign, b->text);
    return NULL;
}

// ---- predicates ----

static size_t terms_of(struct infer *in, expr_id predicate, struct term terms[PRE_TERMS])
{
    const struct infer_request *r = in->request;
    size_t count = 0, found = expr_vars_few(&in->vars, predicate);
    if (found > PRE_TERMS)
        return 0;
    for (size_t i = 0; i < found; i++) {
        struct term t;
        if (!term_at(r->places, r->entry, r->pool, in->vars.found[i].offset, r->arena, &t))
            return 0; // not the caller's alone
        bool known = t.offset + t.bytes > in->scratch_size;
        for (size_t k = 0; k < count; k++)
            known |= terms[k].offset == t.offset;
        if (!known)
            terms[count++] = t;
    }
    return count;
}

static const char *shape_text(struct infer *in, const struct term *t, bool present)
{
    return arena_printf(in->request->arena, "%s %s NULL", t->text, present ? "!=" : "==");
}

// The predicate, which does not hold on the run's input, as text: exactly, or something
// that implies it. NULL: none of the shapes fits.
static const char *say(struct infer *in, expr_id predicate, bool exact)
{
    struct term terms[PRE_TERMS];
    size_t count = terms_of(in, predicate, terms);
    if (count == 1 && terms[0].is_shape)
        return shape_text(in, &terms[0],
                          !term_rank(&terms[0], in->request->input, in->request->input_size));
    const char *text = NULL;
    for (size_t i = 0; !text && i < count && (!exact || count == 1); i++)
        if (!terms[i].is_shape)
            text = try_interval(in, predicate, &terms[i], exact);
    for (size_t i = 0; !text && !exact && i < count; i++)
        for (size_t k = i + 1; !text && k < count; k++)
            text = try_pair(in, predicate, &terms[i], &terms[k]);
    return text;
}

// ---- causes ----

// The object's size comes from --elements: what counts is that it is large enough.
static void offer_counts(struct infer *in, expr_id predicate)
{
    const struct infer_request *r = in->request;
    struct term terms[PRE_TERMS];
    const char *object = term_name(r->places, r->object, r->arena);
    size_t count = object ? terms_of(in, predicate, terms) : 0;
    for (size_t i = 0; i < count; i++) {
        const struct term *t = &terms[i];
        if (t->is_shape || t->bits < 8)
            continue;
        const char *sign = t->is_signed ? arena_printf(r->arena, "%s >= 0 && ", t->text) : "";
        const char *cast = t->is_signed ? "(unsigned long)" : "";
        const char *const forms[] = {"<=", "<"};
        for (size_t k = 0; k < 2; k++)
            offer(in, arena_printf(r->arena, "%s%s%s %s count(%s)", sign, cast, t->text, forms[k],
                                   object));
    }
}

static void offer_predicate(struct infer *in, expr_id predicate)
{
    if (in->request->object)
        offer_counts(in, predicate);
    else
        offer(in, say(in, predicate, false));
}

static void offer_null(struct infer *in)
{
    const struct infer_request *r = in->request;
    struct term t;
    if (r->shape && term_at(r->places, r->entry, r->pool, r->shape - 1, r->arena, &t) && t.is_shape)
        offer(in, shape_text(in, &t, true));
}

// The check itself did not depend on inputs; the last decisions led to it.
static void offer_decisions(struct infer *in)
{
    const struct infer_request *r = in->request;
    size_t seen = 0;
    for (size_t i = r->path_count; i-- > 0 && seen < PRE_CAUSES;) {
        struct term terms[PRE_TERMS];
        if (!terms_of(in, r->path[i], terms))
            continue;
        seen++;
        in->before = i;
        offer_predicate(in, expr_not(r->pool, r->path[i]));
        if (r->object)
            offer(in, say(in, expr_not(r->pool, r->path[i]), true));
    }
}

// Cases that the run was in, as what would have kept it out of them.
static void find_guards(struct infer *in, infer_texts *guards)
{
    const struct infer_request *r = in->request;
    size_t first = r->path_count > PRE_DECISIONS ? r->path_count - PRE_DECISIONS : 0;
    for (size_t i = r->path_count; i-- > first && guards->count < PRE_GUARDS;) {
        const char *guard = say(in, expr_not(r->pool, r->path[i]), true);
        bool known = !guard;
        for (size_t k = 0; guard && k < guards->count; k++)
            known |= !strcmp(guards->items[k], guard);
        for (size_t k = 0; guard && k < in->out->count; k++)
            known |= !strcmp(in->out->items[k], guard);
        if (!known)
            *VEC_PUSH(guards) = guard;
    }
}

// Decisions led to it, and no pointer or number that could be told.
static bool is_by_decision(uint32_t cause)
{
    return cause == WIRE_FAULT_BOUNDS || cause == WIRE_FAULT_DIVISION ||
           cause == WIRE_FAULT_ASSERT || cause == WIRE_FAULT_ABORT ||
           cause == WIRE_FAULT_UNREACHABLE;
}

void infer_candidates(const struct infer_request *r, infer_texts *out, infer_texts *guards)
{
    struct infer in = {
        .request = r, .out = out, .scratch_size = r->input_size, .before = r->path_count};
    eval_init(&in.eval, r->pool);
    expr_vars_init(&in.vars, r->pool);
    in.scratch = xcalloc(in.scratch_size + 1, 1);
    memcpy(in.scratch, r->input, r->input_size);
    if (r->cause == WIRE_FAULT_NULL)
        offer_null(&in);
    if (r->safe)
        offer_predicate(&in, r->cause == WIRE_FAULT_BOUNDS ? unwrap(r->pool, r->safe) : r->safe);
    else if (is_by_decision(r->cause))
        offer_decisions(&in);
    if (out->count || r->cause == WIRE_FAULT_NULL)
        find_guards(&in, guards);
    free(in.scratch);
    expr_vars_release(&in.vars);
    eval_release(&in.eval);
}

static const char *either(const char *a, const char *b, struct arena *arena)
{
    bool plain_a = !strstr(a, "&&"), plain_b = !strstr(b, "&&");
    return arena_printf(arena, "%s%s%s || %s%s%s", plain_a ? "" : "(", a, plain_a ? "" : ")",
                        plain_b ? "" : "(", b, plain_b ? "" : ")");
}

void infer_guarded(const infer_texts *guards, struct arena *arena, infer_texts *out)
{
    for (size_t p = 0, plain = out->count; p < plain; p++)
        for (size_t k = 0; k < guards->count && out->count < PRE_CANDIDATES; k++)
            if (strcmp(guards->items[k], out->items[p]) != 0)
                *VEC_PUSH(out) = either(guards->items[k], out->items[p], arena);
}
