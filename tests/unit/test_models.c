// SPDX-License-Identifier: Apache-2.0
// The libc models against the C library itself, on random strings over a small
// alphabet (so that matches, ties and prefixes happen) and on corner cases.
#define _GNU_SOURCE 1
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Compiled natively here; in a target they are instrumented.
#include "../../runtime/models/ctype.c"
#include "../../runtime/models/math.c"
#include "../../runtime/models/memory.c"
#include "../../runtime/models/number.c"
#include "../../runtime/models/search.c"
#include "../../runtime/models/sort.c"
#include "../../runtime/models/string.c"

#define ROUNDS 20000

#ifndef __has_feature
#define __has_feature(name) 0
#endif

void *czrt_allocate(size_t size)
{
    return malloc(size);
}

double czrt_strtod(const char *text, char **end)
{
    return strtod(text, end);
}

float czrt_strtof(const char *text, char **end)
{
    return strtof(text, end);
}

static uint64_t state;

static unsigned pick(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % below;
}

static void random_text(char *to, unsigned room, const char *alphabet)
{
    unsigned n = pick(room), letters = (unsigned)strlen(alphabet);
    for (unsigned i = 0; i < n; i++)
        to[i] = alphabet[pick(letters)];
    to[n] = 0;
}

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

static void strings_behave_like_libc(void **unused)
{
    (void)unused;
    state = 1;
    for (int round = 0; round < ROUNDS; round++) {
        char a[12], b[12], x[40], y[40];
        random_text(a, 12, "abAB\xe9");
        random_text(b, pick(2) ? 4 : 12, "abAB\xe9");
        size_t n = pick(12);
        int c = "abz\xe9"[pick(5)];
        assert_int_equal(czm_strlen(a), strlen(a));
        assert_int_equal(czm_strnlen(a, n), strnlen(a, n));
        assert_int_equal(sign(czm_strcmp(a, b)), sign(strcmp(a, b)));
        assert_int_equal(sign(czm_strncmp(a, b, n)), sign(strncmp(a, b, n)));
        assert_int_equal(sign(czm_strcasecmp(a, b)), sign(strcasecmp(a, b)));
        assert_int_equal(sign(czm_strncasecmp(a, b, n)), sign(strncasecmp(a, b, n)));
        assert_int_equal(sign(czm_memcmp(a, b, 4)), sign(memcmp(a, b, 4)));
        assert_ptr_equal(czm_strchr(a, c), strchr(a, c));
        assert_ptr_equal(czm_strrchr(a, c), strrchr(a, c));
        assert_ptr_equal(czm_strchrnul(a, c), strchrnul(a, c));
        assert_ptr_equal(czm_memchr(a, c, n), memchr(a, c, n));
        assert_ptr_equal(czm_memrchr(a, c, n), memrchr(a, c, n));
        assert_ptr_equal(czm_strstr(a, b), strstr(a, b));
        assert_ptr_equal(czm_strcasestr(a, b), strcasestr(a, b));
        assert_ptr_equal(czm_memmem(a, strlen(a), b, strlen(b)),
                         memmem(a, strlen(a), b, strlen(b)));
        assert_int_equal(czm_strspn(a, b), strspn(a, b));
        assert_int_equal(czm_strcspn(a, b), strcspn(a, b));
        assert_ptr_equal(czm_strpbrk(a, b), strpbrk(a, b));
        memset(x, '#', sizeof x);
        memset(y, '#', sizeof y);
        assert_int_equal(czm_stpncpy(x, a, n) - x, stpncpy(y, a, n) - y);
        assert_memory_equal(x, y, sizeof x);
        assert_ptr_equal(czm_strcpy(x, a), x);
        strcpy(y, a);
        czm_strncat(x, b, n);
        strncat(y, b, n);
        czm_strcat(x, b);
        strcat(y, b);
        assert_memory_equal(x, y, sizeof x);
        char *copy = czm_strndup(a, n), *real = strndup(a, n);
        assert_string_equal(copy, real);
        free(copy);
        free(real);
    }
}

