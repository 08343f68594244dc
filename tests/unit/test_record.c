// SPDX-License-Identifier: Apache-2.0
// Records: every type of ours there and back with random members, and what becomes of records that
// are cut short, changed, or of another version.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/fs.h"
#include "base/record.h"
#include "base/rng.h"
#include "base/vec.h"
#include "jobs/campaign_record.h"
#include "campaign/optimiser_proofs.h"
#include "jobs/manifest.h"
#include "jobs/messages.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- a struct with a member of every kind ----

enum colour { RED, GREEN, BLUE, COLOURS };
struct pair {
    uint32_t a;
    uint8_t b;
    double c;
};
struct everything {
    uint8_t tiny;
    uint16_t small;
    uint32_t middle;
    uint64_t large;
    int64_t below_zero;
    double real;
    bool yes;
    enum colour colour;
    char name[12];
    const char *text;
    uint64_t several[3];
    const char *texts[2];
    struct pair pair, pairs[2];
    const uint32_t *numbers;
    size_t number_count;
    const bool *bools;
    size_t bool_count;
    const char *const *words;
    size_t word_count;
    const struct pair *list;
    size_t list_count;
    VEC(struct pair) vector;
    void *local;
};

static const struct record_field pair_fields[] = {RECORD_NUMBER(struct pair, a),
                                                  RECORD_NUMBER(struct pair, b),
                                                  RECORD_REAL(struct pair, c), RECORD_END};
static const struct record_type pair_record = RECORD_TYPE("pair", 1, 1, struct pair, pair_fields);
static const struct record_field everything_fields[] = {
    RECORD_NUMBER(struct everything, tiny),
    RECORD_NUMBER(struct everything, small),
    RECORD_NUMBER(struct everything, middle),
    RECORD_NUMBER(struct everything, large),
    RECORD_SIGNED(struct everything, below_zero),
    RECORD_REAL(struct everything, real),
    RECORD_BOOL(struct everything, yes),
    RECORD_ENUM(struct everything, colour, COLOURS),
    RECORD_CHARS(struct everything, name),
    RECORD_TEXT(struct everything, text),
    RECORD_NUMBERS(struct everything, several),
    RECORD_TEXTS(struct everything, texts),
    RECORD_STRUCT(struct everything, pair, &pair_record),
    RECORD_STRUCTS(struct everything, pairs, &pair_record),
    RECORD_LIST_OF_NUMBERS(struct everything, numbers, number_count),
    RECORD_LIST_OF_BOOLS(struct everything, bools, bool_count),
    RECORD_LIST_OF_TEXTS(struct everything, words, word_count),
    RECORD_LIST_OF(struct everything, list, list_count, &pair_record),
    RECORD_VECTOR_OF(struct everything, vector, &pair_record),
    RECORD_LOCAL(struct everything, local),
    RECORD_END,
};
static const struct record_type everything_record =
    RECORD_TYPE("struct with everything", 2, 3, struct everything, everything_fields);

static const struct record_type *const types[] = {
    &everything_record, &error_record,          &options_record,
    &progress_record,   &stage_record,          &outcome_record,
    &manifest_record,   &saved_campaign_record, &proofs_answer_record,
};
enum { TYPES = sizeof types / sizeof *types };

// ---- random objects, by the table ----

struct any_vector {
    void *items;
    size_t count, room;
};

static void fill(const struct record_type *type, void *object, struct rng *rng,
                 struct arena *arena);

static char *random_text(struct rng *rng, struct arena *arena, size_t most)
{
    size_t length = rng_below(rng, most + 1);
    char *text = arena_alloc(arena, length + 1);
    for (size_t i = 0; i < length; i++)
        text[i] = (char)(1 + rng_below(rng, 255));
    return text;
}

static void fill_value(const struct record_field *f, char *at, struct rng *rng, struct arena *arena)
{
    uint64_t number = rng_next(rng) >> rng_below(rng, 64);
    char *text;
    switch (f->kind) {
    case RECORD_KIND_TEXT:
        text = random_text(rng, arena, 20);
        memcpy(at, &text, sizeof text);
        break;
    case RECORD_KIND_CHARS:
        text = random_text(rng, arena, f->size < 40 ? f->size - 1 : 39);
        memcpy(at, text, strlen(text) + 1);
        break;
    case RECORD_KIND_STRUCT: fill(f->type, at, rng, arena); break;
    case RECORD_KIND_BOOL: *at = (char)rng_below(rng, 2); break;
    case RECORD_KIND_ENUM: number = rng_below(rng, f->limit); // fall through
    default: memcpy(at, &number, f->size);
    }
}

