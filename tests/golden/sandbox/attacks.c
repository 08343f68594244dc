// SPDX-License-Identifier: Apache-2.0
// What code under test might do to others. An attack is a row: how the world outside is reached.
// VICTIMS is a directory with, for each part of a run (CELL below), a directory of files that are
// named after the attacks, and a file with the number of a process. Whether harm was done is seen
// from outside, and that the attacks took place by the pipe `ran`; as a program of its own it also
// prints what each call thought.
//
// Calls go to the kernel directly: nothing of the C library is modelled or wrapped here.
#define _GNU_SOURCE 1
#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef VICTIMS
#define VICTIMS "/nonexistent"
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static char victim[600], beside[600], cell[500];
static long process; // outside

static int read_only(void) { return (int)syscall(SYS_open, victim, O_RDONLY, 0); }
static int opens(const char *path, int flags)
{
    int fd = (int)syscall(SYS_open, path, flags, 0644);
    if (fd >= 0)
        syscall(SYS_write, fd, "harm", 4);
    return fd >= 0;
}
static int by_link(void)
{
    syscall(SYS_symlink, victim, "way-out");
    return opens("way-out", O_WRONLY | O_TRUNC);
}
static int reopened(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", read_only());
    return opens(path, O_RDWR);
}
static int opens2(void)
{
    struct open_how how = { .flags = O_WRONLY | O_TRUNC };
    return syscall(SYS_openat2, AT_FDCWD, victim, &how, sizeof how) >= 0;
}
static int linked_in(void) // a second name inside, then a write
{
    return syscall(SYS_link, victim, "mine") == 0 && opens("mine", O_WRONLY | O_TRUNC);
}
static int flags_of_inode(void)
{
    int flags = 0x10 /* FS_IMMUTABLE_FL */ | 0x40;
    return syscall(SYS_ioctl, read_only(), FS_IOC_SETFLAGS, &flags) == 0;
}
static int project_of_inode(void)
{
    struct fsxattr x = { .fsx_xflags = 0x40 };
    return syscall(SYS_ioctl, read_only(), FS_IOC_FSSETXATTR, &x) == 0;
}
static int limits_of(long who)
{
    struct rlimit limit = { 1, 1 };
    return syscall(SYS_prlimit64, who, RLIMIT_CPU, &limit, NULL) == 0;
}
static int affinity_of(long who)
{
    unsigned long mask = 1;
    return syscall(SYS_sched_setaffinity, who, sizeof mask, &mask) == 0;
}
static int scheduler_of(long who, int policy)
{
    struct sched_param parameter = { 0 };
    return syscall(SYS_sched_setscheduler, who, policy, &parameter) == 0;
}
static int attributes_of(long who)
{
    struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t rest[3]; } a = {
        .size = 48, .policy = SCHED_BATCH, .nice = 5 };
    return syscall(SYS_sched_setattr, who, &a, 0) == 0;
}
static int writes_memory(long who)
{
    char text[] = "harm";
    struct iovec from = { text, 4 }, to = { (void *)0x400000, 4 };
    return syscall(SYS_process_vm_writev, who, &from, 1, &to, 1, 0) >= 0 || errno != EPERM;
}
static int memory_file(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/mem", process);
    return syscall(SYS_open, path, O_RDWR, 0) >= 0;
}
static int score_file(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/oom_score_adj", process);
    return opens(path, O_WRONLY);
}
static int own_score(void) { return opens("/proc/self/oom_score_adj", O_WRONLY); }
static int queued(long number, int thread)
{
    siginfo_t info = { .si_signo = SIGUSR1, .si_code = SI_QUEUE };
    return thread ? syscall(number, process, process, SIGUSR1, &info) == 0
                  : syscall(number, process, SIGUSR1, &info) == 0;
}
static int handle(void)
{
    int fd = (int)syscall(SYS_pidfd_open, process, 0);
    return fd >= 0 && syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0) == 0;
}
static int by_descriptor_owner(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return 0;
    return fcntl(ends[0], F_SETOWN, (int)process) == 0;
}
static int has_socket(int family, int kind) { return syscall(SYS_socket, family, kind, 0) >= 0; }
static int pair(void)
{
    int ends[2];
    return syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, ends) == 0;
}
// In a child: success would end us.
static int runs(long number)
{
    char *argv[] = { "touch", beside, NULL }, *none[] = { NULL };
    int status = 0;
    long child = syscall(SYS_fork);
    if (child == 0) {
        if (number == SYS_execve)
            syscall(SYS_execve, "/bin/touch", argv, none);
        else
            syscall(SYS_execveat, AT_FDCWD, "/bin/touch", argv, none, 0);
        int fd = (int)syscall(SYS_open, "/bin/touch", O_RDONLY, 0);
        syscall(SYS_dup2, fd, 1023);
        syscall(SYS_execveat, 1023, "", argv, none, AT_EMPTY_PATH);
        syscall(SYS_execveat, fd, "", argv, none, AT_EMPTY_PATH);
        syscall(SYS_exit_group, 9);
    }
    return child < 0 || (syscall(SYS_wait4, child, &status, 0, NULL) == child && status >> 8 != 9);
}
static int own_name(void) // the same one: no harm even without a sandbox
{
    char name[64] = "";
    FILE *file = fopen("/proc/sys/kernel/hostname", "r");
    if (!file || !fgets(name, sizeof name, file))
        return 0;
    return syscall(SYS_sethostname, name, strcspn(name, "\n")) == 0;
}
static int may(long result, int otherwise) { return result >= 0 || errno == otherwise; }
static int listens(void)
{
    struct { uint32_t type, key, value, entries, flags; } map = { 2, 4, 4, 1, 0 };
    return syscall(SYS_bpf, 0, &map, sizeof map) >= 0;
}
static int counts(void)
{
    struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE, .size = sizeof a };
    return syscall(SYS_perf_event_open, &a, 0, -1, -1, 0) >= 0;
}
static int rings(void)
{
    char parameters[120] = { 0 };
    return syscall(SYS_io_uring_setup, 1, parameters) >= 0;
}
static int wakes(void)
{
    struct itimerval later = { .it_value.tv_sec = 1000 };
    return syscall(SYS_setitimer, ITIMER_REAL, &later, NULL) == 0;
}
static int timers(void)
{
    int id;
    return syscall(SYS_timer_create, CLOCK_MONOTONIC, NULL, &id) == 0;
}
static int by_old_door(void) // the 32-bit system calls of a 64-bit process
{
#ifdef __x86_64__
    static char low[16];
    long result;
    // Its pointers have 32 bits, so the path is one that can be reached by them, if any.
    if ((uintptr_t)low >> 32)
        return 0;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(102L), "b"(1L), "c"(low) : "memory"); // socketcall
    return result >= 0;
