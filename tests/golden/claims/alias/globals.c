// SPDX-License-Identifier: Apache-2.0
// Parameters that point to variables of the file, and variables that point to variables.
struct pair { int first; int second; };
struct box { int id; struct pair inner; int cells[3]; };
struct node { struct node *next; int value; };

int gv;
int other;
static int hidden;
int table[6];
static int private_table[4];
struct box g;
static struct node nil;
struct node *head_of_list;
int *gp;
void *self = &self;
struct node ring = {&ring, 0};
static char pool[64];
static const int fallback = 7;
unsigned counter;

int same_global(int *p) { if (p == &gv) return 1; return 0; }
int written_global(int *p) { if (!p) return 0; gv = 3; *p = 4; if (gv == 4) return 1; return 0; }
int read_global(const int *p) { if (!p) return 0; int before = *p; gv = before + 1; if (*p != before) return 1; return 0; }
int static_global(int *p) { if (p != &hidden) return 0; hidden = 2; return 1; }
int const_global(const int *p) { if (p == &fallback) return 1; return *p; }
int one_element(int *p) { if (p == &table[3]) return 1; return 0; }
int inside_table(int *p) { if (p >= table && p < table + 6) return (int)(p - table); return -1; }
int index_of(int *p) { if (p < private_table || p >= private_table + 4) return -1; if (p - private_table == 2) return 1; return 0; }
int written_table(int *p, int i) { if (!p || i < 0 || i > 5) return 0; table[i] = 1; *p = 2; if (table[i] == 2) return 1; return 0; }
int one_member(int *p) { if (p == &g.inner.second) return 1; return 0; }
int member_cell(int *p) { if (p == &g.cells[2]) return 1; return 0; }
int inner_record(struct pair *p) { if (p == &g.inner) return 1; return 0; }
int written_member(int *p) { if (!p) return 0; g.id = 3; *p = 4; if (g.id == 4) return 1; return 0; }
static void clear(int *p) { *p = 0; }
int written_by_callee(int *p) { if (!p) return 0; gv = 3; clear(p); if (gv == 0) return 1; return 0; }
static int is_shared(const int *p) { return p == &other; }
int compared_by_callee(int *p) { int *q = p; if (is_shared(q)) return 1; return 0; }
int sentinel_object(struct node *p) { int n = 0; while (p != &nil) { if (!p || n == 3) return -1; n++; p = p->next; } if (n == 2) return 1; return 0; }
int global_pointer(int *p) { if (p == gp) return 1; return 0; }
int global_pointer_target(void) { if (!gp) return -1; if (gp == &gv) return 1; gv = 3; *gp = 4; if (other == 4) return 2; return 0; }
int points_to_itself(void) { if (self == &self) return 1; return 0; }
int ring_is_empty(void) { if (ring.next == &ring) return 1; return 0; }
int list_ends(void) { if (head_of_list == &ring) return 1; return 0; }
int owns(const void *p) { if ((const char *)p >= pool && (const char *)p < pool + 64) return 1; return 0; }
int owns_record(const struct pair *p) { if ((const char *)p < pool || (const char *)p >= pool + sizeof pool) return 0; if ((const char *)p - pool == 8) return 2; return 1; }
int other_sign(int *p) { if (!p) return 0; counter = 3; *p = 4; if (counter == 4) return 1; return 0; }
int two_at_once(int *p, int *q) { if (p == &gv) { if (q == &other) return 2; return 1; } return 0; }
