// SPDX-License-Identifier: Apache-2.0
// Arguments, calls through pointers, functions of other files, state between calls.
#include "sources.h"

#include <stdio.h>

#define ADD(part, ...) buf_printf(&fn->part, __VA_ARGS__)

void source_many_arguments(struct fn *fn)
{
    unsigned count = 60 + fn_below(fn, 40), last = 0, middle = 0;
    for (unsigned i = 0; i < count; i++) {
        last = fn_int(fn);
        if (i == count / 2)
            middle = last;
    }
    fn_value(fn, "x%u", last);
    fn_value(fn, "x%u", middle);
}

void source_many_arguments_of_helper(struct fn *fn)
{
    unsigned n = fn_new(fn), count = 50 + fn_below(fn, 50), x = fn_int(fn);
    ADD(before, "static int wide%u(", n);
    for (unsigned i = 0; i < count; i++)
        ADD(before, "%sint a%u", i ? ", " : "", i);
    ADD(before, ")\n{\nif ({{a%u == %lld}})\nreturn 1;\nreturn a%u;\n}\n", count - 1,
        fn_constant(fn), count - 2);
    ADD(code, "int v%u = wide%u(", n, n);
    for (unsigned i = 0; i < count; i++)
        ADD(code, "%sx%u", i ? ", " : "", x);
    ADD(code, ");\n");
    fn_value(fn, "v%u", n);
}

void source_large_record_argument(struct fn *fn)
{
    unsigned n = fn_new(fn);
    char name[32], declaration[64], setup[256];
    buf_printf(&fn->unit->types, "struct large%u { int cells[80]; };\n", n);
    snprintf(name, sizeof name, "big%u", n);
    snprintf(declaration, sizeof declaration, "struct large%u big%u", n, n);
    snprintf(setup, sizeof setup,
             "struct large%u big%u; for (int i = 0; i < 80; i++) init_int(&big%u.cells[i]);", n, n,
             n);
    fn_parameter(fn, name, declaration, setup);
    fn_value(fn, "big%u.cells[%u]", n, 64 + fn_below(fn, 16));
    fn_value(fn, "big%u.cells[0]", n);
}

void source_function_pointer(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    char name[32], declaration[64], setup[256];
    ADD(before, "int plus%u(int v)\n{\nreturn (int)((unsigned)v + 1u);\n}\n", n);
    ADD(define,
        "int plus%u(int);\nstatic int odd%u(int v)\n{\n    (void)v;\n    return (int)any();\n}\n",
        n, n);
    snprintf(name, sizeof name, "cb%u", n);
    snprintf(declaration, sizeof declaration, "int (*cb%u)(int)", n);
    snprintf(setup, sizeof setup,
             "int (*cb%u)(int) = below(4) == 0 ? NULL : below(2) ? plus%u : odd%u;", n, n, n);
    fn_parameter(fn, name, declaration, setup);
    ADD(code, "if ({{cb%u == 0}})\nreturn -13;\nint v%u = cb%u(x%u);\n", n, n, n, x);
    fn_value(fn, "v%u", n);
    fn_flag(fn, "cb%u == plus%u", n, n);
    fn_flag(fn, "v%u == x%u", n, x);
}

void source_stub_result(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(before, "int ask%u(int);\n", n);
    ADD(define, "int ask%u(int v)\n{\n    (void)v;\n    return (int)stub_result();\n}\n", n);
    ADD(code, "int v%u = ask%u(x%u);\nint w%u = ask%u(x%u);\n", n, n, x, n, n, x);
    fn_value(fn, "v%u", n);
    fn_flag(fn, "v%u == w%u", n, n);
}

void source_stub_writes(struct fn *fn)
{
    unsigned n = fn_new(fn);
    long long c = fn_constant(fn);
    ADD(before, "void get%u(int *, char *, unsigned);\n", n);
    ADD(define,
        "void get%u(int *to, char *text, unsigned room)\n{\n    if (!stub_acts())\n        "
        "return;\n"
        "    *to = (int)any();\n    for (unsigned i = 0; i < room; i++)\n        text[i] = "
        "(char)any();\n}\n",
        n);
    ADD(code, "int v%u = %lld;\nchar t%u[8] = {0};\nget%u(&v%u, t%u, 8);\n", n, c, n, n, n, n);
    fn_value(fn, "v%u", n);
    fn_value(fn, "t%u[%u]", n, fn_below(fn, 8));
}

