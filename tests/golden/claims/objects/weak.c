// SPDX-License-Identifier: Apache-2.0
// Whether a weak symbol is there, and whose it is, is decided when a program is linked.
extern void weakfn(void) __attribute__((weak));
extern int weakval(int x) __attribute__((weak));
extern int weakvar __attribute__((weak));
struct pair { int a, b; };
extern struct pair weakpair __attribute__((weak));
#pragma weak by_pragma
extern int by_pragma(int x);

int by_function(void)
{
    if (weakfn) {
        weakfn();
        return 1;
    }
    return 0;
}

int by_result(int x)
{
    if (weakval && weakval(x) == 77)
        return 1;
    if (by_pragma && by_pragma(x) == 78)
        return 2;
    return 0;
}

int by_variable(void)
{
    if (&weakvar && weakvar == 5)
        return 1;
    if (&weakpair != 0 && weakpair.b == 6)
        return 2;
    return 0;
}

__attribute__((weak)) int hook(int x)
{
    if (x == 3)
        return 1;
    return 0;
}

int by_hook(int x)
{
    if (hook(x) == 9) // only a strong definition elsewhere returns that
        return 1;
    return 0;
}

static int default_handler(void) { return 0; }
int handler(void) __attribute__((weak, alias("default_handler")));
int by_alias(void)
{
    if (handler() == 4)
        return 1;
    return 0;
}

__attribute__((weak)) const int mode = 3;
int by_constant(void)
{
    if (mode == 4)
        return 1;
    return 0;
}

static int (*const table[])(int) = {weakval};
int by_table(int x)
{
    if (!table[0])
        return 1;
    return x;
}

int only_called(int x) // a call needs it: absent is no case
{
    extern int needed(int x) __attribute__((weak));
    if (needed(x) == 3)
        return 1;
    return 0;
}

int by_local_table(int x)
{
    int (*const list[3])(int) = {weakval, weakval, weakval};
    if (!list[x & 1])
        return 1;
    return 0;
}
