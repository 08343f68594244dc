// SPDX-License-Identifier: Apache-2.0
// The models of getopt and getopt_long against the C library's, on random command lines:
// the same results, arguments and order of words.
#define _GNU_SOURCE 1
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The model brings its own variables; here both are needed.
#define optarg    model_optarg
#define optind    model_optind
#define opterr    model_opterr
#define optopt    model_optopt
#define czrt_loss test_loss
#include "../../runtime/models/getopt.c"
#undef optarg
#undef optind
#undef opterr
#undef optopt
#undef czrt_loss

void test_loss(unsigned loss)
{
    (void)loss;
}

enum { WORDS = 6, ROUNDS = 20000 };

static uint64_t state;

static unsigned pick(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % below;
}

static int flag;
static const struct option words[] = {{"all", no_argument, NULL, 'a'},
                                      {"also", no_argument, NULL, 'A'},
                                      {"big", required_argument, NULL, 'b'},
                                      {"bit", optional_argument, NULL, 'B'},
                                      {"cut", no_argument, &flag, 7},
                                      {"cutter", required_argument, NULL, 'C'},
                                      {NULL, 0, NULL, 0}};

static const char *random_word(void)
{
    static const char *const some[] = {
        "-a",      "-b",   "x",        "-bx",     "-ab",  "-c",    "-d",     "--",    "-",
        "--all",   "--al", "--big",    "--big=3", "--bi", "--bit", "--bit=", "--cut", "--cu",
        "--no",    "-q",   "--cutt=1", "--all=1", "-abc", "-all",  "-cut",   "-W",    "all",
        "-Wbig=2", "",     "-:",       "yy",      "-dz",  "-bit=5"};
    return some[pick(sizeof some / sizeof *some)];
}

typedef int call(int argc, char **argv, int *index);

struct lines {
    char *real[WORDS + 2], *model[WORDS + 2];
    int argc;
};

static void make_lines(struct lines *lines)
{
    lines->argc = 1 + (int)pick(WORDS + 1);
    memset(lines->real, 0, sizeof lines->real);
    for (int i = 0; i < lines->argc; i++)
        lines->real[i] = (char *)(i ? random_word() : "program");
    memcpy(lines->model, lines->real, sizeof lines->model);
}

// Both see the same words; a result that points into a word must be the same place.
static void compare(const char *letters, const struct option *longs, int only)
{
    struct lines lines;
    make_lines(&lines);
    opterr = 0;
    optind = model_optind = 0;
    for (int turn = 0; turn < 2 * WORDS; turn++) {
        int real_index = -5, model_index = -5, real_flag, model_flag;
        flag = 0;
        int real = only    ? getopt_long_only(lines.argc, lines.real, letters, longs, &real_index)
                   : longs ? getopt_long(lines.argc, lines.real, letters, longs, &real_index)
                           : getopt(lines.argc, lines.real, letters);
        real_flag = flag;
        flag = 0;
        int model =
            only    ? czm_getopt_long_only(lines.argc, lines.model, letters, longs, &model_index)
            : longs ? czm_getopt_long(lines.argc, lines.model, letters, longs, &model_index)
                    : czm_getopt(lines.argc, lines.model, letters);
        model_flag = flag;
        assert_int_equal(real, model);
        assert_int_equal(optind, model_optind);
        assert_ptr_equal(optarg, model_optarg);
        assert_int_equal(real_index, model_index);
        assert_int_equal(real_flag, model_flag);
        if (real == '?')
            assert_int_equal(optopt, model_optopt);
        assert_memory_equal(lines.real, lines.model, sizeof lines.real);
        if (real == -1)
            break;
    }
}

static void options_are_those_of_the_c_library(void **test)
{
    (void)test;
    static const char *const letters[] = {"ab:cd::", "+ab:cd::", "-ab:cd::", ":ab:c", "abW;", ""};
    state = 1;
    for (int i = 0; i < ROUNDS; i++) {
        const char *some = letters[pick(sizeof letters / sizeof *letters)];
        unsigned kind = pick(3);
        compare(some, kind ? words : NULL, kind == 2);
    }
}

int test_getopt(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(options_are_those_of_the_c_library)};
    return cmocka_run_group_tests_name("getopt", tests, NULL, NULL);
}
