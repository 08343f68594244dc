// SPDX-License-Identifier: Apache-2.0
// What a call of the C library (program/libc.h) means besides its arguments and its result: state
// that is no input (a loss where the result is looked at), and errno.
#ifndef CZ_INSTRUMENT_LIBRARY_H
#define CZ_INSTRUMENT_LIBRARY_H

#include "instrument/pass.h"
#include "program/libc.h"

// Does LLVM know things of this function by its name that do not hold in every state, or leave
// out that it sets errno?
bool library_is_guessed(const char *name);

// The state that a call of the unit depends on: enum czrt_state, also by the names of models
// and replacements.
unsigned library_state_of(struct pass *p, LLVMValueRef call, LLVMValueRef f);
// Behind the call, when its labels are known: the result is what it is only in this state.
void library_doubt(struct pass *p, LLVMValueRef call, unsigned state);

// Code without instrumentation may set errno behind the labels' back. From in front of the
// call to behind it.
void library_guard_errno(struct pass *p, LLVMValueRef call);

#endif
