// SPDX-License-Identifier: Apache-2.0
// A replay program holds code under test, as a target does: it runs in the jail.
#include "replay/replay_internal.h"

#include "base/alias.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/jail_command.h"
#include "base/tunables.h"
#include "base/vec.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static const uint64_t most_files = (uint64_t)REPLAY_FILES_MB << 20;
static const uint64_t most_memory = (uint64_t)REPLAY_MEMORY_MB << 20;

// Without a jail nobody opens the file for it: it inherits ours.
static int open_profile(const char *path)
{
    int fd = path && !jail_is_on() ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
    return fd;
}

bool replay_process(const char *const *argv, const char *scratch, const char *profile,
                    const struct proc_options *options, struct proc_result *result,
                    struct error *err)
{
    if (!fs_make_dirs(scratch, err))
        return false;
    char *directory = alias_absolute(scratch);
    if (!directory)
        return error_errno(err, "cannot find %s", scratch);
    struct jail jail = {.scratch = directory,
                        .scratch_size = most_files,
                        .file_size = most_files,
                        .memory = most_memory,
                        .output = profile};
    struct jail_command command;
    struct buf temporary = BUF_INIT, descriptor = BUF_INIT;
    VEC(const char *) env = {0};
    int fd = open_profile(profile);
    buf_printf(&temporary, "TMPDIR=%s", directory);
    buf_printf(&descriptor, "CADENZA_PROFILE_FD=%d", jail_is_on() ? JAIL_OUTPUT_FD : fd);
    *VEC_PUSH(&env) = temporary.data;
    *VEC_PUSH(&env) = profile ? descriptor.data : "CADENZA_PROFILE_FD=";
    for (const char *const *more = options->env; more && *more; more++)
        *VEC_PUSH(&env) = *more;
    *VEC_PUSH(&env) = NULL;
    struct proc_options all = *options;
    all.directory = directory;
    all.env = env.items;
    all.jailed = true;
    bool good = jail_command(&jail, argv, &command, err);
    if (good)
        good = proc_run(command.argv.items, &all, result, err);
    jail_command_release(&command);
    if (fd >= 0)
        close(fd);
    VEC_RELEASE(&env);
    buf_release(&temporary);
    buf_release(&descriptor);
    free(directory);
    return good;
}
