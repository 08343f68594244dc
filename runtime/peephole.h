// SPDX-License-Identifier: Apache-2.0
// Constructors of expression nodes with the peephole rules that cost next to
// nothing; private to the runtime's symbolic core. A result of 0 means that the
// value does not depend on inputs any more: the caller has it concretely.
#ifndef CZRT_PEEPHOLE_H
#define CZRT_PEEPHOLE_H

#include "runtime.h"

void czrt_expr_init(void);
// No new nodes until the run ends: nobody will ask for them.
void czrt_expr_stop(void);
void czrt_expr_resume(void);
wire_label czrt_simplify_binary(uint32_t op, uint32_t width, wire_label a, wire_label b, uint64_t x,
                                uint64_t y);
wire_label czrt_simplify_unary(uint32_t op, uint32_t width, wire_label a, uint64_t x);
// High and low part. A constant part has label 0 and its value in x (high) or y (low).
wire_label czrt_simplify_concat(uint32_t width, wire_label high, wire_label low, uint64_t x,
                                uint64_t y);

#endif
