// SPDX-License-Identifier: Apache-2.0
// Numbers, records, unions, buffers, lists and text.
#include "sources.h"

#include <stdio.h>

#define ADD(part, ...) buf_printf(&fn->part, __VA_ARGS__)

void source_number(struct fn *fn)
{
    unsigned x = fn_int(fn);
    if (fn_chance(fn, 3))
        fn_value(fn, "(long long)x%u * x%u", x, x);
    fn_value(fn, "x%u", x);
}

void source_global_number(struct fn *fn)
{
    static const char *const types[] = {"int",      "unsigned char", "short",
                                        "unsigned", "long",          "_Bool"};
    unsigned n = fn_new(fn);
    const char *type = types[fn_below(fn, 6)];
    ADD(before, "%s%s gv%u;\n", fn_chance(fn, 2) ? "extern " : "", type, n);
    // A common symbol: defined here too where the unit only declares it.
    ADD(define, "__attribute__((weak)) %s gv%u;\n", type, n);
    ADD(globals, "    gv%u = (%s)any();\n    note(\"gv%u\", (long long)gv%u);\n", n, type, n, n);
    fn_value(fn, "gv%u", n);
}

void source_constant_of_other_file(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "extern const int limit%u;\nextern const unsigned char map%u[8];\n", n, n);
    ADD(define, "int limit%u;\nunsigned char map%u[8];\n", n, n);
    ADD(globals,
        "    if (feature(FEATURE_CONSTANTS)) {\n        limit%u = (int)any();\n"
        "        for (int i = 0; i < 8; i++)\n            map%u[i] = (unsigned char)any();\n"
        "        note(\"limit%u\", limit%u);\n    }\n",
        n, n, n, n);
    fn_value(fn, "limit%u", n);
    fn_value(fn, "map%u[%u]", n, fn_below(fn, 8));
}

void source_static_constant(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(before, "static const short weights%u[4] = {%u, %u, %u, %u};\n", n, fn_below(fn, 9),
        fn_below(fn, 99), fn_below(fn, 9), fn_below(fn, 999));
    fn_value(fn, "weights%u[(unsigned)x%u & 3u]", n, x);
}

void source_record_behind_pointer(struct fn *fn)
{
    unsigned n = fn_new(fn), rec = fn_below(fn, fn->unit->records);
    char name[32], declaration[64], setup[256];
    snprintf(name, sizeof name, "o%u", n);
    snprintf(declaration, sizeof declaration, "struct rec%u *o%u", rec, n);
    snprintf(setup, sizeof setup,
             "struct rec%u *o%u = any_pointer(KIND_RECORD + %u, sizeof *o%u, init_rec%u);", rec, n,
             rec, n, rec);
    fn_parameter(fn, name, declaration, setup);
    ADD(code, "if ({{o%u == 0}})\nreturn -10;\n", n);
    fn_value(fn, "o%u->a", n);
    if (fn_chance(fn, 2))
        fn_value(fn, "o%u->%s", n, fn_chance(fn, 2) ? "bits" : "name[2]");
    if (fn_chance(fn, 2)) {
        ADD(code, "int v%u = 0;\nif ({{o%u->p != 0}})\nv%u = *o%u->p;\n", n, n, n, n);
        fn_value(fn, "v%u", n);
    }
}

void source_record_by_value(struct fn *fn)
{
    unsigned n = fn_new(fn), rec = fn_below(fn, fn->unit->records);
    char name[32], declaration[64], setup[256];
    snprintf(name, sizeof name, "o%u", n);
    snprintf(declaration, sizeof declaration, "struct rec%u o%u", rec, n);
    snprintf(setup, sizeof setup, "struct rec%u o%u; init_rec%u(&o%u);", rec, n, rec, n);
    fn_parameter(fn, name, declaration, setup);
    fn_value(fn, "o%u.a", n);
    fn_value(fn, "o%u.%s", n, fn_chance(fn, 2) ? "flag" : "sbits");
    fn_flag(fn, "o%u.next != 0", n);
}

void source_union_member(struct fn *fn)
{
    unsigned n = fn_new(fn), rec = fn_below(fn, fn->unit->records);
    ADD(before, "%sstruct rec%u un%u;\n", fn_chance(fn, 2) ? "extern " : "", rec, n);
    ADD(define, "__attribute__((weak)) struct rec%u un%u;\n", rec, n);
    ADD(globals, "    init_rec%u(&un%u);\n", rec, n);
    fn_value(fn, "un%u.u.bytes[%u]", n, fn_below(fn, 4));
    fn_flag(fn, "un%u.u.f == un%u.u.f", n, n);
    fn_value(fn, "un%u.u.i", n);
}

void source_bit_field(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    buf_printf(&fn->unit->types,
               "struct fields%u { unsigned low : %u; int sign : %u; unsigned high : %u; };\n", n,
               1 + fn_below(fn, 5), 1 + fn_below(fn, 4), 2 + fn_below(fn, 20));
    ADD(code,
        "struct fields%u b%u = {0};\nb%u.low = (unsigned)x%u;\nb%u.sign = x%u;\n"
        "b%u.high = (unsigned)x%u >> 3;\n",
        n, n, n, x, n, x, n, x);
    fn_value(fn, "b%u.low", n);
    fn_value(fn, "b%u.sign", n);
    fn_value(fn, "b%u.high", n);
}

