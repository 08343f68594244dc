// SPDX-License-Identifier: Apache-2.0
// Linked with an instrumented program, checks what the runtime says about its run.
// With CZ_TEST_SYMBOLIC=globals all mutable globals of the unit are inputs from the
// start; a program may also call cz_test_input itself. At exit every node is
// evaluated under the concrete inputs by a small evaluator of its own (nothing here is shared
// with the engine's), and must agree with what really happened: each recorded
// condition with its outcome, each pin with its value, each labelled byte of a global
// with the byte in memory. Prints one line per disagreement and a summary to stderr.
#include "runtime/runtime.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 wide;
typedef __int128 wide_signed;
typedef wide whole; // what converts to floating point and back
typedef wide_signed whole_signed;
#else
typedef unsigned _BitInt(128) wide;
typedef _BitInt(128) wide_signed;
typedef uint64_t whole;
typedef int64_t whole_signed;
#endif

static uint8_t *inputs;
static uint32_t input_count;
static wide *values;
static unsigned long failures;

void cz_test_input(void *p, unsigned long n)
{
    inputs = realloc(inputs, input_count + n);
    memcpy(inputs + input_count, p, n);
    bool scalar = n == 2 || n == 4 || n == 8; // one value; anything else is bytes
    wire_label whole = scalar ? czrt_input_label(input_count, 8 * (uint32_t)n) : 0;
    for (uint32_t i = 0; i < n; i++)
        CZRT_SHADOW(p)[i] = scalar ? whole + i : czrt_input_label(input_count + i, 8);
    input_count += n;
}

static void fail(const char *what, uint64_t a, uint64_t b)
{
    if (failures++ < 20)
        fprintf(stderr, "selfcheck: %s: %llx, expected %llx\n", what, (unsigned long long)a,
                (unsigned long long)b);
}

static wide cut(wide v, unsigned width)
{
    return width >= 128 ? v : v & (((wide)1 << width) - 1);
}

static wide_signed sign(wide v, unsigned width)
{
    return (wide_signed)(v << (128 - width)) >> (128 - width);
}

static const struct wire_node *node(uint32_t i)
{
    return (const struct wire_node *)((char *)czrt_wire + czrt_wire->nodes.offset) + i;
}

static wide byte_of(wire_label label)
{
    return values[WIRE_NODE(label)] >> (8 * WIRE_BYTE(label)) & 255;
}

static wide read_snapshot(const struct wire_node *n)
{
    const struct wire_snapshot *s = (const void *)((char *)czrt_wire + czrt_wire->snapshots.offset);
    s += n->x;
    uint64_t offset = (uint64_t)values[WIRE_NODE(n->a)] - s->base;
    wide value = 0;
    if (offset > s->size - n->y) {
        fail("read outside its snapshot", offset, s->size);
        return 0;
    }
    for (unsigned i = 0; i < n->y; i++) {
        const wire_label *labels =
            (const wire_label *)((char *)czrt_wire + czrt_wire->labels.offset);
        wire_label l = s->first_label == WIRE_NO_LABELS ? 0 : labels[s->first_label + offset + i];
        wide byte =
            l ? byte_of(l)
              : ((uint8_t *)czrt_wire + czrt_wire->bytes.offset)[s->first_byte + offset + i];
        value |= byte << (8 * i);
    }
    return value;
}

static double real(wide v, unsigned width)
{
    uint32_t low = (uint32_t)v;
    uint64_t all = (uint64_t)v;
    float f;
    double d;
    memcpy(&f, &low, 4);
    memcpy(&d, &all, 8);
    return width == 32 ? f : d;
}

static wide bits(double d, unsigned width)
{
    float f = (float)d;
    uint32_t low;
    uint64_t all;
    memcpy(&low, &f, 4);
    memcpy(&all, &d, 8);
    return width == 32 ? low : all;
}

