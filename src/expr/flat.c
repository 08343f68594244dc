// SPDX-License-Identifier: Apache-2.0
// Flat programs. Compilation numbers nodes in the order in which a depth-first walk
// leaves them, which puts operands first; evaluation keeps one "dirty" bit per
// instruction and takes the lowest one each time, so every instruction is computed
// at most once per change, after its operands.
#include "expr/flat.h"

#include "base/arena.h"
#include "base/vec.h"
#include "expr/expr_internal.h"
#include <stdlib.h>
#include <string.h>

#define LEAVING 0x80000000u

void flat_init(struct flat *flat, const struct expr_pool *pool)
{
    *flat = (struct flat){.pool = pool};
}

void flat_release(struct flat *flat)
{
    free(flat->code);
    free(flat->low);
    free(flat->high);
    free(flat->dirty);
    free(flat->is_root);
    free(flat->input_of);
    free(flat->users);
    free(flat->extra);
    free(flat->roots);
    free(flat->inputs);
    free(flat->bytes);
    free(flat->places);
    free(flat->stack);
    *flat = (struct flat){0};
}

// ---- compilation ----

static void reserve_places(struct flat *flat)
{
    vec_reserve((void **)&flat->places, &flat->place_room, expr_pool_size(flat->pool),
                sizeof *flat->places);
    if (++flat->generation == 0) { // wrapped around: old stamps would look new
        memset(flat->places, 0, flat->place_room * sizeof *flat->places);
        flat->generation = 1;
    }
}

static bool is_known(const struct flat *flat, expr_id id)
{
    return flat->places[id].stamp == flat->generation;
}

static uint32_t place_of(const struct flat *flat, expr_id id)
{
    return flat->places[id].at;
}

uint32_t flat_find(const struct flat *flat, expr_id id)
{
    return id < flat->place_room && is_known(flat, id) ? place_of(flat, id) : UINT32_MAX;
}

static void push(struct flat *flat, size_t *depth, expr_id item)
{
    vec_reserve((void **)&flat->stack, &flat->stack_room, *depth + 1, sizeof *flat->stack);
    flat->stack[(*depth)++] = item;
}

static void push_operands(struct flat *flat, size_t *depth, const struct expr *e)
{
    expr_id operands[3];
    unsigned count = expr_operands(e, operands);
    for (unsigned i = count; i-- > 0;)
        if (!is_known(flat, operands[i]))
            push(flat, depth, operands[i]);
    if (e->op != EXPR_READ)
        return;
    const struct expr_snapshot *s = expr_get_snapshot(flat->pool, e->x);
    for (uint32_t i = 0; s->exprs && i < s->size; i++)
        if (s->exprs[i] && !is_known(flat, s->exprs[i]))
            push(flat, depth, s->exprs[i]);
}

// The symbolic bytes of a READ: pairs of byte number and instruction, ended by
// UINT32_MAX.
static uint32_t add_extra(struct flat *flat, const struct expr_snapshot *s)
{
    size_t first = flat->extra_count;
    vec_reserve((void **)&flat->extra, &flat->extra_room, first + 2 * (size_t)s->size + 1,
                sizeof *flat->extra);
    for (uint32_t i = 0; i < s->size; i++)
        if (s->exprs[i]) {
            flat->extra[flat->extra_count++] = i;
            flat->extra[flat->extra_count++] = place_of(flat, s->exprs[i]);
        }
    flat->extra[flat->extra_count++] = UINT32_MAX;
    return (uint32_t)first;
}

static void add_input(struct flat *flat, const struct expr *e)
{
    vec_reserve((void **)&flat->inputs, &flat->input_room, flat->input_count + 1,
                sizeof *flat->inputs);
    flat->inputs[flat->input_count++] =
        (struct flat_input){(uint32_t)flat->count, (uint32_t)e->x, e->width, false};
}

static void emit(struct flat *flat, expr_id id, const struct expr *e)
{
    vec_reserve((void **)&flat->code, &flat->code_room, flat->count + 2, sizeof *flat->code);
    struct flat_ins *ins = &flat->code[flat->count];
    *ins = (struct flat_ins){.op = e->op, .width = (uint8_t)e->width, .x = e->x, .id = id};
    if (e->a) {
        ins->a = place_of(flat, e->a);
        ins->from = flat->code[ins->a].width;
    }
    if (e->b)
        ins->b = place_of(flat, e->b);
    if (e->c)
        ins->c = place_of(flat, e->c);
    if (e->op == EXPR_CONCAT)
        ins->from = flat->code[ins->b].width;
    if (e->op == EXPR_READ) {
        const struct expr_snapshot *s = expr_get_snapshot(flat->pool, e->x);
        ins->extra = s->exprs ? add_extra(flat, s) : UINT32_MAX;
    }
    if (e->op == EXPR_INPUT)
        add_input(flat, e);
    ins->operands = (uint8_t)((e->a != 0) + (e->b != 0) + (e->c != 0));
    flat->has_floats |= expr_op_is_float(e->op);
    flat->places[id] = (struct flat_place){flat->generation, (uint32_t)flat->count++};
}

