// Pointers that are read at an index that is an input: what is behind them is tried too.
struct obj { int state; };
struct node { struct node *next; int value; };
struct pair { int kind; struct obj *o; };
extern struct obj *table[3];
static struct obj *own[3];
extern struct obj *grid[2][2];
extern struct pair pairs[3];
extern struct node *chains[2];

void set_own(int i, struct obj *o) { if (i >= 0 && i < 3) own[i] = o; }

int from_extern(unsigned char id)
{
    if (id >= 3)
        return -1;
    struct obj *o = table[id];
    if (o == 0)
        return -2;
    if (o->state == 1)
        return 1;
    return 0;
}

int from_static(unsigned char id)
{
    if (id >= 3)
        return -1;
    struct obj *o = own[id];
    if (!o)
        return -2;
    return o->state == 2 ? 1 : 0;
}

int from_parameter(struct obj **list, unsigned char id)
{
    if (!list || id >= 4)
        return -1;
    struct obj *o = list[id];
    if (!o)
        return -2;
    if (o->state == 3)
        return 1;
    return 0;
}

int from_members(unsigned char id)
{
    if (id >= 3)
        return -1;
    if (!pairs[id].o)
        return -2;
    if (pairs[id].kind == 4 && pairs[id].o->state == 5)
        return 1;
    return 0;
}

int from_grid(unsigned char i, unsigned char j)
{
    if (i >= 2 || j >= 2)
        return -1;
    struct obj *o = grid[i][j];
    if (!o)
        return -2;
    if (o->state == 6)
        return 1;
    return 0;
}

int same_as(unsigned char i, unsigned char j)
{
    if (i >= 3 || j >= 3 || i == j)
        return -1;
    if (table[i] && table[i] == table[j])
        return 1;
    return 0;
}

// Behind the bound --depth there may be more.
int deep(unsigned char i)
{
    struct node *n = chains[i & 1];
    struct node *c[2] = { n ? n->next : 0, n ? n->next : 0 };
    struct node *m = c[i & 1];
    if (m == 0)
        return 0;
    struct node *d[2] = { m->next, m->next };
    if (d[i & 1])
        return 2;
    return 1;
}

// More than a READ covers: the address is pinned.
extern struct obj *large[600];
int from_large(unsigned short id)
{
    if (id >= 600)
        return -1;
    struct obj *o = large[id];
    if (o == 0)
        return -2;
    if (o->state == 7)
        return 1;
    return 0;
}

void *memcpy(void *, const void *, unsigned long);
int copied(unsigned char id)
{
    struct obj *o;
    if (id >= 3)
        return -1;
    memcpy(&o, &table[id], sizeof o);
    if (o == 0)
        return -2;
    if (o->state == 8)
        return 1;
    return 0;
}

int stored(unsigned char id, struct obj *p)
{
    struct obj *slots[4] = { 0, 0, 0, 0 };
    if (id >= 4)
        return -1;
    slots[id] = p;
    if (slots[2] == 0)
        return -2;
    if (slots[2]->state == 9)
        return 1;
    return 0;
}

int switched(unsigned char id)
{
    if (id >= 3)
        return -1;
    switch (table[id] != 0 ? table[id]->state : 100) {
    case 1:
        return 1;
    case 100:
        return 2;
    default:
        return 0;
    }
}

// More objects than the bound --depth 2 gives: values tell them apart.
int behind_the_bound(struct node *n, unsigned char i)
{
    if (!n || n->value != 1 || !n->next || n->next->value != 2)
        return 0;
    n = n->next;
    if (!n->next || n->next->value != 3)
        return 0;
    struct node *c[2] = { n->next->next, n->next->next };
    struct node *fourth = c[i & 1];
    if (fourth && fourth->value == 4)
        return 2;
    return 1;
}
