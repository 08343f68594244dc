// SPDX-License-Identifier: Apache-2.0
// Three layers, each of which may be missing in a kernel: resource limits,
// Landlock (what may be written where) and a seccomp filter (what may be called).
//
// The filter is a deny list that answers EPERM: the code under test sees a failing
// call, as it would on a locked-down machine, and goes on. Landlock knows nothing of
// modes, owners and times, so the filter also denies their system calls. Without
// Landlock it denies every call that removes or renames as well; plain writes
// are then possible and the note says so. RLIMIT_AS is never set: the shadow memory
// reserves tens of terabytes.
#define _GNU_SOURCE 1
#include "sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined __i386__
#define THIS_ARCH AUDIT_ARCH_I386
#elif defined __aarch64__
#define THIS_ARCH AUDIT_ARCH_AARCH64
#else
#error "the sandbox knows x86-64, i386 and AArch64"
#endif

#define MAX_FILTER 320

// Landlock rights by the version that brought them; headers may be older than the kernel.
#define FS_WRITE_RIGHTS 0x1ff2ull    // write_file, remove_*, make_*
#define FS_EXECUTE 0x1ull
#define FS_REFER (1ull << 13)        // version 2
#define FS_TRUNCATE (1ull << 14)     // version 3
#define FS_IOCTL_DEVICE (1ull << 15) // version 5
#define FS_FILE_RIGHTS (0x3ull | FS_TRUNCATE | FS_IOCTL_DEVICE)

struct ruleset_attributes { // struct landlock_ruleset_attr, as of version 6
    uint64_t fs, net, scoped;
};

struct filter {
    struct sock_filter code[MAX_FILTER];
    unsigned short count;
};

static void emit(struct filter *filter, struct sock_filter instruction)
{
    if (filter->count < MAX_FILTER)
        filter->code[filter->count++] = instruction;
}

static void load(struct filter *filter, size_t offset)
{
    emit(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void give(struct filter *filter, uint32_t verdict)
{
    emit(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, verdict));
}

// Needs the system call number in the accumulator.
static void deny(struct filter *filter, long number)
{
    emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1));
    give(filter, SECCOMP_RET_ERRNO | EPERM);
}

static void begin(struct filter *filter)
{
    filter->count = 0;
    load(filter, offsetof(struct seccomp_data, arch));
    emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0));
    give(filter, SECCOMP_RET_ERRNO | EPERM);
    load(filter, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__ // the x32 interface has numbers of its own
    emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1));
    give(filter, SECCOMP_RET_ERRNO | EPERM);
#endif
}

static bool install(struct filter *filter)
{
    give(filter, SECCOMP_RET_ALLOW);
    struct sock_fprog program = { filter->count, filter->code };
    if (filter->count == MAX_FILTER || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    // Without the flag older kernels switch speculation off and targets run slower.
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

// Other programs, the network, other processes, the machine, timers whose signal
// would arrive in the middle of a later run.
static const int always_denied[] = {
    SYS_execve, SYS_execveat, SYS_socket, SYS_socketpair, SYS_bind, SYS_connect, SYS_listen,
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_open, SYS_pidfd_send_signal,
    SYS_io_uring_setup, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl, SYS_add_key,
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_reboot,
    SYS_swapon, SYS_swapoff, SYS_init_module, SYS_finit_module, SYS_delete_module,
    SYS_kexec_load, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_sethostname,
    SYS_setdomainname, SYS_acct, SYS_quotactl, SYS_syslog, SYS_vhangup,
    SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid,
    SYS_setgroups, SYS_capset, SYS_setpriority, SYS_personality,
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr,
    SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
    SYS_setitimer, SYS_timer_create,
    SYS_shmget, SYS_shmctl, SYS_semget, SYS_semctl, SYS_msgget, SYS_msgctl, SYS_mq_open,
    SYS_mq_unlink,
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_alarm,
    SYS_iopl, SYS_ioperm,
#endif
#ifdef __i386__ // older and newer doors to the same rooms
    SYS_socketcall, SYS_ipc, SYS_umount, SYS_stime, SYS_clock_settime64, SYS_utimensat_time64,
    SYS_setuid32, SYS_setgid32, SYS_setreuid32, SYS_setregid32, SYS_setresuid32, SYS_setresgid32,
    SYS_setgroups32, SYS_chown32, SYS_lchown32, SYS_fchown32, SYS_vm86, SYS_vm86old,
#endif
};

static const int denied_without_landlock[] = {
    SYS_unlinkat, SYS_renameat, SYS_renameat2, SYS_mkdirat, SYS_mknodat, SYS_linkat,
    SYS_symlinkat, SYS_truncate,
#ifdef SYS_unlink
    SYS_unlink, SYS_rename, SYS_mkdir, SYS_rmdir, SYS_mknod, SYS_link, SYS_symlink, SYS_creat,
#endif
#ifdef __i386__
    SYS_truncate64,
#endif
};

static bool install_deny_list(bool has_landlock, bool forbid_threads)
{
    struct filter filter;
    begin(&filter);
    for (size_t i = 0; i < sizeof always_denied / sizeof *always_denied; i++)
        deny(&filter, always_denied[i]);
    if (!has_landlock)
        for (size_t i = 0; i < sizeof denied_without_landlock / sizeof(int); i++)
            deny(&filter, denied_without_landlock[i]);
    if (forbid_threads) {
        deny(&filter, SYS_clone);
        deny(&filter, SYS_clone3);
    }
    return install(&filter);
}

bool czrt_sandbox_self_signals(void)
{
    static const int senders[] = { SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo };
    struct filter filter;
    begin(&filter);
    deny(&filter, SYS_tkill);
    for (size_t i = 0; i < sizeof senders / sizeof *senders; i++) {
        emit(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)senders[i], 0, 4));
        load(&filter, offsetof(struct seccomp_data, args[0]));
        emit(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 1, 0));
        give(&filter, SECCOMP_RET_ERRNO | EPERM);
        give(&filter, SECCOMP_RET_ALLOW);
    }
    return install(&filter);
}

