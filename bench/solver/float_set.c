// SPDX-License-Identifier: Apache-2.0
#include "float_set.h"

#include <string.h>

struct make {
    struct expr_pool *pool;
    unsigned width;
    struct float_formula *out;
    expr_id x, y, z;
};

static expr_id constant(struct make *m, double value)
{
    uint64_t bits = 0;
    float narrow = (float)value;
    if (m->width == 32)
        memcpy(&bits, &narrow, sizeof narrow);
    else
        memcpy(&bits, &value, sizeof value);
    return expr_const64(m->pool, m->width, bits);
}

static expr_id op(struct make *m, enum expr_op what, expr_id a, expr_id b)
{
    return expr_binary(m->pool, what, a, b);
}

static expr_id add(struct make *m, expr_id a, expr_id b) { return op(m, EXPR_FADD, a, b); }
static expr_id sub(struct make *m, expr_id a, expr_id b) { return op(m, EXPR_FSUB, a, b); }
static expr_id mul(struct make *m, expr_id a, expr_id b) { return op(m, EXPR_FMUL, a, b); }
static expr_id div_(struct make *m, expr_id a, expr_id b) { return op(m, EXPR_FDIV, a, b); }
static expr_id times(struct make *m, expr_id a, double k) { return mul(m, a, constant(m, k)); }
static expr_id unary(struct make *m, enum expr_op what, expr_id a)
{
    return expr_unary(m->pool, what, m->width, a);
}

static void require(struct make *m, expr_id condition)
{
    m->out->constraints[m->out->count++] = condition;
}

static void below(struct make *m, expr_id a, double k) { require(m, op(m, EXPR_FOLT, a, constant(m, k))); }
static void above(struct make *m, expr_id a, double k) { require(m, op(m, EXPR_FOGT, a, constant(m, k))); }
static void equal(struct make *m, expr_id a, double k) { require(m, op(m, EXPR_FOEQ, a, constant(m, k))); }

static void truncates_to(struct make *m, expr_id a, unsigned bits, uint64_t value)
{
    expr_id cast = expr_unary(m->pool, EXPR_FPTOSI, bits, a);
    require(m, op(m, EXPR_EQ, cast, expr_const64(m->pool, bits, value)));
}

static void controller_window(struct make *m) // u = 2.5 e + 0.125 i in a narrow window
{
    expr_id u = add(m, times(m, m->x, 2.5), times(m, m->y, 0.125));
    above(m, u, 11.75);
    below(m, u, 11.875);
    above(m, m->y, 1.0);
}

static void controller_saturates(struct make *m) // fmin(fmax(kp * e, -10), 10) == 10, e small
{
    expr_id u = times(m, sub(m, m->x, m->y), 4.0);
    u = op(m, EXPR_FMIN, op(m, EXPR_FMAX, u, constant(m, -10)), constant(m, 10));
    equal(m, u, 10.0);
    below(m, m->x, 3.0);
    above(m, m->y, -2.0);
}

static void low_pass(struct make *m) // y + 0.2 (x - y) between 4.99 and 5, x bounded
{
    expr_id f = add(m, m->y, times(m, sub(m, m->x, m->y), 0.2));
    above(m, f, 4.99);
    below(m, f, 5.0);
    below(m, m->x, 6.0);
    above(m, m->x, 5.5);
}

static void weighted_sum(struct make *m)
{
    expr_id t = add(m, times(m, m->x, 0.1), m->y);
    above(m, t, 3.7);
    require(m, op(m, EXPR_FOLT, m->x, m->y));
}

static void circle(struct make *m)
{
    equal(m, add(m, mul(m, m->x, m->x), mul(m, m->y, m->y)), 25.0);
    above(m, m->x, 0.0);
    above(m, m->y, 0.0);
}

static void decimal_equality(struct make *m) { equal(m, div_(m, m->x, constant(m, 3.0)), 1.5); }
static void decimal_sum(struct make *m) { equal(m, add(m, m->x, constant(m, 0.1)), 0.7); }

static void square_root(struct make *m)
{
    above(m, unary(m, EXPR_FSQRT, m->x), 3.0);
    below(m, m->x, 9.5);
}

static void integer_cast(struct make *m) { truncates_to(m, m->x, 32, 1234); }
static void scaled_cast(struct make *m) { truncates_to(m, times(m, m->x, 100.0), 32, 314); }

static void absorbed(struct make *m) // x + 1e10 == 1e10, x > 0
{
    equal(m, add(m, m->x, constant(m, 1e10)), 1e10);
    above(m, m->x, 0.0);
}

