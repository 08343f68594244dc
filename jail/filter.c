// SPDX-License-Identifier: Apache-2.0
// Writes the system call filters of the jail as a C header. It runs when Cadenza is built: making
// the filter with libseccomp takes milliseconds, and a target is started thousands of times.
//
// The list says what is allowed; everything else answers EPERM, as on a locked-down machine,
// and the code under test goes on. What a call may do to files is Landlock's business where the
// kernel has it; `files_without_landlock` are calls that then are too much.
//
// Not allowed, among others: sockets, other programs, tracing, modes, owners and times of files,
// limits and scheduling of other processes, timers whose signal would arrive in a later run.
#include "jail.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

// clang-format off
static const char *const allowed[] = {
    // bytes
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "preadv2", "pwritev2",
    "lseek", "_llseek", "close", "close_range", "dup", "dup2", "dup3", "pipe", "pipe2", "sendfile",
    "sendfile64", "copy_file_range", "splice", "tee", "flock", "fsync", "fdatasync", "ftruncate", "ftruncate64",
    "fallocate", "fadvise64", "fadvise64_64", "readahead",
    // files, as far as Landlock lets them
    "open", "openat", "openat2", "access", "faccessat", "faccessat2", "stat", "lstat", "fstat", "newfstatat",
    "statx", "stat64", "lstat64", "fstat64", "fstatat64", "oldstat", "oldlstat", "oldfstat", "statfs", "fstatfs",
    "statfs64", "fstatfs64", "getdents", "getdents64", "readlink", "readlinkat", "getcwd", "chdir", "fchdir",
    "umask", "getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr",
    // memory
    "brk", "mmap", "mmap2", "munmap", "mprotect", "pkey_alloc", "pkey_free", "pkey_mprotect", "mremap", "madvise",
    "msync", "mincore", "membarrier",
    // waiting
    "select", "_newselect", "pselect6", "pselect6_time64", "poll", "ppoll", "ppoll_time64", "epoll_create",
    "epoll_create1", "epoll_ctl", "epoll_ctl_old", "epoll_wait", "epoll_wait_old", "epoll_pwait", "epoll_pwait2",
    "eventfd", "eventfd2", "signalfd", "signalfd4", "timerfd_create", "timerfd_settime", "timerfd_settime64",
    "timerfd_gettime", "timerfd_gettime64", "nanosleep", "clock_nanosleep", "clock_nanosleep_time64", "pause",
    "futex", "futex_time64", "futex_waitv", "futex_wait", "futex_wake", "futex_requeue", "sched_yield",
    // time
    "time", "gettimeofday", "clock_gettime", "clock_gettime64", "clock_getres", "clock_getres_time64", "times",
    "getitimer", "getrusage", "sysinfo",
    // who am I
    "uname", "olduname", "oldolduname", "getpid", "gettid", "getppid", "getpgrp", "getpgid", "getsid", "getuid",
    "geteuid", "getgid", "getegid", "getresuid", "getresgid", "getgroups", "getuid32", "geteuid32", "getgid32",
    "getegid32", "getresuid32", "getresgid32", "getgroups32", "getcpu", "capget", "getrlimit", "ugetrlimit",
    "getpriority", "ioprio_get", "sched_getaffinity", "sched_getparam", "sched_getscheduler", "sched_getattr",
    "sched_get_priority_max", "sched_get_priority_min", "sched_rr_get_interval", "sched_rr_get_interval_time64",
    "getrandom",
    // processes and threads of its own
    "fork", "vfork", "wait4", "waitid", "waitpid", "exit", "exit_group", "setpgid", "setsid", "setrlimit",
    "set_tid_address", "set_robust_list", "get_robust_list", "rseq", "set_thread_area", "get_thread_area",
    "arch_prctl", "modify_ldt", "restart_syscall",
    // signals; a namespace, Landlock or the runtime keeps them at home
    "rt_sigaction", "rt_sigprocmask", "rt_sigpending", "rt_sigsuspend", "rt_sigtimedwait", "rt_sigtimedwait_time64",
    "rt_sigreturn", "sigaltstack", "sigaction", "sigprocmask", "sigpending", "sigsuspend", "sigreturn", "signal",
    "sgetmask", "ssetmask",
};
// clang-format on

// clang-format off
static const char *const files_without_landlock[] = {
    "creat", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat", "renameat2", "link", "linkat",
    "symlink", "symlinkat", "mknod", "mknodat", "truncate", "truncate64",
};
// clang-format on

// A call with one argument that has to be one of a few values.
static const struct {
    const char *name;
    unsigned argument;
    unsigned values[16];
} choices[] = {
    {"ioctl", 1, {TCGETS, TIOCGWINSZ, TIOCGPGRP, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX}},
    {"fcntl",
     1,
     {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW,
      F_GETPIPE_SZ, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW}},
    {"fcntl64",
     1,
     {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW,
      F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW, 12, 13, 14 /* F_GETLK64 ... */}},
    {"prctl",
     0,
     {PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_GET_SECCOMP,
      PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS, PR_CAPBSET_READ, PR_SET_THP_DISABLE,
      PR_GET_THP_DISABLE, PR_SET_VMA}},
};