static void fill(const struct record_type *type, void *object, struct rng *rng, struct arena *arena)
{
    for (const struct record_field *f = type->fields; f->kind != RECORD_KIND_NONE; f++) {
        char *at = (char *)object + f->offset;
        size_t count = f->shape == RECORD_ONE ? f->repeat : rng_below(rng, 5);
        struct any_vector vector = {.count = count, .room = count};
        if (f->kind == RECORD_KIND_LOCAL)
            continue;
        if (f->shape == RECORD_LIST) {
            char *items = arena_alloc(arena, count * f->size + 1);
            memcpy(at, &items, sizeof items);
            memcpy((char *)object + f->count_at, &count, sizeof count);
            at = items;
        } else if (f->shape == RECORD_VECTOR) {
            vector.items = count ? xcalloc(count, f->size) : NULL;
            memcpy(at, &vector, sizeof vector);
            at = vector.items;
        }
        for (size_t i = 0; i < count; i++)
            fill_value(f, at + i * f->size, rng, arena);
    }
    if (type == progress_record.fields[0].type) // what its check asks for
        ((struct worker_state *)object)->worker %= 1000;
    if (type->tag == 'i') // a list of options
        ((struct options_list *)object)->count %= OPTIONS_LIST_MOST + 1;
}

static void write_random(const struct record_type *type, uint64_t seed, struct buf *out)
{
    struct rng rng = {seed};
    struct arena arena;
    arena_init(&arena);
    void *object = xcalloc(1, type->size);
    fill(type, object, &rng, &arena);
    record_write(type, object, out);
    record_release(type, object);
    free(object);
    arena_release(&arena);
}

// Reads from memory of exactly this length, so that ASan sees its end. What can be read is written
// into `again`, if it is not NULL.
static bool read_back(const struct record_type *type, const char *bytes, size_t length,
                      struct buf *again, struct error *err)
{
    struct record_frame frame;
    struct arena arena;
    size_t at = 0;
    char *exact = xmalloc(length + !length);
    memcpy(exact, bytes, length);
    arena_init(&arena);
    void *object = xcalloc(1, type->size);
    bool good = record_take(exact, length, &at, &frame, err) == RECORD_WHOLE && at == length &&
                record_read(type, &frame, NULL, &arena, object, err);
    free(exact); // nothing of the object may point into it
    if (good && again)
        record_write(type, object, again);
    record_release(type, object);
    free(object);
    arena_release(&arena);
    return good;
}

// ---- tests ----

static void tables_name_every_member(void **state)
{
    (void)state;
    for (size_t i = 0; i < TYPES; i++)
        if (record_gap(types[i]))
            fail_msg("%s: a member behind %s is not in the table", types[i]->name,
                     record_gap(types[i]));
    static const struct record_field lacks_b[] = {RECORD_NUMBER(struct pair, a),
                                                  RECORD_REAL(struct pair, c), RECORD_END};
    static const struct record_field lacks_c[] = {RECORD_NUMBER(struct pair, a),
                                                  RECORD_NUMBER(struct pair, b), RECORD_END};
    struct record_type incomplete = pair_record;
    incomplete.fields = lacks_c;
    assert_string_equal(record_gap(&incomplete), "b");
    incomplete.fields = lacks_b; // a byte in what could be padding is not seen
    assert_null(record_gap(&incomplete));
    incomplete.fields = lacks_b + 1;
    assert_string_equal(record_gap(&incomplete), "its begin");
}

static void random_objects_come_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < TYPES; i++)
        for (uint64_t seed = 0; seed < 200; seed++) {
            struct buf bytes = BUF_INIT, again = BUF_INIT;
            struct error err = {0};
            write_random(types[i], seed, &bytes);
            if (!read_back(types[i], bytes.data, bytes.length, &again, &err))
                fail_msg("%s, seed %d: %s", types[i]->name, (int)seed, err.text);
            assert_int_equal(bytes.length, again.length);
            assert_memory_equal(bytes.data, again.data, bytes.length);
            buf_release(&bytes);
            buf_release(&again);
        }
}

