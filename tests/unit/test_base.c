// SPDX-License-Identifier: Apache-2.0
// The base library: maps, buffers, JSON both ways, files, processes, errors.
#include "base/arena.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/map.h"
#include "base/proc.h"
#include "base/rng.h"
#include "base/vec.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void map_keeps_what_was_put(void **state)
{
    (void)state;
    struct map map;
    map_init(&map);
    for (uint64_t i = 0; i < 5000; i++)
        map_put(&map, i * 7919, i);
    map_put(&map, 7919, 42);
    uint64_t value;
    assert_true(map_get(&map, 7919, &value));
    assert_int_equal(value, 42);
    assert_true(map_get(&map, 4999 * 7919, &value));
    assert_int_equal(value, 4999);
    assert_false(map_get(&map, 3, &value));
    map_release(&map);
}

static void text_map_compares_texts(void **state)
{
    (void)state;
    struct map map;
    map_init(&map);
    char key[32];
    for (int i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "name%d", i);
        map_put_text(&map, key, (uint64_t)i);
    }
    uint64_t value;
    assert_true(map_get_text(&map, "name999", &value));
    assert_int_equal(value, 999);
    assert_false(map_get_text(&map, "name1000", &value));
    map_release(&map);
}

static void arena_memory_is_zero_and_aligned(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        unsigned char *memory = arena_alloc(&arena, size);
        assert_int_equal((uintptr_t)memory % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(memory[i], 0);
        memset(memory, 0xff, size);
    }
    assert_string_equal(arena_printf(&arena, "%d-%s", 7, "x"), "7-x");
    arena_release(&arena);
}

static void json_round_trip(void **state)
{
    (void)state;
    struct buf out = BUF_INIT;
    struct json_writer w;
    json_begin(&w, &out, true);
    json_open(&w, NULL, '{');
    json_text(&w, "text", "a \"quoted\"\n\ttext \x01");
    json_int(&w, "number", -12345678901);
    json_bool(&w, "yes", true);
    json_open(&w, "list", '[');
    json_int(&w, NULL, 1);
    json_real(&w, NULL, 0.5);
    json_close(&w, ']');
    json_open(&w, "empty", '{');
    json_close(&w, '}');
    json_close(&w, '}');
    struct arena arena;
    arena_init(&arena);
    struct error err = {0};
    const struct json *root = json_parse(&arena, out.data, out.length, &err);
    assert_non_null(root);
    assert_string_equal(json_member(root, "text")->text, "a \"quoted\"\n\ttext \x01");
    assert_int_equal(json_member(root, "number")->integer, -12345678901);
    assert_true(json_member(root, "yes")->boolean);
    assert_int_equal(json_member(root, "list")->count, 2);
    assert_int_equal(json_member(root, "empty")->count, 0);
    assert_null(json_member(root, "absent"));
    arena_release(&arena);
    buf_release(&out);
}

static void numbers_beyond_any_integer_are_the_nearest(void **state)
{
    (void)state;
    static const char text[] = "[1e999, -1e999, 9.5, 1e18]";
    struct arena arena;
    arena_init(&arena);
    struct error err = {0};
    const struct json *root = json_parse(&arena, text, strlen(text), &err);
    assert_non_null(root);
    static const int64_t expected[] = {INT64_MAX, INT64_MIN, 9, 1000000000000000000};
    for (size_t i = 0; i < 4; i++)
        assert_true(root->items[i]->integer == expected[i]);
    arena_release(&arena);
}

static void malformed_json_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",       "{",     "[1,]", "{\"a\" 1}",
                                      "\"open", "[1] 2", "nul",  "{1:2}"};
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error err = {0};
        assert_null(json_parse(&arena, bad[i], strlen(bad[i]), &err));
        assert_non_null(strstr(err.text, "malformed JSON"));
    }
    char *deep = malloc(100001);
    memset(deep, '[', 100000);
    deep[100000] = '\0';
    struct error err = {0};
    assert_null(json_parse(&arena, deep, 100000, &err));
    free(deep);
    arena_release(&arena);
}

