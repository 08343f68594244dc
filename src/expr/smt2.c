// SPDX-License-Identifier: Apache-2.0
// Constraints as an SMT-LIB 2 script. Every node is one define-fun, operands first:
// e<id> is its word (width 1: a one-bit vector), f<id> its float where a float
// operation needs one. The bits of a float result are a declared word that is tied
// to the float, because the standard has no function from floats to bits.
#include "expr/print.h"

#include "base/arena.h"
#include "expr/cone.h"
#include "expr/expr_internal.h"
#include <inttypes.h>
#include <stdlib.h>

struct smt2 {
    const struct expr_pool *pool;
    struct cone cone;
    struct buf *out;
    bool *has_float; // by position: f<id> was defined
};

static const char *word_operator(enum expr_op op)
{
    switch (op) {
    case EXPR_ADD: return "bvadd";
    case EXPR_SUB: return "bvsub";
    case EXPR_MUL: return "bvmul";
    case EXPR_UDIV: return "bvudiv";
    case EXPR_SDIV: return "bvsdiv";
    case EXPR_UREM: return "bvurem";
    case EXPR_SREM: return "bvsrem";
    case EXPR_SHL: return "bvshl";
    case EXPR_LSHR: return "bvlshr";
    case EXPR_ASHR: return "bvashr";
    case EXPR_AND: return "bvand";
    case EXPR_OR: return "bvor";
    case EXPR_XOR: return "bvxor";
    case EXPR_EQ: return "=";
    case EXPR_NE: return "distinct";
    case EXPR_UGT: return "bvugt";
    case EXPR_UGE: return "bvuge";
    case EXPR_ULT: return "bvult";
    case EXPR_ULE: return "bvule";
    case EXPR_SGT: return "bvsgt";
    case EXPR_SGE: return "bvsge";
    case EXPR_SLT: return "bvslt";
    case EXPR_SLE: return "bvsle";
    default: return NULL;
    }
}

// The ordered comparison behind a float comparison, and whether to negate it.
static const char *float_comparison(enum expr_op op, bool *negate)
{
    *negate =
        op == EXPR_FUNE || op == EXPR_FULE || op == EXPR_FULT || op == EXPR_FUGE || op == EXPR_FUGT;
    switch (op) {
    case EXPR_FOEQ:
    case EXPR_FUNE: return "fp.eq";
    case EXPR_FOGT:
    case EXPR_FULE: return "fp.gt";
    case EXPR_FOGE:
    case EXPR_FULT: return "fp.geq";
    case EXPR_FOLT:
    case EXPR_FUGE: return "fp.lt";
    case EXPR_FOLE:
    case EXPR_FUGT: return "fp.leq";
    default: return NULL;
    }
}

static const char *float_type(unsigned width)
{
    return width == 32 ? "8 24" : "11 53";
}

static void number(struct buf *out, unsigned width, expr_u128 v)
{
    buf_puts(out, "#b");
    for (unsigned i = width; i-- > 0;)
        buf_putc(out, v >> i & 1 ? '1' : '0');
}

static void define_word(struct smt2 *s, expr_id id)
{
    buf_printf(s->out, "(define-fun e%u () (_ BitVec %u) ", id, expr_width(s->pool, id));
}

static void need_float(struct smt2 *s, expr_id id)
{
    size_t at = cone_position(&s->cone, id);
    unsigned width = expr_width(s->pool, id);
    if (s->has_float[at])
        return;
    s->has_float[at] = true;
    buf_printf(s->out, "(define-fun f%u () (_ FloatingPoint %s) ((_ to_fp %s) e%u))\n", id,
               float_type(width), float_type(width), id);
}

static void define_float(struct smt2 *s, expr_id id)
{
    s->has_float[cone_position(&s->cone, id)] = true;
    buf_printf(s->out, "(define-fun f%u () (_ FloatingPoint %s) ", id,
               float_type(expr_width(s->pool, id)));
}

