// SPDX-License-Identifier: Apache-2.0
// Values that no argument and no variable of the program determines: uninitialised memory,
// symbols that may be missing, objects that change by themselves, padding, addresses.
#include "sources.h"

#include <stdio.h>

#define ADD(part, ...) buf_printf(&fn->part, __VA_ARGS__)

void source_uninitialised_number(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(code, "int u%u;\nif ({{x%u > %lld}})\nu%u = %lld;\n", n, x, fn_constant(fn), n,
        fn_constant(fn));
    fn_value(fn, "u%u", n);
}

void source_uninitialised_array(struct fn *fn)
{
    unsigned n = fn_new(fn), size = 8 + fn_below(fn, 200);
    ADD(before,
        "static int look%u(void)\n{\nchar j[%u];\nif ({{j[%u] == %lld}})\nreturn 1;\nreturn "
        "j[%u];\n}\n",
        n, size, fn_below(fn, size), fn_use(fn, fn_below(fn, 120)), fn_below(fn, size));
    ADD(code, "int v%u = look%u();\n", n, n);
    fn_value(fn, "v%u", n);
}

void source_half_filled_record(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn), rec = fn_below(fn, fn->unit->records);
    ADD(before,
        "static struct rec%u half%u(int v)\n{\nstruct rec%u made;\nmade.c = (char)v;\n%sreturn "
        "made;\n}\n",
        rec, n, rec, fn_chance(fn, 2) ? "if (v > 5)\nmade.a = v;\n" : "");
    ADD(code, "struct rec%u h%u = half%u(x%u);\n", rec, n, n, x);
    fn_value(fn, "h%u.a", n);
    fn_value(fn, "h%u.c", n);
}

void source_no_return_value(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    bool traced = fn_chance(fn, 2); // then the register of the result has another call's
    if (traced) {
        ADD(before, "int trace%u(int);\n", n);
        ADD(define, "int trace%u(int v)\n{\n    (void)v;\n    return (int)stub_result();\n}\n", n);
    }
    ADD(before, "static int maybe%u(int v)\n{\nif ({{v > %lld}})\nreturn %lld;\n", n,
        fn_constant(fn), fn_constant(fn));
    if (traced)
        ADD(before, "trace%u(v);\n", n);
    ADD(before, "}\n");
    ADD(code, "int v%u = maybe%u(x%u);\n", n, n, x);
    fn_value(fn, "v%u", n);
}

void source_uninitialised_heap(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(code,
        "int *m%u = malloc(%u);\nif ({{m%u == 0}})\nreturn -30;\nint v%u = m%u[1];\nfree(m%u);\n",
        n, 8 + 8 * fn_below(fn, 4), n, n, n, n);
    fn_value(fn, "v%u", n);
}

// What is only in the build with all symbols.
#define STRONG(...) (fn->unit->has_weak = true, buf_printf(&fn->unit->strong, __VA_ARGS__))

void source_weak_function(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(before, "int hook%u(int) __attribute__((weak));\n", n);
    STRONG("int hook%u(int v)\n{\n    (void)v;\n    return (int)stub_result();\n}\n", n);
    ADD(code, "int v%u = -1;\nif ({{hook%u != 0}})\nv%u = hook%u(x%u);\n", n, n, n, n, x);
    fn_value(fn, "v%u", n);
}

void source_weak_variable(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "extern int option%u __attribute__((weak));\n", n);
    STRONG("int option%u = %lld;\n", n, fn_constant(fn));
    ADD(code, "int v%u = -1;\nif ({{&option%u != 0}})\nv%u = option%u;\n", n, n, n, n);
    fn_value(fn, "v%u", n);
}

void source_weak_definition(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(before, "__attribute__((weak)) int level%u(int v)\n{\nreturn %u;\n}\n", n, fn_below(fn, 3));
    STRONG("int level%u(int v)\n{\n    (void)v;\n    return (int)stub_result();\n}\n", n);
    ADD(code, "int v%u = level%u(x%u);\n", n, n, x);
    fn_value(fn, "v%u", n);
}

