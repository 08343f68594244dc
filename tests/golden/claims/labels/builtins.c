// What an optimiser decides and a build without one does not.
int constant(int x)
{
    int size = 3;
    if (__builtin_constant_p(size))
        return 1;
    if (__builtin_constant_p(x))
        return 2;
    if (__builtin_constant_p(4) && x == 1)
        return 3;
    return 0;
}

static inline int scaled(int n)
{
    return __builtin_constant_p(n) ? n * 2 : n * 2 + (n == 5);
}

int through_inline(int x)
{
    if (scaled(5) == 11)
        return 1;
    return scaled(x) == 4;
}

int size_of_local(unsigned n)
{
    char buffer[10];
    char *p = buffer;
    if (n > 5)
        p = buffer + 4;
    buffer[0] = 0;
    if (__builtin_object_size(p, 0) == 10)
        return 1;
    if (__builtin_object_size(p, 0) == (unsigned long)-1)
        return 2;
    if (__builtin_object_size(buffer, 0) == 10)
        return 3;
    return p[0];
}

int dynamic_size(char *p, unsigned n)
{
    char buffer[10];
    char *q = n > 5 ? buffer : buffer + 2;
    if (__builtin_dynamic_object_size(q, 0) == 8)
        return 1;
    if (p && __builtin_dynamic_object_size(p, 1) == 3)
        return 2;
    if (__builtin_dynamic_object_size(q, 2) == 0)
        return 3;
    return 0;
}

void *malloc(unsigned long);
void free(void *);
int of_block(unsigned char n)
{
    char *p = malloc(n + 1u);
    unsigned long size = __builtin_dynamic_object_size(p, 0);
    free(p);
    if (size == 7)
        return 1;
    return 0;
}

int likely(int x)
{
    if (__builtin_expect_with_probability(x == 3, 1, 0.9))
        return 1;
    if (__builtin_expect(x == 4, 0))
        return 2;
    if (__builtin_unpredictable(x == 5))
        return 3;
    return 0;
}
