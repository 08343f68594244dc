// SPDX-License-Identifier: Apache-2.0
// Switches: every promoted type, ranges, fall-through, implicit and explicit
// defaults, nesting, labels inside blocks (Duff), constant and logical conditions.
#include <stdio.h>

enum level { LOW, HIGH = 5 };
enum sign { MINUS = -1, PLUS = 1 };
struct bits { unsigned low : 3; };

int plain(int a) { switch (a) { case 1: return 10; case 2: case 3: return 20; default: break; } return 0; }
int ranges(int a) { switch (a) { case -5 ... -1: return 1; case 2 ... 4 : return 2; case 7: return 3; } return 0; }
int middle_default(int a) { int r = 0; switch (a) { case 0: r++; default : r += 2; case 1: r += 4; } return r; }
int characters(char c) { switch (c) { case ':': return 1; case '\'': return 2; case ';': return 3; } return 0; }
int small(unsigned char c) { switch (c) { case 0x80 ... 0xff: return 1; case 3: return 2; } return 0; }
int unsigned_value(unsigned u) { switch (u) { case 0xffffffffu: return 1; case 2: return 2; } return 0; }
int wide(long l) { switch (l) { case -1L: return 1; case 1L << 40: return 2; } return 0; }
int unsigned_wide(unsigned long l) { switch (l) { case ~0ul: return 1; case 3: return 2; } return 0; }
int longest(long long l) { switch (l) { case 1: return 1; } return 0; }
int unsigned_longest(unsigned long long l) { switch (l) { case 1: return 1; } return 0; }
int levels(enum level l) { switch (l) { case LOW: return 1; case HIGH: return 2; } return 0; }
int signs(enum sign s) { switch (s) { case MINUS: return 1; case PLUS: return 2; default: return 3; } }
int truth(_Bool b) { switch (b) { case 0: return 1; case 1: return 2; } return 3; }
int bit_field(struct bits b) { switch (b.low) { case 7: return 1; case 0: return 2; } return 3; }
int logical(int a, int b) { switch (a && b) { case 0: return 4; case 1: return 5; } return 0; }
int constant(void) { switch (3) { case 3: return 4; case 4: return 5; } switch (sizeof(int)) { case 4: return 1; default: return 2; } }
int labels(int a) { switch (a) { case (1 && 1): return 3; case 2 ? 7 : 8: return 4; } return 0; }
int nested(int a, int b)
{
    switch (a) {
    case 1:
        switch (b) {
        case 1: return 1;
        default: break;
        }
        break;
    case 2: {
        int c = a && b;
        if (c) {
    case 3:
            return 5;
        }
        switch (b ? a : b) { case 2: return 6; }
    }
    }
    return 0;
}
int duff(int n)
{
    int done = 0, rounds = (n + 3) / 4;
    if (n <= 0) return 0;
    switch (n % 4) {
    case 0: do { done++;
    case 3:      done++;
    case 2:      done++;
    case 1:      done++;
            } while (--rounds > 0);
    }
    return done;
}
int empty(int a) { switch (a) { } switch (a++) ; switch (a) default: a += 2; switch (a) case 4: a++; return a; }

int main(void)
{
    for (int a = -6; a < 9; a++) {
        printf("%d %d %d %d %d ", plain(a), ranges(a), middle_default(a), characters((char)(a + ':')),
               small((unsigned char)a));
        printf("%d %d %d %d %d ", unsigned_value((unsigned)a), wide(a), unsigned_wide((unsigned long)a),
               longest(a), unsigned_longest((unsigned long long)a));
        printf("%d %d %d %d ", levels((enum level)a), signs((enum sign)a), truth(a != 0),
               bit_field((struct bits){(unsigned)a & 7}));
        printf("%d %d %d %d %d %d %d\n", logical(a, a - 1), constant(), labels(a), nested(a, a & 1),
               nested(a, 2), duff(a), empty(a));
    }
    printf("%d\n", wide(1L << 40));
    return 3;
}
