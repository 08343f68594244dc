// SPDX-License-Identifier: Apache-2.0
// Statements with conditions: loops with empty parts, do, else-if chains, goto,
// ?: in all forms (GNU ?: keeps its value), statement expressions, dead code.
#include <stdio.h>

static int effects;
static int next(int x) { effects++; return x - 1; }

struct bits { unsigned low : 3; int high : 4; };
enum colour { RED, GREEN, BLUE };
struct opaque;

int loops(int a, int b)
{
    int n = 0;
    while (1) { if (a++ > 3) break; }
    do { b--; } while (0);
    do { a--; n++; } while (a > 0 && b);
    for (;;) { if (b++ > 4) break; }
    for (int i = 0, j = 5; i < a && j; i++, j--) n += i;
    for (; a < 3;) a++;
    for (n = n + 1;; n++) if (n > 9) break;
    for (int i = 0; ; i++) { if (i == 3) break; if (i == 1) continue; n++; }
    for (; n-- > 2; ) ;
    for (char c = ';'; c == ';' || c == ')'; c = (char)(c == ';' ? ')' : 0)) n += c;
    while (a < 10 && ({ int t = a; if (t > 5) t = 0; t; })) a++;
    while(1&&1) { if (a-- < 3) break; }
    return n + a + b;
}
int chain(int a, int b)
{
    if (a == 1 || b == 1) return 1;
    else if (a == 2 && b == 2) return 2;
    else if (a) { if (b) return 3; else return 4; }
    else return 5;
}
int ternary(int a, int b, int c)
{
    int x = a ? b : c, y = (a && b) ? next(1) : next(2), z = a > b ? 1 : b > c ? 2 : 3;
    if (a ? b : c) x++;
    if ((a ? b : c) && a) y++;
    return x + 10 * y + 100 * z;
}
int elvis(int a, int b)
{
    int x = a ?: b, y = next(a) ?: next(b), z = (a && b) ?: (a || b) ?: -1;
    if (a ?: b) x += 100;
    if ((a ?: b) && b) x += 200;
    x += (a ? : next(b)) + (a ?
                                : b);
    return x + 3 * y + 7 * z + (({ a; }) ?: ({ b ? 1 : 2; }));
}
int elvis_types(int a, int b)
{
    struct bits s = {(unsigned)a, b};
    enum colour colour = (enum colour)(a % 3);
    double d = a - 1.0, e = d ?: 0.5;
    char text[] = "x", *p = a ? text : 0, *q = p ?: text + 1;
    struct opaque *o = (struct opaque *)p, *o2 = o ?: (struct opaque *)text;
    int (*f)(int) = a ? next : 0, (*g)(int) = f ?: next;
    unsigned char small = (unsigned char)a;
    long long wide = (long long)a << 40;
    return (int)(s.low ?: 9) + (s.high ?: 5) + (int)(colour ?: BLUE) + (int)(e * 2) + *q +
           (o2 == (struct opaque *)text) + g(4) + (small ?: 7) + (int)((wide ?: 3) >> 20) +
           (int)sizeof(small ?: small) + (text ?: "y")[0];
}
int statement_expression(int a, int b)
{
    if (({ int z = a; if (z > 1) z = 0; z; }) && b) return 1;
    return ({ int r = 0; for (int i = 0; i < b; i++) r += i && a; r; }) ? 2 : 3;
}
int jumps(int a)
{
    int n = 0;
again:
    if (a-- > 0 && n < 10) { n++; goto again; }
    if (n) goto out;
    n = -1;
out:
    return n;
    if (a) return 7;
    while (a) a--;
    return a && n;
}
int variable_arrays(int a, int b)
{
    int v[(a > 0 && b > 0) ? a : 1];
    typedef int row[a ? a : 2];
    row r[b ?: 1];
    int (*p)[a || b ? 3 : 1] = 0;
    return (int)(sizeof v + sizeof(row) + sizeof r + sizeof *p + sizeof(int[a && b ? 2 : 1]));
}
int recursive(int n) { return n > 1 && (n & 1) ? recursive(n - 1) + 1 : n ? recursive(n / 2) : 0; }
int assembly(int a, int b)
{
    int r = 0;
    __asm__ volatile("" : "+r"(r) : "r"(a && b));
    return r;
}

int main(void)
{
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 3; b++)
            printf("%d %d %d %d %d %d %d %d %d %d %d\n", loops(a, b), chain(a, b),
                   ternary(a, b, a - b), elvis(a, b), elvis_types(a, b), statement_expression(a, b),
                   jumps(a), variable_arrays(a, b), recursive(a * 10 + b), assembly(a, b), effects);
}
