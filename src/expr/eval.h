// SPDX-License-Identifier: Apache-2.0
// The value of an expression on an input vector. Bytes beyond the vector's end are
// zero. Values are remembered for the current input, so evaluating all constraints
// of a path costs one visit per node; a new input starts a new generation instead
// of clearing anything. ITE and READ evaluate only what they select.
//
// Exact meaning of what C leaves open (target: clang on x86-64 with SSE2):
// - An arithmetic float result that is not a number is the first operand that is
//   NaN, made quiet, else the default NaN (sign set, quiet, payload 0). FNEG and
//   FABS only change the sign bit. FPEXT and FPTRUNC keep sign and upper payload.
// - FMIN(a, b) is b when a is NaN, else b when b < a, else a; so equal zeros give a.
//   FMAX likewise with b > a.
// - FPTOSI truncates towards zero. Up to 32 bits it is cvttsd2si with a 32-bit
//   register, up to 64 bits with a 64-bit register, cut to the width; out of that
//   register's range and for NaN it is the "indefinite" 0x80000000 or
//   0x8000000000000000.
// - FPTOUI below 32 bits is as FPTOSI. From 32 to 64 bits a value in [2^63, 2^64)
//   is exact and every other one is as with the 64-bit register, cut to the width.
//   (32-bit unsigned: NaN gives 0, -1.0 gives 0xFFFFFFFF.)
// - Above 64 bits both give 0 out of range; the helper libraries of compilers
//   differ there.
#ifndef CZ_EXPR_EVAL_H
#define CZ_EXPR_EVAL_H

#include "expr/expr.h"

struct eval {
    const struct expr_pool *pool;
    struct expr_value *values;
    uint32_t *stamps; // generation in which values[id] was computed
    size_t room;
    uint32_t generation;
    const uint8_t *input;
    size_t input_size;
    expr_id *stack;
    size_t stack_count, stack_room;
};

void eval_init(struct eval *eval, const struct expr_pool *pool);
void eval_release(struct eval *eval);

// Evaluate on this input from now on. It is not copied: a change of its bytes needs
// another eval_begin.
void eval_begin(struct eval *eval, const uint8_t *input, size_t size);

struct expr_value eval_expr(struct eval *eval, expr_id id);
bool eval_true(struct eval *eval, expr_id condition); // of a 1-bit expression

#endif
