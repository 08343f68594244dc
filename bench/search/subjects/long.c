// SPDX-License-Identifier: Apache-2.0
// A path of as many branches as ROUNDS says, all of which depend on the input, a few on the
// same byte, and an execution tree that grows by as many nodes with
// every execution: what the cost of the search's structures is measured on.
#ifndef ROUNDS
#define ROUNDS 1000
#endif

int longest(const unsigned char s[512])
{
    unsigned n = 0;
    for (unsigned i = 0; i < ROUNDS; i++)
        if (s[i % 512] == i / 512)
            n++;
    return n > ROUNDS ? 1 : 0; // never: the search does not end
}