void source_weak_value(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "__attribute__((weak)) %sint size%u = %u;\n", fn_chance(fn, 2) ? "const " : "", n,
        fn_below(fn, 3));
    STRONG("int size%u = %lld;\n", n, fn_constant(fn));
    fn_value(fn, "size%u", n);
}

void source_atomic_global(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "%s_Atomic int at%u;\n", fn_chance(fn, 2) ? "extern " : "", n);
    ADD(define, "__attribute__((weak)) _Atomic int at%u;\n", n);
    ADD(globals, "    at%u = (int)any();\n", n);
    ADD(tick, "    at%u = (int)any();\n", n);
    if (fn_chance(fn, 2))
        ADD(code, "at%u = %lld;\n", n, fn_constant(fn));
    fn_value(fn, "(@at%u)", n);
    long long a = fn_constant(fn), b = fn_constant(fn);
    ADD(code, "int v%u = 0;\nif ({[{{(@at%u) == %lld}} && {{(@at%u) == %lld}}]})\nv%u = 1;\n", n, n,
        a, n, b, n);
    fn_value(fn, "v%u", n);
}

void source_atomic_behind_pointer(struct fn *fn)
{
    unsigned n = fn_new(fn);
    char name[32], declaration[64], setup[256];
    ADD(define, "static _Atomic int shared%u;\n", n);
    ADD(globals, "    shared%u = (int)any();\n", n);
    ADD(tick, "    shared%u = (int)any();\n", n);
    snprintf(name, sizeof name, "ap%u", n);
    snprintf(declaration, sizeof declaration, "_Atomic int *ap%u", n);
    snprintf(setup, sizeof setup, "_Atomic int *ap%u = &shared%u;", n, n);
    fn_parameter(fn, name, declaration, setup);
    ADD(code, "if ({{ap%u == 0}})\nreturn -31;\nint v%u = atomic_load(ap%u);\n", n, n, n);
    fn_flag(fn, "(@atomic_load(ap%u)) != v%u", n, n);
    fn_value(fn, "v%u", n);
}

void source_atomic_exchange(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "extern _Atomic unsigned lock%u;\n", n);
    ADD(define, "_Atomic unsigned lock%u;\n", n);
    ADD(globals, "    lock%u = (unsigned)any();\n", n);
    ADD(tick, "    lock%u = (unsigned)any();\n", n);
    ADD(code,
        "unsigned v%u = atomic_exchange(&lock%u, %uu);\nunsigned w%u = (@atomic_fetch_add(&lock%u, "
        "1u));\n",
        n, n, fn_below(fn, 9), n, n);
    fn_value(fn, "v%u", n);
    fn_value(fn, "w%u", n);
}

void source_volatile_global(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "%svolatile int port%u;\n", fn_chance(fn, 2) ? "extern " : "", n);
    ADD(define, "__attribute__((weak)) volatile int port%u;\n", n);
    ADD(globals, "    port%u = (int)any();\n", n);
    ADD(tick, "    port%u = (int)any();\n", n);
    if (fn_chance(fn, 2))
        ADD(code, "port%u = %lld;\n", n, fn_constant(fn));
    fn_value(fn, "(@port%u)", n);
    if (fn_chance(fn, 3)) {
        ADD(code, "int v%u = 0;\nfor (int i%u = 0; {{i%u < 20}}; i%u++)\nv%u = (@port%u);\n", n, n,
            n, n, n, n);
        fn_value(fn, "v%u", n);
    }
}

static unsigned add_padded(struct fn *fn)
{
    static const char *const members[] = {"char c; int i;", "short s; long l;", "int i; char c;",
                                          "char c; double d;", "unsigned char a; short b; char c;"};
    unsigned n = fn_new(fn);
    buf_printf(&fn->unit->types, "struct pad%u { %s };\n", n, members[fn_below(fn, 5)]);
    ADD(define,
        "static void init_pad%u(void *at)\n{\n    fill(at, sizeof(struct pad%u));\n"
        "    if (below(2))\n        memset(at, 0, 1);\n}\n",
        n, n);
    return n;
}

