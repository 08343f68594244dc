// SPDX-License-Identifier: Apache-2.0
// The preprocessed text as tokens, for what has to be decided before it can be parsed.
// Directives (#pragma) are left out, so are comments. Every punctuation character is a
// token of its own.
#ifndef CZ_FRONTEND_DIALECT_TOKENS_H
#define CZ_FRONTEND_DIALECT_TOKENS_H

#include "base/vec.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_MARK };

struct token {
    uint32_t start, end;
    enum token_kind kind;
};

struct tokens {
    const char *text;
    VEC(struct token) list;
};

void tokens_read(struct tokens *tokens, const char *text, size_t length);
void tokens_release(struct tokens *tokens);
bool token_is(const struct tokens *tokens, size_t at, const char *text); // false behind the end
bool token_is_mark(const struct tokens *tokens, size_t at, char c);
// The token that closes the bracket at `open`, or SIZE_MAX.
size_t token_partner(const struct tokens *tokens, size_t open);

#endif
