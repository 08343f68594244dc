// SPDX-License-Identifier: Apache-2.0
// Decisions of all shapes, for comparing our MC/DC with llvm-cov's.
#define BOTH(a, b) ((a) && (b))

int flat(int a, int b, int c, int d)
{
    int r = 0;
    if (a && b)
        r |= 1;
    if (a || b)
        r |= 2;
    if ((a && b) || (c && d))
        r |= 4;
    if ((a || b) && (c || d))
        r |= 8;
    if (a && (b || (c && d)))
        r |= 16;
    if (!(a && !b) || !c)
        r |= 32;
    if (a > 3 && a < 10 && b != c)
        r |= 64;
    return r;
}

int values(int a, int b, int c)
{
    int x = a && b, y = !(a || c);
    int z = (a && b) ? c : b;
    int w = BOTH(a, c) || b;
    return x + 2 * y + (z > 5 || w) + (x && y ? 4 : 0);
}

int loops(int n, int m)
{
    int i = 0;
    while (i < 8 && n > 0) {
        n -= 2;
        i++;
    }
    do
        m--;
    while (m > 0 && m < 5);
    for (; i > 0 && m; i--)
        m /= 2;
    return i;
}

// A decision inside the condition of another one.
int nested(int a, int b, int c)
{
    if ((a && b ? c > 1 : c > 2) && b < 7)
        return 1;
    return 0;
}

// Each frame has its own vector.
int recursive(int n, int k)
{
    if (n > 0 && recursive(n - 1, k) > k)
        return n;
    return n > 4 || k < 0 ? 0 : 5;
}

int coupled(int a, int b, int c, int x)
{
    int r = 0;
    if (x > 5 && x > 3)
        r |= 1;
    if ((a && b) || (!a && c))
        r |= 2;
    if (x == 1 || x == 2 || x == 3)
        r |= 4;
    return r;
}
// Constants are not evaluated; the others are shown past them.
enum { OFF = 0, ON = 1 };
int constants(int a, int b, int c)
{
    int r = 0;
    if (ON && !a && b && c < 3)
        r = 1;
    for (int i = 0; i < 3; i++)
        if ((a > i && ON) || (OFF && b) || (b > i && c))
            r += 4;
    if (a == 5 && (ON || b == 2) && c == 3)
        r += 8;
    return a && b && ON ? r : c || OFF;
}

// clang records no vectors of a || b here.
int forgotten(int a, int b, int c)
{
    return (a > 5 || b > 5 ? c > 1 : c > 2) ? constants(a, b, c) : -c;
}