static void cutting_behaves_like_libc(void **unused)
{
    (void)unused;
    state = 2;
    for (int round = 0; round < ROUNDS / 4; round++) {
        char a[16], x[16], y[16], *rest_x = NULL, *rest_y = NULL;
        random_text(a, 16, "ab,;");
        strcpy(x, a);
        strcpy(y, a);
        char *got = czm_strtok_r(x, ",;", &rest_x), *want = strtok_r(y, ",;", &rest_y);
        for (; got && want;
             got = czm_strtok_r(NULL, ",;", &rest_x), want = strtok_r(NULL, ",;", &rest_y))
            assert_string_equal(got, want);
        assert_true(!got && !want);
        strcpy(x, a);
        strcpy(y, a);
        rest_x = x;
        rest_y = y;
        while ((want = strsep(&rest_y, ",;"))) {
            got = czm_strsep(&rest_x, ",;");
            assert_non_null(got);
            assert_string_equal(got, want);
        }
        assert_null(czm_strsep(&rest_x, ",;"));
    }
}

static void characters_behave_like_libc(void **unused)
{
    (void)unused;
// Through a pointer: compilers know some of these functions and return 1 instead.
#define SAME(name)                                                                                 \
    for (int c = -1; c < 256; c++) {                                                               \
        int (*volatile real)(int) = name;                                                          \
        assert_int_equal(czm_##name(c), real(c));                                                  \
    }
    // clang-format off
    SAME(isupper) SAME(islower) SAME(isalpha) SAME(isdigit) SAME(isxdigit) SAME(isspace)
    SAME(isprint) SAME(isgraph) SAME(isblank) SAME(iscntrl) SAME(isalnum) SAME(ispunct)
    SAME(isascii) SAME(tolower) SAME(toupper)
    // clang-format on
#undef SAME
}

static void check_integers(const char *text, int base)
{
    // With a bad base libc leaves the end alone, but AddressSanitizer's strtol does not.
    bool bad_base = base < 0 || base == 1 || base > 36;
    char *x = NULL, *y = NULL;
    errno = 0;
    long got = czm_strtol(text, &x, base);
    int got_error = errno;
    errno = 0;
    long want = strtol(text, &y, base);
    if (got != want || (x != y && !bad_base) || got_error != errno)
        fail_msg("strtol(\"%s\", %d): %ld, not %ld", text, base, got, want);
    errno = 0;
    unsigned long got_unsigned = czm_strtoul(text, &x, base);
    got_error = errno;
    errno = 0;
    unsigned long want_unsigned = strtoul(text, &y, base);
    if (got_unsigned != want_unsigned || (x != y && !bad_base) || got_error != errno)
        fail_msg("strtoul(\"%s\", %d): %lu, not %lu", text, base, got_unsigned, want_unsigned);
}

static void integers_behave_like_libc(void **unused)
{
    (void)unused;
    static const char *const corners[] = {
        "",
        "-",
        "+",
        "0x",
        "0X",
        "0xg",
        "0x1",
        "-0x",
        " \t\n\v\f\r12",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "-18446744073709551615",
        "08",
        "017z",
        "zz",
        "+-1",
        "99999999999999999999999999",
        "0x7fffffffffffffff",
        "0x8000000000000000",
    };
    static const int bases[] = {0, 10, 16, 8, 2, 36, 1, -1, 37};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++)
        for (size_t b = 0; b < sizeof bases / sizeof *bases; b++)
            check_integers(corners[i], bases[b]);
    state = 3;
    for (int round = 0; round < ROUNDS; round++) {
        char text[24];
        random_text(text, 24, pick(2) ? "0123456789" : " +-0xX19afz");
        check_integers(text, bases[pick(9)]);
        assert_int_equal(czm_atoi(text), atoi(text));
    }
}

