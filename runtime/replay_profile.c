// SPDX-License-Identifier: Apache-2.0
// The coverage profile of the tests. LLVM's profile runtime would write it at exit()
// with the C library's heap and streams - which a crashing test may have ruined, and
// whose locks it may hold. Instead the child copies its counters into memory that it
// shares with its parent, however it ends; the parent adds them to its own and
// writes them at its end to the descriptor that CADENZA_PROFILE_FD names (the jail has opened it),
// or when it is run by hand to the file that LLVM_PROFILE_FILE names, if any.
//
// In a build without coverage the weak functions are not there and nothing happens.
#define _GNU_SOURCE 1
#include "replay_runtime.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Defining this keeps the runtime's own handlers out of the executable.
int __llvm_profile_runtime;

uint64_t __llvm_profile_get_size_for_buffer(void) __attribute__((weak));
int __llvm_profile_write_buffer(char *) __attribute__((weak));
int __llvm_profile_merge_from_buffer(const char *, uint64_t) __attribute__((weak));
void __llvm_profile_reset_counters(void) __attribute__((weak));

static char *shared; // of one test
static uint64_t shared_size;

void replay_profile_init(void)
{
    if (!__llvm_profile_write_buffer || !__llvm_profile_merge_from_buffer)
        return;
    shared_size = __llvm_profile_get_size_for_buffer();
    shared = mmap(NULL, shared_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        shared = NULL;
}

// What the parent has gathered must not be counted again.
void replay_profile_begin(void)
{
    if (shared && __llvm_profile_reset_counters)
        __llvm_profile_reset_counters();
}

void replay_profile_save(void)
{
    replay_running = false;
    if (shared && !replay_report->profiled && __llvm_profile_write_buffer(shared) == 0)
        replay_report->profiled = true;
}

void replay_profile_gather(void)
{
    if (shared && replay_report->profiled)
        __llvm_profile_merge_from_buffer(shared, shared_size);
}

static bool write_all(int fd, const char *bytes, uint64_t size)
{
    while (size) {
        ssize_t done = write(fd, bytes, size);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            bytes += done;
            size -= (uint64_t)done;
        }
    }
    return true;
}

static int given_descriptor(void)
{
    const char *given = getenv("CADENZA_PROFILE_FD");
    return given && *given ? atoi(given) : -1;
}

// %m and %p of a name would be a signature and the process: several processes may
// run the tests of one folder.
static int open_named(void)
{
    const char *pattern = getenv("LLVM_PROFILE_FILE"),
               *percent = pattern ? strchr(pattern, '%') : NULL;
    char path[4096];
    if (!pattern || !*pattern)
        return -1;
    if (percent && (percent[1] == 'm' || percent[1] == 'p'))
        snprintf(path, sizeof path, "%.*s%d%s", (int)(percent - pattern), pattern, (int)getpid(),
                 percent + 2);
    else
        snprintf(path, sizeof path, "%s", pattern);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        fprintf(stderr, "replay: cannot write %s: %s\n", path, strerror(errno));
    return fd;
}

bool replay_profile_write(void)
{
    const char *name = getenv("LLVM_PROFILE_FILE");
    int fd = given_descriptor();
    if (!shared || (fd < 0 && (!name || !*name)))
        return true;
    if (fd < 0)
        fd = open_named();
    bool good =
        fd >= 0 && __llvm_profile_write_buffer(shared) == 0 && write_all(fd, shared, shared_size);
    if (fd >= 0 && !good)
        fprintf(stderr, "replay: cannot write the profile: %s\n", strerror(errno));
    return good;
}

void replay_profile_ignore(void)
{
    shared = NULL;
}

void replay_profile_forget(void)
{
    if (given_descriptor() >= 0)
        close(given_descriptor());
}
