// SPDX-License-Identifier: Apache-2.0
// Golden drivers by behaviour (see memory.c): bounds that an input raises, in all the places
// where --elements and --depth decide how much there is.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#define ANSWER(value) exit((value) & 255)

struct single { char c; struct single *next; };
struct point { int x, y; };
struct packet { unsigned char length; unsigned short words[]; };
struct text { char *bytes; unsigned length; };
struct table { struct point *points; unsigned count; };
struct stack { int *start, *end, *top; };

// TEST numbers: exit 79
// input bound:elements | unsigned | 80
// input shape:arg:p | shape | present
// input arg:p[0..79] | int | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 0
// TEST numbers: exit 9
// input shape:arg:p | shape | present
// input arg:p[0..9] | int | 1 2 3 4 5 6 7 8 9 0
void numbers(int *p)
{
    int last = 0;
    if (!p)
        return;
    while (*p)
        last = *p++;
    ANSWER(last);
}

// TEST characters: exit 80
// input bound:elements | unsigned | 80
// input shape:arg:s | shape | present
// input arg:s[0..79] | char | 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65
// TEST characters: exit 10
// input shape:arg:s | shape | present
// input arg:s[0..9] | char | 65 65 65 65 65 65 65 65 65 65
void characters(const char *s)
{
    if (s)
        ANSWER(strlen(s));
}

// no more than --most-elements
// TEST capped: exit 200
// input bound:elements | unsigned | 4000000000
// input shape:arg:s | shape | present
// input arg:s[0..255] | char | 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 65 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// and no less than --elements
// TEST capped: exit 10
// input bound:elements | unsigned | 3
// input shape:arg:s | shape | present
// input arg:s[0..9] | char | 65 65 65 65 65 65 65 65 65 65
void capped(const char *s)
{
    if (s)
        ANSWER(strlen(s));
}

// a length goes as far as its buffer
// TEST lengths: exit 61
// input bound:elements | unsigned | 80
// input shape:arg:p | shape | present
// input arg:p[0..79] | int | 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// input choice:arg:n | choice | 60
// TEST lengths: exit 4
// input shape:arg:p | shape | present
// input arg:p[0..9] | int | 0 0 1 0 0 0 0 0 0 0
// input choice:arg:n | choice | 3
void lengths(const int *p, unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; p && i < n; i++)
        sum += (unsigned)p[i];
    ANSWER(n + sum);
}

// records, and records in records
// TEST records: exit 33
// input bound:elements | unsigned | 20
// input shape:arg:p | shape | present
// input arg:p[19].x | int | 30
// input arg:p[19].y | int | 3
void records(struct point *p, int i)
{
    if (p)
        ANSWER(p[19 + i].x + p[19 + i].y);
}

// TEST nested: exit 25
// input bound:elements | unsigned | 30
// input shape:arg:t | shape | present
// input shape:arg:t->points | shape | present
// input arg:t->points[24].x | int | 1
// input choice:arg:t->count | choice | 25
void nested(struct table *t)
{
    int sum = 0;
    if (!t || !t->points)
        return;
    for (unsigned i = 0; i < t->count; i++)
        sum += t->points[i].x;
    ANSWER(sum + 24);
}

// TEST member: exit 70
// input bound:elements | unsigned | 64
// input shape:arg:t.bytes | shape | present
// input arg:t.bytes[0..63] | char | 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 7 0
// input choice:arg:t.length | choice | 63
void member(struct text t)
{
    int sum = 0;
    for (unsigned i = 0; t.bytes && i < t.length; i++)
        sum += t.bytes[i];
    ANSWER(sum + (int)t.length);
}

// TEST flexible: exit 9
// input bound:elements | unsigned | 40
// input shape:arg:p | shape | present
// input arg:p->words[0..39] | unsigned short | 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 9
void flexible(struct packet *p)
{
    if (p)
        ANSWER(p->words[39]);
}

// TEST group: exit 50
// input bound:elements | unsigned | 50
// input shape:arg:s->start | shape | present
// input shape:arg:s | shape | present
// input choice:arg:s->start:used | choice | 2
void group(struct stack *s)
{
    if (s && s->start && s->top < s->end)
        *s->top++ = 1;
    if (s && s->start && s->top == s->end)
        ANSWER(s->end - s->start);
}

// TEST arguments: exit 6
// input bound:elements | unsigned | 12
// input arg:list[0][0..11] | unsigned long | 0 0 0 0 0 0 0 0 0 0 0 6
void arguments(va_list list)
{
    long last = 0;
    for (int i = 0; i < 12; i++)
        last = va_arg(list, long);
    ANSWER(last);
}

// an array that has a size keeps it
// TEST sized: exit 12
// input bound:elements | unsigned | 80
// input shape:arg:a | shape | present
// input arg:a[0..3] | int | 0 0 0 5
// input shape:arg:s | shape | present
// input arg:s[0..79] | char | 65 65 65 65 65 65 65 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
void sized(int a[4], const char *s)
{
    if (a && s)
        ANSWER(a[3] + (int)strlen(s));
}

// TEST depth: exit 28
// input bound:depth | unsigned | 6
// input shape:arg:s | shape | present
// input arg:s->c | char | 1
// input shape:arg:s->next | shape | present
// input arg:s->next->c | char | 2
// input shape:arg:s->next->next | shape | present
// input arg:s->next->next->c | char | 3
// input shape:arg:s->next->next->next | shape | present
// input arg:s->next->next->next->c | char | 4
// input shape:arg:s->next->next->next->next | shape | present
// input arg:s->next->next->next->next->c | char | 5
// input shape:arg:s->next->next->next->next->next | shape | present
// input arg:s->next->next->next->next->next->c | char | 6
// input shape:arg:s->next->next->next->next->next->next | shape | present
// input arg:s->next->next->next->next->next->next->c | char | 7
// TEST depth: exit 15
// input shape:arg:s | shape | present
// input arg:s->c | char | 1
// input shape:arg:s->next | shape | present
// input arg:s->next->c | char | 2
// input shape:arg:s->next->next | shape | present
// input arg:s->next->next->c | char | 3
// input shape:arg:s->next->next->next | shape | present
// input arg:s->next->next->next->c | char | 4
// input shape:arg:s->next->next->next->next | shape | present
// input arg:s->next->next->next->next->c | char | 5
void depth(struct single *s)
{
    int sum = 0;
    for (; s; s = s->next)
        sum += s->c;
    ANSWER(sum);
}

// TEST further: exit 21
// input bound:depth | unsigned | 6
// input shape:arg:s | shape | present
// input shape:arg:s[0] | shape | present
// input arg:s[0]->c | char | 1
// input shape:arg:s[0]->next | shape | present
// input arg:s[0]->next->c | char | 2
// input shape:arg:s[0]->next->next | shape | present
// input arg:s[0]->next->next->c | char | 3
// input shape:arg:s[0]->next->next->next | shape | present
// input arg:s[0]->next->next->next->c | char | 4
// input shape:arg:s[0]->next->next->next->next | shape | present
// input arg:s[0]->next->next->next->next->c | char | 5
// input shape:arg:s[0]->next->next->next->next->next | shape | present
// input arg:s[0]->next->next->next->next->next->c | char | 6
void further(struct single **s, int i)
{
    int sum = 0;
    for (struct single *at = s ? s[i] : 0; at; at = at->next)
        sum += at->c;
    ANSWER(sum);
}
