// SPDX-License-Identifier: Apache-2.0
// State of the C library for the runtime's own replacements; see library_state.c.
#ifndef CZRT_LIBRARY_STATE_H
#define CZRT_LIBRARY_STATE_H

#include "target_process.h"

void czrt_library_state_begin_run(void);
bool czrt_is_program(void); // heap.c: the state at the start is known
// errno, without the label that it may have had.
void czrt_set_errno(int number);
// A call has failed: errno is the input `errno` below the call's place `at` if the task looks
// at it and that is not zero, else the usual number. Also for models.
void czrt_fail(unsigned at, int usual);
void czrt_presume_locale(void);                          // for models
void czrt_presume_text(const char *text, unsigned loss); // looking at a character counts it
int czrt_fesetround(int mode);

#endif
