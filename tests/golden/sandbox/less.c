// SPDX-License-Identifier: Apache-2.0
// less LAYERS COMMAND...: runs a command on a kernel that seems to lack n (namespaces), l (Landlock).
#include <errno.h>
#include <seccomp.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (argc < 3 || !filter)
        return 2;
    seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ALLOW);
    if (strchr(argv[1], 'n'))
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), 0);
    for (int number = 444; strchr(argv[1], 'l') && number < 447; number++)
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), number, 0);
    if (seccomp_load(filter) != 0)
        return 2;
    execvp(argv[2], argv + 2);
    return 127;
}
