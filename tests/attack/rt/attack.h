/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the generated callers are written in: random and corner values, objects and pointers
 * to them, and the state of the world around a call. One iteration is one call (or a few) of
 * one function with everything drawn anew from the iteration's number.
 */
#ifndef ATTACK_RT_ATTACK_H
#define ATTACK_RT_ATTACK_H

#include <stddef.h>

/* Ways of attacking that an iteration may use. An assumption of a weak claim excludes some. */
enum feature {
#define FEATURE(name, text) FEATURE_##name,
#include "features.def"
#undef FEATURE
    FEATURE_COUNT
};
int feature(enum feature which);

/* Chance. any() prefers constants of the function under attack and ends of ranges. */
unsigned long long rnd(void);
unsigned below(unsigned limit);
long long any(void);
double any_float(void);

/* Kinds of objects, so that pointers only alias what C lets them alias. Records are
   KIND_RECORD + their number, pointers to them KIND_TO_RECORD + it. */
enum kind {
    KIND_CHAR,
    KIND_SHORT,
    KIND_INT,
    KIND_LONG,
    KIND_FLOAT,
    KIND_DOUBLE,
    KIND_TO_CHAR,
    KIND_TO_INT,
    KIND_ATOMIC,
    KIND_OTHER,
    KIND_RECORD = 16,
    KIND_TO_RECORD = 48
};

typedef void object_init(void *object);
object_init init_char, init_short, init_int, init_long, init_float, init_double, init_to_char,
    init_to_int, init_bytes;

/* An object that pointers of its kind may be given. */
void candidate(enum kind kind, void *object);
/* A new array of `count` (0: as many as the driver of Cadenza would make, or more). */
void *fresh(enum kind kind, size_t size, unsigned count, object_init *init);
/* NULL, new, an object that is there, or a sentinel. */
void *any_pointer(enum kind kind, size_t size, object_init *init);
/* The same, never NULL nor a sentinel, for code that does not look. */
void *any_object(enum kind kind, size_t size, object_init *init);
char *any_text(void);
/* Random bytes, padding too; zeros without FEATURE_PADDING. */
void fill(void *at, size_t size);

/* The last thing before a call: stack, heap, errno and library are given any state. */
void prepare(void);
void note(const char *name, long long value);

/* For definitions of functions that the unit only declares. */
long long stub_result(void);
int stub_acts(void);

struct attack_function {
    const char *name;
    void (*globals)(void); /* give every global of the function any value */
    void (*tick)(void);    /* those that may change at any time */
    void (*call)(void);
    const long long *constants;
    unsigned constant_count;
};
extern const struct attack_function attack_functions[];
extern const unsigned attack_function_count;
extern const int attack_choice_of[]; /* per goal: its switch, or -1 */
extern const unsigned attack_goal_count;

#endif
