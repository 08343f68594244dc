// SPDX-License-Identifier: Apache-2.0
// The reader of our own SMT-LIB 2. A script is a list of commands, a command a tree of
// words. Booleans are one-bit expressions, a float is the expression of its bits. What
// the writer spells out because the standard has no word for it is recognised by its
// form: table reads (the chain of r<id>_<n>), the bits of a float result (declared
// and tied by an assertion), fmod, conversions to integers.
#include "expr/smt2_read.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "expr/expr_internal.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {         // a word, or a list of nodes
    const char *word; // NULL for a list
    struct node *first, *next;
};

struct term {
    expr_id id; // 0: not understood
    bool is_float;
};

struct table { // a read that is being defined
    VEC(uint8_t) bytes;
    VEC(expr_id) exprs;
    expr_id offset;
    unsigned width;
};

struct reader {
    struct expr_pool *pool;
    struct arena arena;
    const char *at, *end;
    struct map names; // text -> id, top bit: is a float
    struct table table;
    const char *problem;
};

#define FLOAT_BIT (UINT64_C(1) << 63)

// ---- words and lists ----

static void skip_space(struct reader *r)
{
    while (r->at < r->end && (isspace((unsigned char)*r->at) || *r->at == ';')) {
        if (*r->at == ';')
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        else
            r->at++;
    }
}

static struct node *parse_word(struct reader *r)
{
    const char *begin = r->at;
    while (r->at < r->end && !isspace((unsigned char)*r->at) && *r->at != '(' && *r->at != ')')
        r->at++;
    struct node *n = arena_new(&r->arena, struct node);
    n->word = arena_strndup(&r->arena, begin, (size_t)(r->at - begin));
    return n;
}

// The next word or list, with an explicit stack of open lists; NULL at the end of the
// text or where a list is not closed.
static struct node *parse(struct reader *r)
{
    struct node *open[EXPR_SMT2_NESTING], **tail[EXPR_SMT2_NESTING];
    size_t depth = 0;
    for (;;) {
        skip_space(r);
        if (r->at == r->end)
            return NULL;
        struct node *done;
        if (*r->at == '(') {
            r->at++;
            if (depth == EXPR_SMT2_NESTING)
                return NULL;
            open[depth] = arena_new(&r->arena, struct node);
            tail[depth] = &open[depth]->first;
            depth++;
            continue;
        }
        if (*r->at == ')') {
            r->at++;
            if (!depth)
                return NULL;
            done = open[--depth];
        } else {
            done = parse_word(r);
        }
        if (!depth)
            return done;
        *tail[depth - 1] = done;
        tail[depth - 1] = &done->next;
    }
}

static bool is_word(const struct node *n, const char *word)
{
    return n && n->word && strcmp(n->word, word) == 0;
}

static unsigned length_of(const struct node *list)
{
    unsigned count = 0;
    for (const struct node *n = list ? list->first : NULL; n; n = n->next)
        count++;
    return count;
}

// NULL beyond the end, of a word, and of NULL.
static const struct node *item(const struct node *list, unsigned index)
{
    const struct node *n = list ? list->first : NULL;
    while (n && index-- > 0)
        n = n->next;
    return n;
}

static struct term fail(struct reader *r, const char *problem)
{
    if (!r->problem)
        r->problem = problem;
    return (struct term){0};
}

static const char *word_at(const struct node *list, unsigned index)
{
    const struct node *n = item(list, index);
    return n ? n->word : NULL;
}

static unsigned number_of(const struct node *n)
{
    return n && n->word ? (unsigned)strtoul(n->word, NULL, 10) : 0;
}

// ---- terms ----

static struct term lookup(struct reader *r, const char *name)
{
    uint64_t value;
    if (!map_get_text(&r->names, name, &value))
        return fail(r, "a name that was not defined");
    return (struct term){(expr_id)(value & ~FLOAT_BIT), value & FLOAT_BIT};
}

