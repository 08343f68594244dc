// SPDX-License-Identifier: Apache-2.0
#include "base/jail_command.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include "base/tunables.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool is_off;

void jail_switch_off(void)
{
    is_off = true;
}

bool jail_is_on(void)
{
    return !is_off;
}

static char *program_path(struct error *err)
{
    char *library = fs_library_dir();
    struct buf path = BUF_INIT;
    buf_printf(&path, "%s/cadenza-jail", library);
    free(library);
    if (access(path.data, X_OK) == 0)
        return path.data;
    error_set(err, ERROR_MISSING,
              "%s is missing, which keeps the code under test from doing harm; run make "
              "again, or give that up with --no-sandbox",
              path.data);
    buf_release(&path);
    return NULL;
}

static void add_number(struct jail_command *out, const char *option, uint64_t value)
{
    struct buf text = BUF_INIT;
    buf_printf(&text, "%llu", (unsigned long long)value);
    *VEC_PUSH(&out->owned) = text.data;
    *VEC_PUSH(&out->argv) = option;
    *VEC_PUSH(&out->argv) = text.data;
}

bool jail_command(const struct jail *jail, const char *const *program, struct jail_command *out,
                  struct error *err)
{
    *out = (struct jail_command){0};
    if (!is_off) {
        char *path = program_path(err);
        if (!path)
            return false;
        *VEC_PUSH(&out->owned) = path;
        *VEC_PUSH(&out->argv) = path;
        *VEC_PUSH(&out->argv) = "--scratch";
        *VEC_PUSH(&out->argv) = jail->scratch;
        add_number(out, "--parent", (uint64_t)getpid());
        add_number(out, "--scratch-size", jail->scratch_size);
        add_number(out, "--file-size", jail->file_size);
        add_number(out, "--memory", jail->memory);
        for (size_t i = 0; i < JAIL_MOST_KEPT && jail->keep[i]; i++)
            add_number(out, "--keep", (uint64_t)jail->keep[i]);
        if (jail->output) {
            *VEC_PUSH(&out->argv) = "--output";
            *VEC_PUSH(&out->argv) = jail->output;
        }
        *VEC_PUSH(&out->argv) = "--";
    }
    for (; *program; program++)
        *VEC_PUSH(&out->argv) = *program;
    *VEC_PUSH(&out->argv) = NULL;
    return true;
}

void jail_command_release(struct jail_command *command)
{
    for (size_t i = 0; i < command->owned.count; i++)
        free(command->owned.items[i]);
    VEC_RELEASE(&command->owned);
    VEC_RELEASE(&command->argv);
}

static long layer(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strtol(at + strlen(name), NULL, 10) : 0;
}

char *jail_missing(void)
{
    struct buf out = BUF_INIT, text = BUF_INIT;
    struct proc_result result;
    char *path = is_off ? NULL : program_path(NULL);
    const char *argv[] = {path, "--probe", NULL};
    struct proc_options options = {.out = &text, .timeout_seconds = BASE_JAIL_PROBE_SECONDS};
    if (path && proc_run(argv, &options, &result, NULL)) {
        const char *found = buf_text(&text);
        long landlock = layer(found, "landlock ");
        bool namespaces = layer(found, "namespaces ");
        if (!layer(found, "filter "))
            buf_puts(&out, "no system call filter: it can reach the network, other programs and "
                           "other processes; ");
        if (!landlock)
            buf_puts(&out, "no Landlock: it can write files outside its scratch directory, though "
                           "not remove or "
                           "rename them; ");
        if (!namespaces)
            buf_puts(&out, "no namespaces: what it starts is ended one by one, and how much it "
                           "writes is limited "
                           "for each file only; ");
        if (!namespaces && landlock < 6)
            buf_puts(&out, "constructors can send signals to other processes of the same user; ");
        if (out.length)
            out.data[out.length - 2] = '\0';
    }
    free(path);
    buf_release(&text);
    return out.data ? out.data : xstrdup("");
}

bool jail_hit_limit(int exit_code)
{
    return !is_off && exit_code == JAIL_LIMIT;
}

void jail_end(int process, int *status)
{
    double deadline = clock_now() + BASE_JAIL_END_SECONDS; // it needs milliseconds
    kill(process, is_off ? SIGKILL : SIGTERM);
    for (;;) {
        pid_t got = waitpid(process, status, is_off ? 0 : WNOHANG);
        if (got == process || (got < 0 && errno != EINTR))
            return;
        if (clock_now() > deadline)
            kill(process, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}
