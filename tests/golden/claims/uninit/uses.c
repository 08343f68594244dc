// Every function uses an uninitialised value at the line with the comment "use". The outcome that
// depends on it is never infeasible, and the use is an alarm.
#include <stdlib.h>
#include <string.h>

static volatile int sink;

static void deeper(void)
{
    char junk[400];
    memset(junk, 77, sizeof junk);
    sink = junk[3];
}

static int shallower(void)
{
    char junk[200];
    if (junk[10] == 77) // use
        return 1;
    return 0;
}

int left_on_the_stack(int x)
{
    deeper();
    return shallower() + x;
}

int scalar(int x)
{
    int value;
    if (x > 3)
        value = 5;
    if (value == 9) // use
        return 1;
    return 0;
}

int in_a_loop(int n)
{
    int found = 0;
    if (n > 3)
        n = 3;
    for (int i = 0; i < n; i++) {
        int last;
        if (i == 0)
            last = 1;
        if (last == 7) // use
            found = 1;
    }
    return found;
}

struct pair {
    int a, b;
};

static struct pair half_filled(int x)
{
    struct pair p;
    p.a = x;
    return p;
}

int small_result(int x)
{
    struct pair p = half_filled(x);
    if (p.a == 4)
        return 2;
    if (p.b == 5) // use
        return 1;
    return 0;
}

struct many {
    int v[10];
};

static struct many mostly_empty(int x)
{
    struct many m;
    m.v[2] = x;
    return m;
}

int big_result(int x)
{
    struct many m = mostly_empty(x);
    if (m.v[2] == 4)
        return 2;
    if (m.v[3] == 5) // use
        return 1;
    return 0;
}

static int falls_off(int x)
{
    if (x > 10)
        return 3;
}

int missing_result(int x)
{
    if (falls_off(x) == 6) // use
        return 1;
    return 0;
}

static struct many falls_off_big(int x)
{
    struct many m = {{x}}, n = {{2 * x}};
    if (x > 20)
        return n;
    if (x > 10)
        return m;
}

int missing_big_result(int x)
{
    if (falls_off_big(x).v[4] == 6) // use
        return 1;
    return 0;
}

int passed_by(int x)
{
    switch (x) {
        int value;
    case 1:
        value = 2;
    default:
        if (value == 3) // use
            return 1;
    }
    return 0;
}

int switched(int x)
{
    int value;
    if (x == 2)
        value = x;
    switch (value) { // use
    case 1:
        return 1;
    case 2:
        return 2;
    default:
        return 3;
    }
}

int divided(int x)
{
    int value;
    if (x > 0)
        value = x;
    if (x < -5)
        return x / (value + 1); // use
    return 0;
}

int addressed(int x)
{
    static const int table[4] = {1, 2, 3, 4};
    unsigned index;
    if (x > 0)
        index = 1;
    return table[index & 3]; // use
}

int on_the_heap(int x)
{
    int *p = malloc(8 * sizeof *p);
    if (!p)
        return -1;
    p[1] = x;
    int result = 0;
    if (p[1] == 3)
        result = 2;
    if (p[2] == 4) // use
        result = 1;
    free(p);
    return result;
}

int variable_length(unsigned char n)
{
    char line[n % 16 + 2];
    line[0] = 1;
    if (line[1] == 4) // use
        return 1;
    return 0;
}

int from_alloca(int x)
{
    if (x < 0)
        return -1;
    char *line = __builtin_alloca(x % 16 + 2), *fixed = __builtin_alloca(8);
    line[0] = fixed[0] = 1;
    if (line[1] == 4) // use
        return 1;
    if (fixed[1] == 4) // use
        return 2;
    return 0;
}

int other_bits(unsigned x)
{
    struct {
        unsigned a : 3, b : 5;
    } s;
    s.a = x & 3;
    if (s.a == 2)
        return 2;
    if (s.b == 3) // use
        return 1;
    return 0;
}

int compared(int x)
{
    char text[8];
    text[0] = (char)x;
    if (memcmp(text, "abcdefgh", 8) == 0) // use
        return 1;
    return 0;
}

int at_an_index(unsigned i, int x)
{
    int table[6];
    table[0] = x;
    table[1] = 2;
    if (i >= 6)
        return -1;
    if (table[i] == 5) // use
        return 1;
    return 0;
}

static int first_of(int value)
{
    return value == 8;
}

int handed_on(int x)
{
    int value;
    if (x > 1)
        value = 2;
    int copy = value;
    if (first_of(copy)) // use
        return 1;
    return 0;
}
