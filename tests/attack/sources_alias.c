// SPDX-License-Identifier: Apache-2.0
// Pointers that lead to objects the function also reaches in another way, and pointers that
// lead to none. Aliases are such as C allows: of the same type, or through characters.
#include "sources.h"

#include <stdio.h>

#define ADD(part, ...) buf_printf(&fn->part, __VA_ARGS__)

// A parameter of a pointer type. `call` is any_pointer or any_object.
static unsigned add_pointer(struct fn *fn, const char *type, const char *kind, const char *init,
                            const char *call)
{
    unsigned n = fn_new(fn);
    char name[32], declaration[64], setup[256];
    snprintf(name, sizeof name, "p%u", n);
    snprintf(declaration, sizeof declaration, "%s *p%u", type, n);
    snprintf(setup, sizeof setup,
             "%s *p%u = %s(%s, sizeof *p%u, %s); note(\"p%u\", (long long)p%u);", type, n, call,
             kind, n, init, n, n);
    fn_parameter(fn, name, declaration, setup);
    return n;
}

static unsigned add_int_pointer(struct fn *fn)
{
    unsigned n = add_pointer(fn, "int", "KIND_INT", "init_int", "any_pointer");
    ADD(code, "if ({{p%u == 0}})\nreturn -20;\n", n);
    return n;
}

static unsigned add_global(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "%sint gv%u;\n", fn_chance(fn, 2) ? "extern " : "", n);
    ADD(define, "__attribute__((weak)) int gv%u;\n", n);
    ADD(globals,
        "    gv%u = (int)any();\n    candidate(KIND_INT, &gv%u);\n    note(\"&gv%u\", (long "
        "long)&gv%u);\n",
        n, n, n, n);
    return n;
}

void source_parameter_is_global(struct fn *fn)
{
    unsigned g = add_global(fn);
    unsigned p = add_pointer(fn, "int", "KIND_INT", "init_int", "any_pointer");
    fn_flag(fn, "p%u == &gv%u", p, g);
    fn_value(fn, "gv%u", g);
}

void source_write_through_alias(struct fn *fn)
{
    unsigned g = add_global(fn), p = add_int_pointer(fn);
    long long a = fn_constant(fn), b = fn_constant(fn);
    ADD(code, "gv%u = %lld;\n*p%u = %lld;\n", g, a, p, b);
    fn_value(fn, "gv%u", g);
    if (fn_chance(fn, 2))
        fn_flag(fn, "gv%u == %lld", g, b);
}

void source_parameters_alias(struct fn *fn)
{
    unsigned p = add_int_pointer(fn), q = add_int_pointer(fn);
    long long a = fn_constant(fn), b = fn_constant(fn);
    ADD(code, "*p%u = %lld;\n*p%u = %lld;\n", p, a, q, b);
    fn_value(fn, "*p%u", p);
    fn_flag(fn, "p%u == p%u", p, q);
}

void source_bytes_over_number(struct fn *fn)
{
    unsigned g = add_global(fn),
             n = add_pointer(fn, "char", "KIND_CHAR", "init_char", "any_pointer");
    long long a = fn_constant(fn);
    ADD(code, "if ({{p%u == 0}})\nreturn -21;\ngv%u = %lld;\np%u[%u] = %u;\n", n, g, a, n,
        fn_below(fn, 2), 1 + fn_below(fn, 90));
    fn_flag(fn, "gv%u != %lld", g, a);
    fn_value(fn, "gv%u", g);
    if (fn_chance(fn, 2))
        fn_flag(fn, "(void *)p%u == (void *)&gv%u", n, g);
}