static wide divide(uint32_t op, wide a, wide b, unsigned w)
{
    wide_signed x = sign(a, w), y = sign(b, w);
    if (b == 0)
        return op == WIRE_UDIV ? ~(wide)0 : op == WIRE_SDIV ? (x < 0 ? 1 : ~(wide)0) : a;
    if (op == WIRE_UDIV || op == WIRE_UREM)
        return op == WIRE_UDIV ? a / b : a % b;
    if (y == -1)
        return op == WIRE_SDIV ? -(wide)x : 0;
    return op == WIRE_SDIV ? (wide)(x / y) : (wide)(x % y);
}

static wide binary(uint32_t op, wide a, wide b, unsigned w)
{
    switch (op) {
    case WIRE_ADD:
        return a + b;
    case WIRE_SUB:
        return a - b;
    case WIRE_MUL:
        return a * b;
    case WIRE_SHL:
        return b >= w ? 0 : a << b;
    case WIRE_LSHR:
        return b >= w ? 0 : a >> b;
    case WIRE_ASHR:
        return (wide)(sign(a, w) >> (b >= w ? w - 1 : (unsigned)b));
    case WIRE_AND:
        return a & b;
    case WIRE_OR:
        return a | b;
    case WIRE_XOR:
        return a ^ b;
    case WIRE_EQ:
        return a == b;
    case WIRE_NE:
        return a != b;
    case WIRE_UGT:
        return a > b;
    case WIRE_UGE:
        return a >= b;
    case WIRE_ULT:
        return a < b;
    case WIRE_ULE:
        return a <= b;
    case WIRE_SGT:
        return sign(a, w) > sign(b, w);
    case WIRE_SGE:
        return sign(a, w) >= sign(b, w);
    case WIRE_SLT:
        return sign(a, w) < sign(b, w);
    case WIRE_SLE:
        return sign(a, w) <= sign(b, w);
    default:
        return divide(op, a, b, w);
    }
}

static wide float_binary(uint32_t op, double x, double y, unsigned w)
{
    bool unordered = isnan(x) || isnan(y);
    switch (op) {
    case WIRE_FADD:
        return bits(w == 32 ? (float)x + (float)y : x + y, w);
    case WIRE_FSUB:
        return bits(w == 32 ? (float)x - (float)y : x - y, w);
    case WIRE_FMUL:
        return bits(w == 32 ? (float)x * (float)y : x * y, w);
    case WIRE_FDIV:
        return bits(w == 32 ? (float)x / (float)y : x / y, w);
    case WIRE_FREM:
        return bits(fmod(x, y), w);
    case WIRE_FMIN:
        return bits(fmin(x, y), w);
    case WIRE_FMAX:
        return bits(fmax(x, y), w);
    case WIRE_FOEQ:
        return x == y;
    case WIRE_FOGT:
        return x > y;
    case WIRE_FOGE:
        return x >= y;
    case WIRE_FOLT:
        return x < y;
    case WIRE_FOLE:
        return x <= y;
    case WIRE_FONE:
        return !unordered && x != y;
    case WIRE_FORD:
        return !unordered;
    case WIRE_FUNO:
        return unordered;
    case WIRE_FUEQ:
        return unordered || x == y;
    case WIRE_FUGT:
        return unordered || x > y;
    case WIRE_FUGE:
        return unordered || x >= y;
    case WIRE_FULT:
        return unordered || x < y;
    case WIRE_FULE:
        return unordered || x <= y;
    default:
        return x != y; // FUNE
    }
}

static wide to_float(uint32_t op, wide a, unsigned from, unsigned w)
{
    if (op == WIRE_SITOFP)
        return bits(w == 32 ? (float)(whole_signed)sign(a, from)
                            : (double)(whole_signed)sign(a, from),
                    w);
    return bits(w == 32 ? (float)(whole)a : (double)(whole)a, w);
}

