// SPDX-License-Identifier: Apache-2.0
// Golden drivers by behaviour (see memory.c): what stubs of another file's functions
// return and write, its constants, and its functions in pointers.
#include "api.h"
#include <stdlib.h>
#define ANSWER(value) exit((value) & 255)

// TEST by_result: exit 4
// input stub:add#1:return | int | 4
void by_result(void) { ANSWER(add(1, 1)); }

// TEST by_global: exit 7
// input stub:update#1:g_mode | int | 7
void by_global(void) { g_mode = 1; update(); ANSWER(g_mode); }

// TEST by_parameter: exit 99
// input stub:get#1:return | int | 0
// input stub:get#1:*out | int | 99
void by_parameter(void) { int v = 0; get(&v); ANSWER(v); }

// TEST each_call: exit 21
// input stub:get#1:*out | int | 2
// input stub:get#2:*out | int | 1
void each_call(void) { int a = 0, b = 0; get(&a); get(&b); ANSWER(10 * a + b); }

// TEST by_member: exit 173
// input stub:move#1:p->y | int | 70
// input stub:move#1:p->b | unsigned:5 | 3
void by_member(void) { struct pt p = {100, 1, 2, 1}; move(&p); ANSWER(p.x + p.y + p.b); }

// TEST by_length: exit 5
// input stub:read_block#1:buf[0] | char | 1
// input stub:read_block#1:buf[1] | char | 2
// input stub:read_block#1:buf[2] | char | 2
void by_length(void) { char b[4] = {0, 0, 0, 0}; read_block(b, 3); ANSWER(b[0] + b[1] + b[2] + b[3]); }

// TEST by_size: exit 9
// input stub:fill#1:buf[0] | char | 4
// input stub:fill#1:buf[3] | char | 5
void by_size(void) { char b[4] = {0}; fill(b); ANSWER(b[0] + b[3]); }

// TEST transitive: exit 35
// input stub:far#1:g_cfg.level | int | 30
void transitive(void) { g_cfg.level = 1; g_cfg.other = 5; far(); ANSWER(g_cfg.level + g_cfg.other); }

// TEST behind: exit 78
// input stub:walk#1:n->next->v | int | 77
void behind(void) { struct node b = {0, 0}, a = {1, &b}; walk(&a); ANSWER(a.v + b.v); }

static int seen;
static void mark(int v, void *context) { if (context == &seen) seen = v; }
// TEST callback: exit 12
// input choice:stub:each#1:f:calls | choice | 1
// input stub:each#1:f[0] | int | 12
// TEST callback: exit 0
// input choice:stub:each#1:f:calls | choice | 0
void callback(void) { seen = 0; each(mark, &seen); ANSWER(seen); }

// TEST ends: ok
// input arg:x | int | 3
// TEST ends: exit 2
// input arg:x | int | 2
void ends(int x) { if (x == 3) fatal(1); ANSWER(x); }

// TEST pointer_written: exit 4
// input choice:stub:insert#1:g_list:written | choice | 1
// input shape:stub:insert#1:g_list | shape | present
// input stub:insert#1:g_list->v | int | 4
// TEST pointer_written: exit 1
// input choice:stub:insert#1:g_list:written | choice | 0
void pointer_written(void) { struct node n = {1, 0}; g_list = &n; insert(); if (g_list) ANSWER(g_list->v); }

// TEST memory: exit 17
// input arg:n | unsigned | 17
void memory(unsigned n)
{
    char *p = n < 100 ? get_memory(n + 1) : 0;
    if (p) {
        p[n] = (char)n;
        ANSWER(p[n]);
    }
}

// TEST constant: exit 42
void constant(void) { ANSWER(calibration.level + calibration.other); }

// TEST table: exit 65
// input arg:i | unsigned | 0
// input stub:hidden#1:return | int | 60
// TEST table: exit 36
// input arg:i | unsigned | 1
// input stub:exported#1:return | int | 30
void table(unsigned i) { if (i < 2) ANSWER(entries[i].id + entries[i].run(1)); }

// What it returns: nothing, something new, its argument, what is behind that, a global.
// TEST returned: exit 1
// TEST returned: exit 2
// input shape:stub:later#1:return | shape | present
// TEST returned: exit 3
// input choice:stub:later#1:return | choice | 1
// TEST returned: exit 4
// input choice:stub:later#1:return | choice | 2
// TEST returned: exit 5
// input choice:stub:later#1:return | choice | 3
void returned(void)
{
    struct node second = {2, 0}, first = {1, &second}, other = {3, 0};
    g_list = &other;
    struct node *got = later(&first);
    ANSWER(!got ? 1 : got == &first ? 3 : got == &second ? 4 : got == &other ? 5 : 2);
}