void source_pointer_into_member(struct fn *fn)
{
    unsigned rec = fn_below(fn, fn->unit->records), n;
    char type[32], kind[32], init[32];
    snprintf(type, sizeof type, "struct rec%u", rec);
    snprintf(kind, sizeof kind, "KIND_RECORD + %u", rec);
    snprintf(init, sizeof init, "init_rec%u", rec);
    n = add_pointer(fn, type, kind, init, "any_object");
    unsigned p = add_int_pointer(fn);
    ADD(code, "if ({{p%u == 0}})\nreturn -22;\np%u->a = %lld;\n*p%u = %lld;\n", n, n,
        fn_constant(fn), p, fn_constant(fn));
    fn_value(fn, "p%u->a", n);
    if (fn_chance(fn, 2))
        fn_flag(fn, "&p%u->a == p%u", n, p);
}

void source_pointer_to_pointer(struct fn *fn)
{
    unsigned p = add_int_pointer(fn);
    unsigned n = add_pointer(fn, "int *", "KIND_TO_INT", "init_to_int", "any_object");
    ADD(code, "if ({{p%u == 0}})\nreturn -23;\n", n);
    fn_flag(fn, "*p%u == p%u", n, p);
    fn_flag(fn, "*p%u == 0", n);
}

void source_equal_members_of_records(struct fn *fn)
{
    unsigned rec = fn_below(fn, fn->unit->records), a = fn_new(fn), b = fn_new(fn);
    for (unsigned i = 0; i < 2; i++) {
        char name[32], declaration[64], setup[256];
        unsigned n = i ? b : a;
        snprintf(name, sizeof name, "o%u", n);
        snprintf(declaration, sizeof declaration, "struct rec%u o%u", rec, n);
        snprintf(setup, sizeof setup, "struct rec%u o%u; init_rec%u(&o%u);", rec, n, rec, n);
        fn_parameter(fn, name, declaration, setup);
    }
    fn_flag(fn, "o%u.%s == o%u.%s", a, fn_chance(fn, 2) ? "p" : "p", b, "p");
    fn_flag(fn, "o%u.next == o%u.next", a, b);
    fn_value(fn, "o%u.a", a);
}

// Another function of the file hands out the address.
void source_pointer_into_static_array(struct fn *fn)
{
    unsigned n = fn_new(fn), count = 3 + fn_below(fn, 6);
    ADD(before,
        "static int cells%u[%u];\nint *cell%u(unsigned i)\n{\nreturn &cells%u[i %% %uu];\n}\n", n,
        count, n, n, count);
    ADD(define, "int *cell%u(unsigned);\n", n);
    ADD(globals, "    for (unsigned i = 0; i < %u; i++)\n        candidate(KIND_INT, cell%u(i));\n",
        count, n);
    unsigned p = add_int_pointer(fn);
    long long a = fn_constant(fn), b = fn_constant(fn);
    ADD(code, "cells%u[%u] = %lld;\n*p%u = %lld;\n", n, count - 1, a, p, b);
    fn_flag(fn, "p%u == &cells%u[%u]", p, n, fn_below(fn, count));
    fn_value(fn, "cells%u[%u]", n, count - 1);
}

void source_sentinel(struct fn *fn)
{
    static const char *const sentinels[] = {"(int *)-1", "(int *)1", "(int *)8", "(int *)(long)-2"};
    unsigned p = add_pointer(fn, "int", "KIND_INT", "init_int", "any_pointer");
    const char *sentinel = sentinels[fn_below(fn, 4)];
    fn_use(fn, -2);
    fn_flag(fn, "p%u == %s", p, sentinel);
    fn_flag(fn, "(unsigned long)p%u > %lluul", p, 0xfffffffffffff000ull);
}

void source_tagged_pointer(struct fn *fn)
{
    unsigned p = add_pointer(fn, "int", "KIND_INT", "init_int", "any_pointer");
    ADD(code,
        "int v%u = 0;\nif ({{(unsigned long)p%u & 1ul}}) {\n"
        "int *bare%u = (int *)((unsigned long)p%u & ~3ul);\nif ({{(unsigned long)bare%u > "
        "4096ul}})\n"
        "v%u = (unsigned long)bare%u < 0xffff000000000000ul ? *bare%u : 1;\n}\n",
        p, p, p, p, p, p, p, p);
    fn_value(fn, "v%u", p);
}

