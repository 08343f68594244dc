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

static expr_id add(struct make *m, expr_id a, expr_id b)
{
    return op(m, EXPR_FADD, a, b);
}
static expr_id sub(struct make *m, expr_id a, expr_id b)
{
    return op(m, EXPR_FSUB, a, b);
}
static expr_id mul(struct make *m, expr_id a, expr_id b)
{
    return op(m, EXPR_FMUL, a, b);
}
static expr_id div_(struct make *m, expr_id a, expr_id b)
{
    return op(m, EXPR_FDIV, a, b);
}
static expr_id times(struct make *m, expr_id a, double k)
{
    return mul(m, a, constant(m, k));
}
static expr_id unary(struct make *m, enum expr_op what, expr_id a)
{
    return expr_unary(m->pool, what, m->width, a);
}

static void require(struct make *m, expr_id condition)
{
    m->out->constraints[m->out->count++] = condition;
}

static void below(struct make *m, expr_id a, double k)
{
    require(m, op(m, EXPR_FOLT, a, constant(m, k)));
}
static void above(struct make *m, expr_id a, double k)
{
    require(m, op(m, EXPR_FOGT, a, constant(m, k)));
}
static void equal(struct make *m, expr_id a, double k)
{
    require(m, op(m, EXPR_FOEQ, a, constant(m, k)));
}

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

static void decimal_equality(struct make *m)
{
    equal(m, div_(m, m->x, constant(m, 3.0)), 1.5);
}
static void decimal_sum(struct make *m)
{
    equal(m, add(m, m->x, constant(m, 0.1)), 0.7);
}

static void square_root(struct make *m)
{
    above(m, unary(m, EXPR_FSQRT, m->x), 3.0);
    below(m, m->x, 9.5);
}

static void integer_cast(struct make *m)
{
    truncates_to(m, m->x, 32, 1234);
}
static void scaled_cast(struct make *m)
{
    truncates_to(m, times(m, m->x, 100.0), 32, 314);
}

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

static expr_id clamp(struct make *m, expr_id a, double low, double high)
{
    return op(m, EXPR_FMIN, op(m, EXPR_FMAX, a, constant(m, low)), constant(m, high));
}

static void exact_root(struct make *m)
{
    equal(m, unary(m, EXPR_FSQRT, m->x), 3.0);
}

static void pid_step(struct make *m) // kp e + ki sum + kd (e - last), not saturated, in a window
{
    expr_id u = add(m, times(m, m->x, 1.25), times(m, m->y, 0.05));
    u = clamp(m, add(m, u, times(m, sub(m, m->x, m->z), 0.4)), -100, 100);
    above(m, u, 42.0);
    below(m, u, 42.01);
    below(m, m->x, 30.0);
    below(m, m->y, 30.0);
    above(m, m->z, 1.0);
}

static void anti_windup(struct make *m) // the integrator stops exactly at its limit
{
    expr_id sum = clamp(m, add(m, m->y, times(m, m->x, 0.01)), -5, 5);
    equal(m, sum, 5.0);
    below(m, m->y, 5.0);
    above(m, m->y, 4.5);
    below(m, m->x, 40.0);
}

static void rate_limiter(struct make *m) // the step is cut to 0.5, and the result is above 7
{
    expr_id step = clamp(m, sub(m, m->x, m->y), -0.5, 0.5), out = add(m, m->y, step);
    equal(m, step, 0.5);
    above(m, out, 7.0);
    below(m, out, 7.25);
}

static void three_filter_steps(struct make *m) // a first-order filter after three samples
{
    expr_id f = m->y;
    for (int i = 0; i < 3; i++)
        f = add(m, f, times(m, sub(m, m->x, f), 0.25));
    above(m, f, 2.5);
    below(m, f, 2.5078125);
    above(m, m->x, 3.0);
    below(m, m->y, 1.0);
}

static void dead_band(struct make *m) // outside |e| < 0.2, inside after scaling
{
    expr_id e = sub(m, m->x, m->y);
    require(m, op(m, EXPR_FOGE, unary(m, EXPR_FABS, e), constant(m, 0.2)));
    below(m, unary(m, EXPR_FABS, times(m, e, 0.9)), 0.2);
    above(m, m->y, 10.0);
}

static void adc_voltage(struct make *m) // 12 bits, 3.3 V: exactly one step
{
    expr_id n = expr_binary(m->pool, EXPR_AND, expr_input(m->pool, 0, 16),
                            expr_const64(m->pool, 16, 0xFFF));
    expr_id v =
        div_(m, times(m, expr_unary(m->pool, EXPR_UITOFP, m->width, n), 3.3), constant(m, 4095.0));
    above(m, v, 1.2340);
    below(m, v, 1.2349);
}

static void fahrenheit(struct make *m) // (f - 32) * 5 / 9 == 37.5
{
    equal(m, div_(m, times(m, sub(m, m->x, constant(m, 32.0)), 5.0), constant(m, 9.0)), 37.5);
}

