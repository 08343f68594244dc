// SPDX-License-Identifier: Apache-2.0
// A bit-field that shares its bytes with a char, after Figure 3 of the MAESTRO paper.
// The branch depends on one bit of the parameter, by way of the union. (b7 is a signed
// bit-field of one bit, so set it reads as -1; the paper's "== 1" could never hold.)
struct ST {
    int b0 : 1;
    int b1 : 1;
    int b2 : 1;
    int b3 : 1;
    int b4 : 1;
    int b5 : 1;
    int b6 : 1;
    int b7 : 1;
};

union U {
    struct ST s;
    char c;
};

int f(char c)
{
    union U u;

    u.c = c;
    if (u.s.b7 == -1)
        return 1;
    return 0;
}

// The same union as an input.
int g(union U *u)
{
    if (!u)
        return -1;
    if (u->s.b0 && !u->s.b1 && u->c != 1)
        return 1;
    return 0;
}
