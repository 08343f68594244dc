// SPDX-License-Identifier: Apache-2.0
// Locks in clean builds of units. In the engine nobody waits for a lock (runtime/threads.c). What a
// lock of the unit holds is whatever the driver put there, and the C library may take that for a
// lock that somebody holds: a spin lock of zeros is one. So a lock that the code under test takes
// for the first time is free. Later it waits as usual, so that a deadlock of its own is seen.
#define _GNU_SOURCE 1
#include "replay_runtime.h"
#include <pthread.h>
#include <stdatomic.h>

#define LOCKS 256 // that are remembered; further ones count as known

static const volatile void *known[LOCKS];
static unsigned known_count;
static atomic_flag is_busy = ATOMIC_FLAG_INIT;

// Is this the first time that the code takes the lock? Asked by several threads.
static bool is_first(const volatile void *lock)
{
    bool is_new = true;
    while (atomic_flag_test_and_set(&is_busy))
        continue;
    for (unsigned i = 0; i < known_count && is_new; i++)
        is_new = known[i] != lock;
    if (is_new && known_count < LOCKS)
        known[known_count++] = lock;
    else
        is_new = false;
    atomic_flag_clear(&is_busy);
    return is_new;
}

// Takes a lock by its own function if that does not wait; otherwise makes one that is met for the
// first time free before.
#define WRAP_LOCK(type, take, try, make_free)                                                      \
    int __real_pthread_##take(type *lock);                                                         \
    int __wrap_pthread_##take(type *lock);                                                         \
    int __wrap_pthread_##take(type *lock)                                                          \
    {                                                                                              \
        if (!replay_running || replay_is_program())                                                \
            return __real_pthread_##take(lock);                                                    \
        bool is_new = is_first(lock);                                                              \
        if (pthread_##try(lock) == 0)                                                              \
            return 0;                                                                              \
        if (is_new)                                                                                \
            (void)make_free;                                                                       \
        return __real_pthread_##take(lock);                                                        \
    }

WRAP_LOCK(pthread_mutex_t, mutex_lock, mutex_trylock, pthread_mutex_init(lock, NULL))
WRAP_LOCK(pthread_rwlock_t, rwlock_rdlock, rwlock_tryrdlock, pthread_rwlock_init(lock, NULL))
WRAP_LOCK(pthread_rwlock_t, rwlock_wrlock, rwlock_trywrlock, pthread_rwlock_init(lock, NULL))
WRAP_LOCK(pthread_spinlock_t, spin_lock, spin_trylock,
          pthread_spin_init(lock, PTHREAD_PROCESS_PRIVATE))
