// SPDX-License-Identifier: Apache-2.0
// Numbers from text. Floating point follows Clinger's fast path: digits make an
// integer, an exact power of ten scales it, and one rounding gives the correct
// result, all of which stays symbolic. Text beyond it (many digits, large exponents,
// hexadecimal, inf, nan) goes to the real function, which makes it concrete.
#include "models.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>

double czrt_strtod(const char *text, char **end);
float czrt_strtof(const char *text, char **end);

// Without && and ||: one decision per character.
static int is_space(char c)
{
    return (c == ' ') | ((unsigned)(c - '\t') < 5u);
}

// Is c a digit of the base? One decision for digits, another for letters.
static int take_digit(char c, int base, int *value)
{
    int is_decimal = (unsigned)(c - '0') < (unsigned)(base < 10 ? base : 10);
    if (is_decimal)
        *value = c - '0';
    else if (base > 10 && (unsigned)((c | 32) - 'a') < (unsigned)base - 10)
        *value = (c | 32) - 'a' + 10;
    else
        return 0;
    return 1;
}

// What all strto* integers have in common: space, sign, prefix, digits.
struct number {
    unsigned long long magnitude;
    unsigned long long most; // what so many digits can be worth: saves decisions on overflow
    int negative, overflow, bad_base;
    const char *end;
};

static int is_hex_prefix(const char *at)
{
    int value;
    return at[0] == '0' && (at[1] | 32) == 'x' && take_digit(at[2], 16, &value);
}

// Numbers above `largest` overflow.
static struct number scan_number(const char *text, int base, unsigned long long largest)
{
    struct number number = {.end = text};
    const char *at = text;
    if (base < 0 || base == 1 || base > 36) {
        number.bad_base = 1;
        return number;
    }
    while (is_space(*at))
        at++;
    if (*at == '-' || *at == '+')
        number.negative = *at++ == '-';
    if ((base == 0 || base == 16) && is_hex_prefix(at)) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    const unsigned long long limit = largest / (unsigned)base;
    for (int digit; take_digit(*at, base, &digit); number.end = ++at) {
        unsigned long long most = number.most;
        number.most = most >= limit ? largest : most * (unsigned)base + (unsigned)base - 1;
        if (number.most == largest &&
            (number.magnitude > limit ||
             number.magnitude * (unsigned)base > largest - (unsigned)digit))
            number.overflow = 1;
        number.magnitude = number.magnitude * (unsigned)base + (unsigned)digit;
    }
    return number;
}

static int finish_number(const struct number *number, char **end)
{
    if (number->bad_base) {
        errno = EINVAL;
        return 0;
    }
    if (end)
        *end = (char *)number->end;
    return 1;
}

// Of a type whose greatest value this is.
static long long signed_number(const char *text, char **end, int base, unsigned long long greatest)
{
    struct number number = scan_number(text, base, 2 * greatest + 1);
    if (!finish_number(&number, end))
        return 0;
    unsigned long long most = greatest + (number.negative ? 1 : 0);
    if (number.overflow || (number.most > greatest && number.magnitude > most)) {
        errno = ERANGE;
        return (long long)(number.negative ? -greatest - 1 : greatest);
    }
    return (long long)(number.negative ? -number.magnitude : number.magnitude);
}

static unsigned long long unsigned_number(const char *text, char **end, int base,
                                          unsigned long long greatest)
{
    struct number number = scan_number(text, base, greatest);
    if (!finish_number(&number, end))
        return 0;
    if (number.overflow) {
        errno = ERANGE;
        return greatest;
    }
    return number.negative ? -number.magnitude : number.magnitude;
}

long czm_strtol(const char *text, char **end, int base)
{
    return (long)signed_number(text, end, base, LONG_MAX);
}

unsigned long czm_strtoul(const char *text, char **end, int base)
{
    return (unsigned long)unsigned_number(text, end, base, ULONG_MAX);
}