static void define(struct reader *r, const char *name, struct term term)
{
    map_put_text(&r->names, name, term.id | (term.is_float ? FLOAT_BIT : 0));
}

static struct term bits(expr_id id)
{
    return (struct term){id, false};
}

static struct term number(struct reader *r, const char *text)
{
    static const char *const digits[] = {"01", "0123456789abcdefABCDEF"};
    bool is_hex = text[1] == 'x';
    size_t length = strlen(text), count = length > 2 ? length - 2 : 0;
    unsigned base = is_hex ? 4 : 1;
    expr_u128 value = 0;
    if (!count || count > EXPR_MAX_WIDTH / base || (!is_hex && text[1] != 'b') ||
        strspn(text + 2, digits[is_hex]) != count)
        return fail(r, "a number that is not binary");
    unsigned width = (unsigned)count * base;
    for (const char *p = text + 2; *p; p++)
        value = value << base |
                (unsigned)(isdigit((unsigned char)*p) ? *p - '0' : tolower(*p) - 'a' + 10);
    return bits(expr_number(r->pool, width, value));
}

static struct term read_term(struct reader *r, const struct node *n, unsigned depth);

// Words with numbers: (_ bv5 64), (_ +zero 8 24).
static struct term indexed_constant(struct reader *r, const struct node *n)
{
    const struct node *what = item(n, 1);
    unsigned width = number_of(item(n, 2));
    if (what && what->word && strncmp(what->word, "bv", 2) == 0 && width && width <= EXPR_MAX_WIDTH)
        return bits(expr_const64(r->pool, width, strtoull(what->word + 2, NULL, 10)));
    if (is_word(what, "+zero"))
        return (struct term){expr_const64(r->pool, width == 8 ? 32 : 64, 0), true};
    return fail(r, "an unknown constant");
}

// Operations on what the text gives, which may not fit.
static struct term unary(struct reader *r, enum expr_op op, unsigned width, struct term a,
                         bool is_float)
{
    if (!a.id || !expr_fits(op, width, expr_width(r->pool, a.id), 0, 0, 0))
        return fail(r, "an operand that does not fit");
    return (struct term){expr_unary(r->pool, op, width, a.id), is_float};
}

static struct term binary(struct reader *r, enum expr_op op, unsigned width, struct term a,
                          struct term b, bool is_float)
{
    if (!a.id || !b.id ||
        !expr_fits(op, width, expr_width(r->pool, a.id), expr_width(r->pool, b.id), 0, 0))
        return fail(r, "operands that do not fit");
    return (struct term){expr_binary(r->pool, op, a.id, b.id), is_float};
}

static struct term to_float(struct reader *r, bool is_unsigned, unsigned width, unsigned count,
                            const struct term *a)
{
    const struct term *from = &a[count - 1];
    if (!from->id)
        return fail(r, "a conversion without operand");
    unsigned have = expr_width(r->pool, from->id);
    if (count == 1)
        return (struct term){from->id, true};
    if (!from->is_float)
        return unary(r, is_unsigned ? EXPR_UITOFP : EXPR_SITOFP, width, *from, true);
    if (have == width)
        return *from;
    return unary(r, width == 64 ? EXPR_FPEXT : EXPR_FPTRUNC, width, *from, true);
}

// Operations with numbers: ((_ extract 7 0) x) and the like. a[] are the operands; a
// rounding mode counts as one, with id 0.
static struct term indexed_operation(struct reader *r, const struct node *head, unsigned count,
                                     const struct term *a)
{
    const struct node *what = item(head, 1);
    unsigned p = number_of(item(head, 2)), q = number_of(item(head, 3));
    if (!count || !a[count - 1].id)
        return fail(r, "an operation without operands");
    expr_id x = a[count - 1].id;
    unsigned width = expr_width(r->pool, x);
    if (is_word(what, "extract") && q <= p && p < width)
        return bits(expr_extract(r->pool, x, q, p - q + 1));
    if (!p && (is_word(what, "zero_extend") || is_word(what, "sign_extend")))
        return bits(x);
    if (is_word(what, "zero_extend") && p <= EXPR_MAX_WIDTH)
        return unary(r, EXPR_ZEXT, width + p, a[count - 1], false);
    if (is_word(what, "sign_extend") && p <= EXPR_MAX_WIDTH)
        return unary(r, EXPR_SEXT, width + p, a[count - 1], false);
    if (is_word(what, "to_fp") || is_word(what, "to_fp_unsigned"))
        return to_float(r, is_word(what, "to_fp_unsigned"), p == 8 ? 32 : 64, count, a);
    return fail(r, "an unknown operation");
}