void source_stub_changes_global(struct fn *fn)
{
    unsigned n = fn_new(fn);
    long long c = fn_constant(fn);
    ADD(before, "%sint world%u;\nvoid event%u(void);\n", fn_chance(fn, 2) ? "extern " : "", n, n);
    ADD(define,
        "__attribute__((weak)) int world%u;\nvoid event%u(void)\n{\n    if (stub_acts())\n"
        "        world%u = (int)any();\n}\n",
        n, n, n);
    ADD(globals, "    world%u = (int)any();\n", n);
    ADD(code, "world%u = %lld;\nevent%u();\n", n, c, n);
    fn_value(fn, "world%u", n);
}

// The other file calls a public function of this one, which changes what is static here.
void source_stub_calls_back(struct fn *fn)
{
    unsigned n = fn_new(fn);
    long long c = fn_constant(fn);
    ADD(before,
        "static int hidden%u;\nvoid set%u(int v)\n{\nhidden%u = v;\n}\nvoid yield%u(void);\n", n, n,
        n, n);
    ADD(define,
        "void set%u(int);\nvoid yield%u(void)\n{\n    if (stub_acts())\n        "
        "set%u((int)any());\n}\n",
        n, n, n);
    ADD(code, "hidden%u = %lld;\nyield%u();\n", n, c, n);
    fn_value(fn, "hidden%u", n);
}

void source_static_state(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(code,
        "static unsigned count%u;\nstatic int last%u = -1;\nint v%u = last%u;\nlast%u = x%u;\n"
        "count%u++;\n",
        n, n, n, n, n, x, n);
    fn_value(fn, "v%u", n);
    fn_flag(fn, "count%u == %u", n, 2 + fn_below(fn, 2));
    fn_flag(fn, "v%u == x%u", n, x);
}

void source_static_state_with_setter(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before,
        "static int level%u;\nvoid raise%u(int by)\n{\nif ({{by > 0}})\nlevel%u = by %% 50;\n}\n",
        n, n, n);
    ADD(define, "void raise%u(int);\n", n);
    ADD(globals, "    if (below(2))\n        raise%u((int)any());\n", n);
    fn_value(fn, "level%u", n);
}

void source_recursion(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn), y = fn_int(fn);
    ADD(before,
        "static unsigned gcd%u(unsigned a, unsigned b)\n{\nif ({{b == 0u}})\nreturn a;\n"
        "return gcd%u(b, a %% b);\n}\n",
        n, n);
    ADD(code, "unsigned v%u = gcd%u((unsigned)x%u & 63u, (unsigned)x%u & 15u);\n", n, n, x, y);
    fn_value(fn, "v%u", n);
}

void source_variadic_helper(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(before,
        "static int pick%u(int n, ...)\n{\nva_list list;\nint v = 0;\nva_start(list, n);\n"
        "for (int i = 0; {{i < n}}; i++)\nv = va_arg(list, int);\nva_end(list);\nreturn v;\n}\n",
        n);
    ADD(code, "int v%u = pick%u((int)((unsigned)x%u %% 4u), 5, x%u, 7);\n", n, n, x, x);
    fn_value(fn, "v%u", n);
}

void source_qsort_callback(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn), y = fn_int(fn);
    ADD(before,
        "static int order%u(const void *a, const void *b)\n{\nint l = *(const int *)a, r = *(const "
        "int *)b;\n"
        "return (l > r) - (l < r);\n}\n",
        n);
    ADD(code, "int q%u[3] = {x%u, x%u, %lld};\nqsort(q%u, 3, sizeof q%u[0], order%u);\n", n, x, y,
        fn_constant(fn), n, n, n);
    fn_flag(fn, "q%u[0] > q%u[1]", n, n);
    fn_value(fn, "q%u[1]", n);
}

void source_jump(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(before,
        "static jmp_buf back%u;\nstatic void leap%u(int v)\n{\nif ({{v > 7}})\nlongjmp(back%u, v "
        "%% 5);\n}\n",
        n, n, n);
    ADD(code,
        "volatile int v%u = 0;\nint j%u = setjmp(back%u);\nif ({{j%u == 0}}) {\nv%u = "
        "1;\nleap%u(x%u);\n"
        "v%u = 2;\n}\n",
        n, n, n, n, n, n, x, n);
    fn_value(fn, "j%u", n);
    fn_value(fn, "v%u", n);
}
