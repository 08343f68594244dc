// SPDX-License-Identifier: Apache-2.0
// Unit tests of src/trace: a mapping written by hand is decoded; records become
// constraints and alternatives; corrupt mappings are refused, never a crash.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/rng.h"
#include "expr/eval.h"
#include "expr/print.h"
#include "trace/trace.h"
#include <stdlib.h>
#include <string.h>

enum { NODES = 64, RECORDS = 16, BYTES = 64, ROOM = 16384 };

struct fixture {
    struct expr_pool *pool;
    struct trace_decoder decoder;
    struct error err;
    struct branch branches[8];
    size_t switch_branches[4];
    struct switch_point switch_point;
    struct program program;
    _Alignas(16) uint8_t map[ROOM];
};

static struct wire_header *header(struct fixture *f)
{
    return (struct wire_header *)(void *)f->map;
}

static void *area(struct fixture *f, const struct wire_area *a)
{
    return f->map + a->offset;
}

static void place(struct fixture *f, struct wire_area *a, uint64_t *at, size_t item, uint64_t room)
{
    (void)f;
    *a = (struct wire_area){.offset = *at, .room = room};
    *at += (item * room + 15) / 16 * 16;
}

static void lay_out(struct fixture *f)
{
    struct wire_header *h = header(f);
    uint64_t at = (sizeof *h + 15) / 16 * 16;
    h->magic = WIRE_MAGIC;
    h->version = WIRE_VERSION;
    h->size = ROOM;
    place(f, &h->runs, &at, sizeof(struct wire_run), 2);
    place(f, &h->inputs, &at, 1, 64);
    place(f, &h->records, &at, sizeof(struct wire_record), RECORDS);
    place(f, &h->nodes, &at, sizeof(struct wire_node), NODES);
    place(f, &h->snapshots, &at, sizeof(struct wire_snapshot), 4);
    place(f, &h->bytes, &at, 1, BYTES);
    place(f, &h->labels, &at, sizeof(wire_label), BYTES);
    h->node_count = 1;
    h->input_size = 64;
    assert_true(at <= ROOM);
}

static void make_program(struct fixture *f)
{
    f->branches[3] = (struct branch){.kind = BRANCH_CASE, .low = -1, .high = -1};
    f->branches[4] = (struct branch){.kind = BRANCH_CASE, .low = 10, .high = 20};
    f->branches[5] = (struct branch){.kind = BRANCH_IMPLICIT_DEFAULT};
    memcpy(f->switch_branches, (size_t[]){3, 4, 5}, 3 * sizeof(size_t));
    f->switch_point = (struct switch_point){.branches = f->switch_branches, .branch_count = 3};
    f->program.branches = f->branches;
    f->program.branch_count = 8;
    f->program.switches = &f->switch_point;
    f->program.switch_count = 1;
}

static int setup(void **state)
{
    struct fixture *f = xcalloc(1, sizeof *f);
    f->pool = expr_pool_new();
    lay_out(f);
    make_program(f);
    trace_decoder_init(&f->decoder, f->pool, &f->program);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    trace_decoder_release(&f->decoder);
    expr_pool_free(f->pool);
    free(f);
    return 0;
}

static wire_label add(struct fixture *f, struct wire_node node)
{
    uint32_t number = header(f)->node_count++;
    ((struct wire_node *)area(f, &header(f)->nodes))[number] = node;
    return WIRE_LABEL(number);
}

static wire_label input(struct fixture *f, uint64_t offset, uint16_t width)
{
    return add(f, (struct wire_node){.op = WIRE_INPUT, .width = width, .x = offset});
}

static void begin(struct fixture *f)
{
    assert_true(trace_begin(&f->decoder, f->map, ROOM, &f->err));
}

static void expect_text(struct fixture *f, expr_id id, const char *text)
{
    struct buf out = BUF_INIT;
    expr_print(f->pool, id, &out);
    assert_string_equal(buf_text(&out), text);
    buf_release(&out);
}