static void kilometres(struct make *m)
{
    equal(m, times(m, m->x, 3.6), 90.0);
}

static void wheel_slip(struct make *m) // (v - w) / v between 0.2 and 0.201
{
    expr_id slip = div_(m, sub(m, m->x, m->y), m->x);
    above(m, m->x, 5.0);
    below(m, m->x, 60.0);
    above(m, slip, 0.2);
    below(m, slip, 0.201);
}

static void vector_length(struct make *m) // sqrt(x x + y y) in a window, x and y bounded
{
    expr_id r = unary(m, EXPR_FSQRT, add(m, mul(m, m->x, m->x), mul(m, m->y, m->y)));
    above(m, r, 9.99);
    below(m, r, 10.0);
    above(m, m->x, 5.0);
    above(m, m->y, 5.0);
}

static void discriminant(struct make *m) // two real roots, close together
{
    expr_id d = sub(m, mul(m, m->y, m->y), times(m, mul(m, m->x, m->z), 4.0));
    above(m, d, 0.0);
    below(m, d, 0.01);
    above(m, m->x, 1.0);
    above(m, m->z, 1.0);
}

static void interpolation(struct make *m) // between two points of a characteristic
{
    expr_id t = div_(m, sub(m, m->x, constant(m, 20.0)), constant(m, 60.0));
    expr_id y = add(m, constant(m, 0.8), times(m, t, 0.35));
    above(m, m->x, 20.0);
    below(m, m->x, 80.0);
    above(m, y, 0.975);
    below(m, y, 0.9755);
}

static void rounded_duty(struct make *m) // (int)(duty * 255 + 0.5) == 128
{
    truncates_to(m, add(m, times(m, m->x, 255.0), constant(m, 0.5)), 32, 128);
    above(m, m->x, 0.5);
}

static void hysteresis(struct make *m) // above the upper threshold now, below the lower before
{
    expr_id now = add(m, times(m, m->x, 0.8), times(m, m->y, 0.2));
    above(m, now, 71.5);
    below(m, m->y, 68.5);
    below(m, m->x, 73.0);
}

static void moving_average(struct make *m) // of three, exactly 10
{
    equal(m, div_(m, add(m, add(m, m->x, m->y), m->z), constant(m, 3.0)), 10.0);
    above(m, m->x, 11.0);
    below(m, m->y, 9.0);
    above(m, m->z, 9.5);
}

static void energy(struct make *m) // 0.5 mass v v == 250, mass bounded
{
    equal(m, mul(m, times(m, m->x, 0.5), mul(m, m->y, m->y)), 250.0);
    above(m, m->x, 4.0);
    below(m, m->x, 10.0);
}

static const struct {
    const char *name;
    void (*build)(struct make *m);
} formulas[] = {
    {"controller window", controller_window},
    {"controller saturates", controller_saturates},
    {"low pass", low_pass},
    {"weighted sum", weighted_sum},
    {"circle", circle},
    {"x / 3 == 1.5", decimal_equality},
    {"x + 0.1 == 0.7", decimal_sum},
    {"square root", square_root},
    {"(int)x == 1234", integer_cast},
    {"(int)(100 x) == 314", scaled_cast},
    {"x + 1e10 == 1e10", absorbed},
    {"cubic window", cubic_window},
    {"isnan(x - y)", not_a_number},
    {"reciprocal", reciprocal},
    {"x y + z == 10.5", product_plus},
    {"not associative", not_associative},
    {"floor and ceil", rounding},
    {"negative zero", negative_zero},
    {"overflow", infinite},
    {"scaled counter", counter_speed},
    {"sqrt(x) == 3", exact_root},
    {"PID step", pid_step},
    {"anti-windup", anti_windup},
    {"rate limiter", rate_limiter},
    {"three filter steps", three_filter_steps},
    {"dead band", dead_band},
    {"ADC voltage", adc_voltage},
    {"Fahrenheit", fahrenheit},
    {"x * 3.6 == 90", kilometres},
    {"wheel slip", wheel_slip},
    {"vector length", vector_length},
    {"discriminant", discriminant},
    {"interpolation", interpolation},
    {"rounded duty cycle", rounded_duty},
    {"hysteresis", hysteresis},
    {"moving average", moving_average},
    {"kinetic energy", energy},
};
enum { FORMULAS = sizeof formulas / sizeof *formulas };

bool float_set(struct expr_pool *pool, unsigned index, struct float_formula *out)
{
    if (index >= 2 * FORMULAS)
        return false;
    *out = (struct float_formula){.name = formulas[index / 2].name, .width = index % 2 ? 64 : 32};
    struct make m = {.pool = pool,
                     .width = out->width,
                     .out = out,
                     .x = expr_input(pool, 0, out->width),
                     .y = expr_input(pool, 8, out->width),
                     .z = expr_input(pool, 16, out->width)};
    formulas[index / 2].build(&m);
    return true;
}