static wide unary(const struct wire_node *n, wide a, unsigned from)
{
    unsigned w = n->width;
    switch (n->op) {
    case WIRE_ZEXT:
    case WIRE_TRUNC:
        return a;
    case WIRE_SEXT:
        return (wide)sign(a, from);
    case WIRE_EXTRACT:
        return a >> n->x;
    case WIRE_FNEG:
        return a ^ (wide)1 << (w - 1);
    case WIRE_FABS:
        return a & ~((wide)1 << (w - 1));
    case WIRE_FSQRT:
        return bits(w == 32 ? sqrtf((float)real(a, 32)) : sqrt(real(a, 64)), w);
    case WIRE_FFLOOR:
        return bits(floor(real(a, w)), w);
    case WIRE_FCEIL:
        return bits(ceil(real(a, w)), w);
    case WIRE_FTRUNC:
        return bits(trunc(real(a, w)), w);
    case WIRE_FPEXT:
    case WIRE_FPTRUNC:
        return bits(real(a, from), w);
    case WIRE_SITOFP:
    case WIRE_UITOFP:
        return to_float(n->op, a, from, w);
    case WIRE_FPTOSI:
        return (wide)(wide_signed)(whole_signed)real(a, from);
    default:
        return (wide)(whole)real(a, from); // FPTOUI
    }
}

static wide value_of(wire_label label, uint64_t constant, unsigned width)
{
    return label ? values[WIRE_NODE(label)] : cut(constant, width);
}

static unsigned width_of(const struct wire_node *n, bool compares)
{
    if (!compares)
        return n->width;
    return n->a ? node(WIRE_NODE(n->a))->width : node(WIRE_NODE(n->b))->width;
}

static wide evaluate(const struct wire_node *n)
{
    bool compares =
        (n->op >= WIRE_EQ && n->op <= WIRE_SLE) || (n->op >= WIRE_FOEQ && n->op <= WIRE_FUNE);
    unsigned w = width_of(n, compares);
    if (n->op == WIRE_INPUT) {
        wide v = 0;
        for (unsigned i = 0; i < n->width / 8u; i++)
            v |= (wide)inputs[n->x + i] << (8 * i);
        return v;
    }
    if (n->op == WIRE_CONST)
        return (wide)n->y << 64 | n->x;
    if (n->op == WIRE_BOUND)
        return n->y;
    if (n->op == WIRE_READ)
        return read_snapshot(n);
    if (n->op == WIRE_ITE)
        return values[WIRE_NODE(n->a)] ? values[WIRE_NODE(n->b)]
                                       : values[WIRE_NODE((wire_label)n->x)];
    if (n->op == WIRE_CONCAT) {
        unsigned low =
            n->b ? node(WIRE_NODE(n->b))->width : n->width - node(WIRE_NODE(n->a))->width;
        return value_of(n->a, n->x, n->width - low) << low | value_of(n->b, n->y, low);
    }
    if ((n->op >= WIRE_ADD && n->op <= WIRE_SLE) || (n->op >= WIRE_FADD && n->op <= WIRE_FUNE)) {
        if ((n->a && node(WIRE_NODE(n->a))->width != w) ||
            (n->b && node(WIRE_NODE(n->b))->width != w))
            fail("operand width", node(WIRE_NODE(n->a))->width, w);
        wide a = value_of(n->a, n->x, w), b = value_of(n->b, n->y, w);
        return n->op <= WIRE_SLE ? binary(n->op, a, b, w)
                                 : float_binary(n->op, real(a, w), real(b, w), w);
    }
    return unary(n, values[WIRE_NODE(n->a)], node(WIRE_NODE(n->a))->width);
}

static void check_records(void)
{
    const struct wire_record *r = (const void *)((char *)czrt_wire + czrt_wire->records.offset);
    for (uint32_t i = 0; i < czrt_wire->record_count; i++, r++) {
        if (!r->label)
            continue;
        wide v = values[WIRE_NODE(r->label)];
        unsigned w = node(WIRE_NODE(r->label))->width;
        bool is_value = r->kind == WIRE_PIN || r->kind == WIRE_SWITCH;
        if (!is_value && w != 1)
            fail("width of a condition", w, 1);
        uint64_t expected = is_value ? (uint64_t)cut(r->value, w) : r->outcome;
        if ((uint64_t)v != expected)
            fail(r->kind == WIRE_PIN     ? "pin"
                 : r->kind == WIRE_CHECK ? "check"
                                         : "condition",
                 (uint64_t)v, expected);
    }
}

