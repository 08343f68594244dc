// SPDX-License-Identifier: Apache-2.0
// Golden drivers by behaviour (tests/e2e/test_drivers.sh): pointers and memory. A TEST
// block is a test file for the generated driver; the task ends with exit() and a number
// made from what has arrived, which the clean build must report. All inputs must be used.
#include <stdlib.h>
#include <string.h>
#define ANSWER(value) exit((value) & 255)

struct node { struct node *next, *prev; int value; };
struct single { char c; struct single *next; };
struct point { int x, y; };
struct box { char tag; double side; };
struct packet { unsigned char length; unsigned short words[]; };
struct text { char *bytes; unsigned length; };
struct stack { int *start, *end, *top; };
union word { unsigned char raw; struct { unsigned char low : 3, high : 5; } bits; };

// TEST scalars: exit 66
// input arg:c | char | -3
// input arg:u | unsigned short | 60000
// input arg:d | double | 0x1.4p+2
// input arg:w.bits.low | unsigned:3 | 5
// input arg:w.bits.high | unsigned:5 | 2
void scalars(char c, unsigned short u, double d, union word w)
{
    if (c == -3 && u == 60000 && d == 5.0 && w.bits.low == 5)
        ANSWER(64 + w.bits.high);
}

// TEST depth: exit 45
// input shape:arg:s | shape | present
// input arg:s->c | char | 1
// input shape:arg:s->next | shape | present
// input arg:s->next->c | char | 2
// input shape:arg:s->next->next | shape | present
// input arg:s->next->next->c | char | 4
// input shape:arg:s->next->next->next | shape | present
// input arg:s->next->next->next->c | char | 8
// input shape:arg:s->next->next->next->next | shape | present
// input arg:s->next->next->next->next->c | char | 30
// TEST depth: exit 1
// input shape:arg:s | shape | present
// input arg:s->c | char | 1
// TEST depth: exit 200
void depth(struct single *s)
{
    int sum = 0;
    if (!s)
        ANSWER(200);
    for (; s; s = s->next) // the fifth node is the last: --depth 4
        sum += s->c;
    ANSWER(sum);
}

// TEST same_object: exit 9
// input shape:arg:a | shape | present
// input arg:a->x | int | 8
// input choice:arg:b | choice | 1
// TEST same_object: exit 8
// input shape:arg:a | shape | present
// input arg:a->x | int | 8
// input shape:arg:b | shape | present
void same_object(struct point *a, struct point *b)
{
    if (!a || !b)
        return;
    b->x++;
    ANSWER(a->x);
}

// TEST links: exit 1
// input shape:arg:n | shape | present
// input choice:arg:n->next | choice | 1
// TEST links: exit 4
// input shape:arg:n | shape | present
// input shape:arg:n->next | shape | present
// input choice:arg:n->prev | choice | 2
// TEST links: exit 2
// input shape:arg:n | shape | present
// input shape:arg:n->next | shape | present
// input choice:arg:n->next->prev | choice | 1
void links(struct node *n)
{
    if (!n || !n->next)
        return;
    ANSWER((n->next == n) | (n->next->prev == n) << 1 | (n->next != n && n->prev == n->next) << 2);
}

// TEST typed: exit 77
// input shape:arg:p | shape | present
// input arg:p->y | int | 77
void typed(void *p)
{
    struct point *q = p;
    if (q)
        ANSWER(q->y);
}

// TEST two_types: exit 21
// input choice:arg:p | choice | 0
// input shape:arg:p:struct_point | shape | present
// input arg:p:struct_point->y | int | 21
// input arg:which | int | 1
// TEST two_types: exit 98
// input choice:arg:p | choice | 1
// input shape:arg:p:struct_box | shape | present
// input arg:p:struct_box->tag | char | 98
// input arg:which | int | 2
void two_types(void *p, int which)
{
    if (!p)
        return;
    if (which == 1)
        ANSWER(((struct point *)p)->y);
    if (which == 2)
        ANSWER(((struct box *)p)->tag);
}

