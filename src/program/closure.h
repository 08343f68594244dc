// SPDX-License-Identifier: Apache-2.0
// What a function can reach in a program: a task's functions, variables and externals.
// A function reaches what it calls. When something in the task calls through pointers,
// it also reaches what it takes the address of, the functions in the initialisers of
// the variables it refers to (dispatch tables), and what the driver may put into
// pointers to functions: those in the parameters, in the variables, in the results of
// stubs, and behind them. The same walk tells which functions clang emits.
#ifndef CZ_PROGRAM_CLOSURE_H
#define CZ_PROGRAM_CLOSURE_H

#include "program/program.h"

struct closure;

// Of a program whose functions, variables and pointers are filled; it must outlive it.
struct closure *closure_new(struct program *program);
void closure_free(struct closure *closure);

// Sets function.emitted of what clang emits though no driver refers to it: what is
// marked already (external ones and those with attribute used) and what they reach.
void closure_mark_emitted(struct closure *closure);

// Fills a task with its name, entry, functions, variables and externals, in the
// program's arena.
// With program.interleave, handlers of interrupts are reached by every other task.
void closure_task(struct closure *closure, size_t entry, struct task *out);

// Does the function interrupt the task with this entry?
bool closure_interrupts(const struct program *program, size_t entry, size_t function);

#endif
