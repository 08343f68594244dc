/* What other threads and the environment may do. */
#include <pthread.h>
#include <stdlib.h>

static pthread_spinlock_t spin;
static int value;
void spin_write(int x)
{
    pthread_spin_lock(&spin);
    value = x;
    pthread_spin_unlock(&spin);
}
/* Another thread writes in between. */
int spin_read_twice(void)
{
    pthread_spin_lock(&spin);
    int a = value;
    pthread_spin_unlock(&spin);
    pthread_spin_lock(&spin);
    int b = value;
    pthread_spin_unlock(&spin);
    if (a != b)
        return 1;
    return 0;
}

extern pthread_mutex_t lock;
extern int shared;
int mutex_read_twice(void)
{
    pthread_mutex_lock(&lock);
    int a = shared;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int b = shared;
    pthread_mutex_unlock(&lock);
    if (a != b)
        return 1;
    return 0;
}

/* A variable of eighty characters. */
int far_in_environment(void)
{
    const char *text = getenv("FOO");
    if (text)
        if (text[64] == 'y')
            return 1;
    return 0;
}