#else
    return 0;
#endif
}
static int by_x32(void)
{
    return syscall(0x40000000 + SYS_socket, AF_INET, SOCK_STREAM, 0) >= 0;
}
static int leaves_child(int session)
{
    long child = syscall(SYS_fork);
    if (child == 0) {
        if (session)
            syscall(SYS_setsid);
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        struct timespec long_time = { .tv_sec = 3977 };
        for (;;)
            syscall(SYS_nanosleep, &long_time, NULL);
    }
    return 0; // seen from outside: is it still there?
}
static int leaves_grandchild(void)
{
    int status;
    long child = syscall(SYS_fork);
    if (child == 0) {
        leaves_child(1);
        syscall(SYS_exit_group, 0);
    }
    syscall(SYS_wait4, child, &status, 0, NULL);
    return 0;
}
static int stops(void)
{
    syscall(SYS_kill, syscall(SYS_getpid), SIGSTOP);
    return 0; // we are still here
}
static int new_flags(void)
{
    int status;
    long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        syscall(SYS_exit_group, 0);
    if (child > 0)
        syscall(SYS_wait4, child, &status, 0, NULL);
    return child > 0;
}
static int new_struct(void)
{
    struct { uint64_t flags, pidfd, child, parent, signal, stack, size, tls; } a = { .flags = CLONE_NEWUSER,
                                                                                     .signal = SIGCHLD };
    int status;
    long child = syscall(SYS_clone3, &a, sizeof a);
    if (child == 0)
        syscall(SYS_exit_group, 0);
    if (child > 0)
        syscall(SYS_wait4, child, &status, 0, NULL);
    return child > 0;
}
static int others_file(const char *path) { return opens(path, O_WRONLY | O_CREAT); }

