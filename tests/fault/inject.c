// SPDX-License-Identifier: Apache-2.0
// Linked with all of Cadenza as build/cadenza-faults, in front of the allocator and the solvers
// (the linker's --wrap; libraries keep their own). CZ_FAULT says what goes wrong:
//   parent:N   the N-th allocation of the first process fails
//   worker:N   the N-th allocation of every process that it starts fails
//   cadical:N  the N-th call of the SAT solver aborts, in every process
//   z3:N       the same of Z3
// A number beyond what a run needs changes nothing.
#include <ccadical.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <z3.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
int __real_ccadical_solve(CCaDiCaL *solver);
Z3_lbool __real_Z3_solver_check(Z3_context context, Z3_solver solver);

static struct {
    char what[16];
    unsigned long number; // 0: nothing goes wrong
    pid_t first;
} plan;

__attribute__((constructor)) static void read_plan(void)
{
    const char *fault = getenv("CZ_FAULT"), *first = getenv("CZ_FAULT_FIRST");
    if (!fault || sscanf(fault, "%15[a-z0-9]:%lu", plan.what, &plan.number) != 2)
        return;
    plan.first = first ? (pid_t)atol(first) : getpid();
    if (!first) {
        char text[32];
        snprintf(text, sizeof text, "%ld", (long)plan.first);
        setenv("CZ_FAULT_FIRST", text, 1);
    }
}

// Counts calls of one kind in this process; what the process was forked from does not count.
static bool is_due(const char *what, unsigned long *count, pid_t *counted)
{
    if (!plan.number || strcmp(plan.what, what) != 0)
        return false;
    pid_t self = getpid();
    *count = *counted == self ? *count + 1 : 1;
    *counted = self;
    return *count == plan.number;
}

static bool allocation_fails(void)
{
    static unsigned long count;
    static pid_t counted;
    return plan.number && is_due(getpid() == plan.first ? "parent" : "worker", &count, &counted);
}

void *__wrap_malloc(size_t size)
{
    return allocation_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allocation_fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return allocation_fails() ? NULL : __real_realloc(old, size);
}

int __wrap_ccadical_solve(CCaDiCaL *solver)
{
    static unsigned long count;
    static pid_t counted;
    if (is_due("cadical", &count, &counted))
        abort();
    return __real_ccadical_solve(solver);
}

Z3_lbool __wrap_Z3_solver_check(Z3_context context, Z3_solver solver)
{
    static unsigned long count;
    static pid_t counted;
    if (is_due("z3", &count, &counted))
        abort();
    return __real_Z3_solver_check(context, solver);
}
