// SPDX-License-Identifier: Apache-2.0
// Several programs at a time: a few threads that each run one after the other. Every job
// has its own buffers, so nothing is shared but the number of the next one.
#include "base/proc.h"
#include "base/tunables.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

struct queue {
    struct proc_job *jobs;
    size_t count;
    atomic_size_t next;
};

static void *work(void *context)
{
    struct queue *queue = context;
    for (size_t i; (i = atomic_fetch_add(&queue->next, 1)) < queue->count;) {
        struct proc_job *job = &queue->jobs[i];
        proc_run(job->argv, &job->options, &job->result, &job->error);
    }
    return NULL;
}

void proc_run_all(struct proc_job *jobs, size_t count, unsigned parallel)
{
    struct queue queue = {.jobs = jobs, .count = count};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = parallel ? parallel : cores > 0 ? (size_t)cores : 1;
    pthread_t threads[BASE_THREADS];
    size_t started = 0;
    if (wanted > count)
        wanted = count;
    // This thread is one of them, and works alone when no other can be had.
    while (started + 1 < wanted && started < BASE_THREADS &&
           pthread_create(&threads[started], NULL, work, &queue) == 0)
        started++;
    work(&queue);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