#define TIMES (struct timespec[2]){ { 1, 0 }, { 1, 0 } }
#define ATTACKS(A) \
    A(unlink, syscall(SYS_unlink, victim) == 0) \
    A(unlinkat, syscall(SYS_unlinkat, AT_FDCWD, victim, 0) == 0) \
    A(write, opens(victim, O_WRONLY)) \
    A(write_both_ways, opens(victim, O_RDWR)) \
    A(append, opens(victim, O_WRONLY | O_APPEND)) \
    A(open_truncates, syscall(SYS_open, victim, O_RDONLY | O_TRUNC, 0) >= 0) \
    A(openat2, opens2()) \
    A(creat, syscall(SYS_creat, beside, 0644) >= 0) \
    A(temporary, syscall(SYS_open, cell, O_TMPFILE | O_RDWR, 0600) >= 0) \
    A(rename, syscall(SYS_rename, victim, beside) == 0) \
    A(rename_in, syscall(SYS_rename, victim, "stolen") == 0) \
    A(renameat2, syscall(SYS_renameat2, AT_FDCWD, victim, AT_FDCWD, beside, 0) == 0) \
    A(truncate, syscall(SYS_truncate, victim, 0) == 0) \
    A(link, syscall(SYS_link, victim, beside) == 0) \
    A(link_in, linked_in()) \
    A(symlink, syscall(SYS_symlink, "x", beside) == 0) \
    A(through_symlink, by_link()) \
    A(through_proc, reopened()) \
    A(mkdir, syscall(SYS_mkdir, beside, 0755) == 0) \
    A(rmdir, syscall(SYS_rmdir, victim) == 0 || errno == ENOTDIR) \
    A(mknod, syscall(SYS_mknod, beside, S_IFIFO | 0600, 0) == 0) \
    A(chmod, syscall(SYS_chmod, victim, 0) == 0) \
    A(fchmod, syscall(SYS_fchmod, read_only(), 0) == 0) \
    A(fchmodat, syscall(SYS_fchmodat, AT_FDCWD, victim, 0) == 0) \
    A(fchmodat2, syscall(SYS_fchmodat2, AT_FDCWD, victim, 0, 0) == 0) \
    A(chown, syscall(SYS_chown, victim, 65534, 65534) == 0) \
    A(fchown, syscall(SYS_fchown, read_only(), 65534, 65534) == 0) \
    A(lchown, syscall(SYS_lchown, victim, 65534, 65534) == 0) \
    A(fchownat, syscall(SYS_fchownat, AT_FDCWD, victim, 65534, 65534, 0) == 0) \
    A(utimensat, syscall(SYS_utimensat, AT_FDCWD, victim, TIMES, 0) == 0) \
    A(futimens, syscall(SYS_utimensat, read_only(), NULL, TIMES, 0) == 0) \
    A(utimes, syscall(SYS_utimes, victim, TIMES) == 0) \
    A(setxattr, syscall(SYS_setxattr, victim, "user.harm", "x", 1, 0) == 0) \
    A(lsetxattr, syscall(SYS_lsetxattr, victim, "user.harm", "x", 1, 0) == 0) \
    A(fsetxattr, syscall(SYS_fsetxattr, read_only(), "user.harm", "x", 1, 0) == 0) \
    A(removexattr, may(syscall(SYS_removexattr, victim, "user.harm"), ENODATA)) \
    A(inode_flags, flags_of_inode()) \
    A(inode_project, project_of_inode()) \
    A(shared_memory_file, others_file("/dev/shm/cadenza-harm")) \
    A(temporary_file, others_file("/tmp/cadenza-harm")) \
    A(mount, syscall(SYS_mount, "none", cell, "tmpfs", 0, NULL) == 0) \
    A(bind_mount, syscall(SYS_mount, ".", cell, NULL, MS_BIND, NULL) == 0) \
    A(umount, may(syscall(SYS_umount2, cell, 0), EINVAL)) \
    A(chroot, syscall(SYS_chroot, ".") == 0) \
    A(kill, syscall(SYS_kill, process, SIGUSR1) == 0) \
    A(tkill, syscall(SYS_tkill, process, SIGUSR1) == 0) \
    A(tgkill, syscall(SYS_tgkill, process, process, SIGUSR1) == 0) \
    A(sigqueue, queued(SYS_rt_sigqueueinfo, 0)) \
    A(tgsigqueue, queued(SYS_rt_tgsigqueueinfo, 1)) \
    A(pidfd, handle()) \
    A(descriptor_owner, by_descriptor_owner()) \
    A(ptrace, may(syscall(SYS_ptrace, 0x4206 /* SEIZE */, process, 0, 0), ESRCH)) \
    A(vm_writev, writes_memory(process)) \
    A(memory_file, memory_file()) \
    A(score_file, score_file()) \
    A(own_score, own_score()) \
    A(prlimit, limits_of(process)) \
    A(affinity, affinity_of(process)) \
    A(own_affinity, affinity_of(0)) \
    A(scheduler, scheduler_of(process, SCHED_IDLE)) \
    A(own_scheduler, scheduler_of(0, SCHED_IDLE)) \
    A(scheduler_attributes, attributes_of(process)) \
    A(priority, syscall(SYS_setpriority, PRIO_PROCESS, process, 5) == 0) \
    A(io_priority, syscall(SYS_ioprio_set, 1, process, 3 << 13) == 0) \
    A(kcmp, may(syscall(SYS_kcmp, process, process, 0, 0, 0), ESRCH)) \
    A(migrate, may(syscall(SYS_migrate_pages, process, 0, NULL, NULL), ESRCH)) \
    A(namespace, may(syscall(SYS_setns, read_only(), 0), EINVAL)) \
    A(inet, has_socket(AF_INET, SOCK_STREAM)) \
    A(inet6, has_socket(AF_INET6, SOCK_DGRAM)) \
    A(unix_socket, has_socket(AF_UNIX, SOCK_STREAM)) \
    A(netlink, has_socket(AF_NETLINK, SOCK_RAW)) \
    A(socketpair, pair()) \
    A(execve, runs(SYS_execve)) \
    A(execveat, runs(SYS_execveat)) \
    A(unshare, syscall(SYS_unshare, CLONE_NEWUSER) == 0) \
    A(clone_namespace, new_flags()) \
    A(clone3_namespace, new_struct()) \
    A(hostname, own_name()) \
    A(accounting, syscall(SYS_acct, NULL) == 0) \
    A(swap, may(syscall(SYS_swapoff, "/nonexistent"), ENOENT)) \
    A(module, may(syscall(SYS_delete_module, "cadenza_harm", 0), ENOENT)) \
    A(kernel_log, syscall(SYS_syslog, 10, NULL, 0) >= 0) \
    A(bpf, listens()) \
    A(perf, counts()) \
    A(io_uring, rings()) \
    A(userfaultfd, syscall(SYS_userfaultfd, 1) >= 0) \
    A(keys, syscall(SYS_add_key, "user", "cadenza-harm", "x", 1, -3) >= 0) \
    A(shm, syscall(SYS_shmget, 0, 4096, 0600) >= 0) \
    A(semaphores, syscall(SYS_semget, 0, 1, 0600) >= 0) \
    A(messages, syscall(SYS_msgget, 0, 0600) >= 0) \
    A(message_queue, syscall(SYS_mq_open, "cadenza-harm", O_CREAT | O_RDWR, 0600, NULL) >= 0) \
    A(lock_memory, syscall(SYS_mlockall, 3) == 0) \
    A(interval_timer, wakes()) \
    A(timer, timers()) \
    A(old_system_calls, by_old_door()) \
    A(x32_system_calls, by_x32()) \
    A(stop, stops()) \
    A(child, leaves_child(0)) \
    A(session, leaves_child(1)) \
    A(grandchild, leaves_grandchild())