static void check_float(const char *text)
{
    char *x = NULL, *y = NULL;
    double got = czm_strtod(text, &x), want = strtod(text, &y);
    if (memcmp(&got, &want, sizeof got) != 0 || x != y)
        fail_msg("strtod(\"%s\"): %a, not %a", text, got, want);
    float narrow = czm_strtof(text, &x), want_narrow = strtof(text, &y);
    if (memcmp(&narrow, &want_narrow, sizeof narrow) != 0 || x != y)
        fail_msg("strtof(\"%s\"): %a, not %a", text, narrow, want_narrow);
}

static void floats_behave_like_libc(void **unused)
{
    (void)unused;
    static const char *const corners[] = {
        "",
        ".",
        "-",
        "1e",
        "1e+",
        "1e-",
        "0x1p3",
        "0x",
        "inf",
        "nan",
        "-0",
        "1.",
        ".5",
        "1e400",
        "1e-400",
        "9007199254740993",
        "123456789012345678901234567890",
        "4.35",
        "1e22",
        "1e23",
        "16777217",
        "1e10",
        "0.1",
        "3.4028236e38",
        "00000000000000000000000000000001",
        "0.00000000000000000000000000000000001",
        "1e0000000000000000000001",
    };
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++)
        check_float(corners[i]);
    state = 4;
    for (int round = 0; round < ROUNDS; round++) {
        char text[20];
        random_text(text, 20, "0123456789.e+-");
        check_float(text);
    }
}

static void rounding_behaves_like_libc(void **unused)
{
    (void)unused;
    state = 5;
    for (int turn = 0; turn < ROUNDS; turn++) {
        double x = ((double)pick(4000) - 2000) / (1 << pick(6)), y = (double)pick(9) - 4;
        if (turn % 50 == 0)
            x = turn % 100 ? NAN : -INFINITY;
        double pairs[][2] = {
            {czm_round(x), round(x)}, {czm_floor(x), floor(x)},
            {czm_ceil(x), ceil(x)},   {czm_trunc(x), trunc(x)},
            {czm_fabs(x), fabs(x)},   {czm_copysign(x, y), copysign(x, y)},
        };
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            assert_true(memcmp(&pairs[i][0], &pairs[i][1], 8) == 0 ||
                        (isnan(pairs[i][0]) && isnan(pairs[i][1])));
        assert_true(czm_fmin(x, y) == fmin(x, y) && czm_fmax(x, y) == fmax(x, y));
    }
}

// Compares only a part, so that ties show whether the order of equals is kept, and
// logs its calls, so that the order of comparisons can be compared.
static char order_log[4096];
static size_t order_length;

static int by_low_digit(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    order_log[order_length++ % sizeof order_log] = (char)(a * 31 + b);
    return a % 4 - b % 4;
}

static void sorting_behaves_like_libc(void **unused)
{
    (void)unused;
    state = 6;
    for (int round = 0; round < ROUNDS / 20; round++) {
        int x[24], y[24], key = (int)pick(100);
        size_t n = pick(25);
        char log[sizeof order_log];
        for (size_t i = 0; i < n; i++)
            x[i] = y[i] = (int)pick(100);
        order_length = 0;
        czm_qsort(x, n, sizeof *x, by_low_digit);
        size_t length = order_length;
        memcpy(log, order_log, length);
        order_length = 0;
        qsort(y, n, sizeof *y, by_low_digit);
        assert_memory_equal(x, y, n * sizeof *x);
#if !__has_feature(address_sanitizer) // whose qsort makes calls of its own
        assert_int_equal(length, order_length);
        assert_memory_equal(log, order_log, length);
#else
        (void)length;
#endif
        assert_ptr_equal(czm_bsearch(&key, x, n, sizeof *x, by_low_digit),
                         bsearch(&key, x, n, sizeof *x, by_low_digit));
    }
}

int test_models(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_behave_like_libc),    cmocka_unit_test(cutting_behaves_like_libc),
        cmocka_unit_test(characters_behave_like_libc), cmocka_unit_test(integers_behave_like_libc),
        cmocka_unit_test(floats_behave_like_libc),     cmocka_unit_test(rounding_behaves_like_libc),
        cmocka_unit_test(sorting_behaves_like_libc),
    };
    return cmocka_run_group_tests_name("models", tests, NULL, NULL);
}
