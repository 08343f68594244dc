// SPDX-License-Identifier: Apache-2.0
// A thread of the code under test runs to its end where it is created: one schedule
// out of many, but a deterministic one that keeps labels and needs no second stack.
// It is counted as an effect that was not modelled, so nothing is proven from it.
#define _GNU_SOURCE 1
#include "target_process.h"
#include <pthread.h>

#define SITE_ONCE   (CZRT_SITE_ALLOCATION + 2)
#define MAX_THREADS 256 // whose results are kept

static void *results[MAX_THREADS];
static unsigned thread_count, current; // current: number + 1, 0 for the main thread
static sigjmp_buf *thread_end;

void czrt_threads_reset(void)
{
    thread_count = current = 0;
    thread_end = NULL;
}

int czrt_pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *),
                        void *argument)
{
    (void)attributes;
    sigjmp_buf end, *outer_end = thread_end;
    unsigned outer = current, number = ++thread_count;
    czrt_loss(WIRE_LOSS_EXTERNAL);
    *thread = number;
    czrt_shadow_fill(thread, 0, sizeof *thread);
    results[number % MAX_THREADS] = NULL;
    thread_end = &end;
    current = number;
    if (sigsetjmp(end, 0) == 0) {
        void *value = start(argument);
        results[number % MAX_THREADS] = value;
    }
    thread_end = outer_end;
    current = outer;
    czrt_ret = 0;
    return 0;
}

// A thread that others have created has returned anything; of our own it was counted.
int czrt_pthread_join(pthread_t thread, void **value)
{
    czrt_loss(WIRE_LOSS_STATE);
    if (value) {
        *value = results[thread % MAX_THREADS];
        czrt_shadow_fill(value, 0, sizeof *value);
    }
    czrt_ret = 0;
    return 0;
}

int czrt_pthread_detach(pthread_t thread)
{
    (void)thread;
    czrt_ret = 0;
    return 0;
}

pthread_t czrt_pthread_self(void)
{
    czrt_ret = 0;
    return current;
}

_Noreturn void czrt_pthread_exit(void *value)
{
    if (thread_end) {
        results[current % MAX_THREADS] = value;
        czrt_objects_unguard();
        siglongjmp(*thread_end, 1);
    }
    if (!czrt_running)
        pthread_exit(value);
    czrt__exit(0);
}

// With one thread at a time nobody ever waits for a lock. What a lock protects, others change while
// they hold it.
#define ALWAYS_FREE(name)                                                                          \
    int czrt_pthread_##name(void *lock)                                                            \
    {                                                                                              \
        (void)lock;                                                                                \
        czrt_loss(WIRE_LOSS_THREADS);                                                              \
        czrt_ret = 0;                                                                              \
        return 0;                                                                                  \
    }
ALWAYS_FREE(mutex_lock)
ALWAYS_FREE(mutex_unlock)
ALWAYS_FREE(mutex_destroy)
ALWAYS_FREE(rwlock_rdlock)
ALWAYS_FREE(rwlock_wrlock)
ALWAYS_FREE(rwlock_unlock)
ALWAYS_FREE(rwlock_destroy)
ALWAYS_FREE(spin_lock)
ALWAYS_FREE(spin_unlock)
ALWAYS_FREE(cond_signal)
ALWAYS_FREE(cond_broadcast)
ALWAYS_FREE(cond_destroy)

// The code under test may hold it itself.
int czrt_pthread_mutex_trylock(void *lock)
{
    (void)lock;
    czrt_loss(WIRE_LOSS_STATE);
    czrt_ret = 0;
    return 0;
}

int czrt_pthread_once(pthread_once_t *control, void (*function)(void))
{
    bool is_new = *control == PTHREAD_ONCE_INIT;
    wire_label label = czrt_concolic ? czrt_load(control, sizeof *control, 0) : 0;
    if (label)
        czrt_branch(SITE_ONCE, is_new,
                    czrt_binary(WIRE_EQ, 32, label, 0, (uint32_t)*control, PTHREAD_ONCE_INIT));
    if (is_new) {
        *control = PTHREAD_ONCE_INIT + 1;
        czrt_shadow_fill(control, 0, sizeof *control);
        function();
    }
    czrt_ret = 0;
    return 0;
}
