// SPDX-License-Identifier: Apache-2.0
#include "base/tokens.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool tokens_open(struct tokens *tokens, struct error *err)
{
    return pipe2(tokens->ends, O_CLOEXEC | O_NONBLOCK) == 0 ||
           error_errno(err, "cannot make a pipe for tokens");
}

void tokens_close(struct tokens *tokens)
{
    close(tokens->ends[0]);
    close(tokens->ends[1]);
}

bool tokens_take(const struct tokens *tokens)
{
    char token;
    ssize_t got;
    while ((got = read(tokens->ends[0], &token, 1)) < 0 && errno == EINTR)
        ;
    return got == 1;
}

void tokens_give(const struct tokens *tokens)
{
    while (write(tokens->ends[1], "+", 1) < 0 && errno == EINTR)
        ;
}
