// SPDX-License-Identifier: Apache-2.0
// Is a query satisfiable? Z3, the bit-blaster on the simplified and on the unsimplified
// query, each layer in front of the bit-blaster, and all of them give the same verdict,
// and every model evaluates true. Nobody validates models here: what a layer says is
// what is judged. A failure prints the seed of its batch.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../random_expr.h"
#include "expr/eval.h"
#include "solver/solver.h"

enum { PER_BATCH = 200, MAX_PATH = 3, CHAINS = 10 };

static const struct {
    const char *name;
    unsigned layers;
} chains[CHAINS] = {
    {"z3", SOLVER_LAYER(Z3)},
    {"bitblast", SOLVER_LAYER(BITBLAST)},
    {"slice", SOLVER_LAYER(SLICE) | SOLVER_LAYER(BITBLAST)},
    {"syntax", SOLVER_LAYER(SYNTAX) | SOLVER_LAYER(BITBLAST)},
    {"domains", SOLVER_LAYER(DOMAINS) | SOLVER_LAYER(BITBLAST)},
    {"cache", SOLVER_LAYER(CACHE) | SOLVER_LAYER(BITBLAST)},
    {"invert", SOLVER_LAYER(INVERT) | SOLVER_LAYER(BITBLAST)},
    {"local", SOLVER_LAYER(LOCAL) | SOLVER_LAYER(BITBLAST)},
    {"optimistic", SOLVER_LAYER(OPTIMISTIC) | SOLVER_LAYER(BITBLAST)},
    {"all layers", SOLVER_LAYER(SLICE) | SOLVER_QUICK_LAYERS | SOLVER_LAYER(BITBLAST)},
};

struct tally {
    unsigned sat, unsat, unknown;
};

struct court {
    struct expr_pool *pools[2]; // [1] simplifies
    struct eval evals[2];
    struct solver *solvers[CHAINS], *unsimplified;
    struct solver_model model;
    uint8_t parent[RANDOM_INPUT_BYTES];
    uint64_t seed; // of the batch
    unsigned number;
    struct tally *tally; // CHAINS, and one for the unsimplified query
};

static struct solver *open_chain(struct expr_pool *pool, unsigned layers, bool floats)
{
    unsigned every = (1u << SOLVER_LAYER_COUNT) - 1;
    struct solver_options options = {.rlimit = floats ? 400000 : 100000,
                                     .max_gates = 30000,
                                     .queries_per_context = 64,
                                     .without = every & ~layers};
    if (layers & SOLVER_LAYER(Z3)) { // large sums and products of floats take it long
        options.max_gates = floats ? 700 : 12000;
        options.rlimit = floats ? 60000 : 150000;
    }
    return solver_new(pool, &options);
}

static void open_court(struct court *c, uint64_t seed, bool floats, struct tally *tally)
{
    *c = (struct court){.seed = seed, .tally = tally};
    for (int i = 0; i < 2; i++) {
        c->pools[i] = expr_pool_new();
        expr_pool_simplify(c->pools[i], i);
        eval_init(&c->evals[i], c->pools[i]);
    }
    for (int i = 0; i < CHAINS; i++)
        c->solvers[i] = open_chain(c->pools[1], chains[i].layers, floats);
    c->unsimplified = open_chain(c->pools[0], SOLVER_LAYER(BITBLAST), floats);
}

static void close_court(struct court *c)
{
    for (int i = 0; i < CHAINS; i++)
        solver_free(c->solvers[i]);
    solver_free(c->unsimplified);
    for (int i = 0; i < 2; i++) {
        eval_release(&c->evals[i]);
        expr_pool_free(c->pools[i]);
    }
    solver_model_release(&c->model);
}

// The reference: the unsimplified query on the parent merged with the model.
static bool satisfied(struct court *c, const expr_id *query, size_t count)
{
    struct buf merged = BUF_INIT;
    bool good = true;
    buf_add(&merged, c->parent, sizeof c->parent);
    solver_apply_model(&c->model, &merged);
    eval_begin(&c->evals[0], (const uint8_t *)merged.data, merged.length);
    for (size_t i = 0; i < count && good; i++)
        good = eval_true(&c->evals[0], query[i]);
    buf_release(&merged);
    return good;
}

static void blame(const struct court *c, const char *who, const char *what)
{
    fail_msg("%s: %s: seed %llu, query %u", who, what, (unsigned long long)c->seed, c->number);
}

