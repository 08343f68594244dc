// SPDX-License-Identifier: Apache-2.0
// Pointers that are numbers, and pointers with a tag in their low bits.
#include <stdint.h>

struct item { struct item *next; int value; };
#define NOTHING ((struct item *)1)
#define DELETED ((void *)-2)
typedef void (*handler)(int);
extern struct item *make_item(int);
extern void *raw_item(void);
struct item *slot;

int failed(void *p) { if (p == (void *)-1) return -1; return 0; }
int low_bit(struct item *p) { if ((uintptr_t)p & 1) return 1; return 0; }
int one(struct item *p) { if (p == NOTHING) return 1; return 0; }
int deleted(void *p) { if (p == DELETED) return 2; if (!p) return 0; return 1; }
int untagged(struct item *p) { if (!p) return 0; uintptr_t bits = (uintptr_t)p; if (bits & 2) { struct item *q = (struct item *)(bits & ~(uintptr_t)3); if (q->value == 42) return 1; return 2; } return 3; }
int tag_value(const void *p) { switch ((uintptr_t)p & 7) { case 0: return 0; case 3: return 1; case 5: return 2; default: return 3; } }
int is_error(const void *p) { if ((unsigned long)p >= (unsigned long)-4095) return 1; return 0; }
int small_number(const void *p) { if ((uintptr_t)p < 4096) { if (p) return 1; return 0; } return 2; }
int error_code(const void *p) { if ((unsigned long)p >= (unsigned long)-4095) { if ((long)p == -12) return 12; return 1; } return 0; }
int as_number(void *p) { int id = (int)(intptr_t)p; if (id == 1234) return 1; return 0; }
struct link { struct link *next; int value; };
#define LAST ((struct link *)1)
int list_end(struct link *p) { int n = 0; for (; p && p != NOTHING; p = p->next) if (++n > 2) return -1; if (p == NOTHING && n == 2) return 2; return 0; }
int field_number(struct item *p) { if (!p) return 0; if (p->next == (struct item *)-1) return 1; return 0; }
int global_number(void) { if (slot == NOTHING) return 1; return 0; }
int stub_number(int x) { struct item *p = make_item(x); if (p == NOTHING) return 1; return 0; }
int stub_failed(void) { void *p = raw_item(); if (p == (void *)-1) return 1; return 0; }
int handler_number(handler h) { if (h == (handler)1) return 1; if (h) h(2); return 0; }
static int is_nothing(const struct item *p) { return p == NOTHING; }
int by_callee(struct item *p) { if (is_nothing(p)) return 1; return 0; }
int aligned(const char *p) { if (((uintptr_t)p & 3) == 0) return 0; if (((uintptr_t)p & 3) == 2) return 2; return 1; }
int rem(const char *p) { if ((uintptr_t)p % 4 == 3) return 1; return 0; }
