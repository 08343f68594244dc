// SPDX-License-Identifier: Apache-2.0
// One fault per number on the command line; FAULT comments name what the runtime must say.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct list { int value; struct list *next; };
static int global_array[10];
static char text[16];
int zero;

static int read_at(const int *p, int i) { return p[i]; }

int main(int argc, char **argv)
{
    int which = argc > 1 ? atoi(argv[1]) : 0, local[4] = {1, 2, 3, 4};
    volatile int index = which, minimum = INT_MIN;
    struct list *none = which ? NULL : malloc(sizeof *none);
    switch (which) {
    case 1: return none->next->value;              // FAULT 1: NULL or wild pointer
    case 2: return global_array[index + 8];        // FAULT 2: out of bounds
    case 3: return read_at(local, index + 1);      // FAULT 3: out of bounds
    case 4: return 100 / zero;                     // FAULT 4: division by zero
    case 5: return minimum / (zero - 1);           // FAULT 5: quotient out of range
    case 6: local[index] = 1; return local[0];     // FAULT 6: out of bounds
    case 7: memset(text, 0, (size_t)index + 10); return 0; // FAULT 7: out of bounds
    case 8: __builtin_unreachable();               // FAULT 8: unreachable code was reached
    case 9: { int *p = malloc(8); return p[index - 7]; } // FAULT 9: out of bounds
    case 10: read_at(NULL, index); return 0;       // FAULT 10: NULL or wild pointer
    case 11: return read_at(&global_array[9], 1);  // FAULT 11: out of bounds
    default: return read_at(local, 3) + read_at(global_array, 9) - 4; // no fault
    }
}