void source_self_pointing_global(struct fn *fn)
{
    unsigned n = fn_new(fn), rec = fn_below(fn, fn->unit->records);
    ADD(before, "extern struct rec%u head%u;\nextern void *self%u;\n", rec, n, n);
    ADD(define, "struct rec%u head%u;\nvoid *self%u;\n", rec, n, n);
    ADD(globals,
        "    init_rec%u(&head%u);\n    candidate(KIND_RECORD + %u, &head%u);\n"
        "    head%u.next = any_pointer(KIND_RECORD + %u, sizeof head%u, init_rec%u);\n"
        "    self%u = feature(FEATURE_ALIAS) && below(2) ? (void *)&self%u : NULL;\n",
        rec, n, rec, n, n, rec, n, rec, n, n);
    fn_flag(fn, "head%u.next == &head%u", n, n);
    fn_flag(fn, "self%u == (void *)&self%u", n, n);
    fn_value(fn, "head%u.a", n);
}

void source_equal_elements(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "extern int *slots%u[4];\n", n);
    ADD(define, "int *slots%u[4];\n", n);
    ADD(globals,
        "    for (int i = 0; i < 4; i++)\n        init_to_int(&slots%u[i]);\n"
        "    if (feature(FEATURE_ALIAS) && below(2))\n        slots%u[3] = slots%u[%u];\n",
        n, n, n, fn_below(fn, 3));
    fn_flag(fn, "slots%u[%u] == slots%u[3]", n, fn_below(fn, 3), n);
    ADD(code, "if ({{slots%u[1] == 0}})\nreturn -24;\n", n);
    fn_value(fn, "*slots%u[1]", n);
}

void source_ring(struct fn *fn)
{
    unsigned rec = fn_below(fn, fn->unit->records), n;
    char type[32], kind[32], init[32];
    snprintf(type, sizeof type, "struct rec%u", rec);
    snprintf(kind, sizeof kind, "KIND_RECORD + %u", rec);
    snprintf(init, sizeof init, "init_rec%u", rec);
    n = add_pointer(fn, type, kind, init, "any_object");
    ADD(setup,
        "    if (feature(FEATURE_ALIAS) && below(2))\n        p%u->next = below(2) || !p%u->next ? "
        "p%u : "
        "p%u->next;\n",
        n, n, n, n);
    ADD(code, "if ({[{{p%u == 0}} || {{p%u->next == 0}}]})\nreturn -25;\n", n, n);
    fn_flag(fn, "p%u->next == p%u", n, n);
    fn_flag(fn, "p%u->a == p%u->next->a", n, n);
}

// A destination that overlaps the source.
void source_in_place(struct fn *fn)
{
    unsigned from = add_pointer(fn, "const int", "KIND_INT", "init_int", "any_object");
    unsigned to = add_pointer(fn, "int", "KIND_INT", "init_int", "any_object");
    ADD(code,
        "if ({[{{p%u == 0}} || {{p%u == 0}}]})\nreturn -26;\nint v%u = *p%u;\n*p%u = v%u ^ 1;\n",
        from, to, to, from, to, to);
    fn_flag(fn, "*p%u != v%u", from, to);
    fn_value(fn, "*p%u", from);
}

// What a pointer to const leads to can be written through another.
void source_constant_parameter_changes(struct fn *fn)
{
    unsigned rec = fn_below(fn, fn->unit->records), n;
    char type[40], kind[32], init[32];
    snprintf(type, sizeof type, "const struct rec%u", rec);
    snprintf(kind, sizeof kind, "KIND_RECORD + %u", rec);
    snprintf(init, sizeof init, "init_rec%u", rec);
    n = add_pointer(fn, type, kind, init, "any_object");
    unsigned p = add_int_pointer(fn);
    ADD(code, "if ({{p%u == 0}})\nreturn -27;\nint v%u = p%u->a;\n*p%u += 0;\n*p%u = %lld;\n", n, n,
        n, p, p, fn_constant(fn));
    fn_flag(fn, "p%u->a != v%u", n, n);
    fn_value(fn, "p%u->a", n);
}
