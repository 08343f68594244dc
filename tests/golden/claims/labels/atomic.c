// Atomic objects: what other threads may change is an input at every read.
#include <stdatomic.h>
#include <stdbool.h>
_Atomic int flag;
extern _Atomic unsigned ext;
atomic_int count;
struct dev { _Atomic int state; int plain; };
struct dev dev;
int twice(void) { if (flag == 1 && flag == 2) return 1; return 0; }
int after_store(void) { flag = 3; if (flag == 4) return 1; return 0; }
int through(_Atomic int *p) { if (!p) return -1; if (*p == 1) { if (*p == 2) return 1; } return 0; }
int member(struct dev *d) { if (!d) return -1; if (d->state == 1 && d->state == 2) return 1; return d->plain == 1 && d->plain == 2; }
int global_member(void) { if (dev.state > 5 && dev.state < 3) return 1; return 0; }
int load(void) { if (atomic_load(&count) == 1 && atomic_load_explicit(&count, memory_order_relaxed) == 2) return 1; return 0; }
int rmw(void) { int old = atomic_fetch_add(&count, 1); if (old == 5) { if (atomic_fetch_add(&count, 1) == 9) return 2; return 1; } return 0; }
int xchg(void) { atomic_exchange(&count, 7); if (atomic_exchange(&count, 8) == 6) return 1; return 0; }
int cas(void) { int e = 3; if (atomic_compare_exchange_strong(&count, &e, 4)) { if (e == 3) return 1; return 2; } if (e == 8) return 5; return 0; }
int local(void) { _Atomic int x = 3; if (x == 3) return 1; return 0; }
int builtin(int *p) { if (!p) return -1; __atomic_store_n(p, 1, __ATOMIC_SEQ_CST); if (__atomic_load_n(p, __ATOMIC_SEQ_CST) == 2) return 1; return 0; }
int sync(int *p) { if (!p) return -1; if (__sync_fetch_and_add(p, 1) == 2) { if (__sync_fetch_and_add(p, 1) == 9) return 2; return 1; } return 0; }
_Atomic _Bool lock; atomic_flag fl;
int locked(void) { if (atomic_flag_test_and_set(&fl)) { if (!atomic_flag_test_and_set(&fl)) return 2; return 1; } return 0; }
int b(void) { if (lock && !lock) return 1; return 0; }
_Atomic double dd; _Atomic(int *) ap; _Atomic long long ll;
int dbl(void) { if (dd > 2.0 && dd < 1.0) return 1; return 0; }
int ptr(void) { if (ap && !ap) return 1; return 0; }
int pre(void) { if (++flag == 4) { if (flag == 9) return 2; return 1; } return 0; }
int loop(void) { while (!ll) ; return 1; }
struct n { struct n *next; int v; };
struct n *head; _Atomic(struct n *) top; struct two { struct n *p; long c; }; _Atomic struct two t2; struct one { struct n *p; }; _Atomic struct one t1;
struct wide { int a, b, c, d, e; };
_Atomic struct wide w;
volatile struct n *volatile vp;
int pointer_load(struct n *x) { struct n *o = __atomic_load_n(&head, __ATOMIC_ACQUIRE); return o && o->v == 3; }
int push(struct n *x) { struct n *o = atomic_load(&top); if (!x) return 1; do x->next = o; while (!atomic_compare_exchange_weak(&top, &o, x)); return 0; }
int swap(struct n *x) { return __sync_bool_compare_and_swap(&head, 0, x); }
int records(void) { struct two v = t2; struct one w = t1; return v.c == 1 && w.p; }
struct n *exchange(struct n *x) { return __atomic_exchange_n(&head, x, __ATOMIC_ACQ_REL); }
int pointer_through(struct n **x) { struct n *r; if (!x) return 0; __atomic_load(x, &r, 5); if (r && r->v == 4) return 1; return 2; }
int wide(void) { struct wide x = w; struct wide y = w; if (x.a == 1 && y.a == 2) return 1; return 0; }
int wide2(void) { struct wide x = { 1, 2, 3, 4, 5 }, y = { 1 }; if (atomic_compare_exchange_strong(&w, &x, y)) return 1; if (x.e == 9) return 2; return 0; }
int wide3(struct wide z) { atomic_store(&w, z); struct wide x = atomic_exchange(&w, z); if (x.e == 9) return 2; return 0; }
int once(void) { if (vp) return 1; return 0; }
int again(void) { if (vp) { if (!vp) return 2; return 1; } return 0; }
int stored(void) { top = 0; if (top) return 1; return 0; }
static int helper(_Atomic int *p) { return *p; }
int localp(void) { _Atomic int x = 3; if (helper(&x) == 4) return 1; return 0; }
_Atomic int arr[4]; _Atomic short sh; atomic_uint_fast64_t u64; _Atomic unsigned __int128 i128; _Atomic enum { A, B } en;
int array(unsigned i) { if (i >= 4) return 0; if (arr[i] == 1 && arr[i] == 2) return 1; return 2; }
int misc(void) { if (sh < -3 && sh > 3) return 1; if (u64 > (1ull << 60) && u64 == 0) return 2; if (en == A && en == B) return 3; return 0; }
int wide128(void) { if (i128 == 1 && i128 == 2) return 1; return 0; }