void source_padding_of_value(struct fn *fn)
{
    unsigned n = add_padded(fn);
    char name[32], declaration[64], setup[256];
    snprintf(name, sizeof name, "o%u", n);
    snprintf(declaration, sizeof declaration, "struct pad%u o%u", n, n);
    snprintf(setup, sizeof setup, "struct pad%u o%u; init_pad%u(&o%u);", n, n, n, n);
    fn_parameter(fn, name, declaration, setup);
    fn_value(fn, "((unsigned char *)&o%u)[%u]", n, 1 + fn_below(fn, 5));
    fn_value(fn, "((unsigned char *)&o%u)[sizeof o%u - 1]", n, n);
}

void source_padding_behind_pointer(struct fn *fn)
{
    unsigned n = add_padded(fn);
    char name[32], declaration[64], setup[256];
    snprintf(name, sizeof name, "o%u", n);
    snprintf(declaration, sizeof declaration, "const struct pad%u *o%u", n, n);
    snprintf(setup, sizeof setup,
             "const struct pad%u *o%u = fresh(KIND_OTHER, sizeof *o%u, 10, init_pad%u);", n, n, n,
             n);
    fn_parameter(fn, name, declaration, setup);
    ADD(code,
        "if ({{o%u == 0}})\nreturn -32;\nunsigned sum%u = 0;\n"
        "for (unsigned i%u = 0; {{i%u < sizeof *o%u}}; i%u++)\nsum%u += ((const unsigned char "
        "*)o%u)[i%u];\n",
        n, n, n, n, n, n, n, n, n);
    fn_value(fn, "((const unsigned char *)o%u)[%u]", n, 1 + fn_below(fn, 5));
    fn_value(fn, "sum%u", n);
}

void source_padding_of_global(struct fn *fn)
{
    unsigned n = add_padded(fn);
    ADD(before, "%sstruct pad%u pd%u;\n", fn_chance(fn, 2) ? "extern " : "", n, n);
    ADD(define, "__attribute__((weak)) struct pad%u pd%u;\n", n, n);
    ADD(globals, "    init_pad%u(&pd%u);\n", n, n);
    fn_value(fn, "((unsigned char *)&pd%u)[%u]", n, 1 + fn_below(fn, 5));
}

void source_padding_compared(struct fn *fn)
{
    unsigned n = fn_new(fn);
    char name[32], declaration[64], setup[256];
    buf_printf(&fn->unit->types, "struct pair%u { char c; int i; };\n", n);
    for (unsigned k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "%c%u", "ab"[k], n);
        snprintf(declaration, sizeof declaration, "struct pair%u %c%u", n, "ab"[k], n);
        snprintf(setup, sizeof setup,
                 "struct pair%u %s; fill(&%s, sizeof %s); if (below(2)) { %s.c = 1; %s.i = 2; }", n,
                 name, name, name, name, name);
        fn_parameter(fn, name, declaration, setup);
    }
    ADD(code,
        "int v%u = 0;\nif ({[{{a%u.c == b%u.c}} && {{a%u.i == b%u.i}}]})\n"
        "v%u = memcmp(&a%u, &b%u, sizeof a%u) != 0;\n",
        n, n, n, n, n, n, n, n, n);
    fn_flag(fn, "v%u != 0", n);
}

