// SPDX-License-Identifier: Apache-2.0
// The hook of a condition when LLVM is asked for proofs (src/instrument/proof.c):
// one marker function per goal, called in the branch that the goal stands for. Inlined,
// so that the optimiser sees plain control flow; compiled to bitcode like shim.c. The
// calls must stay apart: merged into one call of a selected pointer, both goals
// would look alive.

__attribute__((always_inline)) void cz_s_goal(_Bool value, void (*if_true)(void),
                                              void (*if_false)(void))
{
    if (value) __attribute__
        ((nomerge)) if_true();
    else __attribute__
        ((nomerge)) if_false();
}

// An execution in which an assumption does not hold is none.
void cz_reject(void) __attribute__((noreturn, nothrow));
__attribute__((always_inline)) void cz_assume_(int holds)
{
    if (!holds)
        cz_reject();
}

// A pointer that is not there is NULL, also for the optimiser.
__attribute__((always_inline)) void *cz_absent(unsigned at)
{
    (void)at;
    return 0;
}