static const struct {
    const char *word;
    enum expr_op op;
    bool is_float; // the result
} operations[] = {
    {"bvadd", EXPR_ADD, false},   {"bvsub", EXPR_SUB, false},     {"bvmul", EXPR_MUL, false},
    {"bvudiv", EXPR_UDIV, false}, {"bvsdiv", EXPR_SDIV, false},   {"bvurem", EXPR_UREM, false},
    {"bvsrem", EXPR_SREM, false}, {"bvshl", EXPR_SHL, false},     {"bvlshr", EXPR_LSHR, false},
    {"bvashr", EXPR_ASHR, false}, {"bvand", EXPR_AND, false},     {"bvor", EXPR_OR, false},
    {"bvxor", EXPR_XOR, false},   {"=", EXPR_EQ, false},          {"distinct", EXPR_NE, false},
    {"bvugt", EXPR_UGT, false},   {"bvuge", EXPR_UGE, false},     {"bvult", EXPR_ULT, false},
    {"bvule", EXPR_ULE, false},   {"bvsgt", EXPR_SGT, false},     {"bvsge", EXPR_SGE, false},
    {"bvslt", EXPR_SLT, false},   {"bvsle", EXPR_SLE, false},     {"and", EXPR_AND, false},
    {"or", EXPR_OR, false},       {"concat", EXPR_CONCAT, false}, {"fp.add", EXPR_FADD, true},
    {"fp.sub", EXPR_FSUB, true},  {"fp.mul", EXPR_FMUL, true},    {"fp.div", EXPR_FDIV, true},
    {"fp.eq", EXPR_FOEQ, false},  {"fp.lt", EXPR_FOLT, false},    {"fp.leq", EXPR_FOLE, false},
    {"fp.gt", EXPR_FOGT, false},  {"fp.geq", EXPR_FOGE, false},
};

// From the left: (concat a b c), (or a b c).
static struct term combine(struct reader *r, enum expr_op op, bool is_float, unsigned count,
                           const struct term *a)
{
    expr_id id = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!a[i].id)
            continue; // a rounding mode
        unsigned have = id ? expr_width(r->pool, id) : 0, more = expr_width(r->pool, a[i].id);
        unsigned width = op == EXPR_CONCAT                                    ? have + more
                         : expr_op_kind(op) == 'C' || expr_op_kind(op) == 'Q' ? 1
                                                                              : have;
        if (!id)
            id = a[i].id;
        else if (!expr_fits(op, width, have, more, 0, 0))
            return fail(r, "operands that do not fit");
        else
            id = op == EXPR_CONCAT ? expr_concat(r->pool, id, a[i].id)
                                   : expr_binary(r->pool, op, id, a[i].id);
    }
    return id ? (struct term){id, is_float} : fail(r, "an operation without operands");
}

static struct term rounded(struct reader *r, const struct node *mode, struct term a)
{
    enum expr_op op = is_word(mode, "RTN")   ? EXPR_FFLOOR
                      : is_word(mode, "RTP") ? EXPR_FCEIL
                                             : EXPR_FTRUNC;
    return unary(r, op, expr_width(r->pool, a.id), a, true);
}

