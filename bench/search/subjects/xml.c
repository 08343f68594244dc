// SPDX-License-Identifier: Apache-2.0
// A parser subject: a small XML reader with elements, attributes, comments, CDATA,
// entities, character references, processing instructions and well-formedness checks.
enum { MAX_DEPTH = 6, MAX_NAME = 8 };
enum { E_EOF = -1, E_NAME = -2, E_TAG = -3, E_ATTRIBUTE = -4, E_ENTITY = -5, E_MISMATCH = -6,
       E_DEPTH = -7, E_COMMENT = -8, E_CDATA = -9, E_PI = -10, E_TWICE = -11, E_TEXT = -12,
       E_ROOT = -13 };

struct parser {
    const char *at;
    int depth, roots, elements, attributes, text;
    struct { char name[MAX_NAME]; int length; } stack[MAX_DEPTH];
    char last[MAX_NAME];
    int last_length;
};

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
}

static int is_name(char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

static void skip_space(struct parser *p)
{
    while (is_space(*p->at))
        p->at++;
}

static int starts(const struct parser *p, const char *text)
{
    int i = 0;
    while (text[i]) {
        if (p->at[i] != text[i])
            return 0;
        i++;
    }
    return i;
}

static int read_name(struct parser *p, char *out, int *length)
{
    if (!is_name_start(*p->at))
        return E_NAME;
    *length = 0;
    while (is_name(*p->at)) {
        if (*length >= MAX_NAME)
            return E_NAME;
        out[(*length)++] = *p->at++;
    }
    return 0;
}

static int same(const char *a, int la, const char *b, int lb)
{
    if (la != lb)
        return 0;
    for (int i = 0; i < la; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

static int entity(struct parser *p)
{
    static const char *const known[] = {"lt;", "gt;", "amp;", "quot;", "apos;"};
    p->at++;
    if (*p->at == '#') {
        unsigned value = 0;
        int digits = 0, hex = 0;
        p->at++;
        if (*p->at == 'x') {
            hex = 1;
            p->at++;
        }
        for (;; digits++, p->at++) {
            char c = *p->at;
            unsigned d;
            if (c >= '0' && c <= '9')
                d = (unsigned)(c - '0');
            else if (hex && c >= 'a' && c <= 'f')
                d = (unsigned)(c - 'a' + 10);
            else
                break;
            value = value * (hex ? 16 : 10) + d;
            if (value > 0x10FFFF)
                return E_ENTITY;
        }
        if (*p->at != ';' || digits == 0 || value == 0 || (value >= 0xD800 && value <= 0xDFFF))
            return E_ENTITY;
        p->at++;
        return 0;
    }
    for (int i = 0; i < 5; i++) {
        int length = starts(p, known[i]);
        if (length) {
            p->at += length;
            return 0;
        }
    }
    return E_ENTITY;
}

static int comment(struct parser *p)
{
    p->at += 4;
    while (*p->at) {
        if (starts(p, "--")) {
            if (p->at[2] != '>')
                return E_COMMENT;
            p->at += 3;
            return 0;
        }
        p->at++;
    }
    return E_EOF;
}

static int cdata(struct parser *p)
{
    if (p->depth == 0)
        return E_CDATA;
    p->at += 9;
    for (; *p->at; p->at++)
        if (starts(p, "]]>")) {
            p->at += 3;
            p->text++;
            return 0;
        }
    return E_EOF;
}

static int instruction(struct parser *p)
{
    char name[MAX_NAME];
    int length;
    p->at += 2;
    if (read_name(p, name, &length))
        return E_PI;
    if (length == 3 && name[0] == 'x' && name[1] == 'm' && name[2] == 'l' && p->elements)
        return E_PI;
    for (; *p->at; p->at++)
        if (starts(p, "?>")) {
            p->at += 2;
            return 0;
        }
    return E_EOF;
}

static int attribute(struct parser *p)
{
    char name[MAX_NAME];
    int length, error = read_name(p, name, &length);
    if (error)
        return error;
    if (p->last_length && same(name, length, p->last, p->last_length))
        return E_TWICE;
    for (int i = 0; i < length; i++)
        p->last[i] = name[i];
    p->last_length = length;
    skip_space(p);
    if (*p->at != '=')
        return E_ATTRIBUTE;
    p->at++;
    skip_space(p);
    char quote = *p->at;
    if (quote != '"' && quote != '\'')
        return E_ATTRIBUTE;
    p->at++;
    while (*p->at != quote) {
        if (*p->at == 0)
            return E_EOF;
        if (*p->at == '<')
            return E_ATTRIBUTE;
        if (*p->at == '&') {
            error = entity(p);
            if (error)
                return error;
        } else {
            p->at++;
        }
    }
    p->at++;
    p->attributes++;
    return 0;
}

static int open_tag(struct parser *p)
{
    p->at++;
    if (p->depth >= MAX_DEPTH)
        return E_DEPTH;
    if (p->depth == 0 && p->roots++)
        return E_ROOT;
    int error = read_name(p, p->stack[p->depth].name, &p->stack[p->depth].length);
    if (error)
        return error;
    p->last_length = 0;
    p->elements++;
    for (;;) {
        int spaced = is_space(*p->at);
        skip_space(p);
        if (*p->at == '>') {
            p->at++;
            p->depth++;
            return 0;
        }
        if (*p->at == '/') {
            if (p->at[1] != '>')
                return E_TAG;
            p->at += 2;
            return 0;
        }
        if (*p->at == 0)
            return E_EOF;
        if (!spaced)
            return E_TAG;
        error = attribute(p);
        if (error)
            return error;
    }
}

static int close_tag(struct parser *p)
{
    char name[MAX_NAME];
    int length;
    p->at += 2;
    if (p->depth == 0)
        return E_TAG;
    int error = read_name(p, name, &length);
    if (error)
        return error;
    skip_space(p);
    if (*p->at != '>')
        return *p->at ? E_TAG : E_EOF;
    p->at++;
    p->depth--;
    if (!same(name, length, p->stack[p->depth].name, p->stack[p->depth].length))
        return E_MISMATCH;
    return 0;
}

int xml(const char text[24])
{
    struct parser p = {.at = text};
    int error = 0;
    if (!text)
        return -100;
    while (*p.at && !error) {
        if (starts(&p, "<!--"))
            error = comment(&p);
        else if (starts(&p, "<![CDATA["))
            error = cdata(&p);
        else if (starts(&p, "<?"))
            error = instruction(&p);
        else if (starts(&p, "</"))
            error = close_tag(&p);
        else if (*p.at == '<')
            error = open_tag(&p);
        else if (*p.at == '&')
            error = p.depth ? entity(&p) : E_TEXT;
        else if (p.depth == 0 && !is_space(*p.at))
            error = E_TEXT;
        else if (starts(&p, "]]>"))
            error = E_TEXT;
        else
            p.at++, p.text += p.depth > 0;
    }
    if (error)
        return error;
    if (p.depth)
        return E_EOF;
    if (!p.roots)
        return E_ROOT;
    return p.elements > 1 && p.attributes > 0 ? 2 : 1;
}