static void members_come_back_as_they_were(void **state)
{
    (void)state;
    static const uint32_t numbers[] = {7, 0xffffffff};
    static const bool bools[] = {true, false, true};
    static const char *const words[] = {"one", "", "three"};
    static const struct pair list[] = {{1, 2, 3.5}};
    struct pair vector[2] = {{4, 5, -0.25}, {6, 7, 1e300}};
    struct everything in = {.tiny = 255,
                            .small = 65535,
                            .middle = 1u << 31,
                            .large = UINT64_MAX,
                            .below_zero = -5,
                            .real = 0.1,
                            .yes = true,
                            .colour = BLUE,
                            .name = "eleven byte",
                            .text = NULL,
                            .several = {1, 2, 3},
                            .texts = {"a", "b"},
                            .pair = {8, 9, 10},
                            .pairs = {{1, 1, 1}, {2, 2, 2}},
                            .numbers = numbers,
                            .number_count = 2,
                            .bools = bools,
                            .bool_count = 3,
                            .words = words,
                            .word_count = 3,
                            .list = list,
                            .list_count = 1,
                            .vector = {vector, 2, 2},
                            .local = &in};
    struct everything out;
    struct buf bytes = BUF_INIT;
    struct record_frame frame;
    struct arena arena;
    size_t at = 0;
    arena_init(&arena);
    record_write(&everything_record, &in, &bytes);
    assert_int_equal(record_take(bytes.data, bytes.length, &at, &frame, NULL), RECORD_WHOLE);
    assert_true(record_read(&everything_record, &frame, NULL, &arena, &out, NULL));
    assert_int_equal(out.tiny, 255);
    assert_int_equal(out.large, UINT64_MAX);
    assert_int_equal(out.below_zero, -5);
    assert_true(out.real == 0.1 && out.yes && out.colour == BLUE);
    assert_string_equal(out.name, "eleven byte");
    assert_string_equal(out.text, ""); // NULL
    assert_string_equal(out.texts[1], "b");
    assert_true(out.pairs[1].c == 2 && out.several[2] == 3);
    assert_int_equal(out.numbers[1], 0xffffffff);
    assert_true(out.bools[0] && !out.bools[1] && out.bool_count == 3);
    assert_string_equal(out.words[2], "three");
    assert_true(out.list[0].c == 3.5);
    assert_int_equal(out.vector.count, 2);
    assert_true(out.vector.items[1].c == 1e300);
    assert_null(out.local);
    record_release(&everything_record, &out);
    buf_release(&bytes);
    arena_release(&arena);
}

static void records_that_are_cut_short_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < TYPES; i++) {
        struct buf bytes = BUF_INIT;
        write_random(types[i], 3, &bytes);
        for (size_t length = 0; length < bytes.length; length++)
            assert_false(read_back(types[i], bytes.data, length, NULL, NULL));
        buf_release(&bytes);
    }
}

// The checksum finds every changed byte.
static void records_with_another_byte_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < TYPES; i++) {
        struct buf bytes = BUF_INIT;
        write_random(types[i], 4, &bytes);
        for (size_t at = 0; at < bytes.length; at++)
            for (int bit = 0; bit < 8; bit++) {
                bytes.data[at] ^= (char)(1 << bit);
                assert_false(read_back(types[i], bytes.data, bytes.length, NULL, NULL));
                bytes.data[at] ^= (char)(1 << bit);
            }
        buf_release(&bytes);
    }
}

// Behind the checksum, too: a process that is about to crash may compute it over anything. What
// is accepted must be an object of its type, so that it can be written again.
static void sealed_nonsense_is_refused_or_harmless(void **state)
{
    (void)state;
    static const unsigned char other[] = {0, 1, 2, 0x7f, 0x80, 0xff};
    size_t refused = 0, accepted = 0;
    for (size_t i = 0; i < TYPES; i++) {
        struct buf bytes = BUF_INIT, again = BUF_INIT;
        write_random(types[i], 5, &bytes);
        for (size_t at = 0; at < bytes.length; at++)
            for (size_t k = 0; k < sizeof other; k++) {
                char old = bytes.data[at];
                bytes.data[at] = (char)other[k];
                record_seal(bytes.data, bytes.length);
                buf_clear(&again);
                bool good = read_back(types[i], bytes.data, bytes.length, &again, NULL);
                refused += !good;
                accepted += good;
                if (good) {
                    assert_int_equal(again.length, bytes.length);
                    assert_memory_equal(again.data, bytes.data, bytes.length);
                }
                bytes.data[at] = old;
            }
        buf_release(&bytes);
        buf_release(&again);
    }
    assert_true(refused > 100 && accepted > 100);
}

