// SPDX-License-Identifier: Apache-2.0
// What sources use to build their part of a function.
#include "unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

unsigned fn_below(struct fn *fn, unsigned limit)
{
    return (unsigned)rng_below(fn->rng, limit);
}

bool fn_chance(struct fn *fn, unsigned one_in)
{
    return fn_below(fn, one_in) == 0;
}

unsigned fn_new(struct fn *fn)
{
    return fn->unit->next++;
}

long long fn_use(struct fn *fn, long long constant)
{
    *VEC_PUSH(&fn->constants) = constant;
    return constant;
}

long long fn_constant(struct fn *fn)
{
    switch (fn_below(fn, 5)) {
    case 0: return fn_use(fn, fn_below(fn, 4));
    case 1: return fn_use(fn, (long long)fn_below(fn, 100000) - 50000);
    case 2: return fn_use(fn, -(long long)fn_below(fn, 100));
    default: return fn_use(fn, fn_below(fn, 128));
    }
}

void fn_parameter(struct fn *fn, const char *name, const char *declaration, const char *setup)
{
    buf_printf(&fn->parameters, "%s%s", fn->parameters.length ? ", " : "", declaration);
    buf_printf(&fn->arguments, "%s%s", fn->arguments.length ? ", " : "", name);
    buf_printf(&fn->setup, "    %s\n", setup);
}

unsigned fn_int(struct fn *fn)
{
    unsigned n = fn_new(fn);
    char name[32], declaration[64], setup[128];
    snprintf(name, sizeof name, "x%u", n);
    snprintf(declaration, sizeof declaration, "int x%u", n);
    snprintf(setup, sizeof setup, "int x%u = (int)any(); note(\"x%u\", x%u);", n, n, n);
    fn_parameter(fn, name, declaration, setup);
    return n;
}

static void add_value(struct fn *fn, bool flag, const char *format, va_list args)
{
    struct buf text = BUF_INIT;
    buf_vprintf(&text, format, args);
    *VEC_PUSH(&fn->values) = (struct value){text.data, flag};
}

void fn_value(struct fn *fn, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_value(fn, false, format, args);
    va_end(args);
}

void fn_flag(struct fn *fn, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_value(fn, true, format, args);
    va_end(args);
}
