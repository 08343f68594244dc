// SPDX-License-Identifier: Apache-2.0
// Cadenza's jail keeps the code under test from doing harm (jail/jail.h). What is left here is the
// case of a kernel without namespaces and without Landlock 6.
#define _GNU_SOURCE 1
#include "own_signals.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
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

#define MAX_FILTER 64

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
    struct sock_fprog program = {filter->count, filter->code};
    if (filter->count == MAX_FILTER || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    // Without the flag older kernels switch speculation off and targets run slower.
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                   &program) == 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

bool czrt_signals_are_scoped(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 6;
}

bool czrt_signals_only_to_self(void)
{
    static const int senders[] = {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo};
    struct filter filter;
    begin(&filter);
    deny(&filter, SYS_tkill);
    for (size_t i = 0; i < sizeof senders / sizeof *senders; i++) {
        emit(&filter,
             (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)senders[i], 0, 4));
        load(&filter, offsetof(struct seccomp_data, args[0]));
        emit(&filter,
             (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 1, 0));
        give(&filter, SECCOMP_RET_ERRNO | EPERM);
        give(&filter, SECCOMP_RET_ALLOW);
    }
    return install(&filter);
}
