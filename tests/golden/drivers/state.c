// SPDX-License-Identifier: Apache-2.0
// Golden drivers by behaviour (see memory.c): tasks that keep state, and states that other
// functions of the file set. The call with `stop` answers.
#include <stdlib.h>
#define ANSWER(value) exit((value) & 255)

// TEST own_static: exit 12
// input arg:x | int | 1
// input call2:arg:x | int | 2
// input call2:arg:stop | int | 1
// TEST own_static: exit 123
// input more_calls | unsigned char | 1
// input arg:x | int | 1
// input call2:arg:x | int | 2
// input call3:arg:x | int | 3
// input call3:arg:stop | int | 1
// TEST own_static: ok
// input arg:x | int | 1
// input call2:arg:x | int | 2
void own_static(int x, int stop)
{
    static int digits;
    digits = 10 * digits + x;
    if (stop)
        ANSWER(digits);
}

static int count(void)
{
    static int n;
    return ++n;
}
// TEST callees_static: exit 8
// input more_calls | unsigned char | 6
// input call8:arg:stop | int | 1
void callees_static(int stop)
{
    int n = count();
    if (stop)
        ANSWER(n);
}

// TEST between: exit 54
// input sensor | int | 4
// input arg:stop | int | 0
// input choice:call2:changes | choice | 1
// input call2:sensor | int | 5
// input call2:arg:stop | int | 1
// TEST between: exit 44
// input sensor | int | 4
// input call2:arg:stop | int | 1
int sensor;
void between(int stop)
{
    static int was;
    if (stop)
        ANSWER(10 * sensor + was);
    was = sensor;
}

struct context { int phase; };
// TEST kept: exit 7
// input shape:arg:c | shape | present
// input arg:c->phase | int | 6
// input call2:arg:stop | int | 1
// TEST kept: exit 90
// input shape:arg:c | shape | present
// input arg:c->phase | int | 6
// input choice:call2:arg:c:new | choice | 1
// input shape:call2:arg:c | shape | present
// input call2:arg:c->phase | int | 90
// input call2:arg:stop | int | 1
void kept(struct context *c, int stop)
{
    static int calls;
    calls++;
    if (!c)
        return;
    if (stop)
        ANSWER(c->phase);
    c->phase++;
}

static int mode = 3, limit;
void set_mode(int m) { mode = 2 * m; }
void set_limit(int l, int extra) { limit = l + extra; }
// TEST sequence: exit 3
// input choice:before | choice | 0
// TEST sequence: exit 24
// input choice:before | choice | 1
// input before1:arg:m | int | 12
// TEST sequence: exit 12
// input choice:before | choice | 2
// input before1:arg:l | int | 4
// input before1:arg:extra | int | 5
// TEST sequence: exit 23
// input choice:before | choice | 3
// input before1:arg:m | int | 7
// input before2:arg:l | int | 4
// input before2:arg:extra | int | 5
// TEST sequence: exit 130
// input choice:before | choice | 4
// input mode | int | 100
// input limit | int | 30
void sequence(void) { ANSWER(mode + limit); }

// A pointer to const is no promise where the file casts const away.
static int lent_out = 5;
static void set_through(const int *p) { *(int *)p += 1; }
// TEST away: exit 41
// input lent_out | int | 40
void away(void)
{
    set_through(&lent_out);
    ANSWER(lent_out);
}
