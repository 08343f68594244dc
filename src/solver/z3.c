// SPDX-License-Identifier: Apache-2.0
// The deciding layer: Z3 through its C API. Answers depend only on the sequence of
// queries: fixed seed, work limit in Z3's resource units, and a clock only as a
// safety net.
#include "solver/z3_internal.h"

#include "base/arena.h"
#include "base/tunables.h"
#include "expr/value.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Errors show as NULL results and as the context's error code; the default handler
// would end the process.
static void ignore_error(Z3_context context, Z3_error_code code)
{
    (void)context;
    (void)code;
}

// Flat sums and products of terms that are shared many times grow with the number of ways
// through them, and Z3 looks at no clock and counts no work while it flattens.
static void z3_open(struct z3 *z)
{
    Z3_global_param_set("rewriter.flat", "false");
    Z3_config config = Z3_mk_config();
    Z3_set_param_value(config, "model", "true");
    z->context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(z->context, ignore_error);
    z->dummy = Z3_mk_true(z->context);
    z->queries = 0;
    z->built = 0;
}

static void z3_close(struct z3 *z)
{
    if (z->context)
        Z3_del_context(z->context);
    z->context = NULL;
    z->cut_count = 0;
    if (z->room) {
        memset(z->words, 0, z->room * sizeof *z->words);
        memset(z->floats, 0, z->room * sizeof *z->floats);
        memset(z->heights, 0, z->room * sizeof *z->heights);
    }
}

static void z3_renew(struct z3 *z)
{
    unsigned limit = z->options.queries_per_context;
    bool old = z->built > SOLVER_Z3_TERMS || (limit && z->queries >= limit);
    if (z->context && !old)
        return;
    z3_close(z);
    z3_open(z);
}

static Z3_solver z3_make_solver(struct z3 *z)
{
    Z3_context c = z->context;
    Z3_solver solver = Z3_mk_simple_solver(c);
    Z3_solver_inc_ref(c, solver);
    Z3_params params = Z3_mk_params(c);
    Z3_params_inc_ref(c, params);
    Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "random_seed"), 0);
    if (z->options.rlimit)
        Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "rlimit"), z->options.rlimit);
    z->clock_ms = solver_clock_ms(&z->options);
    if (z->clock_ms)
        Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "timeout"), z->clock_ms);
    Z3_solver_set_params(c, solver, params);
    Z3_params_dec_ref(c, params);
    return solver;
}

static void z3_assert(struct z3 *z, Z3_solver solver, Z3_ast formula)
{
    Z3_solver_assert(z->context, solver, formula);
    if (Z3_get_error_code(z->context) != Z3_OK)
        z->failed = true;
}

static Z3_ast z3_input(struct z3 *z, const struct expr_var *var)
{
    expr_id id = expr_input(z->base.pool, var->offset, var->width);
    return z3_translate(z, id);
}

// Inputs that share bytes agree on them. The list is sorted by offset.
static void z3_tie(struct z3 *z, Z3_solver solver, const struct expr_var *p,
                   const struct expr_var *q)
{
    Z3_context c = z->context;
    unsigned begin = q->offset - p->offset;
    unsigned bytes = p->width / 8 - begin;
    if (bytes > q->width / 8)
        bytes = q->width / 8;
    Z3_ast a = z3_keep(z, Z3_mk_extract(c, 8 * (begin + bytes) - 1, 8 * begin, z3_input(z, p)));
    Z3_ast b = z3_keep(z, Z3_mk_extract(c, 8 * bytes - 1, 0, z3_input(z, q)));
    z3_assert(z, solver, z3_keep(z, Z3_mk_eq(c, a, b)));
}

static void z3_tie_all(struct z3 *z, Z3_solver solver)
{
    const struct expr_var *vars = z->vars.found;
    for (size_t i = 0; i < z->vars.found_count; i++) {
        uint64_t end = (uint64_t)vars[i].offset + vars[i].width / 8;
        for (size_t k = i + 1; k < z->vars.found_count && vars[k].offset < end; k++)
            z3_tie(z, solver, &vars[i], &vars[k]);
    }
}

static struct expr_value parse_decimal(const char *text)
{
    expr_u128 v = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        v = v * 10 + (unsigned)(*text - '0');
    return value_pair(v);
}

// Inputs that Z3 did not need keep the parent's value.
static void z3_read_model(struct z3 *z, Z3_solver solver, struct solver_model *model)
{
    Z3_context c = z->context;
    Z3_model m = Z3_solver_get_model(c, solver);
    if (!m)
        return;
    Z3_model_inc_ref(c, m);
    for (size_t i = 0; i < z->vars.found_count; i++) {
        const struct expr_var *var = &z->vars.found[i];
        Z3_ast input = z3_input(z, var);
        Z3_ast value = Z3_model_get_const_interp(c, m, Z3_get_app_decl(c, Z3_to_app(c, input)));
        if (value && Z3_is_numeral_ast(c, value))
            solver_model_set(model, var->offset, var->width,
                             parse_decimal(Z3_get_numeral_string(c, value)));
    }
    Z3_model_dec_ref(c, m);
}

static double clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

// Z3 says "canceled" for both limits; only a look at the clock tells them apart.
static enum solver_answer z3_decide(struct z3 *z, Z3_solver solver, struct solver_model *model)
{
    double begin = clock_ms();
    switch (Z3_solver_check(z->context, solver)) {
    case Z3_L_TRUE: z3_read_model(z, solver, model); return SOLVER_SAT;
    case Z3_L_FALSE: return SOLVER_UNSAT;
    default:
        z->base.hit_clock = z->clock_ms && clock_ms() - begin >= (double)z->clock_ms;
        return SOLVER_UNKNOWN;
    }
}

static enum solver_answer z3_check(struct solver *base, const struct solver_query *query,
                                   struct solver_model *model)
{
    struct z3 *z = (struct z3 *)base;
    if (z3_too_large(z, query)) {
        base->stats.too_large++;
        return SOLVER_UNKNOWN;
    }
    z3_renew(z);
    z->queries++;
    z->failed = false;
    Z3_solver solver = z3_make_solver(z);
    expr_vars_of(&z->vars, query->constraints, query->count);
    for (size_t i = 0; i < query->count && !z->failed; i++)
        z3_assert(z, solver, z3_translate(z, query->constraints[i]));
    z3_tie_all(z, solver);
    for (size_t i = 0; i < z->cut_count; i++)
        z3_assert(z, solver, z->cuts[i]);
    enum solver_answer answer = z->failed ? SOLVER_UNKNOWN : z3_decide(z, solver, model);
    Z3_solver_dec_ref(z->context, solver);
    if (z->failed || z->cut_count) // do not build on broken terms, nor on cut ones
        z3_close(z);
    return answer;
}

static void z3_free(struct solver *base)
{
    struct z3 *z = (struct z3 *)base;
    z3_close(z);
    expr_vars_release(&z->vars);
    free(z->words);
    free(z->floats);
    free(z->heights);
    free(z->cuts);
    free(z->stack);
    free(z);
}

struct solver *solver_z3_new(struct expr_pool *pool, const struct solver_options *options)
{
    static const struct solver_ops ops = {"z3", z3_check, z3_free};
    struct z3 *z = xcalloc(1, sizeof *z);
    z->base = (struct solver){.ops = &ops, .pool = pool};
    z->options = *options;
    expr_vars_init(&z->vars, pool);
    return &z->base;
}
