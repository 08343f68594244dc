// SPDX-License-Identifier: Apache-2.0
// Pointers that are read from an array at an index that is an input.
#include "sources.h"

#include <stdio.h>

#define ADD(part, ...) buf_printf(&fn->part, __VA_ARGS__)

// Code that limits parameter x to an index below `count`: by a return, or by arithmetic.
static void limit_index(struct fn *fn, unsigned x, unsigned index, unsigned count)
{
    if (fn_chance(fn, 2))
        ADD(code, "if ({{(unsigned)x%u >= %uu}})\nreturn -1;\nunsigned i%u = (unsigned)x%u;\n", x,
            count, index, x);
    else
        ADD(code, "unsigned i%u = (unsigned)x%u %% %uu;\n", index, x, count);
    for (unsigned i = 0; i < count; i++)
        fn_use(fn, i);
}

void source_table_of_records(struct fn *fn)
{
    unsigned n = fn_new(fn), count = 2 + fn_below(fn, 3), x = fn_int(fn);
    unsigned rec = fn_below(fn, fn->unit->records);
    ADD(before, "extern struct rec%u *table%u[%u];\n", rec, n, count);
    ADD(define, "struct rec%u *table%u[%u];\n", rec, n, count);
    ADD(globals,
        "    for (int i = 0; i < %u; i++)\n"
        "        table%u[i] = any_pointer(KIND_RECORD + %u, sizeof(struct rec%u), init_rec%u);\n",
        count, n, rec, rec, rec);
    limit_index(fn, x, n, count);
    ADD(code, "struct rec%u *o%u = table%u[i%u];\nif ({{o%u == 0}})\nreturn -2;\n", rec, n, n, n,
        n);
    if (fn_chance(fn, 2))
        fn_value(fn, "o%u->a", n);
    else
        ADD(code, "int v%u = o%u->%s;\n", n, n, fn_chance(fn, 2) ? "a" : "s"),
            fn_value(fn, "v%u", n);
}

void source_table_of_ints(struct fn *fn)
{
    unsigned n = fn_new(fn), count = 2 + fn_below(fn, 3), x = fn_int(fn);
    ADD(before, "int *table%u[%u];\n", n, count);
    ADD(define, "extern int *table%u[%u];\n", n, count);
    ADD(globals,
        "    for (int i = 0; i < %u; i++)\n"
        "        table%u[i] = any_pointer(KIND_INT, sizeof(int), init_int);\n",
        count, n);
    limit_index(fn, x, n, count);
    ADD(code, "int v%u = -1;\nif ({{table%u[i%u] != 0}})\nv%u = *table%u[i%u];\n", n, n, n, n, n,
        n);
    fn_value(fn, "v%u", n);
}

void source_table_behind_parameter(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn), rec = fn_below(fn, fn->unit->records);
    char name[32], declaration[64], setup[256];
    snprintf(name, sizeof name, "t%u", n);
    snprintf(declaration, sizeof declaration, "struct rec%u **t%u", rec, n);
    snprintf(setup, sizeof setup,
             "struct rec%u **t%u = fresh(KIND_TO_RECORD + %u, sizeof(void *), 10, init_to_rec%u);",
             rec, n, rec, rec);
    fn_parameter(fn, name, declaration, setup);
    ADD(code, "if ({{t%u == 0}})\nreturn -3;\n", n);
    limit_index(fn, x, n, 2 + fn_below(fn, 3));
    ADD(code, "struct rec%u *o%u = t%u[i%u];\nif ({{o%u == 0}})\nreturn -4;\n", rec, n, n, n, n);
    fn_value(fn, "o%u->a", n);
}

void source_table_in_record(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    char name[32], declaration[64], setup[256];
    buf_printf(&fn->unit->types, "struct holder%u { int used; int *slot[3]; };\n", n);
    ADD(define,
        "static void init_holder%u(void *at)\n{\n    struct holder%u *h = at;\n"
        "    fill(h, sizeof *h);\n    h->used = (int)any();\n"
        "    for (int i = 0; i < 3; i++)\n        init_to_int(&h->slot[i]);\n}\n",
        n, n);
    snprintf(name, sizeof name, "h%u", n);
    snprintf(declaration, sizeof declaration, "struct holder%u *h%u", n, n);
    snprintf(setup, sizeof setup,
             "struct holder%u *h%u = fresh(KIND_OTHER, sizeof *h%u, 10, init_holder%u);", n, n, n,
             n);
    fn_parameter(fn, name, declaration, setup);
    ADD(code, "if ({{h%u == 0}})\nreturn -5;\n", n);
    limit_index(fn, x, n, 3);
    ADD(code, "int *o%u = h%u->slot[i%u];\nif ({{o%u == 0}})\nreturn -6;\n", n, n, n, n);
    fn_value(fn, "*o%u", n);
    fn_value(fn, "h%u->used", n);
}

void source_table_of_texts(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(before, "extern const char *names%u[3];\n", n);
    ADD(define, "const char *names%u[3];\n", n);
    ADD(globals, "    for (int i = 0; i < 3; i++)\n        init_to_char(&names%u[i]);\n", n);
    limit_index(fn, x, n, 3);
    ADD(code, "const char *o%u = names%u[i%u];\nif ({{o%u == 0}})\nreturn -7;\n", n, n, n, n);
    fn_value(fn, "o%u[0]", n);
    fn_use(fn, 'a');
}

void source_table_of_functions(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn), y = fn_int(fn);
    long long c = fn_constant(fn);
    ADD(before,
        "static int one%u(int v)\n{\nreturn v == %lld;\n}\n"
        "int two%u(int v)\n{\nreturn (int)((unsigned)v + 3u);\n}\n",
        n, c, n);
    if (fn_chance(fn, 2)) {
        ADD(before, "static int (*const ops%u[3])(int) = {one%u, two%u, 0};\n", n, n, n);
    } else {
        ADD(before, "int (*ops%u[3])(int) = {one%u};\n", n, n);
        ADD(define,
            "extern int (*ops%u[3])(int);\nint two%u(int);\n"
            "static int other%u(int v)\n{\n    (void)v;\n    return (int)any();\n}\n",
            n, n, n);
        ADD(globals,
            "    for (int i = 0; i < 3; i++)\n"
            "        ops%u[i] = below(3) == 0 ? NULL : below(2) ? two%u : other%u;\n",
            n, n, n);
    }
    limit_index(fn, x, n, 3);
    ADD(code, "if ({{ops%u[i%u] == 0}})\nreturn -8;\nint v%u = ops%u[i%u](x%u);\n", n, n, n, n, n,
        y);
    fn_value(fn, "v%u", n);
}

void source_table_without_bound(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(before, "extern int open%u[];\n", n);
    ADD(define, "int open%u[64];\n", n);
    ADD(globals, "    for (int i = 0; i < 64; i++)\n        init_int(&open%u[i]);\n", n);
    ADD(code, "if ({{(unsigned)x%u > %uu}})\nreturn -9;\n", x, 3 + fn_below(fn, 30));
    fn_value(fn, "open%u[x%u]", n, x);
    fn_value(fn, "open%u[%u]", n, fn_below(fn, 40));
}