static void expect(struct fixture *f, wire_label label, const char *text)
{
    expr_id id;
    begin(f);
    if (!trace_label(&f->decoder, label, &id, &f->err))
        fail_msg("%s", f->err.text);
    expect_text(f, id, text);
}

static void refuse(struct fixture *f, wire_label label)
{
    expr_id id;
    begin(f);
    assert_false(trace_label(&f->decoder, label, &id, &f->err));
    assert_true(strncmp(f->err.text, "trace: ", 7) == 0);
}

static void decodes_operands_and_constants(void **state)
{
    struct fixture *f = *state;
    wire_label x = input(f, 4, 32);
    wire_label sum = add(f, (struct wire_node){.op = WIRE_ADD, .width = 32, .a = x, .y = 7});
    expect(f, sum, "(add in32[4] 7)");
    wire_label rest = add(f, (struct wire_node){.op = WIRE_SUB, .width = 32, .b = x, .x = 9});
    expect(f, rest, "(sub 9 in32[4])");
    wire_label less = add(f, (struct wire_node){.op = WIRE_ULT, .width = 1, .a = sum, .b = rest});
    expect(f, less, "(ult (add in32[4] 7) (sub 9 in32[4]))");
    wire_label limit = add(f, (struct wire_node){.op = WIRE_SLT, .width = 1, .a = x, .y = 0x80});
    expect(f, limit, "(slt in32[4] 0x80)");
    wire_label big = add(f, (struct wire_node){.op = WIRE_CONST, .width = 128, .x = 5, .y = 1});
    expect(f, big, "0x10000000000000005");
    wire_label bound =
        add(f, (struct wire_node){.op = WIRE_BOUND, .width = 64, .x = WIRE_LOSS_DEPTH});
    wire_label null = add(f, (struct wire_node){.op = WIRE_EQ, .width = 1, .a = bound, .y = 0});
    expect(f, null, "1");
}

static void decodes_casts_and_choices(void **state)
{
    struct fixture *f = *state;
    wire_label x = input(f, 0, 32), y = input(f, 4, 32);
    wire_label low = add(f, (struct wire_node){.op = WIRE_TRUNC, .width = 8, .a = x});
    expect(f, low, "(extract 0+8 in32[0])");
    wire_label third = add(f, (struct wire_node){.op = WIRE_EXTRACT, .width = 8, .a = x, .x = 16});
    expect(f, third, "(extract 16+8 in32[0])");
    wire_label both =
        add(f, (struct wire_node){.op = WIRE_CONCAT, .width = 16, .a = third, .y = 3});
    expect(f, both, "(concat (extract 16+8 in32[0]) 3)");
    wire_label flag = add(f, (struct wire_node){.op = WIRE_FOLT, .width = 1, .a = x, .b = y});
    wire_label pick =
        add(f, (struct wire_node){.op = WIRE_ITE, .width = 32, .a = flag, .b = x, .x = y});
    expect(f, pick, "(ite (folt in32[0] in32[4]) in32[0] in32[4])");
    expect(f, x | 2, "(extract 16+8 in32[0])"); // a label with a byte index
    refuse(f, x | 4);
}

static void decodes_table_reads(void **state)
{
    struct fixture *f = *state;
    struct wire_header *h = header(f);
    uint8_t *bytes = area(f, &h->bytes);
    wire_label *labels = area(f, &h->labels);
    wire_label x = input(f, 0, 32), i = input(f, 8, 64);
    for (int k = 0; k < 8; k++)
        bytes[k] = (uint8_t)(k + 1);
    labels[2] = x | 3; // byte 2 of the table is byte 3 of x
    labels[5] = WIRE_POISON;
    h->byte_count = h->label_count = 8;
    ((struct wire_snapshot *)area(f, &h->snapshots))[0] =
        (struct wire_snapshot){.base = 0x1000, .size = 8, .first_byte = 0, .first_label = 0};
    h->snapshot_count = 1;
    wire_label address =
        add(f, (struct wire_node){.op = WIRE_ADD, .width = 64, .a = i, .y = 0x1000});
    wire_label read =
        add(f, (struct wire_node){.op = WIRE_READ, .width = 16, .a = address, .x = 0, .y = 2});
    expect(f, read, "(read16 table0 in64[8])");
    expr_id id;
    assert_true(trace_label(&f->decoder, read, &id, &f->err));
    uint8_t vector[16] = {0, 0, 0, 0x99, 0, 0, 0, 0, 2};
    struct eval eval;
    eval_init(&eval, f->pool);
    eval_begin(&eval, vector, sizeof vector);
    assert_int_equal(eval_expr(&eval, id).low, 0x0499);
    eval_release(&eval);
}

