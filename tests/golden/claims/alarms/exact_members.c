/* Lengths that are members of a record, beside the pointer to what they count. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct span {
    const unsigned char *data;
    size_t len;
};

/* ---- one too many ---- */

int reads_one_more(const struct span *s)
{
    int sum = 0;
    if (!s || !s->data || s->len > 5)
        return 0;
    for (size_t i = 0; i < s->len; i++)
        sum ^= s->data[i];
    if (s->data[s->len] == 77) /* ALARM */
        return 1;
    return sum;
}

int by_value(struct span s)
{
    size_t i = 0;
    if (!s.data || s.len > 5)
        return 0;
    while (i < s.len && s.data[i] != 9)
        i++;
    return s.data[i] == 9; /* ALARM */
}

struct span current;
int global_one(void)
{
    if (!current.data || current.len > 5)
        return 0;
    return memcmp(current.data, "abcdef", current.len + 1) == 0; /* ALARM */
}

struct message {
    int kind;
    struct span body;
};
int nested(const struct message *m)
{
    if (!m || m->kind != 3 || !m->body.data || m->body.len > 5)
        return 0;
    for (size_t i = 0; i <= m->body.len; i++)
        if (m->body.data[i] == 200) /* ALARM */
            return 1;
    return 0;
}

int array_of(const struct span list[3])
{
    int found = 0;
    for (int k = 0; list && k < 3; k++) {
        const unsigned char *p = list[k].data;
        size_t n = list[k].len;
        if (!p || n > 5)
            continue;
        found += p[n] == 5; /* ALARM */
    }
    return found;
}

static int check(const short *items, size_t count)
{
    int sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += items[i];
    return sum;
}
struct row {
    const short *items;
    size_t count;
};
int handed(const struct row *r)
{
    if (!r || !r->items || r->count > 5)
        return 0;
    if (r->items[r->count] == 7) /* ALARM */
        return 1;
    return check(r->items, r->count);
}

/* ---- right, or nothing to say ---- */

int right(const struct span *s)
{
    int sum = 0;
    if (!s || !s->data)
        return 0;
    for (size_t i = 0; i < s->len; i++)
        sum += s->data[i] == 200;
    return sum > 2;
}

int consumes(struct span *s)
{
    int sum = 0;
    if (!s || !s->data)
        return 0;
    while (s->len) {
        sum += *s->data++ == 200;
        s->len--;
    }
    return sum > 2;
}

/* How much is in use. */
struct stack {
    int *items;
    size_t count;
};
int push(struct stack *s, int x)
{
    for (size_t i = 0; s && s->items && i < s->count; i++)
        if (s->items[i] == x)
            return 0;
    if (!s || !s->items || s->count > 5)
        return 0;
    s->items[s->count] = x;
    s->count++;
    return 1;
}

/* Of two lengths the second is how much there is. */
struct buffer {
    char *text;
    size_t len, size;
};
int append(struct buffer *b, char c)
{
    for (size_t i = 0; b && b->text && i < b->len; i++)
        if (b->text[i] == c)
            return 0;
    if (!b || !b->text || b->len >= b->size || b->size > 5)
        return 0;
    b->text[b->len] = c;
    return 1;
}

/* A text has a NUL behind it. */
struct string {
    char *text;
    size_t length;
};
int ends(struct string *s)
{
    int spaces = 0;
    for (size_t i = 0; s && s->text && i < s->length; i++)
        spaces += s->text[i] == ' ';
    if (s && s->text && s->length < 5 && s->text[s->length] != '\0')
        return -1;
    return spaces;
}

/* It is set to something else, perhaps to more. */
struct window {
    unsigned char *at;
    size_t len;
};
int opens(struct window *w, size_t len)
{
    int sum = 0;
    if (!w || !w->at || len > 5)
        return 0;
    w->len = len;
    for (size_t i = 0; i < w->len; i++)
        sum += w->at[i] == 3;
    return sum;
}
