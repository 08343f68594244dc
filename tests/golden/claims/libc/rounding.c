// SPDX-License-Identifier: Apache-2.0
// The floating-point environment that the caller has left.
#include <fenv.h>
#include <math.h>

int exceptions(void)
{
    if (fetestexcept(FE_DIVBYZERO) != 0)
        return 1;
    return 0;
}

int rounding(void)
{
    if (fegetround() == FE_UPWARD)
        return 1;
    return 0;
}

int rounded(double x)
{
    if (fegetround() == FE_TONEAREST)
        return 0;
    if (x + 1e-20 != x)
        return 1;
    return 0;
}

int nearest_integer(void)
{
    volatile double half = 2.5;
    if (rint(half) == 3)
        return 1;
    return 0;
}

int folded(double x)
{
    if (fesetround(FE_UPWARD) != 0)
        return -1;
    volatile double one = 1;
    double tiny = 1e-20;
    if (1 + tiny > 1) // of constants
        return one + x > 2;
    return 0;
}
