// The stack overflows at a depth of about 360. Of an execution that ends so, only the first 300
// decisions are followed, but the recursion can end at 310.
static int down(unsigned n, unsigned depth)
{
    volatile char pad[20000];
    pad[0] = 1;
    if (n == 0)
        return depth == 310 ? 42 : pad[0]; /* reached */
    return down(n - 1, depth + 1) + pad[0];
}

int deep(unsigned n)
{
    return down(n ^ 0xfffff, 0);
}
