/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Annotations for code that is tested with Cadenza, in source files and headers:
 *
 *     #include <cz/cadenza.h>
 *
 *     cz_public int sensor_scale(const struct sensor *s, int raw)
 *     {
 *         cz_assume(s != 0);
 *         ...
 *
 * `cadenza run` finds the header by itself. Other compilers need -I, and there both do
 * nothing: the condition is not even evaluated.
 */
#ifndef CZ_CADENZA_H
#define CZ_CADENZA_H

#ifdef __CADENZA__

/* An execution in which the condition does not hold is none: it ends here, silently. It is
   no test, no alarm, and covers nothing. What only such executions reach is infeasible
   under this assumption, and reported so. */
#define cz_assume(condition) cz_assume_(!!(condition))
void cz_assume_(int holds);

/* Anybody may call this function, with any arguments: it is a task even if it is static,
   the calls that the project makes prove nothing about its arguments, and a crash that its
   arguments alone bring about is a bug unless a confirmed precondition rules it out. */
#define cz_public __attribute__((annotate("cz_public")))

#else
#define cz_assume(condition) ((void)0)
#define cz_public
#endif

#endif
