// SPDX-License-Identifier: Apache-2.0
// From the wire to expressions: decodes the nodes that a target left in shared
// memory into an expression pool, and turns the records of a run into constraints.
//
// The target may have scribbled over the mapping (that is what code under test
// does), so nothing in it is trusted: areas, counts, node numbers, operations and
// widths are checked, and anything wrong is an error, never a crash. The header is
// copied when a batch begins; nodes are decoded on demand and at most once.
#ifndef CZ_TRACE_H
#define CZ_TRACE_H

#include "base/error.h"
#include "expr/expr.h"
#include "program/program.h"
#include "wire/wire.h"

struct trace_decoder {
    struct expr_pool *pool;
    const struct program *program; // for switches; NULL: records of switches are refused
    const uint8_t *mapping;
    uint64_t mapping_size;
    struct wire_header header;
    expr_id *nodes;      // by wire node; 0: not decoded yet
    uint64_t *snapshots; // by wire snapshot: pool index + 1; 0: not decoded yet
    size_t node_room, snapshot_room;
    uint32_t *stack;
    size_t stack_count, stack_room;
};

void trace_decoder_init(struct trace_decoder *decoder, struct expr_pool *pool,
                        const struct program *program);
void trace_decoder_release(struct trace_decoder *decoder);

// A new batch is in the mapping: forget the nodes of the last one (unless the batch
// kept them: WIRE_KEEP_NODES) and check the header. The mapping must stay while
// records of the batch are decoded.
bool trace_begin(struct trace_decoder *decoder, const void *mapping, uint64_t size,
                 struct error *err);

// The records of run `run`, checked to lie inside the record area. NULL and err if
// they do not; *count may be 0.
const struct wire_record *trace_records(const struct trace_decoder *decoder, uint32_t run,
                                        uint32_t *count, struct error *err);

// The expression of a label: the whole value for byte index 0, else that byte.
bool trace_label(struct trace_decoder *decoder, wire_label label, expr_id *out, struct error *err);

// The constraint that this record took its outcome, 1 bit. A record without a label
// (concrete) gives true. PIN: the expression has the recorded value.
bool trace_condition(struct trace_decoder *decoder, const struct wire_record *record, expr_id *out,
                     struct error *err);

// The value of this switch leads to this branch of it: to a case, or to the default
// because it is in none of the cases.
expr_id trace_switch_condition(struct expr_pool *pool, const struct program *program,
                               const struct switch_point *point, uint64_t branch, expr_id value);

#endif