static void files_are_replaced_whole(void **state)
{
    (void)state;
    char directory[] = "/tmp/cadenza-base.XXXXXX";
    assert_non_null(mkdtemp(directory));
    char path[256];
    snprintf(path, sizeof path, "%s/a/b/file", directory);
    struct error err = {0};
    assert_false(fs_write(path, "x", 1, &err)); // its directory is not there
    assert_non_null(strstr(err.text, path));
    snprintf(path, sizeof path, "%s/a/b", directory);
    assert_true(fs_make_dirs(path, &err));
    snprintf(path, sizeof path, "%s/a/b/file", directory);
    assert_true(fs_write(path, "first", 5, &err));
    assert_true(fs_write(path, "second", 6, &err));
    struct buf text = BUF_INIT;
    assert_true(fs_read(path, &text, &err));
    assert_string_equal(text.data, "second");
    buf_release(&text);
    assert_true(fs_remove_tree(directory, &err));
    assert_false(fs_exists(directory));
    assert_true(fs_remove_tree(directory, &err)); // nothing there is fine
}

static void processes_report_how_they_ended(void **state)
{
    (void)state;
    struct buf out = BUF_INIT, errors = BUF_INIT;
    struct proc_options options = {
        .out = &out, .errors = &errors, .env = (const char *const[]){"GREETING=hello", NULL}};
    struct proc_result result;
    struct error err = {0};
    const char *const say[] = {"sh", "-c", "echo $GREETING; echo bad >&2; exit 3", NULL};
    assert_true(proc_run(say, &options, &result, &err));
    assert_true(result.exited);
    assert_int_equal(result.exit_code, 3);
    assert_string_equal(out.data, "hello\n");
    assert_string_equal(errors.data, "bad\n");
    const char *const die[] = {"sh", "-c", "kill -9 $$", NULL};
    assert_true(proc_run(die, NULL, &result, &err));
    assert_false(result.exited);
    assert_int_equal(result.signal, 9);
    const char *const absent[] = {"no-such-program-here", NULL};
    assert_false(proc_run(absent, NULL, &result, &err));
    assert_non_null(strstr(err.text, "no-such-program-here"));
    options.timeout_seconds = 1;
    const char *const endless[] = {"sleep", "1000", NULL};
    assert_true(proc_run(endless, &options, &result, &err));
    assert_true(result.timed_out);
    buf_release(&out);
    buf_release(&errors);
}

static void errors_gather_context(void **state)
{
    (void)state;
    struct error err = {0};
    errno = ENOENT;
    assert_false(error_errno(&err, "cannot read %s", "x"));
    assert_false(error_context(&err, "replaying test %d", 17));
    assert_string_equal(err.text, "replaying test 17: cannot read x: No such file or directory");
    assert_false(error_set(NULL, ERROR_IO, "nobody listens"));
}

static void random_numbers_are_in_range_and_seeded(void **state)
{
    (void)state;
    struct rng a = {7}, b = {7};
    bool seen[10] = {0};
    for (int i = 0; i < 1000; i++) {
        uint64_t x = rng_below(&a, 10);
        assert_int_equal(x, rng_below(&b, 10));
        assert_true(x < 10);
        seen[x] = true;
    }
    for (int i = 0; i < 10; i++)
        assert_true(seen[i]);
}

int test_base(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_keeps_what_was_put),
        cmocka_unit_test(text_map_compares_texts),
        cmocka_unit_test(arena_memory_is_zero_and_aligned),
        cmocka_unit_test(json_round_trip),
        cmocka_unit_test(numbers_beyond_any_integer_are_the_nearest),
        cmocka_unit_test(malformed_json_is_refused),
        cmocka_unit_test(files_are_replaced_whole),
        cmocka_unit_test(processes_report_how_they_ended),
        cmocka_unit_test(errors_gather_context),
        cmocka_unit_test(random_numbers_are_in_range_and_seeded),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
