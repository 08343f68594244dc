// SPDX-License-Identifier: Apache-2.0
// Queries far beyond what can be decided: hundreds of thousands of nodes, integers,
// floats and tables. Each gets an answer, and the process stays below a fixed size. Here
// because sanitizers multiply the memory that is measured.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/solver.h"
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NODES = 200000, MAX_KILOBYTES = 700 * 1024 };

static expr_id products(struct expr_pool *pool)
{
    expr_id x = expr_input(pool, 0, 64);
    for (uint32_t i = 0; i < NODES / 2; i++)
        x = expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_MUL, x, x),
                        expr_input(pool, i % 4 * 8, 64));
    return expr_binary(pool, EXPR_EQ, x, expr_const64(pool, 64, 12345));
}

static expr_id quotients_of_floats(struct expr_pool *pool)
{
    expr_id x = expr_input(pool, 0, 64);
    for (uint32_t i = 0; i < NODES / 2; i++)
        x = expr_binary(pool, EXPR_FADD, expr_binary(pool, EXPR_FDIV, x, expr_input(pool, 8, 64)),
                        expr_input(pool, i % 4 * 8, 64));
    return expr_binary(pool, EXPR_FOEQ, x, expr_const64(pool, 64, 0x4008000000000000));
}

static expr_id chained_reads(struct expr_pool *pool)
{
    uint8_t bytes[4096];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 2654435761u >> 24);
    uint64_t table = expr_snapshot(pool, bytes, NULL, sizeof bytes);
    expr_id x = expr_input(pool, 0, 64);
    for (uint32_t i = 0; i < NODES / 3; i++) {
        expr_id at = expr_binary(pool, EXPR_AND, x, expr_const64(pool, 64, 0xFFF));
        x = expr_binary(pool, EXPR_XOR, expr_read(pool, table, at, 8),
                        expr_input(pool, i % 4 * 8, 64));
    }
    return expr_binary(pool, EXPR_EQ, x, expr_const64(pool, 64, 12345));
}

// In the child: exit code 0 if all is well.
static int ask(expr_id (*build)(struct expr_pool *))
{
    static const uint8_t parent[32];
    struct expr_pool *pool = expr_pool_new();
    struct solver *solver = solver_new(pool, NULL);
    expr_id path[2] = {expr_binary(pool, EXPR_NE, expr_input(pool, 0, 8), expr_const64(pool, 8, 7)),
                       build(pool)};
    struct solver_query query = {path, 2, parent, sizeof parent, NULL};
    solver_check(solver, &query, NULL);
    expr_id easy = expr_binary(pool, EXPR_EQ, expr_input(pool, 0, 8), expr_const64(pool, 8, 7));
    query.constraints = &easy;
    query.count = 1;
    bool works = solver_check(solver, &query, NULL) == SOLVER_SAT; // the next query is as ever
    solver_free(solver);
    expr_pool_free(pool);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    if (usage.ru_maxrss > MAX_KILOBYTES)
        fprintf(stderr, "%ld kilobytes\n", usage.ru_maxrss);
    return works && usage.ru_maxrss <= MAX_KILOBYTES ? 0 : 1;
}

static void in_a_child(expr_id (*build)(struct expr_pool *))
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(ask(build));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void huge_queries_stay_in_bounds(void **state)
{
    (void)state;
    in_a_child(products);
    in_a_child(quotients_of_floats);
    in_a_child(chained_reads);
}

int test_memory(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(huge_queries_stay_in_bounds)};
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
