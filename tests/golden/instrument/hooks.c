// SPDX-License-Identifier: Apache-2.0
// Wrapped conditions and switches: goals, vectors and records. The branch numbers are
// those of hooks_program() in tests/unit/test_instrument.c.
//
// EXPECT: 7
// EXPECT: hits 0F 0T 1F 1T 2T 3F 4T 6T
// EXPECT: vector 0 5/7
// EXPECT: vector 0 3/3
// EXPECT: vector 0 0/1
// EXPECT: cond 0 1 (sgt1 in0 3)
// EXPECT: cond 1 0 (eq1 in4 9)
// EXPECT: cond 2 1 (ne1 in0 in4)
// EXPECT: cond 1 1 (slt1 in4 100)
// EXPECT: cond 3 0 (eq1 in0 77)
// EXPECT: cond 3 0 (sgt1 (add32 in0 in4) 100)
// EXPECT: switch 0 4 (and32 in0 7)
// EXPECT: switch 0 6 (and32 in4 7)
// EXPECT: branch 0 (eq1 in4 2000)
#include <stdio.h>

_Bool __cz_cond(unsigned id, _Bool value);
int __cz_switch_i(unsigned id, int value);
void cz_test_input(void *p, unsigned long n);
void cz_test_dump(void);

struct pair { int a, b; } in = {5, 8};

static int classify(int v)
{
    switch (__cz_switch_i(0, v)) {
    case 5: return 1;
    case 6 ... 7: return 2;
    default: return 3;
    }
}

int main(void)
{
    int sum = 0;
    cz_test_input(&in.a, 4);
    cz_test_input(&in.b, 4);
    // decision 0: (0 && (1 || 2)), evaluated twice with other operands
    if (__cz_cond(0, (in.a > 3) != 0) && (__cz_cond(1, (in.b == 9) != 0) || __cz_cond(2, (in.a != in.b) != 0)))
        sum += 1;
    while (__cz_cond(0, (sum < 2) != 0) && (__cz_cond(1, (in.b < 100) != 0) || __cz_cond(2, 0 != 0)))
        sum += 2;
    _Bool kept = __cz_cond(3, (in.a == 77) != 0);
    sum += kept ? 100 : 0;
    if (!__cz_cond(3, (in.a + in.b > 100) != 0))
        sum += classify(in.a & 7) + classify(in.b & 7) - 1;
    sum += in.b == 2000 ? 50 : 1; // no hook: by site
    printf("%d\n", sum);
    cz_test_dump();
    return 0;
}