static struct term named_operation(struct reader *r, const struct node *n, unsigned count,
                                   const struct term *a)
{
    const char *word = n->first->word;
    const struct term *x = &a[count - 1];
    if (!x->id)
        return fail(r, "an operation without operands");
    if (strcmp(word, "ite") == 0) {
        unsigned width = count == 3 && a[1].id ? expr_width(r->pool, a[1].id) : 0;
        if (!width || !a[0].id ||
            !expr_fits(EXPR_ITE, width, expr_width(r->pool, a[0].id), width,
                       expr_width(r->pool, a[2].id), 0))
            return fail(r, "an ite that does not fit");
        return (struct term){expr_ite(r->pool, a[0].id, a[1].id, a[2].id), a[1].is_float};
    }
    if (strcmp(word, "not") == 0)
        return expr_width(r->pool, x->id) == 1 ? bits(expr_not(r->pool, x->id))
                                               : fail(r, "a not that does not fit");
    if (strcmp(word, "fp.isNaN") == 0)
        return binary(r, EXPR_FUNO, 1, *x, *x, false);
    if (strcmp(word, "fp.sqrt") == 0)
        return unary(r, EXPR_FSQRT, expr_width(r->pool, x->id), *x, true);
    if (strcmp(word, "fp.roundToIntegral") == 0)
        return rounded(r, item(n, 1), *x);
    if (strcmp(word, "fp") == 0)
        return combine(r, EXPR_CONCAT, true, count, a);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(word, operations[i].word) == 0)
            return combine(r, operations[i].op, operations[i].is_float, count, a);
    return fail(r, "an unknown operation");
}

// (let ((t (fp.roundToIntegral RTZ x))) ((_ extract 7 0) (ite range ((_ fp.to_sbv 32) ..) ..))):
// a conversion to an integer, see to_integer in smt2.c.
static struct term conversion(struct reader *r, struct term a, const struct node *body)
{
    const struct node *inner = item(body, 1);
    const struct node *cast = is_word(item(inner, 0), "ite") ? item(inner, 2) : NULL;
    const struct node *head = item(cast, 0);
    if (!head || head->word || body->first->word)
        return fail(r, "a conversion that is not understood");
    unsigned width = number_of(item(body->first, 2)) + 1, through = number_of(item(head, 2));
    bool is_unsigned = is_word(item(head, 1), "fp.to_ubv") || (width == 32 && through == 64);
    enum expr_op op = is_unsigned ? EXPR_FPTOUI : EXPR_FPTOSI;
    if (!expr_fits(op, width, expr_width(r->pool, a.id), 0, 0, 0))
        return fail(r, "a conversion that does not fit");
    return bits(expr_unary(r->pool, op, width, a.id));
}

// (let ((name term)) body). fmod is the body over fp.rem, recognised by that.
static struct term read_let(struct reader *r, const struct node *n, unsigned depth)
{
    const struct node *bindings = item(n, 1), *body = item(n, 2);
    const struct node *binding = bindings ? bindings->first : NULL;
    if (!binding || !body || !binding->first || !binding->first->word || length_of(binding) != 2)
        return fail(r, "a let that is not understood");
    const struct node *value = item(binding, 1);
    if (!value->word && is_word(value->first, "fp.rem") && length_of(value) == 3) {
        const struct node *p = item(value, 1), *q = item(value, 2); // (fp.abs x)
        struct term a = read_term(r, item(p, 1), depth + 1),
                    b = read_term(r, item(q, 1), depth + 1);
        if (!a.id || !b.id)
            return a;
        return binary(r, EXPR_FREM, expr_width(r->pool, a.id), a, b, true);
    }
    if (!value->word && is_word(value->first, "fp.roundToIntegral")) {
        struct term a = read_term(r, item(value, 2), depth + 1);
        return a.id ? conversion(r, a, body) : a;
    }
    return fail(r, "a let that is not understood");
}

static bool is_mode(const struct node *n)
{
    return is_word(n, "RNE") || is_word(n, "RTZ") || is_word(n, "RTN") || is_word(n, "RTP");
}

