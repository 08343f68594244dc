// SPDX-License-Identifier: Apache-2.0
// Choosing sources.
#include "sources.h"

#include "base/error.h"
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned weight;
    void (*add)(struct fn *fn);
} sources[] = {
#define SOURCE(name, weight) {#name, weight, source_##name},
#include "sources.def"
#undef SOURCE
};

enum { COUNT = sizeof sources / sizeof *sources };

static unsigned choose(struct fn *fn)
{
    unsigned total = 0, at = 0;
    for (unsigned i = 0; i < COUNT; i++)
        total += sources[i].weight;
    unsigned left = fn_below(fn, total);
    while (left >= sources[at].weight)
        left -= sources[at++].weight;
    return at;
}

void sources_add(struct fn *fn)
{
    unsigned at = choose(fn);
    const char *wanted = getenv("ATTACK_SOURCE");
    if (wanted && fn->sources.count == 0) {
        for (at = 0; at < COUNT && strcmp(sources[at].name, wanted) != 0; at++)
            ;
        if (at == COUNT)
            BUG("no source %s", wanted);
    }
    sources[at].add(fn);
    *VEC_PUSH(&fn->sources) = (char *)sources[at].name;
}
