// SPDX-License-Identifier: Apache-2.0
// Records as constraints: what a run's decision says about the inputs. See trace.h.
#include "trace/trace_internal.h"

#include <assert.h>

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

static bool two_way(struct trace_decoder *d, const struct wire_record *r, bool outcome,
                    expr_id *out, struct error *err)
{
    expr_id value;
    if (!trace_label(d, r->label, &value, err))
        return false;
    expr_id bit = as_bit(d, value);
    *out = outcome ? bit : expr_not(d->pool, bit);
    return true;
}

static bool pin(struct trace_decoder *d, const struct wire_record *r, expr_id *out,
                struct error *err)
{
    expr_id value;
    if (!trace_label(d, r->label, &value, err))
        return false;
    if (trace_width(d, value) > 64) // the record has the low half only
        value = expr_extract(d->pool, value, 0, 64);
    *out = expr_binary(d->pool, EXPR_EQ, value,
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

// value - low <= high - low, unsigned: right for signed and unsigned types alike.
static expr_id in_case(struct expr_pool *pool, const struct branch *branch, expr_id value)
{
    unsigned width = expr_get(pool, value)->width;
    struct expr_value low = {(uint64_t)branch->low, branch->low < 0 ? UINT64_MAX : 0};
    expr_id first = expr_const(pool, width, low);
    if (branch->low == branch->high)
        return expr_binary(pool, EXPR_EQ, value, first);
    uint64_t span = (uint64_t)branch->high - (uint64_t)branch->low;
    return expr_binary(pool, EXPR_ULE, expr_binary(pool, EXPR_SUB, value, first),
                       expr_const64(pool, width, span));
}

expr_id trace_switch_condition(struct expr_pool *pool, const struct program *program,
                               const struct switch_point *point, uint64_t branch, expr_id value)
{
    assert(branch < program->branch_count && program->branches[branch].kind != BRANCH_CONDITION);
    if (program->branches[branch].kind == BRANCH_CASE)
        return in_case(pool, &program->branches[branch], value);
    expr_id none = expr_true(pool);
    for (size_t i = 0; i < point->branch_count; i++) {
        const struct branch *other = &program->branches[point->branches[i]];
        if (other->kind == BRANCH_CASE)
            none = expr_and(pool, none, expr_not(pool, in_case(pool, other, value)));
    }
    return none;
}

static bool has_branch(const struct switch_point *s, uint32_t branch)
{
    for (size_t i = 0; i < s->branch_count; i++)
        if (s->branches[i] == branch)
            return true;
    return false;
}

static bool switched(struct trace_decoder *d, const struct wire_record *r, expr_id *out,
                     struct error *err)
{
    const struct switch_point *s = switch_of(d, r);
    expr_id value;
    if (!s || !has_branch(s, r->outcome))
        return error_set(err, ERROR_INTERNAL, "trace: record of switch %u, which has no branch %u",
                         r->site, r->outcome);
    if (!trace_label(d, r->label, &value, err))
        return false;
    *out = trace_switch_condition(d->pool, d->program, s, r->outcome, value);
    return true;
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
    case WIRE_PIN: return pin(decoder, record, out, err);
    case WIRE_SWITCH: return switched(decoder, record, out, err);
    default: return error_set(err, ERROR_INTERNAL, "trace: record of kind %u", record->kind);
    }
}