long long czm_strtoll(const char *text, char **end, int base)
{
    return signed_number(text, end, base, LLONG_MAX);
}

unsigned long long czm_strtoull(const char *text, char **end, int base)
{
    return unsigned_number(text, end, base, ULLONG_MAX);
}

intmax_t czm_strtoimax(const char *text, char **end, int base)
{
    return czm_strtoll(text, end, base);
}

uintmax_t czm_strtoumax(const char *text, char **end, int base)
{
    return czm_strtoull(text, end, base);
}

int czm_atoi(const char *text)
{
    return (int)czm_strtol(text, NULL, 10);
}

long czm_atol(const char *text)
{
    return czm_strtol(text, NULL, 10);
}

long long czm_atoll(const char *text)
{
    return czm_strtoll(text, NULL, 10);
}

// ---- Floating point ----

// Decimal text as mantissa * 10^exponent. Fits: all digits are in the mantissa.
struct decimal {
    unsigned long long mantissa;
    int exponent, negative, fits;
    const char *end; // NULL: no number, or one that is not written in plain decimal
};

static const char *scan_digits(const char *at, struct decimal *decimal, int *count, int scale)
{
    for (; *at >= '0' && *at <= '9'; at++, ++*count) {
        if (decimal->mantissa > (ULLONG_MAX - 9) / 10) {
            decimal->fits = 0;
            continue;
        }
        decimal->mantissa = decimal->mantissa * 10 + (unsigned long long)(*at - '0');
        decimal->exponent -= scale;
    }
    return at;
}

static const char *scan_exponent(const char *at, struct decimal *decimal)
{
    const char *start = at++;
    int negative = 0, value = 0;
    if (*at == '-' || *at == '+')
        negative = *at++ == '-';
    if (*at < '0' || *at > '9')
        return start;
    for (; *at >= '0' && *at <= '9'; at++)
        if (value < 10000)
            value = value * 10 + (*at - '0');
    decimal->exponent += negative ? -value : value;
    return at;
}

static struct decimal scan_decimal(const char *text)
{
    struct decimal decimal = {.fits = 1};
    int digits = 0;
    while (is_space(*text))
        text++;
    if (*text == '-' || *text == '+')
        decimal.negative = *text++ == '-';
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return decimal;
    text = scan_digits(text, &decimal, &digits, 0);
    if (*text == '.')
        text = scan_digits(text + 1, &decimal, &digits, 1);
    if (digits == 0)
        return decimal;
    if (*text == 'e' || *text == 'E')
        text = scan_exponent(text, &decimal);
    decimal.end = text;
    return decimal;
}

double czm_strtod(const char *text, char **end)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    struct decimal decimal = scan_decimal(text);
    if (!decimal.end || !decimal.fits || decimal.mantissa > 1ull << 53 || decimal.exponent < -22 ||
        decimal.exponent > 22)
        return czrt_strtod(text, end);
    double value = (double)decimal.mantissa;
    if (decimal.exponent < 0)
        value /= powers[-decimal.exponent];
    else
        value *= powers[decimal.exponent];
    if (end)
        *end = (char *)decimal.end;
    return decimal.negative ? -value : value;
}

float czm_strtof(const char *text, char **end)
{
    static const float powers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f,
                                   1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
    struct decimal decimal = scan_decimal(text);
    if (!decimal.end || !decimal.fits || decimal.mantissa > 1ull << 24 || decimal.exponent < -10 ||
        decimal.exponent > 10)
        return czrt_strtof(text, end);
    float value = (float)decimal.mantissa;
    if (decimal.exponent < 0)
        value /= powers[-decimal.exponent];
    else
        value *= powers[decimal.exponent];
    if (end)
        *end = (char *)decimal.end;
    return decimal.negative ? -value : value;
}

double czm_atof(const char *text)
{
    return czm_strtod(text, NULL);
}
