// Plain memory that others change: behind an acquire, a fence or a barrier it may be another.
#include <stdatomic.h>
#define barrier() __asm__ __volatile__("" ::: "memory")
static atomic_int ready, done;
static int payload, plain, lock_word, given, answer;
int shared;

void produce(int value) { payload = value; }
int handshake(void) { payload = 7; atomic_store(&done, 1); if (!atomic_load(&ready)) return 0; if (payload != 7) return 1; return 2; }
int by_builtins(void) { plain = 7; __atomic_store_n(&given, 1, __ATOMIC_RELEASE); if (__atomic_load_n(&answer, __ATOMIC_ACQUIRE) == 0) return 0; if (plain != 7) return 1; return 2; }
int by_lock(void) { payload = 1; if (!__sync_bool_compare_and_swap(&lock_word, 0, 1)) return 0; if (payload == 2) return 1; return 2; }
int behind_barrier(void) { shared = 1; barrier(); if (shared == 2) return 1; return 0; }
int behind_fence(void) { int before = shared; atomic_thread_fence(memory_order_seq_cst); if (shared != before) return 1; return 0; }
int behind_sync(void) { int before = shared; __sync_synchronize(); if (shared != before) return 1; return 0; }

// A weak exchange may fail although the object has the expected value.
int spurious(void) { int expected = 4; if (atomic_compare_exchange_weak(&ready, &expected, 9)) return 1; if (expected == 4) return 2; return 0; }
int strong(void) { int expected = 4; if (atomic_compare_exchange_strong(&ready, &expected, 9)) return 1; if (expected == 4) return 2; return 0; }

// Nothing to do with others.
int relaxed(int x) { int local = x; atomic_store_explicit(&done, 1, memory_order_relaxed); if (local != x) return 1; return 0; }
int kept(int x) { int y = x; __asm__("" : "+r"(y)); if (y != x) return 1; return 0; }