// query[0]: unsimplified.
static void hear(struct court *c, struct solver *solver, const char *who, struct tally *tally,
                 expr_id query[2][MAX_PATH], int which, size_t count, enum solver_answer *truth)
{
    struct solver_query q = {query[which], count, c->parent, sizeof c->parent, NULL};
    enum solver_answer answer = solver_check(solver, &q, &c->model);
    tally->sat += answer == SOLVER_SAT;
    tally->unsat += answer == SOLVER_UNSAT;
    tally->unknown += answer == SOLVER_UNKNOWN;
    if (answer == SOLVER_UNKNOWN)
        return;
    if (*truth != SOLVER_UNKNOWN && answer != *truth)
        blame(c, who,
              answer == SOLVER_SAT ? "satisfiable, others say no" : "unsatisfiable, others say no");
    if (answer == SOLVER_SAT && !satisfied(c, query[0], count))
        blame(c, who, "a wrong model");
    *truth = answer;
}

// Slicing relies on a path that the parent follows.
static void judge(struct court *c, expr_id query[2][MAX_PATH], size_t count, bool followed)
{
    enum solver_answer truth = SOLVER_UNKNOWN;
    for (int i = 0; i < CHAINS; i++)
        if (followed || !(chains[i].layers & SOLVER_LAYER(SLICE)))
            hear(c, c->solvers[i], chains[i].name, &c->tally[i], query, 1, count, &truth);
    hear(c, c->unsimplified, "bitblast, not simplified", &c->tally[CHAINS], query, 0, count,
         &truth);
    c->number++;
}

// A comparison of an input, or of something simple made from it, with a constant or
// with another one: what programs branch on, and what the layers know.
static expr_id simple_condition(struct expr_pool *pool, struct rng *rng)
{
    static const unsigned sizes[] = {8, 8, 16, 32, 64};
    unsigned width = sizes[rng_below(rng, COUNT(sizes))];
    expr_id x = expr_input(pool, (uint32_t)rng_below(rng, 4) * 2, width);
    expr_id constant = expr_const(pool, width, random_value(rng, width));
    switch (rng_below(rng, 6)) {
    case 0: x = expr_binary(pool, EXPR_ADD, x, constant); break;
    case 1: x = expr_unary(pool, rng_below(rng, 2) ? EXPR_ZEXT : EXPR_SEXT, 64, x); break;
    case 2: x = expr_binary(pool, EXPR_AND, x, constant); break;
    case 3: x = expr_binary(pool, EXPR_XOR, x, expr_input(pool, 8, width)); break;
    default: break;
    }
    width = expr_get(pool, x)->width;
    expr_id c = expr_const(pool, width, random_value(rng, width));
    return expr_binary(pool, (enum expr_op)(EXPR_EQ + rng_below(rng, 10)), x, c);
}

static expr_id condition(struct expr_pool *pool, struct rng *rng, bool floats)
{
    struct random_options options = {.floats = floats,
                                     .reads = rng_below(rng, 4) == 0,
                                     .size = 1 + (unsigned)rng_below(rng, floats ? 3 : 6)};
    if (rng_below(rng, 3) == 0)
        return simple_condition(pool, rng);
    return random_expr(pool, rng, &options, 1);
}

// A path as it is on the parent with the last condition flipped; or, to have more
// contradictions, each as it comes. The same in both pools.
static size_t random_query(struct court *c, uint64_t seed, bool floats, bool follow,
                           expr_id out[2][MAX_PATH])
{
    size_t count = 0;
    for (int which = 0; which < 2; which++) {
        struct rng rng = {seed};
        count = 1 + rng_below(&rng, MAX_PATH);
        random_input(&rng, c->parent);
        eval_begin(&c->evals[which], c->parent, sizeof c->parent);
        for (size_t i = 0; i < count; i++) {
            expr_id id = condition(c->pools[which], &rng, floats);
            bool holds = eval_true(&c->evals[which], id);
            bool flip = follow && holds == (i + 1 == count);
            out[which][i] = flip ? expr_not(c->pools[which], id) : id;
        }
    }
    return count;
}

static void hold_court(uint64_t first, uint64_t last, bool floats, struct tally *tally)
{
    for (uint64_t seed = first; seed < last; seed += PER_BATCH) {
        struct court c;
        open_court(&c, seed, floats, tally);
        for (uint64_t i = 0; i < PER_BATCH; i++) {
            expr_id query[2][MAX_PATH];
            bool follow = i % 3 != 0;
            size_t count = random_query(&c, seed + i, floats, follow, query);
            judge(&c, query, count, follow);
        }
        close_court(&c);
    }
}

