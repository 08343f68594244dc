// SPDX-License-Identifier: Apache-2.0
// Character classes as functions (for code that takes their address or avoids the
// macros), in the C locale, with the very values that glibc returns. Arithmetic
// without branches: the caller's decision is the one that counts.

static unsigned in_range(int c, unsigned first, unsigned count)
{
    return (unsigned)c - first < count;
}

static unsigned is_letter(int c)
{
    return in_range(c | 32, 'a', 26);
}

static unsigned is_digit(int c)
{
    return in_range(c, '0', 10);
}

int czm_isupper(int c)
{
    return (int)(in_range(c, 'A', 26) << 8);
}

int czm_islower(int c)
{
    return (int)(in_range(c, 'a', 26) << 9);
}

int czm_isalpha(int c)
{
    return (int)(is_letter(c) << 10);
}

int czm_isdigit(int c)
{
    return (int)(is_digit(c) << 11);
}

int czm_isxdigit(int c)
{
    return (int)((is_digit(c) | in_range(c | 32, 'a', 6)) << 12);
}

int czm_isspace(int c)
{
    return (int)(((c == ' ') | in_range(c, '\t', 5)) << 13);
}

int czm_isprint(int c)
{
    return (int)(in_range(c, 32, 95) << 14);
}

int czm_isgraph(int c)
{
    return (int)(in_range(c, 33, 94) << 15);
}

int czm_isblank(int c)
{
    return (c == ' ') | (c == '\t');
}

int czm_iscntrl(int c)
{
    return (int)((in_range(c, 0, 32) | (c == 127)) << 1);
}

int czm_isalnum(int c)
{
    return (int)((is_letter(c) | is_digit(c)) << 3);
}

int czm_ispunct(int c)
{
    return (int)((in_range(c, 33, 94) & ~(is_letter(c) | is_digit(c)) & 1u) << 2);
}

int czm_isascii(int c)
{
    return (c & ~0x7f) == 0;
}

int czm_toascii(int c)
{
    return c & 0x7f;
}

int czm_tolower(int c)
{
    return c + (int)(in_range(c, 'A', 26) << 5);
}

int czm_toupper(int c)
{
    return c - (int)(in_range(c, 'a', 26) << 5);
}