// Declare e<id> as the bits of f<id>, with the evaluator's rule for NaN.
static void tie_bits(struct smt2 *s, expr_id id, const struct expr *e)
{
    unsigned w = e->width;
    buf_printf(s->out, "(declare-fun e%u () (_ BitVec %u))\n(assert (ite (fp.isNaN f%u) (= e%u ",
               id, w, id, id);
    if (e->op == EXPR_FPEXT)
        buf_printf(s->out,
                   "(concat ((_ extract 31 31) e%u) #xfff ((_ extract 21 0) e%u) (_ bv0 29))", e->a,
                   e->a);
    else if (e->op == EXPR_FPTRUNC)
        buf_printf(s->out, "(concat ((_ extract 63 63) e%u) #b111111111 ((_ extract 50 29) e%u))",
                   e->a, e->a);
    else if (e->op == EXPR_SITOFP || e->op == EXPR_UITOFP)
        buf_printf(s->out, "e%u", id);
    else {
        const char *quiet = w == 32 ? "#x00400000" : "#x0008000000000000";
        const char *none = w == 32 ? "#xffc00000" : "#xfff8000000000000";
        buf_printf(s->out, "(ite (fp.isNaN f%u) (bvor e%u %s) ", e->a, e->a, quiet);
        if (e->b)
            buf_printf(s->out, "(ite (fp.isNaN f%u) (bvor e%u %s) %s))", e->b, e->b, quiet, none);
        else
            buf_printf(s->out, "%s)", none);
    }
    buf_printf(s->out, ") (= ((_ to_fp %s) e%u) f%u)))\n", float_type(w), id, id);
}

static void float_arithmetic(struct smt2 *s, expr_id id, const struct expr *e)
{
    unsigned a = e->a, b = e->b;
    define_float(s, id);
    switch (e->op) {
    case EXPR_FADD: buf_printf(s->out, "(fp.add RNE f%u f%u)", a, b); break;
    case EXPR_FSUB: buf_printf(s->out, "(fp.sub RNE f%u f%u)", a, b); break;
    case EXPR_FMUL: buf_printf(s->out, "(fp.mul RNE f%u f%u)", a, b); break;
    case EXPR_FDIV: buf_printf(s->out, "(fp.div RNE f%u f%u)", a, b); break;
    case EXPR_FREM: // fmod from IEEE's remainder of the magnitudes
        buf_printf(s->out,
                   "(let ((r (fp.rem (fp.abs f%u) (fp.abs f%u)))) (let ((m (fp.abs (ite (fp.lt r "
                   "(_ +zero %s)) (fp.add RNE r (fp.abs f%u)) r)))) (ite (fp.isNegative f%u) "
                   "(fp.neg m) m)))",
                   a, b, float_type(e->width), b, a);
        break;
    case EXPR_FSQRT: buf_printf(s->out, "(fp.sqrt RNE f%u)", a); break;
    case EXPR_FFLOOR: buf_printf(s->out, "(fp.roundToIntegral RTN f%u)", a); break;
    case EXPR_FCEIL: buf_printf(s->out, "(fp.roundToIntegral RTP f%u)", a); break;
    case EXPR_FTRUNC: buf_printf(s->out, "(fp.roundToIntegral RTZ f%u)", a); break;
    case EXPR_SITOFP: buf_printf(s->out, "((_ to_fp %s) RNE e%u)", float_type(e->width), a); break;
    case EXPR_UITOFP:
        buf_printf(s->out, "((_ to_fp_unsigned %s) RNE e%u)", float_type(e->width), a);
        break;
    default: buf_printf(s->out, "((_ to_fp %s) RNE f%u)", float_type(e->width), a); break;
    }
    buf_puts(s->out, ")\n");
    tie_bits(s, id, e);
}

static void float_compare(struct smt2 *s, expr_id id, const struct expr *e)
{
    bool negate;
    const char *text = float_comparison(e->op, &negate);
    const char *yes = negate ? "#b0" : "#b1", *no = negate ? "#b1" : "#b0";
    define_word(s, id);
    if (text)
        buf_printf(s->out, "(ite (%s f%u f%u) %s %s))\n", text, e->a, e->b, yes, no);
    else if (e->op == EXPR_FORD || e->op == EXPR_FUNO)
        buf_printf(s->out, "(ite (or (fp.isNaN f%u) (fp.isNaN f%u)) %s))\n", e->a, e->b,
                   e->op == EXPR_FUNO ? "#b1 #b0" : "#b0 #b1");
    else
        buf_printf(s->out, "(ite (or (fp.isNaN f%u) (fp.isNaN f%u) (fp.eq f%u f%u)) %s))\n", e->a,
                   e->b, e->a, e->b, e->op == EXPR_FUEQ ? "#b1 #b0" : "#b0 #b1");
}

// 2^exponent as a float constant of this format: sign, biased exponent, fraction.
static void power(struct buf *out, unsigned from, int exponent, bool negative)
{
    unsigned exponent_bits = from == 32 ? 8 : 11, bias = from == 32 ? 127 : 1023;
    expr_u128 biased = (expr_u128)((unsigned)exponent + bias); // 2^128 is infinity in 32 bits
    buf_printf(out, "(fp #b%c ", negative ? '1' : '0');
    number(out, exponent_bits, biased);
    buf_putc(out, ' ');
    number(out, from == 32 ? 23 : 52, 0);
    buf_putc(out, ')');
}