// Records.

static struct wire_record record(uint16_t kind, wire_label label, uint32_t outcome)
{
    return (struct wire_record){.kind = kind, .label = label, .outcome = outcome};
}

static void two_way_records(void **state)
{
    struct fixture *f = *state;
    wire_label x = input(f, 0, 32);
    wire_label c = add(f, (struct wire_node){.op = WIRE_EQ, .width = 1, .a = x, .y = 5});
    struct wire_record taken = record(WIRE_COND, c, 1), unsafe = record(WIRE_CHECK, c, 0);
    expr_id id;
    begin(f);
    assert_true(trace_condition(&f->decoder, &taken, &id, &f->err));
    expect_text(f, id, "(eq in32[0] 5)");
    assert_true(trace_condition(&f->decoder, &unsafe, &id, &f->err));
    expect_text(f, id, "(ne in32[0] 5)");
    struct wire_record concrete = record(WIRE_COND, 0, 1);
    assert_true(trace_condition(&f->decoder, &concrete, &id, &f->err));
    expect_text(f, id, "1");
}

static void pinned_values(void **state)
{
    struct fixture *f = *state;
    struct wire_record r = record(WIRE_PIN, input(f, 0, 32), 0);
    expr_id id;
    r.value = 77;
    begin(f);
    assert_true(trace_condition(&f->decoder, &r, &id, &f->err));
    expect_text(f, id, "(eq in32[0] 0x4d)");
}

static bool holds(struct fixture *f, expr_id id, int32_t value)
{
    struct eval eval;
    eval_init(&eval, f->pool);
    eval_begin(&eval, (const uint8_t *)&value, sizeof value);
    bool result = eval_true(&eval, id);
    eval_release(&eval);
    return result;
}

static void switches_split_all_values(void **state)
{
    static const int32_t values[] = {-2, -1, 0, 9, 10, 15, 20, 21, INT32_MIN, INT32_MAX};
    struct fixture *f = *state;
    struct wire_record r = record(WIRE_SWITCH, input(f, 0, 32), 3);
    expr_id minus, range, other;
    begin(f);
    assert_true(trace_condition(&f->decoder, &r, &minus, &f->err));
    r.outcome = 4;
    assert_true(trace_condition(&f->decoder, &r, &range, &f->err));
    r.outcome = 5;
    assert_true(trace_condition(&f->decoder, &r, &other, &f->err));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        int32_t v = values[i];
        assert_int_equal(holds(f, minus, v), v == -1);
        assert_int_equal(holds(f, range, v), v >= 10 && v <= 20);
        assert_int_equal(holds(f, other, v), v != -1 && !(v >= 10 && v <= 20));
    }
    r.outcome = 6; // a branch of no such switch
    assert_false(trace_condition(&f->decoder, &r, &other, &f->err));
    r.site = 1;
    assert_false(trace_condition(&f->decoder, &r, &other, &f->err));
}

