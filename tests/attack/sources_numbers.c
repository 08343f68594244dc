// SPDX-License-Identifier: Apache-2.0
// Arithmetic whose corners are easily overlooked.
#include "sources.h"

#include <stdio.h>

#define ADD(part, ...) buf_printf(&fn->part, __VA_ARGS__)

static unsigned add_float(struct fn *fn, const char *type)
{
    unsigned n = fn_new(fn);
    char name[32], declaration[64], setup[128];
    snprintf(name, sizeof name, "f%u", n);
    snprintf(declaration, sizeof declaration, "%s f%u", type, n);
    snprintf(setup, sizeof setup, "%s f%u = (%s)any_float();", type, n, type);
    fn_parameter(fn, name, declaration, setup);
    return n;
}

void source_float_number(struct fn *fn)
{
    unsigned n = add_float(fn, fn_chance(fn, 2) ? "float" : "double");
    fn_flag(fn, "f%u == f%u", n, n);
    fn_flag(fn, "f%u > %u.5", n, fn_below(fn, 9));
    switch (fn_below(fn, 5)) {
    case 0: fn_flag(fn, "f%u == f%u + 1", n, n); break;
    case 1: fn_flag(fn, "f%u * f%u < 0", n, n); break;
    case 2: fn_flag(fn, "1 / f%u < 0", n); break;
    case 3: fn_flag(fn, "f%u - f%u != 0", n, n); break;
    default: fn_flag(fn, "(float)f%u != f%u", n, n);
    }
}

void source_float_bits(struct fn *fn)
{
    unsigned n = add_float(fn, "float");
    ADD(code, "unsigned w%u;\nmemcpy(&w%u, &f%u, sizeof w%u);\n", n, n, n, n);
    fn_value(fn, "(w%u >> 23 & 255u)", n);
    fn_value(fn, "(w%u & 1u)", n);
    fn_use(fn, 255);
}

void source_narrowing(struct fn *fn)
{
    static const char *const types[] = {"signed char", "unsigned char", "short", "unsigned short"};
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(code, "%s v%u = (%s)(x%u %s %u);\n", types[fn_below(fn, 4)], n, "int", x,
        fn_chance(fn, 2) ? "&" : "|", 1 + fn_below(fn, 70000));
    fn_value(fn, "v%u", n);
    fn_flag(fn, "v%u == x%u", n, x);
}

void source_wide_number(struct fn *fn)
{
    unsigned n = fn_new(fn);
    char name[32], declaration[64], setup[128];
    snprintf(name, sizeof name, "w%u", n);
    snprintf(declaration, sizeof declaration, "unsigned long long w%u", n);
    snprintf(setup, sizeof setup, "unsigned long long w%u = (unsigned long long)any();", n);
    fn_parameter(fn, name, declaration, setup);
    fn_value(fn, "(w%u >> 32)", n);
    fn_value(fn, "(w%u * 0x100000001ull >> 60)", n);
    fn_value(fn, "((unsigned __int128)w%u * w%u >> 64)", n, n);
}

void source_enumeration(struct fn *fn)
{
    unsigned n = fn_new(fn);
    char name[32], declaration[64], setup[128];
    buf_printf(&fn->unit->types, "enum mode%u { OFF%u, ON%u = 4, LOST%u };\n", n, n, n, n);
    snprintf(name, sizeof name, "m%u", n);
    snprintf(declaration, sizeof declaration, "enum mode%u m%u", n, n);
    snprintf(setup, sizeof setup, "enum mode%u m%u = (enum mode%u)any();", n, n, n);
    fn_parameter(fn, name, declaration, setup);
    ADD(code,
        "int v%u = 0;\nswitch ({(m%u)}) {\n{:case OFF%u:}v%u = 1;\nbreak;\n{:case ON%u:}v%u = "
        "2;\nbreak;\n"
        "{:case LOST%u:}v%u = 3;\nbreak;\n{:default:}v%u = 4;\nbreak;\n}\n",
        n, n, n, n, n, n, n, n, n);
    fn_value(fn, "v%u", n);
    fn_value(fn, "(int)m%u", n);
}

// What an optimiser decides and a plain build does not.
void source_builtin(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(code,
        "unsigned size%u = %u;\nchar room%u[16] = {0};\nsize%u += (x%u > 5);\nunsigned fixed%u = "
        "8;\n",
        n, fn_below(fn, 9), n, n, x, n);
    switch (fn_below(fn, 4)) {
    case 0: fn_flag(fn, "__builtin_constant_p(fixed%u)", n); break;
    case 1: fn_value(fn, "__builtin_popcount((unsigned)x%u)", x); break;
    case 2: fn_flag(fn, "__builtin_object_size(room%u + size%u, 0) == 16", n, n); break;
    default: fn_flag(fn, "__builtin_expect(x%u == %lld, 1)", x, fn_constant(fn));
    }
    fn_value(fn, "room%u[size%u]", n, n);
    fn_value(fn, "size%u", n);
}

void source_collatz(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(code,
        "unsigned c%u = (unsigned)x%u & 31u;\nint v%u = 0;\n"
        "while ({[{{c%u > 1u}} && {{v%u < 12}}]}) {\nif ({{c%u & 1u}})\nc%u = 3u * c%u + 1u;\n"
        "else\nc%u /= 2u;\nv%u++;\n}\n",
        n, x, n, n, n, n, n, n, n, n);
    fn_value(fn, "v%u", n);
    fn_value(fn, "c%u", n);
}