// "(and (fp.geq t low) (fp.lt t high))" with t the truncated operand.
static void range(struct smt2 *s, const struct expr *e, int low, int high)
{
    unsigned from = expr_width(s->pool, e->a);
    buf_puts(s->out, "(and (fp.geq t ");
    if (low >= 0)
        power(s->out, from, low, false);
    else if (low == -1)
        buf_printf(s->out, "(_ +zero %s)", float_type(from));
    else
        power(s->out, from, high, true);
    buf_puts(s->out, ") (fp.lt t ");
    power(s->out, from, high, false);
    buf_puts(s->out, "))");
}

enum { FROM_ZERO = -1, FROM_NEGATIVE = -2 };

static void to_integer(struct smt2 *s, expr_id id, const struct expr *e)
{
    bool is_signed = e->op == EXPR_FPTOSI;
    unsigned w = e->width, bits = w < 32 || (is_signed && w == 32) ? 32 : w > 64 ? w : 64;
    define_word(s, id);
    buf_printf(s->out, "(let ((t (fp.roundToIntegral RTZ f%u))) ((_ extract %u 0) ", e->a, w - 1);
    if (!is_signed && w > 32) {
        buf_puts(s->out, "(ite ");
        range(s, e, w > 64 ? FROM_ZERO : 63, (int)bits);
        buf_printf(s->out, " ((_ fp.to_ubv %u) RTZ t) ", bits);
    }
    if (is_signed || w <= 64) {
        buf_puts(s->out, "(ite ");
        range(s, e, FROM_NEGATIVE, (int)bits - 1);
        buf_printf(s->out, " ((_ fp.to_sbv %u) RTZ t) ", bits);
    }
    number(s->out, bits, w > 64 ? 0 : (expr_u128)1 << (bits - 1));
    buf_puts(s->out, is_signed || w <= 64 ? ")" : "");
    buf_puts(s->out, !is_signed && w > 32 ? ")" : "");
    buf_puts(s->out, ")))\n");
}

static void float_node(struct smt2 *s, expr_id id, const struct expr *e)
{
    if (e->op != EXPR_SITOFP && e->op != EXPR_UITOFP)
        need_float(s, e->a);
    if (e->b)
        need_float(s, e->b);
    switch (e->op) {
    case EXPR_FMIN:
    case EXPR_FMAX:
        define_word(s, id);
        buf_printf(s->out, "(ite (or (fp.isNaN f%u) (%s f%u f%u)) e%u e%u))\n", e->a,
                   e->op == EXPR_FMIN ? "fp.lt" : "fp.gt", e->b, e->a, e->b, e->a);
        return;
    case EXPR_FNEG:
    case EXPR_FABS:
        define_word(s, id);
        buf_printf(s->out, "(%s e%u ", e->op == EXPR_FNEG ? "bvxor" : "bvand", e->a);
        number(s->out, e->width,
               e->op == EXPR_FNEG ? (expr_u128)1 << (e->width - 1) : value_ones(e->width - 1u));
        buf_puts(s->out, "))\n");
        return;
    case EXPR_FPTOSI:
    case EXPR_FPTOUI: to_integer(s, id, e); return;
    default:
        if (expr_op_kind(e->op) == 'Q')
            float_compare(s, id, e);
        else
            float_arithmetic(s, id, e);
    }
}

static void read_value(struct smt2 *s, const struct expr_snapshot *table, uint32_t at, unsigned n)
{
    buf_puts(s->out, n > 1 ? "(concat" : "");
    for (unsigned i = n; i-- > 0;) {
        buf_putc(s->out, ' ');
        if (table->exprs && table->exprs[at + i])
            buf_printf(s->out, "e%u", table->exprs[at + i]);
        else
            number(s->out, 8, table->bytes[at + i]);
    }
    buf_puts(s->out, n > 1 ? ")" : "");
}

// One definition per offset, each with the one before as its "else".
static void read_node(struct smt2 *s, expr_id id, const struct expr *e)
{
    const struct expr_snapshot *table = expr_get_snapshot(s->pool, e->x);
    unsigned n = e->width / 8u;
    buf_printf(s->out, "(define-fun r%u_0 () (_ BitVec %u) (_ bv0 %u))\n", id, e->width, e->width);
    for (uint32_t at = 0; at + n <= table->size; at++) {
        buf_printf(s->out, "(define-fun r%u_%u () (_ BitVec %u) (ite (= e%u (_ bv%u 64)) ", id,
                   at + 1, e->width, e->a, at);
        read_value(s, table, at, n);
        buf_printf(s->out, " r%u_%u))\n", id, at);
    }
    define_word(s, id);
    buf_printf(s->out, "r%u_%u)\n", id, table->size < n ? 0 : table->size - n + 1);
}

