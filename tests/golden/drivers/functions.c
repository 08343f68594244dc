// SPDX-License-Identifier: Apache-2.0
// Golden drivers by behaviour (see memory.c): which function a pointer holds, and where its
// candidates come from.
#include <stdlib.h>
#define ANSWER(value) exit((value) & 255)

typedef int (*op)(int);
struct ops { int id; op run; };
static int add_one(int x) { return x + 1; }
static int twice(int x) { return 2 * x; }
static int minus(int x) { return 100 - x; }
static int hundred(int x) { (void)x; return 100; }

op assigned;
void choose(int on) { assigned = on ? add_one : twice; }
// TEST by_assignment: exit 6
// input choice:assigned | choice | 0
// input arg:x | int | 5
// TEST by_assignment: exit 10
// input choice:assigned | choice | 1
// input arg:x | int | 5
void by_assignment(int x) { ANSWER(assigned(x)); }

op initial = minus;
// TEST by_initialiser: exit 93
// input arg:x | int | 7
void by_initialiser(int x) { ANSWER(initial(x)); }

// TEST by_argument: exit 8
// input choice:arg:f | choice | 0
// input arg:x | int | 4
// TEST by_argument: exit 96
// input choice:arg:f | choice | 1
// input arg:x | int | 4
void by_argument(op f, int x) { ANSWER(f(x)); }
void calls_it(int x) { by_argument(x ? twice : minus, x); }

static struct ops table[2] = {{1, add_one}, {.id = 2, .run = hundred}};
// TEST by_table: exit 42
// input shape:arg:o | shape | present
// input arg:o->id | int | 0
// input choice:arg:o->run | choice | 0
// input arg:x | int | 41
// TEST by_table: exit 100
// input shape:arg:o | shape | present
// input choice:arg:o->run | choice | 1
void by_table(struct ops *o, int x) { if (o) ANSWER(o->run(x)); }
int in_use(void) { return table[0].id; }

extern short (*tested)(char);
short any(char c);
short other(char c) { return c; }
// TEST by_null: exit 55
// input choice:tested | choice | 0
// TEST by_null: exit 9
// input choice:tested | choice | 1
// input stub:tested#1:return | short | 9
void by_null(void) { if (!tested) ANSWER(55); ANSWER(tested(3)); }

extern long (*same_type)(long, long);
static long plus(long a, long b) { return a + b; }
static long times(long a, long b) { return a * b; }
void *addresses(int i) { return i ? (void *)plus : (void *)times; }
// TEST by_signature: exit 7
// input choice:same_type | choice | 0
// TEST by_signature: exit 12
// input choice:same_type | choice | 1
void by_signature(void) { ANSWER(same_type(3, 4)); }
