// SPDX-License-Identifier: Apache-2.0
// A `replace`-like subject: compiles a pattern with ^ $ ? * [a-z] [^a] @-escapes, matches
// it against a line and writes the line with all matches substituted (& is the match).
#define MAX 24
enum { END, LITERAL, ANY, BOL, EOL, CLASS, NOT_CLASS, CLOSURE };

struct pattern {
    int count;
    struct item {
        int kind, closure;
        unsigned char c;
        unsigned char set[8];
        int set_count;
    } items[MAX];
};

static int escape(const char *s, int *i)
{
    if (s[*i] != '@')
        return (unsigned char)s[*i];
    if (s[*i + 1] == 0)
        return '@';
    (*i)++;
    if (s[*i] == 'n')
        return '\n';
    if (s[*i] == 't')
        return '\t';
    return (unsigned char)s[*i];
}

static int is_alnum(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static int add_set(struct item *item, int c)
{
    if (item->set_count >= 8)
        return 0;
    item->set[item->set_count++] = (unsigned char)c;
    return 1;
}

static int get_class(const char *s, int *i, struct item *item)
{
    item->kind = CLASS;
    (*i)++;
    if (s[*i] == '^') {
        item->kind = NOT_CLASS;
        (*i)++;
    }
    while (s[*i] != 0 && s[*i] != ']') {
        if (s[*i] == '-' && item->set_count > 0 && s[*i + 1] != 0 && s[*i + 1] != ']') {
            int low = item->set[item->set_count - 1], high = (unsigned char)s[*i + 1];
            if (is_alnum(low) && is_alnum(high) && low <= high) {
                for (int c = low + 1; c <= high && item->set_count < 8; c++)
                    add_set(item, c);
                (*i)++;
            } else if (!add_set(item, '-')) {
                return 0;
            }
        } else if (!add_set(item, escape(s, i))) {
            return 0;
        }
        (*i)++;
    }
    return s[*i] == ']' && item->set_count > 0;
}

static int compile(const char *s, struct pattern *p)
{
    p->count = 0;
    for (int i = 0; s[i] != 0; i++) {
        struct item item = {0};
        if (p->count >= MAX)
            return -1;
        if (s[i] == '?') {
            item.kind = ANY;
        } else if (s[i] == '^' && i == 0) {
            item.kind = BOL;
        } else if (s[i] == '$' && s[i + 1] == 0) {
            item.kind = EOL;
        } else if (s[i] == '[') {
            if (!get_class(s, &i, &item))
                return -2;
        } else if (s[i] == '*' && i > 0) {
            struct item *last = &p->items[p->count - 1];
            if (last->kind == BOL || last->kind == EOL || last->closure)
                return -3;
            last->closure = 1;
            continue;
        } else {
            item.kind = LITERAL;
            item.c = (unsigned char)escape(s, &i);
        }
        p->items[p->count++] = item;
    }
    return p->count;
}

static int in_set(const struct item *item, int c)
{
    for (int i = 0; i < item->set_count; i++)
        if (item->set[i] == c)
            return 1;
    return 0;
}

// Characters consumed by one item, or -1.
static int one(const char *line, int at, const struct item *item)
{
    int c = (unsigned char)line[at];
    switch (item->kind) {
    case BOL:
        return at == 0 ? 0 : -1;
    case EOL:
        return c == 0 || c == '\n' ? 0 : -1;
    case LITERAL:
        return c != 0 && c == item->c ? 1 : -1;
    case ANY:
        return c != 0 && c != '\n' ? 1 : -1;
    case CLASS:
        return c != 0 && in_set(item, c) ? 1 : -1;
    case NOT_CLASS:
        return c != 0 && c != '\n' && !in_set(item, c) ? 1 : -1;
    default:
        return -1;
    }
}

static int match(const char *line, int at, const struct pattern *p, int from)
{
    for (int k = from; k < p->count; k++) {
        if (p->items[k].closure) {
            int far = at;
            while (line[far] != 0 && one(line, far, &p->items[k]) == 1)
                far++;
            for (; far >= at; far--) {
                int end = match(line, far, p, k + 1);
                if (end >= 0)
                    return end;
            }
            return -1;
        }
        int used = one(line, at, &p->items[k]);
        if (used < 0)
            return -1;
        at += used;
    }
    return at;
}

static int put(char *out, int *used, int c)
{
    if (*used >= 2 * MAX - 1)
        return 0;
    out[(*used)++] = (char)c;
    return 1;
}

static int put_substitute(const char *sub, const char *line, int from, int to, char *out, int *used)
{
    for (int i = 0; sub[i] != 0; i++) {
        if (sub[i] == '&') {
            for (int k = from; k < to; k++)
                if (!put(out, used, line[k]))
                    return 0;
        } else if (!put(out, used, escape(sub, &i))) {
            return 0;
        }
    }
    return 1;
}

int change(const char pattern[8], const char substitute[4], const char line[8])
{
    struct pattern p;
    char out[2 * MAX];
    int used = 0, changes = 0, last = -1;
    if (!pattern || !substitute || !line)
        return -10;
    int count = compile(pattern, &p);
    if (count <= 0)
        return count;
    for (int at = 0;;) {
        int end = match(line, at, &p, 0);
        if (end >= 0 && end != last) {
            if (!put_substitute(substitute, line, at, end, out, &used))
                return -4;
            last = end;
            changes++;
        }
        if (end < 0 || end == at) {
            if (line[at] == 0)
                break;
            if (!put(out, &used, line[at]))
                return -5;
            at++;
        } else {
            at = end;
        }
    }
    out[used] = 0;
    if (changes > 2 && out[0] == 'x')
        return 100;
    return changes;
}