static void records_of_a_run(void **state)
{
    struct fixture *f = *state;
    struct wire_header *h = header(f);
    struct wire_run *runs = area(f, &h->runs);
    uint32_t count;
    h->runs_done = 1;
    h->record_count = 5;
    runs[0].first_record = 2;
    runs[0].record_count = 3;
    begin(f);
    assert_non_null(trace_records(&f->decoder, 0, &count, &f->err));
    assert_int_equal(count, 3);
    assert_null(trace_records(&f->decoder, 1, &count, &f->err));
    runs[0].record_count = 4;
    assert_null(trace_records(&f->decoder, 0, &count, &f->err));
    runs[0].first_record = UINT32_MAX;
    assert_null(trace_records(&f->decoder, 0, &count, &f->err));
}

// Corruption.

static void corrupt_nodes_are_refused(void **state)
{
    struct fixture *f = *state;
    wire_label x = input(f, 0, 32), y = input(f, 4, 64);
    refuse(f, WIRE_LABEL(header(f)->node_count));
    refuse(f, 5); // node 0
    uint32_t next = header(f)->node_count;
    refuse(f,
           add(f, (struct wire_node){.op = WIRE_ADD, .width = 32, .a = x, .b = WIRE_LABEL(next)}));
    refuse(f, add(f, (struct wire_node){
                         .op = WIRE_ADD, .width = 32, .a = x, .b = WIRE_LABEL(NODES - 1)}));
    refuse(f, add(f, (struct wire_node){.op = WIRE_ADD, .width = 32, .a = x, .b = y}));
    refuse(f, add(f, (struct wire_node){.op = WIRE_ADD, .width = 0, .a = x}));
    refuse(f, add(f, (struct wire_node){.op = WIRE_ADD, .width = 129, .a = x}));
    refuse(f, add(f, (struct wire_node){.op = WIRE_OP_COUNT, .width = 32, .a = x}));
    refuse(f, add(f, (struct wire_node){.op = WIRE_NONE, .width = 32}));
    refuse(f, add(f, (struct wire_node){.op = WIRE_EQ, .width = 1}));
    refuse(f, add(f, (struct wire_node){.op = WIRE_ZEXT, .width = 16, .a = x}));
    refuse(f, add(f, (struct wire_node){.op = WIRE_EXTRACT, .width = 8, .a = x, .x = 25}));
    refuse(f, add(f, (struct wire_node){.op = WIRE_EXTRACT, .width = 8, .a = x, .x = UINT64_MAX}));
    refuse(f, add(f, (struct wire_node){.op = WIRE_CONCAT, .width = 32, .a = x}));
    refuse(f, add(f, (struct wire_node){.op = WIRE_ITE, .width = 32, .a = x, .b = x, .x = x}));
    refuse(f, add(f, (struct wire_node){.op = WIRE_FADD, .width = 16, .a = x}));
    refuse(f, add(f, (struct wire_node){.op = WIRE_READ, .width = 32, .a = y, .x = 9, .y = 4}));
    refuse(f, input(f, 62, 32));
    refuse(f, input(f, UINT64_MAX, 8));
    refuse(f, input(f, 0, 12));
}

static void corrupt_headers_are_refused(void **state)
{
    struct fixture *f = *state;
    struct wire_header good = *header(f);
    header(f)->magic = 0;
    assert_false(trace_begin(&f->decoder, f->map, ROOM, &f->err));
    *header(f) = good;
    header(f)->node_count = NODES + 1;
    assert_false(trace_begin(&f->decoder, f->map, ROOM, &f->err));
    *header(f) = good;
    header(f)->nodes.room = UINT64_MAX;
    assert_false(trace_begin(&f->decoder, f->map, ROOM, &f->err));
    *header(f) = good;
    header(f)->labels.offset = UINT64_MAX - 7;
    assert_false(trace_begin(&f->decoder, f->map, ROOM, &f->err));
    *header(f) = good;
    assert_false(trace_begin(&f->decoder, f->map, 10, &f->err));
    begin(f);
}