static void expect_refusal(const struct record_type *type, const struct buf *bytes,
                           const char *words)
{
    struct error err = {0};
    assert_false(read_back(type, bytes->data, bytes->length, NULL, &err));
    if (!strstr(err.text, words))
        fail_msg("'%s' does not say '%s'", err.text, words);
}

static void other_versions_are_refused_with_a_sentence(void **state)
{
    (void)state;
    struct buf bytes = BUF_INIT;
    struct record_type other = everything_record;
    write_random(&everything_record, 6, &bytes);
    other.version = 4;
    expect_refusal(&other, &bytes, "another version of cadenza (version 3, this one reads 4)");
    other.version = 3;
    other.fields++; // one member less
    expect_refusal(&other, &bytes, "another version of cadenza");
    expect_refusal(&pair_record, &bytes, "not a pair");
    bytes.data[4] = 77; // the format
    record_seal(bytes.data, bytes.length);
    expect_refusal(&everything_record, &bytes, "records of format 77, this one reads format 1");
    bytes.data[0] = 'X';
    expect_refusal(&everything_record, &bytes, "not a record of cadenza's");
    buf_release(&bytes);
}

static bool is_below_context(const void *object, const void *context)
{
    return ((const struct pair *)object)->a < *(const uint32_t *)context;
}

static void checks_see_every_object(void **state)
{
    (void)state;
    struct record_type checked = pair_record;
    struct pair pair = {.a = 7};
    struct buf bytes = BUF_INIT;
    struct record_frame frame;
    struct arena arena;
    size_t at = 0;
    checked.check = is_below_context;
    arena_init(&arena);
    record_write(&checked, &pair, &bytes);
    assert_int_equal(record_take(bytes.data, bytes.length, &at, &frame, NULL), RECORD_WHOLE);
    assert_true(record_read(&checked, &frame, &(uint32_t){8}, &arena, &pair, NULL));
    assert_false(record_read(&checked, &frame, &(uint32_t){7}, &arena, &pair, NULL));
    assert_int_equal(pair.a, 0);
    buf_release(&bytes);
    arena_release(&arena);
}

static void files_are_read_whole_or_not_at_all(void **state)
{
    (void)state;
    char path[] = "/tmp/cadenza-record-XXXXXX";
    struct pair in = {1, 2, 3}, out;
    struct buf bytes = BUF_INIT;
    struct error err = {0};
    struct arena arena;
    close(mkstemp(path));
    arena_init(&arena);
    assert_true(record_save(&pair_record, &in, path, &err));
    assert_true(record_load(&pair_record, path, NULL, &arena, &out, &err));
    assert_int_equal(out.b, 2);
    assert_true(fs_read(path, &bytes, &err));
    assert_true(fs_write(path, bytes.data, bytes.length - 1, &err));
    assert_false(record_load(&pair_record, path, NULL, &arena, &out, &err));
    assert_non_null(strstr(err.text, "the pair is cut short"));
    buf_putc(&bytes, 'x');
    assert_true(fs_write(path, bytes.data, bytes.length, &err));
    assert_false(record_load(&pair_record, path, NULL, &arena, &out, &err));
    assert_non_null(strstr(err.text, "followed by other bytes"));
    remove(path);
    assert_false(record_load(&pair_record, path, NULL, &arena, &out, &err));
    buf_release(&bytes);
    arena_release(&arena);
}

int test_record(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_name_every_member),
        cmocka_unit_test(random_objects_come_back),
        cmocka_unit_test(members_come_back_as_they_were),
        cmocka_unit_test(records_that_are_cut_short_are_refused),
        cmocka_unit_test(records_with_another_byte_are_refused),
        cmocka_unit_test(sealed_nonsense_is_refused_or_harmless),
        cmocka_unit_test(other_versions_are_refused_with_a_sentence),
        cmocka_unit_test(checks_see_every_object),
        cmocka_unit_test(files_are_read_whole_or_not_at_all),
    };
    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