// TEST sum: exit 60
// input shape:arg:v | shape | present
// input arg:v[0..9] | int | 10 20 30 40 0 0 0 0 0 0
// input choice:arg:n | choice | 3
void sum(const int *v, int n)
{
    int s = 0;
    if (!v)
        return;
    for (int i = 0; i < n; i++)
        s += v[i];
    ANSWER(s);
}

// TEST walk: exit 2
// input shape:arg:p | shape | present
// input arg:p[0..9] | char | 59 1 59 1 59 0 0 0 0 0
// input choice:arg:end | choice | 4
void walk(const char *p, const char *end)
{
    int n = 0;
    if (!p)
        return;
    while (p < end)
        n += *p++ == ';';
    ANSWER(n);
}

// TEST string: exit 10
// input shape:arg:s | shape | present
// input arg:s[0..9] | char | 97 97 97 97 97 97 97 97 97 97
// TEST string: exit 3
// input shape:arg:s | shape | present
// input arg:s[0..9] | char | 97 98 99 0 101 0 0 0 0 0
void string(const char *s)
{
    if (s)
        ANSWER(strlen(s));
}

// TEST flexible: exit 9
// input shape:arg:p | shape | present
// input arg:p->length | unsigned char | 2
// input arg:p->words[0..9] | unsigned short | 7 8 9 0 0 0 0 0 0 0
void flexible(struct packet *p)
{
    if (p && p->length < 10)
        ANSWER(p->words[p->length]);
}

struct port;
struct port *port_open(int number);
// TEST opaque: exit 31
// input shape:arg:p | shape | present
// input make1:arg:number | int | 31
static int opened;
struct port *port_new(int number)
{
    opened = number;
    return (struct port *)&opened;
}
void opaque(struct port *p)
{
    if (p)
        ANSWER(opened);
}

// TEST indirect: exit 12
// input shape:arg:to | shape | present
// input shape:arg:to[0] | shape | present
// input arg:to[0]->x | int | 12
void indirect(struct point **to)
{
    if (to && *to)
        ANSWER((*to)->x);
}

// TEST members: exit 122
// input shape:arg:t | shape | present
// input shape:arg:t->bytes | shape | present
// input arg:t->bytes[0..9] | char | 120 121 122 123 0 0 0 0 0 0
// input choice:arg:t->length | choice | 3
void members(const struct text *t)
{
    if (t && t->bytes && t->length)
        ANSWER(t->bytes[t->length - 1]);
}

const int fixed_limit = 17;
static const unsigned char curve[4] = {1, 2, 40, 8};
// TEST constants: exit 57
// input arg:i | unsigned | 2
void constants(unsigned i)
{
    if (i < 4)
        ANSWER(fixed_limit + curve[i]);
}

int global_value;
static struct point *global_points;
// TEST globals: exit 30
// input global_value | int | 10
// input shape:global_points | shape | present
// input global_points->y | int | 20
void globals(void)
{
    if (global_points)
        ANSWER(global_value + global_points->y);
}

// TEST top: exit 33
// input shape:arg:s->start | shape | present
// input shape:arg:s | shape | present
// input arg:s->start[0..9] | int | 33 0 0 0 0 0 0 0 0 0
// input choice:arg:s->start:used | choice | 1
void top(struct stack *s)
{
    if (s && s->start && s->top > s->start && s->top < s->end)
        ANSWER(s->top[-1]);
}

// A list has no length, whatever the number behind it is called.
struct link {
    struct link *next;
    int key;
};
// TEST nth: exit 71
// input shape:arg:list | shape | present
// input arg:list->key | int | 71
// input arg:n | int | 5000
void nth(const struct link *list, int n)
{
    if (list && n == 5000)
        ANSWER(list->key);
}

// Statics that nothing changes keep what they start with; the others are inputs.
struct entry {
    const char *name;
    int code;
};
static struct entry entries[] = {{"a", 3}, {"b", 4}};
static int grid[2][2] = {{1, 2}, {3, 30}};
static int handed_out = 5, stepped = 5;
static int *const to_handed_out = &handed_out;
// TEST fixed: exit 73
// input handed_out | int | 20
// input stepped | int | 15
void fixed(void)
{
    const struct entry *first = &entries[0];
    stepped++;
    ANSWER(first->code + entries[1].code + grid[1][1] + *to_handed_out + stepped);
}