// Limits must not hollow the test out: most queries are decided by everybody, both
// verdicts are frequent.
static void check_tally(const char *who, const struct tally *t, unsigned per_cent)
{
    unsigned all = t->sat + t->unsat + t->unknown;
    if ((t->sat + t->unsat) * 100 < all * per_cent || t->sat * 10 < all || t->unsat * 10 < all)
        fail_msg("%s: %u sat, %u unsat, %u unknown", who, t->sat, t->unsat, t->unknown);
}

static void check_tallies(const struct tally tally[CHAINS + 1], unsigned per_cent, unsigned z3)
{
    check_tally(chains[0].name, &tally[0], z3);
    for (int i = 1; i < CHAINS; i++)
        check_tally(chains[i].name, &tally[i], per_cent);
    check_tally("bitblast, not simplified", &tally[CHAINS], per_cent);
}

static void integers(void **state)
{
    struct tally tally[CHAINS + 1] = {0};
    (void)state;
    hold_court(1, 20001, false, tally);
    check_tallies(tally, 99, 94);
}

static void with_floats(void **state)
{
    struct tally tally[CHAINS + 1] = {0};
    (void)state;
    hold_court(1000001, 1008001, true, tally);
    check_tallies(tally, 93, 50);
}

// The expensive circuits one by one, symbolic in all operands: does the operation have a
// result with these bits? Asked for results that some operands give and for noise.
static expr_id some_operation(struct expr_pool *pool, enum expr_op op, unsigned width)
{
    expr_id a = expr_input(pool, 0, width), b = expr_input(pool, 8, width);
    switch (expr_op_kind(op)) {
    case 'F': return expr_binary(pool, op, a, b);
    case 'G': return expr_unary(pool, op, width, a);
    default: return expr_unary(pool, op, op >= EXPR_FPTOSI ? 32 : 96 - width, a);
    }
}

static void one_operation(struct court *c, enum expr_op op, unsigned width, struct rng *rng)
{
    expr_id query[2][MAX_PATH], term;
    uint8_t operands[RANDOM_INPUT_BYTES];
    random_input(rng, c->parent);
    random_input(rng, operands);
    bool reachable = rng_below(rng, 2);
    struct expr_value noise = random_value(rng, width);
    for (int which = 0; which < 2; which++) {
        term = some_operation(c->pools[which], op, width);
        unsigned bits = expr_get(c->pools[which], term)->width;
        eval_begin(&c->evals[which], operands, sizeof operands);
        struct expr_value value = reachable ? eval_expr(&c->evals[which], term) : noise;
        query[which][0] =
            expr_binary(c->pools[which], EXPR_EQ, term, expr_const(c->pools[which], bits, value));
        // One operand fixed, or Z3 takes minutes for the products.
        query[which][1] =
            expr_binary(c->pools[which], EXPR_EQ, expr_input(c->pools[which], 8, 64),
                        expr_const64(c->pools[which], 64, *(uint64_t *)(void *)(operands + 8)));
    }
    judge(c, query, 2, false);
}

static void float_operations(void **state)
{
    struct tally tally[CHAINS + 1] = {0};
    (void)state;
    for (enum expr_op op = EXPR_FADD; op <= EXPR_FPTOUI; op++) {
        struct court c;
        struct rng rng = {2000000 + op};
        if (op == EXPR_FREM || expr_op_kind(op) == 'Q')
            continue;
        open_court(&c, rng.state, true, tally);
        solver_free(c.solvers[0]);
        c.solvers[0] =
            solver_new(c.pools[1], &(struct solver_options){.rlimit = 150000,
                                                            .max_gates = 5000,
                                                            .without = SOLVER_QUICK_LAYERS |
                                                                       SOLVER_LAYER(SLICE) |
                                                                       SOLVER_LAYER(BITBLAST)});
        for (int i = 0; i < 16; i++) {
            bool narrow = op == EXPR_FPEXT || (op != EXPR_FPTRUNC && i % 2);
            one_operation(&c, op, narrow ? 32 : 64, &rng);
        }
        close_court(&c);
    }
    check_tallies(tally, 98, 40);
}

int test_agree_verdicts(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(with_floats),
        cmocka_unit_test(float_operations),
    };
    return cmocka_run_group_tests_name("agree_verdicts", tests, NULL, NULL);
}
