// SPDX-License-Identifier: Apache-2.0
// Starting programs with posix_spawn and collecting what they print.
#include "base/proc.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/exit_codes.h"
#include "base/interrupt.h"
#include "base/jail_command.h"
#include "base/tunables.h"
#include "base/vec.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

struct stream {
    int fd; // read end, or -1
    struct buf *to;
};

// The child's environment: ours, with `extra` in front so that it wins.
static char **make_environment(const char *const *extra)
{
    VEC(char *) list = {0};
    for (; extra && *extra; extra++)
        *VEC_PUSH(&list) = (char *)*extra;
    size_t own = list.count;
    for (char **old = environ; *old; old++) {
        bool replaced = false;
        size_t name = strcspn(*old, "=") + 1;
        for (size_t i = 0; i < own; i++)
            replaced |= strncmp(list.items[i], *old, name) == 0;
        if (!replaced)
            *VEC_PUSH(&list) = *old;
    }
    *VEC_PUSH(&list) = NULL;
    return list.items;
}

static void redirect(posix_spawn_file_actions_t *actions, int target, const int ends[2])
{
    if (ends[1] >= 0)
        posix_spawn_file_actions_adddup2(actions, ends[1], target);
    else
        posix_spawn_file_actions_addopen(actions, target, "/dev/null", O_WRONLY, 0);
}

// A child takes our limit over when it is made, so ours is raised for that moment.
static int spawn(const char *const *argv, const posix_spawn_file_actions_t *actions,
                 char **environment, bool deep_stack, pid_t *pid)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const rlim_t deep = (rlim_t)BASE_DEEP_STACK_MB << 20;
    struct rlimit usual, raised;
    pthread_mutex_lock(&lock);
    bool raises = deep_stack && getrlimit(RLIMIT_STACK, &usual) == 0 && usual.rlim_cur < deep;
    if (raises) {
        raised = usual;
        raised.rlim_cur = usual.rlim_max < deep ? usual.rlim_max : deep;
        setrlimit(RLIMIT_STACK, &raised);
    }
    int failed = posix_spawnp(pid, argv[0], actions, NULL, (char *const *)argv, environment);
    if (raises)
        setrlimit(RLIMIT_STACK, &usual);
    pthread_mutex_unlock(&lock);
    return failed;
}

