// Locks that the driver made of zeros. For the C library a spin lock of zeros is held.
#include <pthread.h>

pthread_spinlock_t spin;
pthread_mutex_t mutex;
pthread_rwlock_t rw;
int shared;

int under_locks(int x, pthread_spinlock_t *other)
{
    pthread_spin_lock(&spin);
    if (x > 5)
        shared = x;
    pthread_spin_unlock(&spin);
    if (other) {
        pthread_spin_lock(other);
        if (x == 77)
            shared = 3;
        pthread_spin_unlock(other);
    }
    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&rw);
    int end = 0;
    if (shared == 9)
        end = 1;
    pthread_rwlock_unlock(&rw);
    pthread_mutex_unlock(&mutex);
    return end;
}
