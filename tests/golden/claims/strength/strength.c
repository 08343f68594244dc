/* Claims of both strengths, and goals that only crashing tests reach. */
struct node {
    int value;
    struct node *next;
};

/* No pointers, no state: strong. */
int strong(unsigned x)
{
    if (x * x == 3)
        return 1;
    return 0;
}

/* For any memory: the optimiser knows without a driver. */
int any_memory(const int *p, const int *q)
{
    if (p == q)
        return 0;
    if (q == p)
        return 1;
    return 2;
}

/* Only the way the driver builds lists excludes it: weak, within --most-depth. */
int within_depth(const struct node *p)
{
    int n = 0;
    for (; p; p = p->next)
        n++;
    if (n == 40)
        return 1;
    return 0;
}

/* Behind a division that may fail: weak, with the alarm's name. */
int behind_alarm(int a)
{
    int q = 100 / a;
    if (a == 0)
        return 1;
    return q;
}

/* In front of it: strong. */
int before_alarm(int a)
{
    if (a > 5 && a < 3)
        return 1;
    return 100 / a;
}

/* Both outcomes can be had without a crash. */
int can_run_through(int *p, int k)
{
    if (k == 5)
        k++;
    return *p + k;
}

/* Nothing gets past the true side. */
int only_by_crash(int k)
{
    int *nowhere = 0;
    if (k == 7)
        return *nowhere;
    return 0;
}

/* Called as often as is allowed, and then? */
int counts_calls(int x)
{
    static int n;
    if (x == 3)
        n++;
    if (n == 41)
        return 1;
    return 0;
}

/* Another rounding mode makes it false. */
int rounded(void)
{
    volatile double ten = 10;
    double third = ten / 3;
    if (third != 3.3333333333333335)
        return 1;
    return 0;
}

/* Code elsewhere may have put any byte there. */
extern _Bool answered;
int byte_of_bool(void)
{
    if (*(unsigned char *)&answered == 94)
        return 1;
    return 0;
}
