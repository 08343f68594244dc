// SPDX-License-Identifier: Apache-2.0
// Conditions over the values of a function, and statements around them. Some conditions hold
// for no value at all (a square that ends in binary 10, a masked value outside of its mask),
// so that right claims of infeasibility occur beside wrong ones. All arithmetic is unsigned.
#include "unit.h"

#include <stdio.h>

static const struct value *any_value(struct fn *fn)
{
    return &fn->values.items[fn_below(fn, (unsigned)fn->values.count)];
}

static const struct value *any_number(struct fn *fn)
{
    for (unsigned tries = 0; tries < 8; tries++) {
        const struct value *value = any_value(fn);
        if (!value->flag)
            return value;
    }
    return NULL;
}

// Mostly true for some value of v.
static void compare(struct fn *fn, struct buf *to, const char *v)
{
    long long c = fn_constant(fn);
    switch (fn_below(fn, 9)) {
    case 0:
    case 1:
    case 2: buf_printf(to, "%s == %lld", v, c); break;
    case 3: buf_printf(to, "%s > %lld", v, c); break;
    case 4: buf_printf(to, "%s < %lld", v, c); break;
    case 5: buf_printf(to, "%s != %lld", v, c); break;
    case 6:
        buf_printf(to, "((unsigned)(%s) & %uu) == %uu", v, 7u, (unsigned)fn_below(fn, 8));
        break;
    case 7:
        buf_printf(to, "(unsigned char)(%s) == %u", v, (unsigned)fn_use(fn, fn_below(fn, 256)));
        break;
    default: buf_printf(to, "((unsigned)(%s) ^ %uu) == %uu", v, 5u, (unsigned)c ^ 5u);
    }
}

// Never true.
static void contradict(struct fn *fn, struct buf *to, const char *v)
{
    switch (fn_below(fn, 6)) {
    case 0:
        buf_printf(to, "(unsigned)(%s) * (unsigned)(%s) == %uu", v, v, 4 * fn_below(fn, 100) + 3);
        break;
    case 1: buf_printf(to, "(unsigned)(%s) * ((unsigned)(%s) + 1u) %% 2u == 1u", v, v); break;
    case 2: buf_printf(to, "((unsigned)(%s) & 12u) == %uu", v, 1 + fn_below(fn, 3)); break;
    case 3: buf_printf(to, "(unsigned)(%s) %% 7u == %uu", v, 7 + fn_below(fn, 3)); break;
    case 4: buf_printf(to, "(unsigned)(%s) * 6u == %uu", v, 2 * fn_below(fn, 100) + 1); break;
    default:
        buf_printf(to, "((unsigned)(%s) | 4u) == %uu", v, 8 * fn_below(fn, 10) + fn_below(fn, 4));
    }
}

void leaf_add(struct fn *fn, struct buf *to)
{
    const struct value *a = any_value(fn), *b = any_number(fn);
    buf_puts(to, "{{");
    if (a->flag)
        buf_printf(to, fn_chance(fn, 5) ? "(%s) == 0" : "%s", a->text);
    else if (fn_chance(fn, 8))
        contradict(fn, to, a->text);
    else if (b && b != a && fn_chance(fn, 5))
        buf_printf(to, fn_chance(fn, 2) ? "%s == %s" : "%s < %s", a->text, b->text);
    else
        compare(fn, to, a->text);
    buf_puts(to, "}}");
}

static void decision_add(struct fn *fn, struct buf *to)
{
    unsigned leaves = fn_chance(fn, 3) ? 2 + fn_below(fn, 2) : 1;
    if (leaves == 1) {
        leaf_add(fn, to);
        return;
    }
    buf_puts(to, "{[");
    for (unsigned i = 0; i < leaves; i++) {
        if (i > 0)
            buf_puts(to, fn_chance(fn, 3) ? " || " : " && ");
        leaf_add(fn, to);
    }
    buf_puts(to, "]}");
}

static void statement_add(struct fn *fn, struct buf *to, unsigned depth);

static void body_add(struct fn *fn, struct buf *to, unsigned depth)
{
    buf_puts(to, " {\n");
    buf_printf(to, "r += %u;\n", 1 + fn_below(fn, 99));
    if (depth < 2 && fn_chance(fn, 3))
        statement_add(fn, to, depth + 1);
    buf_puts(to, "}\n");
}

static void switch_add(struct fn *fn, struct buf *to)
{
    const struct value *v = any_number(fn);
    if (!v)
        return;
    buf_printf(to, "switch ({((unsigned)(%s) & 15u)}) {\n", v->text);
    unsigned first = fn_below(fn, 12);
    for (unsigned i = 0; i < 3; i++)
        buf_printf(to, "{:case %u:}r += %u;\nbreak;\n", (unsigned)fn_use(fn, first + i * 3),
                   fn_below(fn, 50));
    buf_printf(to, "{:default:}r -= 1;\nbreak;\n}\n");
}

// The condition is looked at a few times; the loop ends in any case.
static void loop_add(struct fn *fn, struct buf *to)
{
    unsigned i = fn_new(fn);
    buf_printf(to, "for (int i%u = 0; {{i%u < %u}}; i%u++) {\nif (", i, i, 2 + fn_below(fn, 4), i);
    leaf_add(fn, to);
    buf_printf(to, ")\nr += i%u;\n}\n", i);
}

static void statement_add(struct fn *fn, struct buf *to, unsigned depth)
{
    switch (fn_below(fn, 9)) {
    case 0: switch_add(fn, to); break;
    case 1: loop_add(fn, to); break;
    case 2:
        buf_puts(to, "r += ");
        leaf_add(fn, to);
        buf_printf(to, " ? %u : %u;\n", fn_below(fn, 9), fn_below(fn, 9));
        break;
    case 3:
        buf_puts(to, "if (");
        decision_add(fn, to);
        buf_printf(to, ")\nreturn r + %u;\n", fn_below(fn, 9));
        break;
    default:
        buf_puts(to, "if (");
        decision_add(fn, to);
        buf_puts(to, ")");
        body_add(fn, to, depth);
        if (fn_chance(fn, 3)) {
            buf_puts(to, "else");
            body_add(fn, to, depth);
        }
    }
}

void blocks_add(struct fn *fn, struct buf *to)
{
    unsigned count = 1 + fn_below(fn, 3);
    for (unsigned i = 0; i < count && fn->values.count; i++)
        statement_add(fn, to, 0);
}
