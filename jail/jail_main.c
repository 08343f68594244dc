// SPDX-License-Identifier: Apache-2.0
#include "jail.h"

#include "keeper.h"
#include "walls.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn __attribute__((format(printf, 1, 2))) void fail(const char *format, ...)
{
    int error = errno;
    va_list list;
    va_start(list, format);
    fprintf(stderr, "cadenza-jail: ");
    vfprintf(stderr, format, list);
    fprintf(stderr, ": %s\n", strerror(error));
    va_end(list);
    _exit(JAIL_FAILED);
}

static unsigned long number(const char *option, const char *text)
{
    char *end;
    errno = 0;
    unsigned long value = text ? strtoul(text, &end, 10) : 0;
    if (!text || end == text || *end || errno) {
        errno = EINVAL;
        fail("%s %s", option, text ? text : "");
    }
    return value;
}

struct request {
    struct walls walls;
    struct keeper_limits limits;
    pid_t parent;       // the jail ends when this one does
    const char *output; // becomes JAIL_OUTPUT_FD, or NULL
    char **program;
};

static void read_arguments(int argc, char **argv, struct request *request)
{
    unsigned kept = 0;
    int i = 1;
    for (; i + 1 < argc && strcmp(argv[i], "--") != 0; i += 2) {
        const char *option = argv[i], *value = argv[i + 1];
        if (strcmp(option, "--scratch") == 0)
            request->walls.scratch = value;
        else if (strcmp(option, "--scratch-size") == 0)
            request->walls.scratch_size = number(option, value);
        else if (strcmp(option, "--file-size") == 0)
            request->walls.file_size = number(option, value);
        else if (strcmp(option, "--keep") == 0 && kept + 1 < WALLS_MOST_KEPT)
            request->walls.keep[kept++] = (int)number(option, value);
        else if (strcmp(option, "--output") == 0)
            request->output = value;
        else if (strcmp(option, "--memory") == 0)
            request->limits.memory = number(option, value);
        else if (strcmp(option, "--parent") == 0)
            request->parent = (pid_t)number(option, value);
        else {
            errno = EINVAL;
            fail("option %s", option);
        }
    }
    if (i + 1 >= argc || !request->walls.scratch) {
        errno = EINVAL;
        fail("usage: cadenza-jail --scratch DIRECTORY [OPTION VALUE]... -- PROGRAM ARGUMENT...");
    }
    request->walls.kept = kept;
    request->program = argv + i + 1;
}

// In the process that becomes the program.
static _Noreturn void enter(const struct request *request)
{
    const char *missing = walls_raise(&request->walls);
    if (missing)
        fail("%s", missing);
    syscall(SYS_execveat, JAIL_PROGRAM_FD, "", request->program, environ, AT_EMPTY_PATH);
    fail("%s", request->program[0]);
}

static _Noreturn void end_like(const struct keeper_end *end)
{
    if (end->over_limit)
        _exit(JAIL_LIMIT);
    if (WIFEXITED(end->status))
        _exit(WEXITSTATUS(end->status));
    int number = WTERMSIG(end->status);
    sigset_t set;
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
    _exit(128 + number);
}

// Nothing of the program's stays open here: whoever reads from it waits for the end of file.
static void let_go(const int answer[2])
{
    for (int fd = 0; fd <= JAIL_PROGRAM_FD; fd++)
        if (fd != answer[0] && fd != answer[1])
            close(fd);
    close_range(JAIL_PROGRAM_FD + 1, ~0u, 0);
}

static void keep(const struct request *request, const int answer[2])
{
    pid_t program = fork();
    if (program == 0)
        enter(request);
    if (program < 0)
        fail("fork");
    let_go(answer);
    keeper_wait(program, &request->limits, answer[1]);
}

// Outside: wait for the keeper, or end it when we are asked to.
static _Noreturn void guard(pid_t keeper, const int answer[2])
{
    sigset_t set;
    siginfo_t info;
    struct keeper_end end;
    int status;
    keeper_signals(&set);
    let_go(answer);
    for (;;) {
        pid_t got = waitpid(keeper, &status, WNOHANG);
        if (got == keeper || (got < 0 && errno == ECHILD))
            break;
        if (sigwaitinfo(&set, &info) > 0 && info.si_signo != SIGCHLD)
            kill(keeper, SIGKILL);
    }
    if (read(answer[0], &end, sizeof end) == sizeof end)
        end_like(&end);
    _exit(WIFEXITED(status) ? JAIL_FAILED : 128 + SIGKILL);
}

// A file that the program may write though it lies outside: it gets no name of it.
static void open_output(struct request *request)
{
    int fd = open(request->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || dup2(fd, JAIL_OUTPUT_FD) < 0)
        fail("%s", request->output);
    if (fd != JAIL_OUTPUT_FD)
        close(fd);
    request->walls.keep[request->walls.kept++] = JAIL_OUTPUT_FD;
}

// No signals of the terminal, and no way to it. A session of its own would do the same, but the
// kernel shares the processor between sessions: each answer of the program would wait for its turn.
static void leave_terminal(void)
{
    int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal >= 0 && getsid(0) != getpid())
        ioctl(terminal, TIOCNOTTY);
    if (terminal >= 0)
        close(terminal);
    setpgid(0, 0);
}

static _Noreturn void start(struct request *request)
{
    int answer[2];
    sigset_t set;
    leave_terminal();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (request->parent && getppid() != request->parent)
        _exit(JAIL_FAILED); // it has ended meanwhile
    keeper_signals(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    if (pipe2(answer, O_CLOEXEC) != 0)
        fail("pipe");
    request->walls.apart = walls_namespaces();
    if (!request->walls.apart) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        keep(request, answer);
        struct keeper_end end;
        if (read(answer[0], &end, sizeof end) == sizeof end)
            end_like(&end);
        _exit(JAIL_FAILED);
    }
    pid_t keeper = fork();
    if (keeper < 0)
        fail("fork");
    if (keeper == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        keep(request, answer);
        _exit(0);
    }
    close(answer[1]);
    guard(keeper, answer);
}

int main(int argc, char **argv)
{
    struct request request = {.walls = {.scratch_size = 64ul << 20}};
    if (argc == 2 && strcmp(argv[1], "--probe") == 0) {
        walls_probe();
        return 0;
    }
    read_arguments(argc, argv, &request);
    int program = open(request.program[0], O_RDONLY | O_CLOEXEC);
    if (program < 0)
        fail("%s", request.program[0]);
    if (!walls_place_program(program))
        fail("descriptors up to %d are needed", JAIL_PROGRAM_FD);
    if (request.output)
        open_output(&request);
    // The same addresses in every run.
    personality(ADDR_NO_RANDOMIZE);
    start(&request);
}