static bool allow_writes(int rules, const char *path, uint64_t rights)
{
    struct landlock_path_beneath_attr rule = { .allowed_access = rights };
    struct stat info;
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return false;
    if (fstat(rule.parent_fd, &info) == 0 && !S_ISDIR(info.st_mode))
        rule.allowed_access &= FS_FILE_RIGHTS;
    bool ok = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(rule.parent_fd);
    return ok;
}

static long landlock_version(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

bool czrt_sandbox_scopes_signals(void)
{
    return landlock_version() >= 6;
}

static bool enter_landlock(const struct czrt_sandbox *limits, char *note, size_t note_size)
{
    long version = landlock_version();
    if (version < 1) {
        snprintf(note, note_size, "the kernel has no Landlock: files outside the scratch directory "
                                  "can be written, though not removed or renamed");
        return false;
    }
    struct ruleset_attributes handled = { .fs = FS_WRITE_RIGHTS | FS_EXECUTE };
    handled.fs |= (version >= 2 ? FS_REFER : 0) | (version >= 3 ? FS_TRUNCATE : 0) |
                  (version >= 5 ? FS_IOCTL_DEVICE : 0);
    handled.net = version >= 4 ? 3 : 0;    // bind, connect
    handled.scoped = version >= 6 ? 3 : 0; // abstract sockets, signals
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0);
    bool ok = rules >= 0;
    uint64_t rights = handled.fs & ~FS_EXECUTE;
    for (int i = 0; ok && i < 4 && limits->writable[i]; i++)
        ok = allow_writes(rules, limits->writable[i], rights);
    if (ok)
        allow_writes(rules, "/dev/null", rights); // may be missing in a container
    ok = ok && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    if (!ok)
        snprintf(note, note_size, "Landlock failed: %s", strerror(errno));
    if (rules >= 0)
        close(rules);
    return ok;
}

static void lower_limit(int which, rlim_t value)
{
    struct rlimit limit;
    if (getrlimit(which, &limit) != 0)
        return;
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < value)
        value = limit.rlim_max;
    limit.rlim_cur = value;
    // The hard CPU limit kills; one second more lets a SIGXCPU handler finish.
    limit.rlim_max = which == RLIMIT_CPU && limit.rlim_max > value ? value + 1 : value;
    setrlimit(which, &limit);
}

bool czrt_sandbox_enter(const struct czrt_sandbox *limits, char *note, size_t note_size)
{
    note[0] = 0;
    lower_limit(RLIMIT_CORE, 0);
    lower_limit(RLIMIT_NPROC, 4096);
    lower_limit(RLIMIT_NOFILE, 1024);
    if (limits->file_size)
        lower_limit(RLIMIT_FSIZE, limits->file_size);
    if (limits->cpu_seconds)
        lower_limit(RLIMIT_CPU, limits->cpu_seconds);
    bool has_landlock = enter_landlock(limits, note, note_size);
    if (!install_deny_list(has_landlock, limits->forbid_threads)) {
        size_t used = strlen(note);
        snprintf(note + used, note_size - used, "%sthe system call filter failed: %s",
                 used ? "; " : "", strerror(errno));
        return false;
    }
    return true;
}