static void choose(const char *name)
{
    snprintf(victim, sizeof victim, "%s/%s", cell, name);
    snprintf(beside, sizeof beside, "%s/%s.new", cell, name);
}

#define DO(name, harm) choose(#name), attempt(#name, harm);

static int quiet = 1;

static void attempt(const char *name, int harm)
{
    if (!quiet)
        printf("%s %s\n", name, harm ? "HARM" : "held");
}

// CELL: which executable it is, and the part of its run.
static void attack_all(const char *part)
{
    char program[300] = "", path[560], text[32] = "";
    long length = syscall(SYS_readlink, "/proc/self/exe", program, sizeof program - 1);
    const char *slash = strrchr(program, '/');
    (void)length;
    snprintf(cell, sizeof cell, VICTIMS "/%.200s-%s", slash ? slash + 1 : "unknown", part);
    snprintf(path, sizeof path, VICTIMS "/process");
    int fd = (int)syscall(SYS_open, path, O_RDONLY, 0);
    if (fd < 0 || syscall(SYS_read, fd, text, sizeof text - 1) <= 0)
        return;
    process = atol(text);
    snprintf(path, sizeof path, "%s/ran", cell);
    syscall(SYS_open, path, O_RDONLY | O_NONBLOCK, 0); // a pipe: somebody waits at its other end
    ATTACKS(DO)
}

#ifdef IN_CONSTRUCTOR
__attribute__((constructor)) static void begin(void) { attack_all("constructor"); }
#endif
#ifdef IN_DESTRUCTOR
__attribute__((destructor)) static void finish(void) { attack_all("destructor"); }
#endif

#ifdef ALONE
int main(void)
{
    quiet = 0;
    setvbuf(stdout, NULL, _IONBF, 0);
    attack_all("task");
    return 0;
}
#else
int task(int x)
{
    if (x == 1) {
#ifdef IN_TASK
        attack_all("task");
#endif
        return 1;
    }
    return 0;
}
#endif
