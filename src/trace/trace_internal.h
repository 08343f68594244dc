// SPDX-License-Identifier: Apache-2.0
// What decoding of nodes and decoding of records share.
#ifndef CZ_TRACE_INTERNAL_H
#define CZ_TRACE_INTERNAL_H

#include "trace/trace.h"

// Copy item `index` of an area whose count was checked.
#define TRACE_ITEM(decoder, area, type, index)                                                     \
    (((const type *)(const void *)((decoder)->mapping + (decoder)->header.area.offset))[index])

static inline unsigned trace_width(const struct trace_decoder *decoder, expr_id id)
{
    return expr_get(decoder->pool, id)->width;
}

#endif