static void refuse(const char *what, int error)
{
    fprintf(stderr, "jail filter: %s: %s\n", what, strerror(-error));
    exit(1);
}

// A name that one of the architectures does not have is left out there.
static void allow(scmp_filter_ctx filter, const char *name, unsigned conditions,
                  const struct scmp_arg_cmp *condition)
{
    int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR)
        return; // newer than this libseccomp: stays forbidden
    int error = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, conditions, condition);
    if (error && error != -EDOM)
        refuse(name, error);
}

static void allow_value(scmp_filter_ctx filter, const char *name, unsigned argument, unsigned value)
{
    // The upper half of an int argument may hold anything.
    struct scmp_arg_cmp is = {argument, SCMP_CMP_MASKED_EQ, 0xffffffff, value};
    allow(filter, name, 1, &is);
}

// Nobody would wake what a signal has stopped.
static void allow_signals(scmp_filter_ctx filter)
{
    static const struct {
        const char *name;
        unsigned argument;
    } senders[] = {
        {"kill", 1},
        {"tgkill", 2},
        {"rt_sigqueueinfo", 1},
        {"rt_tgsigqueueinfo", 2},
    };
    _Static_assert(SIGTSTP == SIGSTOP + 1 && SIGTTOU == SIGSTOP + 3,
                   "the signals that stop are neighbours");
    for (size_t i = 0; i < sizeof senders / sizeof *senders; i++) {
        struct scmp_arg_cmp below = {senders[i].argument, SCMP_CMP_LT, SIGSTOP, 0};
        struct scmp_arg_cmp above = {senders[i].argument, SCMP_CMP_GT, SIGTTOU, 0};
        allow(filter, senders[i].name, 1, &below);
        allow(filter, senders[i].name, 1, &above);
    }
}

static void allow_special(scmp_filter_ctx filter)
{
    const scmp_datum_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    struct scmp_arg_cmp no_namespace = {0, SCMP_CMP_MASKED_EQ, namespaces, 0};
    allow(filter, "clone", 1, &no_namespace);
    // The flags of clone3 are in memory, where no filter sees them: the C library takes clone then.
    int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    if (error)
        refuse("clone3", error);
    allow_value(filter, "prlimit64", 0, 0);            // its own
    allow_value(filter, "personality", 0, 0xffffffff); // to ask
    for (unsigned flags = 0; flags <= SECCOMP_FILTER_FLAG_SPEC_ALLOW;
         flags += SECCOMP_FILTER_FLAG_SPEC_ALLOW) {
        struct scmp_arg_cmp more_filter[] = {
            {0, SCMP_CMP_MASKED_EQ, 0xffffffff, SECCOMP_SET_MODE_FILTER},
            {1, SCMP_CMP_MASKED_EQ, 0xffffffff, flags}};
        allow(filter, "seccomp", 2, more_filter);
    }
    // The jail's own last step; see jail.h for why there is never a second one.
    struct scmp_arg_cmp the_program[] = {{0, SCMP_CMP_MASKED_EQ, 0xffffffff, JAIL_PROGRAM_FD},
                                         {4, SCMP_CMP_MASKED_EQ, 0xffffffff, AT_EMPTY_PATH}};
    allow(filter, "execveat", 2, the_program);
}

static void export(scmp_filter_ctx filter, const char *name)
{
    int fd = memfd_create("filter", 0);
    int error = seccomp_export_bpf(filter, fd);
    if (error)
        refuse("export", error);
    struct {
        unsigned short code;
        unsigned char yes, no;
        unsigned k;
    } op;
    printf("static const struct sock_filter %s[] = {\n", name);
    lseek(fd, 0, SEEK_SET);
    while (read(fd, &op, sizeof op) == sizeof op)
        printf("    {0x%x, %u, %u, 0x%x},\n", op.code, op.yes, op.no, op.k);
    printf("};\n");
    close(fd);
}

static void write_filter(const char *name, int has_landlock)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter)
        refuse("init", -ENOMEM);
    seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); // a tree, not a list
    if (seccomp_arch_native() == SCMP_ARCH_X86_64)
        seccomp_arch_add(filter, SCMP_ARCH_X86); // code for 32-bit machines
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        allow(filter, allowed[i], 0, NULL);
    for (size_t i = 0; has_landlock && i < sizeof files_without_landlock / sizeof(char *); i++)
        allow(filter, files_without_landlock[i], 0, NULL);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        for (size_t k = 0; k < 16 && (k == 0 || choices[i].values[k]); k++)
            allow_value(filter, choices[i].name, choices[i].argument, choices[i].values[k]);
    allow_signals(filter);
    allow_special(filter);
    export(filter, name);
    seccomp_release(filter);
}

int main(void)
{
    printf("// Generated by jail/filter.c.\n#include <linux/filter.h>\n");
    write_filter("filter_with_landlock", 1);
    write_filter("filter_without_landlock", 0);
    return ferror(stdout) || fflush(stdout) != 0;
}
