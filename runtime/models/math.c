// SPDX-License-Identifier: Apache-2.0
// Functions of <math.h> that the expressions know, or that follow from those: the
// compiler's elementwise builtins are always intrinsics, whatever errno demands.
#include <errno.h>
#include <stdint.h>

double czm_fabs(double x)
{
    return __builtin_fabs(x);
}

float czm_fabsf(float x)
{
    return __builtin_fabsf(x);
}

double czm_floor(double x)
{
    return __builtin_elementwise_floor(x);
}

float czm_floorf(float x)
{
    return __builtin_elementwise_floor(x);
}

double czm_ceil(double x)
{
    return __builtin_elementwise_ceil(x);
}

float czm_ceilf(float x)
{
    return __builtin_elementwise_ceil(x);
}

double czm_trunc(double x)
{
    return __builtin_elementwise_trunc(x);
}

float czm_truncf(float x)
{
    return __builtin_elementwise_trunc(x);
}

double czm_sqrt(double x)
{
    if (x < 0)
        errno = EDOM;
    return __builtin_elementwise_sqrt(x);
}

float czm_sqrtf(float x)
{
    if (x < 0)
        errno = EDOM;
    return __builtin_elementwise_sqrt(x);
}

double czm_copysign(double x, double y)
{
    union {
        double value;
        uint64_t bits;
    } a = {x}, b = {y};
    a.bits = (a.bits & ~(1ull << 63)) | (b.bits & 1ull << 63);
    return a.value;
}

float czm_copysignf(float x, float y)
{
    union {
        float value;
        uint32_t bits;
    } a = {x}, b = {y};
    a.bits = (a.bits & ~(1u << 31)) | (b.bits & 1u << 31);
    return a.value;
}

// Halves away from zero. The difference of x and its whole part is exact.
double czm_round(double x)
{
    double whole = __builtin_elementwise_trunc(x);
    if (__builtin_fabs(x - whole) >= 0.5)
        whole += x < 0 ? -1.0 : 1.0;
    return czm_copysign(whole, x);
}

float czm_roundf(float x)
{
    float whole = __builtin_elementwise_trunc(x);
    if (__builtin_fabsf(x - whole) >= 0.5f)
        whole += x < 0 ? -1.0f : 1.0f;
    return czm_copysignf(whole, x);
}

long czm_lround(double x)
{
    return (long)czm_round(x);
}

long czm_lroundf(float x)
{
    return (long)czm_roundf(x);
}

long long czm_llround(double x)
{
    return (long long)czm_round(x);
}

static int signals(double x)
{
    union {
        double value;
        uint64_t bits;
    } a = {x};
    return x != x && !(a.bits & 1ull << 51);
}

static int signals_f(float x)
{
    union {
        float value;
        uint32_t bits;
    } a = {x};
    return x != x && !(a.bits & 1u << 22);
}

// A NaN loses against a number, unless it is a signalling one: the result is then a NaN.
double czm_fmin(double x, double y)
{
    if (signals(x) || signals(y))
        return x + y;
    return x != x ? y : y != y ? x : x < y ? x : y;
}

double czm_fmax(double x, double y)
{
    if (signals(x) || signals(y))
        return x + y;
    return x != x ? y : y != y ? x : x > y ? x : y;
}

float czm_fminf(float x, float y)
{
    if (signals_f(x) || signals_f(y))
        return x + y;
    return x != x ? y : y != y ? x : x < y ? x : y;
}

float czm_fmaxf(float x, float y)
{
    if (signals_f(x) || signals_f(y))
        return x + y;
    return x != x ? y : y != y ? x : x > y ? x : y;
}

int czm___isnan(double x)
{
    return x != x;
}

int czm___isnanf(float x)
{
    return x != x;
}

int czm_isnan(double x)
{
    return x != x;
}

static int infinity_sign(double x)
{
    return x > 1.7976931348623157e308 ? 1 : x < -1.7976931348623157e308 ? -1 : 0;
}

double czm_fdim(double x, double y)
{
    double difference = x <= y ? 0 : x - y;
    if (infinity_sign(difference) && !infinity_sign(x) && !infinity_sign(y))
        errno = ERANGE;
    return difference;
}

int czm___isinf(double x)
{
    return infinity_sign(x);
}

int czm___isinff(float x)
{
    return infinity_sign(x);
}

int czm_isinf(double x)
{
    return infinity_sign(x);
}

int czm_finite(double x)
{
    return x == x && infinity_sign(x) == 0;
}

int czm___finite(double x)
{
    return czm_finite(x);
}

int czm___finitef(float x)
{
    return czm_finite(x);
}
