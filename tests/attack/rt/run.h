/* SPDX-License-Identifier: Apache-2.0 */
/* Between the parts of the attacker's runtime. */
#ifndef ATTACK_RT_RUN_H
#define ATTACK_RT_RUN_H

#include "attack.h"
#include "marks.h"

void values_begin(unsigned long long seed, const struct attack_function *of);
void values_end(void);  /* frees what the iteration allocated */
void world_begin(void); /* before the first iteration of a process */
void world_end(void);   /* after a call: what the runtime itself needs is put right again */
extern int run_verbose;

#endif
