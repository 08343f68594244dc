// Memory of the frame whose place or size is not known before the call: alloca() behind other
// statements, in loops and conditions, arrays of variable length; and functions whose
// attributes ask for inlining and against it.
#include <alloca.h>
#include <string.h>
int g(int *p, int n);
int after_statements(int x)
{
    int y = x + 1;
    if (y == 3) return 1;
    char *p = alloca(16);
    memset(p, 0, 16);
    p[x & 15] = 1;
    return p[3] == 1 ? 2 : 3;
}
int entry(int x)
{
    int a[4] = {0};
    a[x & 3] = 2;
    char *p = alloca(16);
    memset(p, 0, 16);
    char *q = __builtin_alloca(32);
    q[0] = 0;
    p[x & 15] = 1;
    return p[3] + a[1] + q[0] == 1 ? 2 : 3;
}
int loop(int n)
{
    int total = 0;
    struct l { struct l *next; int v; } *head = 0;
    if (n < 0 || n > 5) return -1;
    for (int i = 0; i < n; i++) {
        struct l *x = alloca(sizeof *x);
        x->next = head; x->v = i; head = x;
    }
    for (; head; head = head->next) total += head->v;
    if (total == 6) return 1;
    return 0;
}
int vla(unsigned n, int i)
{
    if (n < 1 || n > 8) return -1;
    int a[n][n];
    for (unsigned k = 0; k < n; k++) for (unsigned j = 0; j < n; j++) a[k][j] = (int)(k * j);
    if (i >= 0 && (unsigned)i < n && a[i][n-1] == 12) return 1;
    return 0;
}
int cond(int c)
{
    int *p = 0;
    if (c > 3) { p = alloca(sizeof(int) * 4); p[0] = c; }
    if (p && p[0] == 9) return 1;
    return 0;
}
__attribute__((noinline, always_inline)) static inline int both(int x) { if (x == 4) return 1; return 2; }
int calls_both(int x) { if (both(x) == 1) return 1; return 0; }
__attribute__((noinline)) int again(int x);
__attribute__((always_inline)) inline int again(int x) { return x == 5; }
int calls_again(int x) { if (again(x)) return 1; return 0; }
int dyn(unsigned long n) { char *p = __builtin_alloca(n & 15); if (n == 3) return 1; p[0] = 3; return 0; }
int dyn2(unsigned long n) { char *p = __builtin_alloca(n); if (n == 3) return 1; if (n) p[0] = 3; return 0; }
int dyn3(unsigned long n) { char p[n]; if (n == 3) return 1; if (n) p[0] = 3; return 0; }
__attribute__((always_inline)) int inlined(int x) { if (x == 7) return 1; return 2; }
__attribute__((always_inline, noinline)) int both_ways(int x) { if (x == 7) return 1; return 2; }
int (*inlined_pointer)(int) = inlined;
int calls_inlined(int x) { return inlined(x) + both_ways(x) == 2; }
