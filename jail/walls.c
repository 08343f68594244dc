// SPDX-License-Identifier: Apache-2.0
#include "walls.h"

#include "filter.inc" // from filter.c
#include "jail.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- Namespaces ----

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return good;
}

// Everybody stays who they are.
static bool map_users(uid_t user, gid_t group)
{
    char text[64];
    write_file("/proc/self/setgroups", "deny");
    snprintf(text, sizeof text, "%u %u 1", user, user);
    if (!write_file("/proc/self/uid_map", text))
        return false;
    snprintf(text, sizeof text, "%u %u 1", group, group);
    return write_file("/proc/self/gid_map", text);
}

bool walls_namespaces(void)
{
    uid_t user = geteuid();
    gid_t group = getegid();
    if (unshare(CLONE_NEWPID | CLONE_NEWNS) == 0)
        return true;
    return unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) == 0 && map_users(user, group);
}

// The scratch directory in memory, of limited size, gone with the namespace.
static bool mount_scratch(const struct walls *walls)
{
    char options[96];
    snprintf(options, sizeof options, "size=%lu,nr_inodes=8192,mode=700", walls->scratch_size);
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("scratch", walls->scratch, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0;
}

// ---- Limits ----

static void lower_limit(int which, rlim_t value)
{
    struct rlimit limit;
    if (getrlimit(which, &limit) != 0)
        return;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > value)
        limit.rlim_max = value;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(which, &limit);
}

bool walls_place_program(int fd)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return false;
    if (limit.rlim_cur <= JAIL_PROGRAM_FD) {
        limit.rlim_cur = JAIL_PROGRAM_FD + 1;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
            return false;
    }
    if (fd == JAIL_PROGRAM_FD)
        return true;
    bool good = dup3(fd, JAIL_PROGRAM_FD, O_CLOEXEC) == JAIL_PROGRAM_FD;
    close(fd);
    return good;
}

static void close_others(const struct walls *walls)
{
    for (int fd = 3; fd < JAIL_PROGRAM_FD; fd++) {
        bool is_kept = false;
        for (unsigned i = 0; i < walls->kept; i++)
            is_kept |= walls->keep[i] == fd;
        if (!is_kept)
            close(fd);
    }
    close_range(JAIL_PROGRAM_FD + 1, ~0u, 0);
}

static void drop_capabilities(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {0};
    for (int i = 0; i < 64 && (prctl(PR_CAPBSET_DROP, i, 0, 0, 0) == 0 || errno == EPERM); i++)
        ;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    syscall(SYS_capset, &header, none);
}

static void reset_signals(void)
{
    sigset_t none;
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN); // a write beyond the limit fails instead
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// ---- Landlock ----

// Rights by the version that brought them; headers may be older than the kernel.
#define FS_WRITE_RIGHTS 0x1ff2ull    // write_file, remove_*, make_*
#define FS_REFER        (1ull << 13) // version 2
#define FS_TRUNCATE     (1ull << 14) // version 3
#define FS_IOCTL_DEVICE (1ull << 15) // version 5
#define FS_FILE_RIGHTS  (0x2ull | FS_TRUNCATE | FS_IOCTL_DEVICE)

struct ruleset_attributes { // struct landlock_ruleset_attr, as of version 6
    uint64_t fs, net, scoped;
};

static long landlock_version(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static bool allow_writes(int rules, const char *path, uint64_t rights)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = rights};
    struct stat info;
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return false;
    if (fstat(rule.parent_fd, &info) == 0 && !S_ISDIR(info.st_mode))
        rule.allowed_access &= FS_FILE_RIGHTS;
    bool good = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(rule.parent_fd);
    return good;
}

static bool enter_landlock(long version)
{
    struct ruleset_attributes handled = {.fs = FS_WRITE_RIGHTS};
    handled.fs |= (version >= 2 ? FS_REFER : 0) | (version >= 3 ? FS_TRUNCATE : 0) |
                  (version >= 5 ? FS_IOCTL_DEVICE : 0);
    handled.net = version >= 4 ? 3 : 0;    // bind, connect
    handled.scoped = version >= 6 ? 3 : 0; // abstract sockets, signals
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0);
    if (rules < 0)
        return false;
    bool good = allow_writes(rules, ".", handled.fs); // we are in the scratch directory
    allow_writes(rules, "/dev/null", handled.fs);     // may be missing in a container
    good = good && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return good;
}

// ---- The filter ----

static bool install(const struct sock_filter *code, size_t count)
{
    struct sock_fprog program = {(unsigned short)count, (struct sock_filter *)code};
    // Without the flag older kernels switch speculation off and targets run slower.
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                   &program) == 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#define INSTALL(filter) install(filter, sizeof(filter) / sizeof *(filter))

// ---- All of it ----

const char *walls_raise(const struct walls *walls)
{
    long version = landlock_version();
    setpgid(0, 0); // or a signal to its group would reach the guard
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    write_file("/proc/self/oom_score_adj", "1000");
    if (walls->apart)
        mount_scratch(walls); // walls_probe tells whether it can
    if (chdir(walls->scratch) != 0)
        return walls->scratch;
    close_others(walls);
    reset_signals();
    lower_limit(RLIMIT_CORE, 0);
    lower_limit(RLIMIT_NPROC, 4096);
    lower_limit(RLIMIT_MEMLOCK, 0);
    if (walls->file_size)
        lower_limit(RLIMIT_FSIZE, walls->file_size);
    drop_capabilities();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return "no_new_privs";
    if (version >= 1 && !enter_landlock(version))
        return "Landlock";
    lower_limit(RLIMIT_NOFILE, JAIL_PROGRAM_FD);
    if (!(version >= 1 ? INSTALL(filter_with_landlock) : INSTALL(filter_without_landlock)))
        return errno == EINVAL || errno == ENOSYS ? NULL : "the system call filter";
    return NULL;
}

// In a child: namespaces cannot be left again.
static bool can(bool (*layer)(void))
{
    pid_t child = fork();
    int status = 1;
    if (child == 0)
        _exit(!layer());
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool can_mount(void)
{
    struct walls walls = {.scratch = "/tmp", .scratch_size = 1 << 20};
    if (!walls_namespaces())
        return false;
    pid_t child = fork();
    int status = 1;
    if (child == 0)
        _exit(!mount_scratch(&walls));
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool can_filter(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && INSTALL(filter_with_landlock);
}

void walls_probe(void)
{
    fflush(stdout);
    printf("landlock %ld\n", landlock_version() < 0 ? 0 : landlock_version());
    printf("namespaces %d\n", can(walls_namespaces));
    printf("scratch %d\n", can(can_mount));
    printf("filter %d\n", can(can_filter));
}
