// SPDX-License-Identifier: Apache-2.0
// Models, and what layers share about one query: its flat program.
#include "solver/solver_internal.h"

#include "base/vec.h"
#include "expr/flat.h"
#include <stdlib.h>

void solver_model_release(struct solver_model *model)
{
    VEC_RELEASE(model);
}

void solver_model_clear(struct solver_model *model)
{
    model->count = 0;
}

void solver_model_set(struct solver_model *model, uint32_t offset, uint32_t width,
                      struct expr_value value)
{
    *VEC_PUSH(model) = (struct solver_assignment){offset, width, value};
}

static uint8_t value_byte(struct expr_value value, unsigned index)
{
    uint64_t half = index < 8 ? value.low : value.high;
    return (uint8_t)(half >> (index % 8 * 8));
}

void solver_apply_model(const struct solver_model *model, struct buf *input)
{
    for (size_t i = 0; i < model->count; i++) {
        const struct solver_assignment *item = &model->items[i];
        size_t end = (size_t)item->offset + item->width / 8;
        while (input->length < end)
            buf_putc(input, 0);
        for (unsigned k = 0; k < item->width / 8; k++)
            input->data[item->offset + k] = (char)value_byte(item->value, k);
    }
}

struct flat *solver_flat(struct solver *solver, const struct solver_query *query, struct flat *own)
{
    struct flat *flat = query->flat ? query->flat : own;
    if (flat->pool != solver->pool)
        flat_init(flat, solver->pool);
    if (!query->flat || !flat->compiled)
        flat_compile(flat, query->constraints, query->count, query->input, query->input_size);
    return flat;
}

static bool differs(const struct flat *flat, const struct flat_input *in,
                    const struct solver_query *query)
{
    for (uint32_t i = in->offset; i < in->offset + in->width / 8; i++)
        if (flat->bytes[i] != (i < query->input_size ? query->input[i] : 0))
            return true;
    return false;
}

void solver_model_from_flat(struct solver_model *model, const struct flat *flat,
                            const struct solver_query *query)
{
    for (size_t i = 0; i < flat->input_count; i++) {
        const struct flat_input *in = &flat->inputs[i];
        if (differs(flat, in, query))
            solver_model_set(model, in->offset, in->width, value_pair(flat_value(flat, in->at)));
    }
}