// A buffer and its length; the caller's length is that of the buffer.
void source_buffer_with_length(struct fn *fn)
{
    unsigned n = fn_new(fn);
    bool bytes = fn_chance(fn, 2);
    char name[32], declaration[64], setup[256];
    snprintf(name, sizeof name, "buf%u", n);
    snprintf(declaration, sizeof declaration, "%s *buf%u", bytes ? "unsigned char" : "int", n);
    snprintf(setup, sizeof setup,
             "unsigned len%u = feature(FEATURE_BIG) ? below(60) : below(11); %s *buf%u = "
             "fresh(%s, sizeof *buf%u, len%u ? len%u : 1, %s);",
             n, bytes ? "unsigned char" : "int", n, bytes ? "KIND_CHAR" : "KIND_INT", n, n, n,
             bytes ? "init_char" : "init_int");
    fn_parameter(fn, name, declaration, setup);
    snprintf(name, sizeof name, "len%u", n);
    snprintf(declaration, sizeof declaration, "unsigned len%u", n);
    fn_parameter(fn, name, declaration, "");
    ADD(code,
        "int v%u = -1;\nif ({{buf%u == 0}})\nreturn -11;\n"
        "for (unsigned i%u = 0; {{i%u < len%u}}; i%u++)\nif ({{buf%u[i%u] == %u}})\n"
        "v%u = (int)i%u;\n",
        n, n, n, n, n, n, n, n, (unsigned)fn_use(fn, fn_below(fn, 200)), n, n);
    fn_value(fn, "v%u", n);
    fn_value(fn, "len%u", n);
    fn_use(fn, 12);
}

void source_text(struct fn *fn)
{
    static const char *const words[] = {"a", "on", "abc", "12", "-", "xyz", ""};
    unsigned n = fn_new(fn);
    char name[32], declaration[64], setup[256];
    snprintf(name, sizeof name, "s%u", n);
    snprintf(declaration, sizeof declaration, "const char *s%u", n);
    snprintf(setup, sizeof setup, "const char *s%u = below(6) ? any_text() : NULL;", n);
    fn_parameter(fn, name, declaration, setup);
    ADD(code, "if ({{s%u == 0}})\nreturn -12;\n", n);
    fn_value(fn, "s%u[0]", n);
    if (fn_chance(fn, 2))
        fn_flag(fn, "strcmp(s%u, \"%s\") == 0", n, words[fn_below(fn, 7)]);
    if (fn_chance(fn, 2))
        fn_value(fn, "(int)strlen(s%u)", n);
    if (fn_chance(fn, 3))
        fn_value(fn, "atoi(s%u)", n);
    if (fn_chance(fn, 3))
        fn_flag(fn, "strchr(s%u, '%c') != 0", n, "a+9%"[fn_below(fn, 3)]);
    fn_use(fn, 'a');
    fn_use(fn, 11);
}

void source_list(struct fn *fn)
{
    unsigned n = fn_new(fn), rec = fn_below(fn, fn->unit->records);
    char name[32], declaration[64], setup[256];
    snprintf(name, sizeof name, "l%u", n);
    snprintf(declaration, sizeof declaration, "const struct rec%u *l%u", rec, n);
    snprintf(setup, sizeof setup,
             "struct rec%u *l%u = any_pointer(KIND_RECORD + %u, sizeof *l%u, init_rec%u);", rec, n,
             rec, n, rec);
    fn_parameter(fn, name, declaration, setup);
    ADD(code,
        "int v%u = 0;\nfor (const struct rec%u *at%u = l%u; {[{{at%u != 0}} && {{v%u < 9}}]}; "
        "at%u = at%u->next)\nv%u++;\n",
        n, rec, n, n, n, n, n, n, n);
    fn_value(fn, "v%u", n);
    for (int i = 0; i < 9; i += 3)
        fn_use(fn, i);
}

void source_sum_of_array(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "extern short cells%u[3];\n", n);
    ADD(define, "short cells%u[3];\n", n);
    ADD(globals, "    for (int i = 0; i < 3; i++)\n        init_short(&cells%u[i]);\n", n);
    ADD(code, "int v%u = 0;\nfor (int i%u = 0; {{i%u < 3}}; i%u++)\nv%u += cells%u[i%u];\n", n, n,
        n, n, n, n, n);
    fn_value(fn, "v%u", n);
    fn_flag(fn, "cells%u[0] > cells%u[2]", n, n);
}

// A store at an input index, and a load.
void source_local_array(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn), y = fn_int(fn);
    long long c = fn_constant(fn);
    ADD(code, "int arr%u[4] = {0};\narr%u[(unsigned)x%u & 3u] = %lld;\n", n, n, x, c);
    fn_value(fn, "arr%u[(unsigned)x%u & 3u]", n, y);
    fn_value(fn, "arr%u[2]", n);
}
