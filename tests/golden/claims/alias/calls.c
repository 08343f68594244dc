// SPDX-License-Identifier: Apache-2.0
// Calls in place: parameters that share or overlap each other's objects.
#include <stddef.h>

struct rec { int tag; int count; char name[8]; };
struct node { struct node *next; int value; };
struct view { int *p; int n; };
struct tree { struct tree *left, *right; int key; };

int char_over_record(const char *src, struct rec *dst) { if (!src || !dst) return 0; dst->tag = 0x41; if (src[0] == 0x42) return 2; dst->tag = 0x42; if (src[0] == 0x42) return 1; return 0; }
int bytes_over_record(struct rec *dst, const unsigned char *src, size_t n) { if (!src || !dst || n < 6) return 0; unsigned char before = src[5]; dst->count = 0x01020304; if (src[5] != before) return 1; return 0; }
int void_over_record(void *raw, struct rec *r) { if (raw == r) return 1; return 0; }
int member_out(struct rec *s, int *out) { if (!s || !out) return 0; s->count = 1; *out = 2; if (s->count == 2) return 1; return 0; }
int member_first(int *out, const struct rec *s) { if (!s || !out) return 0; int before = s->tag; *out = before + 1; if (s->tag != before) return 1; return 0; }
int member_compared(struct rec *s, const int *p) { if (!s) return 0; if (p == &s->count) return 1; return 0; }
int name_of(struct rec *s, char *text) { if (!s || !text) return 0; if (text == s->name) return 1; return 0; }
int held(int **pp, int *q) { if (!pp) return 0; if (*pp == q) return 1; return 0; }
int held_record(struct node **pp, struct node *q) { if (!pp || !q) return 0; if (*pp == q) return 1; return 0; }
int next_is(struct node *p, struct node *q) { if (!p || !q) return 0; if (p->next == q) return 1; return 0; }
int next_is_earlier(struct node *q, struct node *p) { if (!p || !q) return 0; if (p->next == q) return 1; return 0; }
int views(struct view x, struct view y) { if (!x.p) return 0; if (x.p == y.p) return 1; return 0; }
int views_written(struct view x, struct view y) { if (!x.p || !y.p) return 0; *x.p = 1; *y.p = 2; if (*x.p == 2) return 1; return 0; }
int elements(struct node *a[4], unsigned i, unsigned j) { if (i >= 4 || j >= 4 || i == j || !a || !a[i]) return 0; if (a[i] == a[j]) return 1; return 0; }
int int_elements(int *a[4], unsigned i, unsigned j) { if (i >= 4 || j >= 4 || i == j || !a || !a[i]) return 0; if (a[i] == a[j]) return 1; return 0; }
static struct tree *roots[3];
int global_elements(unsigned i, unsigned j) { if (i >= 3 || j >= 3 || i == j || !roots[i]) return 0; if (roots[i] == roots[j]) return 1; return 0; }
void plant(unsigned i, struct tree *t) { if (i < 3) roots[i] = t; }
int holds(unsigned i, struct tree *t) { if (i >= 3 || !t) return 0; if (roots[i] == t) return 1; return 0; }
int in_front(char *dst, const char *src, size_t n) { if (!dst || !src) return 0; if (dst < src) { for (size_t i = 0; i < n; i++) dst[i] = src[i]; return 1; } if (dst > src && dst < src + n) { for (size_t i = n; i-- > 0;) dst[i] = src[i]; return 2; } return 0; }
int behind(const char *src, char *dst, size_t n) { if (!dst || !src) return 0; if (dst < src && src < dst + n) return 1; if (src < dst && dst < src + n) return 2; return 0; }
int overlap(int *dst, const int *src, int n) { if (!dst || !src || n < 4 || n > 10) return 0; int last = src[3]; for (int i = 0; i < n; i++) dst[i] = src[i]; if (dst[3] != last) return 1; return 0; }
int in_place(char *out, const char *in) { if (!out || !in) return 0; char c = *in; *out = (char)(c + 1); if (*in != c) return 1; return 0; }

// Members behind pointers to const are linked as others are.
struct named { const char *name; char *text; const struct named *next; };
int same_text(const struct named *a, const struct named *b)
{
    if (!a || !b || !a->text)
        return 0;
    if (a->text == b->text)
        return 1;
    return a->next == b ? 2 : 3;
}
