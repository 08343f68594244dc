// SPDX-License-Identifier: Apache-2.0
// The functions that unit.c has stubs of, and its constants.
#include "api.h"
#include <stdlib.h>
int g_mode;
struct cfg g_cfg;
struct node *g_list;
static struct node pool[4];
static void deeper(struct cfg *c) { c->level = 3; }
void update(void) { g_mode = 7; }
int get(int *out) { if (out) *out = 99; return 1; }
void move(struct pt *p) { p->y = 3; p->b = 1; }
int read_block(char *buf, unsigned n) { for (unsigned i = 0; i < n; i++) buf[i] = 1; return n; }
void fill(char *buf) { for (int i = 0; i < 4; i++) buf[i] = 1; }
void far(void) { deeper(&g_cfg); }
void walk(struct node *n) { if (n->next) n->next->v = 77; }
void each(void (*f)(int, void *), void *context) { for (int i = 0; i < 20; i++) f(i, context); }
int add(int a, int b) { return a + b; }
void fatal(int code) { exit(code); }
void insert(void) { pool[0].next = g_list; g_list = &pool[0]; }
void *get_memory(unsigned n) { return n ? malloc(n) : 0; }
static int hidden(int x) { g_mode = x; return 1; }
int exported(int x) { return x; }
const struct cfg calibration = {40, 2};
const struct entry entries[2] = {{5, hidden, "hidden"}, {6, exported, "exported"}};
struct node *later(struct node *n) { return n->v > 7 ? n : n->v > 3 ? n->next : g_list; }
