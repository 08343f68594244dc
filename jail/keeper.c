// SPDX-License-Identifier: Apache-2.0
#include "keeper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_MILLISECONDS 50 // at two gigabytes a second 100 MB are touched between two looks
#define MOST_PROCESSES    512
#define MOST_DEPTH        64

struct count {
    unsigned long pages;
    unsigned processes;
};

void keeper_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGHUP);
}

// Private pages: what a process shares with us is the request's.
static unsigned long pages_of(long process)
{
    char path[64];
    unsigned long size, resident = 0, shared = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", process);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    if (fscanf(file, "%lu %lu %lu", &size, &resident, &shared) != 3)
        resident = shared = 0;
    fclose(file);
    return resident > shared ? resident - shared : 0;
}

static void add_children(long process, const char *thread, unsigned depth, struct count *count)
{
    char path[64];
    long child;
    snprintf(path, sizeof path, "/proc/%ld/task/%s/children", process, thread);
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    while (depth < MOST_DEPTH && count->processes < MOST_PROCESSES &&
           fscanf(file, "%ld", &child) == 1) {
        count->processes++;
        count->pages += pages_of(child);
        snprintf(path, sizeof path, "/proc/%ld/task", child);
        DIR *threads = opendir(path);
        for (struct dirent *entry; threads && (entry = readdir(threads));)
            if (entry->d_name[0] != '.')
                add_children(child, entry->d_name, depth + 1, count);
        if (threads)
            closedir(threads);
    }
    fclose(file);
}

// /proc belongs to the outer namespace: our number there is not getpid().
static bool is_over(const struct keeper_limits *limits)
{
    char self[16] = "";
    if (readlink("/proc/self", self, sizeof self - 1) <= 0)
        return false;
    struct count count = {0};
    add_children(atol(self), self, 0, &count);
    unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);
    return count.processes >= MOST_PROCESSES ||
           (limits->memory && count.pages > limits->memory / page);
}

// As process 1 this reaches all and needs one round; as their adopter, children of children
// arrive here when their parents are gone.
static void end_all(void)
{
    bool is_first = getpid() == 1;
    for (;;) {
        if (is_first)
            kill(-1, SIGKILL);
        char path[64], self[16] = "";
        long child;
        if (readlink("/proc/self", self, sizeof self - 1) > 0) {
            snprintf(path, sizeof path, "/proc/%s/task/%s/children", self, self);
            FILE *file = is_first ? NULL : fopen(path, "re");
            while (file && fscanf(file, "%ld", &child) == 1)
                kill((pid_t)child, SIGKILL);
            if (file)
                fclose(file);
        }
        if (waitpid(-1, NULL, 0) < 0 && errno == ECHILD)
            return;
    }
}

static void tell(int answer, struct keeper_end end)
{
    if (write(answer, &end, sizeof end) != sizeof end)
        return; // nobody is there any more
}

void keeper_wait(pid_t program, const struct keeper_limits *limits, int answer)
{
    sigset_t set;
    keeper_signals(&set);
    for (;;) {
        int status;
        pid_t got = waitpid(-1, &status, WNOHANG);
        if (got == program) {
            tell(answer, (struct keeper_end){.status = status});
            break;
        }
        if (got > 0)
            continue; // an orphan
        struct timespec wait = {.tv_nsec = LOOK_MILLISECONDS * 1000000l};
        int number = sigtimedwait(&set, NULL, &wait);
        if (number > 0 && number != SIGCHLD) // without namespaces we are the guard
            kill(program, SIGKILL);
        if (number < 0 && errno == EAGAIN && is_over(limits)) {
            tell(answer, (struct keeper_end){.over_limit = true});
            kill(program, SIGKILL);
        }
    }
    end_all();
}
