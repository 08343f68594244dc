// SPDX-License-Identifier: Apache-2.0
// Shared by the files that turn the text of other compilers into one that clang accepts:
// dialect.c (attributes and keywords) and assembly.c. Edits come in the order of the text.
#ifndef CZ_FRONTEND_DIALECT_H
#define CZ_FRONTEND_DIALECT_H

#include "base/arena.h"
#include "frontend/dialect_tokens.h"

struct replacement {
    uint32_t start, end;
    const char *text; // newlines of what it replaces are kept behind it
};

struct dialect {
    struct arena *arena;
    struct tokens tokens;
    unsigned depth; // of braces, at the token that is looked at
    VEC(struct replacement) edits;
    VEC(uint32_t) handlers; // offsets where the text says that a function handles interrupts
};

void dialect_replace(struct dialect *d, size_t first, size_t last, const char *text); // tokens
void dialect_insert(struct dialect *d, uint32_t at, const char *text);

// assembly.c: an asm keyword at token `at`; the token to go on with.
bool assembly_is_keyword(const struct dialect *d, size_t at);
size_t assembly_adapt(struct dialect *d, size_t at);

#endif
