// SPDX-License-Identifier: Apache-2.0
// Records as constraints: what a run's decision says about the inputs, and what
// would have to hold for each other outcome. See trace.h.
#include "trace/trace_internal.h"

const struct wire_record *trace_records(const struct trace_decoder *decoder, uint32_t run,
                                        uint32_t *count, struct error *err)
{
    const struct wire_header *h = &decoder->header;
    *count = 0;
    if (run >= h->runs_done) {
        error_set(err, ERROR_INTERNAL, "trace: run %u of %u", run, h->runs_done);
        return NULL;
    }
    struct wire_run r = TRACE_ITEM(decoder, runs, struct wire_run, run);
    if (r.first_record > h->record_count || r.record_count > h->record_count - r.first_record) {
        error_set(err, ERROR_INTERNAL, "trace: records of run %u lie outside their area", run);
        return NULL;
    }
    *count = r.record_count;
    return &TRACE_ITEM(decoder, records, struct wire_record, r.first_record);
}

// Two-way records.

static expr_id as_bit(struct trace_decoder *d, expr_id value)
{
    unsigned width = trace_width(d, value);
    if (width == 1)
        return value;
    return expr_binary(d->pool, EXPR_NE, value, expr_const64(d->pool, width, 0));
}

static bool two_way(struct trace_decoder *d, const struct wire_record *r, bool outcome, expr_id *out,
                    struct error *err)
{
    expr_id value;
    if (!trace_label(d, r->label, &value, err))
        return false;
    expr_id bit = as_bit(d, value);
    *out = outcome ? bit : expr_not(d->pool, bit);
    return true;
}

static bool pin(struct trace_decoder *d, const struct wire_record *r, bool equal, expr_id *out,
                struct error *err)
{
    expr_id value;
    if (!trace_label(d, r->label, &value, err))
        return false;
    if (trace_width(d, value) > 64) // the record has the low half only
        value = expr_extract(d->pool, value, 0, 64);
    *out = expr_binary(d->pool, equal ? EXPR_EQ : EXPR_NE, value,
                       expr_const64(d->pool, trace_width(d, value), r->value));
    return true;
}

// Switches.

static const struct switch_point *switch_of(const struct trace_decoder *d,
                                            const struct wire_record *r)
{
    if (!d->program || r->site >= d->program->switch_count)
        return NULL;
    return &d->program->switches[r->site];
}

static const struct branch *branch_at(const struct trace_decoder *d, const struct switch_point *s,
                                      size_t i)
{
    return &d->program->branches[s->branches[i]];
}

// value - low <= high - low, unsigned: right for signed and unsigned types alike.
static expr_id in_case(struct trace_decoder *d, expr_id value, const struct branch *branch)
{
    unsigned width = trace_width(d, value);
    struct expr_value low = {(uint64_t)branch->low, branch->low < 0 ? UINT64_MAX : 0};
    expr_id first = expr_const(d->pool, width, low);
    if (branch->low == branch->high)
        return expr_binary(d->pool, EXPR_EQ, value, first);
    uint64_t span = (uint64_t)branch->high - (uint64_t)branch->low;
    return expr_binary(d->pool, EXPR_ULE, expr_binary(d->pool, EXPR_SUB, value, first),
                       expr_const64(d->pool, width, span));
}

static expr_id in_default(struct trace_decoder *d, expr_id value, const struct switch_point *s)
{
    expr_id all = expr_true(d->pool);
    for (size_t i = 0; i < s->branch_count; i++) {
        const struct branch *branch = branch_at(d, s, i);
        if (branch->kind == BRANCH_CASE)
            all = expr_and(d->pool, all, expr_not(d->pool, in_case(d, value, branch)));
    }
    return all;
}

static bool switch_branch(struct trace_decoder *d, const struct wire_record *r,
                          const struct switch_point *s, size_t index, expr_id *out,
                          struct error *err)
{
    expr_id value;
    if (!trace_label(d, r->label, &value, err))
        return false;
    const struct branch *branch = branch_at(d, s, index);
    *out = branch->kind == BRANCH_CASE ? in_case(d, value, branch) : in_default(d, value, s);
    return true;
}

// Position of the branch that was taken; branch_count when it is not of this switch.
static size_t taken(const struct switch_point *s, const struct wire_record *r)
{
    size_t i = 0;
    while (i < s->branch_count && s->branches[i] != r->outcome)
        i++;
    return i;
}

static bool bad_switch(const struct wire_record *r, struct error *err)
{
    return error_set(err, ERROR_INTERNAL, "trace: record of switch %u, which has no branch %u",
                     r->site, r->outcome);
}

static bool bad_kind(const struct wire_record *r, struct error *err)
{
    return error_set(err, ERROR_INTERNAL, "trace: record of kind %u", r->kind);
}

bool trace_condition(struct trace_decoder *decoder, const struct wire_record *record, expr_id *out,
                     struct error *err)
{
    if (record->label == 0) {
        *out = expr_true(decoder->pool);
        return true;
    }
    switch (record->kind) {
    case WIRE_COND:
    case WIRE_BRANCH:
    case WIRE_CHECK:
        if (record->outcome > 1)
            return error_set(err, ERROR_INTERNAL, "trace: outcome %u of a two-way record",
                             record->outcome);
        return two_way(decoder, record, record->outcome, out, err);
    case WIRE_PIN:
        return pin(decoder, record, true, out, err);
    case WIRE_SWITCH: {
        const struct switch_point *s = switch_of(decoder, record);
        size_t index = s ? taken(s, record) : 0;
        if (!s || index == s->branch_count)
            return bad_switch(record, err);
        return switch_branch(decoder, record, s, index, out, err);
    }
    default:
        return bad_kind(record, err);
    }
}

size_t trace_alternative_count(const struct trace_decoder *decoder,
                               const struct wire_record *record)
{
    if (record->label == 0)
        return 0;
    if (record->kind != WIRE_SWITCH)
        return 1;
    const struct switch_point *s = switch_of(decoder, record);
    return s && taken(s, record) < s->branch_count ? s->branch_count - 1 : 0;
}

bool trace_alternative(struct trace_decoder *decoder, const struct wire_record *record,
                       size_t index, struct trace_alternative *out, struct error *err)
{
    *out = (struct trace_alternative){0};
    if (index >= trace_alternative_count(decoder, record))
        return error_set(err, ERROR_INTERNAL, "trace: no alternative %zu of this record", index);
    switch (record->kind) {
    case WIRE_COND:
    case WIRE_BRANCH:
    case WIRE_CHECK:
        out->outcome = !record->outcome;
        return two_way(decoder, record, !record->outcome, &out->condition, err);
    case WIRE_PIN:
        return pin(decoder, record, false, &out->condition, err);
    case WIRE_SWITCH: {
        const struct switch_point *s = switch_of(decoder, record);
        size_t at = index < taken(s, record) ? index : index + 1;
        out->outcome = (uint32_t)s->branches[at];
        return switch_branch(decoder, record, s, at, &out->condition, err);
    }
    default:
        return bad_kind(record, err);
    }
}