static void walk(struct flat *flat, expr_id root)
{
    size_t depth = 0;
    push(flat, &depth, root);
    while (depth) {
        expr_id item = flat->stack[--depth], id = item & ~LEAVING;
        if (is_known(flat, id))
            continue;
        const struct expr *e = expr_get(flat->pool, id);
        if (item & LEAVING || e->op == EXPR_CONST || e->op == EXPR_INPUT) {
            emit(flat, id, e);
            continue;
        }
        push(flat, &depth, id | LEAVING);
        push_operands(flat, &depth, e);
    }
}

static void grow(void **items, size_t room, size_t size)
{
    free(*items);
    *items = xcalloc(room, size);
}

static void reserve_values(struct flat *flat)
{
    if (flat->count + 64 > flat->value_room) {
        size_t room = (flat->count + 64) * 2 / 64 * 64;
        grow((void **)&flat->low, room, sizeof *flat->low);
        grow((void **)&flat->high, room, sizeof *flat->high);
        grow((void **)&flat->is_root, room, sizeof *flat->is_root);
        grow((void **)&flat->input_of, room, sizeof *flat->input_of);
        grow((void **)&flat->dirty, room / 64, sizeof *flat->dirty);
        flat->value_room = room;
    }
    memset(flat->is_root, 0, flat->count);
    memset(flat->input_of, 0, flat->count * sizeof *flat->input_of);
    memset(flat->dirty, 0, (flat->count / 64 + 1) * sizeof *flat->dirty);
}

// Calls visit(flat, operand, user) for each operand of each instruction.
static void each_use(struct flat *flat, void (*visit)(struct flat *, uint32_t, uint32_t))
{
    for (uint32_t i = 0; i < flat->count; i++) {
        const struct flat_ins *ins = &flat->code[i];
        if (ins->operands > 0)
            visit(flat, ins->a, i);
        if (ins->operands > 1)
            visit(flat, ins->b, i);
        if (ins->operands > 2)
            visit(flat, ins->c, i);
        if (ins->op == EXPR_READ && ins->extra != UINT32_MAX)
            for (const uint32_t *p = &flat->extra[ins->extra]; *p != UINT32_MAX; p += 2)
                visit(flat, p[1], i);
    }
}

static void count_use(struct flat *flat, uint32_t operand, uint32_t user)
{
    (void)user;
    flat->code[operand].first_user++;
}

static void note_use(struct flat *flat, uint32_t operand, uint32_t user)
{
    flat->users[--flat->code[operand].first_user] = user;
}

static void link_users(struct flat *flat)
{
    uint32_t total = 0;
    each_use(flat, count_use);
    for (size_t i = 0; i < flat->count; i++) {
        total += flat->code[i].first_user;
        flat->code[i].first_user = total;
    }
    flat->code[flat->count] = (struct flat_ins){.first_user = total};
    vec_reserve((void **)&flat->users, &flat->user_room, (size_t)total + 1, sizeof *flat->users);
    each_use(flat, note_use);
}

static int compare_inputs(const void *p, const void *q)
{
    const struct flat_input *a = p, *b = q;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->width < b->width ? -1 : a->width > b->width;
}

// Sort them, and see which share bytes: an input that begins before the furthest end
// so far overlaps the one that ends there, and whatever else it overlaps, that one
// does, too.
static void settle_inputs(struct flat *flat)
{
    uint64_t end = 0;
    size_t furthest = 0;
    if (flat->input_count)
        qsort(flat->inputs, flat->input_count, sizeof *flat->inputs, compare_inputs);
    for (size_t i = 0; i < flat->input_count; i++) {
        struct flat_input *in = &flat->inputs[i];
        uint64_t own = (uint64_t)in->offset + in->width / 8;
        flat->input_of[in->at] = (uint32_t)i + 1;
        if (in->offset < end)
            in->overlaps = flat->inputs[furthest].overlaps = true;
        if (own > end) {
            end = own;
            furthest = i;
        }
    }
    flat->byte_count = end;
    vec_reserve((void **)&flat->bytes, &flat->byte_room, end + 16, 1);
}

static void compute_all(struct flat *flat);