static struct term read_term(struct reader *r, const struct node *n, unsigned depth)
{
    struct term operands[20] = {0};
    unsigned count = 0;
    if (!n || depth > EXPR_SMT2_NESTING)
        return fail(r, "a term that is not understood");
    if (n->word)
        return n->word[0] == '#' ? number(r, n->word) : lookup(r, n->word);
    if (is_word(n->first, "_"))
        return indexed_constant(r, n);
    if (is_word(n->first, "let"))
        return read_let(r, n, depth);
    for (const struct node *a = n->first ? n->first->next : NULL; a; a = a->next) {
        if (count == 20)
            return fail(r, "too many operands");
        if (!is_mode(a) && !(operands[count] = read_term(r, a, depth + 1)).id)
            return (struct term){0};
        count++;
    }
    if (!count)
        return fail(r, "an operation without operands");
    return n->first->word ? named_operation(r, n, count, operands)
                          : indexed_operation(r, n->first, count, operands);
}

// ---- tables ----

static void table_byte(struct reader *r, size_t at, const struct node *value)
{
    struct table *t = &r->table;
    VEC_RESERVE(&t->bytes, at + 1);
    VEC_RESERVE(&t->exprs, at + 1);
    if (at >= t->bytes.count)
        t->bytes.count = t->exprs.count = at + 1;
    struct term byte = read_term(r, value, 0);
    expr_u128 plain;
    if (byte.id && expr_width(r->pool, byte.id) != 8)
        byte = fail(r, "a table entry that does not fit");
    if (!byte.id)
        return;
    if (expr_value_of(r->pool, byte.id, &plain))
        t->bytes.items[at] = (uint8_t)plain;
    else
        t->exprs.items[at] = byte.id;
}

// (define-fun r5_3 () sort (ite (= e4 (_ bv2 64)) value r5_2)); r5_0 begins a table.
static void table_entry(struct reader *r, unsigned width, const struct node *body)
{
    struct table *t = &r->table;
    const struct node *condition = item(body, 1), *value = item(body, 2);
    if (!is_word(body->first, "ite")) {
        if (t->bytes.room)
            memset(t->bytes.items, 0, t->bytes.room);
        if (t->exprs.room)
            memset(t->exprs.items, 0, t->exprs.room * sizeof *t->exprs.items);
        t->bytes.count = t->exprs.count = 0;
        t->width = width;
        t->offset = 0;
        return;
    }
    struct term offset = read_term(r, item(condition, 1), 0),
                index = read_term(r, item(condition, 2), 0);
    expr_u128 at;
    if (!value || !offset.id || !index.id || !expr_value_of(r->pool, index.id, &at) ||
        at > EXPR_SMT2_TABLE) {
        fail(r, "a table entry that is not understood");
        return;
    }
    t->offset = offset.id;
    if (value->word || !is_word(value->first, "concat")) {
        table_byte(r, (size_t)at, value);
        return;
    }
    unsigned bytes = length_of(value) - 1;
    for (unsigned i = 0; i < bytes; i++)
        table_byte(r, (size_t)at + i, item(value, bytes - i));
}

static struct term table_read(struct reader *r)
{
    struct table *t = &r->table;
    if (!t->width || t->width > EXPR_MAX_WIDTH)
        return fail(r, "a table read that does not fit");
    if (!t->offset) // smaller than the read: always 0
        return bits(expr_const64(r->pool, t->width, 0));
    if (expr_width(r->pool, t->offset) != 64 || t->width % 8)
        return fail(r, "a table read that does not fit");
    uint64_t snapshot =
        expr_snapshot(r->pool, t->bytes.items, t->exprs.items, (uint32_t)t->bytes.count);
    return bits(expr_read(r->pool, snapshot, t->offset, t->width / 8));
}

// ---- commands ----