void source_spare_bits(struct fn *fn)
{
    unsigned n = fn_new(fn);
    char name[32], declaration[64], setup[256];
    buf_printf(&fn->unit->types, "struct spare%u { unsigned low : 3; unsigned high : 4; };\n", n);
    snprintf(name, sizeof name, "o%u", n);
    snprintf(declaration, sizeof declaration, "struct spare%u o%u", n, n);
    snprintf(setup, sizeof setup, "struct spare%u o%u; fill(&o%u, sizeof o%u);", n, n, n, n);
    fn_parameter(fn, name, declaration, setup);
    ADD(code, "unsigned w%u;\nmemcpy(&w%u, &o%u, sizeof w%u);\n", n, n, n, n);
    fn_value(fn, "(w%u >> 7)", n);
    fn_value(fn, "(w%u & 127u)", n);
}

void source_bool_byte(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "extern _Bool yes%u;\nstruct { _Bool set; } once%u;\n", n, n);
    ADD(define, "_Bool yes%u;\nextern struct { _Bool set; } once%u;\n", n, n);
    ADD(globals, "    fill(&yes%u, 1);\n    fill(&once%u, 1);\n", n, n);
    fn_value(fn, "*(unsigned char *)&yes%u", n);
    fn_value(fn, "*(unsigned char *)&once%u", n);
}

void source_freed_and_reused(struct fn *fn)
{
    unsigned n = fn_new(fn), size = 8 << fn_below(fn, 4);
    ADD(code,
        "char *m%u = malloc(%u);\nunsigned long old%u = (unsigned long)m%u;\nfree(m%u);\n"
        "char *again%u = malloc(%u);\nunsigned long new%u = (unsigned "
        "long)again%u;\nfree(again%u);\n",
        n, size, n, n, n, n, size, n, n, n);
    fn_flag(fn, "old%u == new%u", n, n);
}

void source_address_order(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "int left%u, right%u;\n", n, n);
    ADD(code,
        "int near%u = 0;\nchar *m%u = malloc(8);\nchar *k%u = malloc(8);\n"
        "unsigned long ma%u = (unsigned long)m%u, ka%u = (unsigned "
        "long)k%u;\nfree(m%u);\nfree(k%u);\n",
        n, n, n, n, n, n, n, n, n);
    ADD(code, "(void)near%u;\n", n);
    fn_flag(fn, "(unsigned long)&left%u < (unsigned long)&right%u", n, n);
    fn_flag(fn, "(unsigned long)&near%u < (unsigned long)&left%u", n, n);
    fn_flag(fn, "ma%u < ka%u", n, n);
}

void source_address_bits(struct fn *fn)
{
    unsigned n = fn_new(fn);
    char name[32], declaration[64], setup[256];
    snprintf(name, sizeof name, "p%u", n);
    snprintf(declaration, sizeof declaration, "int *p%u", n);
    snprintf(setup, sizeof setup,
             "int *p%u = any_object(KIND_INT, sizeof(int), init_int); p%u += below(3);", n, n);
    fn_parameter(fn, name, declaration, setup);
    ADD(before, "int here%u;\n", n);
    ADD(define, "extern int here%u;\n", n);
    ADD(globals, "    candidate(KIND_INT, &here%u);\n", n);
    ADD(code, "int local%u = 0;\n(void)local%u;\n", n, n);
    fn_value(fn, "((unsigned long)p%u >> %u & 3ul)", n, 2 + fn_below(fn, 4));
    fn_value(fn, "((unsigned long)&here%u >> 4 & 7ul)", n);
    fn_value(fn, "((unsigned long)&local%u >> %u & 3ul)", n, 3 + fn_below(fn, 10));
}

void source_adjacent_objects(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "int one%u = 1;\nint two%u = 2;\n", n, n);
    fn_flag(fn, "&one%u + 1 == &two%u", n, n);
    fn_flag(fn, "&two%u + 1 == &one%u", n, n);
}

void source_shared_literals(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "static const char *first%u(void)\n{\nreturn \"same%u\";\n}\n", n, n);
    ADD(code, "const char *l%u = \"same%u\";\n", n, n);
    fn_flag(fn, "first%u() == l%u", n, n);
    fn_flag(fn, "(const char *)\"tail%u\" + 1 == (const char *)\"ail%u\"", n, n);
}
