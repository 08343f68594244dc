/* SPDX-License-Identifier: Apache-2.0 */
/* Every branch can be reached. The names suggest something that the code does not say. */
#include <stddef.h>

/* enum_kind contains "num", account "count": no lengths. */
int pick(const char *text, int enum_kind)
{
    if (enum_kind * 3 == 3000)
        return 1;
    return text != NULL;
}

int bill(const char *who, unsigned account)
{
    if ((account ^ 0x55u) == 0x1234u)
        return who ? 2 : 1;
    return 0;
}

/* A size, but not that of the text. */
int shoe(const char *owner, int size)
{
    if (size * 2 == 84)
        return *owner == 'x';
    if (size * 2 == -6)
        return 2;
    return 0;
}

/* "lim" is no end: not into the other one, and not behind it. */
int both(const char *text, const char *limit_text)
{
    if (text == limit_text)
        return 0;
    if (!text)
        return *limit_text == 'x';
    return 1;
}

int turned(const char *text, const char *limit_text)
{
    if (text > limit_text)
        return 1;
    return 0;
}

struct box {
    const char *label;
    int size;
};
int large(const struct box *box)
{
    if (box->size * 2 == 2000)
        return box->label == NULL;
    return 0;
}

/* Where it begins is called end. */
struct piece {
    const char *end, *begin;
};
int order(const struct piece *piece)
{
    if (piece->begin > piece->end)
        return 1;
    return piece->begin == piece->end ? 2 : 0;
}

/* Three that are nowhere ordered: they need not be in one array. */
struct three {
    const char *start, *pointer, *end;
};
int apart(const struct three *t)
{
    return !t->start && t->end && *t->end == 'x';
}

/* No memory of `id` bytes, but a record that is known already. */
struct info {
    int kind, rank;
};
extern void *alloc_info(unsigned id);
int kind_of(unsigned id)
{
    const struct info *info = alloc_info(id);
    if (info && info->kind == 7)
        return info->rank == 3;
    return 0;
}

/* Memory, but it has that name: both are possible. */
extern void *pool_alloc(size_t bytes);
int *make(size_t count)
{
    int *made = pool_alloc(count * sizeof *made);
    if (made && count)
        made[count - 1] = 1;
    return made;
}

/* The project's own: the number is no length. */
static int read(int level, const char *label, int flags)
{
    return level + (label != NULL) + flags;
}
int reads(const char *label, int flags)
{
    if (flags * 2 == 4000)
        return read(1, label, flags);
    return 0;
}
