// SPDX-License-Identifier: Apache-2.0
// Two tasks that need a solver, one that does not.
int classify(int a, int b)
{
    if (a * b == 391 && a > b)
        return 1;
    if (a > 10)
        return 2;
    return 0;
}
int other(unsigned x)
{
    if (x % 7 == 3)
        return 1;
    return x > 5;
}
int plain(int x)
{
    return x / 2;
}