// Noise in all areas: errors are fine, crashes are not.
static void scribbled_mappings_do_not_crash(void **state)
{
    struct fixture *f = *state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        struct rng rng = {seed};
        memset(f->map, 0, sizeof f->map);
        lay_out(f);
        struct wire_header *h = header(f);
        h->node_count = NODES;
        h->snapshot_count = 4;
        h->byte_count = h->label_count = BYTES;
        struct wire_node *nodes = area(f, &h->nodes);
        for (uint32_t i = 1; i < NODES; i++) {
            static const uint16_t widths[] = {1, 8, 32, 64, 128, 7};
            uint32_t below = i + (rng_below(&rng, 20) == 0);
            nodes[i] = (struct wire_node){
                .op = (uint16_t)rng_below(&rng, WIRE_OP_COUNT + 1),
                .width = widths[rng_below(&rng, 6)],
                .a = (wire_label)(WIRE_LABEL(rng_below(&rng, below)) + (rng_below(&rng, 9) == 0)),
                .b = WIRE_LABEL(rng_below(&rng, below)),
                .x = rng_below(&rng, 3) ? rng_below(&rng, 64) : rng_next(&rng),
                .y = rng_below(&rng, 2) ? rng_below(&rng, 20) : rng_next(&rng)};
            if (rng_below(&rng, 3) == 0)
                nodes[i] =
                    (struct wire_node){.op = WIRE_INPUT, .width = 64, .x = rng_below(&rng, 50)};
        }
        for (unsigned i = 0; i < 4; i++)
            ((struct wire_snapshot *)area(f, &h->snapshots))[i] = (struct wire_snapshot){
                .size = (uint32_t)rng_below(&rng, 40),
                .first_byte = (uint32_t)rng_below(&rng, 60),
                .first_label = rng_below(&rng, 2) ? WIRE_NO_LABELS : (uint32_t)rng_below(&rng, 60)};
        for (unsigned i = 0; i < BYTES; i++)
            ((wire_label *)area(f, &h->labels))[i] = (wire_label)rng_below(&rng, 40 * 16);
        begin(f);
        for (uint32_t i = 0; i < 4; i++) {
            struct wire_record r = record((uint16_t)rng_below(&rng, 7), WIRE_LABEL(NODES - 1 - i),
                                          (uint32_t)rng_below(&rng, 7));
            expr_id id;
            trace_condition(&f->decoder, &r, &id, &f->err);
        }
    }
}

static void deep_traces_are_decoded(void **state)
{
    struct fixture *f = *state;
    enum { DEPTH = 200000 };
    size_t size = sizeof(struct wire_header) + 64 + (DEPTH + 2) * sizeof(struct wire_node);
    uint8_t *map = xcalloc(1, size);
    struct wire_header *h = (struct wire_header *)(void *)map;
    *h = *header(f);
    h->nodes.offset = (sizeof *h + 15) / 16 * 16;
    h->nodes.room = h->node_count = DEPTH + 2;
    h->records = h->runs = h->snapshots = h->bytes = h->labels = (struct wire_area){0};
    struct wire_node *nodes = (struct wire_node *)(void *)(map + h->nodes.offset);
    nodes[1] = (struct wire_node){.op = WIRE_INPUT, .width = 32};
    for (uint32_t i = 2; i < DEPTH + 2; i++)
        nodes[i] = (struct wire_node){
            .op = i % 2 ? WIRE_MUL : WIRE_XOR, .width = 32, .a = WIRE_LABEL(i - 1), .y = i};
    expr_id id;
    assert_true(trace_begin(&f->decoder, map, size, &f->err));
    assert_true(trace_label(&f->decoder, WIRE_LABEL(DEPTH + 1), &id, &f->err));
    assert_true(expr_pool_size(f->pool) > DEPTH);
    free(map);
}

int test_trace(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(decodes_operands_and_constants),
        T(decodes_casts_and_choices),
        T(decodes_table_reads),
        T(two_way_records),
        T(pinned_values),
        T(switches_split_all_values),
        T(records_of_a_run),
        T(corrupt_nodes_are_refused),
        T(corrupt_headers_are_refused),
        T(scribbled_mappings_do_not_crash),
        T(deep_traces_are_decoded),
    };
#undef T
    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
