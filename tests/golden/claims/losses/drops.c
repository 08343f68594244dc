// Conditions whose outcome depends on something that is no input.
#include <math.h>
#include <errno.h>
#include <error.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int object;
static uintptr_t kept;
static const uintptr_t table[2] = {3, (uintptr_t)&object};

static uintptr_t number(void)
{
    return (uintptr_t)&object;
}

int stored(int x)
{
    kept = (uintptr_t)&object;
    if (kept == 4096) /* address */
        return 1;
    return x;
}

int returned(int x)
{
    uintptr_t at = number();
    if (at == 4096) /* address */
        return 1;
    return x;
}

int chosen(int x)
{
    uintptr_t at = x > 3 ? (uintptr_t)&object : 5;
    if (at == 4096) /* address */
        return 1;
    return x;
}

int constant(int x)
{
    if (table[1] == 4096) /* address */
        return 1;
    return x;
}

int initialised(int x)
{
    struct {
        uintptr_t at;
        int more;
    } local = {(uintptr_t)&object, 1};
    if (local.at == 4096) /* address */
        return 1;
    return x;
}

static void called(void)
{
    object++;
}

int code(int x)
{
    void (*f)(void) = called;
    f();
    if (((uintptr_t)f & ~4095ul) == 4096) /* address */
        return 1;
    return x;
}

static int elements[8];

// Inside an object nothing depends on where it lies.
int distance(int i)
{
    if (i < 0 || i > 7)
        return 0;
    int *at = elements + i;
    uintptr_t tagged = (uintptr_t)at | 0;
    if (at - elements == 9) /* never */
        return 1;
    return *(int *)tagged == elements[i];
}

int cycles(int x)
{
    if (__builtin_readcyclecounter() == 5) /* state */
        return 1;
    return x;
}

int gamma_sign(int x)
{
    if (signgam == 5) /* notes */
        return 1;
    return x;
}

typedef __int128 wide __attribute__((vector_size(32)));
typedef unsigned short shorts __attribute__((vector_size(16)));

int vectors(__int128 a)
{
    wide v = {a, a};
    v = v + v;
    if ((uint64_t)(v[0] >> 64) == 6) /* wide */
        return 1;
    return 0;
}

struct large {
    int at[8];
};

static struct large missing(int x)
{
    struct large l = {{x}};
    if (x > 3)
        return l;
}

int without_result(int x)
{
    struct large l = missing(x);
    if (l.at[0] == 2) /* uninitialised */
        return 1;
    return 0;
}

struct small {
    int a, b;
};

static struct small lacking(int x)
{
    struct small s = {x, 1};
    if (x > 3)
        return s;
}

int without_small_result(int x)
{
    struct small s = lacking(x);
    if (s.a == 2) /* uninitialised */
        return 1;
    return 0;
}

int signals(int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    if (sigismember(&set, 9)) /* covered */
        return 1;
    return 0;
}

int reports(int code)
{
    error(code, 0, "wrong");
    if (code == 0) /* covered */
        return 1;
    return 2;
}

int huge(int i)
{
    char *block = malloc(3u << 20);
    if (!block)
        return 0;
    if (block[2u << 20] == 7) /* room */
        i = 1;
    free(block);
    return i;
}

int printed(int x)
{
    char text[64];
    snprintf(text, sizeof text, "%p", (void *)&object);
    if (text[3] == 'q') /* address */
        return 1;
    return x;
}

int explained(int x)
{
    char text[64];
    errno = x;
    snprintf(text, sizeof text, "%m");
    if (text[0] == 'q') /* errno */
        return 1;
    return x;
}

int counted(int x)
{
    int n = x;
    char text[64];
    snprintf(text, sizeof text, "%d%n", 1234, &n);
    if (n == 5) /* written */
        return 1;
    return n;
}

int counted_beside(int x)
{
    short n[2] = {0, (short)x};
    char text[64];
    snprintf(text, sizeof text, "%d%hn", 1234, n);
    if (n[1] == 4321) /* reached */
        return 1;
    return n[0];
}

int explained_wide(int x)
{
    char text[64];
    errno = x;
    snprintf(text, sizeof text, "%-40m");
    if (text[0] == 'q') /* errno */
        return 1;
    return x;
}

int filled_so_far(int x)
{
    char bytes[16] = {0};
    memset(bytes, 'x', (uintptr_t)&object >> 60);
    if (bytes[0] == 'x') /* address */
        return 1;
    return x;
}

int filled_from_there(int x)
{
    char bytes[32] = {0};
    memset(bytes + ((uintptr_t)&object >> 60), 'x', 2);
    if (bytes[3] == 'x') /* address */
        return 1;
    return x;
}

int counted_by_printing(int x)
{
    int n = 5;
    printf("%d%n", x, &n);
    if (n == 4) /* written */
        return 1;
    return x;
}

int counted_by_reporting(int x)
{
    int n = 5;
    fprintf(stderr, "%d%n", x, &n);
    if (n == 4) /* written */
        return 1;
    return x;
}

static void report(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

int counted_in_a_list(int x)
{
    int n = 5;
    report("%d%n", x, &n);
    if (n == 4) /* written */
        return 1;
    return x;
}

/* An initialiser that is nested deeply leads to device memory. */
struct nested0 { const int *p; int k; };
struct nested1 { struct nested0 a; int k; };
struct nested2 { struct nested1 a; int k; };
struct nested3 { struct nested2 a; int k; };
struct nested4 { struct nested3 a; int k; };
struct nested5 { struct nested4 a; int k; };
struct nested6 { struct nested5 a; int k; };
struct nested7 { struct nested6 a; int k; };
struct nested8 { struct nested7 a; int k; };
struct nested9 { struct nested8 a; int k; };
static const struct nested9 device = {
    {{{{{{{{{(const int *)0x40001000, 1}, 1}, 1}, 1}, 1}, 1}, 1}, 1}, 1}, 1};
int deep_initialiser(int i)
{
    const int *p = device.a.a.a.a.a.a.a.a.a.p;
    if (p[i & 1] == 7) /* register */
        return 1;
    return 0;
}

/* A record that is too large for its padding to be inputs. */
struct large_record {
    char c;
    int x;
    int data[1500];
};
struct large_record large;
int large_padding(void)
{
    const unsigned char *p = (const unsigned char *)&large;
    if (p[2] == 7) /* padding */
        return 1;
    return large.x;
}