static void cubic_window(struct make *m)
{
    expr_id square = mul(m, m->x, m->x), p = sub(m, mul(m, square, m->x), times(m, square, 2.0));
    p = sub(m, add(m, p, m->x), constant(m, 7.0));
    above(m, p, 0.0);
    below(m, p, 0.001);
}

static void not_a_number(struct make *m) // isnan(x - y), x > 0
{
    expr_id d = sub(m, m->x, m->y);
    require(m, op(m, EXPR_FUNE, d, d));
    above(m, m->x, 0.0);
}

static void reciprocal(struct make *m)
{
    above(m, m->x, 0.0);
    below(m, m->x, 1.0);
    above(m, div_(m, constant(m, 1.0), m->x), 1000.0);
    above(m, times(m, m->x, 1000.0), 0.5);
}

static void product_plus(struct make *m)
{
    equal(m, add(m, mul(m, m->x, m->y), m->z), 10.5);
    for (int i = 0; i < 2; i++) {
        above(m, i ? m->y : m->x, 1.0);
        below(m, i ? m->y : m->x, 5.0);
    }
    above(m, m->z, 1.0);
    below(m, m->z, 5.0);
}

static void not_associative(struct make *m) // (x + y) + z != x + (y + z), all in (0, 10)
{
    expr_id a = add(m, add(m, m->x, m->y), m->z), b = add(m, m->x, add(m, m->y, m->z));
    require(m, op(m, EXPR_FUNE, a, b));
    expr_id inputs[3] = {m->x, m->y, m->z};
    for (int i = 0; i < 3; i++)
        above(m, inputs[i], 0.0);
    below(m, m->x, 10.0);
    below(m, m->y, 10.0);
    below(m, m->z, 10.0);
}

static void rounding(struct make *m) // floor(x) == 41, ceil(x) == 42, fabs(y) == x
{
    equal(m, unary(m, EXPR_FFLOOR, m->x), 41.0);
    equal(m, unary(m, EXPR_FCEIL, m->x), 42.0);
    require(m, op(m, EXPR_FOEQ, unary(m, EXPR_FABS, m->y), m->x));
    below(m, m->y, 0.0);
}

static void negative_zero(struct make *m) // x == 0 and 1 / x < 0
{
    equal(m, m->x, 0.0);
    below(m, div_(m, constant(m, 1.0), m->x), 0.0);
}

static void infinite(struct make *m) // x finite, x * x infinite
{
    expr_id square = mul(m, m->x, m->x);
    require(m, op(m, EXPR_FOEQ, mul(m, square, constant(m, 0.5)), square));
    above(m, square, 1.0);
    below(m, m->x, m->width == 32 ? 1e30 : 1e200);
}

static void counter_speed(struct make *m) // a 16-bit counter scaled: (float)n * 0.01 > 123.45
{
    expr_id n = expr_input(m->pool, 0, 16);
    expr_id v = times(m, expr_unary(m->pool, EXPR_UITOFP, m->width, n), 0.01);
    above(m, v, 123.45);
    below(m, v, 123.465);
}

static const struct {
    const char *name;
    void (*build)(struct make *m);
} formulas[] = {
    {"controller window", controller_window}, {"controller saturates", controller_saturates},
    {"low pass", low_pass},                   {"weighted sum", weighted_sum},
    {"circle", circle},                       {"x / 3 == 1.5", decimal_equality},
    {"x + 0.1 == 0.7", decimal_sum},          {"square root", square_root},
    {"(int)x == 1234", integer_cast},         {"(int)(100 x) == 314", scaled_cast},
    {"x + 1e10 == 1e10", absorbed},           {"cubic window", cubic_window},
    {"isnan(x - y)", not_a_number},           {"reciprocal", reciprocal},
    {"x y + z == 10.5", product_plus},        {"not associative", not_associative},
    {"floor and ceil", rounding},             {"negative zero", negative_zero},
    {"overflow", infinite},                   {"scaled counter", counter_speed},
};
enum { FORMULAS = sizeof formulas / sizeof *formulas };

bool float_set(struct expr_pool *pool, unsigned index, struct float_formula *out)
{
    if (index >= 2 * FORMULAS)
        return false;
    *out = (struct float_formula){.name = formulas[index / 2].name, .width = index % 2 ? 64 : 32};
    struct make m = {.pool = pool, .width = out->width, .out = out,
                     .x = expr_input(pool, 0, out->width), .y = expr_input(pool, 8, out->width),
                     .z = expr_input(pool, 16, out->width)};
    formulas[index / 2].build(&m);
    return true;
}
