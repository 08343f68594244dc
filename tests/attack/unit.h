// SPDX-License-Identifier: Apache-2.0
// A unit while it is generated: 20 functions, what they need around them, and for each a
// caller that is independent of Cadenza. A function is made of *sources*, pieces of code that
// get a value from somewhere (a table of pointers, errno, padding ...), and of blocks of
// conditions over these values. A source that can make a condition true or false in a way
// that is easily overlooked is what the attack is about.
#ifndef ATTACK_UNIT_H
#define ATTACK_UNIT_H

#include "base/error.h"
#include "base/rng.h"
#include "text.h"

#include <stdbool.h>

enum { UNIT_FUNCTIONS = 20 };

struct unit {
    struct rng rng;
    unsigned next;        // numbers for names
    unsigned records;     // struct rec0 .. that every function may use
    struct buf types;     // C that unit and caller share
    struct buf functions; // template
    struct buf caller;    // C: definitions, callers
    struct buf table;     // C: the caller's table of functions
    struct buf origins;   // per function a line: its name and its sources
    struct buf drivers;   // per function a line: name|parameters|arguments
    struct buf strong;    // C: definitions for the build in which weak symbols are there
    bool has_weak;
};

// A value for conditions. A flag is true or false as it stands; a number is an integer
// expression that has no side effects.
struct value {
    char *text;
    bool flag;
};

struct fn {
    struct unit *unit;
    struct rng *rng;
    char name[32];
    struct buf parameters, arguments; // "int x, int y" and "x, y"
    struct buf before;                // template: globals and static functions in front
    struct buf code;                  // template: the statements of the sources
    struct buf define;                // C of the caller: definitions of what the unit only declares
    struct buf globals;               // statements of the caller: any values for the globals
    struct buf tick;                  // and for those that change at any time
    struct buf setup;                 // and for the arguments
    VEC(struct value) values;
    VEC(long long) constants;
    VEC(char *) sources; // their names, for a comment
};

void unit_init(struct unit *unit, uint64_t seed);
void unit_release(struct unit *unit);
void unit_add_function(struct unit *unit, unsigned number);
// Write unit.c, marked.c, caller.c, strong.c, and goals.txt, sources.txt and parameters.txt for
// the attacker.
bool unit_write(const struct unit *unit, const char *directory, struct error *err);

// Chance.
unsigned fn_below(struct fn *fn, unsigned limit);
bool fn_chance(struct fn *fn, unsigned one_in);
unsigned fn_new(struct fn *fn);                      // a number for names
long long fn_constant(struct fn *fn);                // random; the caller will try it
long long fn_use(struct fn *fn, long long constant); // the caller will try this one

// A parameter: its declaration, its name, and the expression or statement that gives the
// caller's variable of that name a value ("x1 = (int)any();").
void fn_parameter(struct fn *fn, const char *name, const char *declaration, const char *setup);
unsigned fn_int(struct fn *fn); // a parameter `int xN`; returns N

void fn_value(struct fn *fn, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fn_flag(struct fn *fn, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Blocks of conditions over the values.
void blocks_add(struct fn *fn, struct buf *to);
// The text of a leaf condition over a random value, with braces: "{{x1 == 3}}".
void leaf_add(struct fn *fn, struct buf *to);

#endif