void flat_compile(struct flat *flat, const expr_id *constraints, size_t count, const uint8_t *input,
                  size_t size)
{
    flat->count = flat->extra_count = flat->root_count = flat->input_count = 0;
    flat->has_floats = false;
    flat->work = 0;
    reserve_places(flat);
    vec_reserve((void **)&flat->roots, &flat->root_room, count + 1, sizeof *flat->roots);
    for (size_t i = 0; i < count; i++) {
        walk(flat, constraints[i]);
        flat->roots[flat->root_count++] = place_of(flat, constraints[i]);
    }
    vec_reserve((void **)&flat->code, &flat->code_room, flat->count + 1, sizeof *flat->code);
    reserve_values(flat);
    for (size_t i = 0; i < count; i++)
        if (flat->is_root[flat->roots[i]] < UINT8_MAX)
            flat->is_root[flat->roots[i]]++;
    link_users(flat);
    settle_inputs(flat);
    memset(flat->bytes, 0, flat->byte_count);
    memcpy(flat->bytes, input ? input : (const uint8_t *)"",
           size < flat->byte_count ? size : flat->byte_count);
    compute_all(flat);
    flat->compiled = true;
}

// ---- evaluation ----

static expr_u128 input_value(const struct flat *flat, const struct flat_ins *ins)
{
    expr_u128 v = 0;
    memcpy(&v, flat->bytes + ins->x, ins->width / 8u);
    return v;
}

static expr_u128 read_value(const struct flat *flat, const struct flat_ins *ins)
{
    const struct expr_snapshot *s = expr_get_snapshot(flat->pool, ins->x);
    unsigned bytes = ins->width / 8u;
    uint64_t at = flat->low[ins->a];
    expr_u128 v = 0;
    if (bytes > s->size || at > s->size - bytes)
        return 0;
    memcpy(&v, s->bytes + at, bytes);
    if (ins->extra == UINT32_MAX)
        return v;
    for (const uint32_t *p = &flat->extra[ins->extra]; *p != UINT32_MAX; p += 2)
        if (*p >= at && *p < at + bytes)
            v |= (expr_u128)flat->low[p[1]] << (8 * (*p - at));
    return v;
}

static expr_u128 compute_wide(const struct flat *flat, const struct flat_ins *ins)
{
    switch (ins->op) {
    case EXPR_CONST: {
        const struct expr *e = expr_get(flat->pool, ins->id);
        return (expr_u128)e->y << 64 | e->x;
    }
    case EXPR_INPUT: return input_value(flat, ins);
    case EXPR_READ: return read_value(flat, ins);
    case EXPR_ITE: return flat_value(flat, flat->low[ins->a] ? ins->b : ins->c);
    default:
        return expr_apply(ins->op, ins->width, ins->from, flat_value(flat, ins->a),
                          flat_value(flat, ins->b), (unsigned)ins->x);
    }
}

static inline uint64_t mask(unsigned width)
{
    return UINT64_MAX >> (64 - width);
}

static inline int64_t extend(uint64_t v, unsigned width)
{
    return (int64_t)(v << (64 - width)) >> (64 - width);
}

// All widths up to 64 bits. False: not one of the fast cases.
static inline bool compute_fast(const struct flat *flat, const struct flat_ins *ins, uint64_t *out)
{
    uint64_t a = flat->low[ins->a], b = flat->low[ins->b], m = mask(ins->width);
    switch (ins->op) {
    case EXPR_ADD: *out = (a + b) & m; return true;
    case EXPR_SUB: *out = (a - b) & m; return true;
    case EXPR_MUL: *out = (a * b) & m; return true;
    case EXPR_AND: *out = a & b; return true;
    case EXPR_OR: *out = a | b; return true;
    case EXPR_XOR: *out = a ^ b; return true;
    case EXPR_SHL: *out = b >= ins->width ? 0 : a << b & m; return true;
    case EXPR_LSHR: *out = b >= ins->width ? 0 : a >> b; return true;
    case EXPR_EQ: *out = a == b; return true;
    case EXPR_NE: *out = a != b; return true;
    case EXPR_ULT: *out = a < b; return true;
    case EXPR_ULE: *out = a <= b; return true;
    case EXPR_UGT: *out = a > b; return true;
    case EXPR_UGE: *out = a >= b; return true;
    case EXPR_SLT: *out = extend(a, ins->from) < extend(b, ins->from); return true;
    case EXPR_SLE: *out = extend(a, ins->from) <= extend(b, ins->from); return true;
    case EXPR_ZEXT: *out = a; return true;
    case EXPR_SEXT: *out = (uint64_t)extend(a, ins->from) & m; return true;
    case EXPR_TRUNC: *out = a & m; return true;
    case EXPR_EXTRACT: *out = a >> ins->x & m; return true;
    case EXPR_CONCAT: *out = a << ins->from | b; return true;
    case EXPR_ITE: *out = a ? b : flat->low[ins->c]; return true;
    case EXPR_UDIV: *out = b ? a / b : m; return true;
    case EXPR_UREM: *out = b ? a % b : a; return true;
    default: return false;
    }
}