static void input_node(struct smt2 *s, expr_id id, const struct expr *e)
{
    buf_printf(s->out, "(declare-fun in_%" PRIu64 "_%u () (_ BitVec %u))\n", e->x, e->width,
               e->width);
    define_word(s, id);
    buf_printf(s->out, "in_%" PRIu64 "_%u)\n", e->x, e->width);
}

static void integer_node(struct smt2 *s, expr_id id, const struct expr *e)
{
    const char *text = word_operator(e->op);
    unsigned from = e->a ? expr_width(s->pool, e->a) : 0;
    define_word(s, id);
    if (text && expr_op_kind(e->op) == 'C')
        buf_printf(s->out, "(ite (%s e%u e%u) #b1 #b0)", text, e->a, e->b);
    else if (text)
        buf_printf(s->out, "(%s e%u e%u)", text, e->a, e->b);
    else if (e->op == EXPR_CONST)
        number(s->out, e->width, (expr_u128)e->y << 64 | e->x);
    else if (e->op == EXPR_CONCAT)
        buf_printf(s->out, "(concat e%u e%u)", e->a, e->b);
    else if (e->op == EXPR_ITE)
        buf_printf(s->out, "(ite (= e%u #b1) e%u e%u)", e->a, e->b, e->c);
    else if (e->op == EXPR_ZEXT || e->op == EXPR_SEXT)
        buf_printf(s->out, "((_ %s_extend %u) e%u)", e->op == EXPR_ZEXT ? "zero" : "sign",
                   e->width - from, e->a);
    else // TRUNC, EXTRACT
        buf_printf(s->out, "((_ extract %u %u) e%u)", (unsigned)e->x + e->width - 1, (unsigned)e->x,
                   e->a);
    buf_puts(s->out, ")\n");
}

// Inputs that share a byte agree on it. Inputs are few; neighbours overlap.
static void tie_inputs(struct smt2 *s)
{
    struct map owner; // byte -> id of an input that has it
    map_init(&owner);
    for (size_t i = 0; i < s->cone.count; i++) {
        const struct expr *e = expr_get(s->pool, s->cone.ids[i]);
        for (unsigned k = 0; e->op == EXPR_INPUT && k < e->width / 8u; k++) {
            uint64_t other;
            if (!map_get(&owner, e->x + k, &other)) {
                map_put(&owner, e->x + k, s->cone.ids[i]);
                continue;
            }
            unsigned at = (unsigned)(e->x + k - expr_get(s->pool, (expr_id)other)->x);
            buf_printf(s->out, "(assert (= ((_ extract %u %u) e%u) ((_ extract %u %u) e%u)))\n",
                       8 * k + 7, 8 * k, s->cone.ids[i], 8 * at + 7, 8 * at, (expr_id)other);
        }
    }
    map_release(&owner);
}

void expr_print_smt2(const struct expr_pool *pool, const expr_id *constraints, size_t count,
                     struct buf *out)
{
    struct smt2 s = {.pool = pool, .out = out};
    cone_find(&s.cone, pool, constraints, count, true);
    s.has_float = xcalloc(s.cone.count + 1, sizeof *s.has_float);
    buf_puts(out, "(set-logic QF_BVFP)\n");
    for (size_t i = 0; i < s.cone.count; i++) {
        const struct expr *e = expr_get(pool, s.cone.ids[i]);
        if (e->op == EXPR_INPUT)
            input_node(&s, s.cone.ids[i], e);
        else if (e->op == EXPR_READ)
            read_node(&s, s.cone.ids[i], e);
        else if (e->op >= EXPR_FADD)
            float_node(&s, s.cone.ids[i], e);
        else
            integer_node(&s, s.cone.ids[i], e);
    }
    tie_inputs(&s);
    for (size_t i = 0; i < count; i++)
        buf_printf(out, "(assert (= e%u #b1))\n", constraints[i]);
    buf_puts(out, "(check-sat)\n");
    free(s.has_float);
    cone_release(&s.cone);
}

void expr_print_smt2_query(const struct expr_pool *pool, const expr_id *constraints, size_t count,
                           const uint8_t *input, size_t input_size, struct buf *out)
{
    buf_puts(out, "; input ");
    for (size_t i = 0; i < input_size; i++)
        buf_printf(out, "%02x", input[i]);
    buf_putc(out, '\n');
    expr_print_smt2(pool, constraints, count, out);
}
