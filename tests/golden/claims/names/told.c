/* SPDX-License-Identifier: Apache-2.0 */
/* Here the code says what belongs together, and no name does. Lengths fit their buffers, so
   nothing goes wrong. */
#include <stddef.h>

int sums(const int *a, int b)
{
    int sum = 0;
    for (int i = 0; i < b; i++)
        sum += a[i];
    return sum;
}

int steps(const unsigned char *a, unsigned b)
{
    int sum = 0;
    while (b--)
        sum += *a++;
    return sum > 3;
}

int fours(const unsigned char *a, unsigned b)
{
    int sum = 0;
    for (; b >= 4; b -= 4, a += 4)
        sum += a[0] + a[3];
    return sum > 3;
}

int runs(const int *a, const int *b)
{
    int sum = 0;
    if (!a || !b)
        return 0;
    for (; a != b; a++)
        sum += *a;
    return sum > 3;
}

int inner(const int *a, int b)
{
    int changes = 0;
    for (int i = 1; a && i + 1 < b; i++)
        changes += a[i - 1] != a[i + 1];
    return changes > 1;
}