static int start(const char *const *argv, const struct proc_options *options, const int out[2],
                 const int errors[2], pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    redirect(&actions, 1, out);
    redirect(&actions, 2, errors);
    if (options->directory)
        posix_spawn_file_actions_addchdir_np(&actions, options->directory);
    char **environment = make_environment(options->env);
    int failed = spawn(argv, &actions, environment, options->deep_stack, pid);
    free(environment);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

// Read both streams until they end or the time is over. False: time is over, or we are to end.
static bool drain(struct stream *streams, double deadline)
{
    for (;;) {
        struct pollfd polled[2];
        int open_streams = 0;
        for (int i = 0; i < 2; i++) {
            polled[i] = (struct pollfd){.fd = streams[i].fd, .events = POLLIN};
            open_streams += streams[i].fd >= 0;
        }
        if (!open_streams)
            return true;
        int wait = deadline > 0 ? (int)((deadline - clock_now()) * 1000) : BASE_INTERRUPT_MS;
        if ((deadline > 0 && wait <= 0) || interrupt_pending())
            return false;
        wait = wait < BASE_INTERRUPT_MS ? wait : BASE_INTERRUPT_MS;
        if (poll(polled, 2, wait) < 0 && errno != EINTR)
            return true;
        for (int i = 0; i < 2; i++) {
            if (streams[i].fd < 0 || !(polled[i].revents & (POLLIN | POLLHUP | POLLERR)))
                continue;
            char chunk[65536];
            ssize_t got = read(streams[i].fd, chunk, sizeof chunk);
            if (got > 0) {
                buf_add(streams[i].to, chunk, (size_t)got);
            } else if (got == 0 || errno != EINTR) {
                close(streams[i].fd);
                streams[i].fd = -1;
            }
        }
    }
}

// A jail is asked to end, so that it takes along what it holds.
static void stop(pid_t pid, bool jailed, struct proc_result *result)
{
    kill(pid, jailed && jail_is_on() ? SIGTERM : SIGKILL);
    result->timed_out = true;
}

static void reap(pid_t pid, double deadline, bool jailed, struct proc_result *result)
{
    int status = 0;
    for (;;) {
        pid_t got = waitpid(pid, &status, deadline > 0 && !result->timed_out ? WNOHANG : 0);
        if (got == pid || (got < 0 && errno != EINTR))
            break;
        if (interrupt_pending() && !result->timed_out)
            stop(pid, jailed, result);
        else if (got == 0 && clock_now() > deadline) {
            stop(pid, jailed, result);
        } else if (got == 0) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
    }
    result->exited = WIFEXITED(status);
    result->exit_code = result->exited ? WEXITSTATUS(status) : -1;
    result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static bool is_of_crash(const char *line)
{
    static const char *const begins[] = {"PLEASE submit a bug report", "Stack dump",
                                         "PLEASE ATTACH"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(line, begins[i], strlen(begins[i])) == 0)
            return true;
    const char *at = line + strspn(line, " ");
    size_t digits = strspn(at + (*at == '#'), "0123456789");
    return digits && (*at == '#' ? strncmp(at + 1 + digits, " 0x", 3) == 0
                                 : strncmp(at + digits, ".\t", 2) == 0);
}

// LLVM's tools print their stack when they crash, which tells our users nothing.
static void cut_crash(struct buf *errors)
{
    static const char fatal[] = "LLVM ERROR: ";
    if (!errors || !errors->length ||
        (!strstr(errors->data, "PLEASE submit a bug report") && !strstr(errors->data, fatal)))
        return;
    struct buf kept = BUF_INIT;
    for (const char *line = errors->data; *line;) {
        size_t length = strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
        size_t prefix = strncmp(line, fatal, sizeof fatal - 1) == 0 ? sizeof fatal - 1 : 0;
        if (prefix)
            buf_puts(&kept, "error: ");
        if (!is_of_crash(line))
            buf_add(&kept, line + prefix, length - prefix);
        line += length;
    }
    buf_release(errors);
    *errors = kept;
}

bool proc_run(const char *const *argv, const struct proc_options *given, struct proc_result *result,
              struct error *err)
{
    static const struct proc_options none;
    const struct proc_options *options = given ? given : &none;
    *result = (struct proc_result){0};
    int out[2] = {-1, -1}, errors[2] = {-1, -1};
    if ((options->out && pipe2(out, O_CLOEXEC) != 0) ||
        (options->errors && pipe2(errors, O_CLOEXEC) != 0))
        return error_errno(err, "cannot make a pipe for %s", argv[0]);

    pid_t pid;
    int failed = start(argv, options, out, errors, &pid);
    if (out[1] >= 0)
        close(out[1]);
    if (errors[1] >= 0)
        close(errors[1]);
    struct stream streams[2] = {{out[0], options->out}, {errors[0], options->errors}};
    if (!failed) {
        double deadline = options->timeout_seconds ? clock_now() + options->timeout_seconds : 0;
        if (!drain(streams, deadline))
            stop(pid, options->jailed, result);
        reap(pid, deadline, options->jailed, result);
        cut_crash(options->errors);
    }
    for (int i = 0; i < 2; i++)
        if (streams[i].fd >= 0)
            close(streams[i].fd);
    if (!failed && interrupt_pending())
        return interrupt_error(err);
    errno = failed;
    return !failed || error_errno(err, "cannot start %s", argv[0]);
}

static char *on_path(const char *name)
{
    const char *path = getenv("PATH");
    struct buf candidate = BUF_INIT;
    for (const char *at = path ? path : "/usr/bin:/bin"; *at;) {
        size_t length = strcspn(at, ":");
        buf_clear(&candidate);
        buf_add(&candidate, at, length);
        buf_printf(&candidate, "/%s", name);
        if (access(candidate.data, X_OK) == 0)
            return candidate.data;
        at += length + (at[length] == ':');
    }
    buf_release(&candidate);
    return NULL;
}

char *proc_find(const char *const *names)
{
    for (; *names; names++) {
        char *found = strchr(*names, '/') ? (access(*names, X_OK) == 0 ? xstrdup(*names) : NULL)
                                          : on_path(*names);
        if (found)
            return found;
    }
    return NULL;
}

char *proc_find_tool(const char *tool, struct error *err)
{
    char versioned[128];
    struct buf name = BUF_INIT;
    buf_printf(&name, "%s-19", tool);
    memcpy(versioned, name.data,
           name.length < sizeof versioned ? name.length + 1 : sizeof versioned);
    versioned[sizeof versioned - 1] = '\0';
    buf_release(&name);
    char *found = proc_find((const char *const[]){versioned, NULL});
    if (!found)
        error_set(err, ERROR_MISSING,
                  "%s is not installed or not on PATH; on Debian: apt-get install clang-19 llvm-19 "
                  "lld-19 libclang-rt-19-dev",
                  versioned);
    return found;
}

bool proc_may_work_later(int status)
{
    return WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM
                               : WEXITSTATUS(status) == EXIT_RETRY;
}