// in_4_32 is an input; e7 the bits of the float f7 that was defined before.
static void declare(struct reader *r, const char *name)
{
    unsigned offset, width;
    if (sscanf(name, "in_%u_%u", &offset, &width) == 2 && width % 8 == 0 && width &&
        width <= EXPR_MAX_WIDTH) {
        define(r, name, bits(expr_input(r->pool, offset, width)));
        return;
    }
    char *other = arena_strdup(&r->arena, name);
    other[0] = 'f';
    struct term value = name[0] == 'e' ? lookup(r, other) : fail(r, "an unknown declaration");
    value.is_float = false;
    if (value.id)
        define(r, name, value);
}

static void define_function(struct reader *r, const struct node *command)
{
    const struct node *name = item(command, 1), *sort = item(command, 3), *body = item(command, 4);
    if (!name || !name->word || !body || !sort) {
        fail(r, "a definition that is not understood");
        return;
    }
    if (name->word[0] == 'r') {
        if (body->word)
            fail(r, "a table entry that is not understood");
        else
            table_entry(r, number_of(item(sort, 2)), body);
        return;
    }
    struct term value = body->word && body->word[0] == 'r' ? table_read(r) : read_term(r, body, 0);
    if (value.id)
        define(r, name->word, value);
}

// (assert (= e5 #b1)) is a constraint; other assertions tie what is one thing here.
static void take_assertion(struct reader *r, const struct node *body, struct smt2_query *out)
{
    if (!body || body->word || !is_word(body->first, "=") || !is_word(item(body, 2), "#b1") ||
        !word_at(body, 1))
        return;
    struct term value = read_term(r, item(body, 1), 0);
    if (!value.id || expr_width(r->pool, value.id) != 1)
        return;
    vec_reserve((void **)&out->constraints, &out->room, out->count + 1, sizeof *out->constraints);
    out->constraints[out->count++] = value.id;
}

static void take_command(struct reader *r, const struct node *command, struct smt2_query *out)
{
    if (command->word || !command->first)
        fail(r, "a command that is not understood");
    else if (is_word(command->first, "declare-fun") && word_at(command, 1))
        declare(r, word_at(command, 1));
    else if (is_word(command->first, "define-fun"))
        define_function(r, command);
    else if (is_word(command->first, "assert"))
        take_assertion(r, item(command, 1), out);
    else if (!is_word(command->first, "set-logic") && !is_word(command->first, "check-sat"))
        fail(r, "an unknown command");
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void read_input(const char *text, size_t length, struct buf *out)
{
    static const char mark[] = "; input ";
    const char *at = memmem(text, length, mark, sizeof mark - 1), *end = text + length;
    if (!at)
        return;
    for (at += sizeof mark - 1; at + 1 < end; at += 2) {
        int high = hex_digit(at[0]), low = hex_digit(at[1]);
        if (high < 0 || low < 0)
            return;
        buf_putc(out, (char)(high << 4 | low));
    }
}

bool smt2_read(struct expr_pool *pool, const char *text, size_t length, struct smt2_query *out,
               struct error *err)
{
    struct reader r = {.pool = pool, .at = text, .end = text + length};
    *out = (struct smt2_query){0};
    arena_init(&r.arena);
    map_init(&r.names);
    read_input(text, length, &out->input);
    for (skip_space(&r); !r.problem && r.at < r.end; skip_space(&r)) {
        const struct node *command = parse(&r);
        if (command)
            take_command(&r, command, out);
        else
            fail(&r, "brackets that do not match");
    }
    size_t line = 1;
    for (const char *p = text; p < r.at; p++)
        line += *p == '\n';
    VEC_RELEASE(&r.table.bytes);
    VEC_RELEASE(&r.table.exprs);
    map_release(&r.names);
    arena_release(&r.arena);
    if (!r.problem)
        return true;
    smt2_query_release(out);
    return error_set(err, ERROR_SOURCE, "line %zu: %s", line, r.problem);
}

void smt2_query_release(struct smt2_query *query)
{
    free(query->constraints);
    buf_release(&query->input);
    *query = (struct smt2_query){0};
}
