// SPDX-License-Identifier: Apache-2.0
// C that compiles to the less usual instructions. Must behave as natively, with
// concrete and with symbolic inputs, and every label must evaluate to the value it
// stands for (selfcheck.c).
#include <alloca.h>
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned char in[64] = {7, 200, 3, 9, 1, 0, 5, 250, 17, 33, 2, 66, 128, 255, 64, 31};
volatile int sink;

union packed { unsigned char raw; struct { unsigned a : 3, b : 2; int c : 3; } f; };
struct wide_bits { unsigned long long a : 7, b : 33, c : 20; };
struct small { short x; char y; };
struct floats { float x, y; };
struct mixed { double d; long n; };
struct large { int v[9]; double d; };

static struct small make_small(int x) { return (struct small){(short)x, (char)(x >> 3)}; }
static struct floats make_floats(int x) { return (struct floats){(float)x * 1.5f, (float)-x}; }
static struct mixed make_mixed(int x) { return (struct mixed){x / 3.0, x * 3L}; }
static struct large make_large(struct large l, int x) { l.v[x & 7] = x; l.d += x; return l; }
static float dot(struct floats a, struct floats b) { return a.x * b.x + a.y * b.y; }

static double sum(int n, ...)
{
    va_list list, copy;
    double total = 0;
    va_start(list, n);
    va_copy(copy, list);
    for (int i = 0; i < n; i++) {
        total += va_arg(list, int);
        total += va_arg(list, double);
        struct large l = va_arg(list, struct large);
        total += l.v[2];
        struct mixed m = va_arg(list, struct mixed);
        total += (double)m.n;
    }
    total += va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return total;
}

static int by_value(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

static int dispatch(const unsigned char *code)
{
    static const void *const labels[] = {&&add, &&twice, &&stop};
    int acc = 0;
    goto *labels[*code % 3];
add:
    acc += code[1];
    code++;
    goto *labels[acc > 500 ? 2 : *code % 3];
twice:
    acc *= 2;
    code++;
    goto *labels[acc > 500 ? 2 : *code % 3];
stop:
    return acc;
}

static jmp_buf back;
static void leave(int v) { if (v > 3) longjmp(back, v); }
static int jump(int v)
{
    volatile int seen = v;
    if (setjmp(back))
        return seen + 1;
    leave(v);
    return seen;
}

static int variable_length(int n)
{
    int total = 0;
    for (int k = 1; k < 4; k++) {
        int a[n + k];
        for (int i = 0; i < n + k; i++)
            a[i] = in[i] + k;
        char *p = alloca((size_t)n);
        memset(p, in[2], (size_t)n);
        total += a[n / 2] + p[n - 1];
    }
    return total;
}

static __thread int per_thread = 40;
static _Atomic int shared = 5;
static const uint16_t table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
static uint32_t state[8];

static uint64_t bits(uint32_t x, uint64_t y)
{
    int overflow;
    uint64_t r = __builtin_popcount(x) + __builtin_clz(x | 1) * 3u + __builtin_ctzll(y | 256) * 5u;
    r ^= __builtin_bswap32(x) + __builtin_bswap64(y);
    r += __builtin_add_overflow((int)x, 2000000000, &overflow) ? 11 : (unsigned)overflow;
    r += __builtin_mul_overflow(x, 77777u, (unsigned *)&overflow) ? 13 : (unsigned)overflow;
    r += __builtin_sub_overflow((int)x, (int)y, &overflow) ? 17 : (unsigned)overflow;
    r += __builtin_rotateleft32(x, y & 31) + (unsigned)abs((int)x - 3000);
    return r;
}

#ifdef __SIZEOF_INT128__ // not with 32-bit pointers
static __int128 huge(long a, long b)
{
    __int128 p = (__int128)a * b + ((__int128)b << 65);
    return p / 7 - (p >> 3) + (p > 1000 ? 1 : 0);
}
#endif

static int (*const functions[])(int) = {abs, jump, variable_length};

static double floats(int a, float f)
{
    double d = a / 7.0 + f * 2.0f;
    d += d > 3.0 ? __builtin_fabs(d - 9) : __builtin_sqrt(d + 10);
    d += __builtin_floor(d * 1.25) + (float)(int)(d * 100) + (double)(unsigned)(f + 3);
    long double x = d; // concrete from here
    return d + (double)(x * 2) + (f != f) + __builtin_fmin(d, 2) + __builtin_copysign(1.0, -f);
}

void cz_test_input(void *p, unsigned long n);

int main(void)
{
    cz_test_input(in, sizeof in);
    union packed u = {in[0]};
    u.f.b = in[1];
    if (u.f.a == 7 && u.f.c < 0)
        u.raw ^= 0x55;
    struct wide_bits w = {in[2], in[3] * 70000ul, in[4]};
    w.c += w.b;
    struct large l = {{1, 2, 3}, in[5]}, l2 = make_large(l, in[6]);
    struct floats p = make_floats(in[7]), q = make_floats(in[8]);
    struct mixed m = make_mixed(in[9]);
    struct small s = make_small(in[10] * 11);
    printf("%d %lu %d %g\n", u.raw, (unsigned long)w.c, l2.v[5], l2.d);
    printf("%g %g %ld %d %d\n", dot(p, q), m.d, m.n, s.x, s.y);
    printf("%g\n", sum(2, (int)in[1], 2.5 * in[2], l2, m, 7, 0.5, l, m));
    unsigned char sorted[16];
    memcpy(sorted, in, 16);
    qsort(sorted, 16, 1, by_value);
    printf("%d %d %d\n", sorted[0], sorted[8], sorted[15]);
    printf("%d %d %d\n", dispatch(in), jump(in[2]), jump(in[3]));
    printf("%d\n", variable_length(in[6]));
    per_thread += in[3];
    int expected = 5;
    atomic_fetch_add(&shared, in[4]);
    int swapped = atomic_compare_exchange_strong(&shared, &expected, in[5]);
    printf("%d %d %d %d\n", per_thread, shared, swapped, expected);
    state[in[9] & 7] = table[in[8] & 15] + table[in[3]];
    for (int i = 0; i < 8; i++)
        state[i] += table[(in[i] ^ state[(i + 1) & 7]) & 15];
    printf("%u %u\n", state[1], state[in[10]]);
    printf("%llx\n", (unsigned long long)bits(in[1] * 40000u, in[7] * 0x100000001ul));
#ifdef __SIZEOF_INT128__
    __int128 h = huge(in[13] * 1000003l, -in[12] - 5l);
    printf("%llx %llx\n", (unsigned long long)h, (unsigned long long)(h >> 64));
#endif
    printf("%d\n", functions[in[4]](in[6]));
    printf("%.9g\n", floats(in[1], in[3] * 0.37f));
    float complex z = (float)in[2] + (float)in[3] * I;
    z = z * z;
    printf("%g %g\n", (double)crealf(z), (double)cimagf(z));
    sink = (in[3] << (in[2] & 3)) >> (in[15] & 63);
    int r;
    switch (in[11]) { case 1: r = 1; break; case 66: r = 2; break; case 70 ... 90: r = 3; break; default: r = 4; }
    printf("%d %d\n", sink, r);
    return 0;
}