static unsigned long check_memory(const uint8_t *p, uint64_t n)
{
    unsigned long labelled = 0;
    for (uint64_t i = 0; i < n; i++) {
        wire_label l = CZRT_SHADOW(p)[i];
        if (l && l != WIRE_POISON && ++labelled && byte_of(l) != p[i])
            fail("byte in memory", (uint64_t)byte_of(l), p[i]);
    }
    return labelled;
}

static void check_everything(void)
{
    uint32_t count = czrt_wire->node_count;
    values = calloc(count, sizeof *values);
    for (uint32_t i = 1; i < count; i++)
        values[i] = cut(evaluate(node(i)), node(i)->width);
    check_records();
    unsigned long labelled = 0;
    for (const struct czrt_global *g = __start_cz_globals; g < __stop_cz_globals; g++)
        labelled += check_memory(g->address, g->size);
    fprintf(stderr, "selfcheck: %u nodes, %u records, %lu labelled bytes, %lu failures\n", count,
            czrt_wire->record_count, labelled, failures);
    free(values);
    if (failures)
        _exit(111);
}

// ---- text of the records, for expectations ----

static const char *const op_names[] = {
#define OP(name, text, operands, kind) text,
#include "wire/ops.def"
#undef OP
};

static void print_label(wire_label label, uint64_t constant)
{
    if (!label) {
        printf("%llu", (unsigned long long)constant);
        return;
    }
    const struct wire_node *n = node(WIRE_NODE(label));
    if (n->op == WIRE_INPUT) {
        printf("in%llu", (unsigned long long)n->x);
        return;
    }
    printf("(%s%u", op_names[n->op], n->width);
    if (n->op == WIRE_EXTRACT)
        printf("@%llu", (unsigned long long)n->x);
    if (n->op == WIRE_CONST)
        printf(" %llu", (unsigned long long)n->x);
    bool is_binary = (n->op >= WIRE_ADD && n->op <= WIRE_SLE) || n->op == WIRE_CONCAT ||
                     (n->op >= WIRE_FADD && n->op <= WIRE_FUNE);
    if (n->a || is_binary)
        putchar(' '), print_label(n->a, n->x);
    if (n->b || is_binary)
        putchar(' '), print_label(n->b, n->y);
    if (n->op == WIRE_ITE)
        putchar(' '), print_label((wire_label)n->x, 0);
    putchar(')');
}

// Hits, vectors and records so far, and forget the records.
void cz_test_dump(void)
{
    static const char *const kinds[] = {"", "cond", "branch", "switch", "check", "pin"};
    const struct wire_record *r = (const void *)((char *)czrt_wire + czrt_wire->records.offset);
    const struct wire_vector *v = (const void *)((char *)czrt_wire + czrt_wire->vectors.offset);
    printf("hits");
    for (uint32_t i = 0; &czrt_goal_count && i < czrt_goal_count; i++)
        if (czrt_goal_hits[i])
            printf(" %u%c", i / 2, i & 1 ? 'T' : 'F');
    putchar('\n');
    for (uint32_t i = 0; i < czrt_wire->vector_count; i++, v++)
        printf("vector %u %llx/%llx\n", v->decision, (unsigned long long)v->values,
               (unsigned long long)v->evaluated);
    for (uint32_t i = 0; i < czrt_wire->record_count; i++, r++) {
        printf("%s", kinds[r->kind]);
        if (r->kind == WIRE_COND || r->kind == WIRE_SWITCH)
            printf(" %u", r->site);
        printf(" %u ", r->outcome);
        print_label(r->label, 0);
        putchar('\n');
    }
    fflush(stdout);
}

__attribute__((constructor(300))) static void begin(void)
{
    const char *how = getenv("CZ_TEST_SYMBOLIC");
    if (how && strcmp(how, "globals") == 0)
        for (const struct czrt_global *g = __start_cz_globals; g < __stop_cz_globals; g++)
            if (!g->is_const)
                cz_test_input((void *)g->address, g->size);
    atexit(check_everything);
}