static inline bool is_narrow(const struct flat_ins *ins)
{
    return ins->width <= 64 && ins->from <= 64 && ins->op > EXPR_BOUND;
}

static inline void store(struct flat *flat, uint32_t at, uint64_t low, uint64_t high)
{
    if (flat->is_root[at])
        flat->violated +=
            (flat->low[at] & 1) * (size_t)flat->is_root[at] - (low & 1) * (size_t)flat->is_root[at];
    flat->low[at] = low;
    flat->high[at] = high;
}

static void mark_users(struct flat *flat, uint32_t at)
{
    uint32_t end = flat->code[at + 1].first_user;
    for (uint32_t u = flat->code[at].first_user; u < end; u++)
        flat->dirty[flat->users[u] / 64] |= UINT64_C(1) << (flat->users[u] % 64);
}

static void compute_one(struct flat *flat, uint32_t at)
{
    const struct flat_ins *ins = &flat->code[at];
    uint64_t low, high = 0;
    if (!is_narrow(ins) || !compute_fast(flat, ins, &low)) {
        expr_u128 v = compute_wide(flat, ins);
        low = (uint64_t)v;
        high = (uint64_t)(v >> 64);
    }
    flat->work++;
    if (low == flat->low[at] && high == flat->high[at])
        return;
    store(flat, at, low, high);
    mark_users(flat, at);
}

static void compute_all(struct flat *flat)
{
    flat->violated = 0;
    for (uint32_t i = 0; i < flat->count; i++) {
        const struct flat_ins *ins = &flat->code[i];
        uint64_t low;
        if (is_narrow(ins) && compute_fast(flat, ins, &low)) {
            flat->low[i] = low;
            flat->high[i] = 0;
        } else {
            expr_u128 v = compute_wide(flat, ins);
            flat->low[i] = (uint64_t)v;
            flat->high[i] = (uint64_t)(v >> 64);
        }
        if (flat->is_root[i] && !(flat->low[i] & 1))
            flat->violated += flat->is_root[i];
    }
    flat->work += flat->count;
}

void flat_run(struct flat *flat)
{
    size_t words = flat->count / 64 + 1;
    for (size_t w = 0; w < words; w++)
        while (flat->dirty[w]) {
            unsigned bit = (unsigned)__builtin_ctzll(flat->dirty[w]);
            flat->dirty[w] &= flat->dirty[w] - 1;
            compute_one(flat, (uint32_t)(w * 64 + bit));
        }
}

static void reload(struct flat *flat, const struct flat_input *in)
{
    expr_u128 v = input_value(flat, &flat->code[in->at]);
    if (v == flat_value(flat, in->at))
        return;
    store(flat, in->at, (uint64_t)v, (uint64_t)(v >> 64));
    mark_users(flat, in->at);
}

void flat_put(struct flat *flat, size_t input, expr_u128 value)
{
    const struct flat_input *in = &flat->inputs[input];
    memcpy(flat->bytes + in->offset, &value, in->width / 8);
    reload(flat, in);
    if (!in->overlaps)
        return;
    uint64_t end = (uint64_t)in->offset + in->width / 8;
    for (size_t i = 0; i < flat->input_count && flat->inputs[i].offset < end; i++)
        if (flat->inputs[i].overlaps &&
            (uint64_t)flat->inputs[i].offset + flat->inputs[i].width / 8 > in->offset)
            reload(flat, &flat->inputs[i]);
}

void flat_set(struct flat *flat, size_t input, expr_u128 value)
{
    flat_put(flat, input, value);
    flat_run(flat);
}

void flat_load(struct flat *flat, const uint8_t *input, size_t size)
{
    size_t known = size < flat->byte_count ? size : flat->byte_count;
    if (known)
        memcpy(flat->bytes, input, known);
    memset(flat->bytes + known, 0, flat->byte_count - known);
    for (size_t i = 0; i < flat->input_count; i++)
        reload(flat, &flat->inputs[i]);
    flat_run(flat);
}

size_t flat_find_input(const struct flat *flat, uint32_t offset, uint32_t width)
{
    size_t low = 0, high = flat->input_count;
    struct flat_input wanted = {.offset = offset, .width = width};
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare_inputs(&flat->inputs[middle], &wanted);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}
